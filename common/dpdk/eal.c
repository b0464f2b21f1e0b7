/*
 * Starting and ending EAL: what the user did not say is filled in, and what goes wrong becomes one
 * line.
 */
#include "common/dpdk/eal.h"
#include "common/dpdk/telemetry.h"

#include "common/clock.h"
#include "common/dpdk/vdev.h"
#include "common/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_log.h>

#define MAX_ARGS	 64
#define HUGEPAGE_MINIMUM (64ull << 20)
#define NO_HUGE_MB	 "768" /* EAL's own default of 64 MB does not hold our pools */

static char own_telemetry[288];
static char runtime_dir[256];
static char *completed[MAX_ARGS]; /* arguments that we made; EAL keeps pointers into them */
static char log_line[256];	  /* the first error that EAL logged, or else its last line */
static bool log_line_is_error;
static bool log_to_stderr;

struct eal_args eal_split(int argc, char **argv)
{
	struct eal_args args = {0, NULL, argc - 1, argv + 1};

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		args = (struct eal_args){i - 1, argv + 1, argc - i - 1, argv + i + 1};
		break;
	}
	return args;
}

static ssize_t log_write(void *cookie, const char *text, size_t len)
{
	bool error = rte_log_cur_msg_loglevel() <= (int)RTE_LOG_ERR;

	(void)cookie;
	if (log_to_stderr)
		return (ssize_t)fwrite(text, 1, len, stderr);
	if (!log_line_is_error) {
		snprintf(log_line, sizeof(log_line), "%.*s", (int)strcspn(text, "\n"), text);
		log_line_is_error = error;
	}
	return (ssize_t)len;
}

/* EAL writes its log to stdout, where results go, and starts before options are read: so a stream
 * of ours. */
static int open_log(void)
{
	cookie_io_functions_t io = {.write = log_write};
	FILE *stream = fopencookie(NULL, "w", io);

	if (!stream)
		return -errno;
	setvbuf(stream, NULL, _IOLBF, 0);
	return rte_openlog_stream(stream);
}

/*
 * EAL prints its usage to stdout, where results go, and getopt's complaint and its own verdict to
 * stderr, where one line is wanted: while it starts, both go elsewhere.
 */
struct aside {
	int out, err; /* the real ones, -1 when closed or left alone */
	int text;     /* what was said to stderr */
};

static void set_aside(struct aside *a)
{
	int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

	*a = (struct aside){-1, -1, log_to_stderr ? -1 : memfd_create("eal", MFD_CLOEXEC)};
	fflush(stdout);
	if (a->text > STDERR_FILENO && nothing > STDERR_FILENO) {
		a->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		a->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	}
	if (a->out >= 0)
		dup2(nothing, STDOUT_FILENO);
	if (a->err >= 0)
		dup2(a->text, STDERR_FILENO);
	if (nothing >= 0)
		close(nothing);
}

/* Puts both back; a complaint of getopt's takes the place of what EAL logged. */
static void put_back(const struct aside *a)
{
	char said[sizeof(log_line)] = "", *colon;
	ssize_t n = a->text >= 0 ? pread(a->text, said, sizeof(said) - 1, 0) : 0;

	fflush(stdout);
	if (a->out >= 0 && dup2(a->out, STDOUT_FILENO) >= 0)
		close(a->out);
	if (a->err >= 0 && dup2(a->err, STDERR_FILENO) >= 0)
		close(a->err);
	if (a->text >= 0)
		close(a->text);
	said[n > 0 ? strcspn(said, "\n") : 0] = '\0';
	colon = strstr(said, ": ");
	if (colon && strncmp(said, "EAL", 3) != 0)
		snprintf(log_line, sizeof(log_line), "%s", colon + 2);
}

/* The value of a long option in EAL's arguments, from position *at on; NULL when there is none
 * (left). */
static const char *eal_option(const struct eal_args *args, const char *name, int *at)
{
	size_t len = strlen(name);

	for (int i = *at; i < args->eal_argc; i++) {
		const char *word = args->eal_argv[i];

		if (strncmp(word, name, len))
			continue;
		*at = i + 1;
		if (word[len] == '=')
			return word + len + 1;
		if (!word[len])
			return i + 1 < args->eal_argc ? args->eal_argv[i + 1] : "";
	}
	return NULL;
}

static bool has_option(const struct eal_args *args, const char *name)
{
	int at = 0;

	return eal_option(args, name, &at) != NULL;
}

/* A default prefix that no live process uses: the program's name, so that its telemetry socket is
 * easy to find. */
static const char *default_prefix(const char *program, char *buf, size_t len)
{
	char path[256];

	telemetry_path(program, path, sizeof(path));
	if (socket_alive(path, SOCKET_SEQPACKET) == SOCKET_LIVE)
		snprintf(buf, len, "%s-%d", program, (int)getpid());
	else
		snprintf(buf, len, "%s", program);
	return buf;
}

static int check_hugepages(const struct eal_args *args, char *err, size_t errlen)
{
	unsigned long long bytes;

	if (has_option(args, "--no-huge"))
		return 0;
	bytes = host_free_hugepage_bytes();
	if (bytes >= HUGEPAGE_MINIMUM)
		return 0;
	snprintf(err, errlen,
		 "%llu MB of free hugepages, at least %llu are needed: run 'sysctl "
		 "vm.nr_hugepages=512', or add "
		 "--no-huge to the EAL arguments",
		 bytes >> 20, HUGEPAGE_MINIMUM >> 20);
	return -ENOMEM;
}

/* Each --vdev net_* must have become a port: EAL starts without those that failed. */
static int check_vdevs(const struct eal_args *args, char *err, size_t errlen)
{
	const char *vdev;
	int at = 0;

	while ((vdev = eal_option(args, "--vdev", &at))) {
		char name[RTE_ETH_NAME_MAX_LEN];
		uint16_t id;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(vdev, ","), vdev);
		if (strncmp(name, "net_", 4) || !rte_eth_dev_get_port_by_name(name, &id))
			continue;
		snprintf(err, errlen, "--vdev %s made no port%s%s", name, *log_line ? ": " : "",
			 log_line);
		return -ENODEV;
	}
	return 0;
}

/* A memif word gets what it lacks; all others stay as they are. */
static char *complete(char *word, int i)
{
	const char *vdev = strncmp(word, "--vdev=", 7) ? word : word + 7;

	if (!vdev_needs_path_socket(vdev) ||
	    asprintf(&completed[i], "%s,socket-abstract=no", word) < 0)
		return word;
	return completed[i];
}

static int prepare_vdevs(const struct eal_args *args, uint64_t wait_ns, const volatile bool *stop,
			 char *err, size_t errlen)
{
	const char *vdev;
	int at = 0, rc = 0;

	while (!rc && (vdev = eal_option(args, "--vdev", &at)))
		rc = vdev_prepare(vdev, wait_ns, stop, err, errlen);
	return rc;
}

static void note_runtime_dir(void)
{
	const char *dir = rte_eal_get_runtime_dir();
	struct stat st;

	snprintf(runtime_dir, sizeof(runtime_dir), "%s", dir ? dir : "");
	snprintf(own_telemetry, sizeof(own_telemetry), "%s/dpdk_telemetry.v2", runtime_dir);
	if (stat(own_telemetry, &st))
		own_telemetry[0] = '\0';
}

int eal_start(const char *program, const struct eal_args *args, uint64_t wait_ns,
	      const volatile bool *stop, char *err, size_t errlen)
{
	char prefix[64];
	char *argv[MAX_ARGS + 16];
	struct aside aside;
	int argc = 0, rc, initialised;
	mode_t mask;

	if (args->eal_argc > MAX_ARGS) {
		snprintf(err, errlen, "%d EAL arguments, at most %d", args->eal_argc, MAX_ARGS);
		return -EINVAL;
	}
	rc = check_hugepages(args, err, errlen);
	if (!rc)
		rc = prepare_vdevs(args, wait_ns, stop, err, errlen);
	if (rc)
		return rc;
	argv[argc++] = (char *)program;
	for (int i = 0; i < args->eal_argc; i++)
		argv[argc++] = complete(args->eal_argv[i], i);
	if (has_option(args, "--no-huge")) {
		if (!has_option(args, "-m") && !has_option(args, "--socket-mem")) {
			argv[argc++] = "-m";
			argv[argc++] = NO_HUGE_MB;
		}
		/* EAL refuses --in-memory here; its files in the run-time folder would stay behind.
		 */
		if (!has_option(args, "--proc-type") && !has_option(args, "--no-shconf"))
			argv[argc++] = "--no-shconf";
	} else if (!has_option(args, "--in-memory") && !has_option(args, "--huge-unlink") &&
		   !has_option(args, "--huge-dir") && !has_option(args, "--proc-type") &&
		   !has_option(args, "--legacy-mem")) {
		/* Hugepage files would stay behind after the program. */
		argv[argc++] = "--in-memory";
	}
	if (!has_option(args, "--file-prefix")) {
		argv[argc++] = "--file-prefix";
		argv[argc++] = (char *)default_prefix(program, prefix, sizeof(prefix));
	}
	if (has_option(args, "--vdev") && !has_option(args, "-a") && !has_option(args, "--allow") &&
	    !has_option(args, "--no-pci"))
		argv[argc++] = "--no-pci";
	argv[argc] = NULL;

	log_to_stderr = has_option(args, "--log-level");
	rc = open_log();
	if (rc) {
		snprintf(err, errlen, "log stream: %s", strerror(-rc));
		return rc;
	}
	set_aside(&aside);
	/* Telemetry's socket and those of drivers are for their owner alone. */
	mask = umask(077);
	initialised = rte_eal_init(argc, argv);
	umask(mask);
	put_back(&aside);
	if (initialised < 0) {
		rc = rte_errno ? -rte_errno : -EINVAL;
		snprintf(err, errlen,
			 "EAL does not start: %s%s(--log-level=lib.eal:debug tells more)", log_line,
			 *log_line ? " " : "");
		return rc;
	}
	note_runtime_dir();
	return check_vdevs(args, err, errlen);
}

const char *eal_telemetry_path(void)
{
	return own_telemetry;
}

void eal_forget(void)
{
	/* EAL leaves its run-time folder; another process with the same prefix keeps it from being
	 * empty. */
	if (!*runtime_dir)
		return;
	unlink(own_telemetry);
	rmdir(runtime_dir);
}

void eal_end(void)
{
	rte_eal_cleanup();
	eal_forget();
	for (int i = 0; i < MAX_ARGS; i++) {
		free(completed[i]);
		completed[i] = NULL;
	}
}
