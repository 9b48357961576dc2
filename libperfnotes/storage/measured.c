/* The nearest measured commit. */
#include "storage/measured.h"

#include "storage/store.h"

int pn_store_is_measured(struct pn_repo *repo, struct pn_notes *notes,
			 const struct pn_oid *commit, const char *name,
			 struct pn_error *err)
{
	const struct pn_series_records *series = NULL;
	struct pn_arena arena = {0};
	size_t i, count = 0;
	int code = pn_store_series(&series, &count, &arena, repo, notes, commit,
				   err);

	for (i = 0; !code && i < count; i++)
		code = !name || pn_series_fits(&series[i].series, name);
	pn_arena_release(&arena);
	return code;
}

int pn_store_nearest(struct pn_oid *out, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_oid *from,
		     bool behind, const char *name, struct pn_error *err)
{
	struct pn_oid at = *from;
	struct pn_commit_facts facts;
	int code = 0;

	while (!pn_oid_is_zero(pn_notes_tip(notes))) {
		if (!behind)
			code = pn_store_is_measured(repo, notes, &at, name,
						    err);
		if (code > 0)
			*out = at;
		if (code)
			return code;
		behind = false;
		code = pn_repo_commit_facts(&facts, repo, &at, err);
		if (code || !facts.parent_count)
			return code;
		at = facts.first_parent;
		if (!pn_repo_has_object(repo, &at))
			return 0;
	}
	return 0;
}
