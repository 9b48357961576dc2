/* Measured runs: status, what is counted, what is said when it fails. */
#include "base/process/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MB (1024 * 1024)

static const struct pn_process_options quiet = {.in = -1, .out = -1, .err = -1};

static int measure_shell(struct pn_process_cost *cost, const char *line)
{
	const char *argv[] = {"sh", "-c", line, NULL};
	struct pn_error err;
	int status = -1;

	if (pn_process_measure(cost, &status, argv, &quiet, &err))
		fail_msg("%s", err.message);
	return status;
}

static void tells_the_status_and_the_signal(void **state)
{
	struct pn_process_cost cost;

	(void)state;
	assert_int_equal(measure_shell(&cost, "exit 0"), 0);
	assert_int_equal(measure_shell(&cost, "exit 7"), 7);
	assert_int_equal(measure_shell(&cost, "kill -KILL $$"), 128 + SIGKILL);
}

static void says_why_a_program_does_not_run(void **state)
{
	const char *absent[] = {"no-such-program", NULL};
	const char *folder[] = {"/", NULL};
	struct pn_process_cost cost = {.wall_ns = 77};
	struct pn_process_options there = {.dir = "/no/such/folder"};
	const char *argv[] = {"true", NULL};
	struct pn_error err;
	int status = 77;

	(void)state;
	assert_int_equal(
		pn_process_measure(&cost, &status, absent, &quiet, &err),
		PN_ENOTFOUND);
	assert_string_equal(err.message,
			    "cannot run 'no-such-program': command not found");
	assert_int_equal(
		pn_process_measure(&cost, &status, folder, &quiet, &err),
		PN_EIO);
	assert_int_equal(pn_process_measure(&cost, &status, argv, &there, &err),
			 PN_EIO);
	assert_non_null(strstr(err.message, "in '/no/such/folder'"));
	assert_true(cost.wall_ns == 77 && status == 77);
}

static void counts_memory_and_faults(void **state)
{
	/* one block of 64 MB is allocated and read into: 16384 pages of 4 kB,
	 * or 32 huge ones */
	const char *argv[] = {"dd",	     "if=/dev/zero", "of=/dev/null",
			      "bs=67108864", "count=1",	     NULL};
	const char *few[] = {"dd", "if=/dev/zero", "of=/dev/null", "count=0",
			     NULL};
	struct pn_process_cost small, large;
	int status;

	(void)state;
	assert_int_equal(pn_process_measure(&small, &status, few, &quiet, NULL),
			 0);
	assert_int_equal(
		pn_process_measure(&large, &status, argv, &quiet, NULL), 0);
	assert_int_equal(status, 0);
	assert_true(large.max_rss_bytes >= 64 * MB);
	assert_true(large.max_rss_bytes < 128 * MB);
	assert_true(large.minor_faults + large.major_faults >=
		    small.minor_faults + small.major_faults + 32);
	assert_true(large.wall_ns > 0 && large.user_ns >= 0);
	/* one process at a time: no more than the wall clock, but for the
	 * grain of the kernel's accounts, a tick of 10 ms at most */
	assert_true(large.user_ns + large.sys_ns < large.wall_ns + 20000000);
}

/* "0m0.12s 0m0.03s" twice, of the shell and of its children, as `times` says:
 * the sum of the latter. */
static double seconds_of_children(const char *text)
{
	double seconds = 0;
	char *end;
	int i;

	for (i = 0; i < 4; i++) {
		double minutes = strtod(text, &end), more;

		assert_int_equal(*end, 'm');
		more = strtod(end + 1, &end);
		assert_int_equal(*end, 's');
		seconds += i < 2 ? 0 : minutes * 60 + more;
		text = end + 1;
	}
	return seconds;
}

static void counts_processor_time_of_children(void **state)
{
	const char *argv[] = {"sh", "-c",
			      "sh -c 'i=0; while [ $i -lt 100000 ]; do "
			      "i=$((i + 1)); done'; times",
			      NULL};
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;
	char text[256] = "";
	int out[2], status;

	(void)state;
	assert_int_equal(pipe(out), 0);
	options.out = out[1];
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, NULL), 0);
	assert_true(read(out[0], text, sizeof(text) - 1) > 0);
	close(out[0]);
	close(out[1]);
	/* the shell rounds each of two to its hundredths at most */
	assert_true((double)(cost.user_ns + cost.sys_ns) / 1e9 >=
		    seconds_of_children(text) - 0.02);
}

static void gives_the_command_its_environment_and_files(void **state)
{
	const char *env[] = {"PN_TEST=yes", NULL};
	const char *argv[] = {"sh", "-c", "read x; echo $PN_TEST $x", NULL};
	struct pn_process_options options = {.env_set = env, .err = -1};
	struct pn_process_cost cost;
	char text[16] = "";
	int in[2], out[2], status;

	(void)state;
	assert_int_equal(pipe(in) || pipe(out), 0);
	assert_int_equal(write(in[1], "word\n", 5), 5);
	options.in = in[0];
	options.out = out[1];
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, NULL), 0);
	assert_int_equal(status, 0);
	assert_int_equal(read(out[0], text, sizeof(text) - 1), 9);
	assert_string_equal(text, "yes word\n");
	close(in[0]);
	close(in[1]);
	close(out[0]);
	close(out[1]);
}

static void leaves_signals_to_the_command(void **state)
{
	struct pn_process_cost cost;
	sigset_t mask;

	(void)state;
	/* default action in the command, whatever our own process blocks in
	 * between; what we ignore, as a job in the background does, it would
	 * ignore, too */
	signal(SIGINT, SIG_DFL);
	assert_int_equal(measure_shell(&cost, "kill -INT $$"), 128 + SIGINT);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	assert_false(sigismember(&mask, SIGINT));
}

/* A raise that came before the start counts, one up to stop_after does not. */
static void ends_what_runs_when_told_to(void **state)
{
	volatile sig_atomic_t stop = 1;
	struct pn_process_options options = quiet;
	const char *argv[] = {"sleep", "100", NULL};
	const char *quick[] = {"true", NULL};
	struct pn_process_cost cost = {.wall_ns = 77};
	struct pn_error err;
	sigset_t mask;
	int status = 77;

	(void)state;
	options.own_group = true;
	options.stop = &stop;
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, &err),
		PN_ESTOPPED);
	assert_string_equal(err.message, "'sleep' was stopped");
	assert_true(cost.wall_ns == 77 && status == 77);
	options.own_group = false;
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, &err),
		PN_ESTOPPED);
	options.stop_after = 1;
	assert_int_equal(
		pn_process_measure(&cost, &status, quick, &options, &err), 0);
	assert_int_equal(status, 0);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	assert_false(sigismember(&mask, SIGTERM));
}

static void ends_what_takes_too_long(void **state)
{
	const char *argv[] = {"sh", "-c", "sleep 60 & wait", NULL};
	const char *deaf[] = {"sh", "-c", "trap '' TERM; sleep 60", NULL};
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;
	struct pn_error err;
	int status;

	(void)state;
	options.timeout_ns = 20000000;
	options.own_group = true;
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, &err),
		PN_ETIMEOUT);
	assert_string_equal(err.message, "'sh' was still running after 0.02 s");
	assert_int_equal(
		pn_process_measure(&cost, &status, deaf, &options, &err),
		PN_ETIMEOUT);
	options.timeout_ns = 60000000000;
	argv[2] = "exit 4";
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, &err), 0);
	assert_int_equal(status, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_the_status_and_the_signal),
		cmocka_unit_test(says_why_a_program_does_not_run),
		cmocka_unit_test(counts_memory_and_faults),
		cmocka_unit_test(counts_processor_time_of_children),
		cmocka_unit_test(gives_the_command_its_environment_and_files),
		cmocka_unit_test(leaves_signals_to_the_command),
		cmocka_unit_test(ends_what_takes_too_long),
		cmocka_unit_test(ends_what_runs_when_told_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
