/*
 * Options declared as data: from one table come parsing, bounds, --help and error messages.
 *
 * A program describes its options with struct opt (where in a config struct the value goes, its
 * type, bounds and help). Long options take "--name value" or "--name=value"; flags take none;
 * "--no-name" clears a flag.
 */
#ifndef TANDEM_OPTS_H
#define TANDEM_OPTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum opt_type {
	OPT_FLAG,     /* bool */
	OPT_STRING,   /* const char *: points into argv */
	OPT_UINT,     /* uint64_t, count_parse, between min and max */
	OPT_DOUBLE,   /* double, between min and max */
	OPT_DURATION, /* uint64_t nanoseconds, between min and max (in seconds) */
	OPT_RATE,     /* struct rate */
	OPT_CHOICE,   /* unsigned int: index into choices */
	OPT_PARSE     /* anything: parse() below; called once a time the option is given */
};

struct opt {
	const char *name; /* long name without dashes; NULL ends the table */
	char short_name;  /* 0 for none */
	enum opt_type type;
	size_t offset;		    /* offsetof the field in the config struct */
	double min, max;	    /* bounds, both 0 for none */
	const char *const *choices; /* NULL-terminated */
	/* Reads text into field; returns 0, or -EINVAL with one line in err. */
	int (*parse)(void *field, const char *text, char *err, size_t errlen);
	const char *arg;   /* what stands for the value in --help, e.g. "RATE"; NULL for a flag */
	const char *help;  /* what it does, its unit and default; "\n" breaks lines */
	const char *group; /* heading in --help; an option without one belongs to the heading before
			      it */
};

struct opt_command {
	const char *program;  /* "tandem-gen" */
	const char *verb;     /* "run", or NULL for a program without verbs */
	const char *synopsis; /* what follows "Usage: program " */
	const char *summary;  /* one line on what it does */
	const struct opt *opts;
	const char *const
		*examples; /* pairs: command, what it does; NULL-terminated; may be NULL */
};

enum opt_result {
	OPT_OK,
	OPT_ERROR,  /* err says what is wrong, on one line */
	OPT_HELP,   /* --help or -h was given */
	OPT_VERSION /* --version was given */
};

/*
 * Parses argv[0..argc) (no program name) into *config, over the defaults that stand there. Words
 * that are no options go to operands (at most max_operands; *n_operands says how many): too many
 * are an error. An unknown option, a missing or bad value names the option, and a close name where
 * there is one. "--" ends the options.
 */
enum opt_result opt_parse(const struct opt_command *cmd, void *config, int argc, char **argv,
			  const char **operands, size_t max_operands, size_t *n_operands, char *err,
			  size_t errlen);

/* The help of a command: usage, options by heading with bounds, examples; 100 columns at most. */
void opt_help(const struct opt_command *cmd, FILE *out);

/* What an option takes, as help says it: " (1 to 512)", " (io, kernel)", or nothing. */
void opt_bounds(const struct opt *o, char *buf, size_t len);

#endif
