/* Deltas of short texts that are much alike. */
#include "vcs/objects/pack_delta.h"

#include <string.h>

#define COPY_MIN 8     /* a copy takes up to seven bytes */
#define COPY_MAX 65535 /* what two bytes of size tell */
#define INSERT_MAX 127

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

void pn_pack_delta_distance(struct pn_buf *out, size_t distance)
{
	unsigned char bytes[10];
	size_t at = sizeof(bytes) - 1;

	bytes[at] = (unsigned char)(distance & 127);
	while (distance >>= 7)
		bytes[--at] = (unsigned char)(128 | (--distance & 127));
	pn_buf_add(out, bytes + at, sizeof(bytes) - at);
}
