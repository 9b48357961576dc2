/*
 * Simulated checks of a new commit in two stages: a flag from its history, then
 * a duel of builds with the futility stop. How often they are wrong, how often
 * they find what is there, and what they cost, in eleven kinds of noise.
 * PERF_CHECKS says how many of each; the seed is fixed.
 */
#include "base/numbers/random.h"
#include "detect/duel/futility.h"
#include "detect/duel/order.h"
#include "detect/history/history.h"
#include "detect/latest/latest.h"
#include "detect/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECKS 60
#define PAST 41
#define RUNS 7
#define PAIRS 64 /* of a duel, at most */
#define WARM_UPS 2

/* Noise of logarithms; `run` is drawn for each history. */
struct family {
	const char *name;
	double session; /* standard deviation, in those of a run */
	double correlation;
	enum { NORMAL, LOGNORMAL, BIMODAL, OUTLIERS } runs;
	bool heavy;   /* sessions of Student's t with three degrees */
	bool slow;    /* 3 to 5 of 100 sessions are 10 to 40 % slower */
	double drift; /* over the past, at most */
	double step;  /* in the past, up or down, at most */
	int quantum; /* values are multiples of 1 in so many; 0: they are not */
};

static const struct family families[] = {
	{.name = "no sessions"},
	{.name = "sessions .5", .session = 0.5},
	{.name = "sessions 1", .session = 1},
	{.name = "sessions 2", .session = 2},
	{.name = "lognormal", .session = 0.5, .runs = LOGNORMAL},
	{.name = "bimodal", .session = 0.5, .runs = BIMODAL},
	{.name = "outliers", .session = 0.5, .runs = OUTLIERS},
	{.name = "heavy", .session = 1, .heavy = true},
	{.name = "ar(1)", .session = 1, .correlation = 0.6},
	{.name = "slow", .session = 0.5, .slow = true},
	{.name = "drift", .session = 0.5, .drift = 0.03},
	{.name = "step", .session = 0.5, .step = 0.1},
	{.name = "quantised", .session = 0.5, .quantum = 80},
};
#define FAMILIES (sizeof(families) / sizeof(*families))

static double uniform(uint64_t *state)
{
	return ((double)(pn_random_next(state) >> 11) + 0.5) /
	       9007199254740992.0;
}

static double normal(uint64_t *state)
{
	return pn_stats_normal_quantile(uniform(state));
}

/* One run beside its session's level. */
static double run_noise(const struct family *f, double sd, uint64_t *state)
{
	switch (f->runs) {
	case LOGNORMAL:
		return sd * exp(normal(state) - 0.5);
	case BIMODAL:
		return sd *
		       (normal(state) / 2 + (uniform(state) < 0.5 ? 2 : 0));
	case OUTLIERS:
		return sd * normal(state) +
		       (uniform(state) < 0.04 ? uniform(state) : 0);
	default:
		return sd * normal(state);
	}
}

static double value_of(const struct family *f, double log_value)
{
	double value = exp(log_value);

	return f->quantum ? fmax(rint(value * f->quantum), 1) / f->quantum
			  : value;
}

/* A session of the machine; *last is the one before, where it tells. */
static double session_noise(const struct family *f, double sd, double *last,
			    uint64_t *state)
{
	double noise = normal(state), rho = f->correlation;

	if (f->heavy) {
		double a = normal(state), b = normal(state), c = normal(state);

		noise /= sqrt((a * a + b * b + c * c) / 3);
	}
	*last = rho * *last + sqrt(1 - rho * rho) * noise;
	noise = f->session * sd * *last;
	if (f->slow && uniform(state) < 0.04)
		noise += 0.1 + 0.3 * uniform(state);
	return noise;
}

struct history {
	double runs[PAST + 1][RUNS];
	struct pn_latest_commit commits[PAST];
	double sd; /* of a run */
};

static void make(struct history *h, const struct family *f, double effect,
		 uint64_t *state)
{
	double last = normal(state), level = 0, at = (double)PAST;
	double drift = f->drift * uniform(state), step = 0;
	size_t c, i, when = PAST - 1 - (size_t)(uniform(state) * 25);

	h->sd = 0.003 * pow(13, uniform(state));
	if (f->step > 0)
		step = f->step * (2 * uniform(state) - 1);
	for (c = 0; c <= PAST; c++) {
		level = session_noise(f, h->sd, &last, state) +
			drift * (double)c / at + (c >= when ? step : 0) +
			(c == PAST ? effect : 0);
		for (i = 0; i < RUNS; i++)
			h->runs[c][i] =
				value_of(f, level + run_noise(f, h->sd, state));
	}
}

static void judge(struct pn_latest *out, struct history *h)
{
	const struct pn_latest_options o = PN_LATEST_DEFAULTS;
	struct pn_change_points found;
	double medians[PAST];
	size_t c, next = 0;

	for (c = 0; c < PAST; c++)
		medians[c] = pn_stats_median(h->runs[c], RUNS);
	pn_change_points_of(&found, medians, PAST);
	for (c = 0; c < PAST; c++) {
		while (next < found.count && found.changes[next].at <= c)
			next++;
		h->commits[c] =
			(struct pn_latest_commit){h->runs[c], RUNS, next};
	}
	pn_change_points_release(&found);
	pn_latest_of(out, h->commits, PAST, h->runs[PAST], RUNS, &o);
}

/* HEAD and the commit before, built and run in turns in one session. */
static bool is_slower(size_t *runs, const struct family *f,
		      const struct history *h, const struct pn_latest *l,
		      double effect, uint64_t *state)
{
	const struct pn_duel_futility futility = {l->delta, l->run_variance,
						  l->start};
	uint64_t seed = pn_random_next(state);
	struct pn_duel_rule rule;
	struct pn_duel duel;
	struct pn_error err;
	bool slower;
	size_t i;

	pn_duel_rule_init(&rule);
	rule.no_equality = true;
	rule.max_pairs = PAIRS;
	if (pn_duel_init(&duel, &rule, &err))
		fail_msg("%s", err.message);
	for (i = 0; i < 2 * PAIRS && !pn_duel_is_over(&duel); i += 2) {
		double values[2];
		size_t k;

		for (k = 0; k < 2; k++) {
			bool b = pn_duel_run_is_b(seed, i + k);

			values[b] = value_of(f, run_noise(f, h->sd, state) +
							(b ? effect : 0));
		}
		pn_duel_add(&duel, values[0], values[1]);
		if (!pn_duel_is_over(&duel) &&
		    pn_duel_is_futile(&futility, &duel))
			break;
	}
	*runs += 2 * duel.count + WARM_UPS;
	slower = duel.last.decision == PN_DUEL_SLOWER;
	pn_duel_release(&duel);
	return slower;
}

struct tally {
	size_t checks, flagged, slower, runs;
};

/* HEAD is slower by so many deviations of its history, and by a share. */
static void play(struct tally *t, const struct family *f, double deviations,
		 double least, size_t checks, uint64_t seed)
{
	uint64_t state = seed;
	size_t i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < checks; i++) {
		double median = 1.25 / sqrt(RUNS), effect = 0;
		struct pn_latest latest;
		uint64_t before = state;
		struct history h;

		make(&h, f, 0, &state);
		if (deviations > 0) {
			effect =
				deviations * h.sd *
				sqrt(f->session * f->session + median * median);
			effect = fmax(effect, log1p(least));
			state = before;
			make(&h, f, effect, &state);
		}
		judge(&latest, &h);
		t->checks++;
		t->flagged += latest.flagged;
		if (latest.flagged)
			t->slower += is_slower(&t->runs, f, &h, &latest, effect,
					       &state);
	}
}

static size_t check_count(void)
{
	const char *text = getenv("PERF_CHECKS");

	return text ? strtoul(text, NULL, 10) : CHECKS;
}

static double percent(size_t part, size_t all)
{
	return 100 * (double)part / (double)all;
}

/* At most .1 %, and three deviations of that more; of each kind. Three runs
 * more a commit, in the mean of all. */
static void unchanged_commits_are_slower_once_in_1000(void **state)
{
	size_t n = check_count(), all = n * FAMILIES, i, runs = 0;
	double most = 1e-3 * (double)n + 3 * sqrt(1e-3 * (double)n);
	struct tally t;

	(void)state;
	for (i = 0; i < FAMILIES; i++) {
		play(&t, &families[i], 0, 0, n, 100 + i);
		printf("%-12s same: flagged %.1f %%, slower %.3f %%, %.2f "
		       "runs\n",
		       families[i].name, percent(t.flagged, n),
		       percent(t.slower, n), (double)t.runs / (double)n);
		assert_true((double)t.slower <= most);
		runs += t.runs;
	}
	printf("%.2f runs\n", (double)runs / (double)all);
	assert_true((double)runs <= 4.0 * (double)all);
}

/* .96 of changes of three deviations and 5 %; in the mean of all. */
static void three_deviations_and_five_percent_are_found(void **state)
{
	size_t n = check_count() / 2 + 1, i, found = 0;
	struct tally t;

	(void)state;
	for (i = 0; i < FAMILIES; i++) {
		play(&t, &families[i], 3, 0.05, n, 500 + i);
		printf("%-12s slower: flagged %.1f %%, slower %.1f %%\n",
		       families[i].name, percent(t.flagged, n),
		       percent(t.slower, n));
		found += t.slower;
	}
	printf("%.1f %% found\n", percent(found, n * FAMILIES));
	assert_true(percent(found, n * FAMILIES) > 94);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unchanged_commits_are_slower_once_in_1000),
		cmocka_unit_test(three_deviations_and_five_percent_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
