/*
 * Writing raw samples.
 */
#include "gen/samples.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int fail(const struct samples *s, char *err, size_t errlen)
{
	int code = errno ? errno : EIO;

	snprintf(err, errlen, "samples file %s: %s", s->path, strerror(code));
	return -code;
}

int samples_open(struct samples *s, const char *path, char *err, size_t errlen)
{
	*s = (struct samples){.out = fopen(path, "w"), .path = path};
	if (!s->out || fputs("trial,direction,sequence,rx_ns,latency_ns,space\n", s->out) < 0)
		return fail(s, err, errlen);
	return 0;
}

int samples_write(struct samples *s, const struct trial_result *r, const struct sample_list *list,
		  uint64_t begin, char *err, size_t errlen)
{
	double ns = 1e9 / r->tsc_hz;

	for (uint64_t i = 0; i < list->n; i++) {
		const struct sample *sample = &list->sample[i];

		fprintf(s->out, "%" PRIu64 ",%s,%" PRIu64 ",%.0f,%.1f,%u\n", r->trial, r->direction,
			sample->seq, (double)(sample->rx - begin) * ns, (double)sample->rtt * ns,
			sample->space);
	}
	return fflush(s->out) ? fail(s, err, errlen) : 0;
}

int samples_close(struct samples *s, char *err, size_t errlen)
{
	FILE *out = s->out;

	s->out = NULL;
	return out && fclose(out) ? fail(s, err, errlen) : 0;
}
