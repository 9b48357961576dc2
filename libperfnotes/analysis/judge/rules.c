/* The rules by which one metric is judged. */
#include "analysis/judge/rule.h"

#include "base/alloc.h"
#include "detect/history/history.h"
#include "detect/pair.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define RECENT 5	/* commits back that a change is confirmed anew */
#define SURE_P 1e-4	/* of two commits in a row */
#define SURE_RECORD 1.5 /* by the farthest of earlier commits */
#define LEAST_ERRORS 20
#define LEAST_BASE 5
#define LEAST_SHARE 0.4	  /* of each of both, by their mean */
#define SESSIONS_KNOWN 10 /* errors that tell the noise between sessions */
#define BASE_AWAY 2.5	  /* standard errors: the base has left its level */
#define BASE_SHARE 0.5	  /* of what the target is off by, and of the base's */
#define ALPHA 0.01

/* A ratio of values that may be turned over, of those that were measured. */
static double as_measured(const struct pn_judge_past *past, double ratio)
{
	return past->turned ? 1 / ratio : ratio;
}

/* The least effect that counts, of values that may be turned over: a tenth more
 * is an eleventh less. That a tenth less is a ninth more is left to `hold`. */
static double least_turned(const struct pn_judge_row *row,
			   const struct pn_judge_past *past)
{
	return past->turned ? row->min_effect / (1 + row->min_effect)
			    : row->min_effect;
}

/* Of values that were turned over: an effect that counts only so is none. */
static void hold(struct pn_judge_row *row, const struct pn_judge_past *past)
{
	if (past->turned && !isnan(row->least_effect))
		row->least_effect = fmax(row->least_effect, row->min_effect);
	if (!past->turned || row->verdict == PN_VERDICT_UNKNOWN ||
	    row->method == PN_JUDGE_TWICE ||
	    pn_verdict_counts(row->ratio - 1, row->min_effect))
		return;
	row->verdict = PN_VERDICT_NO_CHANGE;
	row->doubt = PN_JUDGE_SURE;
}

/* Ratios of turned values, as they were. */
static void turn(struct pn_judge_row *row, const struct pn_judge_past *past)
{
	double low = row->low;

	if (!past->turned)
		return;
	row->ratio = 1 / row->ratio;
	row->low = 1 / row->high;
	row->high = 1 / low;
	row->before = 1 / row->before;
	row->after = 1 / row->after;
	hold(row, past);
}

static enum pn_verdict verdict_of(double effect, bool sure)
{
	if (effect > 0)
		return sure ? PN_VERDICT_DEGRADATION
			    : PN_VERDICT_MAYBE_DEGRADATION;
	return sure ? PN_VERDICT_OPTIMIZATION : PN_VERDICT_MAYBE_OPTIMIZATION;
}

/* The median of the last commit as it was measured. */
static double find_before(const struct pn_course *course,
			  const struct pn_judge_past *past)
{
	const struct pn_course_point *point = course->points;

	while (point->commit != past->numbers[past->count - 1])
		point++;
	return pn_stats_median(point->runs, point->count);
}

static double exact_share(const struct pn_judge_row *row)
{
	double named = row->course->rule.min_effect;

	return isnan(named) ? PN_JUDGE_MIN_EXACT : named;
}

double pn_judge_least(const struct pn_judge_row *row, double before)
{
	return fmax(exact_share(row) * fabs(before), row->min_delta);
}

/* Values as they were measured: nothing is turned over. */
void pn_judge_exactly(struct pn_judge_row *row,
		      const struct pn_judge_past *past)
{
	double worse = row->course->key.better == PN_BETTER_MORE ? -1 : 1,
	       least;
	size_t last = past->count - 1;

	row->method = PN_JUDGE_EXACT;
	row->before = find_before(row->course, past);
	row->after = pn_course_target(row->course)->runs[0];
	row->n[0] = past->commits[last].count;
	row->noise = 0;
	least = pn_judge_least(row, row->before);
	row->min_effect = row->before < 0 || row->before > 0
				  ? least / fabs(row->before)
				  : exact_share(row);
	/* an amount is no share of 0 */
	if (row->before < 0 || row->before > 0 || !(row->min_delta > 0))
		row->least_effect = row->min_effect;
	row->from = 0;
	row->to = past->numbers[last] - 1;
	if (row->before > 0 && row->after >= 0) {
		row->ratio = row->after / row->before;
		row->low = row->high = row->ratio;
	}
	if (row->before == row->after ||
	    !pn_verdict_counts(row->after - row->before, least))
		row->verdict = PN_VERDICT_NO_CHANGE;
	else
		row->verdict =
			verdict_of(worse * (row->after - row->before), true);
}

/* Wider by what sessions of one commit differ by: `sd` of a commit's median, as
 * a logarithm. */
static void widen(struct pn_judge_row *row, const struct pn_latest *latest)
{
	double se = latest->sd * sqrt(2), effect = log(row->ratio);
	double reach = pn_stats_t_critical(0.05, latest->df) * se;

	row->p = fmax(row->p, pn_stats_t_both(effect / se, latest->df));
	row->low = fmin(row->low, exp(effect - reach));
	row->high = fmax(row->high, exp(effect + reach));
	row->noise = latest->sd;
	row->least_effect = fmax(row->least_effect, latest->least_effect);
	if (row->verdict == PN_VERDICT_NO_CHANGE || row->p < ALPHA)
		return;
	row->verdict = row->p < 2 * ALPHA ? verdict_of(effect, false)
					  : PN_VERDICT_NO_CHANGE;
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * The change is that of the medians, as they are shown beside it, and lies in
 * its interval; diff has the same. Where they do not move as the tests say the
 * typical run has not changed, but perhaps the rare ones.
 */
static void take_medians(struct pn_judge_row *row,
			 const struct pn_pair_verdict *pair, double least)
{
	double ratio = row->after / row->before;
	bool slower = pair->ratio > 1;

	row->ratio = ratio;
	row->low = fmin(pair->low, ratio);
	row->high = fmax(pair->high, ratio);
	if (row->verdict == PN_VERDICT_NO_CHANGE ||
	    row->verdict == PN_VERDICT_UNKNOWN ||
	    (slower == (ratio > 1) && pn_verdict_counts(ratio - 1, least)))
		return;
	row->verdict = PN_VERDICT_NO_CHANGE;
	row->least_effect = fmax(row->least_effect, fabs(pair->ratio - 1));
}

void pn_judge_pair(struct pn_judge_row *row, const struct pn_judge_past *past)
{
	const struct pn_latest_commit *base = &past->commits[past->count - 1];
	const struct pn_latest_commit *target = &past->target;
	struct pn_pair_options o = PN_PAIR_DEFAULTS;
	struct pn_latest_options lo = PN_LATEST_DEFAULTS;
	double before = find_before(row->course, past);
	struct pn_latest latest;
	struct pn_pair_verdict pair;

	o.min_effect = lo.min_effect = least_turned(row, past);
	if (before > 0)
		o.min_effect_exact = pn_judge_least(row, before) / before;
	pn_pair_of(&pair, base->runs, base->count, target->runs, target->count,
		   &o);
	row->method = PN_JUDGE_PAIR;
	row->verdict = pair.verdict;
	row->ratio = pair.ratio;
	row->low = pair.low;
	row->high = pair.high;
	row->p = pair.p;
	row->noise = pair.noise;
	row->least_effect = pair.least_effect;
	row->before = past->medians[past->count - 1];
	row->after = pn_stats_median(target->runs, target->count);
	if (past->positive && pair.method == PN_PAIR_TESTS)
		take_medians(row, &pair, o.min_effect);
	row->n[0] = base->count;
	row->from = 0;
	row->to = past->numbers[past->count - 1] - 1;
	if (pair.method == PN_PAIR_EXACT && past->clocked)
		pn_judge_clock(row, find_before(row->course, past),
			       pn_course_target(row->course)->runs[0],
			       least_of(base->count, target->count),
			       target->count);
	if (row->verdict == PN_VERDICT_UNKNOWN) {
		if (row->doubt == PN_JUDGE_SURE)
			row->doubt = PN_JUDGE_FEW;
		if (past->positive)
			row->ratio = row->after / row->before;
	} else if (past->positive) {
		pn_latest_of(&latest, past->commits, past->count, target->runs,
			     target->count, &lo);
		if (latest.method == PN_LATEST_TEST &&
		    latest.errors >= SESSIONS_KNOWN)
			widen(row, &latest);
		else if (pair.method == PN_PAIR_TESTS)
			row->doubt = PN_JUDGE_SESSIONS;
	}
	turn(row, past);
}

/* The first commit of the level that was accepted; `count` where the target is
 * it, or nothing was. */
static size_t first_accepted(const struct pn_judge_past *past,
			     const struct pn_course *course)
{
	size_t i = 0;

	if (!course->accepted)
		return past->count;
	while (i < past->count && past->numbers[i] > course->accepted_from)
		i++;
	return i;
}

/* Which segment each commit of the past is in: an accepted change begins one,
 * whether it was found or not. */
static void set_segments(struct pn_latest_commit *commits, size_t count,
			 const struct pn_change_points *history,
			 size_t accepted)
{
	size_t i, next = 0;

	for (i = 0; i < count; i++) {
		while (next < history->count && history->changes[next].at <= i)
			next++;
		commits[i].segment = 2 * next + (i >= accepted);
	}
}

static void take_latest(struct pn_judge_row *row,
			const struct pn_judge_past *past,
			const struct pn_latest *l)
{
	double reach = pn_stats_t_critical(0.05, l->df) * l->se;

	row->method = PN_JUDGE_PAST;
	row->verdict = l->verdict;
	row->before = l->level;
	row->ratio = 1 + l->effect;
	row->after = l->level * row->ratio;
	row->low = row->ratio * exp(-reach);
	row->high = row->ratio * exp(reach);
	/* of both sides: that a commit lies as far off, up or down */
	row->p = fmin(1, 2 * l->p);
	row->n[0] = l->base;
	row->noise = l->sd;
	/* nor would be what is asked to be none */
	row->least_effect = fmax(l->least_effect, row->min_effect);
	row->flagged = l->flagged;
	row->delta = l->delta;
	row->start = l->start;
	row->run_variance = l->run_variance;
	row->from = 0;
	row->to = past->numbers[past->count - 1] - 1;
}

/* Both of the last two commits are off on one side: their mean beside the past
 * without them. */
static void look_at_two(struct pn_judge_row *row,
			const struct pn_judge_past *past,
			const struct pn_latest_options *o)
{
	const struct pn_latest_commit *last = &past->commits[past->count - 1];
	double here, there, mean, wider, share;
	struct pn_latest l, before;

	pn_latest_of(&l, past->commits, past->count - 1, past->target.runs,
		     past->target.count, o);
	if (l.method != PN_LATEST_TEST || l.errors < LEAST_ERRORS ||
	    l.base < LEAST_BASE)
		return;
	pn_latest_of(&before, past->commits, past->count - 1, last->runs,
		     last->count, o);
	here = log1p(l.effect);
	there = log1p(before.effect);
	mean = (here + there) / 2;
	share = l.se / l.sd * (l.se / l.sd) - 1;
	wider = sqrt(0.5 + share);
	if (fmin(here / mean, there / mean) < LEAST_SHARE ||
	    pn_stats_t_upper(fabs(mean) / (l.sd * wider), l.df) >= SURE_P ||
	    !pn_verdict_counts(expm1(mean), o->min_effect))
		return;
	/* `worst` is of the side that this commit is on, and of the other
	 * commit's the same */
	if (fabs(mean) / wider <= SURE_RECORD * l.worst)
		return;
	take_latest(row, past, &l);
	row->method = PN_JUDGE_TWICE;
	row->verdict = verdict_of(mean, true);
	row->p = pn_stats_t_both(mean / (l.sd * wider), l.df);
	row->to = past->numbers[past->count - 2] - 1;
}

bool pn_judge_is_sure(const struct pn_judge_past *past,
		      const struct pn_change_point *change,
		      const struct pn_change_points *before, double min_effect)
{
	return pn_change_point_is_confirmed(change, before) &&
	       pn_verdict_counts(as_measured(past, 1 + change->effect) - 1,
				 min_effect);
}

static bool was_sure(const struct pn_change_points *before, size_t at)
{
	size_t i;

	for (i = 0; i < before->count; i++)
		if (before->changes[i].at + 2 >= at &&
		    before->changes[i].at <= at + 2 &&
		    pn_change_point_is_confirmed(&before->changes[i], NULL))
			return true;
	return false;
}

static void take_change(struct pn_judge_row *row,
			const struct pn_judge_past *past,
			const struct pn_change_point *c)
{
	size_t first = c->from < past->count ? past->numbers[c->from] : 0;

	row->method = PN_JUDGE_HISTORY;
	row->verdict = verdict_of(c->effect, true);
	row->before = c->before;
	row->after = c->after;
	row->ratio = 1 + c->effect;
	row->low = 1 + c->low;
	row->high = 1 + c->high;
	row->p = 1 - c->confidence;
	row->to = c->from ? past->numbers[c->from - 1] - 1 : first;
	row->from = c->to < past->count ? past->numbers[c->to] : 0;
	row->doubt = PN_JUDGE_SURE;
}

/* The number of a commit by its place, of which the target's is the last. */
static size_t number_at(const struct pn_judge_past *past, size_t place)
{
	return place < past->count ? past->numbers[place] : 0;
}

static void stand(struct pn_judge_row *row, const struct pn_judge_past *past,
		  double ratio, size_t at, size_t from, size_t to)
{
	row->stands = (struct pn_judge_stands){
		.ratio = as_measured(past, ratio),
		.commit = number_at(past, at),
		.from = number_at(past, to),
		.to = from ? past->numbers[from - 1] - 1 : number_at(past, 0)};
}

/* What the level that holds began with. */
static void find_standing(struct pn_judge_row *row,
			  const struct pn_judge_past *past,
			  const struct pn_change_points *now,
			  const struct pn_change_points *before,
			  size_t accepted)
{
	size_t i = now->count;

	while (i && !pn_judge_is_sure(past, &now->changes[i - 1], before,
				      row->min_effect))
		i--;
	if (i-- && now->changes[i].effect > 0 &&
	    !(row->course->accepted && now->changes[i].at <= accepted + 1))
		stand(row, past, 1 + now->changes[i].effect, now->changes[i].at,
		      now->changes[i].from, now->changes[i].to);
}

void pn_judge_standing_count(struct pn_judge_row *row,
			     const struct pn_judge_past *past)
{
	const double *m = past->medians;
	size_t i = past->count - 1, accepted;

	if (row->verdict != PN_VERDICT_NO_CHANGE || !past->positive)
		return;
	accepted = first_accepted(past, row->course);
	while (i && !pn_verdict_counts(as_measured(past, m[i] / m[i - 1]) - 1,
				       row->min_effect))
		i--;
	if (i && m[i] > m[i - 1] &&
	    !(row->course->accepted && i <= accepted + 1))
		stand(row, past, m[i] / m[i - 1], i, i, i);
}

/* A change of the last few commits that this one makes sure. */
static void look_at_changes(struct pn_judge_row *row,
			    const struct pn_judge_past *past,
			    const struct pn_change_points *before,
			    size_t accepted)
{
	double *values = pn_calloc(past->count + 1, sizeof(*values));
	struct pn_change_points now;
	size_t i;

	for (i = 0; i < past->count; i++)
		values[i] = past->medians[i];
	values[i] = pn_stats_median(past->target.runs, past->target.count);
	pn_change_points_of(&now, values, past->count + 1);
	for (i = now.count; i-- > 0;) {
		const struct pn_change_point *c = &now.changes[i];

		if (c->at + RECENT < past->count)
			break;
		if ((row->course->accepted && c->at <= accepted + 1) ||
		    !pn_judge_is_sure(past, c, before, row->min_effect) ||
		    was_sure(before, c->at))
			continue;
		take_change(row, past, c);
		break;
	}
	if (row->method != PN_JUDGE_HISTORY)
		find_standing(row, past, &now, before, accepted);
	pn_change_points_release(&now);
	free(values);
}

/* The newest change up to the base that the target makes sure, if any, begins a
 * segment. */
static void begin_at_changes(const struct pn_judge_past *past,
			     const struct pn_change_points *before,
			     size_t segment)
{
	double *values = pn_calloc(past->count + 1, sizeof(*values));
	struct pn_change_points now;
	size_t i, k;

	for (i = 0; i < past->count; i++)
		values[i] = past->medians[i];
	values[i] = pn_stats_median(past->target.runs, past->target.count);
	pn_change_points_of(&now, values, past->count + 1);
	for (i = now.count; i-- > 0;) {
		const struct pn_change_point *c = &now.changes[i];

		if (c->at >= past->count ||
		    !pn_change_point_is_confirmed(c, before))
			continue;
		for (k = c->at; k < past->count; k++)
			past->commits[k].segment += segment;
		break;
	}
	pn_change_points_release(&now);
	free(values);
}

/*
 * A range begins behind its base, and what came up to the base is not of it:
 * the level is the one that holds there, even where only the target makes sure
 * that it does, or the base alone is on it.
 */
static void begin_at_base(const struct pn_judge_past *past,
			  const struct pn_change_points *before,
			  const struct pn_latest_options *o)
{
	struct pn_latest_commit *last = &past->commits[past->count - 1];
	size_t segment = 2 * (before->count + 1); /* none has such a number */
	struct pn_latest base, target;
	double there, here;

	begin_at_changes(past, before, segment);
	pn_latest_of(&base, past->commits, past->count - 1, last->runs,
		     last->count, o);
	pn_latest_of(&target, past->commits, past->count - 1, past->target.runs,
		     past->target.count, o);
	if (base.method != PN_LATEST_TEST || target.method != PN_LATEST_TEST)
		return;
	there = log1p(base.effect);
	here = log1p(target.effect);
	if (there * here > 0 && fabs(there) > BASE_AWAY * base.se &&
	    fabs(there) >= BASE_SHARE * fabs(here) &&
	    fabs(here) >= BASE_SHARE * fabs(there))
		last->segment += 2 * segment;
}

/* Too few commits for their noise to be known: what the runs of both sessions
 * say, which is no proof. */
static void judge_young(struct pn_judge_row *row,
			const struct pn_judge_past *past)
{
	int direction;

	pn_judge_pair(row, past);
	row->doubt = PN_JUDGE_FEW;
	direction = pn_judge_direction(row->verdict);
	if (direction)
		row->verdict = verdict_of(direction, false);
	else
		row->verdict = PN_VERDICT_UNKNOWN;
}

void pn_judge_latest(struct pn_judge_row *row, const struct pn_judge_past *past,
		     double session, const struct pn_judge_options *options)
{
	struct pn_latest_options o = PN_LATEST_DEFAULTS;
	struct pn_change_points before;
	struct pn_latest latest;
	size_t accepted;
	bool looks_back;

	o.min_effect = least_turned(row, past);
	o.session = session;
	pn_change_points_of(&before, past->medians, past->count);
	accepted = first_accepted(past, row->course);
	set_segments(past->commits, past->count, &before, accepted);
	if (!before.count)
		pn_judge_levels(past, pn_judge_last_digit(row->course));
	if (options->range)
		begin_at_base(past, &before, &o);
	pn_latest_of(&latest, past->commits, past->count, past->target.runs,
		     past->target.count, &o);
	if (latest.method == PN_LATEST_EXACT) {
		pn_judge_exactly(row, past);
		if (past->clocked)
			pn_judge_clock(row, row->before, row->after,
				       past->count, past->target.count);
	} else if (latest.method == PN_LATEST_NONE) {
		judge_young(row, past);
	} else {
		take_latest(row, past, &latest);
		if (!past->clocked && past->target.count == 1)
			pn_judge_round(row, past, past->turned);
		/* what else may be sure is of commits of the past */
		looks_back = fabs(session) <= PN_JUDGE_SESSION_MOST &&
			     !options->range;
		if (!pn_judge_direction(row->verdict) && looks_back &&
		    row->p < 0.1 && past->count > 2 &&
		    accepted != past->count - 1)
			look_at_two(row, past, &o);
		turn(row, past);
		if (!pn_judge_direction(row->verdict) && looks_back) {
			look_at_changes(row, past, &before, accepted);
			if (row->method == PN_JUDGE_HISTORY)
				turn(row, past);
		}
	}
	pn_change_points_release(&before);
}
