/* The commits that a bisection looks at, and what speaks for each. */
#ifndef PN_BISECT_LINE_H
#define PN_BISECT_LINE_H

#include "analysis/why/bisected.h"
#include "base/arena.h"
#include "vcs/repo.h"

struct pn_bisect_line {
	struct pn_arena arena;
	struct pn_bisected_commit *commits; /* oldest first: the good end */
	struct pn_oid *trees;
	struct pn_oid *second_parents; /* zero: it is no merge */
	double *weights;	       /* of detect/bisect/prior.h */
	size_t count, cap;
};

/*
 * The first-parent line behind `good` up to `bad`, with both. PN_EINVAL when
 * `good` is not on it, which says where the two part; PN_ELIMIT above
 * PN_BISECT_MAX commits. Weights know the documentation.
 */
int pn_bisect_line_read(struct pn_bisect_line *out, struct pn_repo *repo,
			const struct pn_oid *good, const struct pn_oid *bad,
			struct pn_error *err);
/* Weigh commits that touch a file of a function that explains the difference
 * of the ends. */
int pn_bisect_line_weigh(struct pn_bisect_line *line, struct pn_repo *repo,
			 const struct pn_why *why, struct pn_error *err);
void pn_bisect_line_release(struct pn_bisect_line *line);

#endif
