/*
 * What rte_kni wants that the other drivers do not.
 */
#ifndef TANDEM_DUT_KERNEL_KNI_H
#define TANDEM_DUT_KERNEL_KNI_H

#include <stddef.h>
#include <stdint.h>

/*
 * Whether this process may use rte_kni: it must have hugepages and physical addresses, for with
 * neither the kernel walks memory that is not there when the process dies. Returns 0, or -EINVAL
 * with one line in err.
 */
int kernel_kni_check(char *err, size_t errlen);

/* An interface that rte_kni made gets the MTU of frames up to max_frame and a carrier, which the
 * module gives it only with carrier=on. 0 or a negative errno with one line in err. */
int kernel_kni_ready(const char *netns, const char *interface, uint32_t max_frame, char *err,
		     size_t errlen);

#endif
