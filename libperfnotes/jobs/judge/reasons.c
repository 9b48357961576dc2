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

void pn_reasons_find(struct pn_reasons *out, struct pn_repo *repo,
		     struct pn_notes *notes,
		     const struct pn_judge_report *report)
{
	struct pn_judge_sides s = {.repo = repo, .notes = notes};
	struct pn_arena arena = {0};
	size_t i;

	for (i = 0; i < report->judge->count && out->count < PN_REASONS_MAX;
	     i++) {
		const struct pn_judge_row *row = &report->judge->rows[i];

		if (pn_judge_direction(row->verdict) &&
		    !pn_reasons_has(out, row) &&
		    pn_judge_sides_find(&s, &arena, report, row))
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
