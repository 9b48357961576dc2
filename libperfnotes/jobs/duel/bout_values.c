/* Which figures of a run a duel is about. */
#include "jobs/duel/bout.h"

#include "model/machine/quiet.h"

#include <math.h>
#include <string.h>

#define WAITING_SHARE                                                          \
	0.5 /* of wall: less processor time in all runs is waiting */

/* NaN: the run has no such value. */
static double value_of(const struct pn_profile *p, const char *name)
{
	const struct pn_metric *m = pn_profile_metric(p, name);

	if (m)
		return m->value_count ? m->values[0] : (double)NAN;
	if (!strcmp(name, PN_DUELLED_CPU))
		return value_of(p, "user") + value_of(p, "sys");
	return (double)NAN;
}

static void add(struct pn_bout *bout, const struct pn_profile *p,
		const char *name)
{
	const struct pn_metric *m = pn_profile_metric(p, name);
	struct pn_duelled *told = &bout->told;

	told->metrics[told->metric_count] = (struct pn_duelled_metric){
		.name = pn_arena_copy(&bout->arena, name, strlen(name)),
		.unit = m ? pn_arena_copy(&bout->arena,
					  pn_profile_text(p, m->unit),
					  strlen(pn_profile_text(p, m->unit)))
			  : "ns",
		.more_is_better = m && m->better == PN_BETTER_MORE,
		.duel = &bout->duels[told->metric_count]};
	told->metric_count++;
}

static int say_what_there_is(const struct pn_bout *bout,
			     const struct pn_profile *p, struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; i < p->metric_count; i++)
		pn_buf_printf(&names, "%s%s", i ? ", " : "",
			      pn_profile_text(p, p->metrics[i].name));
	pn_error_set(err, PN_ENOTFOUND, "no metric '%s', there are: %s",
		     bout->metric, pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_ENOTFOUND;
}

/* What judges first, then wall, where there is such a metric. */
static int choose_metrics(struct pn_bout *bout, const struct pn_profile *p,
			  struct pn_error *err)
{
	bool is_time = bout->job->with == &pn_collector_time;
	const char *first = bout->metric;

	if (!p->metric_count)
		return pn_error_set(err, PN_ENOTFOUND, "it has no figure");
	if (!first)
		first = is_time ? PN_DUELLED_CPU
				: pn_profile_text(p, p->metrics[0].name);
	if (isnan(value_of(p, first)))
		return bout->metric
			       ? say_what_there_is(bout, p, err)
			       : pn_error_set(err, PN_ENOTFOUND,
					      "metric '%s' has no values of "
					      "runs",
					      first);
	add(bout, p, first);
	if (strcmp(first, "wall") != 0 && !isnan(value_of(p, "wall")))
		add(bout, p, "wall");
	bout->has_metrics = true;
	return 0;
}

int pn_bout_values(struct pn_bout *bout, size_t side, struct pn_error *err)
{
	struct pn_bout_side *s = &bout->sides[side];
	struct pn_profile run;
	size_t i;
	int code;

	pn_profile_init(&run);
	code = pn_measure_run(&run, s->measure, 0, s->runs - 1, err);
	if (!code && !bout->has_metrics)
		code = choose_metrics(bout, &run, err);
	for (i = 0; !code && i < bout->told.metric_count; i++) {
		s->values[i] = value_of(&run, bout->told.metrics[i].name);
		if (!isfinite(s->values[i]))
			code = pn_error_set(err, PN_ENOTFOUND,
					    "a run has no value of '%s'",
					    bout->told.metrics[i].name);
	}
	pn_profile_release(&run);
	return code;
}

/* Of the run that could compute most of its time. */
static double best_share(const struct pn_duel *cpu, const struct pn_duel *wall)
{
	double best = 0;
	size_t i;

	for (i = 0; i < cpu->count; i++) {
		best = fmax(best, cpu->a[i] / wall->a[i]);
		best = fmax(best, cpu->b[i] / wall->b[i]);
	}
	return best;
}

/* Where no processor is left idle, whoever does not run may have to. */
static bool may_all_run(const struct pn_bout *bout)
{
	struct pn_quiet quiet;

	pn_measure_quiet(&quiet, bout->sides[PN_DUEL_BASE].measure);
	return !(quiet.idle < PN_QUIET_IDLE);
}

/* What was said alone does not count where several are judged together. */
static void swap_rules(struct pn_bout *bout)
{
	struct pn_duel *judge = &bout->duels[1];

	if (!bout->rule.jointly || bout->whole)
		return;
	bout->duels[0].rule.jointly = false;
	judge->rule.jointly = true;
	if (judge->last.decision == PN_DUEL_SLOWER ||
	    judge->last.decision == PN_DUEL_FASTER)
		judge->last.decision = PN_DUEL_UNDECIDED;
}

void pn_bout_choose(struct pn_bout *bout)
{
	struct pn_duelled_metric *m = bout->told.metrics, first = m[0];

	if (bout->metric || bout->job->with != &pn_collector_time ||
	    bout->told.metric_count < 2 || bout->told.waits)
		return;
	bout->told.waits = best_share(m[0].duel, m[1].duel) < WAITING_SHARE &&
			   may_all_run(bout);
	if (!bout->told.waits)
		return;
	m[0] = m[1];
	m[1] = first;
	swap_rules(bout);
}
