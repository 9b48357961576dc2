/* prune as a whole. */
#include "jobs/retain/pruning.h"

#include "storage/retain/compact.h"

#define ROUNDS_MAX 20 /* a plan takes longer than an add */

/* What others wrote since may say that something stays: then anew. */
static int plan_and_prune(struct pn_retain_plan *plan, struct pn_pruned *pruned,
			  struct pn_repo *repo, struct pn_notes *notes,
			  const struct pn_retain_request *request, bool dry_run,
			  struct pn_error *err)
{
	struct pn_notes *newer = NULL;
	int rounds = 0, code;

	do {
		pn_retain_plan_release(plan);
		code = pn_retain_plan(plan, repo, newer ? newer : notes,
				      request, err);
		if (code)
			break;
		code = pn_store_prune(
			pruned, repo, pn_notes_tip(newer ? newer : notes),
			plan->items, plan->item_count, dry_run, err);
		if (code != PN_ECONFLICT)
			break;
		pn_notes_free(newer);
		newer = NULL;
		if (pn_notes_open(&newer, repo, PN_NOTES_REF, err))
			break;
	} while (++rounds < ROUNDS_MAX);
	pn_notes_free(newer);
	return code;
}

int pn_retain_prune(struct pn_pruned_row *out, struct pn_repo *repo,
		    struct pn_notes *notes, struct pn_retain_request *request,
		    const char *const *policies, size_t count, bool dry_run,
		    struct pn_error *err)
{
	struct pn_retain_plan plan = {0};
	struct pn_pruned pruned = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < count; i++)
		code = pn_retain_policy_add(&request->policy, policies[i], err);
	if (!code)
		code = plan_and_prune(&plan, &pruned, repo, notes, request,
				      dry_run, err);
	*out = (struct pn_pruned_row){.vanished = plan.vanished,
				      .left_out = plan.left_out,
				      .rewritten = plan.rewritten,
				      .unsure = plan.unsure,
				      .records = pruned.records,
				      .figures = pruned.figures,
				      .bodies = pruned.bodies,
				      .bytes = pruned.body_bytes,
				      .dry_run = dry_run};
	pn_retain_plan_release(&plan);
	return code;
}

int pn_retain_compact(struct pn_compacted_row *out, struct pn_repo *repo,
		      bool dry_run, struct pn_error *err)
{
	struct pn_compacted c;
	int code = pn_compact(&c, repo, dry_run, err);

	*out = (struct pn_compacted_row){.dead = c.dead,
					 .bodies = c.bodies,
					 .epoch = c.epoch,
					 .freed = c.freed,
					 .nothing = c.nothing,
					 .dry_run = dry_run};
	return code;
}
