/* Series: which records are of one, and their names. */
#include "model/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* job, cmd, args, workload, collector, machine */
static const struct pn_series fib = {"fib", "./fib", "30", "", "time", "a"};
static const struct pn_series by_hand = {"", "./fib", "30", "", "time", "a"};
static const struct pn_series traced = {"fib", "./fib", "30", "", "trace", "a"};
static const struct pn_series there = {"fib", "./fib", "30", "", "time", "b"};
static const struct pn_series words = {"",	"bin/wc2", "-w/@ x",
				       "big/1", "time",	   "a"};
static const struct pn_series lines = {"",	"bin/wc2", "-l",
				       "big/1", "time",	   "a"};
static const struct pn_series small = {"",	"bin/wc2", "-l",
				       "small", "time",	   "a"};

static void expect_name(const struct pn_series *of, const struct pn_series *all,
			size_t count, const char *name)
{
	struct pn_series_parts parts = pn_series_tell(of, all, count);
	struct pn_buf text = {0};
	size_t i;

	pn_series_text(&text, of, &parts);
	assert_string_equal(pn_buf_text(&text), name);
	/* it leads back, and to no other */
	for (i = 0; i < count; i++) {
		bool same = !pn_series_cmp(of, &all[i]);

		if (!same)
			assert_true(pn_series_fits(&all[i], name) <
				    pn_series_fits(of, name));
		else
			assert_true(pn_series_fits(of, name));
	}
	pn_buf_release(&text);
}

static void a_name_has_what_tells_it_from_others(void **state)
{
	const struct pn_series one[] = {fib};
	const struct pn_series two[] = {fib, traced};
	const struct pn_series machines[] = {fib, there, traced};
	const struct pn_series hand[] = {fib,
					 {"", "./fib", "31", "", "time", "a"}};
	const struct pn_series plain[] = {{"wc", "wc", "-l", "", "time", "a"},
					  {"", "wc", "-w", "", "time", "a"}};
	const struct pn_series empty[] = {{"", "wc", "-l", "", "time", "a"},
					  {"", "wc", "-w", "big", "time", "a"},
					  {"", "ls", "", "", "time", "a"},
					  {"", "ls", "", "big", "time", "b"}};
	const struct pn_series many[] = {words, lines, small};
	const struct pn_series bare[] = {
		{"my fib", "p", "", "", "", ""},
		{"my fib", "./fib", "", "", "time", "a"},
		{"/lead", "./fib", "", "", "time", "a"},
		{"@", "./fib", "", "big", "time", "a"}};

	(void)state;
	expect_name(&bare[0], bare, 4, "my fib/");
	expect_name(&bare[1], bare, 4, "my fib/time");
	expect_name(&bare[2], bare, 4, "/lead/time");
	expect_name(&bare[3], bare, 4, "@/time");
	expect_name(&bare[0], bare, 1, "my fib");
	expect_name(&one[0], one, 1, "fib/time");
	expect_name(&two[1], two, 2, "fib/trace");
	expect_name(&machines[1], machines, 3, "fib/time/b");
	expect_name(&machines[2], machines, 3, "fib/trace");
	expect_name(&hand[0], hand, 2, "fib/time");
	expect_name(&hand[1], hand, 2, "./fib/time");
	expect_name(&plain[0], plain, 2, "wc/time");
	expect_name(&plain[1], plain, 2, "wc -w/time");
	expect_name(&empty[0], empty, 4, "wc -l/time");
	expect_name(&empty[1], empty, 4, "wc/time@big");
	expect_name(&empty[2], empty, 4, "ls/time/a");
	expect_name(&empty[3], empty, 4, "ls/time@big");
	expect_name(&many[0], many, 3, "wc2 -w/@ x/time");
	expect_name(&many[1], many, 3, "wc2 -l/time@big/1");
	expect_name(&many[2], many, 3, "wc2/time@small");
}

static void commands_of_one_job_are_told_apart(void **state)
{
	const struct pn_series all[] = {{"s", "./a", "", "", "time", "m"},
					{"s", "./b", "", "", "time", "m"},
					{"s", "./b", "-v", "", "time", "m"}};

	(void)state;
	expect_name(&all[0], all, 3, "./a/time");
	expect_name(&all[2], all, 3, "s -v/time");
}

static void every_part_may_be_left_out(void **state)
{
	static const char *const names[] = {"wc2",
					    "bin/wc2",
					    "wc2 -l",
					    "bin/wc2 -l",
					    "wc2/time",
					    "wc2/time/a",
					    "wc2//a",
					    "wc2@big/1",
					    "wc2/time@big/1",
					    "wc2 -l/time/a@big/1",
					    "wc2@big/1/time",
					    "wc2@big/1/time/a",
					    "/time",
					    "/time/a@big/1",
					    "@big/1",
					    "//a"};
	static const char *const others[] = {"",
					     "/",
					     "@",
					     "wc",
					     "wc2/",
					     "wc2@",
					     "wc2/tim",
					     "wc2/timer",
					     "wc2@big",
					     "wc2@big/10",
					     "wc2 -w",
					     "wc2 -lx",
					     "wc2 ",
					     "wc2/a",
					     "wc2/time/",
					     "wc2//",
					     "wc2/time/b",
					     "wc2@big/1/",
					     "c2",
					     "in/wc2",
					     "wc2@big/1@big/1",
					     "wc2/time/time"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!pn_series_fits(&lines, names[i]))
			fail_msg("'%s' names nothing", names[i]);
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (pn_series_fits(&lines, others[i]))
			fail_msg("'%s' names it", others[i]);
}

static void a_jobs_name_is_meant_before_a_program(void **state)
{
	const struct pn_series other = {"cold", "./fib", "30", "", "time", "a"};
	const struct pn_series bare = {"", "./fib", "9", "", "time", "a"};

	(void)state;
	assert_int_equal(pn_series_fits(&fib, "fib"), PN_SERIES_JOB);
	assert_int_equal(pn_series_fits(&bare, "fib"), PN_SERIES_COMMAND);
	assert_int_equal(pn_series_fits(&other, "fib"), PN_SERIES_RUN);
}

static struct pn_entry entry_of(const struct pn_field *fields, size_t count)
{
	return (struct pn_entry){.kind = PN_ENTRY_PROFILE,
				 .fields = fields,
				 .field_count = count};
}

static const struct pn_field with_job[] = {{"cmd", "./fib"},
					   {"collector", "time"},
					   {"env", "a"},
					   {"l.job", "fib"}};
static const struct pn_field other_job[] = {{"cmd", "./fib"},
					    {"collector", "time"},
					    {"env", "a"},
					    {"l.job", "fb2"}};
static const struct pn_field of_program[] = {{"program", "fib"},
					     {"name", "x.pb.gz"}};

static void what_was_run_by_hand_is_of_the_one_job_that_runs_it(void **state)
{
	const struct pn_entry entries[] = {entry_of(with_job, 3),
					   entry_of(with_job, 4),
					   entry_of(of_program, 2)};
	const struct pn_entry jobs[] = {entry_of(with_job, 3),
					entry_of(with_job, 4),
					entry_of(other_job, 4)};
	struct pn_series series[3];

	(void)state;
	pn_series_of_all(series, entries, 3);
	assert_string_equal(series[0].job, "fib");
	assert_int_equal(pn_series_cmp(&series[0], &series[1]), 0);
	assert_string_equal(series[2].cmd, "fib");
	assert_string_equal(series[2].job, "");
	pn_series_of_all(series, jobs, 3);
	assert_string_equal(series[0].job, "");
	assert_true(pn_series_cmp(&series[1], &series[2]) != 0);
}

static void alike_is_what_differs_in_a_missing_job_name_alone(void **state)
{
	(void)state;
	assert_true(pn_series_alike(&fib, &by_hand));
	assert_true(pn_series_cmp(&fib, &by_hand) != 0);
	assert_false(pn_series_alike(&fib, &traced));
	assert_false(pn_series_alike(&fib, &there));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_has_what_tells_it_from_others),
		cmocka_unit_test(commands_of_one_job_are_told_apart),
		cmocka_unit_test(every_part_may_be_left_out),
		cmocka_unit_test(a_jobs_name_is_meant_before_a_program),
		cmocka_unit_test(
			what_was_run_by_hand_is_of_the_one_job_that_runs_it),
		cmocka_unit_test(
			alike_is_what_differs_in_a_missing_job_name_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
