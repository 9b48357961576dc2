/* Which profiles a report has, and reading them. */
#include "jobs/reported/reporting.h"

#include "analysis/filter/clean.h"
#include "base/alloc.h"
#include "jobs/profiles/pool.h"
#include "jobs/reported/sourced.h"
#include "storage/store.h"
#include "vcs/ref/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERIES_TRIED 8 /* for one that has functions */
#define TAGS_MAX 1000
#define TITLE_SUBJECT 60 /* bytes of a subject in a title */
/* Of each: a page of six has to stay small, and nobody sees more at once. */
#define FRAMES 4000
#define FRAMES_OF_ONE 40000

struct pn_reporting_loaded {
	size_t commit;
	const char *title;
	struct pn_profile profile;
	struct pn_report report;
	struct pn_flame flame;
	struct pn_sourced sourced;
};

struct choosing {
	struct pn_reporting *out;
	const struct pn_reporting_request *request;
	const struct pn_reported_line *line; /* of the series */
	struct pn_arena arena;
	bool *has;   /* by commit: the series */
	bool *taken; /* by commit */
	size_t most; /* profiles */
};

/* The line's series at a commit. */
static int read_records(const struct pn_series_records **out,
			struct choosing *c, size_t commit, struct pn_error *err)
{
	const struct pn_series *wanted = &c->line->course->key.series;
	const struct pn_series_records *all;
	size_t i, count;
	int code = pn_store_series(&all, &count, &c->arena, c->request->repo,
				   c->request->notes,
				   &c->out->reported.commits[commit].id, err);

	*out = NULL;
	for (i = 0; !code && i < count && !*out; i++)
		if (!pn_series_cmp(&all[i].series, wanted) ||
		    pn_series_alike(&all[i].series, wanted))
			*out = &all[i];
	return code;
}

/* Functions in the order of their own cost; those of a call graph that have one
 * name are told apart by their files, see pn_view_prepare. */
static int report(struct pn_report *out, struct pn_profile *profile)
{
	struct pn_report_options options = {.divide_by = 1, .unit = "minimum"};

	if (profile->graph.node_count && !profile->sample_count)
		options.granularity = PN_BY_FILEFUNCTIONS;
	return pn_report_init(out, profile, &options, NULL);
}

/* False: there is none that has functions. */
static bool load(struct pn_reporting_loaded *to, struct choosing *c,
		 size_t commit)
{
	struct pn_clean clean = {0};
	const struct pn_series_records *records = NULL;
	struct pn_lookup lookup = {.repo = c->request->repo,
				   .notes = c->request->notes,
				   .commit =
					   c->out->reported.commits[commit].id};
	struct pn_found found = {.kind = PN_FOUND_SERIES,
				 .commit = lookup.commit};
	bool good;

	memset(to, 0, sizeof(*to));
	to->commit = commit;
	pn_profile_init(&to->profile);
	if (read_records(&records, c, commit, NULL) || !records)
		return false;
	found.records = records;
	found.entry = records->entries[0];
	found.name = records->series.cmd;
	good = !pn_demangling_find(&clean.demangle, "simple", NULL) &&
	       !pn_pool_load(&to->profile, NULL, &lookup, &found, NULL, NULL) &&
	       (to->profile.sample_count || to->profile.graph.node_count) &&
	       !pn_clean(&to->profile, &clean, NULL) &&
	       !report(&to->report, &to->profile);
	pn_arena_clear(&c->arena);
	if (!good) {
		pn_report_release(&to->report);
		pn_profile_release(&to->profile);
	}
	return good;
}

static void release(struct pn_reporting_loaded *loaded)
{
	pn_sourced_release(&loaded->sourced);
	pn_flame_release(&loaded->flame);
	pn_report_release(&loaded->report);
	pn_profile_release(&loaded->profile);
}

static size_t newest(const struct pn_reported_line *line)
{
	return line->points[line->count - 1].commit;
}

static int by_length(const void *a, const void *b)
{
	const struct pn_reported_line *x =
		*(const struct pn_reported_line *const *)a;
	const struct pn_reported_line *y =
		*(const struct pn_reported_line *const *)b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The series that most commits have, of those with functions. */
static bool choose_series(struct choosing *c)
{
	const struct pn_reported *r = &c->out->reported;
	const struct pn_reported_line **order =
		pn_calloc(r->line_count, sizeof(*order));
	struct pn_reporting_loaded one;
	size_t i, n = 0;
	bool found = false;

	for (i = 0; i < r->line_count; i++)
		if (r->lines[i].headline)
			order[n++] = &r->lines[i];
	if (n)
		qsort(order, n, sizeof(*order), by_length);
	for (i = 0; i < n && i < SERIES_TRIED && !found; i++) {
		c->line = order[i];
		found = load(&one, c, newest(c->line));
		if (found)
			release(&one);
	}
	free(order);
	for (i = 0; found && i < c->line->count; i++)
		c->has[c->line->points[i].commit] = true;
	return found;
}

static void take(struct choosing *c, size_t commit, const char *title)
{
	struct pn_reporting *out = c->out;
	const struct pn_reported_commit *at;
	struct pn_reporting_loaded *to = &out->loaded[out->count];
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];
	size_t len;

	if (commit >= out->reported.count || !c->has[commit] ||
	    c->taken[commit] || out->count == c->most || !load(to, c, commit))
		return;
	c->taken[commit] = true;
	at = &out->reported.commits[commit];
	pn_oid_hex(hex, &at->id);
	len = strlen(at->subject);
	if (len > TITLE_SUBJECT) {
		len = TITLE_SUBJECT;
		while (len && ((unsigned char)at->subject[len] & 0xc0) == 0x80)
			len--;
	}
	if (title)
		pn_buf_printf(&text, "%s, ", title);
	pn_buf_printf(&text, "%.10s %.*s", hex, (int)len, at->subject);
	to->title = pn_arena_copy(&out->reported.arena, pn_buf_text(&text),
				  text.len);
	pn_buf_release(&text);
	out->count++;
}

/* The nearest commit behind that has the series. */
static size_t before(const struct choosing *c, size_t commit)
{
	size_t i = commit + 1;

	while (i < c->out->reported.count && !c->has[i])
		i++;
	return i;
}

static void take_tags(struct choosing *c)
{
	const struct pn_reported *r = &c->out->reported;
	struct pn_buf names = {0};
	const char *at, *end;
	struct pn_oid oid;
	size_t i;

	if (!pn_refs_list(&names, c->request->repo, "refs/tags/", TAGS_MAX,
			  NULL))
		for (at = pn_buf_text(&names), end = at + names.len; at < end;
		     at += strlen(at) + 1) {
			if (pn_repo_resolve(&oid, c->request->repo, at, NULL))
				continue;
			for (i = 0; i < r->count; i++)
				if (pn_oid_equal(&r->commits[i].id, &oid))
					take(c, i, at + strlen("refs/tags/"));
		}
	pn_buf_release(&names);
}

/* The newest one, what it is judged beside, both sides of each change of its
 * series, of all others, tags. */
static void choose_commits(struct choosing *c)
{
	const struct pn_reported *r = &c->out->reported;
	size_t i, own;

	take(c, newest(c->line), newest(c->line) ? NULL : "HEAD");
	if (r->check && r->check->commit_count > 1)
		for (i = 0; i < r->count; i++)
			if (pn_oid_equal(&r->commits[i].id,
					 &r->check->commits[1].id))
				take(c, i, NULL);
	for (own = 0; own < 2; own++)
		for (i = 0; i < r->mark_count; i++) {
			const struct pn_reported_mark *m = &r->marks[i];

			if (m->drift || (!own && &r->lines[m->line] != c->line))
				continue;
			take(c, m->commit, NULL);
			take(c, before(c, m->oldest), NULL);
		}
	take_tags(c);
}

static int by_commit(const void *a, const void *b)
{
	const struct pn_reported_profile *x = a, *y = b;

	return x->commit < y->commit ? -1 : x->commit > y->commit;
}

/* Its source, in the files of the commit. */
static void list(const struct pn_reporting *out, struct pn_reported_profile *p,
		 struct pn_reporting_loaded *l)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &out->reported.commits[l->commit].id);
	pn_sourced_init(&p->source, &l->sourced, &l->profile, &l->report, hex,
			NULL);
}

static void draw(struct choosing *c)
{
	struct pn_reporting *out = c->out;
	struct pn_flame_options options = {
		.frames_max = out->count > 1 ? FRAMES : FRAMES_OF_ONE};
	size_t i, n = 0;

	out->profiles = pn_calloc(out->count + 1, sizeof(*out->profiles));
	for (i = 0; i < out->count; i++) {
		struct pn_reporting_loaded *l = &out->loaded[i];

		if (pn_flame_init(&l->flame, &l->report, NULL, &options, NULL))
			continue;
		out->profiles[n] = (struct pn_reported_profile){
			l->commit, l->title, &l->report, &l->flame};
		list(out, &out->profiles[n++], l);
	}
	if (n)
		qsort(out->profiles, n, sizeof(*out->profiles), by_commit);
	out->reported.profiles = out->profiles;
	out->reported.profile_count = n;
}

/* What the functions of the series cost at its newest commits. */
static void warm(struct choosing *c)
{
	struct pn_reporting *out = c->out;
	const struct pn_reported_line *line = c->line;
	const struct pn_series *series = &line->course->key.series;
	char head[] = "HEAD", end[] = "--";
	struct pn_buf range = {0}, job = {0};
	char *args[] = {head, end};
	struct pn_functions_request request = {
		.repo = c->request->repo,
		.notes = c->request->notes,
		.args = args,
		.arg_count = 2,
		.filter = {.collector = *series->collector ? series->collector
							   : NULL,
			   .machine =
				   *series->machine ? series->machine : NULL},
		.rule = {.min_share = PN_HEAT_LEAST}};
	size_t oldest = line->count > PN_HEAT_COLUMNS
				? line->count - PN_HEAT_COLUMNS
				: 0;
	size_t i;

	request.max_commits = (int64_t)line->points[oldest].commit + 1;
	pn_series_text(&job, series, &line->parts);
	request.filter.job = pn_buf_text(&job);
	if (c->request->range) {
		pn_buf_add_text(&range, c->request->range);
		args[0] = (char *)range.data;
	}
	if (!pn_functions_gather(&out->functions, &request, NULL))
		for (i = 0; i < out->functions.series_count; i++)
			if (!pn_series_cmp(&out->functions.series[i].series,
					   series))
				pn_heat_of(&out->heat,
					   &out->functions.series[i]);
	if (out->heat.columns > 1)
		out->reported.heat = &out->heat;
	pn_buf_release(&range);
	pn_buf_release(&job);
}

void pn_reporting_profiles(struct pn_reporting *out,
			   const struct pn_reporting_request *request)
{
	struct choosing c = {.out = out, .request = request};
	struct pn_series_parts parts;

	c.has = pn_calloc(out->reported.count + 1, sizeof(*c.has));
	c.taken = pn_calloc(out->reported.count + 1, sizeof(*c.taken));
	c.most = request->profiles < PN_REPORTING_PROFILES
			 ? (size_t)request->profiles
			 : PN_REPORTING_PROFILES;
	out->loaded = pn_calloc(c.most + 1, sizeof(*out->loaded));
	if (c.most && choose_series(&c)) {
		parts = c.line->parts;
		pn_series_text(&out->series, &c.line->course->key.series,
			       &parts);
		out->reported.series = pn_buf_text(&out->series);
		/* first: it fetches what the others need together */
		warm(&c);
		choose_commits(&c);
		draw(&c);
	}
	free(c.has);
	free(c.taken);
	pn_arena_release(&c.arena);
}

void pn_reporting_release(struct pn_reporting *r)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		release(&r->loaded[i]);
	free(r->loaded);
	free(r->profiles);
	pn_heat_release(&r->heat);
	pn_functions_gathered_release(&r->functions);
	pn_check_release(&r->check);
	pn_past_marks_release(&r->past);
	pn_reported_release(&r->reported);
	pn_buf_release(&r->no_check);
	pn_buf_release(&r->name);
	pn_buf_release(&r->url);
	pn_buf_release(&r->series);
	pn_regex_free(r->metric);
	memset(r, 0, sizeof(*r));
}
