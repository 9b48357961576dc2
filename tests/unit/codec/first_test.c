/*
 * What a codec says its files begin with is all that they begin with: of each
 * file of tests/data, as it is, behind blanks and a byte order mark, and with
 * each other byte in the place of its first one, no sniffer that is not asked
 * would have said yes.
 */
#include "base/buf.h"
#include "codec/first.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t seen, known;

static void check(const char *path, const unsigned char *bytes, size_t len)
{
	enum pn_first first;
	size_t i;

	if (len > PN_SNIFF_BYTES)
		len = PN_SNIFF_BYTES;
	first = pn_first_of(bytes, len);
	for (i = 0; pn_codecs[i]; i++) {
		if (pn_codecs[i]->sniff(bytes, len) == PN_SNIFF_NO)
			continue;
		if (!pn_first_fits(pn_codecs[i], first))
			fail_msg("'%s', byte 0x%02x: %s would take it", path,
				 bytes[0], pn_codecs[i]->name);
		known++;
	}
}

static void check_changed(const char *path, const unsigned char *bytes,
			  size_t len)
{
	static const char *const before[] = {
		"\xef\xbb\xbf", " \t\r\n", "\xef\xbb\xbf\n ", "\n\xef\xbb\xbf"};
	struct pn_buf text = {0};
	unsigned int byte;
	size_t i;

	check(path, bytes, len);
	for (i = 0; i < sizeof(before) / sizeof(*before); i++) {
		pn_buf_clear(&text);
		pn_buf_add_text(&text, before[i]);
		pn_buf_add(&text, bytes, len);
		check(path, (const void *)pn_buf_text(&text), text.len);
	}
	pn_buf_clear(&text);
	pn_buf_add(&text, bytes, len);
	for (byte = 0; byte < 256; byte++) {
		text.data[0] = (char)byte;
		check(path, (const void *)text.data, text.len);
	}
	pn_buf_release(&text);
}

static int check_file(const char *path, const struct stat *st, int type,
		      struct FTW *where)
{
	const unsigned char *bytes;
	struct pn_reader *in = NULL;
	size_t len;

	(void)where;
	if (type != FTW_F || !st->st_size)
		return 0;
	/* gzip is taken off; what cannot be is nobody's */
	if (!pn_reader_open(&in, path, 0, NULL) &&
	    !pn_reader_peek(&bytes, &len, in, PN_SNIFF_BYTES, NULL) && len) {
		check_changed(path, bytes,
			      len < PN_SNIFF_BYTES ? len : PN_SNIFF_BYTES);
		seen++;
	}
	pn_reader_free(in);
	return 0;
}

static void asks_whoever_may_say_yes(void **state)
{
	const char *source = getenv("PERF_SOURCE_DIR");
	struct pn_buf folder = {0};

	(void)state;
	pn_buf_printf(&folder, "%s/tests/data", source ? source : ".");
	assert_int_equal(nftw(pn_buf_text(&folder), check_file, 16, FTW_PHYS),
			 0);
	assert_true(seen > 200 && known > seen);
	pn_buf_release(&folder);
}

static void tells_what_bytes_begin_with(void **state)
{
	static const struct {
		const char *text;
		enum pn_first first;
	} of[] = {
		{"{}", PN_FIRST_OBJECT},
		{" \t\r\n[", PN_FIRST_ARRAY},
		{"\xef\xbb\xbf <a>", PN_FIRST_TAG},
		{"\x04\x08{", PN_FIRST_CONTROL},
		{"\x7f"
		 "ELF",
		 PN_FIRST_CONTROL},
		{"main;f 1", PN_FIRST_OTHER},
		{"\xb1pnb", PN_FIRST_OTHER},
		{" \n", PN_FIRST_ANY},
		{"", PN_FIRST_ANY},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of) / sizeof(*of); i++)
		assert_int_equal(pn_first_of((const void *)of[i].text,
					     strlen(of[i].text)),
				 of[i].first);
	assert_int_equal(pn_first_of((const void *)"\0\0", 2),
			 PN_FIRST_CONTROL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_what_bytes_begin_with),
		cmocka_unit_test(asks_whoever_may_say_yes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
