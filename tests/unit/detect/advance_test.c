/* Rows of the next commit are the same to the bit, whether processors have wide
 * vectors or not; and what they are by the definition of the prior. */
#include "detect/history/advance.h"

#include "base/alloc.h"
#include "base/numbers/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 60
#define MOST_ROW 512

/* What both are called with, and what they give. */
struct rows {
	PN_REAL out[4 * MOST_ROW], ahead[4 * MOST_ROW + 8];
	PN_REAL shares[2 * MOST_ROW], mean, sum;
	struct pn_seen seen;
};

static double uniform(uint64_t *state)
{
	return (double)(pn_random_next(state) >> 11) / 9007199254740992.0;
}

/* Levels of one piece or of some; apart so far that there are gaps. */
static void make_grid(struct pn_grid *g, uint64_t *state, double apart)
{
	double values[VALUES];
	size_t i;

	for (i = 0; i < VALUES; i++)
		values[i] = 100 + uniform(state) + (i < VALUES / 2 ? 0 : apart);
	pn_grid_init(g, values, VALUES);
	assert_true(PN_GRID_ROW(g->level_count) <= MOST_ROW);
}

static PN_REAL *random_row(const struct pn_grid *g, uint64_t *state)
{
	PN_REAL *row = pn_calloc(MOST_ROW, sizeof(*row));
	size_t l;

	for (l = 0; l < g->level_count; l++)
		row[l] = g->there[l] * (PN_REAL)uniform(state);
	return row;
}

static void call(struct rows *out, const struct pn_advance_calls *calls,
		 const struct pn_grid *g, size_t slow, bool wanders,
		 uint64_t seed)
{
	size_t n = PN_GRID_ROW(g->level_count), k;
	struct pn_levels all = {0, (uint16_t)n};
	PN_REAL *levels = random_row(g, &seed), *up = random_row(g, &seed);
	PN_REAL *rows[3], before[4 * MOST_ROW];
	struct pn_emission_rows of;
	struct pn_advance a = {.grid = g,
			       .stride = n,
			       .slow = slow,
			       .chance = (PN_REAL)0.01,
			       .enter = (PN_REAL)0.05,
			       .leave = (PN_REAL)0.4,
			       .levels = levels,
			       .wander_up = wanders ? up : NULL,
			       .apart = wanders};

	memset(out, 0, sizeof(*out));
	up[g->level_count - 1] = 0;
	a.scratch = pn_calloc(PN_ADVANCE_SCRATCH(n), sizeof(*a.scratch));
	for (k = 0; k < 3; k++)
		rows[k] = random_row(g, &seed);
	of = (struct pn_emission_rows){rows[0], rows[1], rows[2]};
	for (k = 0; k < 2 * slow; k++) {
		PN_REAL *row = random_row(g, &seed);

		memcpy(before + k * n, row, n * sizeof(*row));
		memcpy(out->ahead + k * n, row, n * sizeof(*row));
		free(row);
	}
	out->sum =
		calls->row(out->out, &out->mean, &a, before, 3, &of, all, all);
	calls->look(&out->seen, out->shares, true, &a, before, out->ahead,
		    out->sum, &of, all);
	calls->back(out->ahead, &a, all, all);
	for (k = 0; k < 3; k++)
		free(rows[k]);
	free(a.scratch);
	free(levels);
	free(up);
}

/* Each grid, with and without a slow state or levels that wander. */
static void each(void (*look)(const struct pn_grid *g, size_t slow,
			      bool wanders, uint64_t seed))
{
	static const double apart[] = {0, 0.5, 4, 30};
	uint64_t state = 20, seed;
	struct pn_grid g;
	size_t i;

	for (i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
		make_grid(&g, &state, apart[i]);
		seed = pn_random_next(&state);
		look(&g, 1, false, seed);
		look(&g, 2, false, seed);
		look(&g, 1, true, seed);
		pn_grid_release(&g);
	}
}

/* Weight of a step from one level to the other: of each edge that is not
 * farther. */
static double weight_of(const struct pn_grid *g, size_t from, size_t to)
{
	double weight = 0;
	size_t k;

	for (k = 0; k < g->edge_count; k++) {
		const struct pn_edge *e = &g->edges[k];
		int place = e->places ? e->places[to] : (int)to + e->away;

		if (e->above ? (int)from >= place : (int)from < place)
			weight += (double)e->weight;
	}
	return weight;
}

static void near(PN_REAL have, double want)
{
	if (!(fabs((double)have - want) <= 1e-5 * want))
		fail_msg("%.9g, by the prior %.9g", (double)have, want);
}

static void look_at_sum(const struct pn_grid *g, size_t slow, bool wanders,
			uint64_t seed)
{
	size_t n = PN_GRID_ROW(g->level_count), l, from;
	struct rows *rows = pn_calloc(1, sizeof(*rows));
	PN_REAL *drawn[7];
	double steps;
	size_t k;

	if (slow > 1 || wanders) {
		free(rows);
		return;
	}
	call(rows, &pn_advance_narrow, g, slow, wanders, seed);
	/* levels, up, densities of first and later, slow, then both rows */
	for (k = 0; k < 7; k++)
		drawn[k] = random_row(g, &seed);
	for (l = 0; l < n; l++) {
		for (steps = 0, from = 0; from < g->level_count; from++)
			steps += l < g->level_count
					 ? weight_of(g, from, l) *
						   (double)drawn[6][from]
					 : 0;
		steps *= 0.01 / 3 * (double)g->there[l];
		near(rows->out[l], steps * (double)drawn[3][l]);
		near(rows->out[n + l],
		     (double)(drawn[5][l] + 0.99 * drawn[6][l]) / 3 *
			     (double)drawn[2][l]);
	}
	for (k = 0; k < 7; k++)
		free(drawn[k]);
	free(rows);
}

static void rows_are_what_the_prior_says(void **state)
{
	(void)state;
	each(look_at_sum);
}

#ifdef PN_HISTORY_HAS_WIDE
static void look_at_both(const struct pn_grid *g, size_t slow, bool wanders,
			 uint64_t seed)
{
	struct rows *narrow = pn_calloc(2, sizeof(*narrow)), *wide = narrow + 1;

	call(narrow, &pn_advance_narrow, g, slow, wanders, seed);
	call(wide, &pn_advance_wide, g, slow, wanders, seed);
	assert_memory_equal(narrow, wide, sizeof(*narrow));
	free(narrow);
}

static void wide_rows_are_the_narrow_ones(void **state)
{
	(void)state;
	if (!__builtin_cpu_supports("avx2"))
		skip();
	each(look_at_both);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_what_the_prior_says),
#ifdef PN_HISTORY_HAS_WIDE
		cmocka_unit_test(wide_rows_are_the_narrow_ones),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
