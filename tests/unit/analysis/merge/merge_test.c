/* Merging: what is added up, what stays apart, what cannot be merged. */
#include "analysis/merge/difference.h"
#include "analysis/merge/merge.h"

#include "model/graph/graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stacks.h"

static void setup(struct pn_profile *p, const char *type, const char *unit)
{
	pn_profile_init(p);
	pn_profile_add_type(p, type, unit);
}

/* The merge of two, which are released. */
static void merge_two(struct pn_profile *out, struct pn_profile *a,
		      struct pn_profile *b,
		      const struct pn_merge_change *change)
{
	struct pn_merge *m = pn_merge_new();
	struct pn_error err;

	if (pn_merge_add(m, a, NULL, &err) || pn_merge_add(m, b, change, &err))
		fail_msg("%s", err.message);
	pn_profile_release(a);
	pn_profile_release(b);
	pn_merge_end(out, m);
	if (pn_profile_check(out, &err))
		fail_msg("%s", err.message);
}

static void refuses(struct pn_profile *a, struct pn_profile *b,
		    const char *message)
{
	struct pn_merge *m = pn_merge_new();
	struct pn_error err = {0};

	assert_int_equal(pn_merge_add(m, a, NULL, &err), 0);
	assert_int_equal(pn_merge_add(m, b, NULL, &err), PN_EINVAL);
	assert_string_equal(err.message, message);
	pn_merge_free(m);
	pn_profile_release(a);
	pn_profile_release(b);
}

/* 5e18 + 5e18 is more than 9.22e18, whether in one row or in two; 9.3e15 us
 * are 9.3e18 ns. */
static void refuses_a_sum_that_would_wrap(void **state)
{
	static const struct {
		const char *stack, *unit;
		int64_t value;
		int code;
		bool negate;
	} rows[] = {
		{"main > f", "ns", 5000000000000000000, PN_ERANGE},
		{"main > g", "ns", 5000000000000000000, PN_ERANGE},
		{"main > f", "us", 9300000000000000, PN_ERANGE},
		{"main > f", "ns", 4000000000000000000, 0},
		/* 5e18 and 2^63 - 1 - 5e18 are 2^63 - 1, and no more */
		{"main > g", "ns", INT64_MAX - 5000000000000000000, 0},
		{"main > g", "ns", INT64_MAX - 4999999999999999999, PN_ERANGE},
		/* 5e18 - 6e18 is -1e18 */
		{"main > f", "ns", 6000000000000000000, 0, true},
		/* 5e18 - -5e18 is 1e19; as one profile it has 5e18 + 5e18 */
		{"main > f", "ns", -5000000000000000000, PN_ERANGE, true},
		{"main > f", "ns", -5000000000000000000, PN_ERANGE},
	};
	struct pn_profile a, b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct pn_merge_change change = {.negate =
							       rows[i].negate};
		struct pn_merge *m = pn_merge_new();
		struct pn_error err = {0};

		setup(&a, "cpu", "ns");
		add_sample(&a, "main > f", 5000000000000000000);
		setup(&b, "cpu", rows[i].unit);
		add_sample(&b, rows[i].stack, rows[i].value);
		assert_int_equal(pn_merge_add(m, &a, NULL, &err), 0);
		assert_int_equal(pn_merge_add(m, &b, &change, &err),
				 rows[i].code);
		assert_true(!rows[i].code ||
			    !strcmp(err.message,
				    "the values of 'cpu' of all profiles add "
				    "up to more than 2^63 - 1, the most that "
				    "an integer holds"));
		pn_merge_free(m);
		pn_profile_release(&a);
		pn_profile_release(&b);
	}
}

/* 9e18 of f without 9e18 of g: each is held, both magnitudes together are not,
 * and what is left of h is nothing. With 8e18 of f, 1e18 is left of it. */
static void a_difference_is_whole_or_refused(void **state)
{
	static const struct pn_subtract_options plain = {false, false};
	static const struct pn_subtract_options apart = {true, false};
	struct pn_profile p, g, f, out;
	struct pn_error err;

	(void)state;
	setup(&p, "cpu", "ns");
	add_sample(&p, "main > f", 9000000000000000000);
	add_sample(&p, "main > h", 5);
	setup(&g, "cpu", "ns");
	add_sample(&g, "main > g", 9000000000000000000);
	add_sample(&g, "main > h", 5);
	setup(&f, "cpu", "ns");
	add_sample(&f, "main > f", 8000000000000000000);
	add_sample(&f, "main > h", 5);
	assert_int_equal(pn_subtract(&out, &p, &g, &plain, &err), PN_ERANGE);
	pn_profile_release(&out);
	assert_int_equal(pn_subtract(&out, &p, &g, &apart, &err), 0);
	assert_int_equal(out.sample_count, 4);
	pn_profile_release(&out);
	assert_int_equal(pn_subtract(&out, &p, &f, &plain, &err), 0);
	assert_int_equal(out.sample_count, 1);
	assert_true(out.values[0].i == 1000000000000000000);
	pn_profile_release(&out);
	pn_profile_release(&p);
	pn_profile_release(&g);
	pn_profile_release(&f);
}

static void adds_equal_stacks_up(void **state)
{
	struct pn_profile a, b, c, want;
	char why[256];

	(void)state;
	setup(&a, "cpu", "ns");
	add_sample(&a, "main > f", 3);
	add_sample(&a, "main > g", 5);
	setup(&b, "cpu", "ns");
	add_sample(&b, "main > f", 7);
	add_sample(&b, "h", 1);
	/* the same places as in a: addresses say where they are */
	memset(b.locations, 0, b.location_count * sizeof(*b.locations));
	memcpy(b.locations, a.locations, 2 * sizeof(*b.locations));
	b.locations[2].mapping = PN_NONE;
	b.locations[2].line_first = 2;
	b.locations[2].line_count = 1;
	merge_two(&c, &a, &b, NULL);

	setup(&want, "cpu", "ns");
	want.header.runs = 2;
	add_sample(&want, "main > f", 10);
	add_sample(&want, "main > g", 5);
	add_sample(&want, "h", 1);
	want.locations[4].address = 0;
	if (!pn_profile_equal(&c, &want, why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&c);
	pn_profile_release(&want);
}

/* 2 us + 30 ns = 2030 ns, whichever comes first. */
static void takes_the_finer_unit(void **state)
{
	int round;

	(void)state;
	for (round = 0; round < 2; round++) {
		struct pn_profile a, b, c;

		setup(&a, "cpu", round ? "ns" : "microseconds");
		add_sample(&a, "f", round ? 30 : 2);
		setup(&b, "cpus", round ? "microseconds" : "ns");
		add_sample(&b, "f", round ? 2 : 30);
		merge_two(&c, &a, &b, NULL);
		assert_int_equal(c.sample_count, 1);
		assert_int_equal(c.values[0].i, 2030);
		assert_string_equal(pn_profile_text(&c, c.types[0].unit), "ns");
		pn_profile_release(&c);
	}
}

static void finds_columns_by_name(void **state)
{
	union pn_value values[2] = {{.i = 1}, {.i = 10}}, row[2];
	struct pn_profile a, b, c;

	(void)state;
	setup(&a, "count", "");
	pn_profile_add_type(&a, "cpu", "ns");
	add_labelled(&a, "f", 0, values);
	setup(&b, "cpu", "ns");
	pn_profile_add_type(&b, "count", "");
	b.types[0].number = PN_NUMBER_DOUBLE;
	row[0].d = 0.5;
	row[1].i = 2;
	add_labelled(&b, "f", 0, row);
	merge_two(&c, &a, &b, NULL);
	assert_int_equal(c.sample_count, 1);
	assert_int_equal(c.values[0].i, 3);
	assert_true(c.values[1].d == 10.5);
	assert_int_equal(c.types[1].number, PN_NUMBER_DOUBLE);
	pn_profile_release(&c);
}

static void leaves_nothing_of_what_cancels(void **state)
{
	const struct pn_merge_change negated = {.negate = true};
	struct pn_profile a, b, c;

	(void)state;
	setup(&a, "cpu", "ns");
	add_sample(&a, "f", 3);
	setup(&b, "cpu", "ns");
	add_sample(&b, "f", 3);
	merge_two(&c, &a, &b, &negated);
	assert_int_equal(c.sample_count, 0);
	assert_int_equal(c.location_count, 0);
	assert_int_equal(c.function_count, 0);
	pn_profile_release(&c);
}

static void keeps_a_base_apart(void **state)
{
	const double half = 0.5;
	const struct pn_merge_change base = {true, true, &half};
	struct pn_profile a, b, c;

	(void)state;
	setup(&a, "cpu", "ns");
	add_sample(&a, "f", 3);
	setup(&b, "cpu", "ns");
	add_sample(&b, "f", 7);
	merge_two(&c, &a, &b, &base);
	assert_int_equal(c.sample_count, 2);
	assert_int_equal(c.values[0].i, 3);
	assert_int_equal(c.values[1].i, -4); /* 3.5 is rounded away from 0 */
	assert_int_equal(c.stack_count, 1);
	assert_string_equal(pn_profile_text(&c, c.labels[0].key),
			    "pprof::base");
	pn_profile_release(&c);
}

/* Two calls with a structure of five are two observations. */
static void never_adds_observations_up(void **state)
{
	union pn_value values[2] = {{.i = 3}, {.i = 5}};
	struct pn_profile a, b, c;

	(void)state;
	setup(&a, "amount", "us");
	pn_profile_add_type(&a, "structure-unit-size", "");
	add_labelled(&a, "f", 0, values);
	setup(&b, "amount", "us");
	pn_profile_add_type(&b, "structure-unit-size", "");
	add_labelled(&b, "f", 0, values);
	merge_two(&c, &a, &b, NULL);
	assert_int_equal(c.sample_count, 2);
	assert_int_equal(c.values[3].i, 5);
	pn_profile_release(&c);
}

static void tells_an_absent_value_from_zero(void **state)
{
	union pn_value values[2] = {{.i = 3}, {.i = 0}};
	struct pn_profile a, b, c;

	(void)state;
	setup(&a, "count", "");
	pn_profile_add_type(&a, "cpu", "ns");
	add_labelled(&a, "f", 0, values);
	pn_profile_set_absent(&a, 0, 1);
	setup(&b, "count", "");
	pn_profile_add_type(&b, "cpu", "ns");
	add_labelled(&b, "f", 0, values);
	add_labelled(&b, "g", 0, values);
	pn_profile_set_absent(&b, 1, 1);
	merge_two(&c, &a, &b, NULL);
	assert_int_equal(c.sample_count, 2);
	assert_true(pn_profile_is_present(&c, 0, 1));
	assert_false(pn_profile_is_present(&c, 1, 1));
	pn_profile_release(&c);
}

static void moves_addresses_to_the_first_mapping(void **state)
{
	struct pn_mapping mapping = {0x1000, 0x5000, 0, 0, 0, 0};
	struct pn_profile p[2], c;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct pn_location at = {.mapping = 0};
		union pn_value one = {.i = 1};
		uint32_t frame;

		setup(&p[i], "cpu", "ns");
		mapping.file = pn_strtab_add_text(&p[i].strings, "/bin/x");
		mapping.start += (uint64_t)i * 0x10000;
		mapping.limit += (uint64_t)i * 0x10000;
		pn_profile_add_mapping(&p[i], &mapping);
		at.address = mapping.start + 0x10;
		frame = pn_profile_add_location(&p[i], &at, NULL, 0);
		pn_profile_add_sample(
			&p[i], pn_profile_add_stack(&p[i], &frame, 1), 0, &one);
	}
	merge_two(&c, &p[0], &p[1], NULL);
	assert_int_equal(c.mapping_count, 1);
	assert_int_equal(c.location_count, 1);
	assert_int_equal(c.locations[0].address, 0x1010);
	assert_int_equal(c.values[0].i, 2);
	pn_profile_release(&c);
}

static void add_graph(struct pn_profile *p, int64_t calls, int64_t cost)
{
	uint32_t caller = pn_graph_add_node(p, location_of(p, "main"), 1, 1);
	uint32_t callee =
		pn_graph_add_node(p, location_of(p, "f"), calls, calls);
	struct pn_edge edge = {caller, callee, 7, calls, calls};
	struct pn_cost line = {callee, 0, 3, 0};
	size_t at;

	p->graph.self[callee].i = p->graph.total[callee].i = cost;
	p->graph.total[caller].i = cost;
	at = pn_graph_add_edge(p, &edge);
	p->graph.edge_self[at].i = p->graph.edge_total[at].i = cost;
	at = pn_graph_add_cost(p, &line);
	p->graph.cost_values[at].i = cost;
}

static void unites_call_graphs_by_function(void **state)
{
	struct pn_profile a, b, c;

	(void)state;
	setup(&a, "Ir", "");
	add_graph(&a, 2, 10);
	setup(&b, "Ir", "");
	add_graph(&b, 3, 5);
	merge_two(&c, &a, &b, NULL);
	assert_int_equal(c.graph.node_count, 2);
	assert_int_equal(c.graph.edge_count, 1);
	assert_int_equal(c.graph.cost_count, 1);
	assert_int_equal(c.graph.nodes[1].calls, 5);
	assert_int_equal(c.graph.self[1].i, 15);
	assert_int_equal(c.graph.total[0].i, 15);
	assert_int_equal(c.graph.edges[0].calls, 5);
	assert_int_equal(c.graph.edge_total[0].i, 15);
	assert_int_equal(c.graph.cost_values[0].i, 15);
	pn_profile_release(&c);
}

/* Two nodes of one place, and two of none, in each: they stay two. */
static void keeps_nodes_of_one_place_apart(void **state)
{
	struct pn_profile in[2], out;
	size_t i, j;

	(void)state;
	for (i = 0; i < 2; i++) {
		uint32_t at;

		setup(&in[i], "Ir", "");
		at = location_of(&in[i], "f");
		for (j = 0; j < 4; j++) {
			uint32_t node = pn_graph_add_node(
				&in[i], j % 2 ? at : PN_NONE, 1, -1);

			in[i].graph.self[node].i = 1 + (int64_t)j;
		}
	}
	/* the second has one more of f */
	pn_graph_add_node(&in[1], in[1].graph.nodes[1].location, 7, 7);
	merge_two(&out, &in[0], &in[1], NULL);
	assert_int_equal(out.graph.node_count, 5);
	for (i = 0; i < 4; i++) {
		assert_int_equal(out.graph.self[i].i, 2 + 2 * (int64_t)i);
		assert_int_equal(out.graph.nodes[i].calls, 2);
		assert_int_equal(out.graph.nodes[i].primitive, -1);
	}
	assert_int_equal(out.graph.nodes[4].calls, 7);
	pn_profile_release(&out);
}

/* Values 1, 3 and 5 ms pooled; of summaries n = 2, mean 2, sd sqrt 2 and
 * n = 2, mean 6, sd sqrt 2: n = 4, mean 4, squares 2 + 2 + 4 * 4 = 20. */
static void pools_metrics(void **state)
{
	const double first[] = {1, 3}, second[] = {5000};
	struct pn_metric *metric;
	struct pn_profile a, b, c;

	(void)state;
	pn_profile_init(&a);
	pn_profile_add_metric(&a, "wall", "ms", PN_BETTER_LESS, first, 2);
	metric = pn_profile_add_metric(&a, "x", "B", PN_BETTER_LESS, NULL, 0);
	metric->summary =
		(struct pn_summary){2, 1, NAN, NAN, NAN, 3, 2, sqrt(2)};
	pn_profile_init(&b);
	pn_profile_add_metric(&b, "wall", "us", PN_BETTER_LESS, second, 1);
	metric = pn_profile_add_metric(&b, "x", "B", PN_BETTER_LESS, NULL, 0);
	metric->summary =
		(struct pn_summary){2, 5, NAN, NAN, NAN, 7, 6, sqrt(2)};
	merge_two(&c, &a, &b, NULL);
	assert_int_equal(c.metric_count, 2);
	assert_int_equal(c.metrics[0].value_count, 3);
	assert_true(c.metrics[0].values[2] == 5);
	assert_int_equal(c.metrics[1].summary.n, 4);
	assert_true(c.metrics[1].summary.mean == 4);
	assert_true(fabs(c.metrics[1].summary.sd - sqrt(20.0 / 3)) < 1e-12);
	assert_true(c.metrics[1].summary.min == 1);
	assert_true(c.metrics[1].summary.max == 7);
	pn_profile_release(&c);
}

static void keeps_what_all_say(void **state)
{
	struct pn_profile a, b, c;

	(void)state;
	setup(&a, "cpu", "ns");
	a.time_ns = 50;
	a.duration_ns = 5;
	a.period = 10;
	a.header.cmd = pn_strtab_add_text(&a.strings, "prog");
	a.header.args = pn_strtab_add_text(&a.strings, "-a");
	pn_profile_set_label(&a, "k", "v");
	pn_profile_set_label(&a, "l", "1");
	setup(&b, "cpu", "ns");
	b.duration_ns = 7; /* its time is unknown, which is not the earliest */
	b.header.cmd = pn_strtab_add_text(&b.strings, "prog");
	b.header.args = pn_strtab_add_text(&b.strings, "-b");
	pn_profile_set_label(&b, "l", "2");
	pn_profile_set_label(&b, "k", "v");
	merge_two(&c, &a, &b, NULL);
	assert_int_equal(c.time_ns, 50);
	assert_int_equal(c.duration_ns, 12);
	assert_int_equal(c.period, 10); /* of no type, as pprof has it, too */
	assert_string_equal(pn_profile_text(&c, c.header.cmd), "prog");
	assert_string_equal(pn_profile_text(&c, c.header.args), "");
	assert_int_equal(c.header.label_count, 1);
	assert_string_equal(pn_profile_text(&c, c.header.labels[0].key), "k");
	pn_profile_release(&c);
}

static void keeps_each_comment_once(void **state)
{
	static const char *const texts[][3] = {{"a", "b", "a"},
					       {"c", "b", "a"}};
	struct pn_profile in[2], out;
	size_t i, j;

	(void)state;
	for (i = 0; i < 2; i++) {
		setup(&in[i], "cpu", "ns");
		in[i].comments = malloc(3 * sizeof(*in[i].comments));
		in[i].comment_count = 3;
		for (j = 0; j < 3; j++)
			in[i].comments[j] =
				pn_strtab_add_text(&in[i].strings, texts[i][j]);
	}
	merge_two(&out, &in[0], &in[1], NULL);
	assert_int_equal(out.comment_count, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(*pn_profile_text(&out, out.comments[i]),
				 "abc"[i]);
	pn_profile_release(&out);
}

static void says_why_it_cannot(void **state)
{
	struct pn_profile a, b;

	(void)state;
	setup(&a, "cpu", "ns");
	setup(&b, "alloc_space", "bytes");
	refuses(&a, &b,
		"its value types (alloc_space/bytes) are not those of the "
		"others (cpu/ns)");
	setup(&a, "cpu", "ns");
	setup(&b, "cpu", "ns");
	add_sample(&a, "f", 1);
	add_graph(&b, 1, 1);
	refuses(&a, &b,
		"a call graph without stacks cannot be merged with samples");
	setup(&a, "cpu", "ns");
	setup(&b, "cpu", "ns");
	a.period_type.type = pn_strtab_add_text(&a.strings, "cpu");
	a.period_type.unit = pn_strtab_add_text(&a.strings, "ns");
	b.period_type.type = pn_strtab_add_text(&b.strings, "space");
	b.period_type.unit = pn_strtab_add_text(&b.strings, "bytes");
	refuses(&a, &b,
		"its period is of 'space' (bytes), that of the others of 'cpu' "
		"(ns)");
}

/* 30 of a beside 10 of b: times 1/3; a sum of nothing has no factor. */
static void normalizes_to_the_sum_of_the_base(void **state)
{
	double factors[PN_MAX_VALUE_TYPES];
	struct pn_profile a, b;

	(void)state;
	setup(&a, "cpu", "us");
	add_sample(&a, "f", 10);
	add_sample(&a, "g", 20);
	setup(&b, "cpu", "ms");
	pn_merge_normalize(factors, &a, &b);
	assert_true(factors[0] == 1);
	add_sample(&b, "f", 1);
	pn_merge_normalize(factors, &a, &b);
	assert_true(fabs(factors[0] - 1000.0 / 30) < 1e-12);
	pn_profile_release(&a);
	pn_profile_release(&b);
}

/* 4 us brought to 5600 ns are 4200 and 1400, less 1500 and 4100. */
static void normalizes_in_the_finer_unit(void **state)
{
	const struct pn_subtract_options options = {.normalize = true};
	struct pn_profile us, ns, out;
	struct pn_error err = {0};
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		setup(&us, "cpu", "us");
		add_sample(&us, "f", 3);
		add_sample(&us, "g", 1);
		setup(&ns, "cpu", "ns");
		add_sample(&ns, "f", 1500);
		add_sample(&ns, "g", 4100);
		assert_int_equal(pn_subtract(&out, i ? &ns : &us, i ? &us : &ns,
					     &options, &err),
				 0);
		assert_int_equal(out.sample_count, 2);
		assert_string_equal(pn_profile_text(&out, out.types[0].unit),
				    "ns");
		/* the other way 5600 ns become 4000: 1071, less 3000 */
		assert_int_equal(out.values[0].i, i ? 1071 - 3000 : 2700);
		assert_int_equal(out.values[1].i, i ? 2929 - 1000 : -2700);
		pn_profile_release(&us);
		pn_profile_release(&ns);
		pn_profile_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_equal_stacks_up),
		cmocka_unit_test(refuses_a_sum_that_would_wrap),
		cmocka_unit_test(a_difference_is_whole_or_refused),
		cmocka_unit_test(takes_the_finer_unit),
		cmocka_unit_test(finds_columns_by_name),
		cmocka_unit_test(leaves_nothing_of_what_cancels),
		cmocka_unit_test(keeps_a_base_apart),
		cmocka_unit_test(never_adds_observations_up),
		cmocka_unit_test(tells_an_absent_value_from_zero),
		cmocka_unit_test(moves_addresses_to_the_first_mapping),
		cmocka_unit_test(unites_call_graphs_by_function),
		cmocka_unit_test(keeps_nodes_of_one_place_apart),
		cmocka_unit_test(pools_metrics),
		cmocka_unit_test(keeps_what_all_say),
		cmocka_unit_test(keeps_each_comment_once),
		cmocka_unit_test(says_why_it_cannot),
		cmocka_unit_test(normalizes_to_the_sum_of_the_base),
		cmocka_unit_test(normalizes_in_the_finer_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
