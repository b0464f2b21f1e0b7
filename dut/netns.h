/*
 * The network namespace of the kernel side, and entering it for a while.
 *
 * A namespace belongs to a thread: the one that enters sees its interfaces and gives them to what
 * it makes there (sockets, tap devices, the sysctls under /proc/sys/net), and must leave before it
 * goes on. Other threads stay.
 */
#ifndef TANDEM_DUT_NETNS_H
#define TANDEM_DUT_NETNS_H

#include <stdbool.h>
#include <stddef.h>

#define NETNS_NAME_LEN 64

struct netns {
	char name[NETNS_NAME_LEN];
	bool made; /* by us: removed again */
	int fd;	   /* -1 while not open */
	int home;  /* the namespace the process started in */
};

/* Whether a namespace of that name exists. */
bool netns_exists(const char *name);

/* Opens the namespace name, making it if there is none. 0 or a negative errno with a line in err.
 */
int netns_open(struct netns *ns, const char *name, char *err, size_t errlen);

/* Closes it and removes it if netns_open made it. */
void netns_close(struct netns *ns);

/* The calling thread enters, and returns home. 0 or a negative errno with a line in err; leaving
 * cannot fail. */
int netns_enter(const struct netns *ns, char *err, size_t errlen);
void netns_leave(const struct netns *ns);

/* Writes a value under /proc/sys/net of the namespace the thread is in; "ipv4/ip_forward". 0 or a
 * negative errno. */
int netns_sysctl(const char *name, const char *value);

#endif
