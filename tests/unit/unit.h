/*
 * What every unit test includes: cmocka with the headers it wants before it, and random numbers
 * that are the same in every run.
 */
#ifndef TANDEM_UNIT_H
#define TANDEM_UNIT_H

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* splitmix64: the next number of a sequence that starts with any seed. */
static inline uint64_t unit_random(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#endif
