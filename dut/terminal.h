/*
 * The terminal behind standard input: handed over key by key, and always given back as it was.
 */
#ifndef TANDEM_DUT_TERMINAL_H
#define TANDEM_DUT_TERMINAL_H

#include <stdbool.h>

/*
 * Takes the terminal on standard input: keys come at once and are not echoed; Ctrl-C still raises
 * SIGINT, Ctrl-Z and Ctrl-\ do nothing. A signal that ends the program gives it back first. False
 * where standard input is no terminal or the program runs in its background.
 */
bool terminal_take(void);

/* Gives it back as it was. Does nothing when it was not taken; may be called from a signal handler.
 */
void terminal_give_back(void);

#endif
