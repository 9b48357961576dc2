/* The pull reader of JSON: RFC 8259, with Python's NaN and infinities. */
#include "base/json/json.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 32 /* bytes of a wrong token in a message */

enum state {
	AT_START,	  /* of the document */
	AT_VALUE,	  /* behind a key or an array's comma */
	AT_FIRST_KEY,	  /* behind '{' */
	AT_FIRST_ELEMENT, /* behind '[' */
	AT_NEXT		  /* behind a value */
};

struct level {
	size_t key_at, key_len; /* in keys; of an object's last key */
	uint64_t count;		/* keys or elements so far */
	bool object;
};

struct pn_json {
	struct pn_reader *in;
	const unsigned char *from, *at, *end; /* the reader's window */
	enum state state;
	bool has_key; /* the last event was a key, its text is in keys */
	struct pn_buf text;
	struct pn_buf keys;	   /* of the objects that are open, in a row */
	uint64_t line, line_start; /* line_start: offset of its first byte */
	int depth, max_depth;
	struct level *levels;
	size_t level_cap;
};

struct pn_json *pn_json_new(struct pn_reader *in)
{
	struct pn_json *json = pn_calloc(1, sizeof(*json));

	json->in = in;
	json->line = 1;
	json->max_depth = PN_JSON_MAX_DEPTH;
	return json;
}

void pn_json_allow_depth(struct pn_json *json, int depth)
{
	json->max_depth = depth;
}

void pn_json_free(struct pn_json *json)
{
	if (!json)
		return;
	pn_buf_release(&json->text);
	pn_buf_release(&json->keys);
	free(json->levels);
	free(json);
}

static uint64_t offset(const struct pn_json *j)
{
	return pn_reader_offset(j->in) + (uint64_t)(j->at - j->from);
}

/* "line 3, column 14, in header.units: <what>" for byte `at` of the input. */
static int refuse_at(struct pn_json *j, uint64_t at, int code,
		     struct pn_error *err, const char *what)
{
	struct pn_buf path = {0};

	pn_json_path(&path, j);
	if (path.len > 500)
		pn_buf_clear(&path); /* which nobody can read */
	pn_error_set(err, code, "line %llu, column %llu%s%s: %s",
		     (unsigned long long)j->line,
		     (unsigned long long)(at - j->line_start + 1),
		     path.len ? ", in " : "", pn_buf_text(&path), what);
	pn_buf_release(&path);
	return code;
}

static int refuse(struct pn_json *j, struct pn_error *err, const char *what)
{
	return refuse_at(j, offset(j), PN_EINVAL, err, what);
}

/* At least `want` bytes at j->at, fewer only at the end of the input. */
static int look(struct pn_json *j, size_t want, struct pn_error *err)
{
	size_t have;
	int code;

	if ((size_t)(j->end - j->at) >= want)
		return 0;
	pn_reader_consume(j->in, (size_t)(j->at - j->from));
	j->from = j->at;
	code = pn_reader_peek(&j->from, &have, j->in, want, err);
	if (code) {
		j->from = j->at = j->end;
		return code;
	}
	j->at = j->from;
	j->end = j->from + have;
	return 0;
}

static int skip_blanks(int *code, struct pn_json *j, struct pn_error *err)
{
	for (;;) {
		while (j->at < j->end) {
			unsigned char c = *j->at;

			if (c > ' ')
				return c;
			if (c == '\n') {
				j->line++;
				j->line_start = offset(j) + 1;
			} else if (c != ' ' && c != '\t' && c != '\r') {
				return c;
			}
			j->at++;
		}
		*code = look(j, 1, err);
		if (*code || j->at == j->end)
			return -1;
	}
}

/* The next byte that is not blank, -1 at the end; *code as look says. */
static inline int skip_blank(int *code, struct pn_json *j, struct pn_error *err)
{
	if (j->at<j->end && * j->at> ' ')
		return *j->at;
	return skip_blanks(code, j, err);
}

/*
 * The first byte that does not stand for itself in a string: a quote, a
 * backslash, a control, or a character that is no UTF-8 as far as is seen.
 */
static const unsigned char *skip_plain(const unsigned char *p,
				       const unsigned char *end)
{
	uint32_t c;
	size_t n;

	for (;;) {
		while (end - p >= 8) {
			uint64_t w, quote, slash;

			memcpy(&w, p, 8);
			quote = w ^ (PN_BYTES_EACH * '"');
			slash = w ^ (PN_BYTES_EACH * '\\');
			if (((w | ((w - PN_BYTES_EACH * ' ') & ~w) |
			      ((quote - PN_BYTES_EACH) & ~quote) |
			      ((slash - PN_BYTES_EACH) & ~slash)) &
			     PN_BYTES_HIGH))
				break;
			p += 8;
		}
		while (p < end && *p >= ' ' && *p < 0x80 && *p != '"' &&
		       *p != '\\')
			p++;
		if (p == end || *p < 0x80)
			return p;
		n = pn_utf8_read(&c, p, (size_t)(end - p));
		if (!n)
			return p;
		p += n;
	}
}

static int read_hex4(uint32_t *out, const unsigned char *p)
{
	uint32_t value = 0;
	int i;

	for (i = 0; i < 4; i++) {
		unsigned char c = p[i], low = c | 32;

		if (c >= '0' && c <= '9')
			value = value << 4 | (c - '0');
		else if (low >= 'a' && low <= 'f')
			value = value << 4 | (low - 'a' + 10u);
		else
			return PN_EINVAL;
	}
	*out = value;
	return 0;
}

/* \uXXXX at j->at, two of them for a character above U+FFFF. */
static int read_unicode(struct pn_buf *to, struct pn_json *j,
			struct pn_error *err)
{
	unsigned char bytes[PN_UTF8_MAX];
	uint32_t c, low;
	int code = look(j, 12, err);
	size_t have = (size_t)(j->end - j->at);

	if (code)
		return code;
	if (have < 6 || read_hex4(&c, j->at + 2))
		return refuse(j, err, "expected four hex digits behind '\\u'");
	if (c >= 0xd800 && c < 0xe000) {
		if (c >= 0xdc00 || have < 12 || j->at[6] != '\\' ||
		    j->at[7] != 'u' || read_hex4(&low, j->at + 8) ||
		    low < 0xdc00 || low >= 0xe000)
			return refuse(j, err,
				      "a surrogate without its other half");
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		j->at += 6;
	}
	j->at += 6;
	pn_buf_add(to, bytes, pn_utf8_write(bytes, c));
	return 0;
}

static int read_escape(struct pn_buf *to, struct pn_json *j,
		       struct pn_error *err)
{
	static const char from[] = "\"\\/bfnrt", is[] = "\"\\/\b\f\n\r\t";
	const char *found;
	int code = look(j, 2, err);

	if (code)
		return code;
	if (j->end - j->at < 2)
		return refuse(j, err, "a string is not ended");
	if (j->at[1] == 'u')
		return read_unicode(to, j, err);
	found = j->at[1] ? strchr(from, j->at[1]) : NULL;
	if (!found)
		return refuse(j, err, "no such escape");
	pn_buf_add_byte(to, (unsigned char)is[found - from]);
	j->at += 2;
	return 0;
}

/* A character that skip_plain did not take: cut by the window, or wrong. */
static int read_wide(struct pn_buf *to, struct pn_json *j, struct pn_error *err)
{
	uint32_t c;
	size_t n;
	int code = look(j, PN_UTF8_MAX, err);

	if (code)
		return code;
	n = pn_utf8_read(&c, j->at, (size_t)(j->end - j->at));
	if (!n)
		return refuse(j, err, "a byte that is not UTF-8");
	pn_buf_add(to, j->at, n);
	j->at += n;
	return 0;
}

/* Append the string whose quote is at j->at. */
static int read_string(struct pn_buf *to, struct pn_json *j,
		       struct pn_error *err)
{
	size_t start = to->len;
	uint64_t begin = offset(j);
	int code = 0;

	j->at++;
	while (!code) {
		const unsigned char *run = j->at;

		j->at = skip_plain(run, j->end);
		pn_buf_add(to, run, (size_t)(j->at - run));
		if (to->len - start > PN_JSON_MAX_TOKEN)
			return refuse_at(j, begin, PN_ELIMIT, err,
					 "a string of over 64 MB");
		if (j->at == j->end)
			code = look(j, 1, err);
		if (code)
			break;
		if (j->at == j->end)
			return refuse_at(j, begin, PN_EINVAL, err,
					 "a string is not ended");
		if (*j->at == '"') {
			j->at++;
			return 0;
		}
		if (*j->at == '\\')
			code = read_escape(to, j, err);
		else if (*j->at < ' ')
			code = refuse(j, err, "a control in a string");
		else if (*j->at >= 0x80)
			code = read_wide(to, j, err);
	}
	return code;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *c)
{
	while (is_digit(*c))
		c++;
	return c;
}

/* RFC 8259, section 6; `c` ends with a NUL. */
static bool is_number(const char *c, size_t len)
{
	const char *end = c + len, *digits;

	c += *c == '-';
	digits = c;
	c = skip_digits(c);
	if (c == digits || (*digits == '0' && c - digits > 1))
		return false;
	if (*c == '.') {
		digits = ++c;
		c = skip_digits(c);
		if (c == digits)
			return false;
	}
	if ((*c | 32) == 'e') {
		c++;
		c += *c == '-' || *c == '+';
		digits = c;
		c = skip_digits(c);
		if (c == digits)
			return false;
	}
	return c == end;
}

static bool is_word_byte(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.';
}

/* The bytes of a number or a literal, however the window cuts them. */
static int read_word(struct pn_json *j, struct pn_error *err)
{
	uint64_t begin = offset(j);
	int code;

	do {
		const unsigned char *run = j->at;

		while (j->at < j->end && is_word_byte(*j->at))
			j->at++;
		pn_buf_add(&j->text, run, (size_t)(j->at - run));
		if (j->text.len > PN_JSON_MAX_TOKEN)
			return refuse_at(j, begin, PN_ELIMIT, err,
					 "a number of over 64 MB");
		if (j->at < j->end)
			return 0;
		code = look(j, 1, err);
	} while (!code && j->at < j->end);
	return code;
}

static int read_scalar(enum pn_json_event *out, struct pn_json *j,
		       struct pn_error *err)
{
	static const struct {
		const char *text;
		enum pn_json_event event;
	} words[] = {
		{"true", PN_JSON_TRUE},	      {"false", PN_JSON_FALSE},
		{"null", PN_JSON_NULL},	      {"NaN", PN_JSON_NUMBER},
		{"Infinity", PN_JSON_NUMBER}, {"-Infinity", PN_JSON_NUMBER},
	};
	uint64_t begin = offset(j);
	char what[64 + SHOWN_MAX];
	const char *text;
	size_t i;
	int code = read_word(j, err);

	if (code)
		return code;
	text = pn_buf_text(&j->text);
	if (is_number(text, j->text.len)) {
		*out = PN_JSON_NUMBER;
		return 0;
	}
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(text, words[i].text)) {
			*out = words[i].event;
			return 0;
		}
	if (!*text)
		return refuse_at(j, begin, PN_EINVAL, err, "expected a value");
	snprintf(what, sizeof(what), "expected a value, have '%.*s'", SHOWN_MAX,
		 text);
	return refuse_at(j, begin, PN_EINVAL, err, what);
}

static int open_level(struct pn_json *j, bool object, struct pn_error *err)
{
	struct level *level;
	char what[48];

	if (j->depth == j->max_depth) {
		snprintf(what, sizeof(what), "nested deeper than %d",
			 j->max_depth);
		return refuse_at(j, offset(j), PN_ELIMIT, err, what);
	}
	j->levels = pn_grow(j->levels, &j->level_cap, (size_t)j->depth + 1,
			    sizeof(*j->levels));
	level = &j->levels[j->depth++];
	*level = (struct level){.key_at = j->keys.len, .object = object};
	j->at++;
	j->state = object ? AT_FIRST_KEY : AT_FIRST_ELEMENT;
	return 0;
}

static int close_level(enum pn_json_event *out, struct pn_json *j)
{
	struct level *level = &j->levels[--j->depth];

	j->keys.len = level->key_at;
	j->at++;
	j->state = AT_NEXT;
	*out = level->object ? PN_JSON_OBJECT_END : PN_JSON_ARRAY_END;
	return 0;
}

/* The value that begins with `c`, which is at j->at. */
static int read_value(enum pn_json_event *out, struct pn_json *j, int c,
		      struct pn_error *err)
{
	if (j->depth && !j->levels[j->depth - 1].object)
		j->levels[j->depth - 1].count++;
	j->state = AT_NEXT;
	pn_buf_clear(&j->text);
	switch (c) {
	case '{':
		*out = PN_JSON_OBJECT;
		return open_level(j, true, err);
	case '[':
		*out = PN_JSON_ARRAY;
		return open_level(j, false, err);
	case '"':
		*out = PN_JSON_STRING;
		return read_string(&j->text, j, err);
	case -1:
		return refuse(j, err, "expected a value, have the end");
	default:
		return read_scalar(out, j, err);
	}
}

/* The key that begins with `c`, and the colon behind it. */
static int read_key(enum pn_json_event *out, struct pn_json *j, int c,
		    struct pn_error *err)
{
	struct level *level = &j->levels[j->depth - 1];
	int code = 0;

	if (c != '"')
		return refuse(j, err,
			      level->count ? "expected a key in quotes"
					   : "expected a key in quotes or '}'");
	j->keys.len = level->key_at;
	level->key_len = 0;
	code = read_string(&j->keys, j, err);
	if (code) {
		j->keys.len = level->key_at;
		return code;
	}
	level->count++;
	level->key_len = j->keys.len - level->key_at;
	c = skip_blank(&code, j, err);
	if (code)
		return code;
	if (c != ':')
		return refuse(j, err, "expected ':'");
	j->at++;
	j->state = AT_VALUE;
	j->has_key = true;
	*out = PN_JSON_KEY;
	return 0;
}

/* A byte order mark may stand first: RFC 8259, section 8.1. */
static int skip_mark(struct pn_json *j, struct pn_error *err)
{
	int code = look(j, 3, err);

	if (!code && j->end - j->at >= 3 && !memcmp(j->at, "\xef\xbb\xbf", 3))
		j->at += 3;
	j->line_start = offset(j);
	j->state = AT_VALUE;
	return code;
}

/* Behind a value: the end, a bracket, or a comma and what follows it. */
static int read_next(enum pn_json_event *out, struct pn_json *j, int c,
		     struct pn_error *err)
{
	bool object;
	int code = 0;

	if (!j->depth) {
		if (c >= 0)
			return refuse(j, err, "expected the end");
		*out = PN_JSON_END;
		return 0;
	}
	object = j->levels[j->depth - 1].object;
	if (c == (object ? '}' : ']'))
		return close_level(out, j);
	if (c != ',')
		return refuse(j, err,
			      object ? "expected ',' or '}'"
				     : "expected ',' or ']'");
	j->at++;
	c = skip_blank(&code, j, err);
	if (code)
		return code;
	return object ? read_key(out, j, c, err) : read_value(out, j, c, err);
}

int pn_json_next(enum pn_json_event *out, struct pn_json *json,
		 struct pn_error *err)
{
	int c, code = json->state == AT_START ? skip_mark(json, err) : 0;

	if (code)
		return code;
	json->has_key = false;
	c = skip_blank(&code, json, err);
	if (code)
		return code;
	switch (json->state) {
	case AT_FIRST_KEY:
		return c == '}' ? close_level(out, json)
				: read_key(out, json, c, err);
	case AT_FIRST_ELEMENT:
		return c == ']' ? close_level(out, json)
				: read_value(out, json, c, err);
	case AT_NEXT:
		return read_next(out, json, c, err);
	default:
		return read_value(out, json, c, err);
	}
}

const char *pn_json_text(const struct pn_json *json)
{
	if (json->has_key)
		return pn_buf_text(&json->keys) +
		       json->levels[json->depth - 1].key_at;
	return pn_buf_text(&json->text);
}

size_t pn_json_len(const struct pn_json *json)
{
	return json->has_key ? json->levels[json->depth - 1].key_len
			     : json->text.len;
}

void pn_json_path(struct pn_buf *out, const struct pn_json *json)
{
	int i;

	for (i = 0; i < json->depth; i++) {
		const struct level *level = &json->levels[i];

		if (level->count && level->object)
			pn_json_path_key(
				out, pn_buf_text(&json->keys) + level->key_at,
				level->key_len);
		else if (level->count)
			pn_buf_printf(out, "[%llu]",
				      (unsigned long long)level->count - 1);
	}
}
