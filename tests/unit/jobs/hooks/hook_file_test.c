/* Our block in a hook's text: where it goes, and that it comes out again. */
#include "jobs/hooks/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define NOTE                                                                   \
	"\t(\n"                                                                \
	"\t\twhy=\"git-perf%20was%20not%20on%20the%20hook's%20PATH\"\n"        \
	"\t\tdir=$(git rev-parse --git-common-dir) &&\n"                       \
	"\t\t\tcommit=$(git rev-parse HEAD) &&\n"                              \
	"\t\t\t{ [ -d \"$dir/perf\" ] || mkdir -p \"$dir/perf\"; } &&\n"       \
	"\t\t\techo \"1 $(date +%s)000000000 $commit $why\" \\\n"              \
	"\t\t\t\t>>\"$dir/perf/unmeasured\"\n"                                 \
	"\t) 2>/dev/null || :\n"
#define BLOCK                                                                  \
	"# git-perf hooks: begin\n"                                            \
	"if command -v git-perf >/dev/null 2>&1; then\n"                       \
	"\tgit-perf hooks run post-commit \"$@\" || :\n"                       \
	"else\n"                                                               \
	"\techo 'warning: git-perf is not on PATH, nothing is measured' "      \
	">&2\n" NOTE "fi\n"                                                    \
	"# git-perf hooks: end\n"

static void goes_in(const char *before, const char *after)
{
	struct pn_buf with = {0}, without = {0};
	struct pn_error err;
	bool alone = true;

	if (pn_hook_file_add(&with, "post-commit", before, strlen(before),
			     &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_buf_text(&with), after);
	assert_int_equal(pn_hook_file_remove(&without, &alone,
					     pn_buf_text(&with), with.len,
					     &err),
			 0);
	assert_string_equal(pn_buf_text(&without), before);
	assert_false(alone);
	pn_buf_release(&with);
	pn_buf_release(&without);
}

static void stands_behind_the_first_line_and_before_the_rest(void **state)
{
	(void)state;
	goes_in("#!/bin/sh\nexec x\n", "#!/bin/sh\n" BLOCK "exec x\n");
	goes_in("#!/bin/sh\nexec x", "#!/bin/sh\n" BLOCK "exec x");
	goes_in("#! /usr/bin/env bash\nx\n",
		"#! /usr/bin/env bash\n" BLOCK "x\n");
	goes_in("#!/usr/bin/env -S A=b bash -e\nx\n",
		"#!/usr/bin/env -S A=b bash -e\n" BLOCK "x\n");
	goes_in("#!/bin/busybox sh\nx\n", "#!/bin/busybox sh\n" BLOCK "x\n");
	goes_in("#!/bin/dash -e\n", "#!/bin/dash -e\n" BLOCK);
}

static void is_first_where_there_is_no_interpreter(void **state)
{
	(void)state;
	goes_in("x\n", BLOCK "x\n");
	goes_in("", BLOCK);
}

static void leaves_no_trace_of_a_line_feed_that_was_not_there(void **state)
{
	struct pn_buf with = {0};
	const char *one_line = "#!/bin/sh";

	(void)state;
	assert_int_equal(pn_hook_file_add(&with, "post-commit", one_line,
					  strlen(one_line), NULL),
			 0);
	assert_int_equal(with.data[with.len - 1], 'd');
	pn_buf_release(&with);
	goes_in("#!/bin/sh", "#!/bin/sh\n"
			     "# git-perf hooks: begin\n"
			     "if command -v git-perf >/dev/null 2>&1; then\n"
			     "\tgit-perf hooks run post-commit \"$@\" || :\n"
			     "else\n"
			     "\techo 'warning: git-perf is not on PATH, "
			     "nothing is measured' >&2\n" NOTE "fi\n"
			     "# git-perf hooks: end");
}

static void refused(const char *text, size_t len, const char *why)
{
	struct pn_buf out = {0};
	struct pn_error err;

	assert_int_equal(pn_hook_file_add(&out, "post-commit", text, len, &err),
			 PN_EREFUSED);
	assert_string_equal(err.message, why);
	assert_int_equal(out.len, 0);
}

static void refuses_what_is_no_shell_script_by_name(void **state)
{
	(void)state;
	refused("#!/usr/bin/env python3\n", 23,
		"it is no shell script but one of 'python3'");
	refused("#!/usr/bin/perl -w\n", 19,
		"it is no shell script but one of 'perl'");
	refused("#!/bin/sh\r\n", 11, "it is no shell script but one of 'sh\r'");
	refused("#!\n", 3, "it is no shell script but one of ''");
	refused("\177ELF\0", 5, "it is a binary");
}

static void knows_a_file_that_is_its_own(void **state)
{
	struct pn_buf own = {0}, rest = {0};
	enum pn_hook_state is;
	bool alone = false;
	size_t i;

	(void)state;
	for (i = 0; pn_hook_names[i]; i++) {
		pn_buf_clear(&own);
		pn_buf_clear(&rest);
		pn_hook_file_new(&own, pn_hook_names[i]);
		assert_int_equal(pn_hook_file_state(&is, pn_hook_names[i],
						    pn_buf_text(&own), own.len,
						    NULL),
				 0);
		assert_int_equal(is, PN_HOOK_PRESENT);
		assert_int_equal(pn_hook_file_remove(&rest, &alone,
						     pn_buf_text(&own), own.len,
						     NULL),
				 0);
		assert_true(alone);
	}
	pn_buf_release(&own);
	pn_buf_release(&rest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			stands_behind_the_first_line_and_before_the_rest),
		cmocka_unit_test(is_first_where_there_is_no_interpreter),
		cmocka_unit_test(
			leaves_no_trace_of_a_line_feed_that_was_not_there),
		cmocka_unit_test(refuses_what_is_no_shell_script_by_name),
		cmocka_unit_test(knows_a_file_that_is_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
