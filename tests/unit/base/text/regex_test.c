/* Regular expressions: what they find, and that they end. */
#include "base/text/regex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static bool match(const char *pattern, const char *text)
{
	struct pn_regex *regex;
	struct pn_error err;
	bool found;

	if (pn_regex_new(&regex, pattern, &err))
		fail_msg("%s", err.message);
	found = pn_regex_match(regex, text, strlen(text));
	pn_regex_free(regex);
	return found;
}

static void finds_a_pattern_anywhere(void **state)
{
	(void)state;
	assert_true(match("json", "encoding/json.Marshal"));
	assert_true(match("^runtime\\.(malloc|gc)", "runtime.mallocgc"));
	assert_false(match("^malloc", "runtime.mallocgc"));
	assert_true(match("", ""));
	assert_true(match("", "x"));
	assert_true(match("(?i)MALLOC", "malloc"));
}

static void matches_characters_where_the_text_is_utf8(void **state)
{
	(void)state;
	assert_true(match("^.$", "\xc3\xa9"));
	assert_true(match("\xc3\xa9", "caf\xc3\xa9"));
	assert_true(match("abc", "\xff"
				 "abc\xc3"));
	assert_true(match("^\xff.$", "\xff"
				     "a"));
	assert_false(match("^\xff$", "\xc3\xbf")); /* U+00FF is two bytes */
}

static void says_what_is_wrong_and_where(void **state)
{
	struct pn_regex *regex = NULL;
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_regex_new(&regex, "a(b", &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "bad regular expression 'a(b': missing closing "
			    "parenthesis at offset 3");
	assert_null(regex);
}

/* Nested repeats take 2^60 steps here without a limit. */
static void a_runaway_pattern_ends(void **state)
{
	char text[62];

	(void)state;
	memset(text, 'a', 60);
	text[60] = 'b';
	text[61] = '\0';
	assert_false(match("^(a+)+\\1$", text));
	assert_false(match("(*NO_JIT)^(a+)+\\1$", text));
}

static void matches_text_with_nul_bytes(void **state)
{
	struct pn_regex *regex;

	(void)state;
	assert_int_equal(pn_regex_new(&regex, "b$", NULL), 0);
	assert_true(pn_regex_match(regex, "a\0b", 3));
	assert_false(pn_regex_match(regex, "a\0b", 2));
	assert_false(pn_regex_match(regex, NULL, 0));
	pn_regex_free(regex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_pattern_anywhere),
		cmocka_unit_test(matches_characters_where_the_text_is_utf8),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(a_runaway_pattern_ends),
		cmocka_unit_test(matches_text_with_nul_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
