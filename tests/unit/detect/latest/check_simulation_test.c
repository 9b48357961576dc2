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
#include "detect/latest/check_noise.h"
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
#define PAIRS 64 /* of a duel, at most */
#define WARM_UPS 2

static void judge(struct pn_latest *out, struct history *h)
{
	const struct pn_latest_options o = PN_LATEST_DEFAULTS;
	struct pn_change_points found;
	double medians[PAST];
	size_t c, next = 0;

	for (c = 0; c < PAST; c++)
		medians[c] = pn_stats_median(h->runs[c], CHECK_RUNS);
	pn_change_points_of(&found, medians, PAST);
	for (c = 0; c < PAST; c++) {
		while (next < found.count && found.changes[next].at <= c)
			next++;
		h->commits[c] =
			(struct pn_latest_commit){h->runs[c], CHECK_RUNS, next};
	}
	pn_change_points_release(&found);
	pn_latest_of(out, h->commits, PAST, h->runs[PAST], CHECK_RUNS, &o);
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

			values[b] = check_value(
				f, check_run_noise(f, h->sd, state) +
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
		double median = 1.25 / sqrt(CHECK_RUNS), effect = 0;
		struct pn_latest latest;
		uint64_t before = state;
		struct history h;

		check_make(&h, f, 0, &state);
		if (deviations > 0) {
			effect =
				deviations * h.sd *
				sqrt(f->session * f->session + median * median);
			effect = fmax(effect, log1p(least));
			state = before;
			check_make(&h, f, effect, &state);
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
		play(&t, &check_families[i], 0, 0, n, 100 + i);
		printf("%-12s same: flagged %.1f %%, slower %.3f %%, %.2f "
		       "runs\n",
		       check_families[i].name, percent(t.flagged, n),
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
		play(&t, &check_families[i], 3, 0.05, n, 500 + i);
		printf("%-12s slower: flagged %.1f %%, slower %.1f %%\n",
		       check_families[i].name, percent(t.flagged, n),
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
