/* Private folders: who may enter, what removing takes and leaves. */
#include "base/folder/folder.h"

#include "base/folder/beneath.h"

#include "base/buf.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char *make(void)
{
	char *path = NULL;
	int owner = -1;

	assert_int_equal(pn_folder_make_private(&path, &owner, NULL), 0);
	assert_true(owner >= 0);
	close(owner);
	return path;
}

static const char *below(struct pn_buf *path, const char *folder,
			 const char *name)
{
	pn_buf_clear(path);
	pn_buf_printf(path, "%s/%s", folder, name);
	return pn_buf_text(path);
}

static void is_for_us_alone(void **state)
{
	char *a = make(), *b = make();
	struct stat st;

	(void)state;
	assert_string_not_equal(a, b);
	assert_int_equal(a[0], '/');
	assert_int_equal(stat(a, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(pn_folder_remove(a, NULL), 0);
	assert_int_equal(pn_folder_remove(b, NULL), 0);
	assert_int_equal(access(a, F_OK), -1);
	free(a);
	free(b);
}

static void goes_with_all_that_is_below(void **state)
{
	struct pn_buf path = {0};
	char *folder = make();

	(void)state;
	assert_int_equal(pn_file_make_dirs(below(&path, folder, "a/b/c"), NULL),
			 0);
	assert_int_equal(pn_file_write(below(&path, folder, "a/b/file"), "x", 1,
				       false, NULL),
			 0);
	assert_int_equal(chmod(below(&path, folder, "a/b"), 0500), 0);
	assert_int_equal(chmod(below(&path, folder, "a"), 0), 0);
	assert_int_equal(pn_folder_remove(folder, NULL), 0);
	assert_int_equal(access(folder, F_OK), -1);
	free(folder);
	pn_buf_release(&path);
}

/* 300 folders of 200 bytes each: far beyond any path that the system takes. */
static void goes_however_deep_it_is(void **state)
{
	char *folder = make(), name[201];
	int at = open(folder, O_RDONLY | O_DIRECTORY), next, i;

	(void)state;
	memset(name, 'd', 200);
	name[200] = '\0';
	for (i = 0; i < 300; i++) {
		assert_int_equal(mkdirat(at, name, 0700), 0);
		next = openat(at, name, O_RDONLY | O_DIRECTORY);
		assert_true(next >= 0);
		close(at);
		at = next;
		close(openat(at, "file", O_CREAT | O_WRONLY, 0600));
	}
	close(at);
	assert_int_equal(pn_folder_remove(folder, NULL), 0);
	assert_int_equal(access(folder, F_OK), -1);
	free(folder);
}

static void follows_no_symbolic_link(void **state)
{
	struct pn_buf path = {0};
	char *folder = make(), *other = make();

	(void)state;
	assert_int_equal(
		pn_file_write(below(&path, other, "kept"), "x", 1, false, NULL),
		0);
	assert_int_equal(symlink(other, below(&path, folder, "link")), 0);
	assert_int_equal(pn_folder_remove(folder, NULL), 0);
	assert_int_equal(access(below(&path, other, "kept"), F_OK), 0);
	assert_int_equal(pn_folder_remove(other, NULL), 0);
	free(folder);
	free(other);
	pn_buf_release(&path);
}

static void absence_is_no_error(void **state)
{
	(void)state;
	assert_int_equal(pn_folder_remove("/tmp/no-such-folder/here", NULL), 0);
}

/* As if it had been made two minutes ago. */
static void age(const char *folder)
{
	struct timespec times[2] = {{.tv_sec = time(NULL) - 120},
				    {.tv_sec = time(NULL) - 120}};
	struct pn_buf path = {0};

	assert_int_equal(
		utimensat(AT_FDCWD, below(&path, folder, ".owner"), times, 0),
		0);
	pn_buf_release(&path);
}

static bool is_there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

/* In a $TMPDIR of its own, whose owner lives, died, or never was. */
static void tells_a_mark_of_the_living(void **state)
{
	char *home = make(), *folder = NULL;
	struct pn_buf path = {0};
	const char *before = getenv("TMPDIR");
	char *kept = before ? strdup(before) : NULL;
	int owner = -1;

	(void)state;
	setenv("TMPDIR", home, 1);
	assert_false(pn_folder_is_marked("mark"));
	assert_int_equal(pn_folder_make_private(&folder, &owner, NULL), 0);
	assert_false(pn_folder_is_marked("mark"));
	close(open(below(&path, folder, "mark"), O_CREAT | O_WRONLY, 0600));
	assert_true(pn_folder_is_marked("mark"));
	assert_false(pn_folder_is_marked("other"));
	close(owner);
	assert_false(pn_folder_is_marked("mark"));
	assert_true(is_there(folder));
	if (kept)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	assert_int_equal(pn_folder_remove(home, NULL), 0);
	pn_buf_release(&path);
	free(home);
	free(folder);
	free(kept);
}

/* In a $TMPDIR of its own: what lies in the real one is not for a test. */
static void sweeps_what_the_dead_left(void **state)
{
	char *home = make(), *dead, *fresh, *alive = NULL;
	struct pn_buf path = {0}, link = {0}, other = {0}, unmarked = {0};
	const char *before = getenv("TMPDIR");
	char *kept = before ? strdup(before) : NULL;
	int owner = -1;

	(void)state;
	setenv("TMPDIR", home, 1);
	dead = make();
	fresh = make();
	assert_int_equal(pn_folder_make_private(&alive, &owner, NULL), 0);
	assert_int_equal(mkdir(below(&unmarked, home, "git-perf-aaaaaa"), 0700),
			 0);
	/* not our template; and a link in its place */
	assert_int_equal(mkdir(below(&other, home, "git-perf-aaaaaaa"), 0700),
			 0);
	close(open(below(&path, pn_buf_text(&other), ".owner"),
		   O_CREAT | O_WRONLY, 0600));
	assert_int_equal(symlink(pn_buf_text(&other),
				 below(&link, home, "git-perf-bbbbbb")),
			 0);
	assert_int_equal(
		symlink(pn_buf_text(&other), below(&path, dead, "to-other")),
		0);
	age(dead);
	age(alive);
	age(pn_buf_text(&other));
	pn_folder_sweep();
	assert_false(is_there(dead));
	assert_true(is_there(fresh));
	assert_true(is_there(alive));
	assert_true(is_there(pn_buf_text(&unmarked)));
	assert_true(is_there(pn_buf_text(&link)));
	assert_true(is_there(below(&path, pn_buf_text(&other), ".owner")));
	close(owner);
	pn_folder_sweep();
	assert_false(is_there(alive));
	if (kept)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	assert_int_equal(pn_folder_remove(home, NULL), 0);
	free(home);
	free(dead);
	free(fresh);
	free(alive);
	free(kept);
	pn_buf_release(&path);
	pn_buf_release(&link);
	pn_buf_release(&other);
	pn_buf_release(&unmarked);
}

/* Below, and nowhere else. */
static void opens_no_folder_through_a_link(void **state)
{
	struct pn_buf path = {0}, to = {0};
	char *home = make(), *away = make();
	struct stat there, opened;
	struct pn_error err;
	int fd = -1;

	(void)state;
	assert_int_equal(pn_beneath_open(&fd, home, "a/b/c", false, &err),
			 PN_ENOTFOUND);
	assert_int_equal(pn_beneath_open(&fd, home, "a/b/c", true, &err), 0);
	assert_int_equal(stat(below(&path, home, "a/b"), &there), 0);
	assert_int_equal(fstat(fd, &opened), 0);
	assert_int_equal(opened.st_ino, there.st_ino);
	close(fd);
	pn_buf_printf(&to, "%s/b", away);
	assert_int_equal(mkdir(pn_buf_text(&to), 0777), 0);
	assert_int_equal(symlink(away, below(&path, home, "link")), 0);
	assert_int_equal(pn_beneath_open(&fd, home, "link/b/c", true, &err),
			 PN_EREFUSED);
	assert_non_null(strstr(err.message, "link' is no folder"));
	assert_int_equal(pn_beneath_open(&fd, home, "link/c", false, &err),
			 PN_EREFUSED);
	/* the folder itself is the caller's choice */
	assert_int_equal(pn_beneath_open(&fd, below(&path, home, "link"), "b/c",
					 false, &err),
			 0);
	close(fd);
	assert_int_equal(pn_folder_remove(home, NULL), 0);
	assert_int_equal(pn_folder_remove(away, NULL), 0);
	free(home);
	free(away);
	pn_buf_release(&path);
	pn_buf_release(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_for_us_alone),
		cmocka_unit_test(goes_with_all_that_is_below),
		cmocka_unit_test(goes_however_deep_it_is),
		cmocka_unit_test(follows_no_symbolic_link),
		cmocka_unit_test(opens_no_folder_through_a_link),
		cmocka_unit_test(absence_is_no_error),
		cmocka_unit_test(tells_a_mark_of_the_living),
		cmocka_unit_test(sweeps_what_the_dead_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
