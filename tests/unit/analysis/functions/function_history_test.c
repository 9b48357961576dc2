/* Functions over commits, and when they changed: by arithmetic. */
#include "analysis/functions/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cost {
	const char *name, *file;
	double self, total;
};

/* A commit that cost this, behind the ones before. */
static void add(struct pn_function_history *h, size_t commit, bool exact,
		const char *unit, const struct cost *costs)
{
	struct pn_function_list list = {
		.type = "cost", .unit = unit, .exact = exact};
	struct pn_function_item items[8];
	size_t i;

	list.items = items;
	for (i = 0; costs[i].name; i++) {
		const char *file = costs[i].file ? costs[i].file : "";

		items[list.count++] = (struct pn_function_item){
			pn_function_history_key(h, costs[i].name,
						strlen(costs[i].name), file,
						exact),
			{costs[i].self, costs[i].total, NAN}};
		list.total += costs[i].self;
	}
	assert_true(pn_function_history_takes(h, &list));
	pn_function_history_add(h, commit, &list);
}

static void rows_are_functions_and_columns_are_commits(void **state)
{
	struct pn_function_history h = {{0}};

	(void)state;
	add(&h, 0, true, "Ir",
	    (struct cost[]){
		    {"main", "a.c", 10, 100}, {"f", "a.c", 90, 90}, {NULL}});
	add(&h, 3, true, "Ir",
	    (struct cost[]){
		    {"g", "a.c", 40, 40}, {"main", "a.c", 10, 50}, {NULL}});
	pn_function_history_end(&h);
	assert_int_equal(h.point_count, 2);
	assert_int_equal(h.points[1].commit, 3);
	assert_true(h.points[1].total == 50);
	assert_int_equal(h.row_count, 3);
	/* by what they cost in the newest commit */
	assert_string_equal(h.rows[0].name, "f");
	assert_string_equal(h.rows[1].name, "main");
	assert_string_equal(h.rows[2].name, "g");
	assert_true(h.rows[0].values[0].self == 90);
	assert_true(h.rows[0].values[1].self == 0);
	assert_true(h.rows[2].values[0].self == 0);
	assert_true(h.rows[1].values[1].total == 50);
	/* 40 of 50 */
	assert_true(fabs(h.rows[2].most - .8) < 1e-12);
	pn_function_history_release(&h);
}

static void units_of_one_family_are_one(void **state)
{
	struct pn_function_history h = {{0}};
	struct pn_function_list other = {.type = "cost", .unit = "bytes"};

	(void)state;
	add(&h, 0, false, "ms", (struct cost[]){{"f", NULL, 2, 2}, {NULL}});
	add(&h, 1, false, "us", (struct cost[]){{"f", NULL, 500, 500}, {NULL}});
	assert_false(pn_function_history_takes(&h, &other));
	pn_function_history_end(&h);
	assert_true(fabs(h.rows[0].values[1].self - .5) < 1e-12);
	pn_function_history_release(&h);
}

static void only_rows_that_match_are_followed(void **state)
{
	struct pn_function_history h = {{0}};
	struct pn_regex *regex;
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_regex_new(&regex, "^f", &err), 0);
	h.rule.name = regex;
	add(&h, 0, true, "Ir",
	    (struct cost[]){{"main", "", 10, 100}, {"f", "", 90, 90}, {NULL}});
	pn_function_history_end(&h);
	assert_int_equal(h.row_count, 1);
	/* its share is of all functions all the same */
	assert_true(fabs(h.rows[0].most - .9) < 1e-12);
	pn_function_history_release(&h);
	pn_regex_free(regex);
}

static void a_share_and_a_number_limit_the_rows(void **state)
{
	struct pn_function_history h = {{0}};

	(void)state;
	h.rule.min_share = .05;
	h.rule.most = 2;
	add(&h, 0, true, "Ir",
	    (struct cost[]){{"a", "", 50, 50},
			    {"b", "", 30, 30},
			    {"c", "", 18, 18},
			    {"d", "", 2, 2},
			    {NULL}});
	pn_function_history_end(&h);
	assert_int_equal(h.row_count, 2);
	assert_string_equal(h.rows[1].name, "b");
	assert_int_equal(h.left_out, 1); /* c; d has 2 % */
	pn_function_history_release(&h);
}

/* Today's "get" was "find" up to commit 1, where another "get" was. */
static void a_row_goes_on_under_its_old_name(void **state)
{
	static const struct cost old[] = {
		{"find", "t.c", 70, 70}, {"get", "u.c", 30, 30}, {NULL}};
	struct pn_function_history h = {{0}};

	(void)state;
	add(&h, 0, true, "Ir", (struct cost[]){{"get", "t.c", 70, 70}, {NULL}});
	pn_function_history_rename(
		&h, pn_function_history_key(&h, "get", 3, "t.c", true),
		pn_function_history_key(&h, "find", 4, "t.c", true));
	add(&h, 1, true, "Ir", old);
	pn_function_history_end(&h);
	assert_int_equal(h.row_count, 2);
	assert_string_equal(h.rows[0].name, "get");
	assert_true(h.rows[0].values[1].self == 70);
	assert_int_equal(h.rows[0].earlier_count, 1);
	assert_string_equal(h.rows[0].earlier[0].name, "find");
	assert_int_equal(h.rows[0].earlier[0].point, 1);
	assert_string_equal(h.rows[1].file, "u.c");
	pn_function_history_release(&h);
}

static void what_is_missing_at_the_next_commit_is_told(void **state)
{
	struct pn_function_history h = {{0}};
	struct pn_function_list none = {.count = 0};

	(void)state;
	add(&h, 0, true, "Ir",
	    (struct cost[]){{"main", "", 99, 100}, {"f", "", 1, 1}, {NULL}});
	assert_true(pn_function_history_misses(&h, &none, .01));
	assert_false(pn_function_history_misses(&h, &none, 1.01));
	pn_function_history_end(&h);
	pn_function_history_release(&h);
}

/* values[0] is of the newest commit, whose number is 0. */
static void find(struct pn_function_changes *out, const double *values,
		 size_t count, bool exact)
{
	struct pn_function_history h = {{0}};
	struct cost costs[] = {{"rest", "", 1000, 1000}, {0}, {0}};
	size_t i;

	for (i = 0; i < count; i++) {
		memset(&costs[1], 0, sizeof(costs[1]));
		if (values[i] > 0)
			costs[1] = (struct cost){"f", "", values[i], values[i]};
		if (!isnan(values[i]))
			add(&h, i, exact, exact ? "Ir" : "ns", costs);
	}
	pn_function_history_end(&h);
	for (i = 0; i < h.row_count; i++)
		if (!strcmp(h.rows[i].name, "f"))
			pn_function_changes_of(out, &h, &h.rows[i], 0);
	pn_function_history_release(&h);
}

static void each_step_of_a_count_is_a_change(void **state)
{
	/* from 100 to 120 by commit 2, then .05 % more: that is none */
	static const double values[] = {120.06, 120.06, 120, 100, 100};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 5, true);
	assert_int_equal(c.doubt, PN_FUNCTION_SURE);
	assert_int_equal(c.count, 1);
	assert_int_equal(c.items[0].kind, PN_FUNCTION_CHANGED);
	assert_int_equal(c.items[0].from, 2);
	assert_int_equal(c.items[0].to, 2);
	assert_true(fabs(c.items[0].ratio - 1.2) < 1e-12);
	pn_function_changes_release(&c);
}

static void commits_that_were_not_measured_may_have_made_it(void **state)
{
	static const double values[] = {120, NAN, NAN, 100};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 4, true);
	assert_int_equal(c.count, 1);
	assert_int_equal(c.items[0].from, 0);
	assert_int_equal(c.items[0].to, 2);
	pn_function_changes_release(&c);
}

static void what_is_new_came_and_what_is_gone_went(void **state)
{
	static const double values[] = {0, 50, 50, 0, 0};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 5, true);
	assert_int_equal(c.count, 2);
	assert_int_equal(c.items[0].kind, PN_FUNCTION_WENT);
	assert_int_equal(c.items[0].from, 0);
	assert_int_equal(c.items[1].kind, PN_FUNCTION_CAME);
	assert_int_equal(c.items[1].from, 2);
	assert_true(isnan(c.items[1].ratio));
	pn_function_changes_release(&c);
}

static void a_count_that_grew_much_is_not_new(void **state)
{
	/* 18209 / 207 = 87.966..., and back to 207 */
	static const double values[] = {207, 18209, 207};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 3, true);
	assert_int_equal(c.count, 2);
	assert_int_equal(c.items[0].kind, PN_FUNCTION_CHANGED);
	assert_int_equal(c.items[1].kind, PN_FUNCTION_CHANGED);
	assert_true(fabs(c.items[0].ratio - 207.0 / 18209) < 1e-12);
	assert_true(fabs(c.items[1].ratio - 18209.0 / 207) < 1e-9);
	pn_function_changes_release(&c);
}

static void one_count_tells_nothing(void **state)
{
	static const double values[] = {120};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 1, true);
	assert_int_equal(c.doubt, PN_FUNCTION_FEW);
	assert_int_equal(c.count, 0);
	pn_function_changes_release(&c);
}

/* Noise of 1 % around 100, and around 150 since commit 11. */
static void a_step_of_noisy_times_is_found(void **state)
{
	double values[30];
	struct pn_function_changes c;
	size_t i;

	(void)state;
	for (i = 0; i < 30; i++)
		values[i] = (i < 12 ? 150 : 100) *
			    (1 + .01 * ((double)(i * 7 % 5) - 2) / 2);
	find(&c, values, 30, false);
	assert_int_equal(c.doubt, PN_FUNCTION_SURE);
	assert_int_equal(c.count, 1);
	assert_true(c.items[0].from <= 11 && c.items[0].to >= 11);
	assert_true(c.items[0].to - c.items[0].from <= 2);
	assert_true(c.items[0].low < 1.5 && c.items[0].high > 1.5);
	pn_function_changes_release(&c);
}

static void five_noisy_times_tell_nothing(void **state)
{
	static const double values[] = {150, 151, 100, 101, 99};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 5, false);
	assert_int_equal(c.doubt, PN_FUNCTION_FEW);
	assert_int_equal(c.count, 0);
	assert_int_equal(c.measured, 5);
	pn_function_changes_release(&c);
}

static void noise_alone_is_no_change(void **state)
{
	double values[40];
	struct pn_function_changes c;
	size_t i;

	(void)state;
	for (i = 0; i < 40; i++)
		values[i] = 100 + (double)(i * 13 % 7) - 3;
	find(&c, values, 40, false);
	assert_int_equal(c.doubt, PN_FUNCTION_SURE);
	assert_int_equal(c.count, 0);
	pn_function_changes_release(&c);
}

/* 150 by 350 is 3 / 7; one or two commits are too few for a new level, one in
 * the middle is none. */
static void few_at_an_end_are_in_doubt(void **state)
{
	static const double newest[] = {150, 150, 350, 350, 350, 350, 350, 350};
	static const double oldest[] = {350, 350, 350, 350, 350, 350, 350, 150};
	static const double within[] = {350, 350, 350, 150, 350, 350, 350, 350};
	struct pn_function_changes c;

	(void)state;
	find(&c, newest, 8, false);
	assert_int_equal(c.count, 0);
	assert_int_equal(c.doubt, PN_FUNCTION_NEWEST);
	assert_int_equal(c.apart, 2);
	assert_true(fabs(c.apart_ratio - 3.0 / 7) < 1e-12);
	pn_function_changes_release(&c);
	/* the one before them alone, of seven */
	find(&c, newest + 1, 7, false);
	assert_int_equal(c.doubt, PN_FUNCTION_NEWEST);
	assert_int_equal(c.apart, 1);
	pn_function_changes_release(&c);
	find(&c, oldest, 8, false);
	assert_int_equal(c.doubt, PN_FUNCTION_OLDEST);
	assert_int_equal(c.apart, 1);
	assert_true(fabs(c.apart_ratio - 3.0 / 7) < 1e-12);
	pn_function_changes_release(&c);
	find(&c, within, 8, false);
	assert_int_equal(c.count, 0);
	assert_int_equal(c.doubt, PN_FUNCTION_SURE);
	pn_function_changes_release(&c);
}

/* The others have a mean of 100 and a deviation of 1.08: 102 is 1.7 of them
 * away, once the error of the mean is counted, 120 is 17. */
static void noise_at_an_end_is_not_in_doubt(void **state)
{
	double values[] = {102, 99, 101, 100, 98.5, 100.5, 99.5, 101.5};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 8, false);
	assert_int_equal(c.doubt, PN_FUNCTION_SURE);
	pn_function_changes_release(&c);
	values[0] = 120;
	find(&c, values, 8, false);
	assert_int_equal(c.count, 0);
	assert_int_equal(c.doubt, PN_FUNCTION_NEWEST);
	assert_int_equal(c.apart, 1);
	pn_function_changes_release(&c);
}

static void a_function_of_few_samples_was_there(void **state)
{
	/* a mean of 2 before and of 202 since commit 9: 1 %, in each profile */
	double values[30];
	struct pn_function_changes c;
	size_t i;

	(void)state;
	for (i = 0; i < 30; i++)
		values[i] = i < 10 ? 200 + (double)(i * 3 % 5)
				   : 1 + (double)(i % 3);
	find(&c, values, 30, false);
	assert_true(c.count > 0);
	assert_int_equal(c.items[c.count - 1].kind, PN_FUNCTION_CHANGED);
	assert_true(c.items[c.count - 1].ratio > 50);
	pn_function_changes_release(&c);
}

/* A function of a sampled profile that is there since commit 9. */
static void a_new_function_of_samples_came(void **state)
{
	double values[30];
	struct pn_function_changes c;
	size_t i;

	(void)state;
	for (i = 0; i < 30; i++)
		values[i] = i < 10 ? 200 + (double)(i * 3 % 5) : 0;
	find(&c, values, 30, false);
	assert_int_equal(c.count, 1);
	assert_int_equal(c.items[0].kind, PN_FUNCTION_CAME);
	assert_true(c.items[0].from <= 9 && c.items[0].to >= 9);
	pn_function_changes_release(&c);
}

/* 10 more at each commit, as a count and as a cost that may vary, which five
 * commits are too few for: the newest one made it 10 / 9, or 5 / 4. */
static void each_of_equal_steps_is_a_change(void **state)
{
	static const double counts[] = {50, 40, 30, 20, 10};
	static const double costs[] = {90, 80, 70, 60, 50, 40, 30, 20, 10};
	struct pn_function_changes c;
	size_t i;

	(void)state;
	find(&c, counts, 5, true);
	assert_int_equal(c.count, 4);
	assert_int_equal(c.items[0].from, 0);
	assert_int_equal(c.items[0].to, 0);
	assert_true(fabs(c.items[0].ratio - 5.0 / 4) < 1e-12);
	pn_function_changes_release(&c);

	find(&c, costs, 9, false);
	assert_int_equal(c.doubt, PN_FUNCTION_SURE);
	assert_int_equal(c.count, 8);
	for (i = 0; i < 8; i++) {
		assert_int_equal(c.items[i].from, i);
		assert_int_equal(c.items[i].to, i);
		assert_true(c.items[i].before == costs[i + 1]);
		assert_true(c.items[i].after == costs[i]);
	}
	assert_true(fabs(c.items[0].ratio - 9.0 / 8) < 1e-12);
	pn_function_changes_release(&c);

	/* as many as are needed, and one less */
	find(&c, costs, 6, false);
	assert_int_equal(c.count, 5);
	pn_function_changes_release(&c);
	find(&c, costs, 5, false);
	assert_int_equal(c.doubt, PN_FUNCTION_FEW);
	pn_function_changes_release(&c);
}

/*
 * 1 % more at each of 40 commits, and off by 2, 0 or -2 % in turn: bends are up
 * to 4 %, a step is less than five deviations; 1.01^39 - 1 is 47 %, of which
 * the turn gives or takes 4.
 */
static void no_commit_is_named_for_a_drift(void **state)
{
	static const double few[] = {110, 109, 107, 106, 104, 103, 101, 100};
	double values[40];
	struct pn_function_changes c;
	size_t i;

	(void)state;
	for (i = 0; i < 40; i++)
		values[39 - i] = 100 * pow(1.01, (double)i) *
				 (1 + .02 * ((double)(i * 7 % 3) - 1));
	find(&c, values, 40, false);
	assert_int_equal(c.count, 0);
	assert_int_equal(c.doubt, PN_FUNCTION_STEADY);
	assert_true(c.drift > .41 && c.drift < .54);
	pn_function_changes_release(&c);

	/* Too few for a test of the trend, but all in order: 2 in 8!. Bends are
	 * 1, their deviation as of a value .41, and five of a step's 2.9. */
	find(&c, few, 8, false);
	assert_int_equal(c.count, 0);
	assert_int_equal(c.doubt, PN_FUNCTION_STEADY);
	assert_true(fabs(c.drift - .1) < 1e-12);
	pn_function_changes_release(&c);
}

static void what_is_seen_by_chance_is_in_doubt(void **state)
{
	static const double values[] = {1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0};
	struct pn_function_changes c;

	(void)state;
	find(&c, values, 12, false);
	assert_int_equal(c.doubt, PN_FUNCTION_RARELY);
	assert_int_equal(c.count, 0);
	pn_function_changes_release(&c);
}

/* What few commits at an end have, or lack, nobody has seen come and go. */
static void what_came_lately_is_no_chance(void **state)
{
	static const struct {
		double values[6];
		enum pn_function_doubt doubt;
		size_t apart;
		double ratio;
	} cases[] = {
		{{10, 12, 11, 15, 0, 0}, PN_FUNCTION_OLDEST, 2, 0},
		{{10, 0, 0, 0, 0, 0}, PN_FUNCTION_NEWEST, 1, INFINITY},
		{{0, 11, 10, 13, 12, 10}, PN_FUNCTION_NEWEST, 1, 0},
		{{0, 0, 0, 0, 12, 10}, PN_FUNCTION_OLDEST, 2, INFINITY},
		{{10, 12, 0, 15, 0, 0}, PN_FUNCTION_RARELY, 0, 0},
	};
	struct pn_function_changes c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		find(&c, cases[i].values, 6, false);
		assert_int_equal(c.count, 0);
		assert_int_equal(c.doubt, cases[i].doubt);
		assert_int_equal(c.apart, cases[i].apart);
		assert_true(c.apart_ratio == cases[i].ratio);
		pn_function_changes_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_functions_and_columns_are_commits),
		cmocka_unit_test(units_of_one_family_are_one),
		cmocka_unit_test(only_rows_that_match_are_followed),
		cmocka_unit_test(a_share_and_a_number_limit_the_rows),
		cmocka_unit_test(a_row_goes_on_under_its_old_name),
		cmocka_unit_test(what_is_missing_at_the_next_commit_is_told),
		cmocka_unit_test(each_step_of_a_count_is_a_change),
		cmocka_unit_test(
			commits_that_were_not_measured_may_have_made_it),
		cmocka_unit_test(what_is_new_came_and_what_is_gone_went),
		cmocka_unit_test(a_count_that_grew_much_is_not_new),
		cmocka_unit_test(one_count_tells_nothing),
		cmocka_unit_test(a_step_of_noisy_times_is_found),
		cmocka_unit_test(five_noisy_times_tell_nothing),
		cmocka_unit_test(noise_alone_is_no_change),
		cmocka_unit_test(few_at_an_end_are_in_doubt),
		cmocka_unit_test(noise_at_an_end_is_not_in_doubt),
		cmocka_unit_test(a_function_of_few_samples_was_there),
		cmocka_unit_test(a_new_function_of_samples_came),
		cmocka_unit_test(each_of_equal_steps_is_a_change),
		cmocka_unit_test(no_commit_is_named_for_a_drift),
		cmocka_unit_test(what_is_seen_by_chance_is_in_doubt),
		cmocka_unit_test(what_came_lately_is_no_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
