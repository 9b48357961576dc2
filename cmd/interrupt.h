/* Being told to end: Ctrl-C, SIGTERM, SIGHUP. */
#ifndef CMD_INTERRUPT_H
#define CMD_INTERRUPT_H

#include <signal.h>

/* How many such signals came since catch_interrupt: what runs is ended then,
 * cleanup lines run, and nothing of what was unfinished is kept. */
extern volatile sig_atomic_t interrupted;

/* From now on they are counted; one that is ignored stays so. */
void catch_interrupt(void);

struct pn_terminal_block;
struct pn_terminal_line;

/* Show this line and this block anew whenever the terminal gets another size;
 * NULL: none. */
void follow_resize(struct pn_terminal_line *line,
		   struct pn_terminal_block *block);

#endif
