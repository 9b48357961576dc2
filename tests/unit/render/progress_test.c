/* Lines that say how far something is, and how they reach a terminal. */
#define _GNU_SOURCE /* struct winsize, TIOCSWINSZ */
#include "render/progress.h"
#include "render/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

static void a_run_that_waits_says_for_whom(void **state)
{
	struct pn_jobs_progress p = {.waiting = true};
	struct pn_buf text = {0};

	(void)state;
	pn_jobs_waiting_text(&text, &p);
	assert_string_equal(
		pn_buf_text(&text),
		"waiting for another run of this repository to end\n");
	pn_buf_clear(&text);
	p.hooked = true;
	pn_jobs_waiting_text(&text, &p);
	assert_non_null(strstr(pn_buf_text(&text), "the hooks' worker"));
	assert_non_null(strstr(pn_buf_text(&text), "git perf worker --status"));
	pn_buf_clear(&text);
	pn_jobs_progress_text(&text, &p);
	assert_non_null(strstr(pn_buf_text(&text), "the hooks' worker"));
	pn_buf_release(&text);
}

static void jobs_say_the_run_when_there_are_several(void **state)
{
	struct pn_jobs_progress p = {.done = 1,
				     .count = 4,
				     .left_ns = 121 * S,
				     .runs_done = 3,
				     .runs_expected = 10,
				     .building = "make"};
	struct pn_buf text = {0};

	(void)state;
	pn_jobs_progress_text(&text, &p);
	assert_string_equal(pn_buf_text(&text),
			    "1/4 jobs, 3 min left, run 3/10  building: make");
	pn_buf_clear(&text);
	p.runs_expected = 1;
	p.left_ns = 9000 * S;
	pn_jobs_progress_text(&text, &p);
	assert_string_equal(pn_buf_text(&text),
			    "1/4 jobs, 2.5 h left  building: make");
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
	FILE *to = tmpfile();
	char shown[64] = "";
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
	rewind(to);
	assert_true(fread(shown, 1, sizeof(shown) - 1, to) > 0);
	fclose(to);
	assert_string_equal(shown, "\r\033[Khalf\r\033[K");
	pn_buf_release(&text);
}

static void set_columns(int fd, unsigned short columns)
{
	const struct winsize size = {.ws_row = 24, .ws_col = columns};

	assert_int_equal(ioctl(fd, TIOCSWINSZ, &size), 0);
}

/* What reached the terminal since the last look. */
static void reads(const char *wanted, int terminal)
{
	char got[256] = "";
	size_t len = 0;

	/* a terminal hands over what it has, in pieces on a busy machine */
	while (len < strlen(wanted)) {
		ssize_t n = read(terminal, got + len, sizeof(got) - 1 - len);

		assert_true(n > 0);
		len += (size_t)n;
	}
	assert_string_equal(got, wanted);
}

/* The last column stays free; three wide characters are six columns. */
static void a_line_is_as_wide_as_the_terminal_is_now(void **state)
{
	struct pn_terminal_line line = {0};
	struct pn_buf text = {0};
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	FILE *to;

	(void)state;
	assert_true(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal));
	to = fopen(ptsname(terminal), "w");
	assert_non_null(to);
	set_columns(terminal, 8);
	pn_buf_add_text(&text, "a \xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad z");
	pn_terminal_line_show(&line, to, &text);
	reads("\r\033[Ka \xe4\xb8\xad\xe4\xb8\xad", terminal);
	/* wider: all of it */
	set_columns(terminal, 20);
	pn_terminal_line_resize(&line);
	reads("\r\033[Ka \xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad z", terminal);
	/* ten columns are three rows of four: two above the last */
	set_columns(terminal, 4);
	pn_terminal_line_resize(&line);
	reads("\033[2A\r\033[Ja ", terminal);
	pn_terminal_line_clear(&line, to);
	reads("\r\033[K", terminal);
	/* what is not shown is not shown anew */
	pn_terminal_line_resize(&line);
	pn_terminal_line_show(&line, to, &text);
	reads("\r\033[Ka ", terminal);
	fclose(to);
	close(terminal);
	pn_buf_release(&text);
}

/* Each line is cut at the last column; what a narrower terminal breaks takes
 * more rows, from the first of which on all is drawn anew. The terminal puts a
 * carriage return before each line feed. */
static void a_block_is_as_wide_as_the_terminal_is_now(void **state)
{
	struct pn_terminal_block block = {0};
	struct pn_buf text = {0};
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	FILE *to;

	(void)state;
	assert_true(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal));
	to = fopen(ptsname(terminal), "w");
	assert_non_null(to);
	set_columns(terminal, 8);
	pn_buf_add_text(&text, "0123456789\nab\n");
	pn_terminal_block_show(&block, to, &text);
	reads("01234567\r\nab\r\n", terminal);
	/* wider: all of it, in the place of two rows */
	set_columns(terminal, 12);
	pn_terminal_block_resize(&block);
	reads("\033[2A\r\033[J0123456789\r\nab\r\n", terminal);
	/* ten columns are three rows of four, and one more */
	set_columns(terminal, 4);
	pn_terminal_block_resize(&block);
	reads("\033[4A\r\033[J0123\r\nab\r\n", terminal);
	pn_terminal_block_show(&block, to, &text);
	reads("\033[2A\r\033[J0123\r\nab\r\n", terminal);
	pn_terminal_block_clear(&block, to);
	reads("\033[2A\r\033[J", terminal);
	/* what is not shown is not shown anew */
	pn_terminal_block_resize(&block);
	pn_terminal_block_show(&block, to, &text);
	reads("0123\r\nab\r\n", terminal);
	fclose(to);
	close(terminal);
	pn_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_say_time_left_and_median),
		cmocka_unit_test(a_run_that_waits_says_for_whom),
		cmocka_unit_test(jobs_say_the_run_when_there_are_several),
		cmocka_unit_test(a_walk_says_its_rate_and_what_is_left),
		cmocka_unit_test(
			a_line_is_due_ten_times_a_second_or_for_something_else),
		cmocka_unit_test(a_line_is_as_wide_as_the_terminal_is_now),
		cmocka_unit_test(a_block_is_as_wide_as_the_terminal_is_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
