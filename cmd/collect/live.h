/* While a command is sampled: its profile so far on the terminal, and messages
 * to a sampler that runs. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include "base/error.h"
#include "model/profile.h"

#include <stddef.h>

/* What is on the terminal. Zeroed: nothing yet. */
struct live {
	size_t lines;
};

/*
 * The heaviest functions of a snapshot, on standard error: on a terminal over
 * those before, and as many as fit. The profile is changed.
 */
int live_show(struct live *live, const char *title, struct pn_profile *snapshot,
	      struct pn_error *err);
/* Take them off the terminal again. */
void live_clear(struct live *live);

/* collect --send=<message> [<pid>]; returns an exit code. */
int live_send(const char *message, int argc, char **argv);

#endif
