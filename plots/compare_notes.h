/*
 * What two results were measured with that is not the same.
 */
#ifndef TANDEM_COMPARE_NOTES_H
#define TANDEM_COMPARE_NOTES_H

#include "plots/compare.h"

/* Adds the notes: another instrument, its stamp points and our floor, and each fact that both know
 * and that differs. */
void compare_note(const struct result *a, const struct result *b, struct comparison *c);

#endif
