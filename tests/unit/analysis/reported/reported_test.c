/* What a report shows: lines of several machines, intervals, changes, and
 * functions by commits. */
#include "analysis/reported/reported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A commit with one metric of one series: its row has what a log's has. */
static void add(struct pn_reported *r, const char *machine,
		const double *values, size_t count, double median)
{
	struct pn_figure f = {
		.metric = "wall",
		.unit = "ns",
		.better = PN_BETTER_LESS,
		.series = {"fib", "./fib", "", "", "time", machine},
		.n = count,
		.median = median,
		.min = median,
		.max = median,
		.sd = NAN,
		.values = values,
		.value_count = count};
	struct pn_log_figure now = {&f, NULL};
	struct pn_log_series series = {
		.series = f.series, .figures = &now, .figure_count = 1};
	struct pn_log_row row = {
		.author = "A", .subject = "s", .rows = &series, .row_count = 1};

	pn_reported_add(r, &row);
}

static void two_machines_are_two_lines_of_one_chart(void **state)
{
	static const double one = 5, six[] = {3, 1, 6, 2, 5, 4};
	struct pn_reported r = {.count = 0};
	struct pn_buf name = {0};

	(void)state;
	add(&r, "ci-2", six, 6, 3.5); /* the newest */
	add(&r, "ci-1", &one, 1, 5);
	add(&r, "ci-2", six, 3, 3);
	pn_reported_finish(&r);
	assert_int_equal(r.count, 3);
	assert_int_equal(r.chart_count, 1);
	assert_int_equal(r.line_count, 2);
	assert_string_equal(r.lines[0].course->key.series.machine, "ci-1");
	assert_int_equal(r.lines[0].count, 1);
	assert_true(r.lines[0].headline);
	/* oldest first, though the newest was added first */
	assert_int_equal(r.lines[1].count, 2);
	assert_int_equal(r.lines[1].points[0].commit, 2);
	assert_int_equal(r.lines[1].points[1].commit, 0);
	/* of three values their range */
	assert_true(r.lines[1].points[0].low == 1);
	assert_true(r.lines[1].points[0].high == 6);
	/* of six the 95 % interval by ranks is from the 1st to the 6th:
	 * 2 / 2^6 = 3.1 % lie beside it */
	assert_true(r.lines[1].points[1].low == 1);
	assert_true(r.lines[1].points[1].high == 6);
	assert_int_equal(r.lines[1].points[1].n, 6);
	pn_reported_chart_name(&name, &r, 0);
	assert_string_equal(pn_buf_text(&name), "fib/time wall");
	pn_buf_release(&name);
	pn_reported_release(&r);
}

/* Levels of 100 and 120 without noise: the change is between commits 9 and 10
 * from the oldest, which are 11 and 10 from the newest. */
static void a_jump_is_marked_where_it_is(void **state)
{
	struct pn_reported r = {.count = 0};
	double value;
	size_t i;

	(void)state;
	for (i = 0; i < 21; i++) {
		value = i < 11 ? 120 : 100;
		add(&r, "ci-1", &value, 1, value);
	}
	pn_reported_finish(&r);
	assert_int_equal(r.mark_count, 1);
	assert_int_equal(r.marks[0].line, 0);
	assert_int_equal(r.marks[0].commit, 10);
	assert_int_equal(r.marks[0].oldest, 10);
	assert_int_equal(r.marks[0].newest, 10);
	assert_int_equal(r.marks[0].direction, 1);
	assert_true(fabs(r.marks[0].ratio - 1.2) < 1e-3);
	assert_null(r.marks[0].accepted);
	pn_reported_release(&r);
}

static void a_hostile_number_of_series_is_bounded(void **state)
{
	struct pn_reported r = {.count = 0};
	double value = 1;
	char machine[16];
	size_t i;

	(void)state;
	for (i = 0; i < 3 * PN_REPORTED_MACHINES; i++) {
		snprintf(machine, sizeof(machine), "m%zu", i);
		add(&r, machine, &value, 1, value);
	}
	pn_reported_finish(&r);
	assert_int_equal(r.line_count, PN_REPORTED_MACHINES);
	assert_int_equal(r.line_total, 3 * PN_REPORTED_MACHINES);
	pn_reported_release(&r);
}

/* f: 100, 150, 150, gone; g: 900 all the time; columns are newest first. */
static void functions_that_move_are_rows(void **state)
{
	static struct pn_function_value f[] = {
		{0, 0, NAN}, {150, 0, NAN}, {150, 0, NAN}, {100, 0, NAN}};
	static struct pn_function_value g[] = {
		{900, 0, NAN}, {900, 0, NAN}, {900, 0, NAN}, {900, 0, NAN}};
	struct pn_function_point points[] = {
		{2, 900}, {3, 1050}, {7, 1050}, {9, 1000}};
	struct pn_function_row rows[] = {
		{.name = "g", .file = "", .values = g},
		{.name = "f", .file = "", .values = f}};
	struct pn_function_history history = {.unit = "ns",
					      .points = points,
					      .point_count = 4,
					      .rows = rows,
					      .row_count = 2};
	struct pn_heat heat = {.columns = 0};

	(void)state;
	pn_heat_of(&heat, &history);
	assert_int_equal(heat.columns, 4);
	assert_int_equal(heat.commits[0], 9);
	assert_int_equal(heat.commits[3], 2);
	assert_int_equal(heat.row_count, 1);
	assert_string_equal(heat.rows[0].function->name, "f");
	assert_true(heat.rows[0].self[1] == 150);
	assert_true(pn_heat_change(&heat, &heat.rows[0], 0) == 0);
	/* 50 of 150 */
	assert_true(fabs(pn_heat_change(&heat, &heat.rows[0], 1) - 1. / 3) <
		    1e-9);
	assert_true(pn_heat_change(&heat, &heat.rows[0], 2) == 0);
	assert_true(pn_heat_change(&heat, &heat.rows[0], 3) == -1);
	pn_heat_release(&heat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_machines_are_two_lines_of_one_chart),
		cmocka_unit_test(a_jump_is_marked_where_it_is),
		cmocka_unit_test(a_hostile_number_of_series_is_bounded),
		cmocka_unit_test(functions_that_move_are_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
