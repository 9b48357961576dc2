/* What a look at everything that is stored found: plain data that the program
 * fills and a renderer prints. */
#ifndef PN_HISTORY_CHECKED_H
#define PN_HISTORY_CHECKED_H

#include "base/oid.h"

#include <stddef.h>

/* One thing that is wrong. */
struct pn_checked_problem {
	const struct pn_oid *commit; /* whose note it is in; NULL: no one's */
	const char *what, *repair;
};

/* Everything is borrowed. */
struct pn_checked {
	const struct pn_checked_problem *problems; /* the first of them */
	size_t listed_count, problem_count;
	size_t commits, profiles, bodies; /* that were looked at */
	const struct pn_oid *unused;	  /* bodies that no profile needs */
	size_t unused_count;
};

#endif
