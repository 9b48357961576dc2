/* Pooling of index lines into figures. */
#include "analysis/history/figures.h"
#include "render/log/sparkline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static const double low[] = {1, 2}, high[] = {3, 10};

static struct pn_entry_metric metric(const char *name, const double *values)
{
	struct pn_entry_metric m = {.name = name, .unit = "s", .summary.n = 2};

	m.values = values;
	m.value_count = values ? 2 : 0;
	m.summary.median = values ? (values[0] + values[1]) / 2 : 7;
	m.summary.sd = 1;
	return m;
}

static void pools_the_samples_of_one_job(void **state)
{
	struct pn_entry_metric a = metric("wall", low);
	struct pn_entry_metric b = metric("wall", high);
	struct pn_entry entries[] = {
		{.kind = PN_ENTRY_PROFILE, .metrics = &b, .metric_count = 1},
		{.kind = PN_ENTRY_PROFILE, .metrics = &a, .metric_count = 1},
	};
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count;

	(void)state;
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(count, 1);
	assert_int_equal(figures[0].n, 4);
	assert_int_equal(figures[0].records, 2);
	/* of 1 2 3 10: median (2 + 3) / 2, mean 4, squares 9+4+1+36 = 50,
	 * sd = sqrt(50 / 3) */
	assert_true(figures[0].median == 2.5);
	assert_true(figures[0].min == 1 && figures[0].max == 10);
	assert_true(fabs(figures[0].sd - sqrt(50.0 / 3)) < 1e-12);
	pn_arena_release(&arena);
}

/* Threads 1 and 2 of process 7 cost 1 and 3, and 1 again: runs of 4 and 1.
 * Thread 1 of process 77, which cost 10, is a run of its own. */
static void adds_up_threads_of_a_run(void **state)
{
	static const double costs[] = {1, 3, 1, 10, 0};
	struct pn_field threads[] = {{PN_THREAD_FIELD, "7:1"},
				     {PN_THREAD_FIELD, "7:2"},
				     {PN_THREAD_FIELD, "7:1"},
				     {PN_THREAD_FIELD, "77:1"}};
	struct pn_entry_metric metrics[4];
	struct pn_entry entries[4];
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count, i;

	(void)state;
	for (i = 0; i < 4; i++) {
		metrics[i] = metric("Ir", &costs[i]);
		metrics[i].value_count = 1;
		entries[i] = (struct pn_entry){.kind = PN_ENTRY_PROFILE,
					       .fields = &threads[i],
					       .field_count = 1,
					       .metrics = &metrics[i],
					       .metric_count = 1};
	}
	pn_figures_of(&figures, &count, &arena, entries, 4);
	assert_int_equal(count, 1);
	assert_int_equal(figures[0].n, 3);
	assert_int_equal(figures[0].records, 4);
	assert_true(figures[0].median == 4);
	assert_true(figures[0].min == 1 && figures[0].max == 10);
	pn_arena_release(&arena);
}

/* The second line is what a postprocessor made of the first; its other metric
 * is its own. */
static void counts_no_measurement_twice(void **state)
{
	struct pn_entry_metric a = metric("wall", low);
	struct pn_entry_metric more[] = {metric("wall", low),
					 metric("share", high)};
	struct pn_field of = {"of", "0123456789abcdef"}, from = of;
	struct pn_entry entries[] = {
		{.kind = PN_ENTRY_PROFILE,
		 .fields = &of,
		 .field_count = 1,
		 .metrics = more,
		 .metric_count = 2},
		{.kind = PN_ENTRY_PROFILE, .metrics = &a, .metric_count = 1},
	};
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count;

	(void)state;
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(count, 2);
	assert_int_equal(figures[0].n, 4); /* there is no such record here */
	memcpy(entries[1].id, of.value, PN_ENTRY_ID_HEX);
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(count, 2);
	assert_string_equal(figures[0].metric, "wall");
	assert_int_equal(figures[0].n, 2);
	assert_string_equal(figures[1].metric, "share");
	/* both were copied to a commit that was rewritten */
	memset(entries[1].id, 'f', PN_ENTRY_ID_HEX);
	from.key = "from";
	entries[1].fields = &from;
	entries[1].field_count = 1;
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(figures[0].n, 2);
	pn_arena_release(&arena);
}

static void keeps_jobs_and_machines_apart(void **state)
{
	struct pn_entry_metric a = metric("wall", low);
	struct pn_field one = {"env", "box1"}, two = {"env", "box2"};
	struct pn_field job = {"cmd", "other"};
	struct pn_entry entries[] = {
		{.kind = PN_ENTRY_PROFILE, .metrics = &a, .metric_count = 1},
		{.kind = PN_ENTRY_PROFILE, .metrics = &a, .metric_count = 1},
		{.kind = PN_ENTRY_PROFILE, .metrics = &a, .metric_count = 1},
	};
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count;

	(void)state;
	entries[0].fields = &one;
	entries[1].fields = &two;
	entries[2].fields = &job;
	entries[0].field_count = entries[1].field_count = 1;
	entries[2].field_count = 1;
	pn_figures_of(&figures, &count, &arena, entries, 3);
	assert_int_equal(count, 3);
	assert_string_equal(figures[0].series.cmd,
			    "other"); /* the oldest first */
	pn_arena_release(&arena);
}

/* Newest first: dirty, clean, dirty, clean. Clean ones are 1 2 and 3 10. */
static void pools_no_value_of_a_dirty_tree(void **state)
{
	static const double slow[] = {300, 500};
	struct pn_entry_metric a = metric("wall", low);
	struct pn_entry_metric b = metric("wall", high);
	struct pn_entry_metric c = metric("wall", slow);
	struct pn_field dirty = {"dirty", "1"};
	struct pn_entry entries[] = {
		{.id = "d2", .metrics = &c, .fields = &dirty, .field_count = 1},
		{.id = "c2", .metrics = &b},
		{.id = "d1", .metrics = &a, .fields = &dirty, .field_count = 1},
		{.id = "c1", .metrics = &a},
	};
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t i, count;

	(void)state;
	for (i = 0; i < 4; i++)
		entries[i].metric_count = 1;
	pn_figures_of(&figures, &count, &arena, entries, 4);
	assert_int_equal(count, 3);
	assert_null(figures[0].dirty);
	assert_int_equal(figures[0].records, 2);
	assert_int_equal(figures[0].n, 4);
	assert_true(figures[0].median == 2.5 && figures[0].max == 10);
	/* nor are two dirty trees one */
	assert_string_equal(figures[1].dirty, "d1");
	assert_true(figures[1].n == 2 && figures[1].median == 1.5);
	assert_string_equal(figures[2].dirty, "d2");
	assert_true(figures[2].n == 2 && figures[2].median == 400);
	pn_arena_release(&arena);
}

/* Newest first: noisy, quiet, noisy, quiet. Quiet ones are 1 2 and 3 10. */
static void leaves_noisy_records_out_where_there_are_quiet_ones(void **state)
{
	static const double slow[] = {300, 500};
	struct pn_entry_metric a = metric("wall", low);
	struct pn_entry_metric b = metric("wall", high);
	struct pn_entry_metric c = metric("wall", slow);
	struct pn_field noisy = {"e.quiet", "others:0.8,idle:0"};
	struct pn_field quiet = {"e.quiet", "others:0.03,idle:0.5"};
	struct pn_field nice = {"e.quiet", "others:0,idle:0.5,nice:10"};
	struct pn_entry entries[] = {
		{.id = "n2", .metrics = &c, .fields = &noisy, .field_count = 1},
		{.id = "q2", .metrics = &b, .fields = &quiet, .field_count = 1},
		{.id = "n1", .metrics = &c, .fields = &nice, .field_count = 1},
		{.id = "q1", .metrics = &a}, /* it is not known */
	};
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t i, count;

	(void)state;
	for (i = 0; i < 4; i++)
		entries[i].metric_count = 1;
	pn_figures_of(&figures, &count, &arena, entries, 4);
	assert_int_equal(count, 1);
	assert_false(figures[0].noisy);
	assert_int_equal(figures[0].left_out, 2);
	assert_int_equal(figures[0].records, 2);
	assert_int_equal(figures[0].n, 4);
	assert_true(figures[0].median == 2.5 && figures[0].max == 10);
	/* where all are noisy they are what there is */
	entries[1] = entries[2];
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(count, 1);
	assert_true(figures[0].noisy);
	assert_int_equal(figures[0].left_out, 0);
	assert_int_equal(figures[0].n, 4);
	assert_true(figures[0].median == 400);
	pn_arena_release(&arena);
}

static void does_not_pool_a_mere_median(void **state)
{
	struct pn_entry_metric a = metric("wall", low);
	struct pn_entry_metric b = metric("wall", NULL);
	struct pn_entry entries[] = {
		{.kind = PN_ENTRY_PROFILE, .metrics = &b, .metric_count = 1},
		{.kind = PN_ENTRY_PROFILE, .metrics = &a, .metric_count = 1},
	};
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count;

	(void)state;
	/* a median alone */
	b.summary.q1 = b.summary.q3 = b.summary.sd = NAN;
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(count, 1);
	assert_int_equal(figures[0].records, 1);
	assert_true(figures[0].median == 7);
	pn_arena_release(&arena);
}

/*
 * The line of 33 runs has their summary: of 10 to 42 s in steps of 1 the five
 * numbers are 10, 18, 26, 34, 42, the mean is 26 and the squares add up to
 * 2 * (1 + 4 + ... + 256) = 2992. Beside the 1 and 2 of another record: 35
 * values, of which the 18th is 25 (1, 2, then 10 to 42); mean (33 * 26 + 3) /
 * 35 = 24.6; squares 2992 + .5 + (26 - 1.5)^2 * 33 * 2 / 35.
 */
static void pools_the_summary_of_many_runs(void **state)
{
	struct pn_entry_metric a = metric("wall", low);
	struct pn_entry_metric b = metric("wall", NULL);
	struct pn_entry entries[] = {
		{.kind = PN_ENTRY_PROFILE, .metrics = &b, .metric_count = 1},
		{.kind = PN_ENTRY_PROFILE, .metrics = &a, .metric_count = 1},
	};
	const double squares = 2992 + .5 + 24.5 * 24.5 * 33 * 2 / 35;
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count;

	(void)state;
	a.summary = (struct pn_summary){.n = 2,
					.min = 1,
					.max = 2,
					.median = 1.5,
					.mean = 1.5,
					.sd = sqrt(.5)};
	b.summary = (struct pn_summary){.n = 33,
					.min = 10,
					.q1 = 18,
					.median = 26,
					.q3 = 34,
					.max = 42,
					.mean = 26,
					.sd = sqrt(2992.0 / 32)};
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(count, 1);
	assert_int_equal(figures[0].records, 2);
	assert_int_equal(figures[0].n, 35);
	assert_true(fabs(figures[0].median - 25) < 1e-9);
	assert_true(figures[0].min == 1 && figures[0].max == 42);
	assert_true(fabs(figures[0].sd - sqrt(squares / 34)) < 1e-9);
	pn_figures_of(&figures, &count, &arena, entries, 1);
	assert_int_equal(figures[0].n, 33);
	assert_true(figures[0].median == 26);
	assert_int_equal(figures[0].value_count, 33);
	pn_arena_release(&arena);
}

static void draws_the_least_and_the_greatest(void **state)
{
	const double values[] = {0, NAN, 7, 3.5};
	const double flat[] = {5, 5};
	const double many[] = {0, 0, 0, 8, 8, 8};
	/* heights are of 1.25: a tenth of 100 in eight */
	const double hardly[] = {99.9, 100.1}, little[] = {99, 101};
	struct pn_buf out = {0};

	(void)state;
	pn_sparkline(&out, values, 4, 10);
	assert_string_equal(pn_buf_text(&out),
			    "\xe2\x96\x81 \xe2\x96\x88\xe2\x96\x85");
	pn_buf_clear(&out);
	pn_sparkline(&out, flat, 2, 10);
	assert_string_equal(pn_buf_text(&out), "\xe2\x96\x84\xe2\x96\x84");
	pn_buf_clear(&out);
	pn_sparkline(&out, many, 6, 2);
	assert_string_equal(pn_buf_text(&out), "\xe2\x96\x81\xe2\x96\x88");
	pn_buf_clear(&out);
	pn_sparkline(&out, hardly, 2, 10);
	assert_string_equal(pn_buf_text(&out), "\xe2\x96\x84\xe2\x96\x84");
	pn_buf_clear(&out);
	pn_sparkline(&out, little, 2, 10);
	assert_string_equal(pn_buf_text(&out), "\xe2\x96\x83\xe2\x96\x85");
	pn_buf_clear(&out);
	pn_sparkline(&out, many, 0, 2);
	assert_int_equal(out.len, 0);
	pn_buf_release(&out);
}

/* Nobody said what was run: two programs' profiles are two series, and so are
 * two names where not even the program is known. */
static void keeps_programs_without_a_command_apart(void **state)
{
	struct pn_entry_metric a = metric("cpu", low), b = metric("cpu", high);
	struct pn_field fields[] = {{"program", "server"},
				    {"program", "client"},
				    {"name", "x.pb.gz"},
				    {"name", "y.pb.gz"},
				    {"program", "server"}};
	struct pn_entry entries[5];
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count, i;

	(void)state;
	memset(entries, 0, sizeof(entries));
	for (i = 0; i < 5; i++) {
		entries[i].kind = PN_ENTRY_PROFILE;
		entries[i].fields = &fields[i];
		entries[i].field_count = 1;
		entries[i].metrics = i % 2 ? &b : &a;
		entries[i].metric_count = 1;
	}
	pn_figures_of(&figures, &count, &arena, entries, 5);
	assert_int_equal(count, 4);
	assert_string_equal(figures[0].series.cmd,
			    "server"); /* the oldest is last */
	assert_int_equal(figures[0].n, 4);
	assert_string_equal(figures[1].series.cmd, "y.pb.gz");
	assert_string_equal(figures[2].series.cmd, "x.pb.gz");
	assert_string_equal(figures[3].series.cmd, "client");
	pn_arena_release(&arena);
}

/* 1 and 2 s beside 3000 and 10000 ms: 1 2 3 10, in the unit of the newest. */
static void pools_units_of_one_family(void **state)
{
	static const double ms[] = {3000, 10000};
	struct pn_entry_metric s = metric("wall", low);
	struct pn_entry_metric m = metric("wall", ms);
	struct pn_entry entries[] = {
		{.kind = PN_ENTRY_PROFILE, .metrics = &s, .metric_count = 1},
		{.kind = PN_ENTRY_PROFILE, .metrics = &m, .metric_count = 1},
	};
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t count;

	(void)state;
	m.unit = "milliseconds";
	pn_figures_of(&figures, &count, &arena, entries, 2);
	assert_int_equal(count, 1);
	assert_string_equal(figures[0].unit, "s");
	assert_true(figures[0].median == 2.5);
	assert_true(figures[0].max == 10);
	pn_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pools_the_samples_of_one_job),
		cmocka_unit_test(adds_up_threads_of_a_run),
		cmocka_unit_test(counts_no_measurement_twice),
		cmocka_unit_test(keeps_jobs_and_machines_apart),
		cmocka_unit_test(pools_no_value_of_a_dirty_tree),
		cmocka_unit_test(
			leaves_noisy_records_out_where_there_are_quiet_ones),
		cmocka_unit_test(keeps_programs_without_a_command_apart),
		cmocka_unit_test(pools_units_of_one_family),
		cmocka_unit_test(does_not_pool_a_mere_median),
		cmocka_unit_test(pools_the_summary_of_many_runs),
		cmocka_unit_test(draws_the_least_and_the_greatest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
