/* Child processes: what they get, and what comes back. */
#include "base/process/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child of a child: it ends when the one between does. */
static void ends_a_child_when_its_parent_is_killed(void **state)
{
	const char *const argv[] = {"sleep", "60", NULL};
	struct pn_process_options options = {.ends_with_us = true};
	struct pn_process process;
	int pid[2], alive[2], status;
	char byte;

	(void)state;
	assert_int_equal(pipe(alive) || pipe(pid), 0);
	options.out = alive[1];
	if (!fork()) {
		if (pn_process_start(&process, argv, &options, NULL) ||
		    write(pid[1], "", 1) != 1)
			_exit(1);
		close(alive[1]);
		raise(SIGKILL);
	}
	close(alive[1]);
	assert_int_equal(read(pid[0], &byte, 1), 1);
	/* the end of its standard output */
	assert_int_equal(read(alive[0], &byte, 1), 0);
	assert_true(wait(&status) > 0);
	close(alive[0]);
	close(pid[0]);
	close(pid[1]);
}

struct result {
	struct pn_buf out;
	char said[1024];
	int status;
	struct pn_error err;
};

static int run(struct result *r, const char *script,
	       const struct pn_process_options *options)
{
	const char *argv[] = {"sh", "-c", script, "sh", "a b", "", NULL};

	memset(r, 0, sizeof(*r));
	return pn_process_capture(&r->out, r->said, &r->status, argv, options,
				  100000, &r->err);
}

static void collects_output_errors_and_status(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(run(&r, "echo \"$#:$1\"; echo oops >&2; exit 3", NULL),
			 0);
	assert_string_equal(pn_buf_text(&r.out), "2:a b\n");
	assert_string_equal(r.said, "oops\n");
	assert_int_equal(r.status, 3);
	pn_buf_release(&r.out);
}

static void tells_a_signal_as_128_and_its_number(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(run(&r, "kill -9 $$", NULL), 0);
	assert_int_equal(r.status, 128 + 9);
	pn_buf_release(&r.out);
}

static void drains_both_pipes_however_much_comes(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(run(&r,
			     "head -c 90000 /dev/zero >&2;"
			     "head -c 90000 /dev/zero;"
			     "head -c 90000 /dev/zero >&2",
			     NULL),
			 0);
	assert_int_equal(r.out.len, 90000);
	assert_int_equal(r.status, 0);
	pn_buf_release(&r.out);
}

static void kills_a_child_that_says_too_much(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(run(&r, "while :; do echo y; done", NULL), PN_ELIMIT);
	assert_string_equal(r.err.message, "'sh' wrote more than 100000 bytes");
	assert_null(r.out.data);
}

static void gives_the_environment_and_folder_asked_for(void **state)
{
	static const char *const set[] = {"PN_A=1=2", "PN_B=x", NULL};
	static const char *const unset[] = {"PN_C", NULL};
	struct pn_process_options options = {
		.dir = "/", .env_set = set, .env_unset = unset, .in = -1};
	struct result r;

	(void)state;
	setenv("PN_A", "old", 1);
	setenv("PN_C", "old", 1);
	setenv("PN_CC", "stays", 1);
	assert_int_equal(
		run(&r, "pwd; echo \"$PN_A $PN_B ${PN_C-none} $PN_CC\"; cat",
		    &options),
		0);
	assert_string_equal(pn_buf_text(&r.out), "/\n1=2 x none stays\n");
	pn_buf_release(&r.out);
}

static void reports_an_exec_that_fails(void **state)
{
	const char *absent[] = {"pn-no-such-command", NULL};
	const char *absent_path[] = {"./pn-no-such-command", NULL};
	const char *folder[] = {"/", NULL};
	struct pn_process_options options = {.dir = "/pn-no-such-folder"};
	const char *good[] = {"true", NULL};
	struct pn_process process = {.pid = 7};
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_process_start(&process, absent, NULL, &err),
			 PN_ENOTFOUND);
	assert_string_equal(err.message, "cannot run 'pn-no-such-command': "
					 "command not found");
	assert_int_equal(pn_process_start(&process, absent_path, NULL, &err),
			 PN_ENOTFOUND);
	assert_int_equal(pn_process_start(&process, folder, NULL, &err),
			 PN_EIO);
	assert_string_equal(err.message, "cannot run '/': Permission denied");
	assert_int_equal(pn_process_start(&process, good, &options, &err),
			 PN_EIO);
	assert_string_equal(err.message,
			    "cannot run 'true' in '/pn-no-such-folder': No "
			    "such file or directory");
	assert_int_equal(process.pid, 7);
}

/* The shell says which signals it ignores: with SIGPIPE ignored, a write into
 * a closed pipe fails with a message, else the writer ends silently. */
static void gives_sigpipe_back_to_the_child(void **state)
{
	struct result r;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(
		run(&r, "trap 'echo got it' PIPE; kill -PIPE $$", NULL), 0);
	signal(SIGPIPE, SIG_DFL);
	assert_string_equal(pn_buf_text(&r.out), "got it\n");
	pn_buf_release(&r.out);
}

/* What whoever started the test left open for it and its children. */
static int inheritable(void)
{
	int fd, n = 0;

	for (fd = 3; fd < 1024; fd++) {
		int flags = fcntl(fd, F_GETFD);

		n += flags >= 0 && !(flags & FD_CLOEXEC);
	}
	return n;
}

static void leaks_no_descriptor(void **state)
{
	int before = inheritable();
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct result r;

	(void)state;
	assert_int_equal(run(&r, "ls /proc/self/fd | wc -l", NULL), 0);
	/* 0, 1, 2 and the one by which ls reads the folder */
	assert_int_equal(strtol(pn_buf_text(&r.out), NULL, 10), 4 + before);
	assert_int_equal(open("/dev/null", O_RDONLY), fd + 1);
	close(fd + 1);
	close(fd);
	pn_buf_release(&r.out);
}

static void pipes_from_one_child_to_the_next(void **state)
{
	const char *first[] = {"printf", "one\\ntwo\\n", NULL};
	const char *second[] = {"sed", "s/^/> /", NULL};
	struct pn_process_options options = {.pipe_out = true};
	struct pn_process a, b;
	struct pn_error err;
	char text[64];
	size_t len = 0;
	ssize_t n;
	int status;

	(void)state;
	assert_int_equal(pn_process_start(&a, first, &options, &err), 0);
	options.in = a.out;
	assert_int_equal(pn_process_start(&b, second, &options, &err), 0);
	assert_int_equal(pn_process_wait(&status, &a, &err), 0);
	assert_int_equal(a.out, -1);
	while ((n = read(b.out, text + len, sizeof(text) - len)) > 0)
		len += (size_t)n;
	assert_int_equal(len, 12);
	assert_memory_equal(text, "> one\n> two\n", 12);
	assert_int_equal(pn_process_wait(&status, &b, &err), 0);
	assert_int_equal(status, 0);
}

static void starts_a_group_of_its_own(void **state)
{
	struct pn_process_options options = {.own_group = true};
	const char *argv[] = {"sleep", "100", NULL};
	struct pn_process process;
	int status;

	(void)state;
	assert_int_equal(pn_process_start(&process, argv, &options, NULL), 0);
	assert_int_equal(getpgid(process.pid), process.pid);
	assert_int_equal(kill(-process.pid, SIGTERM), 0);
	assert_int_equal(pn_process_wait(&status, &process, NULL), 0);
	assert_int_equal(status, 128 + SIGTERM);
}

/* What a detached child says, to the end. */
static void detached(char *out, size_t size, const char *const *argv)
{
	struct pn_process_options options = {.in = -1, .detached = true};
	struct pn_process process;
	int said[2], status;
	size_t len = 0;
	ssize_t n;

	assert_int_equal(pipe(said), 0);
	options.out = options.err = said[1];
	assert_int_equal(pn_process_start(&process, argv, &options, NULL), 0);
	close(said[1]);
	while ((n = read(said[0], out + len, size - 1 - len)) > 0)
		len += (size_t)n;
	out[len] = '\0';
	close(said[0]);
	assert_int_equal(pn_process_wait(&status, &process, NULL), 0);
}

static void detaches_from_session_and_files(void **state)
{
	const char *const argv[] = {
		"sh", "-c",
		"read -r pid name s parent group session rest </proc/$$/stat; "
		"test $$ = $session || echo session; nice; "
		"test ! -e /proc/self/fd/77 || echo open",
		NULL};
	int fd = dup2(STDOUT_FILENO, 77), was = nice(0);
	char said[64], expected[16];

	(void)state;
	detached(said, sizeof(said), argv);
	close(fd);
	snprintf(expected, sizeof(expected), "%d\n", was);
	assert_string_equal(said, expected);
}

static void tells_a_log_when_it_cannot_run(void **state)
{
	const char *const argv[] = {"/nonexistent/program", NULL};
	char said[128];

	(void)state;
	detached(said, sizeof(said), argv);
	assert_string_equal(said, "fatal: cannot run '/nonexistent/program'\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_a_child_when_its_parent_is_killed),
		cmocka_unit_test(collects_output_errors_and_status),
		cmocka_unit_test(tells_a_signal_as_128_and_its_number),
		cmocka_unit_test(drains_both_pipes_however_much_comes),
		cmocka_unit_test(kills_a_child_that_says_too_much),
		cmocka_unit_test(gives_the_environment_and_folder_asked_for),
		cmocka_unit_test(reports_an_exec_that_fails),
		cmocka_unit_test(gives_sigpipe_back_to_the_child),
		cmocka_unit_test(leaks_no_descriptor),
		cmocka_unit_test(pipes_from_one_child_to_the_next),
		cmocka_unit_test(starts_a_group_of_its_own),
		cmocka_unit_test(detaches_from_session_and_files),
		cmocka_unit_test(tells_a_log_when_it_cannot_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
