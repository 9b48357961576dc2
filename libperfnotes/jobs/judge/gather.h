/* What is stored of a commit and of those before it, as courses. */
#ifndef PN_JUDGE_GATHER_H
#define PN_JUDGE_GATHER_H

#include "analysis/history/log_series.h"
#include "analysis/judge/course.h"
#include "base/error.h"
#include "jobs/judge/gates.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Commits that are walked over in search of measured ones. */
#define PN_GATHER_WALKED 20000

struct pn_gather_request {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid target;
	/* Where its past begins; zero: at its first parent. */
	struct pn_oid base;
	struct pn_log_filter filter;
	/* Metrics that are judged besides costs; NULL: none. */
	const struct pn_regex *asked;
	const struct pn_gates *gates; /* borrowed */
	size_t commits;		      /* measured ones of the past, at most */
};

/* Zeroed before, released in any case. */
struct pn_gathered {
	struct pn_courses courses;
	/* Measured commits, the target first, be it measured or not; behind it
	 * the base that was asked for, the same. */
	struct pn_course_commit *commits;
	size_t count, cap;
	size_t walked;
	struct pn_arena arena; /* of the acceptances, which courses borrow */
	struct pn_gathered_accepted {
		struct pn_accepted accepted;
		size_t distance;
	} * accepted; /* towards the past */
	size_t accepted_count, accepted_cap;
	size_t target_figures; /* before the filter; without dirty ones */
	size_t base_figures;   /* of `base` */
	size_t past_figures;   /* of all commits of the past */
	size_t unreadable;     /* notes that are passed over */
	size_t rewritten; /* by what was measured before they were rewritten */
	struct pn_oid rewritten_from; /* the first of those */
	/* Changes the same as the target, stands upon something else, and was
	 * measured; zero: none is known. */
	struct pn_oid alike;
	bool shallow;	/* the walk ended where the clone does */
	bool backwards; /* the base has all commits that the target has */
};

int pn_gather(struct pn_gathered *out, const struct pn_gather_request *request,
	      struct pn_error *err);
/* The number of the commit at a distance, or of the last measured one in front
 * of it. */
size_t pn_gathered_number(const struct pn_gathered *gathered, size_t distance);
void pn_gathered_release(struct pn_gathered *gathered);

#endif
