/* The nearest measured commit. */
#include "storage/measured.h"

#include "storage/store.h"
#include "vcs/notes/cached.h"

/* From so many steps on: most are next to what was measured. */
#define CACHED_FROM 8

/* 1, 0 or an error; *facts of the commit. */
static int is_measured(struct pn_commit_facts *facts, struct pn_notes *notes,
		       const struct pn_oid *commit, const char *name,
		       struct pn_error *err)
{
	const struct pn_series_records *series = NULL;
	const struct pn_entry *entries = NULL;
	struct pn_arena arena = {0};
	size_t i, count = 0, n = 0;
	int code = pn_notes_commit_facts(facts, notes, commit, err);

	if (!code)
		code = pn_store_entries(&entries, &n, NULL, &arena, notes,
					commit, err);
	if (!code)
		pn_series_group(&series, &count, &arena, entries, n,
				&facts->tree);
	for (i = 0; !code && i < count; i++)
		code = !name || pn_series_fits(&series[i].series, name);
	pn_arena_release(&arena);
	return code;
}

int pn_store_is_measured(struct pn_notes *notes, const struct pn_oid *commit,
			 const char *name, struct pn_error *err)
{
	struct pn_commit_facts facts;

	return is_measured(&facts, notes, commit, name, err);
}

int pn_store_nearest(struct pn_oid *out, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_oid *from,
		     bool behind, const char *name, struct pn_error *err)
{
	struct pn_oid at = *from;
	struct pn_commit_facts facts = {0};
	size_t steps = 0;
	int code = 0;

	while (!pn_oid_is_zero(pn_notes_tip(notes))) {
		if (++steps == CACHED_FROM)
			pn_notes_use_cache(notes);
		code = behind ? pn_notes_commit_facts(&facts, notes, &at, err)
			      : is_measured(&facts, notes, &at, name, err);
		if (code > 0)
			*out = at;
		if (code || !facts.parent_count)
			return code;
		behind = false;
		at = facts.first_parent;
		if (pn_repo_ends_before(repo, &at))
			return 0;
	}
	return 0;
}
