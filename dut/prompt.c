/*
 * Reading commands. At a terminal the cmdline library edits the line, completes it and keeps a
 * history; lines from a pipe or a file are handed to its parser whole, so that an error can name
 * its line.
 */
#include "dut/prompt_internal.h"
#include "dut/kni.h"
#include "dut/terminal.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROMPT_TEXT "tandem-dut> "

struct prompt *prompt_new(struct dut *d, const volatile bool *stop)
{
	struct prompt *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->dut = d;
	p->stop = stop;
	p->out = stdout;
	p->script = cmdline_new(prompt_commands(p), "", -1, -1);
	if (!p->script) {
		free(p);
		return NULL;
	}
	for (unsigned int i = 0; i < d->n_ports; i++)
		tally_mark(p, i);
	dut_snapshot_take(d, &p->forwarded);
	return p;
}

void prompt_free(struct prompt *p)
{
	if (!p)
		return;
	if (p->input == INPUT_TERMINAL) {
		/* The shell's prompt begins on a line of its own. */
		fputc('\n', p->out);
		fflush(p->out);
	}
	terminal_give_back();
	if (p->line)
		cmdline_free(p->line);
	cmdline_free(p->script);
	for (unsigned int i = 0; i < DUT_MAX_PORTS; i++)
		free(p->tally[i].xstats);
	free(p);
}

void prompt_fail(const struct prompt *p, const char *format, ...)
{
	FILE *to = p->source ? stderr : p->out;
	va_list args;

	fflush(p->out);
	if (p->source)
		fprintf(to, "tandem-dut: %s:%u: ", p->source, p->line_no);
	va_start(args, format);
	vfprintf(to, format, args);
	va_end(args);
	fputc('\n', to);
}

int prompt_find_port(const struct prompt *p, unsigned int id)
{
	const struct dut *d = p->dut;

	for (unsigned int i = 0; i < d->n_ports; i++)
		if (d->ports[i].port.id == id)
			return (int)i;
	prompt_fail(p, "there is no port %u: 'show port info all' lists them", id);
	return -1;
}

bool prompt_quits(const struct prompt *p)
{
	return p->quits;
}

/* Runs one line of len characters without its newline; the text has room for that. */
static void run_line(struct prompt *p, char *text, size_t len)
{
	p->line_no++;
	if (memchr(text, '\0', len)) {
		prompt_fail(p, "no text");
		return;
	}
	text[len] = '\n';
	text[len + 1] = '\0';
	switch (cmdline_parse(p->script, text)) {
	case CMDLINE_PARSE_NOMATCH:
		prompt_fail(p, "command not found: '%.*s'", (int)strcspn(text, "\r\n"), text);
		break;
	case CMDLINE_PARSE_BAD_ARGS:
		prompt_fail(p, "bad arguments: '%.*s'; 'help' lists the commands",
			    (int)strcspn(text, "\r\n"), text);
		break;
	case CMDLINE_PARSE_AMBIGUOUS:
		prompt_fail(p, "ambiguous command: '%.*s'", (int)strcspn(text, "\r\n"), text);
		break;
	default:
		break;
	}
	fflush(p->out);
}

int prompt_run_file(struct prompt *p, const char *path, char *err, size_t errlen)
{
	FILE *f = fopen(path, "re");
	char line[PROMPT_LINE + 2];
	int c, rc = 0;
	size_t n = 0;

	if (!f) {
		rc = -errno;
		snprintf(err, errlen, "--cmdline-file: cannot read %s: %s", path, strerror(-rc));
		return rc;
	}
	p->source = path;
	p->line_no = 0;
	while (!p->quits && !*p->stop) {
		c = fgetc(f);
		if (c != EOF && c != '\n') {
			if (n < PROMPT_LINE)
				line[n] = (char)c;
			n++;
			continue;
		}
		if (n > PROMPT_LINE) {
			p->line_no++;
			prompt_fail(p, "more than %u characters", PROMPT_LINE);
		} else if (c != EOF || n > 0) {
			run_line(p, line, n);
		}
		n = 0;
		if (c == EOF)
			break;
	}
	if (ferror(f)) {
		rc = errno ? -errno : -EIO;
		snprintf(err, errlen, "--cmdline-file: cannot read %s: %s", path, strerror(-rc));
	}
	fclose(f);
	p->source = NULL;
	return rc;
}

void prompt_interact(struct prompt *p)
{
	fflush(p->out);
	if (terminal_take()) {
		p->line = cmdline_new(prompt_commands(p), PROMPT_TEXT, STDIN_FILENO, STDOUT_FILENO);
		if (p->line) {
			p->input = INPUT_TERMINAL;
			return;
		}
		terminal_give_back();
	}
	p->input = INPUT_LINES;
	p->line_no = 0;
	fputs(PROMPT_TEXT, p->out);
	fflush(p->out);
}

void prompt_keys(struct prompt *p)
{
	if (terminal_take())
		p->input = INPUT_KEYS;
}

/* A line from a pipe is echoed, so that its output can be told from others'. */
static void run_echoed(struct prompt *p)
{
	char text[PROMPT_LINE + 2];
	size_t len = p->n_pending;

	memcpy(text, p->pending, len);
	p->n_pending = 0;
	fwrite(text, 1, len, p->out);
	fputc('\n', p->out);
	p->source = "stdin";
	if (p->too_long) {
		p->line_no++;
		prompt_fail(p, "more than %u characters", PROMPT_LINE);
	} else {
		run_line(p, text, len);
	}
	p->source = NULL;
	p->too_long = false;
	if (!p->quits)
		fputs(PROMPT_TEXT, p->out);
	fflush(p->out);
}

static void take_lines(struct prompt *p, const char *text, size_t n)
{
	for (size_t i = 0; i < n && !p->quits && !*p->stop; i++) {
		if (text[i] == '\n')
			run_echoed(p);
		else if (p->n_pending < PROMPT_LINE)
			p->pending[p->n_pending++] = text[i];
		else
			p->too_long = true;
	}
}

static void take_keys(struct prompt *p, const char *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] == 's')
			kni_print(p->dut, p->out);
}

static void end_of_input(struct prompt *p)
{
	if (p->input == INPUT_LINES && p->n_pending > 0)
		run_echoed(p);
	if (p->input == INPUT_LINES) {
		fputc('\n', p->out);
		fflush(p->out);
	}
	/* Where only keys are read, their end says nothing. */
	p->quits |= p->input != INPUT_KEYS;
	if (p->input == INPUT_KEYS)
		terminal_give_back();
	p->input = INPUT_NONE;
}

static void read_input(struct prompt *p)
{
	char text[512];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		end_of_input(p);
		return;
	}
	switch (p->input) {
	case INPUT_KEYS:
		take_keys(p, text, (size_t)n);
		break;
	case INPUT_LINES:
		take_lines(p, text, (size_t)n);
		break;
	default:
		if (cmdline_in(p->line, text, (int)n) < 0)
			p->quits = true;
		break;
	}
}

void prompt_wait(struct prompt *p, uint64_t ns)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000),
				 .tv_nsec = (long)(ns % 1000000000)};

	if (p->input == INPUT_NONE)
		input.fd = -1;
	if (ppoll(&input, 1, &limit, NULL) > 0)
		read_input(p);
	for (unsigned int i = 0; i < p->dut->n_ports; i++)
		tally_look(p, i);
}
