/*
 * The log is bounded: what found no room is counted, and the file says so in its last line.
 */
#include "dut/impair_log.h"
#include "dut/impair_trials.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int impair_log_open(struct impair_log *log, uint32_t room)
{
	*log = (struct impair_log){.room = room};
	if (room == 0)
		return 0;
	log->entry = malloc(room * sizeof(*log->entry));
	if (!log->entry) {
		log->room = 0;
		return -ENOMEM;
	}
	/* Touches every page now, so that the polling thread does not fault later. */
	memset(log->entry, 0, room * sizeof(*log->entry));
	return 0;
}

void impair_log_close(struct impair_log *log)
{
	free(log->entry);
	*log = (struct impair_log){0};
}

void impair_log_head(FILE *out)
{
	fprintf(out, "trial,space,seq,action\n");
}

void impair_log_write(const struct impair_log *log, FILE *out)
{
	for (uint32_t i = 0; i < log->n; i++) {
		const struct impair_log_entry *e = &log->entry[i];

		fprintf(out, "%u,%u,%u,%s\n", e->trial, e->space, e->seq,
			impair_count_name(e->action));
	}
}
