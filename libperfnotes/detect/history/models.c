/*
 * The models of a history. Those that explain a course without changes
 * (correlated noise, a level that wanders, a machine that is slow for a while)
 * are tried only where there is something to explain away.
 */
#include "detect/history/models.h"

#include "base/alloc.h"
#include "detect/history/density.h"
#include "detect/history/drift.h"
#include "detect/history/pass.h"
#include "detect/history/slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MODELS 20
#define ROUNDS 3 /* of learning the density; of the slow state: */
#define SLOW_ROUNDS 4
/* What a model's evidence has to be better by, as it has more to choose. */
#define CHARGE_CUT 4.0
#define CHARGE_CORRELATED 4.0
#define CHARGE_WANDERS 1.5
#define CHARGE_SLOW 2.0
/* Further models of a kind are not tried when one is worse by so much, than
 * the best of the others, than the best of its kind. */
#define WORSE 2.0
#define WORSE_AGAIN 1.0
#define IN_QUESTION 8.0 /* models that are not worse than this */
#define SOMETHING 0.3	/* mass of a change that is worth explaining */
#define CORRELATED 0.05 /* residuals, from which on it is tried */
#define CORRELATIONS (sizeof(correlations) / sizeof(*correlations))
#define FIRST 1 /* of those where nothing says which */
static const double correlations[] = {0.2, 0.4, 0.6, 0.8, 0.93};
/* A model that has not learned to the end is given up when it is worse by so
 * much than another one after as many rounds, and by what learning brought to
 * the best plain one: it would count e^-30 or less. */
#define WORSE_BY_FAR 30.0
/*
 * The slow state's gap is only a guess in the first round, and learning brings
 * more to it than to the plain one: beside the best one that is correlated at
 * most GUESS_CORRELATED, beside others GUESS_GAIN and twice as much. Later
 * rounds bring at most LATER_GAIN. Of 2,350 guesses at 8,600 drawn histories
 * 530 counted, all of them within a half of that; where most values are those
 * before or a certain step from them, as of a coin's walk, 120 of 260 did,
 * within GUESS_GAIN_FAR and four times as much.
 */
#define USUAL_SD 3.5 /* cells: of noise that is not like that */
#define GUESS_CORRELATED 50.0
#define GUESS_SHARE 2.0
#define GUESS_GAIN 30.0
#define LATER_GAIN 20.0
#define GUESS_SHARE_FAR 4.0
#define GUESS_GAIN_FAR 150.0
/* One that learned to the end counts nothing when it is worse than another one
 * that did by so much. */
#ifdef PN_HISTORY_DOUBLE
#define COUNTS_NOTHING 30.0
#else
#define COUNTS_NOTHING 14.0
#endif
/* What the last round brings at most to correlated noise, of what the one
 * before it did and always: of 4,600 models 1 had more, and counted nothing. */
#define LAST_SHARE 0.25
#define LAST_GAIN 6.0
#define WORSE_IN_SOME 300.0 /* of all: four standard errors */
#define LEAST_SLOW 1.5	    /* commits expected in the slow state */
#define LEAST_VISITS 1.8

struct model {
	struct pn_noise noise;
	double *density;
	double scales[PN_GRID_MAX_PARTS];
	double *change, *level;
	double weight; /* log evidence of all values without the charge */
	double rounds[ROUNDS]; /* the same of some, after each round */
	int round;	       /* so many were */
	double least;	       /* weight after the first one to go on */
	bool learned;	       /* to the end, or does not learn */
};

struct models {
	const struct pn_grid *g;
	/* Some of its values, from which densities of a long history are
	 * learned; otherwise all. */
	struct pn_grid some;
	struct model all[MAX_MODELS];
	size_t count;
	double *residuals;
	struct pn_shelf shelf;
	double learned; /* by the best plain model, from its first round on */
};

static size_t table_size(const struct pn_grid *g)
{
	return 2 * (size_t)g->reach + 1;
}

static struct model *add_model(struct models *m, size_t parts)
{
	struct model *model = &m->all[m->count++];
	size_t n = m->g->n, size = parts * table_size(m->g);

	*model = (struct model){.noise.part_count = parts, .least = -INFINITY};
	model->density = pn_realloc_array(NULL, size, sizeof(double));
	model->noise.density = model->density;
	model->change = pn_realloc_array(NULL, 2 * n, sizeof(double));
	model->level = model->change + n;
	return model;
}

static void drop_model(struct models *m)
{
	struct model *model = &m->all[--m->count];

	free(model->density);
	free(model->change);
}

static double share_of_some(const struct models *m)
{
	return (double)m->some.n / (double)m->g->n;
}

/* A pass. Residuals are counted when `learn` is set, and levels only with a
 * slow state then, of which they tell. One with less evidence than `least` is
 * given up: it has none, and nothing else is known of it. */
static void run(struct models *m, struct model *model, double *slow, bool learn,
		double least)
{
	bool levels = !learn || slow;
	struct pn_pass pass = {.change = levels ? model->change : NULL,
			       .level = levels ? model->level : NULL,
			       .slow = slow,
			       .least = least,
			       .residuals = learn ? m->residuals : NULL};

	pn_pass_run(&pass, learn ? &m->some : m->g, &model->noise, &m->shelf);
	model->weight = isnan(pass.log_evidence) || pass.log_evidence < least
				? -INFINITY
				: pass.log_evidence;
}

/* Weight below which a model counts nothing beside those that have learned. */
static double least_weight(const struct models *m)
{
	double best = -INFINITY;
	size_t i;

	for (i = 0; i < m->count; i++)
		if (m->all[i].learned)
			best = fmax(best, m->all[i].weight);
	return best - COUNTS_NOTHING;
}

/* The same in the next round of one: what it may still learn comes to it. Of
 * correlated noise that is known before the last round. */
static double least_to_learn(const struct models *m, const struct model *model)
{
	double least = least_weight(m), first = model->rounds[0];

	if (model->round + 1 == ROUNDS)
		return least;
	if (!model->round)
		return model->least;
	if (!(model->noise.correlation > 0) || m->some.n < m->g->n)
		return -INFINITY;
	least -= LAST_GAIN;
	return least < first ? least
			     : (least + LAST_SHARE * first) / (1 + LAST_SHARE);
}

/* What learning brings to one more than to another of its kind; of some values
 * less is known than of all. */
static double off(const struct models *m)
{
	return WORSE_BY_FAR + (m->some.n < m->g->n ? WORSE_IN_SOME : 0);
}

/* The same of one of another kind. */
static double far_off(const struct models *m)
{
	return off(m) + m->learned;
}

/* One that begins to learn; not run. */
static struct model *begin(struct models *m, double correlation,
			   const double *scales, size_t parts)
{
	struct model *model = add_model(m, parts);
	size_t size = table_size(m->g), k;

	model->noise.correlation = correlation;
	for (k = 0; k < parts; k++) {
		model->scales[k] = scales[k];
		pn_density_begin(model->density + k * size, m->g,
				 scales[k] * sqrt(1 + correlation));
	}
	return model;
}

/* Scale and density are learned from the residuals of a pass with the former
 * ones: so many rounds more. */
static void learn_on(struct models *m, struct model *model, int rounds,
		     double charge)
{
	double wider = sqrt(1 + model->noise.correlation), least;
	size_t size = table_size(m->g), k;

	for (; rounds; rounds--) {
		least = least_to_learn(m, model) + charge;
		run(m, model, NULL, model->round + 1 < ROUNDS, least);
		model->weight -= charge;
		model->rounds[model->round++] = model->weight;
		model->learned = model->round == ROUNDS;
		if (model->learned)
			break;
		if (isfinite(least) && !isfinite(model->weight)) {
			model->weight = -INFINITY;
			model->round = ROUNDS;
			break;
		}
		model->weight /= share_of_some(m);
		for (k = 0; k < model->noise.part_count; k++)
			pn_density_learn(model->density + k * size, m->g,
					 m->residuals + k * size,
					 model->scales[k] * wider);
	}
}

static struct model *learn(struct models *m, double correlation,
			   const double *scales, size_t parts, double charge)
{
	struct model *model = begin(m, correlation, scales, parts);

	learn_on(m, model, ROUNDS, charge);
	return model;
}

/* Of those that have changes and levels: the first one always has. */
static const struct model *best_of(const struct models *m)
{
	const struct model *best = m->all;
	size_t i;

	for (i = 1; i < m->count; i++)
		if (m->all[i].learned && m->all[i].weight > best->weight)
			best = &m->all[i];
	return best;
}

static void learn_plain(struct models *m)
{
	const struct pn_grid *g = m->g;
	const struct model *best;

	learn(m, 0, &g->sd, 1, 0);
	if (g->wide > 1.35 * g->sd)
		learn(m, 0, &g->wide, 1, 0);
	if (g->narrow < g->sd / 1.35)
		learn(m, 0, &g->narrow, 1, 0);
	if (g->part_count > 1)
		learn(m, 0, g->part_sds, g->part_count,
		      CHARGE_CUT * (double)(g->part_count - 1));
	best = best_of(m);
	m->learned = fmax(0, best->rounds[ROUNDS - 2] - best->rounds[0]);
}

/* Whether a model that may be right has a change to explain. */
static bool is_in_question(const struct models *m)
{
	double least = best_of(m)->weight - IN_QUESTION, mass;
	size_t i, t, n = m->g->n;

	for (i = 0; i < m->count; i++) {
		const double *p = m->all[i].change;

		if (!m->all[i].learned || !(m->all[i].weight > least))
			continue;
		for (t = 4; t < n; t++) {
			mass = p[t - 4] + p[t - 3] + p[t - 2] + p[t - 1] + p[t];
			if (mass >= SOMETHING)
				return true;
		}
	}
	return false;
}

/* Neighbours of the best model's residuals. */
static bool is_correlated(const struct models *m)
{
	const struct model *best = best_of(m);
	const struct pn_grid *g = m->g;
	double *e = pn_realloc_array(NULL, g->n, sizeof(*e));
	double most = 4 * best->scales[0], mean = 0, products = 0, squares = 0;
	size_t i;

	for (i = 0; i < g->n; i++) {
		e[i] = fmax(-most, fmin(most, g->cells[i] - best->level[i]));
		mean += e[i] / (double)g->n;
	}
	for (i = 0; i < g->n; i++) {
		e[i] -= mean;
		squares += e[i] * e[i];
		products += i ? e[i] * e[i - 1] : 0;
	}
	free(e);
	return products > CORRELATED * squares;
}

/* A model with this correlation, of one round that is worth something. */
static struct model *correlate(struct models *m, const struct model *base,
			       double correlation, double least)
{
	struct model *model =
		begin(m, correlation, base->scales, base->noise.part_count);

	model->least = least;
	learn_on(m, model, 1, CHARGE_CORRELATED);
	return model;
}

static double finish(struct models *m, struct model *model)
{
	if (model->round < ROUNDS)
		learn_on(m, model, ROUNDS - model->round, CHARGE_CORRELATED);
	return model->weight;
}

/*
 * Of stronger and stronger correlations than number i until one is worse.
 * `last` is finished unless the next one is better by far, the better one
 * first: beside it the other one may be given up. Returns the best first round.
 *
 * Of 2,060 models of 1,670 drawn histories none counted (e^-14) whose first
 * round was worse by 30 than the best one, 4 were by more than 25.
 */
static double correlate_more(struct models *m, const struct model *base,
			     struct model *last, size_t i)
{
	double first = last->rounds[0], best = -INFINITY;
	struct model *next;

	while (++i < CORRELATIONS) {
		next = correlate(m, base, correlations[i], first - off(m));
		if (next->rounds[0] > first + off(m)) {
			first = next->rounds[0];
			last = next;
			continue;
		}
		if (next->rounds[0] > last->rounds[0])
			finish(m, next);
		best = fmax(best, finish(m, last));
		if (finish(m, next) < best - WORSE_AGAIN)
			break;
		first = fmax(first, next->rounds[0]);
		last = next;
	}
	finish(m, last);
	return first;
}

/* The same of weaker and weaker ones until one does not count; `first` is the
 * best first round. Returns the best weight of these. */
static double correlate_less(struct models *m, const struct model *base,
			     const struct model *last, size_t i, double first)
{
	double best = -INFINITY;
	struct model *next;

	while (i-- && last->rounds[0] >= first - off(m)) {
		next = correlate(m, base, correlations[i], first - off(m));
		if (!isfinite(finish(m, next)))
			break;
		best = fmax(best, next->weight);
		last = next;
	}
	return best;
}

/* Which one is tried first. */
static size_t likely_correlation(const struct pn_grid *g)
{
	double r = pn_drift_correlation_of_jumps(g->jumps, g->n - 1, g->sd);
	size_t i, best = FIRST;

	for (i = best; i < CORRELATIONS; i++)
		if (fabs(correlations[i] - r) < fabs(correlations[best] - r))
			best = i;
	return best;
}

static void learn_correlated(struct models *m)
{
	const struct model base = *best_of(m);
	double sure = base.rounds[0] + far_off(m), first, best;
	size_t i = likely_correlation(m->g);
	struct model *some = correlate(m, &base, correlations[i], -INFINITY);

	if (i != FIRST && some->rounds[0] < sure) {
		drop_model(m);
		i = FIRST;
		some = correlate(m, &base, correlations[i], -INFINITY);
	}
	if (some->rounds[0] < sure && !(finish(m, some) > base.weight - WORSE))
		return;
	if (i == FIRST) {
		first = correlate_more(m, &base, some, i);
		correlate_less(m, &base, some, i, first);
		return;
	}
	finish(m, some);
	best = correlate_less(m, &base, some, i, some->rounds[0]);
	if (some->weight >= best - WORSE_AGAIN)
		correlate_more(m, &base, some, i);
}

/* The best model as it is, but that levels wander. */
static double wander(struct models *m, const struct model *base, double by)
{
	size_t parts = base->noise.part_count;
	double charge = CHARGE_WANDERS + CHARGE_CUT * (double)(parts - 1) +
			(base->noise.correlation > 0 ? CHARGE_CORRELATED : 0);
	struct model *model = add_model(m, parts);

	memcpy(model->density, base->density,
	       parts * table_size(m->g) * sizeof(double));
	model->noise.correlation = base->noise.correlation;
	model->noise.wander = by;
	run(m, model, NULL, false, least_weight(m) + charge);
	model->weight -= charge;
	model->learned = true;
	return model->weight;
}

static void try_wandering(struct models *m)
{
	static const double most[] = {0.1, 0.3};
	const struct model base = *best_of(m);
	double best = wander(m, &base, 0.03), weight;
	size_t i;

	if (!(best > base.weight - WORSE))
		return;
	wander(m, &base, 0.01);
	for (i = 0; i < sizeof(most) / sizeof(*most); i++) {
		weight = wander(m, &base, most[i]);
		if (weight < best - WORSE_AGAIN)
			break;
		best = fmax(best, weight);
	}
}

/* Gap and rates by what the pass says of the slow state; false when there is
 * hardly one. */
static bool relearn_slow(struct model *model, const struct pn_grid *g,
			 const double *slow)
{
	double in = 0, visits = slow[0], usual_sum = 0, slow_sum = 0, r;
	size_t i;

	for (i = 0; i < g->n; i++) {
		in += slow[i];
		visits += i ? fmax(0, slow[i] - slow[i - 1]) : 0;
		r = g->cells[i] - model->level[i];
		slow_sum += slow[i] * r;
		usual_sum += (1 - slow[i]) * r;
	}
	if (in < LEAST_SLOW || visits < LEAST_VISITS || in >= (double)g->n)
		return false;
	model->noise.enter =
		fmin((visits + 0.5) / ((double)g->n - in + 10), 0.5);
	model->noise.leave = fmin(fmax((visits + 1) / (in + 2.5), 0.06), 0.95);
	model->noise.gap =
		(int)rint(slow_sum / in - usual_sum / ((double)g->n - in));
	return true;
}

/* What the evidence of a round has to be; `best` is that of a model which may
 * be correlated. */
static double least_slow(const struct models *m, double best, bool correlated,
			 int round)
{
	bool usual = m->g->sd <= USUAL_SD;

	if (round == SLOW_ROUNDS)
		return least_weight(m) + CHARGE_SLOW;
	best -= off(m);
	if (round > 1)
		return best -
		       (usual ? fmin(m->learned, LATER_GAIN) : m->learned);
	if (!usual)
		return best - GUESS_SHARE_FAR * m->learned - GUESS_GAIN_FAR;
	return best - (correlated ? GUESS_CORRELATED
				  : GUESS_SHARE * m->learned + GUESS_GAIN);
}

static void learn_slow(struct models *m, const struct pn_slow_guess *guess)
{
	double best = best_of(m)->weight * share_of_some(m);
	bool correlated = best_of(m)->noise.correlation > 0;
	struct model *model = add_model(m, 1);
	const struct pn_grid *g = m->g;
	double *slow = pn_realloc_array(NULL, g->n, sizeof(*slow));
	struct pn_noise used;
	bool there = true;
	int round;

	model->noise.gap = guess->gap;
	model->noise.enter = guess->enter;
	model->noise.leave = guess->leave;
	pn_density_begin(model->density, g, g->narrow);
	for (round = 1; there; round++) {
		run(m, model, slow, round < SLOW_ROUNDS,
		    least_slow(m, best, correlated, round));
		used = model->noise;
		there = isfinite(model->weight) &&
			relearn_slow(model, round < SLOW_ROUNDS ? &m->some : g,
				     slow);
		if (round == SLOW_ROUNDS)
			break;
		there = there && abs(model->noise.gap) >= 2;
		if (there)
			pn_density_learn(model->density, g, m->residuals,
					 g->narrow);
	}
	model->noise = used;
	model->weight -= CHARGE_SLOW;
	model->learned = true;
	free(slow);
	if (!there)
		drop_model(m);
}

static void try_slow_states(struct models *m)
{
	struct pn_slow_guess guesses[PN_SLOW_GUESSES];
	size_t count = pn_slow_guess(guesses, m->g, best_of(m)->change), i;

	for (i = 0; i < count; i++)
		learn_slow(m, &guesses[i]);
}

static void average(struct pn_belief *out, struct models *m)
{
	double best = best_of(m)->weight, sum = 0, share;
	size_t i, t, n = m->g->n;

	memset(out->change, 0, n * sizeof(*out->change));
	memset(out->level, 0, n * sizeof(*out->level));
	if (!isfinite(best))
		return;
	for (i = 0; i < m->count; i++)
		sum += m->all[i].learned ? exp(m->all[i].weight - best) : 0;
	/* what was given up before its last round says nothing of changes */
	for (i = 0; i < m->count; i++) {
		share = exp(m->all[i].weight - best) / sum;
		if (!m->all[i].learned || !(share > 0))
			continue;
		for (t = 0; t < n; t++) {
			out->change[t] += share * m->all[i].change[t];
			out->level[t] += share * m->all[i].level[t];
		}
	}
}

void pn_models_average(struct pn_belief *out, const struct pn_grid *grid)
{
	struct models m = {.g = grid};

	m.residuals =
		pn_realloc_array(NULL, PN_GRID_MAX_PARTS * table_size(grid),
				 sizeof(*m.residuals));
	pn_grid_choose_some(&m.some, grid);
	learn_plain(&m);
	if (is_in_question(&m)) {
		if (is_correlated(&m))
			learn_correlated(&m);
		try_wandering(&m);
		try_slow_states(&m);
	}
	average(out, &m);
	while (m.count)
		drop_model(&m);
	pn_grid_drop_some(&m.some, grid);
	pn_shelf_release(&m.shelf);
	free(m.residuals);
}
