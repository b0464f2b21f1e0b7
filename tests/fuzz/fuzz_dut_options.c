/*
 * Command lines of tandem-dut, NUL between words. (A file of its own: both programs call what a
 * full ring means enum on_full.)
 */
#include "tests/fuzz/fuzz.h"

#include "dut/options.h"
#include "common/units.h"

#define MAX_WORDS 24

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words[MAX_WORDS], err[256] = "", *text;
	struct dut_options o;
	int n;

	text = fuzz_words(data, size, words, MAX_WORDS, &n);
	switch (dut_options_parse(&o, n, words, err, sizeof(err))) {
	case OPT_OK:
		FUZZ_CHECK(forward_mode_name(o.forward_mode) && topology_name(o.topology) &&
			   on_full_name(o.on_full) && kernel_driver_name(o.kernel_path));
		FUZZ_CHECK(o.burst >= 1 && o.burst <= DUT_MAX_BURST);
		FUZZ_CHECK(o.rxq == o.txq && o.rxq >= 1);
		FUZZ_CHECK(o.max_frame >= FRAME_MIN && o.max_frame <= FRAME_JUMBO_MAX);
		FUZZ_CHECK((o.forward_mode == FORWARD_IMPAIR) == (o.impair.kinds != 0));
		FUZZ_CHECK((o.forward_mode == FORWARD_SPLIT) == (o.split.kind != SPLIT_NONE));
		FUZZ_CHECK(o.split.first <= o.split.last && o.split.last <= UINT16_MAX);
		FUZZ_CHECK(o.split.share <= 1ull << 32);
		FUZZ_CHECK(o.split.kind != SPLIT_STREAM || o.split.last < o.split.of);
		FUZZ_CHECK(memchr(o.split.text, 0, sizeof(o.split.text)));
		FUZZ_CHECK(o.seed != UINT64_MAX);
		FUZZ_CHECK(o.promiscuous && !(o.portmask >> KNI_PORT_IDS));
		FUZZ_CHECK(o.kni.n <= DUT_MAX_PORTS);
		for (unsigned int i = 0; i < o.kni.n; i++)
			FUZZ_CHECK(o.kni.ports[i].port < KNI_PORT_IDS &&
				   o.kni.ports[i].lcore_rx < KNI_LCORE_IDS &&
				   o.kni.ports[i].lcore_tx < KNI_LCORE_IDS);
		FUZZ_CHECK(!(o.portmask || o.kni.n) || o.forward_mode == FORWARD_KERNEL);
		break;
	case OPT_ERROR:
		FUZZ_CHECK(*err);
		break;
	case OPT_HELP:
	case OPT_VERSION:
		break;
	}
	free(text);
	return 0;
}
