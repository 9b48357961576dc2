/* Why what changed did: functions of the profiles that are stored of both
 * sides. Nothing is run. */
#ifndef PN_JUDGE_REASONS_H
#define PN_JUDGE_REASONS_H

#include "analysis/judge/judge.h"
#include "analysis/why/why.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#define PN_REASONS_MAX 5 /* changes that are explained: the worst */

/* Zeroed before, released in any case. */
struct pn_reasons {
	struct pn_judge_reason items[PN_REASONS_MAX];
	struct pn_why whys[PN_REASONS_MAX];
	struct pn_profile profiles[PN_REASONS_MAX][2];
	size_t count;
	struct pn_arena arena;
};

/*
 * Of each series the worst confirmed change of a metric that functions can
 * explain: by the series' own profiles where they have functions, else by those
 * that another collector left of the same job. Profiles that cannot be read or
 * compared explain nothing. Borrows the report, whose rows it names.
 */
void pn_reasons_find(struct pn_reasons *out, struct pn_repo *repo,
		     struct pn_notes *notes,
		     const struct pn_judge_report *report);
void pn_reasons_release(struct pn_reasons *reasons);
/* Whether there is one of its series. */
bool pn_reasons_has(const struct pn_reasons *reasons,
		    const struct pn_judge_row *row);

#endif
