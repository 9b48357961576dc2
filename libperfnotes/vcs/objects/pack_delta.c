/* Deltas of short texts that are much alike. */
#include "vcs/objects/pack_delta.h"

#include <string.h>

#define COPY_MIN 8     /* a copy takes up to seven bytes */
#define COPY_MAX 65535 /* what two bytes of size tell */
#define INSERT_MAX 127
#define COPY_WHOLE 0x10000 /* which a size of 0 stands for */

struct delta {
	struct pn_buf *out;
	const struct pn_object *base, *target;
	size_t told; /* of the target */
};

static void insert(struct delta *d, size_t end)
{
	while (d->told < end) {
		size_t n = end - d->told;

		if (n > INSERT_MAX)
			n = INSERT_MAX;
		pn_buf_add_byte(d->out, (unsigned char)n);
		pn_buf_add(d->out, d->target->bytes + d->told, n);
		d->told += n;
	}
}

/* The bytes of a number that are not 0, and which they are. */
static void add_number(struct pn_buf *out, unsigned char *op, unsigned int bit,
		       size_t number)
{
	for (; number; number >>= 8, bit <<= 1) {
		if (!(number & 255))
			continue;
		*op |= (unsigned char)bit;
		pn_buf_add_byte(out, (unsigned char)number);
	}
}

static void copy(struct delta *d, size_t from, size_t len)
{
	size_t at = d->out->len;
	unsigned char op = 0x80;

	pn_buf_add_byte(d->out, op);
	add_number(d->out, &op, 1, from);
	add_number(d->out, &op, 1 << 4, len);
	d->out->data[at] = op;
	d->told += len;
}

/* How many bytes are the same from there on. */
static size_t same(const struct pn_object *base, size_t from,
		   const struct pn_object *target, size_t at)
{
	size_t n = 0;

	while (from + n < base->len && at + n < target->len && n < COPY_MAX &&
	       base->bytes[from + n] == target->bytes[at + n])
		n++;
	return n;
}

bool pn_pack_delta(struct pn_buf *out, const struct pn_object *base,
		   const struct pn_object *target, size_t limit)
{
	struct delta d = {out, base, target, 0};
	size_t start = out->len, at = 0;

	pn_buf_add_varint(out, base->len);
	pn_buf_add_varint(out, target->len);
	while (at < target->len && out->len + (at - d.told) < start + limit) {
		/* the same distance from the end; wraps where there is none */
		size_t behind = at + base->len - target->len, from = at;
		size_t n = same(base, at, target, at);
		size_t m = behind == at ? 0 : same(base, behind, target, at);

		if (m > n) {
			from = behind;
			n = m;
		}
		if (n >= COPY_MIN) {
			insert(&d, at);
			copy(&d, from, n);
			at += n;
		} else {
			at++;
		}
	}
	insert(&d, at);
	if (out->len - start < limit)
		return true;
	out->len = start;
	return false;
}

struct delta_bytes {
	const unsigned char *at, *end;
};

static bool take_varint(uint64_t *out, struct delta_bytes *from)
{
	unsigned int shift = 0, byte = 0x80;

	for (*out = 0; byte & 0x80; shift += 7) {
		if (from->at == from->end || shift > 56)
			return false;
		byte = *from->at++;
		*out |= (uint64_t)(byte & 0x7f) << shift;
	}
	return true;
}

/* `count` bytes of a number, those that `bits` name. */
static bool take_number(uint32_t *out, struct delta_bytes *from,
			unsigned int bits, unsigned int count)
{
	unsigned int i;

	for (*out = 0, i = 0; i < count; i++) {
		if (!(bits >> i & 1))
			continue;
		if (from->at == from->end)
			return false;
		*out |= (uint32_t)*from->at++ << 8 * i;
	}
	return true;
}

/* One instruction, which tells at most `left` bytes. */
static bool take_part(struct pn_buf *out, struct delta_bytes *from,
		      const struct pn_buf *base, uint64_t left)
{
	unsigned int op = *from->at++;
	uint32_t start, len = op;

	if (!(op & 0x80)) {
		if (!op || len > left || len > from->end - from->at)
			return false;
		pn_buf_add(out, from->at, len);
		from->at += len;
		return true;
	}
	if (!take_number(&start, from, op, 4) ||
	    !take_number(&len, from, op >> 4 & 7, 3))
		return false;
	if (!len)
		len = COPY_WHOLE;
	if (len > left || start > base->len || len > base->len - start)
		return false;
	pn_buf_add(out, base->data + start, len);
	return true;
}

bool pn_pack_delta_apply(struct pn_buf *out, const struct pn_buf *base,
			 const struct pn_buf *delta, uint64_t limit)
{
	struct delta_bytes from = {delta->data, delta->data + delta->len};
	uint64_t base_len, len;
	size_t start = out->len;

	if (!take_varint(&base_len, &from) || base_len != base->len ||
	    !take_varint(&len, &from) || len > limit)
		return false;
	while (from.at < from.end)
		if (!take_part(out, &from, base, len - (out->len - start)))
			return false;
	return out->len - start == len;
}

void pn_pack_delta_distance(struct pn_buf *out, size_t distance)
{
	unsigned char bytes[10];
	size_t at = sizeof(bytes) - 1;

	bytes[at] = (unsigned char)(distance & 127);
	while (distance >>= 7)
		bytes[--at] = (unsigned char)(128 | (--distance & 127));
	pn_buf_add(out, bytes + at, sizeof(bytes) - at);
}
