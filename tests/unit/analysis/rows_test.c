/* Rows of log, status and collect before they are text: by arithmetic. */
#include "analysis/history/job_tell.h"
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

static void tells_jobs_by_what_differs(void **state)
{
	/* the jobs of one command are no neighbours here */
	struct pn_figure f[] = {figure("wall", "a", "time", "x"),
				figure("user", "a", "time", "x"),
				figure("wall", "b", "time", "x"),
				figure("wall", "a", "time", "y")};
	struct pn_job_tell tell = {0};

	(void)state;
	assert_int_equal(pn_figure_job_cmp(&f[0], &f[1]), 0);
	assert_int_not_equal(pn_figure_cmp(&f[0], &f[1]), 0);
	assert_int_not_equal(pn_figure_job_cmp(&f[0], &f[2]), 0);
	assert_true(pn_job_begins(f, 0));
	assert_false(pn_job_begins(f, 1));
	assert_true(pn_job_begins(f, 2));
	assert_false(pn_job_tell_all(&tell, f, 2));
	assert_true(pn_job_tell_all(&tell, f, 3));
	assert_false(tell.collector || tell.environment);
	assert_true(pn_job_tell_all(&tell, f, 4));
	assert_true(tell.environment && !tell.collector);
	f[3].series.collector = "perf";
	tell = (struct pn_job_tell){0};
	pn_job_tell_all(&tell, f, 4);
	assert_true(tell.collector && !tell.environment);
}

static void keeps_the_first_figure_of_each_job(void **state)
{
	const struct pn_figure f[] = {figure("wall", "a", "", ""),
				      figure("user", "a", "", ""),
				      figure("cpu", "b", "", "")};
	struct pn_log_row row = {.figures = f, .figure_count = 3};
	struct pn_arena arena = {0};

	(void)state;
	pn_log_row_shorten(&row, &arena);
	assert_int_equal(row.figure_count, 2);
	assert_string_equal(row.figures[0].metric, "wall");
	assert_string_equal(row.figures[1].metric, "cpu");
	pn_arena_release(&arena);
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
	assert_true(rows[0].tell.environment && !rows[0].tell.collector);
	pn_trends_free(trends);
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
	struct pn_entry_row *rows;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(*want); i++) {
		rows = pn_entry_rows(entries, 3,
				     pn_entry_order_find(want[i].order));
		for (k = 0; k < 3; k++)
			assert_int_equal(rows[k].tag, want[i].tags[k]);
		free(rows);
	}
	assert_null(pn_entry_order_find("nothing"));
}

/* A profile that has the wall times a - d and a + d: mean a, sd d * sqrt(2). */
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

static void ranks_by_mean_and_says_how_sure(void **state)
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
	assert_true(ranks[1].ratio == 2 && ranks[2].ratio == 3);
	/* 2 sqrt((2 sqrt 2 / 10)^2 + (3 sqrt 2 / 20)^2) = sqrt 0.5 */
	assert_true(fabs(ranks[1].deviation - sqrt(0.5)) < 1e-12);
	free(ranks);
	ranks = pn_ranking_of(&n, m, 3, true, true);
	assert_string_equal(ranks[0].measured->title, "slow");
	assert_string_equal(ranks[1].measured->title, "fast");
	assert_true(ranks[1].ratio == 0.5);
	free(ranks);
	for (n = 0; n < 3; n++)
		pn_profile_release(&p[n]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_jobs_by_what_differs),
		cmocka_unit_test(keeps_the_first_figure_of_each_job),
		cmocka_unit_test(follows_series_that_move),
		cmocka_unit_test(orders_entries_and_keeps_equal_ones_in_time),
		cmocka_unit_test(ranks_by_mean_and_says_how_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
