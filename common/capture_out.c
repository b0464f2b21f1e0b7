/*
 * The writing thread.
 */
#include "common/capture_out.h"

#include "common/capture_write.h"
#include "common/clock.h"
#include "common/results.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define RING_SIZE    (16u << 20)
#define FILTER_BYTES 256u /* what a filter may want to see of a frame that is kept shorter */
#define NAP_NS	     1000000
#define FLUSH_NS     100000000ull
#define SETTLE_NS    5000000000ull
#define ADJUST_NS    1000000000ull
#define NICE	     19 /* who measures goes first */

/* From the TSC to the wall clock: one anchor, a rate that is measured better and better, no steps.
 */
struct wall {
	struct clock_point first;
	uint64_t tsc, ns, adjusted;
	double ns_per_cycle;
};

struct capture_out {
	const struct capture_options *options;
	struct capture_writer writer;
	struct bpf_program filter;
	bool filters;
	struct capture_tap *taps;
	unsigned int n_taps;
	pthread_t thread;
	bool stop;	/* set by the control thread */
	bool full;	/* set by the writing one: enough frames, or an error */
	bool failed;	/* the file could not be written */
	bool idle;	/* all rings were empty at the last look */
	uint64_t looks; /* at the rings */
	uint64_t written, filtered;
	struct wall wall;
};

/* pcap_compile keeps what is wrong in the handle. */
static int compile(const char *expression, struct bpf_program *program, char *err, size_t errlen)
{
	pcap_t *dead = pcap_open_dead(DLT_EN10MB, CAPTURE_SNAPLEN);
	int rc = -EINVAL;

	if (!dead) {
		snprintf(err, errlen, "no memory for the capture's filter");
		return -ENOMEM;
	}
	if (!pcap_compile(dead, program, expression, 1, PCAP_NETMASK_UNKNOWN))
		rc = 0;
	else
		snprintf(err, errlen, "--capture-filter '%.100s': %.100s", expression,
			 pcap_geterr(dead));
	pcap_close(dead);
	return rc;
}

int capture_options_check(const struct capture_options *options, char *err, size_t errlen)
{
	struct bpf_program program;
	int rc;

	if (!options->path && (options->filter || options->count || options->snaplen)) {
		snprintf(err, errlen, "--capture-filter, -count and -snaplen need --capture FILE");
		return -EINVAL;
	}
	if (options->path && !*options->path) {
		snprintf(err, errlen, "--capture: the file name is empty");
		return -EINVAL;
	}
	if (!options->filter)
		return 0;
	rc = compile(options->filter, &program, err, errlen);
	if (!rc)
		pcap_freecode(&program);
	return rc;
}

static void wall_begin(struct wall *w)
{
	struct timespec now;

	w->first = clock_point_now();
	clock_gettime(CLOCK_REALTIME, &now);
	w->tsc = w->first.tsc;
	w->ns = (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
	w->adjusted = w->first.ns;
	w->ns_per_cycle = 1e9 / clock_hz_estimate();
}

static uint64_t wall_ns(const struct wall *w, uint64_t tsc)
{
	return w->ns + (uint64_t)(int64_t)((double)(int64_t)(tsc - w->tsc) * w->ns_per_cycle);
}

static void wall_adjust(struct wall *w)
{
	struct clock_point now = clock_point_now();

	w->ns = wall_ns(w, now.tsc);
	w->tsc = now.tsc;
	w->adjusted = now.ns;
	w->ns_per_cycle = 1e9 / clock_hz(&w->first, &now);
}

static bool matches(const struct capture_out *out, const struct capture_entry *entry)
{
	struct pcap_pkthdr header = {.caplen = entry->len, .len = entry->wire_len};

	return !out->filters ||
	       pcap_offline_filter(&out->filter, &header, (const uint8_t *)(entry + 1));
}

static void write_entry(struct capture_out *out, const struct capture_entry *entry)
{
	if (out->full)
		return; /* on its way when it became so */
	if (!matches(out, entry)) {
		out->filtered++;
		return;
	}
	if (!capture_write(&out->writer, entry, wall_ns(&out->wall, entry->tsc)))
		out->failed = true;
	else
		out->written++;
	if (out->failed || (out->options->count && out->written == out->options->count))
		__atomic_store_n(&out->full, true, __ATOMIC_RELAXED);
}

/* Of the entries that wait, the one seen first: two threads' frames stand in order, but for what is
 * not yet there. False when all rings are empty. */
static bool write_next(struct capture_out *out)
{
	const struct capture_entry *first = NULL;
	struct capture_ring *from = NULL;

	for (unsigned int i = 0; i < out->n_taps; i++) {
		const struct capture_entry *entry = capture_ring_next(&out->taps[i].ring);

		if (entry && (!first || (int64_t)(entry->tsc - first->tsc) < 0)) {
			first = entry;
			from = &out->taps[i].ring;
		}
	}
	if (!first)
		return false;
	write_entry(out, first);
	capture_ring_done(from, first);
	return true;
}

/* Nothing to do: what was written reaches the disk now and then, so that a killed program leaves
 * it. */
static void rest(struct capture_out *out, uint64_t *flushed)
{
	uint64_t now = clock_ns();

	if (now - *flushed >= FLUSH_NS) {
		fflush(out->writer.file);
		*flushed = now;
	}
	if (now - out->wall.adjusted >= ADJUST_NS)
		wall_adjust(&out->wall);
	clock_sleep(NAP_NS);
}

static void *write_run(void *capture)
{
	struct capture_out *out = capture;
	uint64_t flushed = clock_ns();

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	for (;;) {
		bool stop = __atomic_load_n(&out->stop, __ATOMIC_ACQUIRE);
		unsigned int n = 0;

		while (n < 4096 && write_next(out))
			n++;
		__atomic_store_n(&out->idle, !n, __ATOMIC_RELAXED);
		__atomic_store_n(&out->looks, out->looks + 1, __ATOMIC_RELEASE);
		if (n)
			continue;
		if (stop)
			return NULL;
		rest(out, &flushed);
	}
}

static void release(struct capture_out *out)
{
	for (unsigned int i = 0; out->taps && i < out->n_taps; i++)
		capture_ring_close(&out->taps[i].ring);
	if (out->filters)
		pcap_freecode(&out->filter);
	free(out->taps);
	free(out);
}

static int open_taps(struct capture_out *out, unsigned int n)
{
	uint32_t snaplen = out->writer.snaplen;
	int rc = 0;

	out->taps = aligned_alloc(64, n * sizeof(*out->taps));
	if (!out->taps)
		return -ENOMEM;
	memset(out->taps, 0, n * sizeof(*out->taps));
	out->n_taps = n;
	for (unsigned int i = 0; i < n && !rc; i++) {
		out->taps[i].full = &out->full;
		out->taps[i].copy = out->filters && snaplen < FILTER_BYTES ? FILTER_BYTES : snaplen;
		rc = capture_ring_open(&out->taps[i].ring, RING_SIZE);
	}
	return rc;
}

struct capture_out *capture_out_open(const struct capture_options *options, const char *program,
				     const char *const *names, unsigned int n_ports,
				     unsigned int n_taps, int *rc, char *err, size_t errlen)
{
	uint32_t snaplen = options->snaplen ? (uint32_t)options->snaplen : CAPTURE_SNAPLEN;
	struct capture_out *out;

	*rc = 0;
	if (!options->path)
		return NULL;
	out = calloc(1, sizeof(*out));
	if (!out) {
		snprintf(err, errlen, "no memory for the capture");
		*rc = -ENOMEM;
		return NULL;
	}
	out->options = options;
	if (options->filter)
		*rc = compile(options->filter, &out->filter, err, errlen);
	out->filters = options->filter && !*rc;
	if (!*rc) {
		*rc = capture_write_open(&out->writer, options->path, snaplen, program, names,
					 n_ports);
		if (*rc)
			snprintf(err, errlen, "--capture %s: %s", options->path, strerror(-*rc));
	}
	if (!*rc) {
		wall_begin(&out->wall);
		*rc = open_taps(out, n_taps);
		if (!*rc)
			*rc = -pthread_create(&out->thread, NULL, write_run, out);
		if (!*rc)
			return out;
		snprintf(err, errlen, "the capture's thread and memory: %s", strerror(-*rc));
		fclose(out->writer.file);
	}
	release(out);
	return NULL;
}

struct capture_tap *capture_out_tap(struct capture_out *out, unsigned int i)
{
	return out ? &out->taps[i] : NULL;
}

void capture_out_settle(struct capture_out *out, struct capture_counts *counts)
{
	uint64_t begin = clock_ns(), looks = __atomic_load_n(&out->looks, __ATOMIC_ACQUIRE);

	/* Two looks on from here the rings were seen as they are now. */
	while (clock_ns() - begin < SETTLE_NS &&
	       (__atomic_load_n(&out->looks, __ATOMIC_ACQUIRE) < looks + 2 ||
		!__atomic_load_n(&out->idle, __ATOMIC_RELAXED)))
		clock_sleep(NAP_NS);
	*counts = (struct capture_counts){
		.written = __atomic_load_n(&out->written, __ATOMIC_RELAXED),
		.filtered = __atomic_load_n(&out->filtered, __ATOMIC_RELAXED),
	};
	for (unsigned int i = 0; i < out->n_taps; i++)
		counts->dropped += __atomic_load_n(&out->taps[i].dropped, __ATOMIC_RELAXED);
}

int capture_out_close(struct capture_out *out, char *err, size_t errlen)
{
	uint64_t dropped = 0;
	int rc;

	if (!out)
		return 0;
	__atomic_store_n(&out->stop, true, __ATOMIC_RELEASE);
	pthread_join(out->thread, NULL);
	for (unsigned int i = 0; i < out->n_taps; i++)
		dropped += out->taps[i].dropped;
	rc = capture_write_close(&out->writer, wall_ns(&out->wall, tsc_now()), out->written,
				 dropped);
	if (rc)
		snprintf(err, errlen, "--capture %s: %s", out->options->path, strerror(-rc));
	release(out);
	return rc;
}

json_t *capture_record(const struct capture_options *options, const struct capture_counts *counts)
{
	return json_pack("{s:s, s:o, s:o, s:o}", "file", options->path, "written",
			 result_count(counts->written), "filtered", result_count(counts->filtered),
			 "dropped", result_count(counts->dropped));
}
