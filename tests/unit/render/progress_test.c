/* Lines that say how far something is, and how they reach a terminal. */
#include "render/progress.h"
#include "render/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S 1000000000LL

static void runs_say_time_left_and_median(void **state)
{
	struct pn_runs_progress p = {.done = 3,
				     .expected = 10,
				     .left_ns = 3 * S,
				     .median_ns = 81.3e6,
				     .title = "./parser --fast"};
	struct pn_buf text = {0};

	(void)state;
	pn_runs_progress_text(&text, &p);
	assert_string_equal(pn_buf_text(&text),
			    "3/10 runs, 4 s left, median 81.30 ms  "
			    "./parser --fast");
	pn_buf_clear(&text);
	p.left_ns = 0;
	p.median_ns = (double)NAN;
	p.warming_up = true;
	p.title = "bad\033[2J";
	pn_runs_progress_text(&text, &p);
	assert_null(strchr(pn_buf_text(&text), '\033'));
	assert_memory_equal(pn_buf_text(&text), "3/10 runs  warming up bad",
			    25);
	pn_buf_release(&text);
}

static void jobs_say_the_run_when_there_are_several(void **state)
{
	struct pn_jobs_progress p = {.done = 1,
				     .count = 4,
				     .left_ns = 121 * S,
				     .runs_done = 3,
				     .runs_expected = 10,
				     .doing = "parse"};
	struct pn_buf text = {0};

	(void)state;
	pn_jobs_progress_text(&text, &p);
	assert_string_equal(pn_buf_text(&text),
			    "1/4 jobs, 3 min left, run 3/10  parse");
	pn_buf_clear(&text);
	p.runs_expected = 1;
	p.left_ns = 9000 * S;
	pn_jobs_progress_text(&text, &p);
	assert_string_equal(pn_buf_text(&text), "1/4 jobs, 2.5 h left  parse");
	pn_buf_release(&text);
}

/* 2 of 12 commits in a minute: 10 more take five, and a second begun. */
static void a_walk_says_its_rate_and_what_is_left(void **state)
{
	struct pn_walk_progress p = {.done = 2,
				     .count = 12,
				     .elapsed_ns = 60 * S,
				     .commit = "0123456789abcdef"};
	struct pn_buf text = {0};

	(void)state;
	pn_walk_progress_text(&text, &p);
	assert_string_equal(pn_buf_text(&text),
			    "[3/12, 2.0 commits a minute, 6 min left] "
			    "0123456789  ");
	pn_buf_clear(&text);
	p.done = 0;
	pn_walk_progress_text(&text, &p);
	assert_string_equal(pn_buf_text(&text), "[1/12] 0123456789  ");
	pn_buf_release(&text);
}

static void a_line_is_due_ten_times_a_second_or_for_something_else(void **state)
{
	struct pn_terminal_line line = {0};
	struct pn_buf text = {0};
	char *shown = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&shown, &len);
	int a, b;

	(void)state;
	assert_true(pn_terminal_line_due(&line, &a, S));
	pn_buf_add_text(&text, "half");
	pn_terminal_line_show(&line, to, &text);
	assert_false(pn_terminal_line_due(&line, &a, S + S / 10 - 1));
	assert_true(pn_terminal_line_due(&line, &b, S + S / 10 - 1));
	assert_true(pn_terminal_line_due(&line, &b, S + S / 5));
	pn_terminal_line_clear(&line, to);
	pn_terminal_line_clear(&line, to);
	fclose(to);
	assert_string_equal(shown, "\r\033[Khalf\r\033[K");
	free(shown);
	pn_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_say_time_left_and_median),
		cmocka_unit_test(jobs_say_the_run_when_there_are_several),
		cmocka_unit_test(a_walk_says_its_rate_and_what_is_left),
		cmocka_unit_test(
			a_line_is_due_ten_times_a_second_or_for_something_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
