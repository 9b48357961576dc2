/* Runs of a program in turns with itself. */
#include "detect/duel/study.h"

#include "base/alloc.h"
#include "detect/duel/order.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define ROOT_2 1.41421356237309504880

/* One after the other, each beginning where the last one ended. */
static void play_duels(struct pn_duel_study *out, const double *a,
		       const double *b, const struct pn_duel_rule *rule)
{
	struct pn_duel duel = {0};
	size_t i, first = 0, pairs = 0;

	if (pn_duel_init(&duel, rule, NULL))
		return;
	for (i = 0; i < out->pairs; i++) {
		pn_duel_add(&duel, a[i], b[i]);
		if (!pn_duel_is_over(&duel))
			continue;
		out->duels++;
		out->changed += duel.last.decision == PN_DUEL_SLOWER ||
				duel.last.decision == PN_DUEL_FASTER;
		pairs += i + 1 - first;
		first = i + 1;
		pn_duel_release(&duel);
		if (pn_duel_init(&duel, rule, NULL))
			return;
	}
	pn_duel_release(&duel);
	if (out->duels)
		out->mean_runs = 2 * (double)pairs / (double)out->duels;
}

/* The runs as they were made, in blocks. */
static void compare_sessions(struct pn_duel_study *out, const double *a,
			     const double *b, uint64_t seed)
{
	const struct pn_pair_options options = PN_PAIR_DEFAULTS;
	size_t runs = 2 * out->pairs, n = runs / (2 * PN_STUDY_SESSION), i;
	double *values = pn_calloc(runs + 1, sizeof(*values));
	struct pn_pair_verdict *pairs = pn_calloc(n + 1, sizeof(*pairs));

	for (i = 0; i < runs; i++)
		values[i] = pn_duel_run_is_b(seed, i) ? b[i / 2] : a[i / 2];
	for (i = 0; i < n; i++) {
		const double *block = values + 2 * i * PN_STUDY_SESSION;

		pn_pair_of(&pairs[i], block, PN_STUDY_SESSION,
			   block + PN_STUDY_SESSION, PN_STUDY_SESSION,
			   &options);
	}
	pn_selfcheck_of(&out->sessions, pairs, n, &options);
	free(values);
	free(pairs);
}

static double spread_of(const double *a, const double *b, size_t pairs)
{
	double *d = pn_calloc(pairs + 1, sizeof(*d)), spread;
	size_t i;

	for (i = 0; i < pairs; i++) {
		if (!(a[i] > 0 && b[i] > 0)) {
			free(d);
			return (double)NAN;
		}
		d[i] = log(b[i] / a[i]);
	}
	spread = PN_STATS_MAD_TO_SD * pn_stats_mad(d, pairs, 0) / ROOT_2;
	free(d);
	return spread;
}

void pn_duel_study_of(struct pn_duel_study *out, const double *a,
		      const double *b, size_t pairs, uint64_t seed,
		      const struct pn_duel_rule *rule)
{
	size_t i;

	*out = (struct pn_duel_study){.pairs = pairs,
				      .spread = (double)NAN,
				      .seen = (double)NAN,
				      .mean_runs = (double)NAN,
				      .equal = pairs > 0};
	for (i = 0; i < pairs; i++)
		out->equal = out->equal && a[i] == a[0] && b[i] == a[0];
	if (pairs) {
		out->spread = spread_of(a, b, pairs);
		out->seen = out->equal ? PN_DUEL_COUNTER_EFFECT
				       : expm1(PN_STUDY_SEEN * out->spread);
		out->spread = expm1(out->spread);
		play_duels(out, a, b, rule);
	}
	compare_sessions(out, a, b, seed);
	out->may_gate = out->equal || (out->duels && !out->changed);
}
