/* Merging and subtracting profiles of several runs. */
#include "analysis/merge/difference.h"
#include "analysis/merge/merge.h"
#include "model/graph/graph.h"
#include "model/graph/totals.h"
#include "model/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stacks.h"

static void make(struct pn_profile *p, const char *unit)
{
	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", unit);
}

static void add(struct pn_profile *p, const char *stack, int64_t value)
{
	union pn_value row = {.i = value};

	pn_profile_add_label_set(p, NULL, 0);
	add_labelled(p, stack, 0, &row);
}

/* Functions of a call graph at address 1 and 2, their own costs. */
static void make_graph(struct pn_profile *p, const char *unit, int64_t first,
		       int64_t second)
{
	const int64_t costs[] = {first, second};
	struct pn_location l = {.mapping = PN_NONE};
	uint32_t i, node;

	make(p, unit);
	for (i = 0; i < 2; i++) {
		if (!costs[i])
			continue;
		l.address = i + 1;
		node = pn_graph_add_node(
			p, pn_profile_add_location(p, &l, NULL, 0), 1, 1);
		p->graph.self[node].i = p->graph.total[node].i = costs[i];
	}
}

static void merge(struct pn_profile *out, struct pn_profile *profiles,
		  size_t count, bool keep)
{
	struct pn_merge *m = pn_merge_new();
	struct pn_error err;
	size_t i;

	if (keep)
		pn_merge_keep_runs(m);
	for (i = 0; i < count; i++)
		if (pn_merge_add(m, &profiles[i], NULL, &err))
			fail_msg("%s", err.message);
	pn_merge_end(out, m);
	for (i = 0; i < count; i++)
		pn_profile_release(&profiles[i]);
}

/* What all samples of a run, from 0 on, add up to. */
static int64_t sum_of_run(const struct pn_profile *p, uint32_t run)
{
	uint32_t *runs = pn_runs_of_sets(p);
	int64_t sum = 0;
	size_t i;

	for (i = 0; runs && i < p->sample_count; i++)
		if (runs[p->samples[i].labels] == run)
			sum += p->values[i].i;
	free(runs);
	return sum;
}

static void profiles_of_one_run_are_told_apart_when_asked(void **state)
{
	struct pn_profile in[3], out;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		make(&in[i], "ns");
		add(&in[i], "main > f", 10 + i);
	}
	merge(&out, in, 3, true);
	assert_int_equal(out.header.runs, 3);
	assert_int_equal(out.sample_count, 3);
	assert_int_equal(out.stack_count, 1);
	assert_true(pn_runs_are_known(&out));
	for (i = 0; i < 3; i++)
		assert_int_equal(sum_of_run(&out, (uint32_t)i), 10 + i);
	pn_profile_release(&out);
}

static void and_added_up_when_not(void **state)
{
	struct pn_profile in[2], out;

	(void)state;
	make(&in[0], "ns");
	add(&in[0], "main > f", 10);
	make(&in[1], "ns");
	add(&in[1], "main > f", 11);
	merge(&out, in, 2, false);
	assert_int_equal(out.header.runs, 2);
	assert_int_equal(out.sample_count, 1);
	assert_int_equal(out.values[0].i, 21);
	assert_int_equal(out.label_count, 0);
	pn_profile_release(&out);
}

static void make_two_runs(struct pn_profile *out, int64_t first, int64_t second)
{
	struct pn_profile in[2];

	make(&in[0], "ns");
	add(&in[0], "main > f", first);
	make(&in[1], "ns");
	add(&in[1], "main > f", second);
	merge(out, in, 2, true);
}

static void runs_of_several_profiles_are_numbered_on(void **state)
{
	struct pn_profile in[2], out;

	(void)state;
	make_two_runs(&in[0], 1, 2);
	make_two_runs(&in[1], 3, 4);
	merge(&out, in, 2, false);
	assert_int_equal(out.header.runs, 4);
	assert_int_equal(pn_runs_labelled(&out), 4);
	assert_int_equal(sum_of_run(&out, 0), 1);
	assert_int_equal(sum_of_run(&out, 1), 2);
	assert_int_equal(sum_of_run(&out, 2), 3);
	assert_int_equal(sum_of_run(&out, 3), 4);
	pn_profile_release(&out);
}

/* Two runs without a word on which is which. */
static void runs_are_pooled_where_some_do_not_tell(void **state)
{
	struct pn_profile in[2], out;

	(void)state;
	make_two_runs(&in[0], 1, 2);
	make(&in[1], "ns");
	add(&in[1], "main > f", 7);
	in[1].header.runs = 2;
	merge(&out, in, 2, false);
	assert_int_equal(out.header.runs, 4);
	assert_int_equal(out.sample_count, 1);
	assert_int_equal(out.values[0].i, 10);
	assert_int_equal(out.label_count, 0);
	assert_false(pn_runs_are_known(&out));
	pn_profile_release(&out);
}

/* 2 us in the second run are 2000 of the first one's ns. */
static void call_graphs_keep_each_run_in_the_finer_unit(void **state)
{
	struct pn_profile in[3], out;
	const union pn_value *by_run;
	size_t first;

	(void)state;
	make_graph(&in[0], "us", 2, 5);
	make_graph(&in[1], "ns", 300, 0);
	make_graph(&in[2], "ns", 0, 40);
	merge(&out, in, 3, true);
	assert_int_equal(out.header.runs, 3);
	assert_int_equal(out.graph.node_count, 2);
	by_run = out.graph.self_by_run;
	assert_non_null(by_run);
	first = out.locations[out.graph.nodes[0].location].address == 1 ? 0 : 1;
	assert_int_equal(by_run[first * 3].i, 2000);
	assert_int_equal(by_run[first * 3 + 1].i, 300);
	assert_int_equal(by_run[first * 3 + 2].i, 0);
	assert_int_equal(by_run[(1 - first) * 3].i, 5000);
	assert_int_equal(by_run[(1 - first) * 3 + 1].i, 0);
	assert_int_equal(by_run[(1 - first) * 3 + 2].i, 40);
	assert_int_equal(out.graph.self[first].i, 2300);
	pn_profile_release(&out);
}

static void totals_have_a_value_of_each_run(void **state)
{
	struct pn_profile in[2], out;
	struct pn_metric *totals;
	size_t count;

	(void)state;
	make_graph(&in[0], "ns", 2, 5);
	make_graph(&in[1], "ns", 3, 6);
	merge(&out, in, 2, true);
	totals = pn_totals_of(&count, &out);
	assert_int_equal(count, 1);
	assert_int_equal(totals[0].value_count, 2);
	assert_float_equal(totals[0].values[0], 7, 0);
	assert_float_equal(totals[0].values[1], 9, 0);
	pn_totals_free(totals, count);
	/* where nobody knows which is which, their mean */
	free(out.graph.self_by_run);
	out.graph.self_by_run = NULL;
	totals = pn_totals_of(&count, &out);
	assert_int_equal(totals[0].value_count, 1);
	assert_float_equal(totals[0].values[0], 8, 0);
	pn_totals_free(totals, count);
	pn_profile_release(&out);
}

/* 9 in 3 runs without 4 in 2: 3 - 2 a run, of six runs 6. */
static void a_difference_is_of_one_run(void **state)
{
	struct pn_subtract_options plain = {false, false};
	struct pn_subtract_options scaled = {false, true};
	struct pn_profile p, base, out;
	struct pn_error err;

	(void)state;
	make(&p, "ns");
	add(&p, "main > f", 9);
	p.header.runs = 3;
	make(&base, "ns");
	add(&base, "main > f", 4);
	base.header.runs = 2;
	assert_int_equal(pn_subtract(&out, &p, &base, &plain, &err), 0);
	assert_int_equal(out.header.runs, 6);
	assert_int_equal(out.sample_count, 1);
	assert_int_equal(out.values[0].i, 6);
	pn_profile_release(&out);
	assert_int_equal(pn_subtract(&out, &p, &base, &scaled, &err), 0);
	assert_true(pn_difference_is_none(&out));
	pn_profile_release(&out);
	pn_profile_release(&p);
	pn_profile_release(&base);
}

static void labels_count_as_runs_only_without_a_gap(void **state)
{
	struct pn_label label = {.kind = PN_LABEL_INT, .value.i = 2};
	union pn_value row = {.i = 1};
	struct pn_profile p;
	uint32_t set;

	(void)state;
	make(&p, "ns");
	pn_profile_add_label_set(&p, NULL, 0);
	label.key = pn_strtab_add_text(&p.strings, PN_RUN_LABEL);
	set = pn_profile_add_label_set(&p, &label, 1);
	add_labelled(&p, "f", set, &row);
	assert_int_equal(pn_runs_labelled(&p), 0);
	label.value.i = 1;
	set = pn_profile_add_label_set(&p, &label, 1);
	add_labelled(&p, "f", set, &row);
	assert_int_equal(pn_runs_labelled(&p), 2);
	/* a sample of no run, and a run that no memory could hold */
	label.value.i = PN_MAX_RUNS;
	set = pn_profile_add_label_set(&p, &label, 1);
	add_labelled(&p, "f", set, &row);
	assert_int_equal(pn_runs_labelled(&p), 0);
	pn_profile_release(&p);
}

/* A column of sums, one of peaks, one of levels. */
static void make_memory(struct pn_profile *p, int64_t alloc, int64_t peak,
			int64_t inuse, const char *where)
{
	const union pn_value row[] = {{.i = alloc}, {.i = peak}, {.i = inuse}};

	make(p, "bytes");
	pn_profile_add_type(p, "peak", "bytes");
	pn_profile_add_type(p, "inuse", "bytes");
	p->types[1].role = PN_ROLE_PEAK;
	p->types[2].role = PN_ROLE_GAUGE;
	pn_profile_add_label_set(p, NULL, 0);
	add_labelled(p, where, 0, row);
}

static int64_t column_sum(const struct pn_profile *p, size_t column)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++)
		sum += p->values[i * p->type_count + column].i;
	return sum;
}

/* Peaks of 50 at f and 60 at g were never there at once: 60, at g alone. */
static void the_largest_peak_stays_and_levels_are_means(void **state)
{
	struct pn_profile in[3], out;

	(void)state;
	make_memory(&in[0], 100, 50, 10, "main > f");
	make_memory(&in[1], 200, 60, 30, "main > g");
	make_memory(&in[2], 300, 55, 20, "main > f");
	merge(&out, in, 3, false);
	assert_int_equal(out.header.runs, 3);
	assert_int_equal(out.sample_count, 2);
	assert_int_equal(column_sum(&out, 0), 600);
	assert_int_equal(column_sum(&out, 1), 60);
	assert_int_equal(column_sum(&out, 2), 20);
	pn_profile_release(&out);
}

static void runs_that_are_told_apart_keep_each_peak(void **state)
{
	struct pn_profile in[2], two[2], out;
	struct pn_metric *totals;
	size_t count;

	(void)state;
	make_memory(&in[0], 100, 50, 10, "main > f");
	make_memory(&in[1], 200, 60, 30, "main > f");
	merge(&two[0], in, 2, true);
	totals = pn_totals_of(&count, &two[0]);
	assert_int_equal(count, 3);
	assert_int_equal(totals[2].value_count, 2);
	assert_float_equal(totals[2].values[0] + totals[2].values[1], 110, 0);
	pn_totals_free(totals, count);
	/* pooled with a run that is not told: 60 of 50, 60 and 40 */
	make_memory(&two[1], 300, 40, 20, "main > f");
	merge(&out, &two[1], 1, false);
	two[1] = two[0];
	two[0] = out;
	merge(&out, two, 2, false);
	assert_int_equal(out.header.runs, 3);
	assert_int_equal(out.sample_count, 1);
	assert_int_equal(out.values[0].i, 600);
	assert_int_equal(out.values[1].i, 60);
	assert_int_equal(out.values[2].i, 20);
	pn_profile_release(&out);
}

/* Pooled, the runs' peak is 60 and their level 20: as one run of these. */
static void differences_of_peaks_and_levels_are_of_one_run(void **state)
{
	struct pn_subtract_options plain = {false, false};
	struct pn_profile in[2], p, base, out;
	struct pn_error err;

	(void)state;
	make_memory(&in[0], 100, 50, 10, "main > f");
	make_memory(&in[1], 200, 60, 30, "main > f");
	merge(&p, in, 2, true);
	make_memory(&base, 150, 60, 20, "main > f");
	assert_int_equal(pn_subtract(&out, &p, &base, &plain, &err), 0);
	assert_true(pn_difference_is_none(&out));
	pn_profile_release(&out);
	base.values[1].i = 45;
	assert_int_equal(pn_subtract(&out, &p, &base, &plain, &err), 0);
	assert_int_equal(out.header.runs, 2);
	assert_int_equal(out.values[1].i, 30);
	pn_profile_release(&out);
	pn_profile_release(&p);
	pn_profile_release(&base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_of_one_run_are_told_apart_when_asked),
		cmocka_unit_test(and_added_up_when_not),
		cmocka_unit_test(runs_of_several_profiles_are_numbered_on),
		cmocka_unit_test(runs_are_pooled_where_some_do_not_tell),
		cmocka_unit_test(call_graphs_keep_each_run_in_the_finer_unit),
		cmocka_unit_test(totals_have_a_value_of_each_run),
		cmocka_unit_test(a_difference_is_of_one_run),
		cmocka_unit_test(labels_count_as_runs_only_without_a_gap),
		cmocka_unit_test(the_largest_peak_stays_and_levels_are_means),
		cmocka_unit_test(runs_that_are_told_apart_keep_each_peak),
		cmocka_unit_test(
			differences_of_peaks_and_levels_are_of_one_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
