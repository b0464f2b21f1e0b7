/*
 * The record of a trial (tandem.trial/1, results/README.md): one function makes it; screen, JSON
 * and CSV all read it.
 */
#ifndef TANDEM_RECORD_H
#define TANDEM_RECORD_H

#include "gen/trial.h"

#include <jansson.h>
#include <stdio.h>

/* The record of a result. New reference. */
json_t *record_make(const struct generator *g, const struct trial_result *r);

/* The records of the streams of a result, which is of the trial run last. New array; NULL when out
 * of memory. */
json_t *record_streams(const struct generator *g, const struct trial_result *whole);

/* Median, smallest and largest of the repeats' figures (tandem.repeat/1). records is an array of
 * records. New reference. */
json_t *record_repeat(const json_t *records);

/*
 * Both directions of a trial together (tandem.total/1): counters and rates added, the worse
 * verdict. records is an array of their records. New reference.
 */
json_t *record_total(const json_t *records);

/* run.json: versions, host, ports, configuration, warnings. argv is the whole command line. New
 * reference. */
json_t *record_run(const struct generator *g, int argc, char **argv);

/* One record for people: a few lines that say everything that matters. */
void record_print(const json_t *record, FILE *out);

/* Those of the streams for people: all of a few, the worst of many. */
void record_print_streams(const json_t *records, FILE *out);

/* A total for people. */
void record_print_total(const json_t *total, FILE *out);

/* The repeats for people. */
void record_print_repeat(const json_t *repeat, FILE *out);

/* The part of a record that is a replay's. New reference. */
json_t *record_replay(const struct trial_result *r);

/* The same for people. */
void record_print_replay(const json_t *record, FILE *out);

#endif
