/* Reading marshal: one type byte, of which the high bit says that the object
 * gets the next number in the list of references. */
#include "codec/pstats/marshal.h"
#include "base/alloc.h"
#include "base/number.h"
#include "codec/pstats/pstats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_REF 0x80
#define LONG_DIGITS_MAX 5 /* of 15 bits: more than 63 bits */
/* A reference that is not filled yet: a container inside of itself. */
#define OPEN 0xff

void pn_marshal_release(struct pn_marshal *m)
{
	free(m->pool);
	free(m->refs);
	free(m->pairs);
	free(m->interned);
	memset(m, 0, sizeof(*m));
}

int pn_marshal_fail(const struct pn_marshal *m, struct pn_error *err,
		    const char *text)
{
	return pn_error_set(err, PN_EINVAL, "byte %" PRIu64 ": %s",
			    pn_marshal_offset(m), text);
}

uint64_t pn_marshal_offset(const struct pn_marshal *m)
{
	return pn_reader_offset(m->in) + (uint64_t)(m->at - m->begin);
}

const struct pn_marshal_value *
pn_marshal_items(const struct pn_marshal *m, const struct pn_marshal_value *v)
{
	bool has = v->kind == PN_MARSHAL_TUPLE || v->kind == PN_MARSHAL_LIST ||
		   v->kind == PN_MARSHAL_DICT;

	return has ? m->pool + v->v.at : NULL;
}

/* Have the reader show n bytes from here, fewer at the end. */
static int look(struct pn_marshal *m, size_t n, struct pn_error *err)
{
	uint64_t left;
	size_t have = 0;

	pn_reader_consume(m->in, (size_t)(m->at - m->begin));
	left = pn_reader_left(m->in);
	if (n > left)
		n = (size_t)left + 1; /* to hear why there are no more */
	m->begin = m->at = m->end = NULL;
	m->unread = pn_reader_peek(&m->begin, &have, m->in, n, err);
	if (m->unread)
		return m->unread;
	m->at = m->begin;
	m->end = m->begin + have;
	return 0;
}

static inline size_t shown(const struct pn_marshal *m)
{
	return (size_t)(m->end - m->at);
}

/* Whether so many bytes are there. What cannot be read is an error of the next
 * value. */
static bool has_after_look(struct pn_marshal *m, size_t n)
{
	struct pn_error ignored = {0};

	return !look(m, n, &ignored) && shown(m) >= n;
}

static inline bool has(struct pn_marshal *m, size_t n)
{
	return shown(m) >= n || has_after_look(m, n);
}

int pn_marshal_has_more(bool *more, struct pn_marshal *m, struct pn_error *err)
{
	int code = shown(m) ? 0 : look(m, 1, err);

	*more = !code && shown(m);
	return code;
}

static int take(const unsigned char **out, struct pn_marshal *m, size_t n,
		struct pn_error *err)
{
	if (shown(m) < n) {
		int code = look(m, n, err);

		if (code)
			return code;
	}
	if (shown(m) < n)
		return pn_marshal_fail(m, err, "the dump ends too early");
	*out = m->at;
	m->at += n;
	return 0;
}

static inline uint64_t little(const unsigned char *bytes, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

static int take_size(size_t *out, struct pn_marshal *m, size_t width,
		     struct pn_error *err)
{
	const unsigned char *bytes;
	int code = take(&bytes, m, width, err);

	if (!code)
		*out = (size_t)little(bytes, width);
	return code;
}

static int take_int(struct pn_marshal_value *out, struct pn_marshal *m,
		    size_t width, struct pn_error *err)
{
	const unsigned char *bytes;
	int code = take(&bytes, m, width, err);

	if (code)
		return code;
	out->kind = PN_MARSHAL_INT;
	out->v.i = width == 4 ? (int32_t)little(bytes, 4)
			      : (int64_t)little(bytes, 8);
	return 0;
}

/* An int of any size, in digits of 15 bits. */
static int take_long(struct pn_marshal_value *out, struct pn_marshal *m,
		     struct pn_error *err)
{
	const unsigned char *bytes;
	uint64_t value = 0;
	int32_t n;
	size_t i, digits;

	if (take(&bytes, m, 4, err))
		return PN_EINVAL;
	n = (int32_t)little(bytes, 4);
	if (n < -LONG_DIGITS_MAX || n > LONG_DIGITS_MAX)
		return pn_marshal_fail(m, err, "a number beyond 64 bits");
	digits = (size_t)(n < 0 ? -n : n);
	if (take(&bytes, m, digits * 2, err))
		return PN_EINVAL;
	for (i = digits; i--;) {
		uint64_t digit = little(bytes + 2 * i, 2);

		if (digit > 0x7fff || value >> (64 - 15))
			return pn_marshal_fail(m, err,
					       "a number beyond 64 bits");
		value = value << 15 | digit;
	}
	/* the least number has no positive one of its size */
	if (value > (uint64_t)INT64_MAX + (n < 0))
		return pn_marshal_fail(m, err, "a number beyond 64 bits");
	out->kind = PN_MARSHAL_INT;
	out->v.i = (int64_t)(n < 0 ? 0 - value : value);
	return 0;
}

static int take_double(struct pn_marshal_value *out, struct pn_marshal *m,
		       struct pn_error *err)
{
	const unsigned char *bytes;
	uint64_t bits;

	if (take(&bytes, m, 8, err))
		return PN_EINVAL;
	bits = little(bytes, 8);
	out->kind = PN_MARSHAL_FLOAT;
	memcpy(&out->v.d, &bits, sizeof(bits));
	return 0;
}

/* A float as text, of marshal's first version. */
static int take_float_text(struct pn_marshal_value *out, struct pn_marshal *m,
			   struct pn_error *err)
{
	const unsigned char *bytes;
	size_t n;

	if (take_size(&n, m, 1, err) || take(&bytes, m, n, err))
		return PN_EINVAL;
	out->kind = PN_MARSHAL_FLOAT;
	if (!pn_number_double(&out->v.d, (const char *)bytes, n))
		return pn_marshal_fail(m, err, "a float that is no number");
	return 0;
}

static int take_string(struct pn_marshal_value *out, struct pn_marshal *m,
		       size_t width, struct pn_error *err)
{
	const unsigned char *bytes;
	size_t n;

	if (take_size(&n, m, width, err))
		return PN_EINVAL;
	if (n > PN_PSTATS_STRING_MAX)
		return pn_marshal_fail(m, err, "a string of over 16 MiB");
	if (take(&bytes, m, n, err))
		return PN_EINVAL;
	out->kind = PN_MARSHAL_STRING;
	out->v.string = pn_strtab_add(m->strings, bytes, n);
	return 0;
}

/* Python 3 writes so what is ASCII, and reads it as Latin-1. */
static int take_ascii(struct pn_marshal_value *out, struct pn_marshal *m,
		      size_t width, struct pn_error *err)
{
	const unsigned char *text;
	struct pn_buf wide = {0};
	int code = take_string(out, m, width, err);
	size_t len, i;

	if (code)
		return code;
	text = (const unsigned char *)pn_strtab_text(m->strings, out->v.string);
	len = pn_strtab_len(m->strings, out->v.string);
	for (i = 0; i < len && text[i] < 0x80; i++)
		;
	if (i == len)
		return 0;
	for (i = 0; i < len; i++) {
		if (text[i] >= 0x80)
			pn_buf_add_byte(&wide, 0xc0 | text[i] >> 6);
		pn_buf_add_byte(&wide, text[i] < 0x80
					       ? text[i]
					       : 0x80 | (text[i] & 0x3f));
	}
	out->v.string = pn_strtab_add(m->strings, wide.data, wide.len);
	pn_buf_release(&wide);
	return 0;
}

/* U+DC80 to U+DCFF stand for bytes that are no UTF-8 (PEP 383). */
static bool is_escaped(const unsigned char *at, size_t left)
{
	return left >= 3 && at[0] == 0xed && (at[1] & 0xfe) == 0xb2 &&
	       (at[2] & 0xc0) == 0x80;
}

/* Text, with such bytes as they were. */
static int take_text(struct pn_marshal_value *out, struct pn_marshal *m,
		     struct pn_error *err)
{
	const unsigned char *text;
	struct pn_buf plain = {0};
	size_t len, i;
	int code = take_string(out, m, 4, err);

	if (code)
		return code;
	text = (const unsigned char *)pn_strtab_text(m->strings, out->v.string);
	len = pn_strtab_len(m->strings, out->v.string);
	for (i = 0; i < len && !is_escaped(text + i, len - i); i++)
		;
	if (i == len)
		return 0;
	pn_buf_add(&plain, text, i);
	while (i < len) {
		bool escaped = is_escaped(text + i, len - i);

		pn_buf_add_byte(&plain,
				escaped ? (unsigned char)(text[i + 1] << 6 |
							  (text[i + 2] & 0x3f))
					: text[i]);
		i += escaped ? 3 : 1;
	}
	out->v.string = pn_strtab_add(m->strings, plain.data, plain.len);
	pn_buf_release(&plain);
	return 0;
}

/* 't': Python 2 refers to it by 'R', Python 3 by the common list. */
static int take_interned(struct pn_marshal_value *out, struct pn_marshal *m,
			 bool flagged, struct pn_error *err)
{
	int code = take_text(out, m, err);

	if (code || flagged)
		return code;
	m->interned = pn_grow(m->interned, &m->interned_cap,
			      m->interned_count + 1, sizeof(*m->interned));
	m->interned[m->interned_count++] = out->v.string;
	return 0;
}

static int take_interned_again(struct pn_marshal_value *out,
			       struct pn_marshal *m, struct pn_error *err)
{
	size_t n;

	if (take_size(&n, m, 4, err))
		return PN_EINVAL;
	if (n >= m->interned_count)
		return pn_marshal_fail(m, err,
				       "a reference to no string before it");
	out->kind = PN_MARSHAL_STRING;
	out->v.string = m->interned[n];
	return 0;
}

static int take_again(struct pn_marshal_value *out, struct pn_marshal *m,
		      struct pn_error *err)
{
	size_t n;

	if (take_size(&n, m, 4, err))
		return PN_EINVAL;
	if (n >= m->ref_count || m->refs[n].kind == OPEN)
		return pn_marshal_fail(m, err,
				       "a reference to no object before it");
	*out = m->refs[n];
	return 0;
}

static size_t keep_items(struct pn_marshal *m,
			 const struct pn_marshal_value *items, size_t n)
{
	size_t at = m->pool_count;

	m->pool = pn_grow(m->pool, &m->pool_cap, at + n + 1, sizeof(*m->pool));
	if (n)
		memcpy(m->pool + at, items, n * sizeof(*items));
	m->pool_count += n;
	return at;
}

/* A tuple, or a list, by `kind`. */
static int take_tuple(struct pn_marshal_value *out, struct pn_marshal *m,
		      enum pn_marshal_kind kind, size_t width, int depth,
		      struct pn_error *err)
{
	struct pn_marshal_value items[PN_PSTATS_TUPLE_MAX];
	size_t i, n;
	int code;

	if (take_size(&n, m, width, err))
		return PN_EINVAL;
	if (n > PN_PSTATS_TUPLE_MAX)
		return pn_marshal_fail(m, err,
				       kind == PN_MARSHAL_LIST
					       ? "a list of more than 5 items, "
						 "which no profile has"
					       : "a tuple of more than 5 "
						 "items, which no profile has");
	for (i = 0; i < n; i++) {
		code = pn_marshal_next(&items[i], m, depth + 1, err);
		if (code)
			return code;
		if (items[i].kind == PN_MARSHAL_END)
			return pn_marshal_fail(m, err,
					       "a tuple or list without end");
	}
	out->kind = kind;
	out->count = (uint32_t)n;
	out->v.at = keep_items(m, items, n);
	return 0;
}

static int take_pairs(struct pn_marshal *m, int depth, struct pn_error *err)
{
	struct pn_marshal_value key, value;
	int code;

	for (;;) {
		code = pn_marshal_next(&key, m, depth + 1, err);
		if (code || key.kind == PN_MARSHAL_END)
			return code;
		code = pn_marshal_next(&value, m, depth + 1, err);
		if (code)
			return code;
		if (value.kind == PN_MARSHAL_END)
			return pn_marshal_fail(m, err, "a key without value");
		m->pairs = pn_grow(m->pairs, &m->pair_cap, m->pair_count + 2,
				   sizeof(*m->pairs));
		m->pairs[m->pair_count++] = key;
		m->pairs[m->pair_count++] = value;
	}
}

static int take_dict(struct pn_marshal_value *out, struct pn_marshal *m,
		     int depth, struct pn_error *err)
{
	size_t mark = m->pair_count, n;
	int code = take_pairs(m, depth, err);

	if (code)
		return code;
	n = m->pair_count - mark;
	m->pair_count = mark;
	if (n / 2 > UINT32_MAX)
		return pn_marshal_fail(m, err, "a dict of over 2^32 items");
	out->kind = PN_MARSHAL_DICT;
	out->count = (uint32_t)(n / 2);
	out->v.at = keep_items(m, n ? m->pairs + mark : NULL, n);
	return 0;
}

static int take_type(struct pn_marshal_value *out, struct pn_marshal *m,
		     int type, bool flagged, int depth, struct pn_error *err)
{
	switch (type) {
	case '0':
		out->kind = PN_MARSHAL_END;
		return 0;
	case 'i':
		return take_int(out, m, 4, err);
	case 'I':
		return take_int(out, m, 8, err);
	case 'l':
		return take_long(out, m, err);
	case 'g':
		return take_double(out, m, err);
	case 'f':
		return take_float_text(out, m, err);
	case 'u':
		return take_text(out, m, err);
	case 's':
		return take_string(out, m, 4, err);
	case 'a':
	case 'A':
		return take_ascii(out, m, 4, err);
	case 'z':
	case 'Z':
		return take_ascii(out, m, 1, err);
	case 't':
		return take_interned(out, m, flagged, err);
	case 'R':
		return take_interned_again(out, m, err);
	case 'r':
		return take_again(out, m, err);
	case '(':
		return take_tuple(out, m, PN_MARSHAL_TUPLE, 4, depth, err);
	case ')':
		return take_tuple(out, m, PN_MARSHAL_TUPLE, 1, depth, err);
	case '[':
		return take_tuple(out, m, PN_MARSHAL_LIST, 4, depth, err);
	case '{':
		return take_dict(out, m, depth, err);
	}
	m->at--;
	return pn_marshal_fail(m, err,
			       "expected a number, string, tuple, list or dict "
			       "of marshal");
}

/* Whether an object of such a type byte gets a number. The flag means nothing
 * of what refers to another one, and of the end of a dict. */
static bool takes_number(int byte)
{
	return byte & FLAG_REF && byte != (FLAG_REF | 'r') &&
	       byte != (FLAG_REF | '0');
}

static size_t reserve_ref(struct pn_marshal *m)
{
	m->refs = pn_grow(m->refs, &m->ref_cap, m->ref_count + 1,
			  sizeof(*m->refs));
	m->refs[m->ref_count].kind = OPEN;
	return m->ref_count++;
}

int pn_marshal_next(struct pn_marshal_value *out, struct pn_marshal *m,
		    int depth, struct pn_error *err)
{
	const unsigned char *byte;
	size_t slot = SIZE_MAX;
	int code;

	if (depth > PN_PSTATS_DEPTH_MAX)
		return pn_marshal_fail(m, err, "nested deeper than a profile");
	if (take(&byte, m, 1, err))
		return PN_EINVAL;
	/* a container takes its number before its items do */
	if (takes_number(*byte))
		slot = reserve_ref(m);
	memset(out, 0, sizeof(*out));
	code = take_type(out, m, *byte & ~FLAG_REF, *byte & FLAG_REF, depth,
			 err);
	if (!code && slot != SIZE_MAX)
		m->refs[slot] = *out;
	return code;
}

#define REFERENCE_BYTES 5 /* 'r' and a number */

size_t pn_marshal_number(struct pn_marshal *m)
{
	size_t number;

	if (!has(m, 1))
		return SIZE_MAX;
	if (takes_number(*m->at))
		return m->ref_count;
	if ((*m->at & ~FLAG_REF) != 'r' || !has(m, REFERENCE_BYTES))
		return SIZE_MAX;
	number = (size_t)little(m->at + 1, 4);
	return number < m->ref_count ? number : SIZE_MAX;
}

void pn_marshal_skip_reference(struct pn_marshal *m)
{
	m->at += REFERENCE_BYTES;
}

bool pn_marshal_enter_tuple(struct pn_marshal *m, size_t count)
{
	size_t width;

	if (!has(m, 1) || (*m->at != '(' && *m->at != ')'))
		return false;
	width = *m->at == '(' ? 4 : 1;
	if (!has(m, 1 + width) || little(m->at + 1, width) != count)
		return false;
	m->at += 1 + width;
	return true;
}

bool pn_marshal_enter_dict(struct pn_marshal *m)
{
	if (!has(m, 1) || *m->at != '{')
		return false;
	m->at++;
	return true;
}

int pn_marshal_open_dict(struct pn_marshal *m, struct pn_error *err)
{
	const unsigned char *byte;

	if (take(&byte, m, 1, err))
		return PN_EINVAL;
	if ((*byte & ~FLAG_REF) != '{') {
		m->at--;
		return pn_marshal_fail(m, err, "expected a dict of functions");
	}
	if (*byte & FLAG_REF)
		reserve_ref(m);
	return 0;
}
