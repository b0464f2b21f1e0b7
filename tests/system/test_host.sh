# Preparing a host and putting it back, on a tree of the test's own in the place of /sys and with programs that only
# note what they were asked for: the machine itself is not touched.
. "$(dirname "$0")/lib.sh"

if ! is_root; then
	skip "preparing a host" "needs root"
	exit 0
fi

S=$T/sys
BIN=$T/bin
HOST=(env "PATH=$BIN:$PATH" "TANDEM_SYSFS=$S" "TANDEM_STATE=$T/state" SSH_CONNECTION= scripts/host.sh)

# Two nodes, of which the second has no cores but memory; three cards: eth0 below a bond and a VLAN that has the default
# route, eth1 with an SSH session, eth2 free.
make_tree() {
	local node card
	rm -rf "$S" "$T/state" "$T/calls"
	for node in 0 1 2; do
		mkdir -p "$S/devices/system/node/node$node/hugepages/hugepages-2048kB"
		echo 16 >"$S/devices/system/node/node$node/hugepages/hugepages-2048kB/nr_hugepages"
		echo "$node" >"$S/devices/system/node/node$node/cpulist"
	done
	echo >"$S/devices/system/node/node2/cpulist"
	mkdir -p "$S/bus/pci/drivers/ixgbe" "$S/module/tun" "$S/class/net/bond0" "$S/class/net/vlan7" "$BIN"
	for card in 0 1 2; do
		mkdir -p "$S/bus/pci/devices/0000:02:00.$card/net/eth$card" "$S/class/net/eth$card"
		ln -s "../../drivers/ixgbe" "$S/bus/pci/devices/0000:02:00.$card/driver"
	done
	ln -s ../eth0 "$S/class/net/bond0/lower_eth0"
	ln -s ../bond0 "$S/class/net/vlan7/lower_bond0"
	cat >"$BIN/ip" <<-'EOF'
		#!/bin/sh
		case "$*" in
		"-o route show default") echo "default via 192.0.2.1 dev vlan7 proto dhcp" ;;
		*"addr show to 192.0.2.9") echo "3: eth1    inet 192.0.2.9/24 scope global eth1" ;;
		esac
	EOF
	cat >"$BIN/modprobe" <<-EOF
		#!/bin/sh
		echo "modprobe \$*" >>"$T/calls"
		case "\$*" in
		*igb_uio*) exit 1 ;;
		"-r "*) rm -rf "$S/module/\$(echo "\$2" | tr - _)" ;;
		*) mkdir -p "$S/module/\$(echo "\$2" | tr - _)" ;;
		esac
	EOF
	cat >"$BIN/dpdk-devbind.py" <<-EOF
		#!/bin/sh
		echo "devbind \$*" >>"$T/calls"
		mkdir -p "$S/bus/pci/drivers/\$2"
		ln -sfn "../../drivers/\$2" "$S/bus/pci/devices/\$3/driver"
	EOF
	cat >"$BIN/ss" <<-EOF
		#!/bin/sh
		cat "$T/sessions" 2>/dev/null || true
	EOF
	chmod +x "$BIN"/*
}
pages() { cat "$S/devices/system/node/node$1/hugepages/hugepages-2048kB/nr_hugepages"; }
driver() { basename "$(readlink "$S/bus/pci/devices/0000:02:00.$1/driver")"; }
run_host() { # NAME OPTIONS...
	local name=$1
	shift
	"${HOST[@]}" "$@" >"$T/$name.out" 2>"$T/$name.err"
	status=$?
}

make_tree
run_host free 0000:02:00.2
check_equal "a free card: status" "$status" 0
check_equal "a free card: bound" "$(driver 2)" vfio-pci
check_equal "hugepages: on the nodes with cores" "$(pages 0) $(pages 1) $(pages 2)" "512 512 16"
check "modules: those that were missing" "$(cat "$T/calls")" \
	sh -c "grep -q 'modprobe -q vhost-net' '$T/calls' && grep -q 'modprobe -q vfio-pci' '$T/calls' && ! grep -q 'q tun' '$T/calls'"
check "what was changed is printed" "$(cat "$T/free.out")" grep -q '0000:02:00.2: ixgbe, now vfio-pci' "$T/free.out"
: >"$T/calls"
run_host again 0000:02:00.2
check_equal "once more: nothing is done" "$status $(cat "$T/calls")" "0 "
run_host undo --undo
check_equal "undo: status" "$status" 0
check_equal "undo: the card has its driver back" "$(driver 2)" ixgbe
check_equal "undo: hugepages as they were" "$(pages 0) $(pages 1) $(pages 2)" "16 16 16"
check "undo: modules that were loaded are gone, others stay" "$(ls "$S/module")" \
	test ! -d "$S/module/vfio_pci" -a ! -d "$S/module/vhost_net" -a -d "$S/module/tun"
check "undo: nothing is noted any more" "$T/state" test ! -e "$T/state"
run_host nothing --undo
check_equal "undo once more: status" "$status $(cat "$T/nothing.out")" "0 nothing to put back"

make_tree
run_host route 0000:02:00.2 0000:02:00.0
check_equal "the card of the default route, below bond and VLAN: status" "$status" 2
check_line "the card of the default route: one line" "$T/route.err"
check_equal "the card of the default route: nothing was changed" "$(driver 0) $(driver 2) $(pages 0) $(cat "$T/calls" 2>/dev/null)" \
	"ixgbe ixgbe 16 "
env "PATH=$BIN:$PATH" "TANDEM_SYSFS=$S" "TANDEM_STATE=$T/state" SSH_CONNECTION="192.0.2.5 5 192.0.2.9 22" scripts/host.sh \
	0000:02:00.1 >"$T/ssh.out" 2>"$T/ssh.err"
check_equal "the card of the SSH session: status" "$? $(driver 1)" "2 ixgbe"
echo "0 0 [::ffff:192.0.2.9]:22 [::ffff:192.0.2.5]:50000" >"$T/sessions"
run_host sudo 0000:02:00.1
check_equal "the card of an SSH session that sudo hides: status" "$status $(driver 1)" "2 ixgbe"
rm "$T/sessions"
# A virtio card's interface is one folder down.
mkdir "$S/bus/pci/devices/0000:02:00.0/virtio2"
mv "$S/bus/pci/devices/0000:02:00.0/net" "$S/bus/pci/devices/0000:02:00.0/virtio2/"
run_host virtio 0000:02:00.0
check_equal "a virtio card of the default route: status" "$status $(driver 0)" "2 ixgbe"
run_host free1 0000:02:00.1
check_equal "the same card without a session: status" "$status $(driver 1)" "0 vfio-pci"
run_host gone --driver igb_uio 0000:02:00.2
check_equal "a driver that is not to be had: status" "$status" 1
check "a driver that is not to be had: named" "$(cat "$T/gone.err")" grep -q 'igb_uio' "$T/gone.err"
check_equal "a driver that is not to be had: the card stays" "$(driver 2)" ixgbe
run_host back --undo
check_equal "undo after a run that failed: status" "$status $(driver 1) $(pages 0)" "0 ixgbe 16"
for words in "0000:02:00.9" "02:00.0" "0000:09:00.0" "--driver e1000 0000:02:00.2" "--hugepages many" "--what"; do
	# shellcheck disable=SC2086
	run_host bad $words
	check_equal "$words: status" "$status" 2
	check_line "$words: one line" "$T/bad.err"
done
