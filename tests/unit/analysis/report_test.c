/* The report: flat, cum and edges of small profiles, with the sums shown. */
#include "analysis/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/timeline/ticks.h"
#include "stacks.h"

static const struct pn_report_options everything = {.edges = PN_EDGES_ALL,
						    .divide_by = 1};

static void report_on(struct pn_report *out, struct pn_profile *p,
		      const struct pn_report_options *options)
{
	struct pn_error err;

	if (pn_report_init(out, p, options, &err))
		fail_msg("%s", err.message);
}

static const struct pn_report_node *row_of(const struct pn_report *report,
					   const char *name)
{
	size_t i;

	for (i = 0; i < report->row_count; i++)
		if (!strcmp(report->rows[i].name, name))
			return &report->rows[i];
	fail_msg("no row '%s'", name);
	return NULL;
}

static void has_row(const struct pn_report *report, const char *name,
		    int64_t flat, int64_t cum)
{
	assert_int_equal(row_of(report, name)->flat, flat);
	assert_int_equal(row_of(report, name)->cum, cum);
}

/* The edge of two names, NULL when there is none. */
static const struct pn_report_edge *edge_of(const struct pn_report *report,
					    const char *from, const char *to)
{
	size_t i;

	for (i = 0; i < report->edge_count; i++)
		if (!strcmp(report->rows[report->edges[i].from].name, from) &&
		    !strcmp(report->rows[report->edges[i].to].name, to))
			return &report->edges[i];
	return NULL;
}

static void setup_profile(struct pn_profile *p)
{
	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "nanoseconds");
}

static void teardown(struct pn_report *report, struct pn_profile *p)
{
	pn_report_release(report);
	pn_profile_release(p);
}

/* 3 ns in g below f below main, 2 ns in f: f has 2 itself, 5 with g. */
static void adds_up_flat_and_cum(void **state)
{
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > f > g", 3);
	add_sample(&p, "main > f", 2);
	report_on(&r, &p, &everything);
	assert_int_equal(r.total, 5);
	has_row(&r, "main", 0, 5);
	has_row(&r, "f", 2, 5);
	has_row(&r, "g", 3, 3);
	assert_int_equal(edge_of(&r, "main", "f")->weight, 5);
	assert_int_equal(edge_of(&r, "f", "g")->weight, 3);
	assert_null(edge_of(&r, "main", "g"));
	teardown(&r, &p);
}

static void orders_by_flat_then_name_or_by_cum(void **state)
{
	struct pn_report_options by_cum = everything;
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > b", 2);
	add_sample(&p, "main > c", 2);
	add_sample(&p, "main > a", 3);
	report_on(&r, &p, &everything);
	assert_string_equal(r.rows[0].name, "a");
	assert_string_equal(r.rows[1].name, "b");
	assert_string_equal(r.rows[2].name, "c");
	assert_string_equal(r.rows[3].name, "main");
	pn_report_release(&r);
	by_cum.cum_sort = true;
	report_on(&r, &p, &by_cum);
	assert_string_equal(r.rows[0].name, "main");
	assert_string_equal(r.rows[1].name, "a");
	teardown(&r, &p);
}

/* f calls itself twice: 7 ns are 7 ns of f, and no edge leads from f to f. */
static void counts_direct_recursion_once(void **state)
{
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > f > f > f", 7);
	report_on(&r, &p, &everything);
	has_row(&r, "f", 7, 7);
	assert_int_equal(edge_of(&r, "main", "f")->weight, 7);
	assert_null(edge_of(&r, "f", "f"));
	teardown(&r, &p);
}

/* f > g > f > g: both have all of it, and so have both edges, once. */
static void gives_both_edges_of_mutual_recursion(void **state)
{
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "f > g > f > g", 4);
	report_on(&r, &p, &everything);
	has_row(&r, "f", 0, 4);
	has_row(&r, "g", 4, 4);
	assert_int_equal(edge_of(&r, "f", "g")->weight, 4);
	assert_int_equal(edge_of(&r, "g", "f")->weight, 4);
	teardown(&r, &p);
}

/* h is inlined into f in one stack (5) and called in another (1). */
static void tells_inlined_edges_from_calls(void **state)
{
	struct pn_report_options top = everything, outer = everything;
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > f:h", 5);
	report_on(&r, &p, &everything);
	has_row(&r, "h", 5, 5);
	has_row(&r, "f", 0, 5);
	assert_true(edge_of(&r, "f", "h")->inlined);
	assert_false(edge_of(&r, "main", "f")->inlined);
	assert_int_equal(row_of(&r, "h")->inlined, PN_INLINED_ALWAYS);
	assert_int_equal(row_of(&r, "f")->inlined, PN_INLINED_NO);
	pn_report_release(&r);

	add_sample(&p, "main > h", 1);
	top.edges = PN_EDGES_INLINED;
	report_on(&r, &p, &top);
	assert_int_equal(row_of(&r, "h")->inlined, PN_INLINED_PARTLY);
	pn_report_release(&r);

	add_sample(&p, "f > h", 1);
	report_on(&r, &p, &everything);
	assert_false(edge_of(&r, "f", "h")->inlined);
	assert_int_equal(row_of(&r, "h")->inlined, PN_INLINED_NO);
	pn_report_release(&r);

	outer.noinlines = true;
	report_on(&r, &p, &outer);
	has_row(&r, "f", 5, 6);
	has_row(&r, "h", 2, 2);
	teardown(&r, &p);
}

/* Of 100 ns the limit of 0.1 is 10: m (cum 5) goes; its 5 ns below a stay
 * a's cum, and nobody's flat; x below m keeps its 20, through an edge from a
 * that says so. */
static void trims_light_nodes_and_bridges_them(void **state)
{
	struct pn_report_options options = everything;
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "a", 75);
	add_sample(&p, "a > m", 5);
	add_sample(&p, "a > n > x", 4);
	add_sample(&p, "b > x", 16);
	options.node_fraction = 0.1;
	report_on(&r, &p, &options);
	assert_int_equal(r.dropped_count, 2);
	assert_int_equal(r.row_count, 3);
	has_row(&r, "a", 75, 84);
	has_row(&r, "x", 20, 20);
	assert_int_equal(edge_of(&r, "a", "x")->weight, 4);
	assert_true(edge_of(&r, "a", "x")->residual);
	assert_false(edge_of(&r, "b", "x")->residual);
	assert_int_equal(r.flat_total, 95);
	assert_int_equal(r.total, 100);
	teardown(&r, &p);
}

static void shows_at_most_node_count(void **state)
{
	struct pn_report_options options = everything;
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > a", 3);
	add_sample(&p, "main > b", 2);
	options.node_count = 1;
	report_on(&r, &p, &options);
	assert_int_equal(r.row_count, 1);
	assert_int_equal(r.kept_count, 3);
	assert_string_equal(r.rows[0].name, "a");
	assert_int_equal(r.edge_count, 0);
	teardown(&r, &p);
}

/* delay 10 of 2 contentions and 20 of 4: 30 / 6 = 5 each; lock 20 / 4. */
static void divides_a_mean_by_the_first_value(void **state)
{
	struct pn_report_options options = everything;
	union pn_value a[2] = {{.i = 2}, {.i = 10}};
	union pn_value b[2] = {{.i = 4}, {.i = 20}};
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "contentions", "count");
	pn_profile_add_type(&p, "delay", "nanoseconds");
	add_labelled(&p, "main", 0, a);
	add_labelled(&p, "main > lock", 0, b);
	options.mean = true;
	report_on(&r, &p, &options);
	assert_int_equal(r.total, 5);
	has_row(&r, "main", 5, 5);
	has_row(&r, "lock", 5, 5);
	assert_int_equal(row_of(&r, "main")->cum_sum, 30);
	teardown(&r, &p);
}

static void chooses_the_column_by_name_number_or_default(void **state)
{
	union pn_value values[3] = {{.i = 1}, {.i = 2}, {.i = 4}};
	struct pn_report_options options = everything;
	struct pn_profile p;
	struct pn_report r;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "objects", "count");
	pn_profile_add_type(&p, "space", "bytes");
	pn_profile_add_type(&p, "other", "bytes");
	add_labelled(&p, "main", 0, values);
	report_on(&r, &p, &options);
	assert_int_equal(r.total, 4);
	pn_report_release(&r);
	p.default_type = pn_strtab_add_text(&p.strings, "space");
	report_on(&r, &p, &options);
	assert_int_equal(r.total, 2);
	pn_report_release(&r);
	options.sample_index = "0";
	report_on(&r, &p, &options);
	assert_int_equal(r.total, 1);
	pn_report_release(&r);
	options.sample_index = "inuse_space";
	report_on(&r, &p, &options);
	assert_int_equal(r.total, 2);
	options.sample_index = "nothing";
	assert_int_equal(pn_report_init(&r, &p, &options, &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "no sample type 'nothing': the profile has 3: "
			    "objects, space, other");
	teardown(&r, &p);
}

/* 0.25 + 0.5 of doubles is 0.75, and 0.5 of it two thirds. */
static void adds_up_doubles(void **state)
{
	union pn_value quarter[1] = {{.d = 0.25}}, half[1] = {{.d = 0.5}};
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	p.types[0].number = PN_NUMBER_DOUBLE;
	add_labelled(&p, "main > f", 0, quarter);
	add_labelled(&p, "main > g", 0, half);
	report_on(&r, &p, &everything);
	assert_true(pn_report_number(&r, r.total) == 0.75);
	assert_true(pn_report_number(&r, row_of(&r, "g")->flat) == 0.5);
	assert_true(pn_report_number(&r, row_of(&r, "main")->cum) == 0.75);
	teardown(&r, &p);
}

/* main calls f three times, f costs 6 of 8: a graph says so as it stands. */
static void reports_on_a_graph_without_stacks(void **state)
{
	struct pn_node nodes[3] = {{.calls = 1}, {.calls = 3}, {.calls = -1}};
	struct pn_edge edges[1] = {{.caller = 0, .callee = 1, .calls = 3}};
	union pn_value self[3] = {{.i = 2}, {.i = 6}, {.i = 0}};
	union pn_value total[3] = {{.i = 8}, {.i = 6}, {.i = 8}};
	struct pn_profile p;
	struct pn_graph mine;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	nodes[0].location = location_of(&p, "main");
	nodes[1].location = location_of(&p, "f");
	nodes[2].location = PN_NONE;
	mine = p.graph;
	p.graph = (struct pn_graph){.nodes = nodes,
				    .self = self,
				    .total = total,
				    .node_count = 3,
				    .edges = edges,
				    .edge_self = self + 1,
				    .edge_total = self + 1,
				    .edge_count = 1};
	report_on(&r, &p, &everything);
	assert_int_equal(r.row_count, 2);
	assert_int_equal(r.total, 8);
	has_row(&r, "main", 2, 8);
	has_row(&r, "f", 6, 6);
	assert_int_equal(row_of(&r, "f")->calls, 3);
	assert_int_equal(edge_of(&r, "main", "f")->weight, 6);
	p.graph = mine;
	teardown(&r, &p);
}

/* One function in two places; a frame without any function. */
static void names_nodes_by_granularity(void **state)
{
	struct pn_report_options options = everything;
	struct pn_mapping mapping = {0};
	struct pn_location bare = {.address = 0x1f};
	uint32_t frame;
	union pn_value values[1] = {{.i = 1}};
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	mapping.file = pn_strtab_add_text(&p.strings, "/usr/lib/libx.so");
	pn_profile_add_mapping(&p, &mapping);
	frame = pn_profile_add_location(&p, &bare, NULL, 0);
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, &frame, 1), 0,
			      values);
	add_sample(&p, "f", 2);
	add_sample(&p, "f", 4);
	report_on(&r, &p, &options);
	has_row(&r, "f", 6, 6);
	has_row(&r, "[libx.so]", 1, 1);
	pn_report_release(&r);
	options.granularity = PN_BY_FILEFUNCTIONS;
	report_on(&r, &p, &options);
	has_row(&r, "f f.c", 6, 6);
	pn_report_release(&r);
	options.granularity = PN_BY_FILES;
	report_on(&r, &p, &options);
	has_row(&r, "f.c", 6, 6);
	pn_report_release(&r);
	options.granularity = PN_BY_LINES;
	report_on(&r, &p, &options);
	has_row(&r, "f f.c:1", 6, 6);
	pn_report_release(&r);
	options.granularity = PN_BY_ADDRESSES;
	report_on(&r, &p, &options);
	has_row(&r, "0000000000000002 f f.c:1", 2, 2);
	has_row(&r, "000000000000001f [libx.so]", 1, 1);
	pn_report_release(&r);
	p.mapping_count = 0;
	options.granularity = PN_BY_FUNCTIONS;
	report_on(&r, &p, &options);
	has_row(&r, "<unknown>", 1, 1);
	p.mapping_count = 1;
	teardown(&r, &p);
}

/* 3 in g below f, 2 in f: again that is the same, and of f alone one row;
 * the first report stays. */
static void reports_again_and_on_chosen_names(void **state)
{
	struct pn_report_options options = everything;
	unsigned char names[64] = {0};
	struct pn_profile p;
	struct pn_report r, again;
	uint32_t f;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > f > g", 3);
	add_sample(&p, "main > f", 2);
	report_on(&r, &p, &everything);
	assert_true(pn_report_init_again(&again, &r, &everything));
	assert_int_equal(again.total, 5);
	assert_int_equal(again.row_count, 3);
	has_row(&again, "main", 0, 5);
	has_row(&again, "f", 2, 5);
	has_row(&again, "g", 3, 3);
	pn_report_release(&again);
	assert_true(p.strings.count < sizeof(names));
	assert_true(pn_strtab_find(&f, &p.strings, "f", 1));
	names[f] = 1;
	options.names = names;
	options.edges = PN_EDGES_NONE;
	assert_true(pn_report_init_again(&again, &r, &options));
	assert_int_equal(again.total, 5);
	assert_int_equal(again.row_count, 1);
	has_row(&again, "f", 2, 5);
	pn_report_release(&again);
	/* Samples that are to be shared out among lines would be changed. */
	pn_ticks_add(&p, 0, 7, 1);
	assert_false(pn_report_init_again(&again, &r, &everything));
	has_row(&r, "f", 2, 5);
	teardown(&r, &p);
}

/* As Go's filepath.Clean does, with its own examples. */
static void cleans_paths(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"a/c", "a/c"},
		{"a//c", "a/c"},
		{"a/c/.", "a/c"},
		{"a/c/b/..", "a/c"},
		{"/../a/c", "/a/c"},
		{"/../a/b/../././/c", "/a/c"},
		{"../../a", "../../a"},
		{"a/../..", ".."},
		{"..a/..", "."},
		{"/", "/"},
		{"/a/..", "/"},
		{"/proc/self/cwd/./x/y.c", "x/y.c"},
		{"/proc/self/cwd/x.c", "x.c"},
	};
	struct pn_buf text = {0};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pn_buf_clear(&text);
		pn_path_clean(&text, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(pn_buf_text(&text), cases[i][1]);
	}
	pn_buf_release(&text);
}

/* A sum that does not fit wraps; nothing traps. */
static void survives_values_that_do_not_fit(void **state)
{
	struct pn_profile p;
	struct pn_report r;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main", INT64_MAX);
	add_sample(&p, "main", INT64_MAX);
	add_sample(&p, "main > f", INT64_MIN);
	report_on(&r, &p, &everything);
	assert_int_equal(row_of(&r, "f")->flat, INT64_MIN);
	teardown(&r, &p);
}

/*
 * Samples with more frames than one thread counts: 20,000 times 7 and 20,000
 * times 8. The first half is 1 ns each, h inlined into g; the second 2 ns, g
 * called by h.
 */
static void counts_halves_as_the_whole(void **state)
{
	static const char *const halves[] = {
		"main > b > c > d > e > f > g:h",
		"main > b > c > d > e > f > h > g",
	};
	struct pn_profile p;
	struct pn_report r;
	int i;

	(void)state;
	setup_profile(&p);
	for (i = 0; i < 40000; i++)
		add_sample(&p, halves[i / 20000], 1 + i / 20000);
	assert_true(p.frame_count >= 1 << 18);
	report_on(&r, &p, &everything);
	has_row(&r, "main", 0, 60000);
	has_row(&r, "f", 0, 60000);
	has_row(&r, "h", 20000, 60000);
	has_row(&r, "g", 40000, 60000);
	assert_int_equal(edge_of(&r, "main", "b")->weight, 60000);
	assert_int_equal(edge_of(&r, "f", "g")->weight, 20000);
	assert_int_equal(edge_of(&r, "g", "h")->weight, 20000);
	assert_int_equal(edge_of(&r, "f", "h")->weight, 40000);
	assert_int_equal(edge_of(&r, "h", "g")->weight, 40000);
	assert_true(edge_of(&r, "g", "h")->inlined);
	assert_false(edge_of(&r, "h", "g")->inlined);
	assert_int_equal(row_of(&r, "h")->inlined, PN_INLINED_PARTLY);
	teardown(&r, &p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_up_flat_and_cum),
		cmocka_unit_test(orders_by_flat_then_name_or_by_cum),
		cmocka_unit_test(counts_direct_recursion_once),
		cmocka_unit_test(gives_both_edges_of_mutual_recursion),
		cmocka_unit_test(tells_inlined_edges_from_calls),
		cmocka_unit_test(trims_light_nodes_and_bridges_them),
		cmocka_unit_test(shows_at_most_node_count),
		cmocka_unit_test(divides_a_mean_by_the_first_value),
		cmocka_unit_test(chooses_the_column_by_name_number_or_default),
		cmocka_unit_test(adds_up_doubles),
		cmocka_unit_test(reports_on_a_graph_without_stacks),
		cmocka_unit_test(names_nodes_by_granularity),
		cmocka_unit_test(reports_again_and_on_chosen_names),
		cmocka_unit_test(cleans_paths),
		cmocka_unit_test(survives_values_that_do_not_fit),
		cmocka_unit_test(counts_halves_as_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
