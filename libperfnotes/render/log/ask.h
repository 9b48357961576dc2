/* What of a history is asked for, and how it is to be shown. */
#ifndef PN_LOG_ASK_H
#define PN_LOG_ASK_H

#include "base/opts/opts.h"

#include <stdbool.h>
#include <stdint.h>

struct pn_log_ask {
	const char *function; /* a regular expression; NULL: commits */
	int64_t count;	      /* of commits; -1: all */
	bool chart, oneline, measured, verbose, changes, by_total;
};

/* Their options: OPT_TABLE(struct pn_log_ask, <member>, pn_log_opts). */
extern const struct pn_opt pn_log_opts[];

#endif
