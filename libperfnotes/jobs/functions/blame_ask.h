/* Which functions, and of which commits, a command line asks to be blamed. */
#ifndef PN_FUNCTIONS_BLAME_ASK_H
#define PN_FUNCTIONS_BLAME_ASK_H

#include "base/opts/opts.h"
#include "jobs/functions/gather.h"

/* Functions of a series, unless more are asked for. */
#define PN_BLAME_MOST 20

/* As the options of `git perf blame` say it; borrowed. */
struct pn_blame_ask {
	const char *pattern; /* NULL: all functions */
	const char *range;   /* NULL: the last ones of HEAD */
	double min_share, min_effect;
	int64_t count;
	bool by_total, all;
};

/* OPT_TABLE(struct pn_blame_ask, <member>, pn_blame_opts). */
extern const struct pn_opt pn_blame_opts[];

/* What holds where nothing else is said. */
void pn_blame_ask_init(struct pn_blame_ask *out);
/* All of the request but repository, notes and series; it borrows from the
 * ask. PN_EINVAL: a share is none. */
int pn_blame_ask_read(struct pn_functions_request *out,
		      const struct pn_blame_ask *ask, struct pn_error *err);

#endif
