/* A file of -o appears whole or not at all. */
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct global plain = {0};

static int enter_folder(void **state)
{
	char *dir = strdup("/tmp/git-perf-output.XXXXXX");

	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	*state = dir;
	return 0;
}

static int leave_folder(void **state)
{
	static const char *const names[] = {"out", "link", "old"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(names[i]);
	assert_int_equal(chdir("/"), 0);
	/* Fails when a temporary file was left. */
	assert_int_equal(rmdir(*state), 0);
	free(*state);
	return 0;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(name, mode), 0);
}

static void assert_holds(const char *name, const char *text)
{
	char have[64] = "";
	FILE *file = fopen(name, "r");

	assert_non_null(file);
	assert_true(fread(have, 1, sizeof(have) - 1, file) < sizeof(have) - 1);
	assert_int_equal(fclose(file), 0);
	assert_string_equal(have, text);
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	assert_int_equal(stat(name, &st), 0);
	return st.st_mode & 07777;
}

static void appears_when_closed(void **state)
{
	struct output out;
	struct pn_error err;

	(void)state;
	umask(027);
	assert_int_equal(open_output(&out, &plain, "out", true, &err), 0);
	fputs("all", out.file);
	assert_int_equal(access("out", F_OK), -1);
	assert_int_equal(close_output(&out, EXIT_DONE), EXIT_DONE);
	assert_holds("out", "all");
	assert_int_equal(mode_of("out"), 0640);
	assert_string_equal(out.palette.commit, "");
}

static void never_appears_when_discarded(void **state)
{
	struct output out;
	struct pn_error err;

	(void)state;
	write_file("old", "before", 0644);
	assert_int_equal(open_output(&out, &plain, "old", false, &err), 0);
	fputs("half", out.file);
	discard_output(&out);
	assert_holds("old", "before");
}

static void replaces_and_keeps_the_mode(void **state)
{
	struct output out;
	struct pn_error err;

	(void)state;
	write_file("old", "before", 0600);
	assert_int_equal(open_output(&out, &plain, "old", false, &err), 0);
	fputs("after", out.file);
	assert_holds("old", "before");
	assert_int_equal(close_output(&out, EXIT_NO), EXIT_NO);
	assert_holds("old", "after");
	assert_int_equal(mode_of("old"), 0600);
}

static void writes_what_a_link_points_to(void **state)
{
	struct output out;
	struct pn_error err;
	struct stat st;

	(void)state;
	write_file("old", "before", 0644);
	assert_int_equal(symlink("old", "link"), 0);
	assert_int_equal(open_output(&out, &plain, "link", false, &err), 0);
	fputs("after", out.file);
	assert_int_equal(close_output(&out, EXIT_DONE), EXIT_DONE);
	assert_holds("old", "after");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void leaves_a_device_a_device(void **state)
{
	struct output out;
	struct pn_error err;
	struct stat st;

	(void)state;
	assert_int_equal(open_output(&out, &plain, "/dev/null", false, &err),
			 0);
	fputs("nothing", out.file);
	assert_int_equal(close_output(&out, EXIT_DONE), EXIT_DONE);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

static void says_when_it_cannot_be_made(void **state)
{
	struct output out;
	struct pn_error err;

	(void)state;
	assert_int_equal(open_output(&out, &plain, "no/out", false, &err),
			 PN_EIO);
	assert_string_equal(err.message, "cannot write 'no/out': "
					 "No such file or directory");
}

static void fails_when_the_disk_is_full(void **state)
{
	struct output out;
	struct pn_error err;

	(void)state;
	if (access("/dev/full", W_OK))
		skip();
	assert_int_equal(open_output(&out, &plain, "/dev/full", false, &err),
			 0);
	fputs("nothing", out.file);
	assert_int_equal(close_output(&out, EXIT_DONE), EXIT_FATAL);
}

static void colours_a_file_only_when_asked(void **state)
{
	const struct global always = {.color = "always"};
	struct output out;
	struct pn_error err;

	(void)state;
	assert_int_equal(open_output(&out, &always, "out", false, &err), 0);
	assert_string_equal(out.palette.commit, "\033[33m");
	discard_output(&out);
	assert_int_equal(access("out", F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(appears_when_closed,
						enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(never_appears_when_discarded,
						enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(replaces_and_keeps_the_mode,
						enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(writes_what_a_link_points_to,
						enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(leaves_a_device_a_device,
						enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(says_when_it_cannot_be_made,
						enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(fails_when_the_disk_is_full,
						enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(colours_a_file_only_when_asked,
						enter_folder, leave_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
