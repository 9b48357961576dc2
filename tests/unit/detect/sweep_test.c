/* What sweeps find is what the calls for each commit do, to the bit. */
#include "detect/history/sweep.h"

#include "base/alloc.h"
#include "base/numbers/random.h"
#include "detect/history/density.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 80
#define MOST_ROW 512

struct found {
	PN_REAL rows[VALUES][4 * MOST_ROW], ahead[4 * MOST_ROW], sums[VALUES];
	double change[VALUES], level[VALUES], slow[VALUES];
	double residuals[20000];
};

/* One kind of noise, and what a pass of it has. */
struct kind {
	struct pn_grid grid;
	struct pn_noise noise;
	struct pn_emission emission;
	struct pn_advance advance;
	struct pn_pass pass;
	size_t floats;
	double *density;
	PN_REAL *levels, *up, *own, *first, *last, shares[2 * MOST_ROW];
};

static double uniform(uint64_t *state)
{
	return (double)(pn_random_next(state) >> 11) / 9007199254740992.0;
}

static PN_REAL *random_rows(const struct kind *k, uint64_t *state)
{
	PN_REAL *rows = pn_calloc(k->floats, sizeof(*rows));
	size_t stride = k->advance.stride, l, s;

	for (s = 0; s < 2 * k->advance.slow; s++)
		for (l = 0; l < k->grid.level_count; l++)
			rows[s * stride + l] =
				k->grid.there[l] * (PN_REAL)uniform(state);
	return rows;
}

/* Levels within the first, second or third band of a step. */
struct course {
	double spread, step;
	size_t pairs;
};
static const struct course courses[] = {{1, 0.02, 1}, {1, 0.8, 2}, {4, 5, 3}};

/* Noise, and a step every ten values. One is so far off that correlated noise
 * has no row for it. */
static void draw(struct pn_grid *g, uint64_t *state, const struct course *c)
{
	double values[VALUES];
	size_t i;

	for (i = 0; i < VALUES; i++)
		values[i] = 100 + c->spread * uniform(state) +
			    c->step * (double)(i / 10);
	values[VALUES / 3] *= 3;
	pn_grid_init(g, values, VALUES);
	assert_true(g->dense && g->spacing == 1);
	assert_true(PN_GRID_ROW(g->level_count) <= MOST_ROW);
}

static void begin(struct kind *k, const struct pn_noise *noise,
		  const struct course *course, uint64_t *state)
{
	size_t n, l;

	draw(&k->grid, state, course);
	n = PN_GRID_ROW(k->grid.level_count);
	k->noise = *noise;
	k->density = pn_realloc_array(NULL, 2 * (size_t)k->grid.reach + 1,
				      sizeof(*k->density));
	pn_density_begin(k->density, &k->grid, k->grid.sd);
	k->noise.density = k->density;
	pn_emission_init(&k->emission, &k->grid, &k->noise, n);
	k->advance = (struct pn_advance){.grid = &k->grid,
					 .stride = n,
					 .slow = noise->enter > 0 ? 2 : 1,
					 .chance = (PN_REAL)k->grid.chance,
					 .enter = (PN_REAL)noise->enter,
					 .leave = (PN_REAL)noise->leave,
					 .apart = noise->wander > 0};
	k->floats = 2 * k->advance.slow * n;
	k->levels = pn_calloc(n, sizeof(*k->levels));
	k->up = pn_calloc(n, sizeof(*k->up));
	for (l = 0; l < k->grid.level_count; l++) {
		k->levels[l] = (PN_REAL)k->grid.levels[l];
		if (l)
			k->up[l - 1] = (PN_REAL)0.2;
	}
	k->advance.levels = k->levels;
	k->advance.wander_up = noise->wander > 0 ? k->up : NULL;
	k->advance.scratch = pn_calloc(PN_ADVANCE_SCRATCH(n), sizeof(PN_REAL));
	k->own = pn_calloc(VALUES * n * PN_EMISSION_ROWS, sizeof(*k->own));
	k->first = random_rows(k, state);
	k->last = random_rows(k, state);
}

static void end(struct kind *k)
{
	free(k->last);
	free(k->first);
	free(k->own);
	free(k->advance.scratch);
	free(k->up);
	free(k->levels);
	pn_emission_release(&k->emission);
	free(k->density);
	pn_grid_release(&k->grid);
}

static void begin_found(struct found *out, struct kind *k, bool levels,
			bool residuals)
{
	memset(out, 0, sizeof(*out));
	assert_true(2 * (size_t)k->grid.reach + 1 <=
		    sizeof(out->residuals) / sizeof(*out->residuals));
	memcpy(out->rows[0], k->first, k->floats * sizeof(*k->first));
	memcpy(out->ahead, k->last, k->floats * sizeof(*k->last));
	out->sums[0] = 2;
	k->pass = (struct pn_pass){
		.change = levels ? out->change : NULL,
		.level = levels ? out->level : NULL,
		.slow = levels && k->advance.slow > 1 ? out->slow : NULL,
		.residuals = residuals ? out->residuals : NULL};
}

static void find_by_sweeps(struct found *out, struct kind *k,
			   const struct pn_sweep_calls *calls)
{
	size_t n = k->advance.stride, t;
	PN_REAL *rows = pn_calloc(VALUES * k->floats, sizeof(*rows));
	struct pn_emission_commit commits[VALUES];
	struct pn_sweep w = {.emission = &k->emission,
			     .commits = commits,
			     .from = 1,
			     .to = VALUES,
			     .rows = rows,
			     .before = k->first,
			     .sum = 2,
			     .product = 1,
			     .ahead = out->ahead,
			     .shares = k->shares};

	assert_true(pn_sweep_may(&k->advance));
	pn_emission_begin(commits, &k->emission, 0, VALUES);
	for (t = 0; t < VALUES; t++)
		if (!commits[t].of.later)
			pn_emission_begin_own(&commits[t], k->own + t * n,
					      &k->emission, t);
	calls->forward(&w, &k->advance);
	for (t = 1; t < VALUES; t++) {
		memcpy(out->rows[t], rows + (t - 1) * k->floats,
		       k->floats * sizeof(*rows));
		out->sums[t] = commits[t].sum;
	}
	w.from = 1;
	w.rows = rows;
	calls->back(&k->pass, &w, &k->advance);
	free(rows);
}

static void count(struct kind *k, size_t t, PN_REAL scale, bool slow,
		  const struct pn_advance_calls *calls)
{
	double *counts = pn_emission_counts(&k->emission, t, slow);
	size_t n = k->advance.stride;

	if (counts)
		calls->count(counts, k->shares + (slow ? n : 0), scale, n);
	else
		pn_emission_count(&k->emission, k->shares + (slow ? n : 0),
				  scale, t, slow, 0, n);
}

static void find_by_calls(struct found *out, struct kind *k,
			  const struct pn_advance_calls *calls)
{
	struct pn_levels all = {0, (uint16_t)k->advance.stride};
	size_t n = k->advance.stride, t;
	struct pn_emission_rows of[VALUES];
	PN_REAL mean = 0, scale;
	struct pn_seen seen;

	for (t = 1; t < VALUES; t++) {
		pn_emission_of(&of[t], k->own + t * n * PN_EMISSION_ROWS,
			       &k->emission, t, (double)mean, 0, n);
		out->sums[t] = calls->row(out->rows[t], &mean, &k->advance,
					  out->rows[t - 1], out->sums[t - 1],
					  &of[t], all, all);
	}
	while (--t) {
		calls->look(&seen, k->pass.residuals ? k->shares : NULL,
			    k->pass.level, &k->advance, out->rows[t],
			    out->ahead, out->sums[t], &of[t], all);
		scale = pn_seen_keep(&k->pass, &seen, &k->grid, t);
		if (k->pass.residuals && scale > 0) {
			count(k, t, scale, false, calls);
			if (k->advance.slow > 1)
				count(k, t, scale, true, calls);
		}
		calls->back(out->ahead, &k->advance, all, all);
	}
}

/* Of what lies behind the levels, 0 may have either sign. */
static void same_rows(const PN_REAL *a, const PN_REAL *b)
{
	size_t l;

	for (l = 0; l < 4 * MOST_ROW; l++)
		assert_true(a[l] == b[l]);
}

static void same(const struct found *a, const struct found *b)
{
	size_t t;

	for (t = 0; t < VALUES; t++)
		same_rows(a->rows[t], b->rows[t]);
	same_rows(a->ahead, b->ahead);
	assert_true(a->sums[VALUES - 1] > 0);
	assert_memory_equal(a->sums, b->sums, sizeof(a->sums));
	assert_memory_equal(a->change, b->change, sizeof(a->change));
	assert_memory_equal(a->level, b->level, sizeof(a->level));
	assert_memory_equal(a->slow, b->slow, sizeof(a->slow));
	assert_memory_equal(a->residuals, b->residuals, sizeof(a->residuals));
}

/* Of each kind of noise, with what a pass may be asked for. */
static void each_is_the_same(const struct pn_sweep_calls *sweeps,
			     const struct pn_advance_calls *calls)
{
	static const struct pn_noise noises[] = {
		{.part_count = 1},
		{.part_count = 1, .correlation = 0.6},
		{.part_count = 1, .wander = 0.1},
		{.part_count = 1, .correlation = 0.4, .wander = 0.1},
		{.part_count = 1, .gap = 6, .enter = 0.05, .leave = 0.4}};
	struct found *a = pn_calloc(2, sizeof(*a)), *b = a + 1;
	uint64_t state = 7, before;
	struct kind k;
	size_t i, j;

	for (i = 0; i < 3 * sizeof(noises) / sizeof(*noises); i++) {
		before = state;
		for (j = 1; j < 4; j++) {
			state = before;
			begin(&k, &noises[i / 3], &courses[i % 3], &state);
			begin_found(a, &k, j & 1, j & 2);
			find_by_sweeps(a, &k, sweeps);
			assert_int_equal(k.advance.steps.pairs,
					 courses[i % 3].pairs);
			if (k.pass.residuals)
				pn_emission_counted(a->residuals, &k.emission);
			end(&k);
			state = before;
			begin(&k, &noises[i / 3], &courses[i % 3], &state);
			begin_found(b, &k, j & 1, j & 2);
			find_by_calls(b, &k, calls);
			if (k.pass.residuals)
				pn_emission_counted(b->residuals, &k.emission);
			end(&k);
			same(a, b);
		}
	}
	free(a);
}

static void sweeps_find_what_calls_do(void **state)
{
	(void)state;
	each_is_the_same(&pn_sweep_narrow, &pn_advance_narrow);
}

#ifdef PN_HISTORY_HAS_WIDE
static void wide_sweeps_find_what_narrow_calls_do(void **state)
{
	(void)state;
	if (!__builtin_cpu_supports("avx2"))
		skip();
	each_is_the_same(&pn_sweep_wide, &pn_advance_narrow);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweeps_find_what_calls_do),
#ifdef PN_HISTORY_HAS_WIDE
		cmocka_unit_test(wide_sweeps_find_what_narrow_calls_do),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
