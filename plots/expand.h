/*
 * The folder of a test plan, which holds a run's folder for each of its tests.
 */
#ifndef TANDEM_EXPAND_H
#define TANDEM_EXPAND_H

#include <stddef.h>

/*
 * Puts the folders of a plan's tests in the place of the plan's: paths holds n and has room for
 * max; they stay as they are where none is a plan. Tests without a trial are left out. Returns how
 * many there are now, at most max, with *owned an array of the new texts (NULL where there are
 * none; the caller frees it with results_expand_free), or a negative errno with one line in err.
 */
int results_expand(const char **paths, size_t n, size_t max, char ***owned, char *err,
		   size_t errlen);

void results_expand_free(char **owned);

#endif
