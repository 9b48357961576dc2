/*
 * Ruby's Marshal into JSON. Strings, floats and large numbers are said once
 * and linked to afterwards by their number: the table has where they stand.
 */
#include "codec/ruby/ruby_marshal.h"

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64 /* containers in one another; stackprof has 4 */
#define FREE_BYTES ((size_t)16 << 20)
#define TIMES_MAX 8

struct symbol {
	size_t at, len;
};

struct decoder {
	const unsigned char *bytes;
	size_t at, len;
	struct pn_json_writer json;
	size_t *objects; /* where each begins; 0: it is no scalar */
	size_t object_count, object_cap;
	struct symbol *symbols;
	size_t symbol_count, symbol_cap;
	bool linked; /* what is read was there before */
	int depth;
};

/* A scalar, which is a key or a value. */
struct scalar {
	enum { NOTHING, FALSE, TRUE, INTEGER, FLOAT, TEXT } kind;
	int64_t integer;
	const char *text; /* FLOAT too */
	size_t len;
};

bool pn_ruby_is(const unsigned char *bytes, size_t len)
{
	return len >= 2 && bytes[0] == 4 && bytes[1] == 8;
}

static int fail(const struct decoder *d, struct pn_error *err, const char *what)
{
	return pn_error_set(err, PN_EINVAL, "byte %zu: %s", d->at, what);
}

static int take_byte(unsigned char *out, struct decoder *d,
		     struct pn_error *err)
{
	if (d->at == d->len)
		return fail(d, err, "the dump is cut short");
	*out = d->bytes[d->at++];
	return 0;
}

/* One byte where it is small, else how many bytes follow. */
static int take_number(int64_t *out, struct decoder *d, struct pn_error *err)
{
	unsigned char byte;
	int code = take_byte(&byte, d, err), size, i;
	int64_t value = 0;

	if (code)
		return code;
	size = byte < 128 ? byte : byte - 256;
	if (size >= -4 && size <= 4) {
		for (i = 0; i < abs(size); i++) {
			code = take_byte(&byte, d, err);
			if (code)
				return code;
			value |= (int64_t)byte << (8 * i);
		}
		*out = size < 0 ? value - ((int64_t)1 << (8 * -size)) : value;
		return 0;
	}
	*out = size > 0 ? size - 5 : size + 5;
	return 0;
}

/* How many things follow, each of a byte at least. */
static int take_count(size_t *out, struct decoder *d, size_t each,
		      struct pn_error *err)
{
	int64_t count;
	int code = take_number(&count, d, err);

	if (code)
		return code;
	if (count < 0 || (uint64_t)count > (d->len - d->at) / each)
		return fail(d, err, "a length beyond the end of the dump");
	*out = (size_t)count;
	return 0;
}

static int take_text(struct scalar *out, struct decoder *d,
		     struct pn_error *err)
{
	size_t len;
	int code = take_count(&len, d, 1, err);

	if (code)
		return code;
	out->text = (const char *)d->bytes + d->at;
	out->len = len;
	d->at += len;
	return 0;
}

static void add_object(struct decoder *d, size_t at)
{
	if (d->linked)
		return;
	d->objects = pn_grow(d->objects, &d->object_cap, d->object_count + 1,
			     sizeof(*d->objects));
	d->objects[d->object_count++] = at;
}

/* A sign, how many pairs of bytes, and these, the lowest first. */
static int take_large(struct scalar *out, struct decoder *d,
		      struct pn_error *err)
{
	unsigned char sign, byte;
	uint64_t value = 0;
	size_t pairs, i;
	int code = take_byte(&sign, d, err);

	if (!code)
		code = take_count(&pairs, d, 2, err);
	if (code)
		return code;
	for (i = 0; i < 2 * pairs; i++) {
		byte = d->bytes[d->at++];
		if (i < 8)
			value |= (uint64_t)byte << (8 * i);
		else if (byte)
			return fail(d, err, "a number of more than 64 bits");
	}
	if (value > INT64_MAX)
		return fail(d, err, "a number of more than 63 bits");
	out->kind = INTEGER;
	out->integer = sign == '-' ? -(int64_t)value : (int64_t)value;
	return 0;
}

static int take_symbol(struct scalar *out, struct decoder *d, bool is_link,
		       struct pn_error *err)
{
	int64_t number;
	int code;

	out->kind = TEXT;
	if (is_link) {
		code = take_number(&number, d, err);
		if (code)
			return code;
		if (number < 0 || (uint64_t)number >= d->symbol_count)
			return fail(d, err, "a link to no symbol");
		out->text = (const char *)d->bytes + d->symbols[number].at;
		out->len = d->symbols[number].len;
		return 0;
	}
	code = take_text(out, d, err);
	if (code)
		return code;
	d->symbols = pn_grow(d->symbols, &d->symbol_cap, d->symbol_count + 1,
			     sizeof(*d->symbols));
	d->symbols[d->symbol_count++] = (struct symbol){
		(size_t)(out->text - (const char *)d->bytes), out->len};
	return 0;
}

static int take_scalar(struct scalar *out, struct decoder *d,
		       struct pn_error *err);

/* The number of a scalar that was there before. */
static int follow(struct scalar *out, struct decoder *d, struct pn_error *err)
{
	int64_t number;
	size_t after;
	int code = take_number(&number, d, err);

	if (code)
		return code;
	if (d->linked || number < 0 || (uint64_t)number >= d->object_count ||
	    !d->objects[number])
		return fail(d, err, "a link to no text and no number");
	after = d->at;
	d->at = d->objects[number];
	d->linked = true;
	code = take_scalar(out, d, err);
	d->linked = false;
	d->at = after;
	return code;
}

/* A text and what is said of it, its encoding as a rule. */
static int take_described(struct scalar *out, struct decoder *d,
			  struct pn_error *err)
{
	struct scalar ignored;
	size_t count, i;
	int code;

	if (d->at == d->len || d->bytes[d->at] == 'I')
		return fail(d, err, "expected a text");
	code = take_scalar(out, d, err);
	if (!code)
		code = take_count(&count, d, 2, err);
	for (i = 0; !code && i < 2 * count; i++)
		code = take_scalar(&ignored, d, err);
	return code;
}

static int take_scalar(struct scalar *out, struct decoder *d,
		       struct pn_error *err)
{
	size_t begin = d->at;
	unsigned char type;
	int code = take_byte(&type, d, err);

	if (code)
		return code;
	*out = (struct scalar){0};
	switch (type) {
	case '0':
		return 0;
	case 'T':
	case 'F':
		out->kind = type == 'T' ? TRUE : FALSE;
		return 0;
	case 'i':
		out->kind = INTEGER;
		return take_number(&out->integer, d, err);
	case ':':
	case ';':
		return take_symbol(out, d, type == ';', err);
	case 'l':
		code = take_large(out, d, err);
		break;
	case 'f':
	case '"':
		out->kind = type == 'f' ? FLOAT : TEXT;
		code = take_text(out, d, err);
		break;
	case 'I':
		return take_described(out, d, err);
	case '@':
		return follow(out, d, err);
	default:
		d->at = begin;
		return fail(d, err,
			    "expected a text or a number: 'stackprof --json' "
			    "writes what is read here");
	}
	if (!code)
		add_object(d, begin);
	return code;
}

static void put_value(struct decoder *d, const struct scalar *s)
{
	double value;

	switch (s->kind) {
	case NOTHING:
		pn_json_raw(&d->json, "null", 4);
		break;
	case FALSE:
	case TRUE:
		pn_json_bool(&d->json, s->kind == TRUE);
		break;
	case INTEGER:
		pn_json_int(&d->json, s->integer);
		break;
	case FLOAT:
		pn_json_double(&d->json,
			       pn_number_double(&value, s->text, s->len) ? value
									 : NAN);
		break;
	case TEXT:
		pn_json_string_n(&d->json, s->text, s->len);
	}
}

static int put_key(struct decoder *d, const struct scalar *s,
		   struct pn_error *err)
{
	struct pn_buf number = {0};

	if (s->kind == TEXT) {
		pn_json_key_n(&d->json, s->text, s->len);
		return 0;
	}
	if (s->kind != INTEGER)
		return fail(d, err,
			    "expected a key that is a text or a "
			    "whole number");
	pn_buf_printf(&number, "%" PRId64, s->integer);
	pn_json_key(&d->json, pn_buf_text(&number));
	pn_buf_release(&number);
	return 0;
}

static int put_any(struct decoder *d, struct pn_error *err);

static int put_items(struct decoder *d, bool is_hash, struct pn_error *err)
{
	struct scalar key;
	size_t count, i;
	int code = take_count(&count, d, is_hash ? 2 : 1, err);

	add_object(d, 0);
	if (!code && d->depth == DEPTH_MAX)
		code = fail(d, err, "more than 64 containers in one another");
	if (code)
		return code;
	d->depth++;
	pn_json_open(&d->json, is_hash ? '{' : '[');
	for (i = 0; !code && i < count; i++) {
		if (is_hash)
			code = take_scalar(&key, d, err);
		if (!code && is_hash)
			code = put_key(d, &key, err);
		if (!code)
			code = put_any(d, err);
	}
	pn_json_close(&d->json, is_hash ? '}' : ']');
	d->depth--;
	return code;
}

static int put_any(struct decoder *d, struct pn_error *err)
{
	unsigned char type = d->at < d->len ? d->bytes[d->at] : 0;
	struct scalar value;
	int code;

	if (d->json.out->len / TIMES_MAX > d->len + FREE_BYTES / TIMES_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "byte %zu: links make more of it than %d "
				    "times its size",
				    d->at, TIMES_MAX);
	if (type == '{' || type == '[') {
		d->at++;
		return put_items(d, type == '{', err);
	}
	code = take_scalar(&value, d, err);
	if (!code)
		put_value(d, &value);
	return code;
}

int pn_ruby_to_json(struct pn_buf *out, const unsigned char *bytes, size_t len,
		    struct pn_error *err)
{
	struct decoder d = {.bytes = bytes, .at = 2, .len = len};
	int code = 0;

	if (!pn_ruby_is(bytes, len))
		code = pn_error_set(err, PN_EINVAL,
				    "byte 0: expected a dump of Ruby's Marshal "
				    "4.8");
	pn_json_writer_init(&d.json, out, 0);
	if (!code)
		code = put_any(&d, err);
	free(d.objects);
	free(d.symbols);
	return code;
}
