#!/bin/busybox sh
# Inside the VM: the first process. Loads the modules, measures the kernel path over every backend of this kernel, rte_kni
# first, with the programs as they are; then once more with routing off, when no frame may come back. What there is to
# say goes to the console, the results as base64 to the second serial port.
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin:/sbin LD_LIBRARY_PATH=/lab TERM=dumb
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /dev/hugepages /dev/shm /tmp /var /out /dev/net
mount -t hugetlbfs none /dev/hugepages
mount -t tmpfs none /run
ln -s /run /var/run
[ -e /dev/net/tun ] || mknod /dev/net/tun c 10 200
. /lab/settings
echo "LAB BEGIN"

fail() {
	echo "LAB FAIL $*"
	failed=1
}
ok() { echo "LAB ok $*"; }
failed=0

for module in /lab/modules/*.ko; do
	insmod "$module" 2>/tmp/insmod.err || echo "LAB note insmod ${module##*/}: $(cat /tmp/insmod.err)"
done
insmod /lab/rte_kni.ko && ok "rte_kni loads" || fail "rte_kni does not load"
[ -e /dev/kni ] || mknod /dev/kni c $(sed -n 's/^ *\([0-9]*\) misc$/\1/p' /proc/devices) $(sed -n 's/ kni$//p' /proc/misc)
/bin/ip link set lo up

link_args="--file-prefix gen --vdev net_memif0,role=client,socket=/tmp/l.sock,socket-abstract=no,rsize=12"
wire=net_memif0,role=server,socket=/tmp/l.sock,socket-abstract=no,rsize=12

# start_dut BACKEND OPTIONS...
start_dut() {
	backend=$1
	shift
	rm -f /tmp/l.sock
	# rte_kni must have physical addresses; the others take what EAL takes.
	iova=
	[ "$backend" != kni ] || iova=--iova-mode=pa
	# shellcheck disable=SC2086
	/lab/tandem-dut -l 1 -m 96 $iova --file-prefix dut -d /lab/librte_net_kni.so.23 \
		--vdev "$wire" -- --kernel-path="$backend" --kernel-netns lab "$@" >"/tmp/dut-$backend.log" 2>&1 &
	dut=$!
	n=0
	until [ -S /tmp/l.sock ] && [ -S /run/dpdk/dut/dpdk_telemetry.v2 ] && grep -q waiting "/tmp/dut-$backend.log"; do
		n=$((n + 1))
		if [ $n -gt 200 ] || ! kill -0 $dut 2>/dev/null; then
			tail -n 5 "/tmp/dut-$backend.log"
			kill -KILL $dut 2>/dev/null
			return 1
		fi
		usleep 100000
	done
}

end_dut() {
	kill -INT $dut
	wait $dut
	dut_status=$?
}

for b in $BACKENDS; do
	if ! start_dut "$b" --forward-mode=kernel --stats "/tmp/dut-$b.json"; then
		fail "$b: the DUT does not start"
		continue
	fi
	# shellcheck disable=SC2086
	if /lab/tandem-gen -l 0 -m 96 $link_args -- sweep --sizes "$SIZES" --rate "$RATE" --duration "$DURATION" \
		--warmup 500ms --dut-telemetry /run/dpdk/dut/dpdk_telemetry.v2 --out "/out/$b" --title "$b, emulated" -q \
		>"/tmp/gen-$b.log" 2>&1; then
		ok "$b: every size runs"
	else
		tail -n 5 "/tmp/gen-$b.log"
		fail "$b: the generator ends with an error"
	fi
	if [ "$b" = kni ]; then
		kill -USR1 $dut
		/bin/ip netns exec lab /bin/ip -br link
		/bin/ip netns exec lab sh -c 'grep Ip: /proc/net/snmp'
		grep kni_ /proc/[0-9]*/comm
	fi
	end_dut
	[ $dut_status = 0 ] && ok "$b: the DUT ends cleanly" || fail "$b: the DUT ends with status $dut_status"
	cp "/tmp/dut-$b.json" "/out/$b/" 2>/dev/null
	cp "/tmp/dut-$b.log" "/out/$b/dut.log"
done

# The KNI sample's own command line.
if start_dut kni -P -p 0x1 "--config=(0,1,1)"; then
	# shellcheck disable=SC2086
	if /lab/tandem-gen -l 0 -m 96 $link_args -- run --size 64 --rate "$RATE" --duration 500ms --json -q >/tmp/sample.json 2>/tmp/sample.err; then
		ok "the KNI sample's command line"
		cp /tmp/sample.json /out/sample.json
	else
		fail "the KNI sample's command line: $(tail -n 1 /tmp/sample.err)"
	fi
	kill -USR1 $dut
	usleep 300000
	cp /tmp/dut-kni.log /out/sample-dut.log
	end_dut
else
	fail "the KNI sample's command line: the DUT does not start"
fi

# What rte_kni must not be given.
/lab/tandem-dut -l 1 -m 96 --file-prefix dut --iova-mode=va -d /lab/librte_net_kni.so.23 --vdev "$wire" -- \
	--forward-mode=kernel --kernel-path=kni >/tmp/va.log 2>&1
[ $? -ne 0 ] && grep -q 'iova-mode=pa' /tmp/va.log && ok "virtual addresses are refused" || fail "virtual addresses: $(tail -n 1 /tmp/va.log)"
/lab/tandem-dut -l 1 -m 96 --no-huge --file-prefix dut -d /lab/librte_net_kni.so.23 --vdev "$wire" -- \
	--forward-mode=kernel --kernel-path=kni >/tmp/nohuge.log 2>&1
[ $? -ne 0 ] && grep -q 'hugepages' /tmp/nohuge.log && ok "--no-huge is refused" || fail "--no-huge: $(tail -n 1 /tmp/nohuge.log)"

# The negative control: the kernel does not route, so nothing may come back.
if start_dut kni --forward-mode=kernel; then
	/bin/ip netns exec lab sh -c 'echo 0 >/proc/sys/net/ipv4/ip_forward'
	# shellcheck disable=SC2086
	/lab/tandem-gen -l 0 -m 96 $link_args -- run --size 64 --rate "$RATE" --duration 500ms --json -q >/tmp/off.json 2>/tmp/off.err
	status=$?
	if [ $status = 1 ] && grep -q 'no frame came back' /tmp/off.err; then
		ok "negative control: routing off, nothing comes back"
	else
		fail "negative control: routing off, status $status: $(tail -n 1 /tmp/off.err)"
	fi
	end_dut
else
	fail "negative control: the DUT does not start"
fi

dmesg | grep -E 'Oops|BUG:|Call Trace' && fail "the kernel complains"
uname -r >/out/kernel
stty -F /dev/ttyS1 raw 115200
tar -C /out -cz . | base64 >/dev/ttyS1
echo >/dev/ttyS1
sync
echo "LAB END $failed"
poweroff -f
