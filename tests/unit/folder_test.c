/* Private folders: who may enter, what removing takes and leaves. */
#include "base/folder.h"

#include "base/buf.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *make(void)
{
	char *path = NULL;

	assert_int_equal(pn_folder_make_private(&path, NULL), 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_for_us_alone),
		cmocka_unit_test(goes_with_all_that_is_below),
		cmocka_unit_test(follows_no_symbolic_link),
		cmocka_unit_test(absence_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
