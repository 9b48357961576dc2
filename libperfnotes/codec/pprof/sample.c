/*
 * pprof: reading samples, which are nearly all of a large file. Frames go
 * straight into the profile's column; equal sets of labels are kept once.
 */
#include "codec/pprof/read.h"

#include "base/alloc.h"
#include "base/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VARINT_MAX 10 /* bytes of a number */

static int too_many(const struct pn_wire_field *f, const char *what,
		    uint64_t limit, struct pn_error *err)
{
	return pn_error_set(err, PN_ELIMIT,
			    "byte %" PRIu64 ": a sample has more than %" PRIu64
			    " %s",
			    f->offset, limit, what);
}

/*
 * One number of at most three bytes, as nearly all are, or else 0 is returned
 * and nothing read. Twice as fast as the general loop.
 */
static inline size_t short_varint(uint64_t *out, const unsigned char *at,
				  const unsigned char *end)
{
	if (end - at < 3)
		return 0;
	if (at[0] < 128) {
		*out = at[0];
		return 1;
	}
	if (at[1] < 128) {
		*out = (at[0] & 127u) | (uint64_t)at[1] << 7;
		return 2;
	}
	if (at[2] < 128) {
		*out = (at[0] & 127u) | (at[1] & 127u) << 7 |
		       (uint64_t)at[2] << 14;
		return 3;
	}
	return 0;
}

/* The numbers that the halves of a word stand for, of four bytes each. */
static inline uint64_t squeeze(uint64_t word)
{
	uint64_t pairs =
		(word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;

	return (pairs & 0x00003fff00003fff) | (pairs & 0x3fff00003fff0000) >> 2;
}

/*
 * Two numbers of at most four bytes each, as nearly all are, of eight bytes, to
 * the halves of *out, the first one to the lower; returns how many bytes they
 * take, or 0 when they are others. No branch depends on their lengths, which no
 * predictor can know.
 */
static inline size_t two_varints(uint64_t *out, const unsigned char *at)
{
	uint64_t word = pn_bytes_eight(at), ends = ~word & PN_BYTES_HIGH;
	uint64_t first = ends ^ (ends - 1), others = ends & (ends - 1);
	uint64_t both = others ^ (others - 1), second;

	if (!others || first > UINT32_MAX)
		return 0;
	second = (word & both) >> ((unsigned int)__builtin_ctzll(ends) + 1);
	if (second > UINT32_MAX)
		return 0;
	*out = squeeze((word & first) | second << 32);
	return ((size_t)__builtin_ctzll(others) + 1) / 8;
}

static inline uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static inline void put_pair(uint32_t **to, uint32_t *largest, uint64_t pair)
{
	uint32_t *at = *to;

	at[0] = (uint32_t)pair - 1;
	at[1] = (uint32_t)(pair >> 32) - 1;
	*largest = larger(*largest, larger(at[0], at[1]));
	*to += 2;
}

/* As many pairs as begin eight bytes before the end; returns where they end. */
static const unsigned char *unpack_pairs(uint32_t **to, uint32_t *largest,
					 const unsigned char *at,
					 const unsigned char *end)
{
	uint32_t *to_here = *to, largest_here = *largest;
	uint64_t pair;
	size_t n;

	while (end - at >= 8 && (n = two_varints(&pair, at))) {
		put_pair(&to_here, &largest_here, pair);
		at += n;
	}
	*to = to_here;
	*largest = largest_here;
	return at;
}

/*
 * The frames of a packed list of locations, to a place with room for all.
 * Bytes up to `readable` may be looked at.
 */
static int unpack_frames(struct pn_pprof_decoder *d, uint32_t **to,
			 struct pn_wire wire, const unsigned char *readable,
			 struct pn_error *err)
{
	uint64_t id;
	size_t n;

	for (;;) {
		wire.at =
			unpack_pairs(to, &d->largest_frame, wire.at, wire.end);
		if (wire.at == wire.end)
			return 0;
		n = readable - wire.at < 8 ? 0 : two_varints(&id, wire.at);
		if (n && n <= (size_t)(wire.end - wire.at)) {
			put_pair(to, &d->largest_frame, id);
			wire.at += n;
			continue;
		}
		n = short_varint(&id, wire.at, wire.end);
		wire.at += n;
		if (!n && pn_wire_varint(&id, &wire, err))
			return PN_EINVAL;
		**to = pn_ids_name(&d->locations, id) - 1;
		d->largest_frame = larger(d->largest_frame, *(*to)++);
	}
}

static int read_frames(struct pn_pprof_decoder *d,
		       const struct pn_wire_field *f, size_t first,
		       const unsigned char *readable, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	bool packed = f->type == PN_WIRE_BYTES;
	size_t most = 1;
	uint32_t *to;

	if (!packed && f->type != PN_WIRE_VARINT)
		return pn_wire_mismatch(f, "sample", "location_id", "0 or 2",
					err);
	/* room for one a byte: quicker than counting them first */
	if (packed)
		most = (size_t)(f->bytes.end - f->bytes.at);
	if (most / VARINT_MAX > PN_MAX_STACK_DEPTH)
		return too_many(f, "frames", PN_MAX_STACK_DEPTH, err);
	p->frames = pn_grow(p->frames, &p->frame_cap, p->frame_count + most + 1,
			    sizeof(*p->frames));
	to = p->frames + p->frame_count;
	if (!packed) {
		*to = pn_ids_name(&d->locations, f->value) - 1;
		d->largest_frame = larger(d->largest_frame, *to++);
	} else if (unpack_frames(d, &to, f->bytes, readable, err)) {
		return PN_EINVAL;
	}
	p->frame_count = (size_t)(to - p->frames);
	if (p->frame_count - first > PN_MAX_STACK_DEPTH)
		return too_many(f, "frames", PN_MAX_STACK_DEPTH, err);
	if (p->frame_count >= PN_NONE)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %u frames in all samples",
				    PN_NONE - 1);
	return 0;
}

static int add_value(union pn_value values[PN_MAX_VALUE_TYPES], size_t *count,
		     uint64_t value, const struct pn_wire_field *f,
		     struct pn_error *err)
{
	if (*count == PN_MAX_VALUE_TYPES)
		return too_many(f, "values", PN_MAX_VALUE_TYPES, err);
	values[(*count)++].i = (int64_t)value;
	return 0;
}

static int read_values(union pn_value values[PN_MAX_VALUE_TYPES], size_t *count,
		       const struct pn_wire_field *f, struct pn_error *err)
{
	struct pn_wire wire = f->bytes;
	uint64_t value;
	int code = 0;

	if (f->type == PN_WIRE_VARINT)
		return add_value(values, count, f->value, f, err);
	if (f->type != PN_WIRE_BYTES)
		return pn_wire_mismatch(f, "sample", "value", "0 or 2", err);
	while (!code && wire.at < wire.end) {
		code = pn_wire_varint(&value, &wire, err);
		if (!code)
			code = add_value(values, count, value, f, err);
	}
	return code;
}

/* The four numbers of a label. */
struct raw_label {
	uint64_t fields[5]; /* 1 key, 2 str, 3 num, 4 num_unit */
};

static int read_raw_label(struct pn_pprof_decoder *d, struct raw_label *out,
			  struct pn_wire wire, struct pn_error *err)
{
	static const char *const names[] = {"", "key", "str", "num",
					    "num_unit"};
	struct pn_wire_field g;
	uint32_t seen = 0;

	memset(out, 0, sizeof(*out));
	while (wire.at < wire.end) {
		if (pn_wire_next(&g, &wire, err))
			return PN_EINVAL;
		if (g.number > 4) {
			d->p->complete = false;
			continue;
		}
		if (g.type != PN_WIRE_VARINT)
			return pn_wire_mismatch(&g, "label", names[g.number],
						"0", err);
		if (seen & 1u << g.number)
			d->p->complete = false;
		seen |= 1u << g.number;
		out->fields[g.number] = g.value;
	}
	return 0;
}

static int read_label(struct pn_pprof_decoder *d, const struct pn_wire_field *f,
		      struct pn_error *err)
{
	struct raw_label raw;
	struct pn_label *label;
	uint64_t key, str, num, unit;

	if (f->type != PN_WIRE_BYTES)
		return pn_wire_mismatch(f, "sample", "label", "2", err);
	if (read_raw_label(d, &raw, f->bytes, err))
		return PN_EINVAL;
	key = raw.fields[1];
	str = raw.fields[2];
	num = raw.fields[3];
	unit = raw.fields[4];
	if (key >= PN_NONE || str >= PN_NONE || unit >= PN_NONE)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64
				    ": a label has a string that is no index "
				    "into the string table",
				    f->offset);
	/* pprof takes a label with a string for a string, and one that says
	 * nothing for none */
	if (str ? num || unit : !num && !unit)
		d->p->complete = false;
	if (!str && !num && !unit)
		return 0;
	if (d->label_count == PN_MAX_LABELS)
		return too_many(f, "labels", PN_MAX_LABELS, err);
	d->labels = pn_grow(d->labels, &d->label_cap, d->label_count + 1,
			    sizeof(*d->labels));
	label = &d->labels[d->label_count++];
	memset(label, 0, sizeof(*label)); /* padding, too: it is compared */
	label->key = (uint32_t)key;
	label->kind = str ? PN_LABEL_STRING : PN_LABEL_INT;
	if (str) {
		label->value.s = (uint32_t)str;
	} else {
		label->unit = (uint32_t)unit;
		label->value.i = (int64_t)num;
	}
	return 0;
}

static uint32_t intern_labels(struct pn_pprof_decoder *d)
{
	const struct pn_profile *p = d->p;
	size_t count = d->label_count, len = count * sizeof(*d->labels), at;
	uint32_t set, hash;

	if (!count)
		return 0;
	hash = pn_slots_hash_bytes(&d->sets, d->labels, len);
	at = pn_slots_first(&d->sets, hash);
	while (pn_slots_row(&set, &d->sets, &at, hash)) {
		uint32_t from = p->label_set_start[set];

		if (p->label_set_start[set + 1] - from == count &&
		    !memcmp(&p->labels[from], d->labels, len))
			return set;
	}
	set = pn_profile_add_label_set(d->p, d->labels, count);
	pn_slots_add(&d->sets, hash, set);
	return set;
}

static void add_row(struct pn_pprof_decoder *d, uint32_t stack, uint32_t set,
		    const union pn_value *values)
{
	struct pn_profile *p = d->p;
	size_t types = p->type_count;

	/* the rows have the width of the first one; that this is also the
	 * number of value types is checked when those are all known */
	p->type_count = d->width;
	pn_profile_add_sample(p, stack, set, values);
	p->type_count = types;
}

int pn_pprof_sample(struct pn_pprof_decoder *d,
		    const struct pn_wire_field *field, struct pn_error *err)
{
	union pn_value values[PN_MAX_VALUE_TYPES];
	struct pn_profile *p = d->p;
	struct pn_wire wire = field->bytes;
	struct pn_wire_field f;
	size_t first = p->frame_count, count = 0;
	uint32_t stack;
	int code = 0;

	d->label_count = 0;
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == 1)
			code = read_frames(d, &f, first, wire.end, err);
		else if (f.number == 2)
			code = read_values(values, &count, &f, err);
		else if (f.number == 3)
			code = read_label(d, &f, err);
		else
			p->complete = false;
	}
	if (code)
		return code;
	if (!d->width)
		d->width = count;
	if (!count || count != d->width)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": sample %zu has %zu "
				    "values, expected %zu",
				    field->offset, p->sample_count, count,
				    d->width ? d->width : 1);
	stack = pn_profile_add_stack(p, NULL, 0);
	add_row(d, stack, intern_labels(d), values);
	return 0;
}
