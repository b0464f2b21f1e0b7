/*
 * The log of an impairment, sequence number by sequence number: kept in memory while frames flow,
 * written as CSV at the end.
 */
#ifndef TANDEM_DUT_IMPAIR_LOG_H
#define TANDEM_DUT_IMPAIR_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define IMPAIR_LOG_ENTRIES 1048576u /* of all streams together */

struct impair_log_entry {
	uint32_t seq;
	uint16_t space;
	uint8_t trial;
	uint8_t action; /* enum impair_count */
};

struct impair_log {
	uint32_t n, room;
	uint64_t more; /* actions that found no room */
	struct impair_log_entry *entry;
};

/* 0, or -ENOMEM. A log with no room takes nothing and counts nothing. */
int impair_log_open(struct impair_log *log, uint32_t room);
void impair_log_close(struct impair_log *log);

static inline void impair_log_add(struct impair_log *log, uint8_t trial, uint16_t space,
				  uint32_t seq, uint8_t action)
{
	if (log->n < log->room)
		log->entry[log->n++] = (struct impair_log_entry){seq, space, trial, action};
	else if (log->room)
		log->more++;
}

/* The head of the file, and one log's lines. */
void impair_log_head(FILE *out);
void impair_log_write(const struct impair_log *log, FILE *out);

#endif
