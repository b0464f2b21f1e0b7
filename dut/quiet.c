/*
 * libbpf and libxdp write a dozen harmless lines to stderr whenever an AF_XDP socket is made (no
 * bpffs, sections they skip). They come with DPDK's af_xdp driver, a plugin, so that we are not
 * linked with them and look their switch up.
 */
#include "dut/quiet.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>

static int print_nothing(int level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* Both take a function of that type and return the one before; the handle is kept, for the library
 * is in use. */
static void set_print(const char *library, const char *setter)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
	void *(*set)(int (*print)(int level, const char *format, va_list args)) = NULL;

	if (!handle)
		return;
	*(void **)&set = dlsym(handle, setter);
	if (set)
		set(print_nothing);
}

void quiet_xdp_libraries(void)
{
	set_print("libbpf.so.1", "libbpf_set_print");
	set_print("libxdp.so.1", "libxdp_set_print");
}
