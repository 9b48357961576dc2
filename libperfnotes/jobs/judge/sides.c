/* Profiles of both sides of a row. */
#include "jobs/judge/sides.h"

#include "analysis/weight.h"
#include "jobs/profiles/pool.h"
#include "model/unit.h"
#include "storage/store.h"

#include <string.h>

size_t pn_judge_sides_base(const struct pn_judge_row *row)
{
	const struct pn_course *course = row->course;
	size_t i;

	for (i = 0; i < course->count; i++)
		if (course->points[i].commit &&
		    (row->to == SIZE_MAX || course->points[i].commit > row->to))
			return course->points[i].commit;
	return SIZE_MAX;
}

bool pn_judge_sides_find(struct pn_judge_sides *sides, struct pn_arena *arena,
			 const struct pn_judge_report *report,
			 const struct pn_judge_row *row)
{
	size_t base = pn_judge_sides_base(row);

	if (base >= report->commit_count)
		return false;
	sides->row = row;
	sides->commits[0] = report->commits[base].id;
	sides->commits[1] = report->target;
	return !pn_store_series(&sides->series[0], &sides->counts[0], arena,
				sides->repo, sides->notes, &sides->commits[0],
				NULL) &&
	       !pn_store_series(&sides->series[1], &sides->counts[1], arena,
				sides->repo, sides->notes, &sides->commits[1],
				NULL);
}

bool pn_judge_sides_same_job(const struct pn_judge_sides *sides,
			     const struct pn_series *series)
{
	const struct pn_series *own = &sides->row->course->key.series;

	return !strcmp(series->job, own->job) &&
	       !strcmp(series->cmd, own->cmd) &&
	       !strcmp(series->args, own->args) &&
	       !strcmp(series->workload, own->workload) &&
	       !strcmp(series->machine, own->machine);
}

void pn_judge_sides_want(struct pn_bodies_wanted *wanted,
			 const struct pn_judge_sides *sides,
			 const char *collector)
{
	size_t side, i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < sides->counts[side]; i++) {
			const struct pn_series_records *of =
				&sides->series[side][i];

			if (pn_judge_sides_same_job(sides, &of->series) &&
			    (!collector ||
			     !strcmp(of->series.collector, collector)))
				pn_bodies_wanted_add(wanted, of->entries,
						     of->count);
		}
}

static const struct pn_series_records *find(const struct pn_judge_sides *s,
					    int side, const char *collector)
{
	size_t i;

	for (i = 0; i < s->counts[side]; i++) {
		const struct pn_series *found = &s->series[side][i].series;

		if (pn_judge_sides_same_job(s, found) &&
		    !strcmp(found->collector, collector))
			return &s->series[side][i];
	}
	return NULL;
}

/* False: it cannot be read, or has no functions. */
static bool load(struct pn_profile *out, const struct pn_judge_sides *s,
		 int side, const struct pn_series_records *records)
{
	struct pn_lookup lookup = {
		.repo = s->repo, .notes = s->notes, .commit = s->commits[side]};
	struct pn_found found = {.kind = PN_FOUND_SERIES,
				 .name = records->series.cmd,
				 .commit = s->commits[side],
				 .entry = records->entries[0],
				 .records = records};

	return !pn_pool_load(out, NULL, &lookup, &found, NULL, NULL) &&
	       (out->sample_count || out->graph.node_count);
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

bool pn_judge_sides_load(struct pn_profile of[2], const char **type, bool *fits,
			 const struct pn_judge_sides *sides,
			 const char *collector)
{
	const struct pn_series_records *records[] = {find(sides, 0, collector),
						     find(sides, 1, collector)};
	bool loaded;

	if (!records[0] || !records[1])
		return false;
	pn_profile_init(&of[0]);
	pn_profile_init(&of[1]);
	loaded = load(&of[1], sides, 1, records[1]) &&
		 load(&of[0], sides, 0, records[0]);
	if (loaded) {
		*fits = choose_type(type, &of[1], &sides->row->course->key);
		return true;
	}
	pn_profile_release(&of[0]);
	pn_profile_release(&of[1]);
	return false;
}
