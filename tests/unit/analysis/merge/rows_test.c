/* Rows of log, status and collect before they are text: by arithmetic. */
#include "analysis/history/log_row.h"
#include "analysis/history/status.h"
#include "analysis/history/trend.h"
#include "analysis/measured/ranking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct pn_figure figure(const char *metric, const char *cmd,
			       const char *collector, const char *machine)
{
	return (struct pn_figure){
		.metric = metric,
		.unit = "s",
		.series = {"", cmd, "", "", collector, machine}};
}

static void follows_series_that_move(void **state)
{
	struct pn_trends *trends = pn_trends_new();
	struct pn_trend rows[PN_TREND_MAX_SERIES];
	struct pn_figure f[] = {figure("wall", "a", "time", "x"),
				figure("wall", "a", "time", "y"),
				figure("flat", "a", "time", "x"),
				figure("wall", "a", "time", "x")};
	size_t i;

	(void)state;
	f[3].dirty = "d1"; /* would be the greatest of the first */
	f[3].median = 900;
	/* towards the past: the newest comes first */
	for (i = 0; i < 3; i++) {
		f[0].median = 3 - (double)i;
		f[1].median = 10 + (double)i;
		f[2].median = 7;
		pn_trends_add(trends, f, 4);
	}
	assert_int_equal(pn_trends_rows(rows, trends), 2);
	assert_int_equal(rows[0].count, 3);
	for (i = 0; i < 3; i++) {
		assert_true(rows[0].values[i] == 1 + (double)i);
		assert_true(rows[1].values[i] == 12 - (double)i);
	}
	assert_true(rows[0].low == 1 && rows[0].high == 3);
	assert_true(rows[0].parts.machine && !rows[0].parts.workload);
	pn_trends_free(trends);
}

static void keeps_the_place_of_a_commit_in_all_courses(void **state)
{
	struct pn_trends *trends = pn_trends_new();
	struct pn_trend rows[PN_TREND_MAX_SERIES];
	struct pn_figure f[] = {figure("wall", "a", "time", "x"),
				figure("wall", "b", "time", "x")};

	(void)state;
	/* newest first: b alone, none, both, a alone, none */
	f[1].median = 5;
	pn_trends_add(trends, &f[1], 1);
	pn_trends_add(trends, NULL, 0);
	f[0].median = 1;
	f[1].median = 6;
	pn_trends_add(trends, f, 2);
	f[0].median = 2;
	pn_trends_add(trends, f, 1);
	pn_trends_add(trends, NULL, 0);
	assert_int_equal(pn_trends_rows(rows, trends), 2);
	/* b was met first; what no series was measured at is left out behind */
	assert_int_equal(rows[0].count, 4);
	assert_int_equal(rows[1].count, 4);
	assert_true(isnan(rows[0].values[0]) && rows[0].values[1] == 6);
	assert_true(isnan(rows[0].values[2]) && rows[0].values[3] == 5);
	assert_true(rows[1].values[0] == 2 && rows[1].values[1] == 1);
	assert_true(isnan(rows[1].values[2]) && isnan(rows[1].values[3]));
	pn_trends_free(trends);
}

#define FIELDS(...)                                                            \
	.fields = (const struct pn_field[]){__VA_ARGS__},                      \
	.field_count = sizeof((struct pn_field[]){__VA_ARGS__}) /              \
		       sizeof(struct pn_field)

static void says_what_failed_unless_it_was_measured_later(void **state)
{
	/* newest first; "sort" failed to build for two collectors */
	const struct pn_entry lines[] = {
		{.kind_text = "profile",
		 .id = "a",
		 FIELDS({"cmd", "count"}, {"l.job", "count"},
			{"collector", "time"})},
		{.kind = PN_ENTRY_OTHER,
		 .kind_text = "skip",
		 FIELDS({"cmd", "count"}, {"l.job", "count"},
			{"collector", "time"}, {"state", "run"})},
		{.kind = PN_ENTRY_OTHER,
		 .kind_text = "skip",
		 FIELDS({"cmd", "sort"}, {"l.job", "sort"},
			{"collector", "time"}, {"state", "build"})},
		{.kind = PN_ENTRY_OTHER,
		 .kind_text = "skip",
		 FIELDS({"cmd", "sort"}, {"l.job", "sort"},
			{"collector", "memory"}, {"state", "build"})}};
	const struct pn_log_filter all = {0}, sort = {.job = "sort"};
	struct pn_noted noted = {.lines = lines, .line_count = 4};
	struct pn_log_series *rows;
	struct pn_arena arena = {0};
	const struct pn_oid tree = {{0}};
	size_t n;

	(void)state;
	pn_log_series_list(&rows, &n, &arena, &noted, &tree, &all);
	assert_int_equal(n, 2);
	assert_string_equal(rows[0].series.job, "count");
	assert_false(rows[0].failed);
	assert_string_equal(rows[1].series.job, "sort");
	assert_true(rows[1].failed);
	pn_log_series_list(&rows, &n, &arena, &noted, &tree, &sort);
	assert_int_equal(n, 1);
	assert_true(rows[0].failed);
	pn_arena_release(&arena);
}

static void compares_with_the_nearest_ancestor_that_has_the_series(void **state)
{
	struct pn_figure now[] = {figure("wall", "a", "time", "x"),
				  figure("wall", "b", "time", "x")};
	struct pn_figure near = figure("wall", "b", "time", "x");
	struct pn_figure far[] = {figure("wall", "b", "time", "x"),
				  figure("wall", "a", "time", "x")};
	struct pn_log_figure figures[] = {{&now[0], NULL}, {&now[1], NULL}};
	struct pn_log_series rows[] = {{.series = now[0].series,
					.figures = &figures[0],
					.figure_count = 1},
				       {.series = now[1].series,
					.figures = &figures[1],
					.figure_count = 1}};

	(void)state;
	now[0].median = 3;
	now[0].better = PN_BETTER_LESS;
	far[1].unit = "ms";
	far[1].median = 1500;
	assert_int_equal(pn_log_series_base(rows, 2, &near, 1, 1), 1);
	assert_int_equal(pn_log_series_base(rows, 2, far, 2, 7), 0);
	assert_true(figures[1].base == &near && rows[1].distance == 1);
	assert_true(figures[0].base == &far[1] && rows[0].distance == 7);
	assert_true(pn_log_figure_old(&figures[0]) == 1.5);
	assert_int_equal(pn_log_figure_change(&figures[0]), -1);
}

/* Spread 2 of 16 values each: the error of the difference is sqrt(1/4 + 1/4),
 * and twice that is 1.41. */
static void takes_noise_for_no_change(void **state)
{
	struct pn_figure old = figure("wall", "a", "time", "x"), now = old;
	struct pn_log_figure figure = {&now, &old};

	(void)state;
	now.better = old.better = PN_BETTER_LESS;
	now.spread = old.spread = 2;
	now.n = old.n = 16;
	old.median = 100;
	now.median = 101.4;
	assert_int_equal(pn_log_figure_change(&figure), 0);
	now.median = 101.5;
	assert_int_equal(pn_log_figure_change(&figure), -1);
	now.median = 98.5;
	assert_int_equal(pn_log_figure_change(&figure), 1);
	/* of a single time 2 % say nothing, of a count everything does */
	now.n = 1;
	assert_int_equal(pn_log_figure_change(&figure), 0);
	now.unit = old.unit = "count";
	assert_int_equal(pn_log_figure_change(&figure), 1);
	now.better = PN_BETTER_UNKNOWN;
	assert_int_equal(pn_log_figure_change(&figure), 0);
}

static void orders_entries_and_keeps_equal_ones_in_time(void **state)
{
	const struct pn_field names[] = {{"name", "b"}, {"name", "a"}};
	const struct pn_entry entries[] = {
		{.fields = &names[0], .field_count = 1, .size = 1},
		{.fields = &names[1], .field_count = 1, .size = 3},
		{.fields = &names[0], .field_count = 1, .size = 3}};
	static const struct {
		const char *order;
		size_t tags[3];
	} want[] = {{"time", {0, 1, 2}},
		    {"name", {1, 0, 2}},
		    {"size", {1, 2, 0}},
		    {"collector", {0, 1, 2}}};
	struct pn_log_series rows[4];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(*want); i++) {
		for (k = 0; k < 3; k++)
			rows[k] = (struct pn_log_series){.entry = &entries[k],
							 .tag = k};
		rows[3] = (struct pn_log_series){
			.entry = &entries[1], .failed = true, .tag = SIZE_MAX};
		pn_status_sort(rows, 4, pn_entry_order_find(want[i].order));
		for (k = 0; k < 3; k++)
			assert_int_equal(rows[k].tag, want[i].tags[k]);
		assert_true(rows[3].failed);
	}
	assert_null(pn_entry_order_find("nothing"));
}

/* A profile that has the wall times a - d and a + d: median a. */
static void fill(struct pn_profile *p, double values[2], double a, double d)
{
	struct pn_metric *m;

	values[0] = a - d;
	values[1] = a + d;
	pn_profile_init(p);
	m = calloc(1, sizeof(*m));
	assert_non_null(m);
	m->name = pn_strtab_add_text(&p->strings, "wall");
	m->values = malloc(2 * sizeof(*values));
	assert_non_null(m->values);
	memcpy(m->values, values, 2 * sizeof(*values));
	m->value_count = 2;
	p->metrics = m;
	p->metric_count = 1;
}

static void ranks_by_median_and_says_how_sure(void **state)
{
	struct pn_profile p[3];
	struct pn_measured m[3] = {{.title = "slow", .profile = &p[0]},
				   {.title = "fast", .profile = &p[1]},
				   {.title = "slower", .profile = &p[2]}};
	struct pn_rank *ranks;
	double values[2];
	size_t n;

	(void)state;
	fill(&p[0], values, 20, 3);
	fill(&p[1], values, 10, 2);
	fill(&p[2], values, 30, 0);
	ranks = pn_ranking_of(&n, m, 3, false, false);
	assert_int_equal(n, 3);
	assert_string_equal(ranks[0].measured->title, "fast");
	assert_string_equal(ranks[1].measured->title, "slow");
	assert_true(ranks[1].ratio.value == 2 && ranks[2].ratio.value == 3);
	/* two values on a side are too few */
	assert_true(isnan(ranks[1].ratio.low) && isnan(ranks[1].ratio.high));
	free(ranks);
	ranks = pn_ranking_of(&n, m, 3, true, true);
	assert_string_equal(ranks[0].measured->title, "slow");
	assert_string_equal(ranks[1].measured->title, "fast");
	assert_true(ranks[1].ratio.value == 0.5);
	free(ranks);
	for (n = 0; n < 3; n++)
		pn_profile_release(&p[n]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_series_that_move),
		cmocka_unit_test(keeps_the_place_of_a_commit_in_all_courses),
		cmocka_unit_test(says_what_failed_unless_it_was_measured_later),
		cmocka_unit_test(
			compares_with_the_nearest_ancestor_that_has_the_series),
		cmocka_unit_test(takes_noise_for_no_change),
		cmocka_unit_test(orders_entries_and_keeps_equal_ones_in_time),
		cmocka_unit_test(ranks_by_median_and_says_how_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
