/* What the notes of a commit say: lines, profiles, figures. */
#include "storage/store.h"

#include "model/entry_again.h"
#include "model/graph/totals.h"
#include "storage/body_fetch.h"
#include "storage/body_store.h"
#include "storage/series_at.h"
#include "vcs/notes/cached.h"

#include <string.h>

/* Other kinds than profiles are kept, not listed. */
static void take_profiles(const struct pn_entry **out, size_t *count,
			  struct pn_arena *arena, const struct pn_entry *all,
			  size_t n)
{
	struct pn_entry *list = pn_arena_alloc(arena, n * sizeof(*list));
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		if (all[i].kind == PN_ENTRY_PROFILE)
			list[kept++] = all[i];
	*out = list;
	*count = kept;
}

/* Live lines of every kind; by way of the cache where the notes have one. */
static int read_lines(const struct pn_entry **out, size_t *count,
		      size_t *ignored, struct pn_arena *arena,
		      struct pn_notes *notes, const struct pn_oid *commit,
		      struct pn_error *err)
{
	struct pn_note_cached note;
	struct pn_buf text = {0};
	bool had = pn_notes_cached(&note, notes, commit);
	int code = 0;

	*ignored = 0;
	if (had && note.checked) {
		pn_entries_parse_again(out, count, arena, note.text, note.len);
		return 0;
	}
	if (!had)
		code = pn_notes_read(&text, notes, commit, err);
	if (!code && !had)
		note = (struct pn_note_cached){pn_buf_text(&text), text.len,
					       false};
	if (!code && !had && pn_notes_read_good(notes, commit))
		pn_entries_parse_again(out, count, arena, note.text, note.len);
	else if (!code)
		pn_entries_parse(out, count, ignored, arena, note.text,
				 note.len);
	note.checked = !*ignored;
	if (!code && !had)
		pn_notes_keep(notes, commit, &note);
	pn_buf_release(&text);
	return code;
}

int pn_store_lines(const struct pn_entry **out, size_t *count,
		   struct pn_arena *arena, struct pn_notes *notes,
		   const struct pn_oid *commit, struct pn_error *err)
{
	size_t ignored;

	return read_lines(out, count, &ignored, arena, notes, commit, err);
}

int pn_store_entries(const struct pn_entry **out, size_t *count,
		     size_t *ignored, struct pn_arena *arena,
		     struct pn_notes *notes, const struct pn_oid *commit,
		     struct pn_error *err)
{
	const struct pn_entry *all;
	size_t n, bad;
	int code = read_lines(&all, &n, &bad, arena, notes, commit, err);

	if (code)
		return code;
	if (ignored)
		*ignored = bad;
	take_profiles(out, count, arena, all, n);
	return 0;
}

int pn_store_series(const struct pn_series_records **out, size_t *count,
		    struct pn_arena *arena, struct pn_repo *repo,
		    struct pn_notes *notes, const struct pn_oid *commit,
		    struct pn_error *err)
{
	return pn_store_series_at(out, count, arena, repo, notes, commit,
				  commit, err);
}

int pn_store_series_at(const struct pn_series_records **out, size_t *count,
		       struct pn_arena *arena, struct pn_repo *repo,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       const struct pn_oid *records, struct pn_error *err)
{
	const struct pn_entry *entries = NULL;
	struct pn_commit_facts facts;
	size_t entry_count = 0;
	int code = pn_repo_commit_facts(&facts, repo, commit, err);

	if (!code)
		code = pn_store_entries(&entries, &entry_count, NULL, arena,
					notes, records, err);
	if (!code)
		pn_series_group(out, count, arena, entries, entry_count,
				&facts.tree);
	return code;
}

/* Totals of a profile as the metrics of an entry, kept in `arena`. */
static void take_metrics(struct pn_entry *entry, struct pn_arena *arena,
			 const struct pn_profile *p)
{
	struct pn_entry_metric *metrics;
	struct pn_metric *list;
	size_t i, count;

	list = pn_totals_of(&count, p);
	metrics = pn_arena_alloc(arena, count * sizeof(*metrics));
	for (i = 0; i < count; i++)
		pn_entry_metric_copy(&metrics[i], arena, p, &list[i]);
	pn_totals_free(list, count);
	entry->metrics = metrics;
	entry->metric_count = count;
}

/* Read the metrics that stand in bodies; *entries is copied where it changes.
 */
static void read_figures(const struct pn_entry **entries, size_t count,
			 struct pn_arena *arena, struct pn_repo *repo,
			 struct pn_notes *notes)
{
	struct pn_entry *own = NULL;
	struct pn_profile profile;
	size_t i;

	for (i = 0; i < count; i++) {
		if (strcmp(pn_entry_field(&(*entries)[i], "metrics"), "body"))
			continue;
		if (!own) {
			own = pn_arena_alloc(arena, count * sizeof(*own));
			memcpy(own, *entries, count * sizeof(*own));
			*entries = own;
		}
		pn_bodies_fetch_figures(repo, notes, &own[i]);
		if (pn_body_store_load(&profile, repo, &own[i], NULL))
			continue;
		take_metrics(&own[i], arena, &profile);
		pn_profile_release(&profile);
	}
}

int pn_store_figures(const struct pn_entry **out, size_t *count,
		     struct pn_arena *arena, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_oid *commit,
		     struct pn_error *err)
{
	int code =
		pn_store_entries(out, count, NULL, arena, notes, commit, err);

	if (!code)
		read_figures(out, *count, arena, repo, notes);
	return code;
}

int pn_store_line_figures(const struct pn_entry **out, size_t *count,
			  struct pn_arena *arena, struct pn_repo *repo,
			  struct pn_notes *notes, const struct pn_oid *commit,
			  struct pn_error *err)
{
	int code = pn_store_lines(out, count, arena, notes, commit, err);

	if (!code)
		read_figures(out, *count, arena, repo, notes);
	return code;
}
