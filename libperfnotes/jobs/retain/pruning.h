/* prune as a whole: from what is asked for to what is to be said. */
#ifndef PN_RETAIN_PRUNING_H
#define PN_RETAIN_PRUNING_H

#include "analysis/history/pruned.h"
#include "jobs/retain/plan.h"

/* Policies are those of pn_retain_policy_add; request->policy gets them. */
int pn_retain_prune(struct pn_pruned_row *out, struct pn_repo *repo,
		    struct pn_notes *notes, struct pn_retain_request *request,
		    const char *const *policies, size_t count, bool dry_run,
		    struct pn_error *err);

/* gc: what pn_compact did, in a row. */
int pn_retain_compact(struct pn_compacted_row *out, struct pn_repo *repo,
		      bool dry_run, struct pn_error *err);

#endif
