/* Inside of base/opts/ only: over the options of a table and of those that it
 * links to. */
#ifndef PN_OPTS_WALK_H
#define PN_OPTS_WALK_H

#include "base/opts/opts.h"

struct pn_opts_walk {
	const struct pn_opt *at;    /* the table, before the first step */
	const struct pn_opt *after; /* the link that `at` is behind */
	size_t base;		    /* of the linked table's struct */
};

/* The next one; NULL at the end. */
const struct pn_opt *pn_opts_step(struct pn_opts_walk *walk);
bool pn_opt_takes_value(const struct pn_opt *opt);

#endif
