/* What a change touches. */
#include "jobs/functions/touched.h"

#include "analysis/filter/clean.h"
#include "base/alloc.h"
#include "jobs/functions/costs.h"
#include "jobs/functions/ends.h"
#include "jobs/functions/sees.h"
#include "jobs/source/paths.h"
#include "storage/body_fetch.h"
#include "storage/store.h"
#include "vcs/files/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 20000 /* of one hunk that are looked up */

/* One series while its functions are looked for. */
struct search {
	struct pn_impact_read *out;
	const struct pn_impact_request *request;
	struct pn_impact_series *series;
	struct pn_profile profiles[2]; /* by functions, by lines */
	struct pn_report reports[2];
	struct pn_source_tree tree;
	struct pn_source_paths paths[2]; /* of files of the reports */
	unsigned char *is_meant[2];	 /* files that are the one looked at */
	struct pn_files *base;
};

static int load(struct search *s, const struct pn_oid *commit,
		const struct pn_series_records *records, struct pn_error *err)
{
	static const enum pn_granularity by[] = {PN_BY_FILEFUNCTIONS,
						 PN_BY_LINES};
	struct pn_function_costs *costs = pn_function_costs_new(
		s->request->repo, s->request->notes, s->request->type);
	int i, code = 0;

	for (i = 0; !code && i < 2; i++) {
		struct pn_report_options options = {.divide_by = 1,
						    .sample_index =
							    s->request->type,
						    .granularity = by[i]};

		code = pn_function_costs_profile(&s->profiles[i], costs, commit,
						 records, err);
		if (!code && !s->profiles[i].sample_count &&
		    !s->profiles[i].graph.node_count)
			code = 1;
		if (!code)
			code = pn_report_init(&s->reports[i], &s->profiles[i],
					      &options, err);
		s->out->without_type += code == PN_EINVAL && s->request->type;
	}
	pn_function_costs_free(costs);
	return code;
}

/* What the function of that name costs that is in the file that is looked at,
 * or in none. */
static bool costs_of(struct pn_impact_row *out, const struct search *s,
		     const char *name)
{
	const struct pn_report *report = &s->reports[0];
	bool found = false;
	size_t i;

	*out = (struct pn_impact_row){.guess = true, .calls = NAN};
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];
		const struct pn_node_info *info =
			&report->nodes.items[row->node];

		if ((info->file && !s->is_meant[0][info->file]) ||
		    strcmp(pn_profile_text(&s->profiles[0], info->name),
			   name) != 0)
			continue;
		out->self += pn_report_number(report, row->flat);
		out->total =
			fmax(out->total, pn_report_number(report, row->cum));
		if (row->calls >= 0)
			out->calls = fmax(out->calls,
					  pn_report_calls(report, row->calls));
		found = true;
	}
	return found;
}

static struct pn_impact_row *row_of(struct search *s, const char *name,
				    const char *file, int64_t line)
{
	struct pn_impact_series *out = s->series;
	struct pn_impact_row found, *row;
	size_t i;

	for (i = 0; i < out->count; i++) {
		row = &out->rows[i];
		if (!strcmp(row->function, name) && !strcmp(row->file, file)) {
			row->first_line =
				line < row->first_line ? line : row->first_line;
			row->last_line =
				line > row->last_line ? line : row->last_line;
			return row;
		}
	}
	if (!costs_of(&found, s, name))
		return NULL;
	out->rows = pn_grow(out->rows, &out->cap, out->count + 1,
			    sizeof(*out->rows));
	row = &out->rows[out->count++];
	*row = found;
	row->function = pn_arena_copy(&out->arena, name, strlen(name));
	row->file = pn_arena_copy(&out->arena, file, strlen(file));
	row->first_line = row->last_line = line;
	return row;
}

/* Functions of a line, or of what stands behind it. Whether there is one. */
static bool take_line(struct search *s, const struct pn_costed_lines *lines,
		      const char *file, int64_t line, bool between, bool guess)
{
	struct pn_impact_row *row;
	size_t at = 0;
	uint32_t name;
	bool found = false;

	while ((name = pn_impact_next(&at, lines, line, between)) != PN_NONE) {
		row = row_of(s, pn_profile_text(&s->profiles[1], name), file,
			     line);
		found |= row != NULL;
		if (row)
			row->guess &= guess;
	}
	name = found ? PN_NONE : pn_impact_begun(lines, line);
	return found ||
	       (name != PN_NONE &&
		row_of(s, pn_profile_text(&s->profiles[1], name), file, line));
}

/* A line of the base in the profile's commit, and whether it is that very
 * line; 0: in front of the first. */
static uint32_t line_before(bool *same, const struct pn_line_pair *pairs,
			    size_t count, uint32_t line)
{
	uint32_t last = 0;
	size_t i;

	*same = true;
	if (!pairs)
		return line;
	for (i = 0; i < count && (!pairs[i].after || pairs[i].after <= line);
	     i++) {
		if (pairs[i].before)
			last = pairs[i].before;
		*same = pairs[i].before != 0;
		if (pairs[i].after == line)
			return last;
	}
	*same = false;
	return last;
}

/* By the name that git gives the function around it. */
static bool take_context(struct search *s, const struct pn_hunk *hunk)
{
	const struct pn_nodes *nodes = &s->reports[1].nodes;
	bool found = false;
	const char *name;
	size_t i;

	for (i = 0; !hunk->at_top && *hunk->context && i < nodes->count; i++) {
		const struct pn_node_info *info = &nodes->items[i];

		name = pn_profile_text(&s->profiles[1], info->name);
		if (info->name && (!info->file || s->is_meant[1][info->file]) &&
		    pn_impact_names(hunk->context, name))
			found |=
				row_of(s, name, hunk->path, hunk->line) != NULL;
	}
	return found;
}

/* No function could be told of it. */
static void leave(struct search *s, const struct pn_hunk *hunk, bool by_name)
{
	struct pn_impact_series *out = s->series;

	out->untold = pn_grow(out->untold, &out->untold_cap,
			      out->untold_count + 1, sizeof(*out->untold));
	out->untold[out->untold_count++] = (struct pn_impact_lines){
		hunk->path, hunk->line,
		hunk->line + (hunk->count ? hunk->count - 1 : 0), by_name};
}

static bool has_files(const struct search *s)
{
	size_t i;

	for (i = 0; i < s->paths[1].count; i++)
		if (s->paths[1].of[i])
			return true;
	return false;
}

static void take_hunk(struct search *s, const struct pn_hunk *hunk,
		      const struct pn_costed_lines *lines,
		      const struct pn_line_pair *pairs, size_t count)
{
	uint32_t i, line;
	bool same, found = false;

	for (i = 0; i < hunk->count && i < LINES_MAX; i++) {
		line = line_before(&same, pairs, count, hunk->line + i);
		found |= take_line(s, lines, hunk->path, line, !same, !same);
	}
	if (!hunk->count && !hunk->at_top) {
		line = line_before(&same, pairs, count, hunk->line);
		found = take_line(s, lines, hunk->path, line, true, !same);
	}
	/* where lines are known, those of none are not git's to tell */
	if (!found && !lines->count)
		found = take_context(s, hunk);
	if (found)
		s->out->told[hunk - s->out->hunks.items] = 1;
	else
		leave(s, hunk, false);
}

/* By names alone, as of profiles without files. */
static void take_names(struct search *s, size_t first, size_t end)
{
	const struct pn_hunk *hunks = s->out->hunks.items;
	size_t i;

	for (i = first; i < end; i++)
		if (!take_context(s, &hunks[i]) && *hunks[i].context &&
		    !has_files(s))
			leave(s, &hunks[i], true);
}

/* The lines of a file in the base and in the profile's commit, where these
 * differ; without them lines are taken as they are. */
static void match(struct pn_line_pair **pairs, size_t *count,
		  const struct search *s, const char *then, const char *path)
{
	struct pn_buf before = {0}, after = {0};

	if (!pn_source_tree_read(&before, &s->tree, then, NULL) &&
	    !pn_files_read(&after, s->base, path, PN_SOURCE_MAX_BYTES, NULL) &&
	    (before.len != after.len ||
	     memcmp(pn_buf_text(&before), pn_buf_text(&after), after.len) != 0))
		pn_lines_match(pairs, count, pn_buf_text(&before), before.len,
			       pn_buf_text(&after), after.len, NULL);
	pn_buf_release(&before);
	pn_buf_release(&after);
}

/* The hunks first .. end are of one file. */
static void take_file(struct search *s, size_t first, size_t end)
{
	const struct pn_hunk *hunks = s->out->hunks.items;
	const char *path = hunks[first].path, *then = path;
	struct pn_costed_lines lines = {0};
	struct pn_line_pair *pairs = NULL;
	struct pn_buf old = {0};
	size_t count = 0, had = s->series->count, i;
	bool has;

	if (!pn_source_tree_has(&s->tree, path) &&
	    !pn_files_earlier_name(&old, s->request->repo, &s->series->commit,
				   &s->out->base, path, NULL) &&
	    old.len)
		then = pn_buf_text(&old);
	for (i = 0; i < 2; i++)
		s->is_meant[i] = pn_source_paths_of(&s->paths[i], then);
	has = memchr(s->is_meant[1], 1, s->paths[1].count);
	if (has) {
		pn_costed_lines_of(&lines, &s->reports[1], s->is_meant[1]);
		match(&pairs, &count, s, then, path);
		for (i = first; i < end; i++)
			take_hunk(s, &hunks[i], &lines, pairs, count);
	} else {
		take_names(s, first, end);
	}
	for (i = 0; i < s->out->hunks.file_count; i++)
		s->out->known[i] |= (has || s->series->count > had) &&
				    !strcmp(s->out->hunks.files[i], path);
	free(s->is_meant[0]);
	free(s->is_meant[1]);
	free(pairs);
	pn_buf_release(&old);
	pn_costed_lines_release(&lines);
}

static int by_self(const void *left, const void *right)
{
	const struct pn_impact_row *a = left, *b = right;

	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(a->function, b->function);
}

static void finish(struct search *s)
{
	struct pn_impact_series *out = s->series;
	double least = s->request->min_share * fabs(out->total);
	size_t i, n = 0;

	for (i = 0; i < out->count; i++) {
		out->self += out->rows[i].self;
		out->most_total = fmax(out->most_total, out->rows[i].total);
		if (fmax(fabs(out->rows[i].self), fabs(out->rows[i].total)) >=
		    least)
			out->rows[n++] = out->rows[i];
	}
	out->hidden = out->count - n;
	out->count = n;
	if (n)
		qsort(out->rows, n, sizeof(*out->rows), by_self);
}

static void take_hunks(struct search *s)
{
	const struct pn_hunks *hunks = &s->out->hunks;
	struct pn_impact_series *out = s->series;
	const struct pn_report *report = &s->reports[0];
	size_t i, end;

	out->type =
		pn_arena_copy(&out->arena, report->type, strlen(report->type));
	out->unit =
		pn_arena_copy(&out->arena, report->unit, strlen(report->unit));
	out->total = pn_report_number(report, report->total);
	for (i = 0; i < 2; i++)
		pn_source_paths_init(
			&s->paths[i], &s->reports[i].nodes.files,
			pn_profile_text(&s->profiles[i],
					s->profiles[i].header.source_root),
			&s->tree);
	pn_series_sees(out, &s->reports[1].nodes, &s->paths[1]);
	for (i = 0; i < hunks->count; i = end) {
		for (end = i + 1; end < hunks->count; end++)
			if (strcmp(hunks->items[end].path,
				   hunks->items[i].path) != 0)
				break;
		take_file(s, i, end);
	}
	for (i = 0; i < 2; i++)
		pn_source_paths_release(&s->paths[i]);
	finish(s);
}

/* 1: it has no functions. */
static int read_series(struct pn_impact_read *out,
		       const struct pn_impact_request *request,
		       struct pn_impact_series *series,
		       const struct pn_series_records *records,
		       struct pn_error *err)
{
	struct search s = {.out = out, .request = request, .series = series};
	int i, code;

	pn_profile_init(&s.profiles[0]);
	pn_profile_init(&s.profiles[1]);
	code = load(&s, &series->commit, records, err);
	if (!code)
		code = pn_source_tree_of_commit(&s.tree, request->repo,
						&series->commit, err);
	if (!code) {
		code = pn_files_open(&s.base, request->repo, &out->base, err);
		if (!code)
			take_hunks(&s);
		pn_files_close(s.base);
		pn_source_tree_release(&s.tree);
	}
	for (i = 0; i < 2; i++) {
		pn_report_release(&s.reports[i]);
		pn_profile_release(&s.profiles[i]);
	}
	return code;
}

static bool has_body(const struct pn_series_records *records)
{
	size_t i;

	for (i = 0; i < records->count; i++)
		if (records->entries[i]->has_body)
			return true;
	return false;
}

static bool is_known(const struct pn_impact *impact,
		     const struct pn_series *series)
{
	size_t i;

	for (i = 0; i < impact->series_count; i++)
		if (pn_series_alike(&impact->series[i].series, series) ||
		    pn_series_same_job(&impact->series[i].series, series))
			return true;
	return false;
}

static void set_blind(struct pn_impact_read *out,
		      const struct pn_series *series)
{
	out->blind = pn_grow(out->blind, &out->blind_cap, out->blind_count + 1,
			     sizeof(*out->blind));
	out->blind[out->blind_count++] = *series;
}

/* In a partial clone the bodies of what is read now, in one connection. */
static void fetch_bodies(const struct pn_impact_read *out,
			 const struct pn_impact_request *request,
			 const struct pn_series_records *records, size_t count)
{
	struct pn_bodies_wanted *wanted;
	size_t i;

	if (!count)
		return;
	wanted = pn_bodies_wanted_new(request->repo);
	for (i = 0; wanted && i < count; i++)
		if (pn_log_filter_fits(&request->filter, &records[i].series) &&
		    !is_known(&out->impact, &records[i].series))
			pn_bodies_wanted_add(wanted, records[i].entries,
					     records[i].count);
	pn_bodies_wanted_end(wanted);
}

/* What one commit has that newer ones had not. */
static int take_commit(struct pn_impact_read *out,
		       const struct pn_impact_request *request,
		       const struct pn_oid *commit, bool *measured,
		       struct pn_error *err)
{
	const struct pn_series_records *records;
	struct pn_impact *impact = &out->impact;
	struct pn_impact_series *series;
	size_t count, i;
	int code;

	code = pn_store_series(&records, &count, &out->arena, request->repo,
			       request->notes, commit, err);
	if (code)
		return code == PN_ELIMIT ? 0 : code;
	*measured |= count > 0;
	fetch_bodies(out, request, records, count);
	for (i = 0; i < count; i++) {
		if (!pn_log_filter_fits(&request->filter, &records[i].series) ||
		    is_known(impact, &records[i].series))
			continue;
		if (!has_body(&records[i])) {
			set_blind(out, &records[i].series);
			continue;
		}
		impact->series = pn_realloc_array(impact->series,
						  impact->series_count + 1,
						  sizeof(*impact->series));
		series = &impact->series[impact->series_count];
		*series = (struct pn_impact_series){.series = records[i].series,
						    .commit = *commit};
		code = read_series(out, request, series, &records[i], err);
		if (!code)
			impact->series_count++;
		else
			set_blind(out, &records[i].series);
		out->faults +=
			code < 0 && !(code == PN_EINVAL && request->type);
	}
	return 0;
}

static int take_profiles(struct pn_impact_read *out,
			 const struct pn_impact_request *request,
			 struct pn_error *err)
{
	struct pn_oid at = out->base;
	struct pn_commit_facts facts;
	bool measured = false;
	size_t walked, behind = 0;
	int code = 0;

	for (walked = 0;
	     !code && walked < PN_IMPACT_COMMITS && behind < PN_IMPACT_MEASURED;
	     walked++) {
		if (pn_oid_is_zero(&at) ||
		    pn_repo_ends_before(request->repo, &at))
			break;
		code = take_commit(out, request, &at, &measured, err);
		behind += measured;
		if (!code)
			code = pn_repo_commit_facts(&facts, request->repo, &at,
						    err);
		if (!code && !facts.parent_count)
			break;
		at = facts.first_parent;
	}
	return code;
}

static int by_name(const void *left, const void *right)
{
	const struct pn_impact_series *a = left, *b = right;

	return pn_series_name_cmp(&a->series, &b->series);
}

static void tell(struct pn_impact *impact)
{
	struct pn_series *all =
		pn_calloc(impact->series_count + 1, sizeof(*all));
	size_t i;

	if (impact->series_count)
		qsort(impact->series, impact->series_count,
		      sizeof(*impact->series), by_name);
	for (i = 0; i < impact->series_count; i++)
		all[i] = impact->series[i].series;
	for (i = 0; i < impact->series_count; i++)
		impact->series[i].parts =
			pn_series_tell(&all[i], all, impact->series_count);
	free(all);
}

int pn_impact_read(struct pn_impact_read *out,
		   const struct pn_impact_request *request,
		   struct pn_error *err)
{
	bool named = request->range != NULL;
	int code = pn_range_ends(&out->base, &out->target, request->repo,
				 request->range, err);

	if (!code)
		code = pn_hunks_read(&out->hunks, request->repo, &out->base,
				     named ? &out->target : NULL,
				     request->cached, err);
	if (code)
		return code;
	out->known = pn_calloc(out->hunks.file_count + 1, 1);
	out->told = pn_calloc(out->hunks.count + 1, 1);
	code = take_profiles(out, request, err);
	tell(&out->impact);
	out->impact.range = named ? request->range : "";
	out->impact.files = out->hunks.files;
	out->impact.file_count = out->hunks.file_count;
	out->impact.known = out->known;
	out->impact.binaries = out->hunks.binaries;
	out->impact.binary_count = out->hunks.binary_count;
	return code;
}

void pn_impact_release(struct pn_impact_read *read)
{
	size_t i;

	for (i = 0; i < read->impact.series_count; i++) {
		free(read->impact.series[i].rows);
		free(read->impact.series[i].untold);
		free(read->impact.series[i].files);
		pn_arena_release(&read->impact.series[i].arena);
	}
	free(read->impact.series);
	free(read->known);
	free(read->told);
	free(read->blind);
	pn_hunks_release(&read->hunks);
	pn_arena_release(&read->arena);
	*read = (struct pn_impact_read){.faults = 0};
}
