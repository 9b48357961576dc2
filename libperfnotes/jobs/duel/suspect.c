/* What the past of a commit lets suspect. */
#include "jobs/duel/suspect.h"

#include "jobs/judge/check.h"
#include "model/unit.h"

#include <string.h>

/* The first metric, and times only: what judges the duel of a job. */
static bool is_suspect(const struct pn_judge_report *report,
		       const struct pn_judge_row *row,
		       const struct pn_oid *base)
{
	const struct pn_figure *key = &row->course->key;
	size_t before = row->to + 1;

	return row->headline && row->flagged && row->delta > 0 &&
	       row->run_variance > 0 && key->better == PN_BETTER_LESS &&
	       !strcmp(pn_unit_base(key->unit), "ns") &&
	       before < report->commit_count &&
	       pn_oid_equal(&report->commits[before].id, base);
}

static struct pn_duel_suspicion *find(struct pn_duel_suspicions *all,
				      const struct pn_series *series)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		if (!strcmp(all->items[i].job, series->job) &&
		    !strcmp(all->items[i].collector, series->collector) &&
		    !strcmp(all->items[i].workload, series->workload))
			return &all->items[i];
	return NULL;
}

/* Of several series of a job what speaks most for a slowdown counts. */
static void add(struct pn_duel_suspicions *all, const struct pn_judge_row *row)
{
	const struct pn_series *series = &row->course->key.series;
	struct pn_duel_suspicion *s = find(all, series);

	if (s && s->futility.start >= row->start)
		return;
	if (!s) {
		s = &all->items[all->count++];
		s->job = pn_arena_copy(&all->arena, series->job,
				       strlen(series->job));
		s->collector = pn_arena_copy(&all->arena, series->collector,
					     strlen(series->collector));
		s->workload = pn_arena_copy(&all->arena, series->workload,
					    strlen(series->workload));
	}
	s->margin = row->min_effect;
	s->futility = (struct pn_duel_futility){row->delta, row->run_variance,
						row->start};
}

void pn_duel_suspect(struct pn_duel_suspicions *out, struct pn_repo *repo,
		     const struct pn_oid *target, const struct pn_oid *base,
		     const char *machine)
{
	struct pn_check check = {.nothing = false};
	size_t i;

	if (pn_check_commit(&check, repo, target, machine)) {
		out->items = pn_arena_array(&out->arena, check.judge.count,
					    sizeof(*out->items));
		for (i = 0; i < check.judge.count; i++)
			if (is_suspect(&check.report, &check.judge.rows[i],
				       base))
				add(out, &check.judge.rows[i]);
	}
	pn_check_release(&check);
}

void pn_duel_suspicions_release(struct pn_duel_suspicions *suspicions)
{
	pn_arena_release(&suspicions->arena);
	memset(suspicions, 0, sizeof(*suspicions));
}
