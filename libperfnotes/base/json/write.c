/* The writer of JSON: RFC 8259. */
#include "base/bytes.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/number.h"
#include "base/text/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void pn_json_writer_init(struct pn_json_writer *w, struct pn_buf *out,
			 int indent)
{
	w->out = out;
	w->depth = 0;
	w->indent = indent;
	w->python = false;
	w->after_key = false;
	w->key_at = 0;
	w->key_was_first = false;
	w->first[0] = true;
}

static void break_line(struct pn_json_writer *w)
{
	size_t len = (size_t)w->indent * (size_t)w->depth;

	pn_buf_add_byte(w->out, '\n');
	memset(pn_buf_reserve(w->out, len), ' ', len);
	w->out->len += len;
	w->out->data[w->out->len] = '\0';
}

/* What stands before a key, an element or the value of a key. */
static void begin(struct pn_json_writer *w)
{
	if (w->after_key) {
		w->after_key = false;
		return;
	}
	if (!w->depth)
		return;
	if (!w->first[w->depth]) {
		pn_buf_add_byte(w->out, ',');
		if (w->python && !w->indent)
			pn_buf_add_byte(w->out, ' ');
	}
	w->first[w->depth] = false;
	if (w->indent)
		break_line(w);
}

void pn_json_open(struct pn_json_writer *w, char bracket)
{
	begin(w);
	pn_buf_add_byte(w->out, (unsigned char)bracket);
	if (w->depth < PN_JSON_MAX_DEPTH)
		w->depth++;
	w->first[w->depth] = true;
}

void pn_json_close(struct pn_json_writer *w, char bracket)
{
	bool empty = w->first[w->depth];

	if (w->depth)
		w->depth--;
	if (w->indent && !empty)
		break_line(w);
	pn_buf_add_byte(w->out, (unsigned char)bracket);
}

static bool is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

static void put_escape(struct pn_buf *out, uint32_t c)
{
	static const char from[] = "\"\\\b\f\n\r\t", is[] = "\"\\bfnrt";
	const char *found = c && c < 0x80 ? strchr(from, (int)c) : NULL;

	if (!found) {
		pn_buf_printf(out, "\\u%04x", c);
		return;
	}
	pn_buf_add_byte(out, '\\');
	pn_buf_add_byte(out, (unsigned char)is[found - from]);
}

/* Whether all of the next eight bytes are plain; of some that are, too, it says
 * no. */
static bool are_plain(const unsigned char *p)
{
	uint64_t v, quote, backslash;

	memcpy(&v, p, sizeof(v));
	quote = v ^ PN_BYTES_EACH * '"';
	backslash = v ^ PN_BYTES_EACH * '\\';
	return !((pn_bytes_unprintable(v) | (quote - PN_BYTES_EACH) |
		  (backslash - PN_BYTES_EACH)) &
		 PN_BYTES_HIGH);
}

/* What is no UTF-8 becomes U+FFFD, byte by byte: JSON has no other bytes. What
 * would command a terminal or reorder its text is escaped, too. */
static void put_string(struct pn_buf *out, const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + len;

	pn_buf_add_byte(out, '"');
	while (p < end) {
		const unsigned char *run = p;
		uint32_t c;
		size_t n;

		while (end - p >= 8 && are_plain(p))
			p += 8;
		while (p < end && is_plain(*p))
			p++;
		pn_buf_add(out, run, (size_t)(p - run));
		if (p == end)
			break;
		n = pn_utf8_read(&c, p, (size_t)(end - p));
		if (n == 1 || (n && pn_escape_is_unsafe(c)))
			put_escape(out, c);
		else if (n)
			pn_buf_add(out, p, n);
		else
			pn_buf_add(out, "\xef\xbf\xbd", 3);
		p += n ? n : 1;
	}
	pn_buf_add_byte(out, '"');
}

void pn_json_key_n(struct pn_json_writer *w, const char *key, size_t len)
{
	w->key_at = w->out->len;
	w->key_was_first = w->first[w->depth];
	begin(w);
	put_string(w->out, key, len);
	pn_buf_add_byte(w->out, ':');
	if (w->python || w->indent)
		pn_buf_add_byte(w->out, ' ');
	w->after_key = true;
}

void pn_json_key(struct pn_json_writer *w, const char *key)
{
	pn_json_key_n(w, key, strlen(key));
}

void pn_json_string_n(struct pn_json_writer *w, const char *text, size_t len)
{
	begin(w);
	put_string(w->out, text, len);
}

void pn_json_string(struct pn_json_writer *w, const char *text)
{
	pn_json_string_n(w, text, strlen(text));
}

void pn_json_raw(struct pn_json_writer *w, const char *json, size_t len)
{
	begin(w);
	pn_buf_add(w->out, json, len);
}

static void put_text(struct pn_json_writer *w, const char *json)
{
	pn_json_raw(w, json, strlen(json));
}

void pn_json_int(struct pn_json_writer *w, int64_t value)
{
	char text[PN_NUMBER_TEXT];

	snprintf(text, sizeof(text), "%" PRId64, value);
	put_text(w, text);
}

void pn_json_uint(struct pn_json_writer *w, uint64_t value)
{
	char text[PN_NUMBER_TEXT];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	put_text(w, text);
}

void pn_json_double(struct pn_json_writer *w, double value)
{
	char text[PN_NUMBER_TEXT];

	if (isfinite(value)) {
		pn_json_raw(w, text, pn_number_write(text, value, w->python));
	} else if (w->after_key) {
		w->out->len = w->key_at;
		w->out->data[w->key_at] = '\0';
		w->first[w->depth] = w->key_was_first;
		w->after_key = false;
	} else {
		put_text(w, "null"); /* the other elements keep their place */
	}
}

void pn_json_bool(struct pn_json_writer *w, bool value)
{
	put_text(w, value ? "true" : "false");
}

void pn_json_member(struct pn_json_writer *w, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	pn_json_key(w, key);
	pn_json_string(w, text);
}

void pn_json_member_int(struct pn_json_writer *w, const char *key,
			int64_t value)
{
	pn_json_key(w, key);
	pn_json_int(w, value);
}

void pn_json_member_double(struct pn_json_writer *w, const char *key,
			   double value)
{
	pn_json_key(w, key);
	pn_json_double(w, value);
}

static void member_time(struct pn_json_writer *w, const char *key,
			char text[PN_TIME_TEXT])
{
	size_t len = PN_TIME_TEXT - 2; /* without Z and NUL */

	while (text[len - 1] == '0')
		len--;
	if (text[len - 1] == '.')
		len--;
	text[len++] = 'Z';
	pn_json_key(w, key);
	pn_json_string_n(w, text, len);
}

void pn_json_member_time(struct pn_json_writer *w, const char *key,
			 int64_t time_ns)
{
	char text[PN_TIME_TEXT];

	pn_time_write(text, time_ns);
	member_time(w, key, text);
}

void pn_json_member_time_s(struct pn_json_writer *w, const char *key,
			   int64_t time_s)
{
	char text[PN_TIME_TEXT];

	pn_time_write_s(text, time_s);
	member_time(w, key, text);
}

static bool is_simple(const char *key, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)key[i] <= ' ' || strchr(".[]\"", key[i]))
			return false;
	return len > 0;
}

void pn_json_path_key(struct pn_buf *out, const char *key, size_t len)
{
	struct pn_json_writer w;

	if (is_simple(key, len)) {
		if (out->len)
			pn_buf_add_byte(out, '.');
		pn_buf_add(out, key, len);
		return;
	}
	pn_json_writer_init(&w, out, 0);
	pn_buf_add_byte(out, '[');
	pn_json_string_n(&w, key, len);
	pn_buf_add_byte(out, ']');
}
