/* Whether a commit was measured. */
#include "storage/measured.h"

#include "storage/store.h"
#include "vcs/notes/cached.h"

int pn_store_has_series(struct pn_notes *notes, const struct pn_oid *commit,
			const struct pn_oid *tree, const char *name,
			struct pn_error *err)
{
	const struct pn_series_records *series = NULL;
	const struct pn_entry *entries = NULL;
	struct pn_arena arena = {0};
	size_t i, count = 0, n = 0;
	int code = pn_store_entries(&entries, &n, NULL, &arena, notes, commit,
				    err);

	if (!code)
		pn_series_group(&series, &count, &arena, entries, n, tree);
	for (i = 0; !code && i < count; i++)
		code = !name || pn_series_fits(&series[i].series, name);
	pn_arena_release(&arena);
	return code;
}

int pn_store_is_measured(struct pn_notes *notes, const struct pn_oid *commit,
			 struct pn_error *err)
{
	struct pn_commit_facts facts;
	int code = pn_notes_commit_facts(&facts, notes, commit, err);

	return code ? code
		    : pn_store_has_series(notes, commit, &facts.tree, NULL,
					  err);
}
