/*
 * The prompt's commands as tables of the cmdline library, from which completion and help come too.
 *
 * The library hands a command its words and one pointer from the table, so that which prompt it
 * belongs to is kept here; there is one.
 */
#include "dut/prompt_internal.h"
#include "dut/kni.h"

#include <cmdline_parse.h>
#include <cmdline_parse_num.h>
#include <cmdline_parse_string.h>

#include <stdint.h>
#include <string.h>

static struct prompt *prompt;

/* The words of any command. */
struct words {
	cmdline_fixed_string_t verb, what, item, which;
	uint32_t number;
};

#define WORD(name, field, text)                    \
	static cmdline_parse_token_string_t name = \
		TOKEN_STRING_INITIALIZER(struct words, field, text)

WORD(start_word, verb, "start");
WORD(stop_word, verb, "stop");
WORD(quit_word, verb, "quit");
WORD(help_word, verb, "help");
WORD(s_word, verb, "s");
WORD(show_word, verb, "show");
WORD(clear_word, verb, "clear");
WORD(set_word, verb, "set");
WORD(port_word, what, "port");
WORD(fwd_word, what, "fwd");
WORD(kni_word, what, "kni");
WORD(config_word, what, "config");
WORD(burst_word, what, "burst");
WORD(show_item, item, "stats#xstats#info");
WORD(clear_item, item, "stats#xstats");
WORD(stats_item, item, "stats");
WORD(fwd_item, item, "fwd");
WORD(all_word, which, "all");
static cmdline_parse_token_num_t number_word =
	TOKEN_NUM_INITIALIZER(struct words, number, RTE_UINT32);

static void on_start(void *words, struct cmdline *line, void *data)
{
	(void)words;
	(void)line;
	(void)data;
	forward_start(prompt);
	fflush(prompt->out);
}

static void on_stop(void *words, struct cmdline *line, void *data)
{
	(void)words;
	(void)line;
	(void)data;
	forward_stop(prompt);
	fflush(prompt->out);
}

static void on_quit(void *words, struct cmdline *line, void *data)
{
	(void)words;
	(void)data;
	prompt->quits = true;
	cmdline_quit(line);
}

static void port_command(const struct words *w, unsigned int i)
{
	bool clear = w->verb[0] == 'c';

	if (strcmp(w->item, "info") == 0)
		port_info_show(prompt, i);
	else if (strcmp(w->item, "xstats") == 0)
		(clear ? xstats_clear : xstats_show)(prompt, i);
	else
		(clear ? tally_clear : tally_show)(prompt, i);
}

static void on_all_ports(void *words, struct cmdline *line, void *data)
{
	(void)line;
	(void)data;
	for (unsigned int i = 0; i < prompt->dut->n_ports; i++)
		port_command(words, i);
	fflush(prompt->out);
}

static void on_one_port(void *words, struct cmdline *line, void *data)
{
	const struct words *w = words;
	int i = prompt_find_port(prompt, w->number);

	(void)line;
	(void)data;
	if (i >= 0)
		port_command(w, (unsigned int)i);
	fflush(prompt->out);
}

static void on_fwd(void *words, struct cmdline *line, void *data)
{
	const struct words *w = words;

	(void)line;
	(void)data;
	if (w->verb[0] == 'c')
		forward_clear(prompt);
	else
		forward_show(prompt);
	fflush(prompt->out);
}

static void on_config_fwd(void *words, struct cmdline *line, void *data)
{
	(void)words;
	(void)line;
	(void)data;
	forward_config(prompt);
	fflush(prompt->out);
}

static void on_kni(void *words, struct cmdline *line, void *data)
{
	const struct words *w = words;

	(void)line;
	(void)data;
	if (w->verb[0] == 'c')
		kni_clear(prompt->dut);
	else
		kni_print(prompt->dut, prompt->out);
}

static void on_burst(void *words, struct cmdline *line, void *data)
{
	const struct words *w = words;

	(void)line;
	(void)data;
	if (w->number < 1 || w->number > DUT_MAX_BURST) {
		prompt_fail(prompt, "a burst is from 1 to %u frames", DUT_MAX_BURST);
	} else {
		dut_set_burst(prompt->dut, (uint16_t)w->number);
		fprintf(prompt->out, "Number of packets per burst set to %u\n", w->number);
	}
	fflush(prompt->out);
}

static void on_help(void *words, struct cmdline *line, void *data);

/* A command of the words that follow; the library reads them up to a NULL. */
#define COMMAND_TABLE(name, function, help, ...) \
	static cmdline_parse_inst_t name = {     \
		.f = (function), .help_str = (help), .tokens = {__VA_ARGS__, NULL}}
#define TOKEN(word) ((void *)&(word))

COMMAND_TABLE(start, on_start, "start: begin to forward frames", TOKEN(start_word));
COMMAND_TABLE(stop, on_stop, "stop: forward no more, and show what was", TOKEN(stop_word));
COMMAND_TABLE(show_all, on_all_ports,
	      "show port stats|xstats|info all: counters and rates since the last show, extended "
	      "counters, or settings of all ports",
	      TOKEN(show_word), TOKEN(port_word), TOKEN(show_item), TOKEN(all_word));
COMMAND_TABLE(show_one, on_one_port, "show port stats|xstats|info N: of one port", TOKEN(show_word),
	      TOKEN(port_word), TOKEN(show_item), TOKEN(number_word));
COMMAND_TABLE(clear_all, on_all_ports, "clear port stats|xstats all: count from 0 again",
	      TOKEN(clear_word), TOKEN(port_word), TOKEN(clear_item), TOKEN(all_word));
COMMAND_TABLE(clear_one, on_one_port, "clear port stats|xstats N: of one port", TOKEN(clear_word),
	      TOKEN(port_word), TOKEN(clear_item), TOKEN(number_word));
COMMAND_TABLE(show_fwd, on_fwd, "show fwd stats all: frames forwarded since start",
	      TOKEN(show_word), TOKEN(fwd_word), TOKEN(stats_item), TOKEN(all_word));
COMMAND_TABLE(clear_fwd, on_fwd, "clear fwd stats all: count from 0 again", TOKEN(clear_word),
	      TOKEN(fwd_word), TOKEN(stats_item), TOKEN(all_word));
COMMAND_TABLE(show_kni, on_kni,
	      "show kni stats, or s: frames to the kernel (rx) and from it (tx), and what its "
	      "interfaces counted",
	      TOKEN(show_word), TOKEN(kni_word), TOKEN(stats_item));
COMMAND_TABLE(key_s, on_kni, NULL, TOKEN(s_word));
COMMAND_TABLE(clear_kni, on_kni, "clear kni stats: count from 0 again", TOKEN(clear_word),
	      TOKEN(kni_word), TOKEN(stats_item));
COMMAND_TABLE(show_config, on_config_fwd, "show config fwd: which core forwards what",
	      TOKEN(show_word), TOKEN(config_word), TOKEN(fwd_item));
COMMAND_TABLE(set_burst, on_burst, "set burst N: frames a receive call asks for, at once",
	      TOKEN(set_word), TOKEN(burst_word), TOKEN(number_word));
COMMAND_TABLE(help, on_help, "help: this list", TOKEN(help_word));
COMMAND_TABLE(quit, on_quit, "quit: end the program, as Ctrl-D and Ctrl-C do", TOKEN(quit_word));

static cmdline_parse_ctx_t commands[] = {
	&start,	   &stop,  &show_all,  &show_one,    &clear_all, &clear_one, &show_fwd, &clear_fwd,
	&show_kni, &key_s, &clear_kni, &show_config, &set_burst, &help,	     &quit,	NULL};

static void on_help(void *words, struct cmdline *line, void *data)
{
	(void)words;
	(void)line;
	(void)data;
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->help_str)
			fprintf(prompt->out, "  %s\n", commands[i]->help_str);
	fflush(prompt->out);
}

cmdline_parse_ctx_t *prompt_commands(struct prompt *p)
{
	prompt = p;
	return commands;
}
