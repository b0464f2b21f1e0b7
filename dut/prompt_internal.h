/*
 * The prompt's parts: reading (prompt.c), commands (prompt_commands.c), what they print
 * (prompt_ports.c, prompt_forward.c).
 */
#ifndef TANDEM_DUT_PROMPT_INTERNAL_H
#define TANDEM_DUT_PROMPT_INTERNAL_H

#include "dut/prompt.h"
#include "dut/counters.h"
#include "dut/dut.h"

#include <cmdline.h>

#include <stdio.h>

#define PROMPT_LINE 1024u

/* What a driver counts of a port, made to grow only: some drivers begin at 0 when a link goes. */
enum tally_field {
	TALLY_RX_PACKETS,
	TALLY_RX_BYTES,
	TALLY_RX_MISSED,
	TALLY_RX_ERRORS,
	TALLY_RX_NOMBUF,
	TALLY_TX_PACKETS,
	TALLY_TX_BYTES,
	TALLY_TX_ERRORS,
	TALLY_FIELDS
};

struct port_tally {
	uint64_t driver[TALLY_FIELDS];	/* as the driver last said */
	uint64_t total[TALLY_FIELDS];	/* since the prompt began */
	uint64_t cleared[TALLY_FIELDS]; /* total when last cleared */
	uint64_t shown[TALLY_FIELDS];	/* total when last shown */
	uint64_t shown_ns;
	uint64_t *xstats; /* values when last cleared; NULL before */
	unsigned int n_xstats;
};

enum prompt_input { INPUT_NONE, INPUT_KEYS, INPUT_TERMINAL, INPUT_LINES };

struct prompt {
	struct dut *dut;
	const volatile bool *stop;
	FILE *out;
	struct cmdline *line;	/* of the terminal; NULL without */
	struct cmdline *script; /* parses lines from elsewhere and prints nothing */
	enum prompt_input input;
	bool quits;
	const char *source; /* of the line being run, NULL at a terminal */
	unsigned int line_no;
	char pending[PROMPT_LINE]; /* of a line of which the end has not come yet */
	size_t n_pending;
	bool too_long;
	struct port_tally tally[DUT_MAX_PORTS];
	struct dut_snapshot forwarded; /* when forwarding statistics began */
};

/* The commands, for the cmdline library. They act on the prompt of the last call. */
cmdline_parse_ctx_t *prompt_commands(struct prompt *p);

/* Tells why a command failed: at the terminal, or on stderr with the line of the script. */
void prompt_fail(const struct prompt *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The DUT's place of a DPDK port; -1, told, when there is none. */
int prompt_find_port(const struct prompt *p, unsigned int id);

/* Of the port at place i. tally_look is called often, and by the others. */
void tally_look(struct prompt *p, unsigned int i);
void tally_show(struct prompt *p, unsigned int i);
void tally_clear(struct prompt *p, unsigned int i);
void tally_mark(struct prompt *p, unsigned int i); /* rates begin here */
void xstats_show(struct prompt *p, unsigned int i);
void xstats_clear(struct prompt *p, unsigned int i);
void port_info_show(const struct prompt *p, unsigned int i);

void forward_start(struct prompt *p);
void forward_stop(struct prompt *p);
void forward_show(const struct prompt *p);
void forward_clear(struct prompt *p);
void forward_config(const struct prompt *p);

#endif
