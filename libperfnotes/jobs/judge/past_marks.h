/* The marks of a commit's past, from what is stored. */
#ifndef PN_JUDGE_PAST_MARKS_H
#define PN_JUDGE_PAST_MARKS_H

#include "analysis/judge/marks.h"
#include "jobs/judge/gates.h"
#include "jobs/judge/gather.h"

/* Zeroed before, released in any case. */
struct pn_past_marks {
	struct pn_gates gates;
	struct pn_gathered gathered; /* its commits are what marks number */
	struct pn_marks marks;
};

/* Of the last 300 measured commits up to this one: of each series' first
 * metric, or of every one. */
int pn_past_marks_read(struct pn_past_marks *out, struct pn_repo *repo,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       const struct pn_log_filter *filter, bool every,
		       struct pn_error *err);
void pn_past_marks_release(struct pn_past_marks *past);

/*
 * Regressions that are sure and that nobody has accepted since the last tag up
 * to the commit; *tag is freed by the caller, NULL where there is none: of the
 * last 300 measured commits then.
 */
int pn_past_marks_worse(size_t *count, char **tag, struct pn_repo *repo,
			struct pn_notes *notes, const struct pn_oid *commit,
			struct pn_error *err);

#endif
