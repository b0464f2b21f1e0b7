/*
 * What the kernel side made, written down before it is made, so that after a crash (or kill -9) the
 * next start can remove it.
 */
#ifndef TANDEM_DUT_KERNEL_STATE_H
#define TANDEM_DUT_KERNEL_STATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes /run/tandem/NETNS.json: this process, the namespace and whether it is ours to remove, and
 * the interfaces that it is going to make there. 0, or a negative errno with a line in err; -EBUSY
 * when another running DUT has that namespace.
 */
int kernel_state_write(const char *netns, bool made_netns, const char *const *interfaces,
		       unsigned int n, char *err, size_t errlen);

void kernel_state_remove(const char *netns);

/* Removes what dead processes left, telling each on stderr. */
void kernel_state_clean(void);

#endif
