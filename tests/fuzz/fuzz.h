/*
 * What every fuzzer includes. A fuzzer is one function that libFuzzer calls with any bytes; beside
 * what the sanitizers see it holds what is read against what must be true of it, with FUZZ_CHECK.
 */
#ifndef TANDEM_FUZZ_H
#define TANDEM_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer's side of the contract: called once an input, returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run as a finding, with the condition that did not hold. */
#define FUZZ_CHECK(condition)                                                             \
	do {                                                                              \
		if (!(condition)) {                                                       \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
				#condition);                                              \
			abort();                                                          \
		}                                                                         \
	} while (0)

/* The bytes as a string in memory of exactly its size, so that a read behind it is seen; the caller
 * frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	FUZZ_CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/*
 * The bytes as words, NUL between them, at most max: words[i] point into the one allocation that is
 * returned, to be freed. *n says how many.
 */
static inline char *fuzz_words(const uint8_t *data, size_t size, char **words, int max, int *n)
{
	char *text = fuzz_text(data, size);

	*n = 0;
	for (char *at = text; at < text + size && *n < max; at += strlen(at) + 1)
		words[(*n)++] = at;
	return text;
}

#endif
