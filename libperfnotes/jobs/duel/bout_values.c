/* Which figures of a run a duel is about. */
#include "jobs/duel/bout.h"

#include "base/text/similar.h"
#include "collect/facts/quiet.h"
#include "detect/duel/waiting.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

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
	pn_similar_say(&names, bout->metric, strlen(bout->metric));
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

/* How much longer than it computes a program may take here. */
static double stretch(const struct pn_bout *bout, bool *has_idle)
{
	struct pn_quiet quiet;

	pn_measure_quiet(&quiet, bout->sides[PN_DUEL_BASE].measure);
	*has_idle = !(quiet.idle < PN_QUIET_IDLE);
	return pn_quiet_stretch(&quiet, bout->load,
				fmax((double)sysconf(_SC_NPROCESSORS_ONLN), 1));
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

static bool may_wait(const struct pn_bout *bout)
{
	return !bout->metric && bout->job->with == &pn_collector_time &&
	       bout->told.metric_count >= 2 && !bout->told.waits;
}

static void judge_by_wall(struct pn_bout *bout)
{
	struct pn_duelled_metric *m = bout->told.metrics, first = m[0];

	bout->told.waits = true;
	m[0] = m[1];
	m[1] = first;
}

void pn_bout_choose(struct pn_bout *bout)
{
	const struct pn_duelled_metric *m = bout->told.metrics;
	bool has_idle;
	double longest;

	if (!may_wait(bout))
		return;
	/* a processor that nobody else wants is not waited for */
	longest = stretch(bout, &has_idle);
	if (!pn_duel_waits(m[0].duel, m[1].duel, has_idle ? 1 : longest))
		return;
	judge_by_wall(bout);
	swap_rules(bout);
}

void pn_bout_choose_again(struct pn_bout *bout)
{
	const struct pn_duelled_metric *m = bout->told.metrics;
	bool has_idle;

	if (!may_wait(bout) || bout->whole ||
	    m[0].duel->count < PN_DUEL_MIN_PAIRS ||
	    m[0].duel->last.decision == m[1].duel->last.decision)
		return;
	if (pn_duel_waits_longer(m[0].duel, m[1].duel, stretch(bout, &has_idle),
				 bout->among) != PN_DUEL_UNDECIDED)
		judge_by_wall(bout);
}
