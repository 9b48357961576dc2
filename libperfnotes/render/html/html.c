/* Text, data, scripts and styles in documents of HTML and SVG. */
#include "render/html/html.h"

#include "base/deflate.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/json/json.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* XML 1.0, section 2.2: the last two characters of the first plane are none. */
static bool is_no_character(const char *text, size_t left)
{
	return left >= 3 && !memcmp(text, "\xef\xbf", 2) &&
	       ((unsigned char)text[2] & 0xfe) == 0xbe;
}

/* What stands for itself in text and in JSON alike. */
static bool is_plain(const char *text, size_t len)
{
	static const bool special[256] = {['&'] = true,
					  ['<'] = true,
					  ['>'] = true,
					  ['"'] = true,
					  ['\\'] = true};
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c > '~' || special[c])
			return false;
	}
	return true;
}

void pn_html_text(struct pn_buf *out, const char *text, size_t len)
{
	struct pn_buf safe = {0};
	const char *at, *end;

	if (is_plain(text, len)) {
		pn_buf_add(out, text, len);
		return;
	}
	pn_escape_terminal(&safe, text, len);
	at = pn_buf_text(&safe);
	for (end = at + safe.len; at < end; at++) {
		if (*at == '&')
			pn_buf_add_text(out, "&amp;");
		else if (*at == '<')
			pn_buf_add_text(out, "&lt;");
		else if (*at == '>')
			pn_buf_add_text(out, "&gt;");
		else if (*at == '"')
			pn_buf_add_text(out, "&quot;");
		else if (is_no_character(at, (size_t)(end - at))) {
			pn_buf_printf(out, "\\u{FFF%c}",
				      at[2] == '\xbe' ? 'E' : 'F');
			at += 2;
		} else
			pn_buf_add_byte(out, (unsigned char)*at);
	}
	pn_buf_release(&safe);
}

void pn_html_lines(struct pn_buf *out, const char *text)
{
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		pn_html_text(out, text, len);
		pn_buf_add_byte(out, '\n');
	}
}

void pn_html_json(struct pn_buf *out, const char *text, size_t len)
{
	struct pn_buf safe = {0}, json = {0};
	struct pn_json_writer writer;
	size_t i;

	if (is_plain(text, len)) {
		pn_buf_add_byte(out, '"');
		pn_buf_add(out, text, len);
		pn_buf_add_byte(out, '"');
		return;
	}
	pn_escape_terminal(&safe, text, len);
	pn_json_writer_init(&writer, &json, 0);
	pn_json_string_n(&writer, pn_buf_text(&safe), safe.len);
	for (i = 0; i < json.len; i++) {
		unsigned char c = json.data[i];

		if (c == '<' || c == '>' || c == '&')
			pn_buf_printf(out, "\\u%04x", c);
		else if (i + 2 < json.len && c == 0xef &&
			 json.data[i + 1] == 0xbf &&
			 (json.data[i + 2] & 0xfe) == 0xbe) {
			pn_buf_printf(out, "\\uFFF%c",
				      json.data[i + 2] == 0xbe ? 'E' : 'F');
			i += 2;
		} else
			pn_buf_add_byte(out, c);
	}
	pn_buf_release(&safe);
	pn_buf_release(&json);
}

void pn_html_base64(struct pn_buf *out, const void *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *at = bytes;
	unsigned char *to = pn_buf_reserve(out, (len + 2) / 3 * 4);

	out->len += (len + 2) / 3 * 4;
	for (; len; at += 3, to += 4, len = len > 3 ? len - 3 : 0) {
		uint32_t group = (uint32_t)at[0] << 16;

		if (len > 1)
			group |= (uint32_t)at[1] << 8;
		if (len > 2)
			group |= at[2];
		to[0] = (unsigned char)digits[group >> 18];
		to[1] = (unsigned char)digits[group >> 12 & 63];
		to[2] = len > 1 ? (unsigned char)digits[group >> 6 & 63] : '=';
		to[3] = len > 2 ? (unsigned char)digits[group & 63] : '=';
	}
	*to = '\0';
}

void pn_html_packed(struct pn_buf *out, const void *bytes, size_t len)
{
	struct pn_buf zlib = {0};

	pn_deflate_zlib(&zlib, NULL, 0, bytes, len, PN_DEFLATE_QUICK);
	pn_html_base64(out, zlib.data, zlib.len);
	pn_buf_release(&zlib);
}

static void allow(struct pn_buf *out, const char *const *texts)
{
	unsigned char sum[32];

	for (; *texts; texts++) {
		pn_hash_sha256(sum, *texts, strlen(*texts));
		pn_buf_add_text(out, " 'sha256-");
		pn_html_base64(out, sum, sizeof(sum));
		pn_buf_add_byte(out, '\'');
	}
}

static void elements(struct pn_buf *out, const char *name,
		     const char *const *texts)
{
	for (; *texts; texts++)
		pn_buf_printf(out, "<%s>%s</%s>\n", name, *texts, name);
}

void pn_html_begin(struct pn_buf *out, const struct pn_html_page *page,
		   const char *title)
{
	pn_buf_add_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			     "<meta charset=\"utf-8\">\n"
			     "<meta http-equiv=\"Content-Security-Policy\" "
			     "content=\"default-src 'none'; script-src");
	allow(out, page->scripts);
	pn_buf_add_text(out, "; style-src");
	allow(out, page->styles);
	pn_buf_add_text(
		out, "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
		     "<meta name=\"viewport\" "
		     "content=\"width=device-width\">\n<title>");
	pn_html_text(out, title, strlen(title));
	pn_buf_add_text(out, "</title>\n");
	elements(out, "style", page->styles);
	pn_buf_add_text(out, "</head>\n<body>\n");
}

void pn_html_end(struct pn_buf *out, const struct pn_html_page *page)
{
	elements(out, "script", page->scripts);
	pn_buf_add_text(out, "</body>\n</html>\n");
}
