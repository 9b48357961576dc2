/* Histories of functions from what is stored. */
#include "jobs/functions/gather.h"

#include "base/alloc.h"
#include "jobs/functions/costs.h"
#include "jobs/functions/renamed.h"
#include "jobs/rewritten/rewritten.h"
#include "storage/body_fetch.h"
#include "storage/series_at.h"
#include "vcs/walk/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that are looked for under another name: their share of all. */
#define RENAME_SHARE 0.01
/* Pairs of whole profiles that are compared for that, at most. */
#define RENAMES_MAX 200
#define PASSES_MAX 3	/* names of names */
#define SERIES_MAX 1000 /* a note may be hostile */

/* One series while it is gathered. */
struct rising {
	struct pn_function_history history;
	struct pn_function_costs *costs;
	bool none; /* its profiles have no functions */
	/* The commit that was added last, and its records. */
	struct pn_oid commit;
	struct pn_series_records *records;
	struct pn_arena arena; /* that these are in */
};

struct pn_functions_building {
	struct rising **series;
	size_t count, cap;
	size_t renames;
	struct pn_rewritten *rewritten;
	struct pn_arena arena; /* of the commit at hand */
};

static const char *copy(struct pn_arena *arena, const char *text)
{
	return pn_arena_copy(arena, text, strlen(text));
}

static void note_fault(struct pn_functions_gathered *g,
		       const struct pn_error *err)
{
	if (!g->faults++)
		snprintf(g->fault, sizeof(g->fault), "%s", err->message);
}

static struct pn_series keep_series(struct pn_arena *arena,
				    const struct pn_series *s)
{
	return (struct pn_series){.job = copy(arena, s->job),
				  .cmd = copy(arena, s->cmd),
				  .args = copy(arena, s->args),
				  .workload = copy(arena, s->workload),
				  .collector = copy(arena, s->collector),
				  .machine = copy(arena, s->machine)};
}

static struct rising *begin(struct pn_functions_gathered *g,
			    const struct pn_functions_request *request,
			    const struct pn_series *series)
{
	struct pn_functions_building *b = g->building;
	struct rising *r = pn_calloc(1, sizeof(*r));

	r->history.series = keep_series(&g->arena, series);
	r->history.rule = request->rule;
	r->costs = pn_function_costs_new(request->repo, request->notes,
					 request->type);
	b->series =
		pn_grow(b->series, &b->cap, b->count + 1, sizeof(*b->series));
	b->series[b->count++] = r;
	return r;
}

/* The series as newer commits have it: the same, or one that is taken for the
 * same where a job got its name or another command meanwhile. */
static struct rising *find(const struct pn_functions_building *b,
			   const struct pn_series *series)
{
	size_t i;

	for (i = 0; i < b->count; i++)
		if (!pn_series_cmp(&b->series[i]->history.series, series))
			return b->series[i];
	for (i = 0; i < b->count; i++)
		if (pn_series_alike(&b->series[i]->history.series, series))
			return b->series[i];
	for (i = 0; i < b->count; i++)
		if (pn_series_same_job(&b->series[i]->history.series, series))
			return b->series[i];
	return NULL;
}

/* Lines outlive their note here: a rename is seen when the next commit is. */
static void keep_records(struct rising *r, const struct pn_oid *commit,
			 const struct pn_series_records *records)
{
	const struct pn_entry **entries;
	struct pn_entry *list;
	size_t i;

	r->records = NULL;
	pn_arena_clear(&r->arena);
	entries = pn_arena_array(&r->arena, records->count,
				 sizeof(const struct pn_entry *));
	list = pn_arena_array(&r->arena, records->count, sizeof(*list));
	for (i = 0; i < records->count; i++) {
		if (pn_entry_parse(&list[i], &r->arena,
				   records->entries[i]->line,
				   records->entries[i]->line_len, NULL))
			return;
		entries[i] = &list[i];
	}
	r->commit = *commit;
	r->records = pn_arena_alloc(&r->arena, sizeof(*r->records));
	*r->records = (struct pn_series_records){r->history.series, entries,
						 records->count};
}

static void follow(struct pn_functions_gathered *g, struct rising *r,
		   const struct pn_oid *commit,
		   const struct pn_series_records *records,
		   const struct pn_function_list *list)
{
	struct pn_functions_building *b = g->building;
	struct pn_function_side sides[2] = {{commit, records},
					    {&r->commit, r->records}};

	if (!r->records || b->renames >= RENAMES_MAX ||
	    (!pn_function_history_misses(&r->history, list, RENAME_SHARE) &&
	     !pn_function_history_meets(&r->history, list, RENAME_SHARE)))
		return;
	b->renames++;
	pn_functions_find_renamed(&r->history, r->costs, sides);
}

/* What cannot be read hides no other commit. */
static void take_series(struct pn_functions_gathered *g, struct rising *r,
			size_t number, const struct pn_series_records *records)
{
	const struct pn_oid *commit = &g->commits[number].id;
	struct pn_function_list *list;
	struct pn_error err;
	int code;

	code = pn_function_costs_read(&list, r->costs, &r->history, commit,
				      records, &err);
	if (code < 0)
		note_fault(g, &err);
	if (!code && !r->history.point_count)
		r->none = true;
	if (code <= 0)
		return;
	if (!pn_function_history_takes(&r->history, list)) {
		r->history.foreign++;
		return;
	}
	follow(g, r, commit, records, list);
	pn_function_history_add(&r->history, number, list);
	keep_records(r, commit, records);
}

/* Of the commit, by its records or those of what stands for it. */
static int read_series(const struct pn_series_records **out, size_t *count,
		       struct pn_functions_building *b,
		       const struct pn_functions_request *request,
		       const struct pn_commit *commit, struct pn_error *err)
{
	struct pn_oid records;
	int code;

	pn_rewritten_begin(b->rewritten, &commit->id);
	code = pn_store_series(out, count, &b->arena, request->repo,
			       request->notes, &commit->id, err);
	if (code || *count ||
	    !pn_rewritten_measured(&records, b->rewritten, commit))
		return code;
	return pn_store_series_at(out, count, &b->arena, request->repo,
				  request->notes, &commit->id, &records, err);
}

static int take_commit(struct pn_functions_gathered *g,
		       const struct pn_functions_request *request,
		       const struct pn_commit *commit, struct pn_error *err)
{
	struct pn_functions_building *b = g->building;
	const struct pn_series_records *records;
	struct rising *r;
	size_t i, count, number = g->count - 1;
	int code = read_series(&records, &count, b, request, commit, err);

	if (code == PN_ELIMIT) {
		note_fault(g, err);
		return 0;
	}
	for (i = 0; !code && i < count; i++) {
		if (!pn_log_filter_fits(&request->filter, &records[i].series))
			continue;
		r = find(b, &records[i].series);
		if (!r && b->count < SERIES_MAX)
			r = begin(g, request, &records[i].series);
		/* a second one of the same job has no place here */
		if (r && !r->none &&
		    (!r->history.point_count ||
		     r->history.points[r->history.point_count - 1].commit !=
			     number))
			take_series(g, r, number, &records[i]);
	}
	pn_arena_clear(&b->arena);
	return code;
}

static void keep_commit(struct pn_functions_gathered *g,
			const struct pn_commit *c)
{
	g->commits =
		pn_grow(g->commits, &g->cap, g->count + 1, sizeof(*g->commits));
	g->commits[g->count++] = (struct pn_function_commit){
		.id = c->id,
		.author_time_s = c->author_time_s,
		.author = copy(&g->arena, c->author),
		.email = copy(&g->arena, c->email),
		.subject = copy(&g->arena, c->subject),
		.is_merge = c->parent_count > 1};
}

static int open_walk(struct pn_history **out,
		     const struct pn_functions_request *request,
		     struct pn_error *err)
{
	const char **args = pn_calloc(request->arg_count + 3, sizeof(*args));
	char count[32];
	size_t i, n = 0;
	int code;

	snprintf(count, sizeof(count), "-n%" PRId64, request->max_commits);
	args[n++] = "--first-parent";
	if (request->max_commits >= 0)
		args[n++] = count;
	for (i = 0; i < request->arg_count; i++)
		args[n++] = request->args[i];
	code = pn_history_open(out, request->repo, args, err);
	free(args);
	return code;
}

/* In a partial clone all bodies of the walk together: one by one each of them
 * would be a connection. What fails here fails in the walk, too, and is told
 * there. */
static void fetch_bodies(struct pn_functions_gathered *g,
			 const struct pn_functions_request *request)
{
	struct pn_functions_building *b = g->building;
	struct pn_bodies_wanted *wanted = pn_bodies_wanted_new(request->repo);
	const struct pn_series_records *records;
	struct pn_history *history = NULL;
	struct pn_commit commit;
	size_t i, count;

	if (!wanted || open_walk(&history, request, NULL)) {
		pn_bodies_wanted_end(wanted);
		return;
	}
	b->rewritten = pn_rewritten_new(request->repo, request->notes);
	while (pn_history_next(&commit, history, NULL) > 0) {
		count = 0;
		if (read_series(&records, &count, b, request, &commit, NULL))
			count = 0;
		for (i = 0; i < count; i++)
			if (pn_log_filter_fits(&request->filter,
					       &records[i].series))
				pn_bodies_wanted_add(wanted, records[i].entries,
						     records[i].count);
		pn_arena_clear(&b->arena);
	}
	pn_history_free(history);
	pn_rewritten_free(b->rewritten);
	b->rewritten = NULL;
	pn_bodies_wanted_end(wanted);
}

static int walk(struct pn_functions_gathered *g,
		const struct pn_functions_request *request,
		struct pn_error *err)
{
	struct pn_history *history = NULL;
	struct pn_commit commit;
	int code = open_walk(&history, request, err);

	g->building->rewritten =
		pn_rewritten_new(request->repo, request->notes);
	while (!code && (code = pn_history_next(&commit, history, err)) > 0) {
		keep_commit(g, &commit);
		code = take_commit(g, request, &commit, err);
	}
	pn_history_free(history);
	return code;
}

static int by_name(const void *left, const void *right)
{
	const struct pn_function_history *a = left, *b = right;

	return pn_series_name_cmp(&a->series, &b->series);
}

/* Series without a row have nothing to show, but that they are there. */
static void finish(struct pn_functions_gathered *g)
{
	struct pn_functions_building *b = g->building;
	struct pn_series *all = pn_calloc(b->count + 1, sizeof(*all));
	size_t i;

	g->series = pn_calloc(b->count + 1, sizeof(*g->series));
	for (i = 0; i < b->count; i++) {
		struct pn_function_history *h = &b->series[i]->history;

		if (!h->point_count)
			continue;
		pn_function_history_end(h);
		all[g->series_count] = h->series;
		g->series[g->series_count++] = *h;
		*h = (struct pn_function_history){{0}};
	}
	if (g->series_count)
		qsort(g->series, g->series_count, sizeof(*g->series), by_name);
	for (i = 0; i < g->series_count; i++)
		g->series[i].parts = pn_series_tell(&g->series[i].series, all,
						    g->series_count);
	free(all);
}

static void release_building(struct pn_functions_building *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < b->count; i++) {
		pn_function_history_release(&b->series[i]->history);
		pn_function_costs_free(b->series[i]->costs);
		pn_arena_release(&b->series[i]->arena);
		free(b->series[i]);
	}
	free(b->series);
	pn_rewritten_free(b->rewritten);
	pn_arena_release(&b->arena);
	free(b);
}

void pn_functions_gathered_release(struct pn_functions_gathered *g)
{
	size_t i;

	release_building(g->building);
	for (i = 0; i < g->series_count; i++)
		pn_function_history_release(&g->series[i]);
	free(g->series);
	free(g->commits);
	pn_arena_release(&g->arena);
	memset(g, 0, sizeof(*g));
}

/* What has had a name that matches and another one since is known at the end
 * only: then once more, with that one. */
int pn_functions_gather(struct pn_functions_gathered *out,
			const struct pn_functions_request *request,
			struct pn_error *err)
{
	struct pn_functions_request again = *request;
	struct pn_strtab also = {.items = NULL};
	size_t known, passes = 0;
	int code;

	again.rule.also = &also;
	do {
		known = also.count;
		pn_functions_gathered_release(out);
		out->building = pn_calloc(1, sizeof(*out->building));
		if (!passes)
			fetch_bodies(out, &again);
		code = walk(out, &again, err);
	} while (!code && also.count > known && ++passes < PASSES_MAX);
	if (!code)
		finish(out);
	for (known = 0; known < out->series_count; known++)
		out->series[known].rule.also = NULL;
	release_building(out->building);
	out->building = NULL;
	pn_strtab_release(&also);
	return code;
}
