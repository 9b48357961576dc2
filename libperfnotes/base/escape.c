/*
 * Text that is safe where it goes: index lines (RFC 3986, section 2.1),
 * terminals and POSIX shells.
 */
#include "base/escape.h"

#include "base/bytes.h"
#include "base/oid.h"
#include "base/text/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_alnum(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

static bool is_one_of(unsigned char c, const char *set)
{
	return c && strchr(set, c);
}

static bool is_plain(unsigned char c)
{
	static const bool plain[256] = {
		['-'] = true, ['.'] = true,  ['_'] = true, ['~'] = true,
		['/'] = true, [':'] = true,  ['+'] = true, ['@'] = true,
		[','] = true, ['('] = true,  [')'] = true, ['['] = true,
		[']'] = true, ['{'] = true,  ['}'] = true, ['*'] = true,
		['!'] = true, ['\''] = true,
	};

	return is_alnum(c) || plain[c];
}

void pn_escape_percent(struct pn_buf *out, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789ABCDEF";
	const unsigned char *from = bytes;
	unsigned char *to;
	size_t i, n = 0;

	for (i = 0; i < len; i++)
		n += is_plain(from[i]) ? 1 : 3;
	to = pn_buf_reserve(out, n);
	out->len += n;
	if (n == len && len) {
		memcpy(to, bytes, len);
		to += len;
		len = 0;
	}
	for (i = 0; i < len; i++) {
		if (is_plain(from[i])) {
			*to++ = from[i];
			continue;
		}
		*to++ = '%';
		*to++ = (unsigned char)digits[from[i] >> 4];
		*to++ = (unsigned char)digits[from[i] & 15];
	}
	*to = '\0';
}

int pn_unescape_percent_to(char *out, size_t *out_len, const char *text,
			   size_t len)
{
	char *to = out;
	size_t i;

	for (i = 0; i < len; i++) {
		int high, low;

		if (text[i] != '%') {
			*to++ = text[i];
			continue;
		}
		high = len - i > 2 ? pn_hex_digit(text[i + 1]) : -1;
		low = high < 0 ? -1 : pn_hex_digit(text[i + 2]);
		if (low < 0) {
			*out = '\0';
			return PN_EINVAL;
		}
		*to++ = (char)(high << 4 | low);
		i += 2;
	}
	*to = '\0';
	*out_len = (size_t)(to - out);
	return 0;
}

int pn_unescape_percent(struct pn_buf *out, const char *text, size_t len)
{
	char *to = (char *)pn_buf_reserve(out, len);
	size_t added = 0;
	int code = pn_unescape_percent_to(to, &added, text, len);

	out->len += added;
	return code;
}

/* Unicode Standard Annex 9, section 2: characters that reorder the text. */
static bool is_bidi(uint32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Separators of lines and paragraphs, and what is no character at all, which
 * XML has no way to write: the Unicode Standard, 5.8 and 23.7. */
static bool is_break(uint32_t c)
{
	return c == 0x2028 || c == 0x2029 || c == 0xfffe || c == 0xffff;
}

bool pn_escape_is_unsafe(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || is_bidi(c) || is_break(c);
}

/* How many bytes at the front are printable ASCII. */
static size_t printable(const unsigned char *p, size_t len)
{
	size_t at = 0;
	uint64_t word;

	for (; len - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, p + at, sizeof(word));
		if (pn_bytes_unprintable(word) & PN_BYTES_HIGH)
			break;
	}
	while (at < len && p[at] >= ' ' && p[at] < 0x7f)
		at++;
	return at;
}

void pn_escape_terminal(struct pn_buf *out, const void *bytes, size_t len)
{
	const unsigned char *p = bytes, *end = p + len;

	while (p < end) {
		uint32_t c = 0;
		size_t n = printable(p, (size_t)(end - p));

		if (n) {
			pn_buf_add(out, p, n);
			p += n;
			continue;
		}
		n = pn_utf8_read(&c, p, (size_t)(end - p));
		if (n <= 1)
			pn_buf_printf(out, "\\x%02x", *p);
		else if (pn_escape_is_unsafe(c))
			pn_buf_printf(out, "\\u{%04x}", c);
		else
			pn_buf_add(out, p, n);
		p += n ? n : 1;
	}
}

/*
 * "a=b" at the front of a command would be an assignment, an option never is.
 */
static bool needs_no_quotes(const char *word)
{
	const char *set = word[0] == '-' ? "-_@%+:,./=" : "-_@%+:,./";

	if (!*word)
		return false;
	for (; *word; word++)
		if (!is_alnum((unsigned char)*word) &&
		    !is_one_of((unsigned char)*word, set))
			return false;
	return true;
}

void pn_escape_shell(struct pn_buf *out, const char *word)
{
	if (needs_no_quotes(word)) {
		pn_buf_add_text(out, word);
		return;
	}
	pn_buf_add_byte(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			pn_buf_add_text(out, "'\\''");
		else
			pn_buf_add_byte(out, (unsigned char)*word);
	}
	pn_buf_add_byte(out, '\'');
}

void pn_escape_lines(struct pn_buf *out, const char *text)
{
	size_t len, tabs;

	for (; *text; text += *text == '\n') {
		tabs = strspn(text, "\t");
		text += tabs;
		while (tabs--)
			pn_buf_add_text(out, "    ");
		len = strcspn(text, "\n");
		pn_escape_terminal(out, text, len);
		pn_buf_add_byte(out, '\n');
		text += len;
	}
}
