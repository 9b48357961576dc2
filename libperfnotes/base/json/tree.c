/*
 * JSON values: read, kept, written again.
 *
 * One written form is that of Python's json.dumps with its defaults (Python
 * library reference, "json"), because Perun names a stored profile by the
 * SHA-1 of that text.
 */
#include "base/json/tree.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pn_json_tree_release(struct pn_json_tree *value)
{
	if (!value)
		return;
	free(value->items);
	pn_buf_release(&value->text);
	memset(value, 0, sizeof(*value));
}

void pn_json_tree_clear(struct pn_json_tree *value)
{
	value->count = 0;
	pn_buf_clear(&value->text);
}

int pn_json_tree_add_item(struct pn_json_tree *v, enum pn_json_event event,
			  const char *text, size_t len, struct pn_error *err)
{
	struct pn_json_item *item;

	if (len > PN_JSON_MAX_TOKEN || v->text.len > PN_JSON_MAX_TREE - len)
		return pn_error_set(err, PN_ELIMIT,
				    "a value of more than %u bytes",
				    PN_JSON_MAX_TREE);
	v->items = pn_grow(v->items, &v->cap, v->count + 1, sizeof(*v->items));
	item = &v->items[v->count++];
	item->at = (uint32_t)v->text.len;
	item->len = (uint32_t)len;
	item->event = (uint32_t)event;
	if (len)
		pn_buf_add(&v->text, text, len);
	return 0;
}

bool pn_json_is_whole(const char *text, size_t len)
{
	size_t i;

	for (i = text[0] == '-'; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return true;
}

static void put_double(char out[PN_NUMBER_TEXT], double value)
{
	if (isnan(value))
		snprintf(out, PN_NUMBER_TEXT, "NaN");
	else if (isinf(value))
		snprintf(out, PN_NUMBER_TEXT, "%sInfinity",
			 value < 0 ? "-" : "");
	else
		pn_number_write(out, value, true);
}

/* Python keeps the digits of a whole number, and makes any other a double. */
static int add_number(struct pn_json_tree *v, const char *text, size_t len,
		      struct pn_error *err)
{
	char number[PN_NUMBER_TEXT];
	double value;

	if (len == 2 && !memcmp(text, "-0", 2))
		return pn_json_tree_add_item(v, PN_JSON_NUMBER, "0", 1, err);
	if (pn_json_is_whole(text, len) ||
	    (len >= 3 && (text[len - 1] == 'N' || text[len - 1] == 'y')))
		return pn_json_tree_add_item(v, PN_JSON_NUMBER, text, len, err);
	if (!pn_number_double(&value, text, len))
		value = text[0] == '-' ? -INFINITY : INFINITY;
	put_double(number, value);
	return pn_json_tree_add_item(v, PN_JSON_NUMBER, number, strlen(number),
				     err);
}

int pn_json_tree_add_event(struct pn_json_tree *out, struct pn_json *json,
			   enum pn_json_event event, struct pn_error *err)
{
	switch (event) {
	case PN_JSON_NUMBER:
		return add_number(out, pn_json_text(json), pn_json_len(json),
				  err);
	case PN_JSON_STRING:
	case PN_JSON_KEY:
		return pn_json_tree_add_item(out, event, pn_json_text(json),
					     pn_json_len(json), err);
	default:
		return pn_json_tree_add_item(out, event, "", 0, err);
	}
}

bool pn_json_is_open(size_t *depth, enum pn_json_event event)
{
	if (event == PN_JSON_OBJECT || event == PN_JSON_ARRAY)
		++*depth;
	else if (event == PN_JSON_OBJECT_END || event == PN_JSON_ARRAY_END)
		--*depth;
	return *depth > 0;
}

int pn_json_read_on(enum pn_json_event *event, size_t *depth,
		    struct pn_json *json, struct pn_error *err)
{
	int code;

	if (!pn_json_is_open(depth, *event))
		return 0;
	code = pn_json_next(event, json, err);
	return code ? code : 1;
}

int pn_json_tree_add(struct pn_json_tree *out, struct pn_json *json,
		     enum pn_json_event first, struct pn_error *err)
{
	enum pn_json_event event = first;
	size_t depth = 0;
	int code;

	do {
		code = pn_json_tree_add_event(out, json, event, err);
		if (!code)
			code = pn_json_read_on(&event, &depth, json, err);
	} while (code > 0);
	return code;
}

int pn_json_tree_parse(struct pn_json_tree *out, const char *text, size_t len,
		       struct pn_error *err)
{
	struct pn_reader *reader = NULL;
	struct pn_json *json = NULL;
	enum pn_json_event event;
	int code;

	pn_json_tree_clear(out);
	code = pn_reader_memory(&reader, text, len, "value", 0, err);
	if (code)
		return code;
	json = pn_json_new(reader);
	code = pn_json_next(&event, json, err);
	if (!code)
		code = pn_json_tree_add(out, json, event, err);
	pn_json_free(json);
	pn_reader_free(reader);
	return code;
}

enum pn_json_event pn_json_tree_event(const struct pn_json_tree *value,
				      size_t item)
{
	return item < value->count
		       ? (enum pn_json_event)value->items[item].event
		       : PN_JSON_END;
}

const char *pn_json_tree_text(const struct pn_json_tree *value, size_t item,
			      size_t *len)
{
	*len = value->items[item].len;
	return pn_buf_text(&value->text) + value->items[item].at;
}

bool pn_json_tree_is(const struct pn_json_tree *value, size_t item,
		     const char *text)
{
	size_t len;
	const char *have = pn_json_tree_text(value, item, &len);

	return len == strlen(text) && !memcmp(have, text, len);
}

size_t pn_json_tree_end(const struct pn_json_tree *value, size_t item)
{
	size_t depth = 0;

	for (; item < value->count; item++) {
		enum pn_json_event event = pn_json_tree_event(value, item);

		if (!pn_json_is_open(&depth, event) && event != PN_JSON_KEY)
			return item + 1;
	}
	return item;
}

/* A code point of valid UTF-8, else U+FFFD for one byte; *at moves on. */
static uint32_t next_point(const char *text, size_t len, size_t *at)
{
	const unsigned char *s = (const unsigned char *)text + *at;
	size_t left = len - *at, size, i;
	uint32_t point, least;

	(*at)++;
	if (s[0] < 0x80)
		return s[0];
	size = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	least = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
	if (s[0] < 0xc2 || s[0] > 0xf4 || left < size)
		return 0xfffd;
	point = s[0] & (0x7f >> size);
	for (i = 1; i < size; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0xfffd;
		point = point << 6 | (s[i] & 0x3f);
	}
	if (point < least || point > 0x10ffff ||
	    (point >= 0xd800 && point < 0xe000))
		return 0xfffd;
	*at += size - 1;
	return point;
}

static void put_unit(struct pn_buf *out, uint32_t unit)
{
	char text[8];

	snprintf(text, sizeof(text), "\\u%04x", (unsigned int)(unit & 0xffff));
	pn_buf_add(out, text, 6);
}

static void put_utf8(struct pn_buf *out, uint32_t point)
{
	unsigned char s[4];
	size_t n = 0;

	if (point >= 0x10000) {
		s[n++] = (unsigned char)(0xf0 | point >> 18);
		s[n++] = (unsigned char)(0x80 | (point >> 12 & 0x3f));
	} else if (point >= 0x800) {
		s[n++] = (unsigned char)(0xe0 | point >> 12);
	}
	if (point >= 0x800)
		s[n++] = (unsigned char)(0x80 | (point >> 6 & 0x3f));
	else
		s[n++] = (unsigned char)(0xc0 | point >> 6);
	s[n++] = (unsigned char)(0x80 | (point & 0x3f));
	pn_buf_add(out, s, n);
}

static void put_point(struct pn_buf *out, uint32_t point,
		      enum pn_json_style style)
{
	static const char named[] = "\"\\\b\f\n\r\t", by[] = "\"\\bfnrt";
	const char *name =
		point && point < 0x80 ? strchr(named, (int)point) : NULL;

	if (name) {
		pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, (unsigned char)by[name - named]);
	} else if (point < 0x20 || (point == 0x7f && style == PN_JSON_PYTHON)) {
		put_unit(out, point);
	} else if (point < 0x80) {
		pn_buf_add_byte(out, (unsigned char)point);
	} else if (style == PN_JSON_COMPACT) {
		put_utf8(out, point);
	} else if (point < 0x10000) {
		put_unit(out, point);
	} else {
		put_unit(out, 0xd800 + ((point - 0x10000) >> 10));
		put_unit(out, 0xdc00 + ((point - 0x10000) & 0x3ff));
	}
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void pn_json_write_string(struct pn_buf *out, const char *text, size_t len,
			  enum pn_json_style style)
{
	size_t at = 0, run;

	pn_buf_add_byte(out, '"');
	while (at < len) {
		for (run = at; run < len; run++)
			if (!is_plain((unsigned char)text[run]))
				break;
		if (run > at)
			pn_buf_add(out, text + at, run - at);
		at = run;
		if (at < len)
			put_point(out, next_point(text, len, &at), style);
	}
	pn_buf_add_byte(out, '"');
}

void pn_json_write_double(struct pn_buf *out, double value)
{
	char text[PN_NUMBER_TEXT];

	put_double(text, value);
	pn_buf_add_text(out, text);
}

void pn_json_write_int(struct pn_buf *out, int64_t value)
{
	char text[PN_NUMBER_TEXT];
	int len = snprintf(text, sizeof(text), "%" PRId64, value);

	pn_buf_add(out, text, (size_t)len);
}

static void write_item(struct pn_buf *out, const struct pn_json_tree *value,
		       size_t item, enum pn_json_style style)
{
	size_t len;
	const char *text = pn_json_tree_text(value, item, &len);

	switch (pn_json_tree_event(value, item)) {
	case PN_JSON_OBJECT:
		pn_buf_add_byte(out, '{');
		break;
	case PN_JSON_OBJECT_END:
		pn_buf_add_byte(out, '}');
		break;
	case PN_JSON_ARRAY:
		pn_buf_add_byte(out, '[');
		break;
	case PN_JSON_ARRAY_END:
		pn_buf_add_byte(out, ']');
		break;
	case PN_JSON_KEY:
		pn_json_write_string(out, text, len, style);
		pn_buf_add_text(out, style == PN_JSON_PYTHON ? ": " : ":");
		break;
	case PN_JSON_STRING:
		pn_json_write_string(out, text, len, style);
		break;
	case PN_JSON_NUMBER:
		pn_buf_add(out, text, len);
		break;
	case PN_JSON_TRUE:
		pn_buf_add_text(out, "true");
		break;
	case PN_JSON_FALSE:
		pn_buf_add_text(out, "false");
		break;
	default:
		pn_buf_add_text(out, "null");
	}
}

void pn_json_tree_write(struct pn_buf *out, const struct pn_json_tree *value,
			size_t item, enum pn_json_style style)
{
	size_t end = pn_json_tree_end(value, item);
	bool after_value = false;

	for (; item < end; item++) {
		enum pn_json_event event = pn_json_tree_event(value, item);
		bool closes = event == PN_JSON_OBJECT_END ||
			      event == PN_JSON_ARRAY_END;

		if (after_value && !closes)
			pn_buf_add_text(out,
					style == PN_JSON_PYTHON ? ", " : ",");
		write_item(out, value, item, style);
		after_value = event != PN_JSON_OBJECT &&
			      event != PN_JSON_ARRAY && event != PN_JSON_KEY;
	}
}
