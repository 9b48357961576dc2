/* Text that is safe where it goes. */
#include "base/escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void percent_keeps_plain_bytes_and_codes_the_rest(void **state)
{
	struct pn_buf out = {0};

	(void)state;
	pn_escape_percent(&out, "aZ9-._~/:+@,()[]{}*!'", 21);
	assert_string_equal(pn_buf_text(&out), "aZ9-._~/:+@,()[]{}*!'");
	pn_buf_clear(&out);
	pn_escape_percent(&out, "a b%=;|\n\xc3\xa9\0\x7f", 12);
	assert_string_equal(pn_buf_text(&out),
			    "a%20b%25%3D%3B%7C%0A%C3%A9%00%7F");
	pn_buf_release(&out);
}

static void percent_comes_back_for_every_byte(void **state)
{
	struct pn_buf text = {0}, back = {0};
	unsigned char all[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all); i++)
		all[i] = (unsigned char)i;
	pn_escape_percent(&text, all, sizeof(all));
	assert_int_equal(
		pn_unescape_percent(&back, pn_buf_text(&text), text.len), 0);
	assert_int_equal(back.len, sizeof(all));
	assert_memory_equal(back.data, all, sizeof(all));
	pn_buf_release(&text);
	pn_buf_release(&back);
}

static void refuses_a_cut_or_wrong_escape(void **state)
{
	static const char *const cases[] = {"%",   "%4",  "a%",
					    "%g0", "%0g", "%%41"};
	struct pn_buf out = {0};
	size_t i;

	(void)state;
	pn_buf_add_text(&out, "kept");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(
			pn_unescape_percent(&out, cases[i], strlen(cases[i])),
			PN_EINVAL);
	assert_string_equal(pn_buf_text(&out), "kept");
	pn_buf_release(&out);
}

static void check_terminal(const char *bytes, size_t len, const char *want)
{
	struct pn_buf out = {0};

	pn_escape_terminal(&out, bytes, len);
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void terminal_shows_controls_and_keeps_text(void **state)
{
	(void)state;
	check_terminal("plain", 5, "plain");
	check_terminal("\x1b[31m", 5, "\\x1b[31m");
	check_terminal("a\nb\0c\x7f", 6, "a\\x0ab\\x00c\\x7f");
	check_terminal("na\xc3\xafve \xf0\x9f\x98\x80", 11,
		       "na\xc3\xafve \xf0\x9f\x98\x80");
	check_terminal("\xc2\x9b", 2, "\\u{009b}");
	check_terminal("\xe2\x80\xae", 3, "\\u{202e}");
	check_terminal("\xd8\x9c", 2, "\\u{061c}");
	check_terminal("\xe2\x80\xa8\xe2\x80\xa9", 6, "\\u{2028}\\u{2029}");
	check_terminal("\xef\xbf\xbe\xef\xbf\xbf", 6, "\\u{fffe}\\u{ffff}");
	check_terminal("\xe2\x80\xa7\xef\xbf\xbd", 6,
		       "\xe2\x80\xa7\xef\xbf\xbd");
}

static void terminal_shows_invalid_utf8_byte_by_byte(void **state)
{
	(void)state;
	check_terminal("\xff", 1, "\\xff");
	check_terminal("\xc3", 1, "\\xc3");
	check_terminal("\xc0\xaf", 2, "\\xc0\\xaf");
	check_terminal("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");
	check_terminal("\xe0\x80\x80", 3, "\\xe0\\x80\\x80");
	check_terminal("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80");
	check_terminal("\x80", 1, "\\x80");
}

/* Text is looked at by eight bytes: none of 256 at any place of them passes
 * but the 95 that are printable, and no neighbour changes that. */
static void terminal_sees_every_byte_at_every_place(void **state)
{
	static const unsigned char beside[] = {' ', '~'};
	size_t byte, place, side;

	(void)state;
	for (byte = 0; byte < 256; byte++)
		for (place = 0; place < 17; place++)
			for (side = 0; side < sizeof(beside); side++) {
				struct pn_buf out = {0};
				unsigned char text[17];

				memset(text, beside[side], sizeof(text));
				text[place] = (unsigned char)byte;
				pn_escape_terminal(&out, text, sizeof(text));
				assert_int_equal(out.len,
						 byte >= 0x20 && byte <= 0x7e
							 ? 17
							 : 16 + 4); /* \\xNN */
				pn_buf_release(&out);
			}
}

static void check_shell(const char *word, const char *want)
{
	struct pn_buf out = {0};

	pn_escape_shell(&out, word);
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void shell_quotes_only_what_needs_it(void **state)
{
	(void)state;
	check_shell("./run-it_1.sh", "./run-it_1.sh");
	check_shell("--level=9", "--level=9");
	check_shell("A=b", "'A=b'");
	check_shell("", "''");
	check_shell("a b", "'a b'");
	check_shell("it's", "'it'\\''s'");
	check_shell("~", "'~'");
	check_shell("$(x)", "'$(x)'");
	check_shell("\xc3\xa9", "'\xc3\xa9'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percent_keeps_plain_bytes_and_codes_the_rest),
		cmocka_unit_test(percent_comes_back_for_every_byte),
		cmocka_unit_test(refuses_a_cut_or_wrong_escape),
		cmocka_unit_test(terminal_shows_controls_and_keeps_text),
		cmocka_unit_test(terminal_shows_invalid_utf8_byte_by_byte),
		cmocka_unit_test(terminal_sees_every_byte_at_every_place),
		cmocka_unit_test(shell_quotes_only_what_needs_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
