/* What git diff --unified=0 prints; expected values are those of the example
 * beside them, counted by hand. */
#include "vcs/files/hunks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void parse(struct pn_hunks *out, const char *said)
{
	struct pn_buf text = {0};
	struct pn_error err;

	memset(out, 0, sizeof(*out));
	pn_buf_add_text(&text, said);
	assert_int_equal(pn_hunks_parse(out, &text, &err), 0);
	pn_buf_release(&text);
}

static void is(const struct pn_hunks *all, size_t at, const char *path,
	       uint32_t line, uint32_t count, const char *context, bool at_top)
{
	const struct pn_hunk *hunk = &all->items[at];

	assert_true(at < all->count);
	assert_string_equal(hunk->path, path);
	assert_int_equal(hunk->line, line);
	assert_int_equal(hunk->count, count);
	assert_string_equal(hunk->context, context);
	assert_int_equal(hunk->at_top, at_top);
}

static void hunks_are_lines_of_the_file_as_it_was(void **state)
{
	struct pn_hunks all;

	(void)state;
	parse(&all, "diff --git a/a b.c b/a b.c\n"
		    "index 1111111..2222222 100644\n"
		    "--- a/a b.c\t\n"
		    "+++ b/a b.c\t\n"
		    "@@ -10,2 +10 @@ static int f(void)\n"
		    "-\treturn 1;\n"
		    "-}\n"
		    "+\treturn 2;\n"
		    "@@ -20,0 +20,3 @@ static int g(void)\n"
		    "+\n"
		    "+int h(void)\n"
		    "+{\n"
		    "@@ -30 +33 @@\n"
		    "--- a/x.c\n"
		    "+++ b/x.c\n");
	assert_int_equal(all.count, 3);
	is(&all, 0, "a b.c", 10, 2, "static int f(void)", false);
	/* the first line that is not blank begins at the first column */
	is(&all, 1, "a b.c", 20, 0, "static int g(void)", true);
	/* lines of the text, though they look like the head of a file */
	is(&all, 2, "a b.c", 30, 1, "", false);
	assert_int_equal(all.file_count, 1);
	assert_string_equal(all.files[0], "a b.c");
	pn_hunks_release(&all);
}

static void new_files_and_renamed_ones_are_told_apart(void **state)
{
	struct pn_hunks all;

	(void)state;
	parse(&all, "diff --git a/new.c b/new.c\n"
		    "new file mode 100644\n"
		    "--- /dev/null\n"
		    "+++ b/new.c\n"
		    "@@ -0,0 +1,2 @@\n"
		    "+int a;\n"
		    "+++ b/no_file\n"
		    "diff --git a/old.c b/now.c\n"
		    "similarity index 90%\n"
		    "rename from old.c\n"
		    "rename to now.c\n"
		    "--- a/old.c\n"
		    "+++ b/now.c\n"
		    "@@ -7 +7 @@ f\n"
		    "-\ta\n"
		    "+\tb\n"
		    "diff --git a/gone.c b/gone.c\n"
		    "deleted file mode 100644\n"
		    "--- a/gone.c\n"
		    "+++ /dev/null\n"
		    "@@ -1,2 +0,0 @@\n"
		    "-int a;\n"
		    "-int b;\n"
		    "diff --git a/i.png b/i.png\n"
		    "Binary files a/i.png and b/i.png differ\n"
		    "diff --git a/j.png b/j.png\n"
		    "Binary files /dev/null and b/j.png differ\n"
		    "diff --git a/k.png b/k.png\n"
		    "Binary files a/k.png and /dev/null differ\n");
	assert_int_equal(all.count, 2); /* a new file has no lines before */
	is(&all, 0, "old.c", 7, 1, "f", false);
	is(&all, 1, "gone.c", 1, 2, "", true);
	assert_int_equal(all.file_count, 3);
	assert_string_equal(all.files[0], "new.c");
	assert_string_equal(all.files[1], "old.c");
	assert_string_equal(all.files[2], "gone.c");
	assert_int_equal(all.binary_count, 3);
	assert_string_equal(all.binaries[0], "i.png");
	assert_string_equal(all.binaries[1], "j.png");
	assert_string_equal(all.binaries[2], "k.png");
	pn_hunks_release(&all);
}

static void too_many_are_refused(void **state)
{
	struct pn_hunks all = {.count = 0};
	struct pn_buf text = {0};
	struct pn_error err;
	int i;

	(void)state;
	pn_buf_add_text(&text, "--- a/x\n+++ b/x\n");
	for (i = 0; i <= PN_HUNKS_MAX; i++)
		pn_buf_add_text(&text, "@@ -1 +1 @@\n");
	assert_int_equal(pn_hunks_parse(&all, &text, &err), PN_ELIMIT);
	pn_hunks_release(&all);
	pn_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hunks_are_lines_of_the_file_as_it_was),
		cmocka_unit_test(new_files_and_renamed_ones_are_told_apart),
		cmocka_unit_test(too_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
