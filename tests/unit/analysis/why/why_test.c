/* Why a program changed: by arithmetic on small call graphs and stacks, and of
 * the commits of a real series, whose table says which function was changed. */
#include "render/judged/why.h"

#include "model/graph/graph.h"
#include "model/runs.h"
#include "shared.h"
#include "stacks.h"

#include <math.h>

/* "f 30 3": a function with its own cost and calls; "main f 3": calls. */
struct own {
	const char *name;
	int64_t self, calls;
};

struct call {
	const char *from, *to;
	int64_t calls;
};

static uint32_t node_of(const struct own *list, const char *name)
{
	uint32_t i;

	for (i = 0; strcmp(list[i].name, name) != 0; i++)
		;
	return i;
}

static void make_graph(struct pn_profile *p, const char *unit,
		       const struct own *list, const struct call *calls)
{
	struct pn_edge edge;
	uint32_t at, i;

	pn_profile_init(p);
	pn_profile_add_type(p, "cost", unit);
	for (i = 0; list[i].name; i++) {
		at = pn_graph_add_node(p, location_of(p, list[i].name),
				       list[i].calls, list[i].calls);
		p->graph.self[at].i = p->graph.total[at].i = list[i].self;
	}
	for (i = 0; calls && calls[i].from; i++) {
		edge = (struct pn_edge){.caller = node_of(list, calls[i].from),
					.callee = node_of(list, calls[i].to),
					.calls = calls[i].calls,
					.primitive = calls[i].calls};
		pn_graph_add_edge(p, &edge);
	}
}

static void explain(struct pn_why *out, struct pn_profile *before,
		    struct pn_profile *after)
{
	struct pn_error err;

	if (pn_why_init(out, before, after, NULL, &err))
		fail_msg("%s", err.message);
}

static void release(struct pn_why *why, struct pn_profile *before,
		    struct pn_profile *after)
{
	pn_why_release(why);
	pn_profile_release(before);
	pn_profile_release(after);
}

static void expect_sentence(const struct pn_why *why, const char *want)
{
	struct pn_buf text = {0};

	pn_why_sentence(&text, why);
	assert_string_equal(pn_buf_text(&text), want);
	pn_buf_release(&text);
}

/*
 * header: 20 ms in 10 calls, then 60 ms in 30: all by calls, 20 (2 + 2) / 2.
 * body: 30 in 10, then 60 in 12: 2 (3 + 5) / 2 = 8 by calls, 2 (10 + 12) / 2 =
 * 22 by cost, of 30. utf8 is new, 12. All: 40 + 30 + 12 = 82.
 */
static void tells_calls_from_their_cost(void **state)
{
	static const struct own old[] = {{"main", 5, 1},
					 {"loop", 5, 1},
					 {"header", 20, 10},
					 {"body", 30, 10},
					 {0}};
	static const struct own new[] = {{"main", 5, 1},     {"loop", 5, 1},
					 {"header", 60, 30}, {"body", 60, 12},
					 {"utf8", 12, 4},    {0}};
	static const struct call before[] = {{"main", "loop", 1},
					     {"main", "header", 5},
					     {"loop", "header", 5},
					     {"loop", "body", 10},
					     {0}};
	static const struct call after[] = {
		{"main", "loop", 1},	{"main", "header", 6},
		{"loop", "header", 24}, {"loop", "body", 12},
		{"body", "utf8", 4},	{0}};
	struct pn_profile a, b;
	struct pn_why why;

	(void)state;
	make_graph(&a, "ms", old, before);
	make_graph(&b, "ms", new, after);
	explain(&why, &a, &b);
	assert_float_equal(why.delta, 82, 1e-9);
	assert_int_equal(why.row_count, 3);
	assert_string_equal(why.rows[0].name, "header");
	assert_float_equal(why.rows[0].by_calls, 40, 1e-9);
	assert_float_equal(why.rows[0].by_each, 0, 1e-9);
	assert_int_equal(why.rows[0].cause, PN_FUNCTION_CALLS);
	assert_string_equal(why.rows[0].caller, "loop");
	assert_string_equal(why.rows[1].name, "body");
	assert_float_equal(why.rows[1].by_calls, 8, 1e-9);
	assert_float_equal(why.rows[1].by_each, 22, 1e-9);
	assert_int_equal(why.rows[1].cause, PN_FUNCTION_COST);
	assert_int_equal(why.rows[2].state, PN_DIFF_NEW);
	assert_float_equal(why.explained, 1, 1e-9);
	expect_sentence(
		&why, "header +40 ms, called 3 x as often, 19 more from loop; "
		      "body +30 ms, each call costs 66.7 % more; "
		      "utf8 is new, +12 ms, called from body; "
		      "100 % of it explained");
	release(&why, &a, &b);
}

/*
 * parse: 100 calls of 20, then 300 of 10: 200 (20 + 10) / 2 = 3000 by calls,
 * -10 (100 + 300) / 2 = -2000 by cost. main calls it 2.1 times as often.
 */
static void tells_what_goes_against_more_calls(void **state)
{
	static const struct own old[] = {
		{"main", 5, 1}, {"loader", 5, 1}, {"parse", 2000, 100}, {0}};
	static const struct own new[] = {
		{"main", 5, 1}, {"loader", 5, 1}, {"parse", 3000, 300}, {0}};
	static const struct call before[] = {{"main", "parse", 100}, {0}};
	static const struct call after[] = {
		{"main", "parse", 210}, {"loader", "parse", 90}, {0}};
	struct pn_profile a, b;
	struct pn_why why;

	(void)state;
	make_graph(&a, "count", old, before);
	make_graph(&b, "count", new, after);
	explain(&why, &a, &b);
	assert_float_equal(why.rows[0].by_calls, 3000, 1e-9);
	assert_float_equal(why.rows[0].by_each, -2000, 1e-9);
	assert_int_equal(why.rows[0].cause, PN_FUNCTION_CALLS_AND_COST);
	expect_sentence(&why,
			"parse +1,000, called 3 x as often, 110 more from "
			"main, each call costs 50 % less; "
			"100 % of it explained");
	release(&why, &a, &b);
	make_graph(&a, "count", new, after);
	make_graph(&b, "count", old, before);
	explain(&why, &a, &b);
	expect_sentence(&why,
			"parse -1,000, called 66.7 % less often, 110 fewer "
			"from main, each call costs 2 x as much; "
			"100 % of it explained");
	release(&why, &a, &b);
}

static void tells_who_calls_it_now(void **state)
{
	static const struct own list[] = {
		{"main", 5, 1}, {"a", 5, 1}, {"b", 5, 1}, {"get", 90, 10}, {0}};
	static const struct own more[] = {{"main", 45, 1},
					  {"a", 5, 1},
					  {"b", 5, 1},
					  {"get", 90, 10},
					  {0}};
	static const struct call before[] = {{"a", "get", 10}, {0}};
	static const struct call after[] = {
		{"a", "get", 1}, {"b", "get", 9}, {0}};
	struct pn_profile p, q;
	struct pn_why why;

	(void)state;
	make_graph(&p, "count", list, before);
	make_graph(&q, "count", more, after);
	explain(&why, &p, &q);
	assert_int_equal(why.explaining_count, 1);
	assert_string_equal(why.rows[0].name, "main");
	assert_int_equal(why.row_count, 2);
	assert_true(why.rows[1].moved);
	assert_string_equal(why.rows[1].name, "get");
	assert_string_equal(why.rows[1].caller, "b");
	assert_string_equal(why.rows[1].moved_from, "a");
	release(&why, &p, &q);
}

/* What goes against the change counts, too: +60, -20 and of nine others +1
 * each are 49. */
static void takes_what_goes_against_it(void **state)
{
	struct own old[13] = {{"up", 20, 1}, {"down", 60, 1}};
	struct own new[13] = {{"up", 80, 1}, {"down", 40, 1}};
	static char names[9][4];
	struct pn_profile a, b;
	struct pn_why why;
	size_t i;

	(void)state;
	for (i = 0; i < 9; i++) {
		snprintf(names[i], sizeof(names[i]), "f%zu", i);
		old[2 + i] = (struct own){names[i], 10, 1};
		new[2 + i] = (struct own){names[i], 11, 1};
	}
	make_graph(&a, "count", old, NULL);
	make_graph(&b, "count", new, NULL);
	explain(&why, &a, &b);
	assert_float_equal(why.delta, 49, 1e-9);
	assert_string_equal(why.rows[0].name, "up");
	assert_string_equal(why.rows[1].name, "down");
	/* 40 of 49 is not enough; five more make it 45, .918 */
	assert_int_equal(why.row_count, 7);
	assert_float_equal(why.explained, 45.0 / 49, 1e-9);
	assert_int_equal(why.changed_count, 11);
	release(&why, &a, &b);
}

/* Ten functions in six runs, of each the same cost but for some noise; `f3`
 * takes a third more on the new side. */
static void make_runs(struct pn_profile *p, bool is_new)
{
	struct pn_label label = {.kind = PN_LABEL_INT};
	union pn_value value;
	char stack[32];
	int f, r;

	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "ns");
	label.key = pn_strtab_add_text(&p->strings, PN_RUN_LABEL);
	p->header.runs = 6;
	for (r = 0; r < 6; r++) {
		uint32_t set;

		label.value.i = r + 1;
		set = pn_profile_add_label_set(p, &label, 1);
		for (f = 0; f < 10; f++) {
			snprintf(stack, sizeof(stack), "main > f%d", f);
			value.i = 1000000 + 1000 * ((7 * f + 3 * r) % 11) +
				  (is_new && f == 3 ? 333000 : 0) +
				  (is_new ? 12000 * ((5 * f + r) % 7 - 3) : 0);
			add_labelled(p, stack, set, &value);
		}
	}
}

static void leaves_noise_out(void **state)
{
	struct pn_profile a, b;
	struct pn_why why;

	(void)state;
	make_runs(&a, false);
	make_runs(&b, true);
	explain(&why, &a, &b);
	assert_true(why.tested);
	assert_int_equal(why.changed_count, 1);
	assert_int_equal(why.row_count, 1);
	assert_string_equal(why.rows[0].name, "f3");
	assert_int_equal(why.rows[0].verdict, PN_VERDICT_SEVERE_DEGRADATION);
	assert_true(why.explained > 0.9);
	assert_true(isnan(why.rows[0].old_calls));
	release(&why, &a, &b);
}

static void says_what_it_cannot_compare(void **state)
{
	static const struct own list[] = {{"main", 5, 1}, {0}};
	struct pn_profile a, b;
	struct pn_error err;
	struct pn_why why;

	(void)state;
	make_graph(&a, "ms", list, NULL);
	pn_profile_init(&b);
	assert_int_equal(pn_why_init(&why, &a, &b, NULL, &err), PN_EINVAL);
	assert_non_null(strstr(err.message, "cannot explain the change"));
	pn_profile_release(&b);
	make_graph(&b, "bytes", list, NULL);
	assert_int_equal(pn_why_init(&why, &a, &b, NULL, &err), PN_EINVAL);
	pn_profile_release(&a);
	pn_profile_release(&b);
}

/* Which function series.tsv says was changed, and by what kind of change. */
static void names_the_function_of_each_known_change(void **state)
{
	static const struct {
		const char *before, *after, *function;
		int direction;
	} cases[] = {
		{"07-9f5fadeb2b", "08-3e8ec01c33", "table_get", 1},
		{"12-595e454a87", "13-88dc751d1c", "table_get", -1},
		{"17-5b2a3cc62a", "18-6e48626c1f", "sort_entries", 1},
		{"19-b18d361c65", "20-c169ff9a5a", "sort_entries", -1},
		{"23-c313675029", "24-b96ccba386", "next_token", -1},
		{"28-699f6380d8", "29-32dce077e0", "fold_case", 1},
		{"30-34d9788deb", "31-54ae6546ce", "checksum", 1},
		{"36-98474a006f", "37-ba2cd30f32", "checksum", -1},
		{"37-ba2cd30f32", "38-1ea1035efa", "table_lookup", 1},
	};
	char name[96];
	size_t i, r;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pn_profile a, b;
		struct pn_why why;
		bool named = false;

		snprintf(name, sizeof(name), "series/callgrind/%s.callgrind",
			 cases[i].before);
		read_profile(&a, NULL, shared(name));
		snprintf(name, sizeof(name), "series/callgrind/%s.callgrind",
			 cases[i].after);
		read_profile(&b, NULL, shared(name));
		explain(&why, &a, &b);
		for (r = 0; r < why.explaining_count; r++)
			named |= !strcmp(why.rows[r].name, cases[i].function) &&
				 cases[i].direction * why.rows[r].delta > 0;
		if (!named || why.explained < 0.9)
			fail_msg("%s: %.2f explained", cases[i].after,
				 why.explained);
		release(&why, &a, &b);
	}
}

static void knows_the_rename_of_the_series(void **state)
{
	struct pn_profile a, b;
	struct pn_why why;

	(void)state;
	read_profile(&a, NULL,
		     shared("series/callgrind/20-c169ff9a5a.callgrind"));
	read_profile(&b, NULL,
		     shared("series/callgrind/21-bfa0246a7f.callgrind"));
	explain(&why, &a, &b);
	assert_int_equal(why.explaining_count, 0);
	assert_int_equal(why.row_count, 1);
	assert_string_equal(why.rows[0].name, "table_lookup");
	assert_string_equal(why.rows[0].old_name, "table_get");
	release(&why, &a, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_calls_from_their_cost),
		cmocka_unit_test(tells_what_goes_against_more_calls),
		cmocka_unit_test(tells_who_calls_it_now),
		cmocka_unit_test(takes_what_goes_against_it),
		cmocka_unit_test(leaves_noise_out),
		cmocka_unit_test(says_what_it_cannot_compare),
		cmocka_unit_test(names_the_function_of_each_known_change),
		cmocka_unit_test(knows_the_rename_of_the_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
