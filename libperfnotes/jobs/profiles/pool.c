/* Pooling the records of a series. */
#include "jobs/profiles/pool.h"

#include "analysis/merge/merge.h"
#include "base/alloc.h"
#include "storage/body_fetch.h"

#include <stdlib.h>
#include <string.h>

static int add_record(struct pn_merge *merge, const char **format,
		      const struct pn_lookup *lookup,
		      const struct pn_entry *entry, struct pn_error *err)
{
	struct pn_found one = {.kind = PN_FOUND_STORED, .entry = entry};
	struct pn_profile profile;
	int code;

	pn_profile_init(&profile);
	code = pn_lookup_load(&profile, format, lookup, &one, NULL, err);
	if (!code)
		code = pn_merge_add(merge, &profile, NULL, err);
	pn_profile_release(&profile);
	return code;
}

void pn_pool_fetch(struct pn_repo *repo, const struct pn_found *const *found,
		   size_t count)
{
	const struct pn_entry **all = NULL;
	size_t i, k, n = 0, cap = 0;

	if (!repo || !pn_repo_is_partial(repo))
		return;
	for (i = 0; i < count; i++) {
		const struct pn_series_records *records = found[i]->records;
		size_t more = records ? records->count : 1;

		all = pn_grow(all, &cap, n + more, sizeof(*all));
		for (k = 0; k < more; k++)
			all[n++] =
				records ? records->entries[k] : found[i]->entry;
	}
	pn_bodies_fetch(repo, all, n);
	free(all);
}

/* What cannot be found is told by who looks for it. */
static void fetch_named(struct pn_lookup *lookup, const char *const *names,
			size_t count)
{
	struct pn_found_list found = {0};
	const struct pn_found **all;
	size_t i;

	for (i = 0; i < count; i++)
		if (!pn_lookup_is_path(names[i]) && strcmp(names[i], "-") != 0)
			pn_lookup_find(&found, lookup, names[i], NULL);
	all = pn_calloc(found.count + 1, sizeof(*all));
	for (i = 0; i < found.count; i++)
		all[i] = &found.items[i];
	pn_pool_fetch(lookup->repo, all, found.count);
	free(all);
	pn_found_list_release(&found);
}

void pn_pool_fetch_named(const char *const *names, size_t count,
			 const char *commit)
{
	struct pn_lookup lookup = {.repo = NULL};

	if (count < 2 || pn_repo_open(&lookup.repo, NULL, NULL))
		return;
	if (pn_repo_is_partial(lookup.repo) &&
	    !pn_notes_open(&lookup.notes, lookup.repo, PN_NOTES_REF, NULL) &&
	    !pn_repo_resolve(&lookup.commit, lookup.repo,
			     commit ? commit : "HEAD", NULL))
		fetch_named(&lookup, names, count);
	pn_notes_free(lookup.notes);
	pn_repo_free(lookup.repo);
}

int pn_pool_load(struct pn_profile *out, const char **format,
		 const struct pn_lookup *lookup, const struct pn_found *found,
		 const struct pn_codec *codec, struct pn_error *err)
{
	const struct pn_series_records *records = found->records;
	const char *all = NULL, *one = NULL;
	struct pn_merge *merge;
	size_t i;
	int code = 0;

	if (found->kind != PN_FOUND_SERIES || records->count == 1)
		return pn_lookup_load(out, format, lookup, found, codec, err);
	pn_pool_fetch(lookup->repo, &found, 1);
	merge = pn_merge_new();
	pn_merge_keep_runs(merge);
	for (i = records->count; !code && i > 0; i--) {
		code = add_record(merge, &one, lookup, records->entries[i - 1],
				  err);
		if (i == records->count)
			all = one;
		else if (!code && all && strcmp(all, one) != 0)
			all = NULL;
	}
	if (code)
		pn_error_context(err,
				 /* one that a shell has to see in quotes */
				 *found->name == '\'' ? "cannot pool %s"
						      : "cannot pool '%s'",
				 found->name);
	else if (format && all)
		*format = all;
	pn_merge_end(out, merge);
	return code;
}
