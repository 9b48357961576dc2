/* A verdict for each function of the series that are checked, by the profiles
 * that are stored of both sides. Nothing is run. */
#ifndef PN_JUDGE_BY_FUNCTION_H
#define PN_JUDGE_BY_FUNCTION_H

#include "analysis/judge/functions.h"
#include "analysis/judge/judge.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Zeroed before, released in any case. */
struct pn_check_functions {
	struct pn_judge_functions *items; /* in the order of the report */
	size_t count, cap;
};

/*
 * Of each series of the report that has functions on both sides: of the costs
 * that its first row is about, else the default ones. What cannot be read or
 * compared has none. Borrows the report, whose rows it names.
 */
void pn_check_functions_find(struct pn_check_functions *out,
			     struct pn_repo *repo, struct pn_notes *notes,
			     const struct pn_judge_report *report,
			     double min_effect);
void pn_check_functions_release(struct pn_check_functions *functions);

#endif
