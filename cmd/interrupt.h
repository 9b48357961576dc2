/* Being told to end: Ctrl-C, SIGTERM, SIGHUP. */
#ifndef CMD_INTERRUPT_H
#define CMD_INTERRUPT_H

#include <signal.h>

/* How many such signals came since catch_interrupt: what runs is ended then,
 * cleanup lines run, and nothing of what was unfinished is kept. */
extern volatile sig_atomic_t interrupted;

/* From now on they are counted; one that is ignored stays so. */
void catch_interrupt(void);

#endif
