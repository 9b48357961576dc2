/* Courses of what is stored. */
#include "jobs/judge/gather.h"

#include "base/alloc.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>

struct gathering {
	struct pn_gathered *out;
	const struct pn_gather_request *request;
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

static bool is_wanted(const struct pn_gather_request *request,
		      const struct pn_figure *f)
{
	const struct pn_log_filter *filter = &request->filter;

	if (!pn_log_filter_fits(filter, &f->series))
		return false;
	if (filter->metric)
		return pn_regex_match(filter->metric, f->metric,
				      strlen(f->metric));
	return !is_incidental(f->metric) ||
	       pn_gates_name(request->gates, f->metric);
}

static struct pn_figure *choose(size_t *count, struct gathering *g,
				const struct pn_noted *noted)
{
	struct pn_figure *kept =
		pn_arena_array(&g->arena, noted->figure_count, sizeof(*kept));
	size_t i, n = 0;

	for (i = 0; i < noted->figure_count; i++)
		if (is_wanted(g->request, &noted->figures[i]))
			kept[n++] = noted->figures[i];
	*count = n;
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

/* What a commit has. One hostile note must not hide all others. */
static int read_commit(struct pn_noted *noted, struct gathering *g,
		       const struct pn_oid *id,
		       const struct pn_commit_facts *facts,
		       struct pn_error *err)
{
	int code =
		pn_store_figures(&noted->lines, &noted->line_count, &g->arena,
				 g->request->repo, g->request->notes, id, err);

	if (code == PN_ELIMIT) {
		g->out->unreadable++;
		*noted = (struct pn_noted){0};
		code = 0;
	}
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

static int walk(struct gathering *g, const struct pn_oid *from, size_t distance,
		struct pn_oid *next, struct pn_error *err)
{
	struct pn_commit_facts facts;
	struct pn_noted noted = {0};
	int code = pn_repo_commit_facts(&facts, g->request->repo, from, err);

	if (!code)
		code = read_commit(&noted, g, from, &facts, err);
	if (code)
		return code;
	take(g, &noted, from, distance);
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
	struct pn_oid at = request->target, next;
	int code = walk(&g, &at, 0, &next, err);

	if (!pn_oid_is_zero(&request->base))
		next = request->base;
	while (!code && !pn_oid_is_zero(&next) &&
	       out->walked < PN_GATHER_WALKED &&
	       out->count <= request->commits) {
		at = next;
		if (!pn_repo_has_object(request->repo, &at)) {
			out->shallow = true;
			break;
		}
		code = walk(&g, &at, ++out->walked, &next, err);
	}
	pn_arena_release(&g.arena);
	return code;
}

void pn_gathered_release(struct pn_gathered *gathered)
{
	pn_courses_release(&gathered->courses);
	free(gathered->commits);
	*gathered = (struct pn_gathered){0};
}
