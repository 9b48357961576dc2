/*
 * What functions cost over a line of commits, from what is stored: a history
 * (analysis/functions/history.h) for each series that has functions.
 */
#ifndef PN_FUNCTIONS_GATHER_H
#define PN_FUNCTIONS_GATHER_H

#include "analysis/functions/blame.h"
#include "analysis/history/log_series.h"
#include "base/error.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

struct pn_functions_request {
	struct pn_repo *repo;
	struct pn_notes *notes;
	/* Revision arguments, options and paths of git log (NULL: HEAD); it is
	 * walked along first parents. */
	char *const *args;
	size_t arg_count;
	int64_t max_commits;	     /* negative: all */
	struct pn_log_filter filter; /* series; its metric is not looked at */
	struct pn_function_rule rule;
	/* Of the costs, as --sample-index names it; NULL: the default one. */
	const char *type;
};

/* Zeroed before, released in any case. */
struct pn_functions_gathered {
	struct pn_function_commit *commits; /* newest first */
	size_t count, cap;
	struct pn_function_history *series; /* by their names */
	size_t series_count;
	/* Profiles and notes that could not be read, and why the first could
	 * not. */
	size_t faults;
	char fault[256];
	struct pn_arena arena;
	struct pn_functions_building *building; /* internal */
};

int pn_functions_gather(struct pn_functions_gathered *out,
			const struct pn_functions_request *request,
			struct pn_error *err);
void pn_functions_gathered_release(struct pn_functions_gathered *gathered);

#endif
