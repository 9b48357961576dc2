/* What the notes say of one job at commits. */
#include "jobs/bisect/measured.h"

#include "base/alloc.h"
#include "jobs/profiles/pool.h"
#include "jobs/skip.h"
#include "storage/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_METRIC "user"

static bool same(const char *text, const char *given)
{
	struct pn_buf cut = {0};
	bool equal;

	pn_record_text(&cut, given ? given : "");
	equal = !strcmp(text, pn_buf_text(&cut));
	pn_buf_release(&cut);
	return equal;
}

static bool is_of(const struct pn_series *found,
		  const struct pn_bisect_series *series)
{
	const struct pn_collect_job *job = &series->job->job;

	return !strcmp(found->job, series->job->section->name) &&
	       !strcmp(found->collector, series->job->with->name) &&
	       !strcmp(found->machine, series->fingerprint) &&
	       same(found->cmd, job->cmd) && same(found->args, job->args) &&
	       same(found->workload, job->workload);
}

static bool is_skip(const struct pn_entry *line,
		    const struct pn_bisect_series *series,
		    const struct pn_oid *tree)
{
	struct pn_series found;

	if (!pn_skip_settles(line) || !pn_oid_equal(&line->tree, tree))
		return false;
	found = pn_series_of(line);
	return is_of(&found, series);
}

/* The metric that is asked for, or the default one; NULL: there is none. */
static const struct pn_figure *choose(const struct pn_figure *figures,
				      size_t count,
				      const struct pn_bisect_series *series)
{
	const char *name = series->metric;
	const struct pn_figure *first = NULL;
	size_t i;

	if (!name && !strcmp(series->job->with->name, "time"))
		name = TIME_METRIC;
	for (i = 0; i < count; i++) {
		const struct pn_figure *f = &figures[i];

		if (f->dirty || !is_of(&f->series, series))
			continue;
		if (name && !strcmp(f->metric, name))
			return f;
		if (!first)
			first = f;
	}
	return series->metric ? NULL : first;
}

static void take(struct pn_bisect_measured *out, const struct pn_figure *f)
{
	size_t n = f->values ? f->value_count : 1;

	out->values = pn_realloc_array(NULL, n, sizeof(*out->values));
	memcpy(out->values, f->values ? f->values : &f->median,
	       n * sizeof(*out->values));
	out->count = n;
	out->better = f->better;
	snprintf(out->metric, sizeof(out->metric), "%s", f->metric);
	snprintf(out->unit, sizeof(out->unit), "%s", f->unit);
}

/* Records that were copied here from another tree are of no use. */
static size_t of_tree(struct pn_entry *out, const struct pn_entry *entries,
		      size_t count, const struct pn_oid *tree)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (entries[i].kind == PN_ENTRY_PROFILE &&
		    pn_oid_equal(&entries[i].tree, tree))
			out[n++] = entries[i];
	return n;
}

int pn_bisect_measured_read(struct pn_bisect_measured *out,
			    const struct pn_bisect_series *series,
			    const struct pn_oid *commit,
			    const struct pn_oid *tree, struct pn_error *err)
{
	const struct pn_entry *lines = NULL;
	const struct pn_figure *figures, *chosen;
	struct pn_notes *notes = NULL;
	struct pn_arena arena = {0};
	size_t i, count = 0, figure_count;
	struct pn_entry *own;
	int code = pn_notes_open(&notes, series->repo, PN_NOTES_REF, err);

	*out = (struct pn_bisect_measured){.values = NULL};
	if (!code)
		code = pn_store_line_figures(&lines, &count, &arena,
					     series->repo, notes, commit, err);
	for (i = 0; !code && i < count; i++)
		out->skipped |= is_skip(&lines[i], series, tree);
	if (!code && count) {
		own = pn_realloc_array(NULL, count, sizeof(*own));
		count = of_tree(own, lines, count, tree);
		pn_figures_of(&figures, &figure_count, &arena, own, count);
		chosen = choose(figures, figure_count, series);
		if (chosen)
			take(out, chosen);
		free(own);
	}
	out->skipped = out->skipped && !out->count;
	pn_arena_release(&arena);
	pn_notes_free(notes);
	return code;
}

int pn_bisect_measured_load(struct pn_profile *out,
			    const struct pn_bisect_series *series,
			    const struct pn_oid *commit, struct pn_error *err)
{
	const struct pn_series_records *records = NULL;
	struct pn_lookup lookup = {.repo = series->repo, .commit = *commit};
	struct pn_found found = {.kind = PN_FOUND_SERIES,
				 .name = series->job->section->name,
				 .commit = *commit};
	struct pn_arena arena = {0};
	size_t i, count = 0;
	int code =
		pn_notes_open(&lookup.notes, series->repo, PN_NOTES_REF, err);

	if (!code)
		code = pn_store_series(&records, &count, &arena, series->repo,
				       lookup.notes, commit, err);
	for (i = 0; !code && i < count && !found.records; i++)
		if (is_of(&records[i].series, series))
			found.records = &records[i];
	if (!code && !found.records)
		code = pn_error_set(err, PN_ENOTFOUND, "no profile of job '%s'",
				    found.name);
	if (!code) {
		found.entry = found.records->entries[0];
		code = pn_pool_load(out, NULL, &lookup, &found, NULL, err);
	}
	pn_arena_release(&arena);
	pn_notes_free(lookup.notes);
	return code;
}
