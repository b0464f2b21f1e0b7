/*
 * Terminal modes. The cmdline library can set them too, but then it switches Ctrl-C off and forgets
 * the terminal when a signal ends the program; a shell that does not echo is all the user sees of
 * that.
 */
#include "dut/terminal.h"
#include "common/dpdk/eal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

/* What ends a program that does not ask for them; SIGINT and SIGTERM end ours in order. */
static const int deadly[] = {SIGHUP, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

#define N_DEADLY (sizeof(deadly) / sizeof(deadly[0]))

static struct termios before;
static struct sigaction actions_before[N_DEADLY];
static volatile sig_atomic_t taken;

void terminal_give_back(void)
{
	int saved = errno;

	if (taken)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	taken = 0;
	errno = saved;
}

/* Gives the terminal back, then lets the signal do what it would have done. */
static void on_deadly(int signal_number)
{
	terminal_give_back();
	for (size_t i = 0; i < N_DEADLY; i++)
		if (deadly[i] == signal_number)
			sigaction(signal_number, &actions_before[i], NULL);
	raise(signal_number);
}

static void watch_deadly(void)
{
	struct sigaction action = {.sa_handler = on_deadly, .sa_flags = SA_NODEFER};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < N_DEADLY; i++)
		sigaction(deadly[i], &action, &actions_before[i]);
	stop_last_act(terminal_give_back);
}

bool terminal_take(void)
{
	struct termios keys;

	if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
	    tcgetattr(STDIN_FILENO, &before) < 0)
		return false;
	keys = before;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_lflag |= ISIG;
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	/* A DUT that stands still with its ports open would hang its peers. */
	keys.c_cc[VSUSP] = _POSIX_VDISABLE;
	keys.c_cc[VQUIT] = _POSIX_VDISABLE;
	watch_deadly();
	taken = 1;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &keys) < 0)
		taken = 0;
	return taken;
}
