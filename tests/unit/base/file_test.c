/* Files whole: atomic, limited, leaving nothing behind. */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int enter_folder(void **state)
{
	char name[] = "/tmp/file_test.XXXXXX";

	if (!mkdtemp(name) || chdir(name))
		return -1;
	*state = strdup(name);
	return 0;
}

static int leave_folder(void **state)
{
	DIR *dir = opendir(".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			remove(entry->d_name);
	closedir(dir);
	if (chdir("..") || rmdir(*state))
		return -1;
	free(*state);
	return 0;
}

static size_t entries(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void check_content(const char *path, const char *want)
{
	struct pn_buf buf = {0};

	assert_int_equal(pn_file_read(&buf, path, 1000, NULL), 0);
	assert_string_equal(pn_buf_text(&buf), want);
	pn_buf_release(&buf);
}

static void writes_and_replaces_a_file(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(pn_file_write("f", "one", 3, true, NULL), 0);
	check_content("f", "one");
	assert_int_equal(chmod("f", 0640), 0);
	assert_int_equal(pn_file_write("f", "two!", 4, false, NULL), 0);
	check_content("f", "two!");
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(entries(), 1);
}

static void keeps_a_symbolic_link(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(symlink("f", "link"), 0);
	assert_int_equal(pn_file_write("f", "old", 3, false, NULL), 0);
	assert_int_equal(pn_file_write("link", "new", 3, false, NULL), 0);
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	check_content("f", "new");
}

/* The limit on file size stands for a full disk: the write is cut short. */
static void leaves_the_old_file_when_the_disk_is_full(void **state)
{
	static char large[100000];
	struct rlimit old, small;
	struct pn_error err;
	int code;

	(void)state;
	assert_int_equal(pn_file_write("f", "old", 3, false, NULL), 0);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 4096;
	setrlimit(RLIMIT_FSIZE, &small);
	code = pn_file_write("f", large, sizeof(large), false, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(code, PN_EIO);
	assert_string_equal(err.message, "cannot write 'f': File too large");
	check_content("f", "old");
	assert_int_equal(entries(), 1);
}

static void says_what_cannot_be_written(void **state)
{
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_file_write("no/f", "x", 1, false, &err), PN_EIO);
	assert_string_equal(err.message, "cannot write 'no/f': No such file "
					 "or directory");
	assert_int_equal(pn_file_make_dirs("d", NULL), 0);
	assert_int_equal(pn_file_write("d", "x", 1, false, &err), PN_EIO);
	assert_string_equal(err.message, "cannot write 'd': Is a directory");
}

static void reads_up_to_the_limit_and_no_further(void **state)
{
	struct pn_buf buf = {0};
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_file_write("f", "12345", 5, false, NULL), 0);
	pn_buf_add_text(&buf, "kept ");
	assert_int_equal(pn_file_read(&buf, "f", 5, &err), 0);
	assert_string_equal(pn_buf_text(&buf), "kept 12345");
	assert_int_equal(pn_file_read(&buf, "f", 4, &err), PN_ELIMIT);
	assert_string_equal(err.message,
			    "cannot read 'f': larger than 4 bytes");
	assert_string_equal(pn_buf_text(&buf), "kept 12345");
	pn_buf_release(&buf);
}

/* A buffer's memory may hold anything where nothing was put yet. */
static void ends_what_it_reads_as_a_text(void **state)
{
	struct pn_buf out = {0};
	int fd = open("/dev/null", O_RDONLY);

	(void)state;
	assert_true(fd >= 0);
	memset(pn_buf_reserve(&out, 100), 'x', 100);
	assert_int_equal(pn_file_read_all(&out, fd, 10), 0);
	assert_int_equal(out.len, 0);
	assert_string_equal(pn_buf_text(&out), "");
	close(fd);
	fd = open(".", O_RDONLY); /* which no read can */
	memset(pn_buf_reserve(&out, 100), 'x', 100);
	assert_int_equal(pn_file_read_all(&out, fd, 10), -1);
	assert_string_equal(pn_buf_text(&out), "");
	close(fd);
	pn_buf_release(&out);
}

static void tells_an_absent_file_from_a_directory(void **state)
{
	struct pn_buf buf = {0};
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_file_read(&buf, "f", 9, &err), PN_ENOTFOUND);
	assert_int_equal(err.code, PN_ENOTFOUND);
	assert_int_equal(pn_file_read(&buf, ".", 9, &err), PN_EIO);
	assert_string_equal(err.message, "cannot read '.': it is a directory");
	assert_null(buf.data);
}

static void makes_folders_with_those_above(void **state)
{
	struct pn_error err;
	struct stat st;

	(void)state;
	assert_int_equal(pn_file_make_dirs("a/b//c/", NULL), 0);
	assert_int_equal(pn_file_make_dirs("a/b/c", NULL), 0);
	assert_int_equal(stat("a/b/c", &st), 0);
	assert_int_equal(pn_file_make_dirs("/", NULL), 0);
	assert_int_equal(pn_file_make_dirs("", NULL), PN_EIO);
	assert_int_equal(pn_file_write("a/f", "", 0, false, NULL), 0);
	assert_int_equal(pn_file_make_dirs("a/f/g", &err), PN_EIO);
	assert_string_equal(err.message, "cannot create folder 'a/f/g': Not a "
					 "directory");
	assert_int_equal(remove("a/f") || rmdir("a/b/c") || rmdir("a/b"), 0);
}

static void looks_at_links_and_not_behind_them(void **state)
{
	struct pn_error err = {0};
	struct stat st;

	(void)state;
	assert_int_equal(pn_file_look(&st, "f", &err), 0);
	assert_int_equal(symlink("nowhere", "f"), 0);
	assert_int_equal(pn_file_look(&st, "f", &err), 1);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(unlink("f"), 0);
	assert_int_equal(pn_file_write("f", "one", 3, false, NULL), 0);
	assert_int_equal(pn_file_look(&st, "f/below", &err), 0);
}

static void does_not_take_what_it_cannot_see_for_absent(void **state)
{
	char name[300];
	struct pn_error err = {0};
	struct stat st;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(pn_file_look(&st, name, &err), PN_EIO);
	assert_non_null(strstr(err.message, "cannot read 'xxx"));
}

static void moves_a_file_to_no_place_that_is_taken(void **state)
{
	(void)state;
	assert_int_equal(pn_file_write("f", "one", 3, false, NULL), 0);
	assert_int_equal(pn_file_write("g", "two", 3, false, NULL), 0);
	assert_int_equal(pn_file_move_new(AT_FDCWD, "f", AT_FDCWD, "g"), -1);
	assert_int_equal(errno, EEXIST);
	check_content("f", "one");
	check_content("g", "two");
	assert_int_equal(pn_file_move_new(AT_FDCWD, "f", AT_FDCWD, "h"), 0);
	check_content("h", "one");
	assert_int_equal(entries(), 2);
}

static void names_the_last_part_of_a_path(void **state)
{
	(void)state;
	assert_string_equal(pn_file_basename("a/b.c"), "b.c");
	assert_string_equal(pn_file_basename("b.c"), "b.c");
}

#define PERF_FILE_TEST(f)                                                      \
	cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PERF_FILE_TEST(writes_and_replaces_a_file),
		PERF_FILE_TEST(keeps_a_symbolic_link),
		PERF_FILE_TEST(leaves_the_old_file_when_the_disk_is_full),
		PERF_FILE_TEST(says_what_cannot_be_written),
		PERF_FILE_TEST(reads_up_to_the_limit_and_no_further),
		PERF_FILE_TEST(ends_what_it_reads_as_a_text),
		PERF_FILE_TEST(tells_an_absent_file_from_a_directory),
		PERF_FILE_TEST(makes_folders_with_those_above),
		PERF_FILE_TEST(looks_at_links_and_not_behind_them),
		PERF_FILE_TEST(does_not_take_what_it_cannot_see_for_absent),
		PERF_FILE_TEST(moves_a_file_to_no_place_that_is_taken),
		cmocka_unit_test(names_the_last_part_of_a_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
