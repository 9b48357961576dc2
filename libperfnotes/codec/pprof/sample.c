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

#define SHORT_MAX 4 /* bytes of a number that is unpacked quickly */
#define CHUNK 64    /* bytes of a list, a bit each of a word */

/* Bit n says whether byte n of so many, CHUNK at most, ends a number. Up to 7
 * bytes behind them are looked at. */
static inline uint64_t ends_of(const unsigned char *at, size_t count)
{
	uint64_t ends = 0, high;
	size_t i;

	for (i = 0; i < count; i += 8) {
		high = (~pn_bytes_eight(at + i) & PN_BYTES_HIGH) >> 7;
		/* the lowest bits of the bytes, side by side */
		ends |= high * UINT64_C(0x0102040810204080) >> 56 << i;
	}
	return count < CHUNK ? ends & ((UINT64_C(1) << count) - 1) : ends;
}

/* The bytes of a number of 1 to SHORT_MAX of them. Up to 3 behind are looked
 * at. */
static inline uint64_t short_bytes(const unsigned char *at, size_t count)
{
	return pn_bytes_four(at) & UINT32_MAX >> (32 - 8 * count);
}

static inline uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static inline void put(uint32_t **to, uint32_t *largest, uint64_t id)
{
	**to = (uint32_t)id - 1;
	*largest = larger(*largest, *(*to)++);
}

/*
 * The short numbers of a chunk up to one that is not, or is not whole; returns
 * where that begins. Where numbers end is known before they are looked at, so
 * that none waits for the one before, and no branch depends on their lengths,
 * which no predictor can know.
 */
static inline const unsigned char *unpack_chunk(uint32_t **to,
						uint32_t *largest,
						const unsigned char *at,
						size_t count)
{
	const unsigned char *from = at, *middle, *next;
	uint64_t ends = ends_of(at, count), pair;

	while (ends & (ends - 1)) {
		middle = at + __builtin_ctzll(ends) + 1;
		ends &= ends - 1;
		next = at + __builtin_ctzll(ends) + 1;
		ends &= ends - 1;
		if (middle - from > SHORT_MAX || next - middle > SHORT_MAX)
			return from;
		pair = squeeze(short_bytes(from, (size_t)(middle - from)) |
			       short_bytes(middle, (size_t)(next - middle))
				       << 32);
		put(to, largest, (uint32_t)pair);
		put(to, largest, pair >> 32);
		from = next;
	}
	next = at + (ends ? __builtin_ctzll(ends) + 1 : 0);
	if (!ends || next - from > SHORT_MAX)
		return from;
	put(to, largest, squeeze(short_bytes(from, (size_t)(next - from))));
	return next;
}

/* The pairs of short numbers in front; bytes up to `readable` may be looked at.
 * Returns where they end. */
static const unsigned char *unpack_pairs(uint32_t **to, uint32_t *largest,
					 const unsigned char *at,
					 const unsigned char *end,
					 const unsigned char *readable)
{
	uint32_t *to_here = *to, largest_here = *largest;
	const unsigned char *from;
	size_t count;

	do {
		from = at;
		count = (size_t)(end - at) < CHUNK ? (size_t)(end - at) : CHUNK;
		if (readable - at < (ptrdiff_t)count + 8)
			break;
		at = unpack_chunk(&to_here, &largest_here, at, count);
	} while (at > from && at < end);
	*to = to_here;
	*largest = largest_here;
	return at;
}

/*
 * The frames of a packed list of locations, to a place with room for all.
 * Bytes up to `readable` may be looked at.
 */
static int unpack_frames(struct pn_pprof_decoder *d, uint32_t **to,
			 struct pn_wire wire, struct pn_error *err)
{
	uint64_t id;
	size_t n;

	for (;;) {
		wire.at = unpack_pairs(to, &d->largest_frame, wire.at, wire.end,
				       d->readable);
		if (wire.at == wire.end)
			return 0;
		n = short_varint(&id, wire.at, wire.end);
		wire.at += n;
		if (!n && pn_wire_varint(&id, &wire, err))
			return PN_EINVAL;
		put(to, &d->largest_frame, pn_ids_name(&d->locations, id));
	}
}

static int read_frames(struct pn_pprof_decoder *d,
		       const struct pn_wire_field *f, size_t first,
		       struct pn_error *err)
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
		put(&to, &d->largest_frame,
		    pn_ids_name(&d->locations, f->value));
	} else if (unpack_frames(d, &to, f->bytes, err)) {
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

uint32_t pn_pprof_label_set(struct pn_pprof_decoder *d)
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

void pn_pprof_row(struct pn_pprof_decoder *d, uint32_t set,
		  const union pn_value *values)
{
	struct pn_profile *p = d->p;
	uint32_t stack = pn_profile_add_stack(p, NULL, 0);
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
	int code = 0;

	d->label_count = 0;
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == 1)
			code = read_frames(d, &f, first, err);
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
	pn_pprof_row(d, pn_pprof_label_set(d), values);
	return 0;
}
