/* What a look at everything that is stored found: plain data that storage fills
 * and a renderer prints. */
#ifndef PN_MODEL_CHECKED_H
#define PN_MODEL_CHECKED_H

#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thing that is wrong. */
struct pn_checked_problem {
	bool has_commit;
	struct pn_oid commit; /* whose note it is in */
	const char *what;
	const char *repair; /* what would mend it */
};

struct pn_checked {
	struct pn_checked_problem *problems; /* the first of them */
	size_t listed_count, problem_count;
	size_t commits, profiles, bodies; /* that were looked at */
	struct pn_oid
		*unused; /* bodies that no profile needs: space, no fault */
	size_t unused_count;
	uint64_t epoch; /* of the notes */
};

/* What was mended. */
struct pn_mended {
	size_t bodies; /* that were anchored below objects/ */
	size_t notes;  /* whose lines were united */
	size_t lines;  /* that a plain git had written over */
};

#endif
