/* The option parser of the program, on a table of its own. */
#include "base/buf.h"
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A table that another one links to. */
struct inner {
	bool deep;
	const char *how;
	struct pn_opt_list words;
};

static void add_names(struct pn_buf *out, const char *between)
{
	pn_buf_printf(out, "flat%sround", between);
}

#undef OPT_STRUCT
#define OPT_STRUCT struct inner

static const struct pn_opt inner_opts[] = {
	{OPT_FLAG(deep), 'd', "deep", NULL, "below"},
	{OPT_TEXT(how), 0, "how", "<how>", "one of {names}, as you like",
	 .names = add_names},
	{OPT_LIST(words), 0, "word", "<word>", "a word"},
	{0},
};

#undef OPT_STRUCT
#define OPT_STRUCT struct values

struct values {
	bool short_form, keep;
	const char *view;
	struct pn_opt_list labels;
	int64_t runs, tries;
	double share;
	struct inner inner;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(short_form), 's', "short", NULL, "few words"},
	{OPT_FLAG(keep), 'k', "keep", NULL, "keep it"},
	{OPT_TEXT(view), 0, "view", "<name>", "one view",
	 .choices = "top tree"},
	{OPT_LIST(labels), 'l', "label", "<k=v>", "a label"},
	{OPT_INT(runs), 'n', "runs", "<n>", "how many", .min = 1},
	{OPT_DOUBLE(share), 0, "share", "<share>", "which part"},
	{OPT_TABLE(struct inner, inner, inner_opts)},
	{OPT_INT(tries), 0, "tries", "<n>", "how often", .min = 1,
	 .absent = "9"},
	{0},
};

static const struct command table = {
	.name = "test",
	.synopsis = "test [<options>] <thing>...\ntest --keep",
	.opts = opts,
};
static const struct command separating = {
	.name = "test",
	.synopsis = "test -- <path>",
	.opts = opts,
	.keep_dashes = true,
};

const struct command *const commands[] = {&table, NULL};

/* Parse up to seven words; they stay in `words` as opts_parse leaves them. */
static const char *words[8];

static int parse(const struct command *command, struct values *values,
		 bool stop, const char *text)
{
	static char copy[256];
	int count = 0;
	char *at = copy;

	assert_true(strlen(text) < sizeof(copy));
	memcpy(copy, text, strlen(text) + 1);
	while (*at && count < 7) {
		words[count++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	words[count] = NULL;
	return opts_parse(command, values, count, (char **)words, stop);
}

static void takes_options_anywhere(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "a -s b --runs 5 c"), 3);
	assert_true(v.short_form);
	assert_int_equal(v.runs, 5);
	assert_string_equal(words[0], "a");
	assert_string_equal(words[1], "b");
	assert_string_equal(words[2], "c");
}

static void takes_values_in_every_form(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "-n5"), 0);
	assert_int_equal(v.runs, 5);
	assert_int_equal(parse(&table, &v, false, "-n 6"), 0);
	assert_int_equal(v.runs, 6);
	assert_int_equal(parse(&table, &v, false, "--runs=7"), 0);
	assert_int_equal(v.runs, 7);
	assert_int_equal(parse(&table, &v, false, "-skn8"), 0);
	assert_int_equal(v.runs, 8);
	assert_true(v.short_form && v.keep);
	assert_int_equal(parse(&table, &v, false, "--share=0.25"), 0);
	assert_true(v.share == 0.25);
	assert_int_equal(parse(&table, &v, false, "--view="), 0);
	assert_string_equal(v.view, "");
}

static void takes_no_value_where_one_may_be_absent(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "--tries"), 0);
	assert_int_equal(v.tries, 9);
	assert_int_equal(parse(&table, &v, false, "--tries=4"), 0);
	assert_int_equal(v.tries, 4);
	/* only behind the sign: this is an argument */
	assert_int_equal(parse(&table, &v, false, "--tries 5"), 1);
	assert_int_equal(v.tries, 9);
	assert_string_equal(words[0], "5");
}

static void collects_lists_and_releases_them(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "-la=1 --label b=2 -l c"), 0);
	assert_int_equal(v.labels.count, 3);
	assert_string_equal(v.labels.values[0], "a=1");
	assert_string_equal(v.labels.values[1], "b=2");
	assert_string_equal(v.labels.values[2], "c");
	pn_opts_release(opts, &v);
	assert_null(v.labels.values);
	assert_int_equal(v.labels.count, 0);
}

static void takes_options_of_a_linked_table(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(
		parse(&table, &v, false, "-d --how=flat --word a --word b -s"),
		0);
	assert_true(v.inner.deep);
	assert_string_equal(v.inner.how, "flat");
	assert_int_equal(v.inner.words.count, 2);
	assert_true(v.short_form);
	assert_int_equal(parse(&table, &v, false, "--no-deep --tries"), 0);
	assert_false(v.inner.deep);
	assert_int_equal(v.tries, 9);
	pn_opts_release(opts, &v);
	assert_null(v.inner.words.values);
}

static void takes_a_flag_back(void **state)
{
	struct values v = {.keep = true};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "--no-keep"), 0);
	assert_false(v.keep);
	assert_int_equal(parse(&table, &v, false, "--no-view"), -1);
}

static void takes_short_names_unless_ambiguous(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "--sho --vi=top"), 0);
	assert_true(v.short_form);
	assert_string_equal(v.view, "top");
	/* --short and --share */
	assert_int_equal(parse(&table, &v, false, "--sh"), -1);
}

static void ends_options_at_two_dashes(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "a -- -s"), 2);
	assert_string_equal(words[1], "-s");
	assert_false(v.short_form);
	assert_int_equal(parse(&separating, &v, false, "a -- -s"), 3);
	assert_string_equal(words[1], "--");
}

static void ends_options_at_the_first_argument(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, true, "-s make -k"), 2);
	assert_true(v.short_form);
	assert_false(v.keep);
	assert_string_equal(words[1], "-k");
	assert_int_equal(parse(&table, &v, true, "-s -- make -k"), 2);
	assert_string_equal(words[0], "make");
}

static void keeps_a_single_dash_as_an_argument(void **state)
{
	struct values v = {0};

	(void)state;
	assert_int_equal(parse(&table, &v, false, "- -s"), 1);
	assert_string_equal(words[0], "-");
}

static void refuses_what_is_no_option_or_value(void **state)
{
	static const char *const wrong[] = {
		"--frob",     "-x",	     "--short=1", "--runs",
		"-n",	      "--runs=0",    "--runs=x",  "--runs=1x",
		"--runs=1.5", "--share=1,5", "--=x",
	};
	struct values v = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (parse(&table, &v, false, wrong[i]) != -1)
			fail_msg("accepted '%s'", wrong[i]);
}

/* What a function prints. */
static void printed(char *out, size_t size,
		    void (*print)(FILE *to, const struct command *command))
{
	FILE *file = fmemopen(out, size, "w");

	assert_non_null(file);
	print(file, &table);
	assert_int_equal(fclose(file), 0);
}

static void prints_every_option_in_help(void **state)
{
	char text[2048] = "";

	(void)state;
	printed(text, sizeof(text), opts_help);
	assert_non_null(strstr(text, "usage: git perf test [<options>] "
				     "<thing>...\n   or: git perf test "
				     "--keep\n\n"));
	assert_non_null(
		strstr(text, "    -s, --short               few words\n"));
	assert_non_null(
		strstr(text, "    --view=<name>             one view\n"));
	assert_non_null(
		strstr(text, "    -n, --runs=<n>            how many\n"));
	assert_non_null(strstr(text,
			       "    --how=<how>               one of flat, "
			       "round, as you like\n"));
}

static void list(FILE *to, const struct command *command)
{
	pn_opts_list(to, command->opts);
}

static void lists_every_option_for_completion(void **state)
{
	char text[2048] = "";

	(void)state;
	printed(text, sizeof(text), list);
	assert_non_null(strstr(text, "--short\t\t\tfew words\n"
				     "-s\t\t\tfew words\n"));
	assert_non_null(strstr(text, "--view=\t<name>\ttop tree\tone view\n"));
	assert_non_null(strstr(text, "-n\t<n>\t\thow many\n"));
	assert_non_null(strstr(text, "--how=\t<how>\tflat round\tone of flat, "
				     "round, as you like\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_options_anywhere),
		cmocka_unit_test(takes_values_in_every_form),
		cmocka_unit_test(takes_no_value_where_one_may_be_absent),
		cmocka_unit_test(collects_lists_and_releases_them),
		cmocka_unit_test(takes_options_of_a_linked_table),
		cmocka_unit_test(takes_a_flag_back),
		cmocka_unit_test(takes_short_names_unless_ambiguous),
		cmocka_unit_test(ends_options_at_two_dashes),
		cmocka_unit_test(ends_options_at_the_first_argument),
		cmocka_unit_test(keeps_a_single_dash_as_an_argument),
		cmocka_unit_test(refuses_what_is_no_option_or_value),
		cmocka_unit_test(prints_every_option_in_help),
		cmocka_unit_test(lists_every_option_for_completion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
