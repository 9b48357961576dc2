/* Why what changed did. */
#include "jobs/judge/reasons.h"

#include "jobs/profiles/pool.h"
#include "model/unit.h"
#include "storage/store.h"

#include <string.h>

/* The series of both commits, and what is looked for. */
struct search {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid commits[2];
	const struct pn_series_records *series[2];
	size_t counts[2];
	const struct pn_judge_row *row;
};

size_t pn_reasons_base(const struct pn_judge_row *row)
{
	const struct pn_course *course = row->course;
	size_t i;

	for (i = 0; i < course->count; i++)
		if (course->points[i].commit &&
		    (row->to == SIZE_MAX || course->points[i].commit > row->to))
			return course->points[i].commit;
	return SIZE_MAX;
}

static bool same_job(const struct pn_series *a, const struct pn_series *b)
{
	return !strcmp(a->job, b->job) && !strcmp(a->cmd, b->cmd) &&
	       !strcmp(a->args, b->args) && !strcmp(a->workload, b->workload) &&
	       !strcmp(a->machine, b->machine);
}

static const struct pn_series_records *find(const struct search *s, int side,
					    const char *collector)
{
	const struct pn_series *wanted = &s->row->course->key.series;
	size_t i;

	for (i = 0; i < s->counts[side]; i++) {
		const struct pn_series *found = &s->series[side][i].series;

		if (same_job(found, wanted) &&
		    !strcmp(found->collector, collector))
			return &s->series[side][i];
	}
	return NULL;
}

static int load(struct pn_profile *out, const struct search *s, int side,
		const struct pn_series_records *records)
{
	struct pn_lookup lookup = {
		.repo = s->repo, .notes = s->notes, .commit = s->commits[side]};
	struct pn_found found = {.kind = PN_FOUND_SERIES,
				 .name = records->series.cmd,
				 .commit = s->commits[side],
				 .entry = records->entries[0],
				 .records = records};

	return pn_pool_load(out, NULL, &lookup, &found, NULL, NULL);
}

/* Costs that can explain the metric: those of its own name, else, of times and
 * sizes, the default ones; a time by counts of instructions, too. False: there
 * are none. */
static bool choose_type(const char **out, const struct pn_profile *p,
			const struct pn_figure *key)
{
	struct pn_weight weight;
	size_t type = pn_profile_default_type(p);
	const char *unit;

	*out = key->metric;
	if (!pn_weight_choose(&weight, p, key->metric, false, NULL))
		return true;
	*out = NULL;
	if (type == SIZE_MAX)
		return false;
	unit = pn_profile_text(p, p->types[type].unit);
	if (pn_unit_comparable(key->unit, "ns"))
		return !pn_unit_comparable(unit, "B");
	return pn_unit_comparable(key->unit, "B") &&
	       pn_unit_comparable(unit, "B");
}

static bool has_functions(const struct pn_profile *p)
{
	return p->sample_count || p->graph.node_count;
}

static bool explain(struct pn_reasons *out, const struct search *s,
		    const char *collector)
{
	const struct pn_series_records *sides[] = {find(s, 0, collector),
						   find(s, 1, collector)};
	struct pn_profile *p = out->profiles[out->count];
	const char *type;
	bool found;

	if (!sides[0] || !sides[1])
		return false;
	pn_profile_init(&p[0]);
	pn_profile_init(&p[1]);
	found = !load(&p[1], s, 1, sides[1]) && has_functions(&p[1]) &&
		!load(&p[0], s, 0, sides[0]) && has_functions(&p[0]) &&
		choose_type(&type, &p[1], &s->row->course->key) &&
		!pn_why_init(&out->whys[out->count], &p[0], &p[1], type, NULL);
	if (found && out->whys[out->count].explaining_count) {
		out->items[out->count] = (struct pn_judge_reason){
			s->row, &out->whys[out->count],
			pn_arena_copy(&out->arena, collector,
				      strlen(collector))};
		out->count++;
		return true;
	}
	if (found)
		pn_why_release(&out->whys[out->count]);
	pn_profile_release(&p[0]);
	pn_profile_release(&p[1]);
	return false;
}

/* By its own profiles, or by those of another collector. */
static void explain_row(struct pn_reasons *out, const struct search *s)
{
	const char *own = s->row->course->key.series.collector;
	size_t i;

	if (explain(out, s, own))
		return;
	for (i = 0; i < s->counts[1]; i++)
		if (strcmp(s->series[1][i].series.collector, own) != 0 &&
		    same_job(&s->series[1][i].series,
			     &s->row->course->key.series) &&
		    explain(out, s, s->series[1][i].series.collector))
			return;
}

bool pn_reasons_has(const struct pn_reasons *reasons,
		    const struct pn_judge_row *row)
{
	size_t i;

	for (i = 0; i < reasons->count; i++)
		if (!pn_series_cmp(&reasons->items[i].row->course->key.series,
				   &row->course->key.series))
			return true;
	return false;
}

void pn_reasons_find(struct pn_reasons *out, struct pn_repo *repo,
		     struct pn_notes *notes,
		     const struct pn_judge_report *report)
{
	struct search s = {.repo = repo, .notes = notes};
	struct pn_arena arena = {0};
	size_t i, base;

	for (i = 0; i < report->judge->count && out->count < PN_REASONS_MAX;
	     i++) {
		s.row = &report->judge->rows[i];
		base = pn_reasons_base(s.row);
		if (!pn_judge_direction(s.row->verdict) ||
		    base >= report->commit_count || pn_reasons_has(out, s.row))
			continue;
		s.commits[0] = report->commits[base].id;
		s.commits[1] = report->target;
		if (!pn_store_series(&s.series[0], &s.counts[0], &arena, repo,
				     notes, &s.commits[0], NULL) &&
		    !pn_store_series(&s.series[1], &s.counts[1], &arena, repo,
				     notes, &s.commits[1], NULL))
			explain_row(out, &s);
	}
	pn_arena_release(&arena);
}

void pn_reasons_release(struct pn_reasons *reasons)
{
	size_t i;

	for (i = 0; i < reasons->count; i++) {
		pn_why_release(&reasons->whys[i]);
		pn_profile_release(&reasons->profiles[i][0]);
		pn_profile_release(&reasons->profiles[i][1]);
	}
	pn_arena_release(&reasons->arena);
	memset(reasons, 0, sizeof(*reasons));
}
