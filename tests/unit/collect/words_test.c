/* Command lines in words. */
#include "collect/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* `expected`: the words with '|' behind each. */
static void assert_words(const char *line, const char *expected)
{
	struct pn_arena arena = {0};
	const char *const *words = NULL;
	struct pn_error err = {0};
	char joined[128] = "";
	size_t used = 0, i, len;

	if (pn_words_split(&words, &arena, line, &err))
		fail_msg("%s", err.message);
	for (i = 0; words[i]; i++) {
		len = strlen(words[i]);
		assert_true(used + len + 2 < sizeof(joined));
		memcpy(joined + used, words[i], len);
		used += len;
		joined[used++] = '|';
	}
	joined[used] = '\0';
	assert_string_equal(joined, expected);
	pn_arena_release(&arena);
}

static void splits_at_blanks(void **state)
{
	(void)state;
	assert_words("sleep 0.01", "sleep|0.01|");
	assert_words("  a\t b\nc  ", "a|b|c|");
}

/* Each as `sh -c 'printf "%s|" LINE'` prints it. */
static void quotes_as_a_shell_does(void **state)
{
	(void)state;
	assert_words("a 'b  c' d", "a|b  c|d|");
	assert_words("\"a \\\"b\\\" \\x\" 'c\\d'", "a \"b\" \\x|c\\d|");
	assert_words("a\\ b c\\\\", "a b|c\\|");
	assert_words("'' x\"\"y ''''", "|xy||");
	assert_words("pre'mid 'post", "premid post|");
	assert_words("a\\\nb", "ab|");
}

static void expands_nothing(void **state)
{
	(void)state;
	assert_words("$HOME *.c a|b ~ #x", "$HOME|*.c|a|b|~|#x|");
}

static void refuses_what_has_no_end(void **state)
{
	static const char *const bad[] = {"", "  ", "'a", "\"a", "a\\", "\"\\"};
	struct pn_arena arena = {0};
	const char *const *words;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(pn_words_split(&words, &arena, bad[i], NULL),
				 PN_EINVAL);
	pn_arena_release(&arena);
}

static void finds(const char *wanted, const char *line)
{
	struct pn_buf text = {0};

	assert_int_equal(pn_words_operator(&text, line), *wanted != '\0');
	assert_string_equal(pn_buf_text(&text), wanted);
	pn_buf_release(&text);
}

static void finds_operators_that_have_no_quotes(void **state)
{
	(void)state;
	finds("&&", "sh -c a && b");
	finds("|", "sort | uniq");
	finds("a;", "a; b");
	finds(">out", "a >out");
	finds("2>&1", "a 2>&1");
	finds("", "sh -c 'a && b' \"c | d\"");
	finds("", "a '&&' \"|\" \\; a&&b x|y -D>");
	finds("", "sh -c 'a &&");
	finds("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_at_blanks),
		cmocka_unit_test(quotes_as_a_shell_does),
		cmocka_unit_test(expands_nothing),
		cmocka_unit_test(refuses_what_has_no_end),
		cmocka_unit_test(finds_operators_that_have_no_quotes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
