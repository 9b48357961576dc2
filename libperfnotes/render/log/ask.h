/* What of a history is asked for, and how it is to be shown. */
#ifndef PN_LOG_ASK_H
#define PN_LOG_ASK_H

#include "base/error.h"
#include "base/opts/opts.h"

#include <stdbool.h>
#include <stdint.h>

struct pn_log_ask {
	const char *function; /* a regular expression; NULL: commits */
	int64_t count;	      /* of commits; -1: all */
	bool chart, graph, oneline, measured, verbose, changes, by_total;
};

/* What does not go together; PN_EINVAL. `json`: that is asked for. */
int pn_log_ask_check(const struct pn_log_ask *ask, bool json,
		     struct pn_error *err);

/* Their options: OPT_TABLE(struct pn_log_ask, <member>, pn_log_opts). */
extern const struct pn_opt pn_log_opts[];

#endif
