/* Flame graphs of small profiles: each width follows from the sums shown. */
#include "analysis/flame/flame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/diff/reports.h"
#include "model/graph/graph.h"
#include "model/timeline/events.h"
#include "stacks.h"

static const struct pn_report_options everything = {.divide_by = 1};
static const struct pn_flame_options plain = {.by_time = false};

static void setup_profile(struct pn_profile *p)
{
	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "nanoseconds");
}

static void report_on(struct pn_report *out, struct pn_profile *p)
{
	struct pn_error err;

	if (pn_report_init(out, p, &everything, &err))
		fail_msg("%s", err.message);
}

/* Each frame as "name:start+total(self)", levels by parentheses' depth as
 * dots before it, separated by blanks. */
static void tells(const struct pn_flame *f, int side, const char *expected)
{
	char text[2048] = "";
	size_t i, n = 0;

	for (i = 0; i < f->frame_count; i++) {
		const struct pn_flame_frame *frame = &f->frames[i];

		n += (size_t)snprintf(
			text + n, sizeof(text) - n, "%s%.*s%s:%g+%g(%g)",
			i ? " " : "", (int)frame->depth, "..........",
			f->names[frame->name].text, frame->start[side],
			frame->total[side], frame->self[side]);
		assert_true(n < sizeof(text));
	}
	assert_string_equal(text, expected);
}

static void of_profile(const struct pn_flame_options *options,
		       struct pn_profile *p, const char *expected)
{
	struct pn_report r;
	struct pn_flame f;
	struct pn_error err;

	report_on(&r, p);
	if (pn_flame_init(&f, &r, NULL, options, &err))
		fail_msg("%s", err.message);
	tells(&f, PN_FLAME_NEW, expected);
	assert_false(f.cut);
	pn_flame_release(&f);
	pn_report_release(&r);
	pn_profile_release(p);
}

/* b has 2 + 3 = 5 and is left of a with 4, whatever came first. */
static void puts_the_heaviest_child_first(void **state)
{
	struct pn_profile p;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > a", 4);
	add_sample(&p, "main > b", 2);
	add_sample(&p, "main > b > c", 3);
	add_sample(&p, "main", 1);
	of_profile(&plain, &p,
		   "all:0+10(0) .main:0+10(1) ..b:0+5(2) ...c:0+3(3) "
		   "..a:5+4(4)");
}

/* g was inlined into f: f is its parent, and what lies below is its own. */
static void draws_inlined_calls_as_calls(void **state)
{
	struct pn_profile p;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > f:g > h", 2);
	of_profile(&plain, &p,
		   "all:0+2(0) .main:0+2(0) ..f:0+2(0) ...g:0+2(0) "
		   "....h:0+2(2)");
}

static void add_event(struct pn_profile *p, uint32_t stack, int64_t time_ns)
{
	struct pn_event event = {
		.time_ns = time_ns, .stack = stack, .thread = PN_NONE};

	pn_events_add(p, &event);
}

/* The same from the leaf on, by time, and from f on, whose outermost call is
 * the one that g was inlined into. */
static void draws_inlined_calls_in_each_direction(void **state)
{
	struct pn_flame_options reversed = {.reversed = true};
	struct pn_flame_options by_time = {.by_time = true};
	struct pn_sandwich s;
	struct pn_profile p;
	struct pn_report r;
	struct pn_error err;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > f:g > h", 2);
	of_profile(&reversed, &p,
		   "all:0+2(0) .h:0+2(0) ..g:0+2(0) ...f:0+2(0) "
		   "....main:0+2(0)");
	setup_profile(&p);
	add_sample(&p, "main > f:g > h", 2);
	add_sample(&p, "main > f:g:f", 3);
	add_event(&p, 0, 10);
	add_event(&p, 1, 20);
	report_on(&r, &p);
	assert_int_equal(pn_sandwich_init(&s, &r, NULL, "^f$", 0, &err), 0);
	tells(&s.callers, PN_FLAME_NEW, "f:0+5(0) .main:0+5(0)");
	tells(&s.callees, PN_FLAME_NEW,
	      "f:0+5(0) .g:0+5(0) ..f:0+3(3) ..h:3+2(2)");
	pn_sandwich_release(&s);
	assert_int_equal(pn_sandwich_init(&s, &r, NULL, "^g$", 0, &err), 0);
	tells(&s.callers, PN_FLAME_NEW, "g:0+5(0) .f:0+5(0) ..main:0+5(0)");
	tells(&s.callees, PN_FLAME_NEW, "g:0+5(0) .f:0+3(3) .h:3+2(2)");
	pn_sandwich_release(&s);
	pn_report_release(&r);
	of_profile(&by_time, &p,
		   "all:0+5(0) .main:0+5(0) ..f:0+5(0) ...g:0+5(0) "
		   "....h:0+2(2) ....f:2+3(3)");
}

/* c is called by a (3) and by b (2); what callers have is no cost of their
 * own. */
static void reversed_begins_with_the_innermost(void **state)
{
	struct pn_flame_options options = {.reversed = true};
	struct pn_profile p;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "a > c", 3);
	add_sample(&p, "b > c", 2);
	add_sample(&p, "b", 1);
	of_profile(&options, &p,
		   "all:0+6(0) .c:0+5(0) ..a:0+3(0) ..b:3+2(0) .b:5+1(0)");
}

/* a weighs 4 at two times, b 3 at one between them: 2, 3, 2. */
static void by_time_neighbours_only_are_one(void **state)
{
	struct pn_flame_options options = {.by_time = true};
	struct pn_profile p;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > a", 4);
	add_sample(&p, "main > b", 3);
	add_event(&p, 0, 10);
	add_event(&p, 0, 30);
	add_event(&p, 1, 20);
	of_profile(&options, &p,
		   "all:0+7(0) .main:0+7(0) ..a:0+2(2) ..b:2+3(3) ..a:5+2(2)");
}

static void without_times_there_is_no_order_by_time(void **state)
{
	struct pn_flame_options options = {.by_time = true};
	struct pn_profile p;
	struct pn_report r;
	struct pn_flame f;
	struct pn_error err;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > a", 4);
	report_on(&r, &p);
	assert_int_equal(pn_flame_init(&f, &r, NULL, &options, &err),
			 PN_EINVAL);
	assert_string_equal(err.message, "no sample of the profile has a time "
					 "to be ordered by");
	pn_report_release(&r);
	pn_profile_release(&p);
}

/* Of 1 + 3 + 2 + 1 frames the four heaviest: all and main (10), b (6) and its
 * child d (6); c (3) and a (1) are left out. */
static void a_limit_keeps_what_weighs_most(void **state)
{
	struct pn_flame_options options = {.frames_max = 4};
	struct pn_profile p;
	struct pn_report r;
	struct pn_flame f;
	struct pn_error err;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > a", 1);
	add_sample(&p, "main > b > d", 6);
	add_sample(&p, "main > c", 3);
	report_on(&r, &p);
	assert_int_equal(pn_flame_init(&f, &r, NULL, &options, &err), 0);
	tells(&f, PN_FLAME_NEW,
	      "all:0+10(0) .main:0+10(0) ..b:0+6(0) ...d:0+6(6)");
	assert_true(f.cut);
	pn_flame_release(&f);
	pn_report_release(&r);
	pn_profile_release(&p);
}

static uint32_t add_function(struct pn_profile *p, const char *name,
			     int64_t self, int64_t total)
{
	uint32_t node = pn_graph_add_node(p, location_of(p, name), 1, 1);

	p->graph.self[node].i = self;
	p->graph.total[node].i = total;
	return node;
}

static void add_call(struct pn_profile *p, uint32_t from, uint32_t to,
		     int64_t total)
{
	struct pn_edge edge = {.caller = from, .callee = to, .calls = 1};
	size_t at = pn_graph_add_edge(p, &edge);

	p->graph.edge_total[at].i = total;
}

/*
 * main calls a (60) and b (40), both call c (30 and 10), which has 20 itself
 * and calls d (20). Nobody knows for whom c called d: of the 30 through a half
 * goes on, 15, of the 10 through b 5.
 */
static void a_call_graph_flows_by_shares(void **state)
{
	uint32_t main, a, b, c, d;
	struct pn_profile p;

	(void)state;
	setup_profile(&p);
	main = add_function(&p, "main", 0, 100);
	a = add_function(&p, "a", 30, 60);
	b = add_function(&p, "b", 30, 40);
	c = add_function(&p, "c", 20, 40);
	d = add_function(&p, "d", 20, 20);
	add_call(&p, main, a, 60);
	add_call(&p, main, b, 40);
	add_call(&p, a, c, 30);
	add_call(&p, b, c, 10);
	add_call(&p, c, d, 20);
	of_profile(&plain, &p,
		   "all:0+100(0) .main:0+100(0) ..a:0+60(30) ...c:0+30(15) "
		   "....d:0+15(15) ..b:60+40(30) ...c:60+10(5) "
		   "....d:60+5(5)");
}

/* f and g call each other for ever: that ends, and loses nothing. */
static void calls_in_a_circle_end(void **state)
{
	struct pn_profile p;
	struct pn_report r;
	struct pn_flame f;
	struct pn_error err;
	double self = 0;
	uint32_t x, y;
	size_t i;

	(void)state;
	setup_profile(&p);
	x = add_function(&p, "f", 500, 1000);
	y = add_function(&p, "g", 500, 1000);
	add_call(&p, x, y, 1000);
	add_call(&p, y, x, 1000);
	report_on(&r, &p);
	assert_int_equal(pn_flame_init(&f, &r, NULL, &plain, &err), 0);
	assert_true(f.estimate);
	assert_true(f.frame_count > 2 && f.frame_count < 20);
	for (i = 0; i < f.frame_count; i++)
		self += f.frames[i].self[PN_FLAME_NEW];
	assert_true(self == f.frames[0].total[PN_FLAME_NEW]);
	pn_flame_release(&f);
	pn_report_release(&r);
	pn_profile_release(&p);
}

static void setup_pair(struct pn_profile *before, struct pn_profile *after,
		       struct pn_diff_reports *reports, struct pn_diff *diff)
{
	struct pn_diff_options options = {.by_total = true};
	struct pn_error err;

	setup_profile(before);
	add_sample(before, "main > a", 6);
	add_sample(before, "main > b", 2);
	setup_profile(after);
	add_sample(after, "main > a", 3);
	add_sample(after, "main > c", 9);
	memset(reports, 0, sizeof(*reports));
	if (pn_diff_reports_init(reports, before, after, &everything, &err) ||
	    pn_diff_init(diff, &reports->of[0], &reports->of[1], &options,
			 &err))
		fail_msg("%s", err.message);
}

static void teardown_pair(struct pn_profile *before, struct pn_profile *after,
			  struct pn_diff_reports *reports, struct pn_diff *diff)
{
	pn_diff_release(diff);
	pn_diff_reports_release(reports);
	pn_profile_release(before);
	pn_profile_release(after);
}

/* Old: a 6, b 2; new: a 3, c 9. By the larger of both: c 9, a 6, b 2. */
static void a_difference_has_both_sides(void **state)
{
	struct pn_profile before, after;
	struct pn_diff_reports reports;
	struct pn_diff diff;
	struct pn_flame f;
	struct pn_error err;

	(void)state;
	setup_pair(&before, &after, &reports, &diff);
	assert_int_equal(pn_flame_init(&f, NULL, &diff, &plain, &err), 0);
	tells(&f, PN_FLAME_NEW,
	      "all:0+12(0) .main:0+12(0) ..c:0+9(9) ..a:9+3(3) ..b:12+0(0)");
	tells(&f, PN_FLAME_OLD,
	      "all:0+8(0) .main:0+8(0) ..c:0+0(0) ..a:0+6(6) ..b:6+2(2)");
	assert_true(pn_flame_change(&f.frames[1]) == (12 - 8) / 12.0);
	assert_true(pn_flame_change(&f.frames[2]) == 1);
	assert_true(pn_flame_change(&f.frames[3]) == (3 - 6) / 6.0);
	assert_true(pn_flame_change(&f.frames[4]) == -1);
	pn_flame_release(&f);
	teardown_pair(&before, &after, &reports, &diff);
}

/* f is called by a (3, once by way of itself) and by b (2): 5 in all, of which
 * 4 - 1 = 3 go on to g. */
static void a_sandwich_counts_the_outermost_call(void **state)
{
	struct pn_sandwich s;
	struct pn_profile p;
	struct pn_report r;
	struct pn_error err;

	(void)state;
	setup_profile(&p);
	add_sample(&p, "main > a > f > g > f", 1);
	add_sample(&p, "main > a > f > g", 2);
	add_sample(&p, "main > b > f", 2);
	add_sample(&p, "main > c", 7);
	report_on(&r, &p);
	assert_int_equal(pn_sandwich_init(&s, &r, NULL, "^f$", 0, &err), 0);
	assert_int_equal(s.matches, 1);
	tells(&s.callers, PN_FLAME_NEW,
	      "f:0+5(0) .a:0+3(0) ..main:0+3(0) .b:3+2(0) ..main:3+2(0)");
	tells(&s.callees, PN_FLAME_NEW, "f:0+5(2) .g:0+3(2) ..f:0+1(1)");
	pn_sandwich_release(&s);
	assert_int_equal(pn_sandwich_init(&s, &r, NULL, "nothing", 0, &err),
			 PN_ENOTFOUND);
	assert_string_equal(err.message, "no function matches 'nothing'");
	pn_report_release(&r);
	pn_profile_release(&p);
}

/* Stacks of more than a thousand calls keep their weight. */
static void runaway_recursion_is_cut(void **state)
{
	uint32_t frames[3000], place;
	union pn_value one = {.i = 1};
	struct pn_profile p;
	struct pn_report r;
	struct pn_flame f;
	struct pn_error err;
	size_t i;

	(void)state;
	setup_profile(&p);
	place = location_of(&p, "again");
	for (i = 0; i < 3000; i++)
		frames[i] = place;
	pn_profile_add_sample(&p, pn_profile_add_stack(&p, frames, 3000), 0,
			      &one);
	report_on(&r, &p);
	assert_int_equal(pn_flame_init(&f, &r, NULL, &plain, &err), 0);
	assert_int_equal(f.depth, PN_FLAME_DEPTH_MAX + 1);
	assert_true(f.frames[f.frame_count - 1].self[PN_FLAME_NEW] == 1);
	pn_flame_release(&f);
	pn_report_release(&r);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_the_heaviest_child_first),
		cmocka_unit_test(draws_inlined_calls_as_calls),
		cmocka_unit_test(draws_inlined_calls_in_each_direction),
		cmocka_unit_test(reversed_begins_with_the_innermost),
		cmocka_unit_test(by_time_neighbours_only_are_one),
		cmocka_unit_test(without_times_there_is_no_order_by_time),
		cmocka_unit_test(a_limit_keeps_what_weighs_most),
		cmocka_unit_test(a_call_graph_flows_by_shares),
		cmocka_unit_test(calls_in_a_circle_end),
		cmocka_unit_test(a_difference_has_both_sides),
		cmocka_unit_test(a_sandwich_counts_the_outermost_call),
		cmocka_unit_test(runaway_recursion_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
