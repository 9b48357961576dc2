/*
 * The models of a history. Those that explain a course without changes
 * (correlated noise, a level that wanders, a machine that is slow for a while)
 * are tried only where there is something to explain away.
 */
#include "detect/history/models.h"

#include "base/alloc.h"
#include "detect/history/density.h"
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
#define LEAST_SLOW 1.5	/* commits expected in the slow state */
#define LEAST_VISITS 1.8

struct model {
	struct pn_noise noise;
	double *density;
	double scales[PN_GRID_MAX_PARTS];
	double *change, *level;
	double weight; /* log evidence without the charge */
};

struct models {
	const struct pn_grid *g;
	struct model all[MAX_MODELS];
	size_t count;
	double *residuals;
};

static size_t table_size(const struct pn_grid *g)
{
	return 2 * (size_t)g->reach + 1;
}

static struct model *add_model(struct models *m, size_t parts)
{
	struct model *model = &m->all[m->count++];
	size_t n = m->g->n, size = parts * table_size(m->g);

	*model = (struct model){.noise.part_count = parts};
	model->density = pn_realloc_array(NULL, size, sizeof(double));
	model->noise.log_density = model->density;
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

/* A pass; residuals are counted when `learn` is set. */
static void run(struct models *m, struct model *model, double *slow, bool learn)
{
	struct pn_pass pass = {.change = model->change,
			       .level = model->level,
			       .slow = slow,
			       .residuals = learn ? m->residuals : NULL};

	pn_pass_run(&pass, m->g, &model->noise);
	model->weight = pass.log_evidence;
}

/* Scale and density are learned from the residuals of a pass with the former
 * ones. */
static struct model *learn(struct models *m, double correlation,
			   const double *scales, size_t parts, double charge)
{
	struct model *model = add_model(m, parts);
	double wider = sqrt(1 + correlation);
	size_t size = table_size(m->g), k;
	int round;

	model->noise.correlation = correlation;
	for (k = 0; k < parts; k++) {
		model->scales[k] = scales[k];
		pn_density_begin(model->density + k * size, m->g,
				 scales[k] * wider);
	}
	for (round = 1;; round++) {
		run(m, model, NULL, round < ROUNDS);
		if (round == ROUNDS)
			break;
		for (k = 0; k < parts; k++)
			pn_density_learn(model->density + k * size, m->g,
					 m->residuals + k * size,
					 scales[k] * wider);
	}
	model->weight -= charge;
	return model;
}

static const struct model *best_of(const struct models *m)
{
	const struct model *best = m->all;
	size_t i;

	for (i = 1; i < m->count; i++)
		if (m->all[i].weight > best->weight)
			best = &m->all[i];
	return best;
}

static void learn_plain(struct models *m)
{
	const struct pn_grid *g = m->g;

	learn(m, 0, &g->sd, 1, 0);
	if (g->wide > 1.35 * g->sd)
		learn(m, 0, &g->wide, 1, 0);
	if (g->narrow < g->sd / 1.35)
		learn(m, 0, &g->narrow, 1, 0);
	if (g->part_count > 1)
		learn(m, 0, g->part_sds, g->part_count,
		      CHARGE_CUT * (double)(g->part_count - 1));
}

/* Whether a model that may be right has a change to explain. */
static bool is_in_question(const struct models *m)
{
	double least = best_of(m)->weight - IN_QUESTION, mass;
	size_t i, t, n = m->g->n;

	for (i = 0; i < m->count; i++) {
		const double *p = m->all[i].change;

		if (!(m->all[i].weight > least))
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

static void learn_correlated(struct models *m)
{
	static const double most[] = {0.6, 0.8, 0.93};
	const struct model base = *best_of(m);
	size_t parts = base.noise.part_count, i;
	double best, weight;

	best = learn(m, 0.4, base.scales, parts, CHARGE_CORRELATED)->weight;
	if (!(best > base.weight - WORSE))
		return;
	learn(m, 0.2, base.scales, parts, CHARGE_CORRELATED);
	for (i = 0; i < sizeof(most) / sizeof(*most); i++) {
		weight =
			learn(m, most[i], base.scales, parts, CHARGE_CORRELATED)
				->weight;
		if (weight < best - WORSE_AGAIN)
			break;
		best = fmax(best, weight);
	}
}

/* The best model as it is, but that levels wander. */
static double wander(struct models *m, const struct model *base, double by)
{
	size_t parts = base->noise.part_count;
	struct model *model = add_model(m, parts);

	memcpy(model->density, base->density,
	       parts * table_size(m->g) * sizeof(double));
	model->noise.correlation = base->noise.correlation;
	model->noise.wander = by;
	run(m, model, NULL, false);
	model->weight -= CHARGE_WANDERS + CHARGE_CUT * (double)(parts - 1) +
			 (base->noise.correlation > 0 ? CHARGE_CORRELATED : 0);
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
static bool relearn_slow(struct models *m, struct model *model,
			 const double *slow)
{
	const struct pn_grid *g = m->g;
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

static void learn_slow(struct models *m, const struct pn_slow_guess *guess)
{
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
		run(m, model, slow, round < SLOW_ROUNDS);
		used = model->noise;
		there = relearn_slow(m, model, slow);
		if (round == SLOW_ROUNDS)
			break;
		there = there && abs(model->noise.gap) >= 2;
		if (there)
			pn_density_learn(model->density, g, m->residuals,
					 g->narrow);
	}
	model->noise = used;
	model->weight -= CHARGE_SLOW;
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

	for (i = 0; i < m->count; i++)
		sum += exp(m->all[i].weight - best);
	memset(out->change, 0, n * sizeof(*out->change));
	memset(out->level, 0, n * sizeof(*out->level));
	for (i = 0; i < m->count; i++) {
		share = exp(m->all[i].weight - best) / sum;
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
	free(m.residuals);
}
