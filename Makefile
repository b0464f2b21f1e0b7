# Tandem: traffic generator, DUT and curves. `make help` lists the targets.
#
# V=1 shows commands, CC=clang picks the compiler, SAN=1 builds with ASan and UBSan
# (in a build folder of its own), B=DIR puts the objects elsewhere.

SHELL   := /bin/bash
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := gcc
endif
SAN     ?= 0
B       ?= $(if $(filter 1,$(SAN)),build-san,build)
PREFIX  ?= /usr/local
Q       := $(if $(V),,@)

VERSION  := 0.1.0
RELEASED := 2026-12-01

# Debian packages, nothing from elsewhere: to build and run, then to test.
PKGS_RUN  := gcc make libc6-dev pkg-config libdpdk-dev dpdk libjansson-dev libyaml-dev libplot-dev \
             libpng-dev libmnl-dev libpcap-dev libcsv-dev iproute2
PKGS_TEST := libcmocka-dev dpkg-dev mandoc clang clang-format clang-tidy cppcheck jq ethtool procps python3 \
             chromium tidy tshark \
             openssh-client openssh-server

# To build rte_kni, and to run it in a VM.
PKGS_KNI  := libbsd-dev
PKGS_LAB  := qemu-system-x86 busybox-static cpio

# Compiler flags. The baseline is plain x86-64 with SSE4.2, which DPDK's headers need: no -march=native.
DPDK_CFLAGS = $(shell pkg-config --cflags libdpdk 2>/dev/null | sed 's/-I\/usr\/include\/dbus[^ ]*//;s/-I\(\S*\)/-isystem \1/g')
# pkg-config leaves the drivers out; virtual devices are made by hand through this bus, ports of rings
# through this driver.
DPDK_LIBS   = $(shell pkg-config --libs libdpdk 2>/dev/null) -lrte_bus_vdev -lrte_net_ring
, := ,
WARN     := -Wall -Wextra -Wshadow -Werror -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
            -Wvla -Wno-address-of-packed-member
OPT      := $(if $(filter 1,$(SAN)),-O1 -fsanitize=address$(,)undefined -fno-sanitize-recover=undefined,-O3)
HARDEN   := -fstack-protector-strong -fPIE $(if $(filter 1,$(SAN)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
CFLAGS   := -std=gnu11 -g $(OPT) $(WARN) $(HARDEN) -fno-omit-frame-pointer
CPPFLAGS := -D_GNU_SOURCE -DTANDEM_VERSION='"$(VERSION)"' -DTANDEM_RELEASED='"$(RELEASED)"' -I. -MMD -MP
LDFLAGS  := -pie -Wl,-z,relro,-z,now $(if $(filter 1,$(SAN)),-fsanitize=address$(,)undefined)

# What is linked into what. common/ is free of DPDK; common/dpdk/ is what gen and dut share on top of it.
objs      = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard $(1)/*.c)))
COMMON   := $(call objs,common)
DPDK     := $(call objs,common/dpdk)
METHODS  := $(call objs,gen/methods)
GEN      := $(call objs,gen) $(METHODS)
DUT      := $(call objs,dut)
PLOT     := $(call objs,plots)
GEN_LIB  := $(filter-out %/main.o,$(GEN))
DUT_LIB  := $(filter-out %/main.o,$(DUT))
PLOT_LIB := $(filter-out %/main.o,$(PLOT))
PROGRAMS := $(B)/tandem-gen $(B)/tandem-dut $(B)/tandem-plot
FUZZERS  := $(patsubst tests/fuzz/%.c,$(B)/fuzz/tests/fuzz/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
UNITS    := $(patsubst tests/unit/%.c,$(B)/tests/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
BENCHES  := $(patsubst tests/bench/%.c,$(B)/tests/bench/%,$(sort $(wildcard tests/bench/*.c)))
# What unit tests share.
UNIT_LIB := $(filter-out $(B)/tests/unit/test_%,$(call objs,tests/unit))

# Builds that a target starts use all cores, unless the user said how many.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all help deps doctor host host-undo run test bench lab-kni kni compare-backends fuzz fuzzers lint format print-cflags docs install dist deb units clean
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

all: $(PROGRAMS) ## build the three programs under build/

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $<")
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(EXTRA_CFLAGS) -c -o $@ $<

$(DPDK) $(GEN) $(DUT): EXTRA_CFLAGS = $(DPDK_CFLAGS)
$(B)/tests/unit/%.o $(B)/tests/bench/%.o: EXTRA_CFLAGS = $(DPDK_CFLAGS)

$(B)/tandem-gen: $(GEN) $(DPDK) $(COMMON)
$(B)/tandem-gen: EXTRA_LIBS = -lyaml
$(B)/tandem-dut: $(DUT) $(DPDK) $(COMMON)
$(B)/tandem-gen $(B)/tandem-dut:
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(DPDK_LIBS) $(EXTRA_LIBS) -ljansson -lmnl -lpcap -lm -lpthread

$(B)/tandem-plot: $(PLOT) $(COMMON)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lplot -lpng -lcsv -ljansson -lpcap -lm

deps: ## install the Debian packages that are missing
	@scripts/deps.sh $(PKGS_RUN) $(PKGS_TEST)

host: ## prepare this host: hugepages, modules, cards (PCI="0000:02:00.0 ..." DRIVER=vfio-pci HUGEPAGES=512)
	@scripts/host.sh $(if $(DRIVER),--driver $(DRIVER)) $(if $(HUGEPAGES),--hugepages $(HUGEPAGES)) $(PCI)

host-undo: ## put back what make host changed
	@scripts/host.sh --undo

doctor: all ## what this host is fit for, and what mends the rest (DOCTOR_ARGS="--link nic --kernel-path kni", ROLE=gen)
	@$(B)/tandem-$(or $(ROLE),dut) doctor $(DOCTOR_ARGS)

run: deps ## the main job: io and kernel path over all frame sizes, results and curves (LINK=memif for the other link)
	@$(MAKE) $(JOBS) --no-print-directory all
	@BUILD=$(B) scripts/run.sh $(RUN_ARGS)

test: deps ## set up and pass all tests
	@$(MAKE) $(JOBS) --no-print-directory all units
	@BUILD=$(B) tests/run.sh

bench: deps ## our figures beside testpmd's, interleaved runs, medians
	@$(MAKE) $(JOBS) --no-print-directory all $(BENCHES)
	@BUILD=$(B) tests/bench/run.sh

lab-kni: deps ## the real rte_kni, built from Debian's source and measured in a VM
	@scripts/deps.sh $(PKGS_KNI) $(PKGS_LAB)
	@$(MAKE) $(JOBS) --no-print-directory all
	@BUILD=$(B) tests/lab/run.sh

compare-backends: deps ## the kernel path over every backend of this host, side by side (BACKENDS_ARGS="--duration 5")
	@$(MAKE) $(JOBS) --no-print-directory all
	@BUILD=$(B) scripts/backends.sh $(BACKENDS_ARGS)

KERNEL ?= $(shell uname -r)
kni: deps ## rte_kni.ko for the kernel KERNEL (this one's), and the net_kni driver, under build/kni
	@scripts/deps.sh $(PKGS_KNI)
	@tests/lab/fetch.sh $(B)/lab source
	@tests/lab/kni.sh $(B)/kni $(B)/lab/dpdk /lib/modules/$(KERNEL)/build
	@echo "built: $(B)/kni/rte_kni.ko for Linux $(KERNEL), and $(B)/kni/librte_net_kni.so.23 for EAL's -d"

fuzz: deps ## fuzz all that parses, FUZZ_SECONDS (20) each, with clang's libFuzzer
	@$(MAKE) $(JOBS) --no-print-directory fuzzers
	@tests/fuzz/run.sh $(B)/fuzz

fuzzers: $(FUZZERS)
	@:

# The libraries of all three programs together, for what links parts of any.
ALL_LIBS := -lplot -lpng -lcsv -lyaml -ljansson -lmnl -lpcap -lm -lpthread

# What the fuzzers call, built for them; the linker takes what each needs. -O1: the sanitizers' reports stay readable.
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZED   := $(patsubst $(B)/%,$(B)/fuzz/%,$(COMMON) $(DPDK) $(GEN_LIB) $(DUT_LIB) $(PLOT_LIB))

$(B)/fuzz/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $<  (fuzz)")
	$(Q)clang $(CPPFLAGS) -std=gnu11 -g -O1 $(WARN) -fno-omit-frame-pointer -fsanitize=fuzzer-no-link $(FUZZ_SAN) \
		$(DPDK_CFLAGS) -c -o $@ $<

$(B)/fuzz/fuzzed.a: $(FUZZED)
	$(Q)rm -f $@ && ar rcs $@ $^

$(FUZZERS): %: %.o $(B)/fuzz/fuzzed.a
	$(if $(Q),@echo "  LD    $@")
	$(Q)clang -fsanitize=fuzzer $(FUZZ_SAN) -o $@ $^ $(DPDK_LIBS) $(ALL_LIBS)

lint: ## format, clang build, cppcheck, clang-tidy
	@tests/lint.sh

format: ## rewrite sources in the project's format
	clang-format -i $$(git ls-files '*.c' '*.h')

print-cflags: ## the compiler flags, for tools
	@echo $(CPPFLAGS) $(CFLAGS) $(DPDK_CFLAGS)

# Man pages and completion are printed by the programs themselves, from their tables of options.
NAMES  := tandem-gen tandem-dut tandem-plot
PAGES  := $(patsubst %,$(B)/doc/%.1,$(NAMES) tandem-run)
SHELLS := $(NAMES:%=$(B)/doc/%.bash)

docs: $(PAGES) $(SHELLS) ## man pages and bash completion, under build/doc/

$(NAMES:%=$(B)/doc/%.1): $(B)/doc/%.1: $(B)/%
	@mkdir -p $(@D)
	$(Q)$< --man >$@

$(SHELLS): $(B)/doc/%.bash: $(B)/%
	@mkdir -p $(@D)
	$(Q)$< --bash-completion >$@

$(B)/doc/tandem-run.1: scripts/run.sh scripts/man_of_help.sh
	@mkdir -p $(@D)
	$(Q)scripts/man_of_help.sh tandem-run $(RELEASED) "the whole benchmark on one machine: io path, kernel path, curves, report" scripts/run.sh >$@
	$(Q)sed -i 's|scripts/run.sh|tandem\\-run|g' $@

# What is installed beside the programs: what scripts need, and the folders of data that are there.
SHIPPED  := $(wildcard gen/plans gen/profiles results/baselines)
SHARE     = $(DESTDIR)$(PREFIX)/share

install: all docs ## install programs, man pages, completion and the main job (tandem-run) under PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/tandem/scripts $(SHARE)/man/man1 \
		$(SHARE)/bash-completion/completions $(SHARE)/doc/tandem
	install -m 755 $(PROGRAMS) $(DESTDIR)$(PREFIX)/bin
	install -m 755 scripts/run.sh $(SHARE)/tandem/scripts
	install -m 644 scripts/hugepages.sh scripts/process.sh $(SHARE)/tandem/scripts
	ln -sfn ../share/tandem/scripts/run.sh $(DESTDIR)$(PREFIX)/bin/tandem-run
	install -m 644 $(PAGES) $(SHARE)/man/man1
	$(foreach n,$(NAMES),install -m 644 $(B)/doc/$(n).bash $(SHARE)/bash-completion/completions/$(n);)
	$(foreach d,$(SHIPPED),install -d $(SHARE)/tandem/$(notdir $(d)) && \
		cp -R --no-preserve=mode,ownership $(d)/. $(SHARE)/tandem/$(notdir $(d));)
	install -m 644 README.md $(SHARE)/doc/tandem
	install -m 644 results/README.md $(SHARE)/doc/tandem/results.md

dist: ## a tarball of the sources of the last commit; the same commit gives the same bytes
	@mkdir -p $(B)
	@git archive --prefix=tandem-$(VERSION)/ HEAD | gzip -9n >$(B)/tandem-$(VERSION).tar.gz
	@echo $(B)/tandem-$(VERSION).tar.gz

deb: all docs ## a Debian package
	@BUILD=$(B) scripts/deb.sh $(VERSION)

units: $(UNITS)

# A unit test is named after the module it tests and links everything but the main functions.
$(UNITS): $(B)/tests/unit/%: $(B)/tests/unit/%.o $(UNIT_LIB) $(GEN_LIB) $(DUT_LIB) $(PLOT_LIB) $(DPDK) $(COMMON)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(DPDK_LIBS) $(ALL_LIBS) -lcmocka

# A benchmark of its own calls what the generator's data path is made of.
$(BENCHES): $(B)/tests/bench/%: $(B)/tests/bench/%.o $(GEN_LIB) $(DPDK) $(COMMON)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(DPDK_LIBS) -lyaml -ljansson -lmnl -lpcap -lm -lpthread

-include $(patsubst %.o,%.d,$(COMMON) $(DPDK) $(GEN) $(DUT) $(PLOT) $(UNIT_LIB)) $(addsuffix .d,$(UNITS) $(BENCHES) $(FUZZERS)) $(FUZZED:.o=.d)

clean: ## remove everything built
	rm -rf build build-san
