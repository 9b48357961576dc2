/* Launchers: many runs by one, and what happens when somebody dies. */
#include "base/process/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB (1024 * 1024)
#define PATIENCE_MS 60000

static const struct pn_process_options quiet = {.in = -1, .out = -1, .err = -1};

static int make_launcher(void **state)
{
	*state = pn_process_launcher_new();
	return 0;
}

static int free_launcher(void **state)
{
	pn_process_launcher_free(*state);
	return 0;
}

static int run_shell(struct pn_process_cost *cost, struct pn_error *err,
		     const char *line, const struct pn_process_options *options)
{
	const char *argv[] = {"sh", "-c", line, NULL};
	int status = -1, code;

	code = pn_process_measure(cost, &status, argv, options, err);
	return code ? code : status;
}

static int run_quiet(void **state, const char *line)
{
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;

	options.launcher = *state;
	return run_shell(&cost, NULL, line, &options);
}

/* What the line says on standard output. */
static const char *ask(char *out, size_t size, void **state, const char *line,
		       const struct pn_process_options *more)
{
	struct pn_process_options options = more ? *more : quiet;
	struct pn_process_cost cost;
	int ends[2];
	ssize_t n;

	assert_int_equal(pipe(ends), 0);
	options.launcher = *state;
	options.out = ends[1];
	options.err = ends[1];
	assert_int_equal(run_shell(&cost, NULL, line, &options), 0);
	close(ends[1]);
	n = read(ends[0], out, size - 1);
	assert_true(n >= 0);
	out[n] = '\0';
	close(ends[0]);
	return out;
}

static void one_process_starts_all_runs(void **state)
{
	char first[32], later[32], text[32];

	ask(first, sizeof(first), state, "echo $PPID", NULL);
	assert_int_equal(run_quiet(state, "exit 3"), 3);
	assert_int_equal(run_quiet(state, "kill -KILL $$"), 128 + SIGKILL);
	ask(later, sizeof(later), state, "echo $PPID", NULL);
	assert_string_equal(first, later);
	assert_true(strtol(first, NULL, 10) != (long)getpid());
	/* and nothing of one run is left for the next */
	ask(text, sizeof(text), state, "ls /proc/$PPID/fd | wc -l", NULL);
	run_quiet(state, ":");
	ask(later, sizeof(later), state, "ls /proc/$PPID/fd | wc -l", NULL);
	assert_string_equal(text, later);
}

static void each_run_has_its_environment_and_files(void **state)
{
	const char *env[] = {"PN_TEST=set", NULL};
	struct pn_process_options options = quiet;
	char text[32];

	unsetenv("PN_TEST");
	assert_string_equal(
		ask(text, sizeof(text), state, "echo $PN_TEST.", NULL), ".\n");
	setenv("PN_TEST", "ours", 1);
	assert_string_equal(
		ask(text, sizeof(text), state, "echo $PN_TEST.", NULL),
		"ours.\n");
	options.env_set = env;
	options.dir = "/";
	assert_string_equal(
		ask(text, sizeof(text), state, "echo $PN_TEST; pwd", &options),
		"set\n/\n");
	unsetenv("PN_TEST");
}

/* Much more than a socket takes at once; one argument of Linux has 128 kB. */
static void long_arguments_arrive(void **state)
{
	enum { LONG = 100000, TOO_LONG = 200000 };
	struct pn_process_options options = quiet;
	char *word = malloc(TOO_LONG + 1);
	const char *argv[] = {
		"sh", "-c", "test $# = 7 && test ${#1}${#7} = 100000100000",
		"sh", word, word,
		word, word, word,
		word, word, NULL};
	struct pn_process_cost cost;
	struct pn_error err;
	int status;

	assert_non_null(word);
	memset(word, 'x', TOO_LONG);
	word[TOO_LONG] = '\0';
	options.launcher = *state;
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, &err),
		PN_EIO);
	assert_non_null(strstr(err.message, "cannot run 'sh'"));
	word[LONG] = '\0';
	assert_int_equal(
		pn_process_measure(&cost, &status, argv, &options, &err), 0);
	assert_int_equal(status, 0);
	free(word);
}

/* 64 MB that we touch between two runs are not the command's. */
static void a_run_is_not_as_large_as_we_are(void **state)
{
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;
	char *room;

	options.launcher = *state;
	assert_int_equal(run_shell(&cost, NULL, ":", &options), 0);
	room = malloc(64 * MB);
	assert_non_null(room);
	memset(room, 1, 64 * MB);
	assert_int_equal(run_shell(&cost, NULL, ":", &options), 0);
	assert_int_equal(room[getpid() % MB], 1);
	assert_true(cost.max_rss_bytes > 0);
	assert_true(cost.max_rss_bytes < 48 * MB);
	free(room);
}

static void a_failed_start_is_explained_and_the_next_one_works(void **state)
{
	struct pn_process_options options = quiet;
	const char *absent[] = {"no-such-program", NULL};
	struct pn_process_cost cost;
	struct pn_error err;
	int status;

	options.launcher = *state;
	assert_int_equal(
		pn_process_measure(&cost, &status, absent, &options, &err),
		PN_ENOTFOUND);
	assert_string_equal(err.message,
			    "cannot run 'no-such-program': command not found");
	options.dir = "/no/such/folder";
	assert_int_equal(run_shell(&cost, &err, ":", &options), PN_EIO);
	assert_non_null(strstr(err.message, "in '/no/such/folder'"));
	assert_int_equal(run_quiet(state, "exit 5"), 5);
}

static void a_killed_launcher_is_replaced(void **state)
{
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;
	struct pn_error err;
	char text[32];
	pid_t pid;

	options.launcher = *state;
	assert_int_equal(run_shell(&cost, &err, "kill -KILL $PPID", &options),
			 PN_EIO);
	assert_string_equal(err.message,
			    "cannot measure 'sh': its parent was killed");
	assert_int_equal(run_quiet(state, "exit 5"), 5);
	/* between two runs */
	ask(text, sizeof(text), state, "echo $PPID", NULL);
	pid = (pid_t)strtol(text, NULL, 10);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(run_quiet(state, "exit 6"), 6);
}

static void a_second_run_meanwhile_has_its_own(void **state)
{
	const char *argv[] = {"sh", "-c", "read x; exit 7", NULL};
	struct pn_process_options options = quiet;
	struct pn_process_run *run;
	struct pn_process_cost cost;
	int in[2], status;

	assert_int_equal(pipe(in), 0);
	options.launcher = *state;
	options.in = in[0];
	assert_int_equal(pn_process_measure_start(&run, argv, &options, NULL),
			 0);
	assert_int_equal(run_quiet(state, "exit 8"), 8);
	assert_false(pn_process_measure_wait(run, 1));
	assert_int_equal(write(in[1], "x\n", 2), 2);
	assert_int_equal(pn_process_measure_finish(&cost, &status, run, NULL),
			 0);
	assert_int_equal(status, 7);
	close(in[0]);
	close(in[1]);
}

/* Whether nobody has the other end of a pipe any more. */
static bool is_left_alone(int fd)
{
	struct pollfd end = {.fd = fd};

	return poll(&end, 1, PATIENCE_MS) == 1 && end.revents & POLLHUP;
}

static void what_is_stopped_leaves_nothing_in_its_group(void **state)
{
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;
	int ends[2];

	assert_int_equal(run_quiet(state, ":"), 0); /* before there is a pipe */
	assert_int_equal(pipe(ends), 0);
	options.launcher = *state;
	options.out = ends[1];
	options.own_group = true;
	options.background = true;
	options.timeout_ns = 200000000;
	/* one that does not hear, and one that waits for it */
	assert_int_equal(run_shell(&cost, NULL,
				   "(trap '' TERM; sleep 600) & sleep 600",
				   &options),
			 PN_ETIMEOUT);
	close(ends[1]);
	assert_true(is_left_alone(ends[0]));
	close(ends[0]);
	assert_int_equal(run_quiet(state, "exit 5"), 5);
}

static void it_ends_with_us(void **state)
{
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		void *launcher = pn_process_launcher_new();

		run_quiet(&launcher, ":");
		kill(getpid(), SIGKILL);
	}
	close(ends[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(is_left_alone(ends[0]));
	close(ends[0]);
}

static void a_killed_launcher_leaves_nothing_at_work(void **state)
{
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;
	int ends[2];

	assert_int_equal(run_quiet(state, ":"), 0); /* before there is a pipe */
	assert_int_equal(pipe(ends), 0);
	options.launcher = *state;
	options.out = ends[1];
	options.own_group = true;
	options.background = true;
	assert_int_equal(run_shell(&cost, NULL,
				   "kill -KILL $PPID; sleep 600 & sleep 600",
				   &options),
			 PN_EIO);
	close(ends[1]);
	assert_true(is_left_alone(ends[0]));
	close(ends[0]);
}

/* Also what a shell of it waits for, when that is in its group. */
static void what_runs_ends_with_us(void **state)
{
	struct pn_process_options options = quiet;
	struct pn_process_cost cost;
	int ends[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	options.out = ends[1];
	options.own_group = true;
	options.background = true;
	pid = fork();
	if (!pid)
		_exit(run_shell(&cost, NULL,
				"trap '' TERM; sleep 600 & echo x; sleep 600",
				&options));
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(read(ends[0], &byte, 1), 1); /* the LF */
	assert_true(is_left_alone(ends[0]));
	close(ends[0]);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, make_launcher, free_launcher)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_process_starts_all_runs),
		TEST(each_run_has_its_environment_and_files),
		TEST(long_arguments_arrive),
		TEST(a_run_is_not_as_large_as_we_are),
		TEST(a_failed_start_is_explained_and_the_next_one_works),
		TEST(a_killed_launcher_is_replaced),
		TEST(a_second_run_meanwhile_has_its_own),
		TEST(what_is_stopped_leaves_nothing_in_its_group),
		TEST(a_killed_launcher_leaves_nothing_at_work),
		TEST(it_ends_with_us),
		TEST(what_runs_ends_with_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
