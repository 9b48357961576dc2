/* Who calls functions how often on both sides of a difference. Internal. */
#ifndef PN_WHY_CALLERS_H
#define PN_WHY_CALLERS_H

#include "analysis/diff/diff.h"

/* Calls of a run from one function to another; both are rows of the diff. */
struct pn_why_call {
	uint32_t callee, caller;
	double calls[2]; /* old, new */
};

struct pn_why_calls {
	struct pn_why_call *items; /* by callee, then by caller */
	size_t count;
	size_t *first; /* of each row, and the end */
};

/* Empty where one of the profiles is no call graph with calls. Time O(edges
 * log edges). */
void pn_why_calls_init(struct pn_why_calls *out, const struct pn_diff *diff);
void pn_why_calls_release(struct pn_why_calls *calls);

#endif
