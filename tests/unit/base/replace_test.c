/* A file that appears whole or not at all. */
#include "base/replace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/git-perf-replace.XXXXXX";

static int enter(void **state)
{
	(void)state;
	return !mkdtemp(dir) || chdir(dir);
}

/* Fails when anything else is left. */
static int leave(void **state)
{
	(void)state;
	unlink("file");
	unlink("link");
	return chdir("/") || rmdir(dir);
}

static void holds(const char *name, const char *text)
{
	char have[64] = "";
	FILE *file = fopen(name, "r");

	assert_non_null(file);
	(void)!fread(have, 1, sizeof(have) - 1, file);
	fclose(file);
	assert_string_equal(have, text);
}

static void write_new(const char *name, const char *text)
{
	struct pn_replace replace = {0};

	assert_int_equal(pn_replace_open(&replace, name, NULL), 0);
	fputs(text, replace.file);
	assert_int_equal(pn_replace_finish(&replace), 0);
	pn_replace_discard(&replace);
}

static void replaces_at_the_end_and_keeps_mode_and_link(void **state)
{
	struct pn_replace replace = {0};
	struct stat st;

	(void)state;
	write_new("file", "old");
	assert_int_equal(chmod("file", 0640), 0);
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(pn_replace_open(&replace, "link", NULL), 0);
	fputs("new", replace.file);
	fflush(replace.file);
	holds("file", "old");
	assert_int_equal(pn_replace_finish(&replace), 0);
	holds("file", "new");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat("file", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void leaves_the_old_one_when_discarded(void **state)
{
	struct pn_replace replace = {0};

	(void)state;
	write_new("file", "old");
	assert_int_equal(pn_replace_open(&replace, "file", NULL), 0);
	fputs("new", replace.file);
	pn_replace_discard(&replace);
	holds("file", "old");
	assert_null(replace.file);
}

static void writes_to_a_device_as_it_is(void **state)
{
	struct pn_replace replace = {0};
	struct stat st;

	(void)state;
	write_new("/dev/null", "gone");
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	/* what does not fit is found at the end */
	assert_int_equal(pn_replace_open(&replace, "/dev/full", NULL), 0);
	fputs("much", replace.file);
	assert_int_equal(pn_replace_finish(&replace), -1);
	pn_replace_discard(&replace);
}

static void names_what_cannot_be_written(void **state)
{
	struct pn_replace replace = {0};
	struct pn_error err = {0};

	(void)state;
	assert_int_equal(pn_replace_open(&replace, "no/such", &err), PN_EIO);
	assert_string_equal(err.message, "cannot write 'no/such': "
					 "No such file or directory");
	assert_null(replace.file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replaces_at_the_end_and_keeps_mode_and_link),
		cmocka_unit_test(leaves_the_old_one_when_discarded),
		cmocka_unit_test(writes_to_a_device_as_it_is),
		cmocka_unit_test(names_what_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
