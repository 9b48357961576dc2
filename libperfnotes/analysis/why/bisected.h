/* Where a bisection is: plain data that it fills and a renderer prints. */
#ifndef PN_WHY_BISECTED_H
#define PN_WHY_BISECTED_H

#include "analysis/why/why.h"
#include "base/oid.h"
#include "detect/bisect/effect.h"

struct pn_bisected_commit {
	struct pn_oid id;
	const char *subject;
	bool is_merge;
};

/* Everything is borrowed. */
struct pn_bisected {
	const char *job, *collector, *workload; /* the latter may be "" */
	const char *metric, *unit;		/* unit: once it is known */
	bool more_is_better;
	const struct pn_bisected_commit *line; /* oldest first */
	const struct pn_bisect_commit *runs;   /* of each commit of it */
	size_t count;
	const struct pn_bisect *look;
	bool inside; /* the line is of the second parents of `merge` */
	struct pn_oid merge;
	bool by_merge;	  /* neither side alone: the merge itself */
	size_t stored;	  /* runs that were there before */
	size_t made;	  /* runs that were made, ... */
	size_t builds;	  /* ... builds for them, ... */
	int64_t spent_ns; /* ... and what that took */
	size_t most;	  /* runs that may be made; 0: as many as it takes */
	/* Once it is found: the runs on both sides of it, and the functions
	 * (NULL: none were recorded). */
	struct pn_bisect_effect effect;
	const struct pn_why *why;
};

#endif
