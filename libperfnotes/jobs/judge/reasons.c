/* Why what changed did. */
#include "jobs/judge/reasons.h"

#include "jobs/judge/sides.h"

#include <string.h>

static bool explain(struct pn_reasons *out, const struct pn_judge_sides *s,
		    const char *collector)
{
	struct pn_profile *p = out->profiles[out->count];
	const char *type = NULL;
	bool fits;

	if (!pn_judge_sides_load(p, &type, &fits, s, collector))
		return false;
	fits = fits &&
	       !pn_why_init(&out->whys[out->count], &p[0], &p[1], type, NULL);
	if (fits && out->whys[out->count].explaining_count) {
		out->items[out->count] = (struct pn_judge_reason){
			s->row, &out->whys[out->count],
			pn_arena_copy(&out->arena, collector,
				      strlen(collector))};
		out->count++;
		return true;
	}
	if (fits)
		pn_why_release(&out->whys[out->count]);
	pn_profile_release(&p[0]);
	pn_profile_release(&p[1]);
	return false;
}

/* By its own profiles, or by those of another collector. */
static void explain_row(struct pn_reasons *out, const struct pn_judge_sides *s)
{
	const char *own = s->row->course->key.series.collector;
	size_t i;

	if (explain(out, s, own))
		return;
	for (i = 0; i < s->counts[1]; i++)
		if (strcmp(s->series[1][i].series.collector, own) != 0 &&
		    pn_judge_sides_same_job(s, &s->series[1][i].series) &&
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

/* Of a row that changed: its commits, and what they have. */
static bool look_up(struct pn_judge_sides *s, struct pn_arena *arena,
		    const struct pn_judge_report *report, size_t row)
{
	const struct pn_judge_row *of = &report->judge->rows[row];

	return pn_judge_direction(of->verdict) &&
	       pn_judge_sides_find(s, arena, report, of);
}

/* In a partial clone the bodies of the rows that come first, together. */
static void fetch_bodies(struct pn_judge_sides *s, struct pn_arena *arena,
			 const struct pn_judge_report *report)
{
	struct pn_bodies_wanted *wanted = pn_bodies_wanted_new(s->repo);
	size_t i, rows = 0;

	for (i = 0; wanted && rows < PN_REASONS_MAX && i < report->judge->count;
	     i++)
		if (look_up(s, arena, report, i)) {
			pn_judge_sides_want(wanted, s, NULL);
			rows++;
		}
	pn_bodies_wanted_end(wanted);
}

void pn_reasons_find(struct pn_reasons *out, struct pn_repo *repo,
		     struct pn_notes *notes,
		     const struct pn_judge_report *report)
{
	struct pn_judge_sides s = {.repo = repo, .notes = notes};
	struct pn_arena arena = {0};
	size_t i;

	fetch_bodies(&s, &arena, report);
	for (i = 0; i < report->judge->count && out->count < PN_REASONS_MAX;
	     i++)
		if (!pn_reasons_has(out, &report->judge->rows[i]) &&
		    look_up(&s, &arena, report, i))
			explain_row(out, &s);
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
