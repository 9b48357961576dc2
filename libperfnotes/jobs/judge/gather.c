/* Courses of what is stored. */
#include "jobs/judge/gather.h"

#include "base/alloc.h"
#include "jobs/rewritten/rewritten.h"
#include "storage/store.h"
#include "vcs/notes/cached.h"
#include "vcs/walk/reach.h"

#include <stdlib.h>
#include <string.h>

#define ACCEPTED_MAX 1000 /* the newest ones: a note may be hostile */
#define BRANCH_MAX 1000	  /* commits of a branch that are looked at */

struct gathering {
	struct pn_gathered *out;
	const struct pn_gather_request *request;
	struct pn_rewritten *rewritten;
	struct pn_arena arena; /* of the commit at hand */
	bool begun;	       /* with a commit of the past, too */
};

/* Facts of the machine that come with a measurement, no costs of the program:
 * they are judged when somebody asks for them. */
static bool is_incidental(const char *metric)
{
	static const char *const names[] = {
		"voluntary-switches", "involuntary-switches", "major-faults",
		"context-switches", "cpu-migrations"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(metric, names[i]))
			return true;
	return false;
}

/* Whether it is judged when nobody asks for some metrics. */
static bool is_cost(const struct pn_gather_request *request,
		    const struct pn_figure *f)
{
	return !is_incidental(f->metric) ||
	       pn_gates_name(request->gates, f->metric);
}

static bool is_wanted(const struct pn_gather_request *request,
		      const struct pn_figure *f)
{
	const struct pn_log_filter *filter = &request->filter;

	if (filter->metric)
		return pn_log_filter_fits_metric(filter, f->metric);
	return is_cost(request, f) ||
	       (request->asked &&
		pn_regex_match(request->asked, f->metric, strlen(f->metric)));
}

static void mark_asked(struct pn_courses *courses,
		       const struct pn_gather_request *request)
{
	size_t i;

	for (i = 0; i < courses->count; i++)
		courses->items[i].asked =
			!is_cost(request, &courses->items[i].key);
}

/* Series, each in the order in which its metrics occur. */
static int by_series(const void *a, const void *b)
{
	const struct pn_figure *x = *(struct pn_figure *const *)a;
	const struct pn_figure *y = *(struct pn_figure *const *)b;
	int order = pn_series_cmp(&x->series, &y->series);

	return order ? order : (x > y) - (x < y);
}

/* All but the first cost of each series are secondary. */
static void mark_secondary(struct gathering *g, struct pn_figure *figures,
			   size_t count)
{
	struct pn_figure **order =
		pn_arena_array(&g->arena, count + 1, sizeof(*order));
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		figures[i].secondary = true;
		if (!figures[i].dirty && is_cost(g->request, &figures[i]))
			order[n++] = &figures[i];
	}
	if (n)
		qsort(order, n, sizeof(*order), by_series);
	for (i = 0; i < n; i++)
		order[i]->secondary = i && !pn_series_cmp(&order[i - 1]->series,
							  &order[i]->series);
}

static struct pn_figure *choose(size_t *count, struct gathering *g,
				const struct pn_noted *noted)
{
	struct pn_figure *kept =
		pn_arena_array(&g->arena, noted->figure_count, sizeof(*kept));
	size_t i, n = 0;

	for (i = 0; i < noted->figure_count; i++)
		if (pn_log_filter_fits(&g->request->filter,
				       &noted->figures[i].series))
			kept[n++] = noted->figures[i];
	mark_secondary(g, kept, n);
	for (*count = i = 0; i < n; i++)
		if (is_wanted(g->request, &kept[i]))
			kept[(*count)++] = kept[i];
	return kept;
}

static size_t clean(const struct pn_noted *noted)
{
	size_t i, n = 0;

	for (i = 0; i < noted->figure_count; i++)
		n += !noted->figures[i].dirty;
	return n;
}

static void add_commit(struct pn_gathered *out, const struct pn_oid *id,
		       size_t distance)
{
	out->commits = pn_grow(out->commits, &out->cap, out->count + 1,
			       sizeof(*out->commits));
	out->commits[out->count++] = (struct pn_course_commit){*id, distance};
}

/* What was measured of another tree is no figure of this one: of the target it
 * is told. */
static void stand_in(struct pn_noted *noted, struct gathering *g,
		     const struct pn_oid *id,
		     const struct pn_commit_facts *facts)
{
	struct pn_gathered *out = g->out;
	struct pn_oid from;
	bool same_tree;

	if (!pn_rewritten_read(noted, &from, &same_tree, g->rewritten,
			       &g->arena, id, facts))
		return;
	if (same_tree && !out->rewritten++)
		out->rewritten_from = from;
	if (!same_tree && pn_oid_equal(id, &g->request->target))
		out->alike = from;
}

/* What a commit has. One hostile note must not hide all others. */
static int read_commit(struct pn_noted *noted, struct gathering *g,
		       const struct pn_oid *id,
		       const struct pn_commit_facts *facts,
		       struct pn_error *err)
{
	int code = pn_store_line_figures(&noted->lines, &noted->line_count,
					 &g->arena, g->request->repo,
					 g->request->notes, id, err);

	if (code == PN_ELIMIT) {
		g->out->unreadable++;
		*noted = (struct pn_noted){0};
		code = 0;
	}
	if (!code)
		stand_in(noted, g, id, facts);
	if (!code && noted->line_count)
		pn_noted_figures(noted, &g->arena, &facts->tree);
	return code;
}

/* The courses begin with what the target has, and what the first measured
 * commit before it has: that may be missed. */
static void take(struct gathering *g, const struct pn_noted *noted,
		 const struct pn_oid *id, size_t distance)
{
	struct pn_gathered *out = g->out;
	struct pn_figure *figures;
	size_t count, number = out->count, own = clean(noted);
	bool is_base =
		distance && !g->begun && !pn_oid_is_zero(&g->request->base);

	figures = choose(&count, g, noted);
	if (!distance)
		out->target_figures = own;
	else
		out->past_figures += own;
	if (is_base)
		out->base_figures = own;
	if (distance && !is_base && !own)
		return;
	add_commit(out, id, distance);
	if (!distance || !g->begun)
		pn_courses_begin(&out->courses, figures, count, number);
	else
		pn_courses_add(&out->courses, figures, count, number);
	g->begun |= distance > 0;
}

/* A line that outlives the commit at hand. */
static void keep_accepted(struct pn_gathered *out,
			  const struct pn_accepted *accepted, size_t distance)
{
	struct pn_entry entry;
	struct pn_accepted kept;

	if (pn_entry_parse(&entry, &out->arena, accepted->entry->line,
			   accepted->entry->line_len, NULL) ||
	    !pn_accepted_of(&kept, &entry, &entry.tree))
		return;
	kept.entry = NULL;
	out->accepted =
		pn_grow(out->accepted, &out->accepted_cap,
			out->accepted_count + 1, sizeof(*out->accepted));
	out->accepted[out->accepted_count++] =
		(struct pn_gathered_accepted){kept, distance};
}

static void take_accepted(struct gathering *g, const struct pn_noted *noted,
			  const struct pn_oid *tree, size_t distance)
{
	struct pn_accepted *list;
	size_t i, n = pn_accepted_list(&list, &g->arena, noted->lines,
				       noted->line_count, tree);

	for (i = 0; i < n && g->out->accepted_count < ACCEPTED_MAX; i++)
		keep_accepted(g->out, &list[i], distance);
}

/* Commits of a branch, which is judged by its tip: what is accepted at one of
 * them is accepted of the tip. In *ahead how many there are. `from` is the
 * tip's first parent, zero for none. */
static int walk_branch(size_t *ahead, struct gathering *g,
		       const struct pn_oid *from, struct pn_error *err)
{
	struct pn_oid at = *from;
	struct pn_commit_facts facts;
	struct pn_noted noted;
	size_t n;
	int code = 0;

	for (n = 0; n < BRANCH_MAX; n++) {
		if (pn_oid_equal(&at, &g->request->base)) {
			*ahead = n;
			return 0;
		}
		if (pn_oid_is_zero(&at) ||
		    pn_repo_ends_before(g->request->repo, &at))
			break;
		memset(&noted, 0, sizeof(noted));
		code = pn_notes_commit_facts(&facts, g->request->notes, &at,
					     err);
		if (!code)
			code = pn_store_lines(&noted.lines, &noted.line_count,
					      &g->arena, g->request->notes, &at,
					      err);
		if (code && code != PN_ELIMIT)
			break;
		take_accepted(g, &noted, &facts.tree, 0);
		pn_arena_clear(&g->arena);
		code = 0;
		if (!facts.parent_count)
			break;
		at = facts.first_parent;
	}
	if (code)
		return code;
	/* the base is not of first parents, or not one of the tip's at all */
	code = pn_reach_count(&n, g->request->repo, &g->request->base,
			      &g->request->target, err);
	g->out->backwards = !code && !n;
	*ahead = code || !n ? 0 : n - 1;
	return code;
}

size_t pn_gathered_number(const struct pn_gathered *out, size_t distance)
{
	size_t i = 0;

	while (i + 1 < out->count && out->commits[i + 1].distance <= distance)
		i++;
	return i;
}

static int walk(struct gathering *g, const struct pn_oid *from, size_t distance,
		struct pn_oid *next, struct pn_error *err)
{
	struct pn_commit_facts facts;
	struct pn_noted noted = {0};
	int code = pn_notes_commit_facts(&facts, g->request->notes, from, err);

	if (!code)
		code = read_commit(&noted, g, from, &facts, err);
	if (code)
		return code;
	take(g, &noted, from, distance);
	take_accepted(g, &noted, &facts.tree, distance);
	pn_arena_clear(&g->arena);
	memset(next, 0, sizeof(*next));
	if (facts.parent_count)
		*next = facts.first_parent;
	return 0;
}

int pn_gather(struct pn_gathered *out, const struct pn_gather_request *request,
	      struct pn_error *err)
{
	struct gathering g = {.out = out, .request = request};
	struct pn_oid at = request->target, next = {{0}};
	size_t ahead = 0, i;
	int code;

	pn_notes_use_cache(request->notes);
	g.rewritten = pn_rewritten_new(request->repo, request->notes);
	pn_rewritten_begin(g.rewritten, &request->target);
	code = walk(&g, &at, 0, &next, err);

	if (!code && !pn_oid_is_zero(&request->base)) {
		code = walk_branch(&ahead, &g, &next, err);
		next = request->base;
	}
	while (!code && !pn_oid_is_zero(&next) &&
	       out->walked < PN_GATHER_WALKED &&
	       out->count <= request->commits) {
		at = next;
		if (pn_repo_ends_before(request->repo, &at)) {
			out->shallow = true;
			break;
		}
		code = walk(&g, &at, ahead + ++out->walked, &next, err);
	}
	for (i = 0; !code && i < out->accepted_count; i++)
		pn_courses_accept(
			&out->courses, &out->accepted[i].accepted,
			pn_gathered_number(out, out->accepted[i].distance));
	mark_asked(&out->courses, request);
	pn_rewritten_free(g.rewritten);
	pn_arena_release(&g.arena);
	return code;
}

void pn_gathered_release(struct pn_gathered *gathered)
{
	pn_courses_release(&gathered->courses);
	pn_arena_release(&gathered->arena);
	free(gathered->accepted);
	free(gathered->commits);
	*gathered = (struct pn_gathered){0};
}
