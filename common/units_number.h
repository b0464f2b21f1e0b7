/*
 * Strict decimal numbers, the ground all parsers of units stand on; private to common/units*.c.
 *
 * strtod takes "nan", "inf", "0x10", leading blanks and the locale's comma, and strtoull takes
 * "-1": none of these is a number on our command lines.
 */
#ifndef TANDEM_UNITS_NUMBER_H
#define TANDEM_UNITS_NUMBER_H

#include <stddef.h>

/*
 * Reads digits with an optional fraction ("12", "1.5"; neither ".5" nor "5."): no
 * sign, no exponent. *end is the first character behind it. Returns 0, or -EINVAL when text starts
 * otherwise or has more than 18 digits.
 */
int number_parse(const char *text, const char **end, long double *value);

struct suffix {
	const char *text; /* NULL ends the table */
	double factor;
};

/* The table's entry that equals text in any case, or NULL. */
const struct suffix *suffix_find(const struct suffix *table, const char *text);

/* Writes a one-line message; returns -EINVAL. */
int units_error(char *err, size_t errlen, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
