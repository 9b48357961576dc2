/* Options that push, fetch and pull have in common, and how they begin. */
#ifndef CMD_SHARE_OPTIONS_H
#define CMD_SHARE_OPTIONS_H

#include "command.h"
#include "storage/exchange/exchange.h"

#include <stdbool.h>

struct share_options {
	bool quiet, dry_run, inbox, keep_history, filter, all;
};

/*
 * Parse, open the repository and find the remote that the arguments name or
 * the configuration says. EXIT_DONE, and `out` has to be closed; or with an
 * exit code in *code and -1 all is done.
 */
int share_begin(struct pn_exchange *out, int *code,
		const struct command *command, struct share_options *options,
		int argc, char **argv);
void share_end(struct pn_exchange *exchange);

/* Gets what the remote has; warns of inboxes that were passed over. */
int share_fetch(struct pn_exchange *exchange, struct pn_error *err);

/* Say what was fetched and waits to be taken in. */
int share_waiting(const struct pn_exchange *exchange, struct pn_error *err);

/* What was taken in. */
void say_pulled(const struct pn_united *united, const char *from);

#endif
