/* Levels of three commits in a short history: found where all values say so,
 * and not among those that do not change. */
#include "detect/history/history.h"

#include "base/numbers/random.h"
#include "detect/history/early.h"
#include "detect/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#define COURSES 2000

static double normal(uint64_t *seed)
{
	double share = ((double)(pn_random_next(seed) >> 11) + 0.5) * 0x1p-53;

	return pn_stats_normal_quantile(share);
}

/* Where changes are, as bits (1 << place). */
static unsigned int places(const double *values, size_t n)
{
	struct pn_change_points h;
	unsigned int bits = 0;
	size_t i;

	pn_change_points_of(&h, values, n);
	for (i = 0; i < h.count; i++)
		bits |= 1u << h.changes[i].at;
	pn_change_points_release(&h);
	return bits;
}

static void levels_of_three_are_found(void **state)
{
	static const double up[] = {100.1, 99.8,  100.3, 130.2, 129.7,
				    130.1, 160.3, 160.1, 159.8};
	static const double down[] = {160.3, 160.1, 159.8, 130.2, 129.7,
				      130.1, 100.1, 99.8,  100.3, 99.9};
	static const double below[] = {-1.01, -1.02, -1,   3.01, 3.02,
				       3,     7,     7.01, 7.02};
	struct pn_change_points h;

	(void)state;
	assert_int_equal(places(up, 9), 1u << 3 | 1u << 6);
	assert_int_equal(places(down, 10), 1u << 3 | 1u << 6);
	assert_int_equal(places(below, 9), 1u << 3 | 1u << 6);
	pn_change_points_of(&h, up, 9);
	/* medians of three: 100.1, 130.1 and 160.1 */
	assert_true(fabs(h.changes[0].before - 100.1) < 0.01);
	assert_true(fabs(h.changes[0].after - 130.1) < 0.01);
	assert_true(fabs(h.changes[1].after - 160.1) < 0.01);
	/* another cause is not excluded: nobody is stopped by it */
	assert_true(fabs(h.changes[0].confidence - PN_EARLY_MASS) < 1e-9);
	assert_false(pn_change_point_is_confirmed(&h.changes[0], NULL));
	pn_change_points_release(&h);
}

/* Whether the rule has added one: nothing else has that confidence. */
static bool has_added(const double *values, size_t n)
{
	struct pn_change_points h;
	bool added = false;
	size_t i;

	pn_change_points_of(&h, values, n);
	for (i = 0; i < h.count; i++)
		added |= h.changes[i].confidence == PN_EARLY_MASS;
	pn_change_points_release(&h);
	return added;
}

static void what_does_not_part_the_values_is_no_change(void **state)
{
	/* back again; a level of two; a slope; steps of what is rounded */
	static const double back[] = {100.1, 99.8,  100.3, 130.2, 129.7,
				      130.1, 100.2, 100.4, 99.9};
	static const double two[] = {100.1, 99.8,  100.3, 130.2,
				     129.7, 160.3, 160.1, 159.8};
	static const double slope[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	static const double rounded[] = {100, 100, 100, 101, 101,
					 101, 102, 102, 102};

	(void)state;
	assert_false(has_added(back, 9));
	assert_false(has_added(two, 8));
	assert_false(has_added(slope, 9));
	assert_false(has_added(rounded, 9));
}

/* Noise of several kinds about one level: that a gap of twelve deviations parts
 * it into threes and more is by chance in less than 1 of 100,000. */
static void noise_alone_adds_nothing(void **state)
{
	uint64_t seed = 5;
	double values[PN_EARLY_VALUES], e, before = 0;
	size_t i, k, n, kind, added = 0;

	(void)state;
	for (kind = 0; kind < 4; kind++)
		for (i = 0; i < COURSES; i++) {
			n = PN_HISTORY_MIN_VALUES + i % 11;
			for (k = 0; k < n; k++) {
				e = normal(&seed);
				if (kind == 1) /* skewed */
					e = exp(e) - 1;
				if (kind == 2) /* few are far off */
					e *= pn_random_next(&seed) % 20 ? 1
									: 10;
				if (kind == 3) /* correlated */
					e = before = 0.6 * before + 0.8 * e;
				values[k] = 100 * exp(0.005 * e);
			}
			added += has_added(values, n);
		}
	assert_int_equal(added, 0);
}

/* How many of so many short courses have a change that stops somebody, in which
 * the last three values are `shift` deviations off. */
static size_t count_sure(double shift, size_t n, uint64_t *seed)
{
	double values[PN_EARLY_VALUES];
	size_t i, k, sure = 0;

	for (i = 0; i < COURSES; i++) {
		struct pn_change_points h;

		for (k = 0; k < n; k++)
			values[k] = exp(0.01 * (normal(seed) +
						(k + 3 >= n ? shift : 0)));
		pn_change_points_of(&h, values, n);
		for (k = 0; k < h.count; k++)
			if (pn_change_point_is_confirmed(&h.changes[k], NULL))
				break;
		sure += k < h.count;
		pn_change_points_release(&h);
	}
	return sure;
}

/* What stops somebody is to be false in .2 of 100 cases, and three standard
 * deviations of that more: of courses of six 2.9 were. A change of 30
 * deviations is clear: t is 30 / sqrt(2 / 3) = 37 with 4 degrees of freedom,
 * p of it 3e-6. */
static void few_values_are_not_sure_of_a_change(void **state)
{
	uint64_t seed = 12;
	size_t n;

	(void)state;
	for (n = PN_HISTORY_MIN_VALUES; n <= PN_EARLY_VALUES; n++)
		assert_true(count_sure(0, n, &seed) <= 4 + 6);
	assert_true(count_sure(30, 8, &seed) >= COURSES * 9 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_values_are_not_sure_of_a_change),
		cmocka_unit_test(levels_of_three_are_found),
		cmocka_unit_test(what_does_not_part_the_values_is_no_change),
		cmocka_unit_test(noise_alone_adds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
