/*
 * HdrHistogram's percentile text (.hgrm), as tandem-gen leaves one for each trial and other tools
 * write them: Value, Percentile, TotalCount, 1/(1-Percentile).
 */
#ifndef TANDEM_HGRM_H
#define TANDEM_HGRM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hgrm_row {
	double value;	 /* in the file's unit; ours are nanoseconds */
	double quantile; /* 0..1 */
	double count;	 /* of samples up to the value */
};

struct hgrm {
	size_t n;
	struct hgrm_row *row; /* ascending */
};

/* Reads a file; hgrm_free is due after success. Returns 0, or a negative errno with one line in err
 * that names the line. */
int hgrm_read(const char *path, struct hgrm *h, char *err, size_t errlen);
void hgrm_free(struct hgrm *h);

/* What our own file names say: io-64B-paced-0-0-t3.hgrm. */
struct hgrm_name {
	char path[32]; /* "io" */
	uint32_t frame_size;
	bool paced;
	char from, to; /* ports */
	unsigned long trial;
};

/* False for other names. */
bool hgrm_name(const char *file, struct hgrm_name *name);

#endif
