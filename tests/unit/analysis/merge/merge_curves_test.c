/* What becomes of curves and events when profiles are merged and filtered. */
#include "analysis/filter/stacks.h"
#include "analysis/merge/merge.h"
#include "model/timeline/curves.h"
#include "model/timeline/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stacks.h"

/* main > f of 5 and main > g of 7, a curve of one point made of them, and an
 * event of each in thread 4 of process 3. */
static void make(struct pn_profile *p)
{
	const char *const stacks[] = {"main > f", "main > g"};
	struct pn_event event = {.time_ns = 30};
	uint32_t id;
	size_t i;

	pn_profile_init(p);
	pn_profile_add_type(p, "heap", "bytes");
	pn_curves_add(p, pn_strtab_add_text(&p->strings, "heap"),
		      pn_strtab_add_text(&p->strings, "bytes"),
		      pn_strtab_add_text(&p->strings, "ms"));
	pn_curves_add_point(p, 10, 12);
	for (i = 0; i < 2; i++) {
		add_sample(p, stacks[i], 5 + 2 * (int64_t)i);
		pn_curves_add_part(p, p->samples[i].stack, 5 + 2 * (double)i);
		event.stack = p->samples[i].stack;
		pn_events_add(p, &event);
	}
	id = pn_events_add_process(p, pn_strtab_add_text(&p->strings, "3"), 0);
	id = pn_events_add_thread(p, id, pn_strtab_add_text(&p->strings, "4"),
				  0);
	p->events.items[0].thread = p->events.items[1].thread = id;
	p->events.threads[id].cost = 2.5;
	pn_profile_add_fact(p, "missed", "count", 3);
	pn_profile_add_fact(p, "seen", "ns", 10);
}

static size_t curves_of_merge(const struct pn_merge_change *second)
{
	struct pn_merge *m = pn_merge_new();
	struct pn_profile p, out;
	size_t count;

	make(&p);
	assert_int_equal(pn_merge_add(m, &p, NULL, NULL), 0);
	if (second)
		assert_int_equal(pn_merge_add(m, &p, second, NULL), 0);
	pn_merge_end(&out, m);
	assert_int_equal(pn_profile_check(&out, NULL), 0);
	count = out.curves.count;
	assert_int_equal(out.curves.point_count, count);
	assert_int_equal(out.curves.part_count, 2 * count);
	assert_int_equal(out.events.count, 2 * count);
	assert_int_equal(out.events.thread_count, count);
	assert_int_equal(out.events.process_count, count);
	pn_profile_release(&p);
	pn_profile_release(&out);
	return count;
}

static void curves_are_of_one_profile(void **state)
{
	const struct pn_merge_change none = {0}, minus = {.negate = true},
				     base = {.base = true};

	(void)state;
	assert_int_equal(curves_of_merge(NULL), 1);
	assert_int_equal(curves_of_merge(&none), 0);
	assert_int_equal(curves_of_merge(&minus), 0);
	assert_int_equal(curves_of_merge(&base), 0);
}

/* The cost of the thread of p where q has no events; p is the first one, or
 * the second. */
static double thread_cost(const char *unit, const char *other_unit,
			  bool is_first, const struct pn_merge_change *change)
{
	struct pn_merge *m = pn_merge_new();
	struct pn_profile p, q, out;
	double cost;

	make(&p);
	make(&q);
	pn_events_clear(&q);
	p.types[0].unit = pn_strtab_add_text(&p.strings, unit);
	q.types[0].unit = pn_strtab_add_text(&q.strings, other_unit);
	assert_int_equal(pn_merge_add(m, is_first ? &p : &q,
				      is_first ? change : NULL, NULL),
			 0);
	assert_int_equal(pn_merge_add(m, is_first ? &q : &p,
				      is_first ? NULL : change, NULL),
			 0);
	pn_merge_end(&out, m);
	assert_int_equal(out.events.thread_count, 1);
	cost = out.events.threads[0].cost;
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_profile_release(&out);
	return cost;
}

/* 2.5 of make(), which are of the only column. */
static void costs_of_threads_are_in_the_unit_of_their_column(void **state)
{
	const double three[] = {3};
	const struct pn_merge_change times = {.factors = three};

	(void)state;
	assert_true(thread_cost("ms", "ms", true, NULL) == 2.5);
	assert_true(thread_cost("ms", "ms", true, &times) == 7.5);
	assert_true(thread_cost("ms", "ms", false, &times) == 7.5);
	assert_true(thread_cost("ms", "us", true, NULL) == 2500);
	assert_true(thread_cost("ms", "us", false, NULL) == 2500);
	assert_true(thread_cost("us", "ms", true, NULL) == 2.5);
	assert_true(thread_cost("us", "ms", false, NULL) == 2.5);
}

static void a_profile_alone_keeps_its_curves(void **state)
{
	struct pn_profile p, same;
	char why[200];

	(void)state;
	make(&p);
	make(&same);
	assert_int_equal(pn_merge_alone(&p, NULL, NULL), 0);
	if (!pn_profile_equal(&p, &same, why, sizeof(why)))
		fail_msg("%s", why);
	same.curves.parts[1].value++;
	assert_false(pn_profile_equal(&p, &same, why, sizeof(why)));
	assert_non_null(strstr(why, "part of a point"));
	same.curves.parts[1].value--;
	same.events.items[1].time_ns++;
	assert_false(pn_profile_equal(&p, &same, why, sizeof(why)));
	assert_non_null(strstr(why, "event"));
	pn_profile_release(&p);
	pn_profile_release(&same);
}

/* Of a difference nobody's work is told. */
static void facts_of_runs_add_up(void **state)
{
	const struct pn_merge_change minus = {.negate = true};
	struct pn_merge *m = pn_merge_new();
	struct pn_profile p, out;
	double value;

	(void)state;
	make(&p);
	assert_int_equal(pn_merge_add(m, &p, NULL, NULL), 0);
	assert_int_equal(pn_merge_add(m, &p, NULL, NULL), 0);
	pn_merge_end(&out, m);
	assert_int_equal(out.fact_count, 2);
	assert_true(pn_profile_fact(&value, &out, "missed") && value == 6);
	assert_true(pn_profile_fact(&value, &out, "seen") && value == 20);
	pn_profile_release(&out);
	m = pn_merge_new();
	assert_int_equal(pn_merge_add(m, &p, NULL, NULL), 0);
	assert_int_equal(pn_merge_add(m, &p, &minus, NULL), 0);
	pn_merge_end(&out, m);
	assert_int_equal(out.fact_count, 0);
	pn_profile_release(&out);
	pn_profile_release(&p);
}

static void parts_and_events_go_with_their_stacks(void **state)
{
	const unsigned char stays[] = {0, 1};
	struct pn_profile p;

	(void)state;
	make(&p);
	pn_samples_keep(&p, stays, NULL);
	assert_int_equal(p.curves.part_count, 1);
	assert_int_equal(p.curves.points[0].count, 1);
	assert_true(p.curves.parts[0].value == 7);
	assert_int_equal(p.events.count, 1);
	assert_int_equal(p.events.items[0].stack, 1);
	/* what there was in all stays what it was */
	assert_true(p.curves.points[0].value == 12);
	assert_int_equal(pn_profile_check(&p, NULL), 0);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves_are_of_one_profile),
		cmocka_unit_test(
			costs_of_threads_are_in_the_unit_of_their_column),
		cmocka_unit_test(a_profile_alone_keeps_its_curves),
		cmocka_unit_test(facts_of_runs_add_up),
		cmocka_unit_test(parts_and_events_go_with_their_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
