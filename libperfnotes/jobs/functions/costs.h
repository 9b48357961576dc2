/* What functions cost in stored profiles that are read one after the other. */
#ifndef PN_FUNCTIONS_COSTS_H
#define PN_FUNCTIONS_COSTS_H

#include "analysis/functions/history.h"
#include "base/error.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

struct pn_function_costs;

/* `type` of the costs, as --sample-index names it; NULL: each profile's default
 * one. Borrows all. */
struct pn_function_costs *pn_function_costs_new(struct pn_repo *repo,
						struct pn_notes *notes,
						const char *type);
/* Takes NULL. */
void pn_function_costs_free(struct pn_function_costs *costs);

/*
 * What a commit has of a series: its functions with the keys of `history`. 1
 * with *out, which lives until the next call; 0: there are no functions, as of
 * figures alone. Names are those that views show.
 */
int pn_function_costs_read(struct pn_function_list **out,
			   struct pn_function_costs *costs,
			   struct pn_function_history *history,
			   const struct pn_oid *commit,
			   const struct pn_series_records *records,
			   struct pn_error *err);
/* The profile itself, cleaned as views do; to be released on failure, too. */
int pn_function_costs_profile(struct pn_profile *out,
			      const struct pn_function_costs *costs,
			      const struct pn_oid *commit,
			      const struct pn_series_records *records,
			      struct pn_error *err);

#endif
