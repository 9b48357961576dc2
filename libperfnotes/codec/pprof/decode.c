/*
 * pprof: reading a profile. The input passes through the reader's window; of a
 * large one that it shows as a whole two threads read what they can.
 */
#include "codec/pprof/pprof.h"

#include "base/alloc.h"
#include "base/large.h"
#include "codec/pprof/read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are shown at once, of which frames get their room at once. */
#define RESERVE_MIN ((size_t)4 << 20)

static int cut(const struct pn_wire_field *f, size_t have, struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "byte %" PRIu64 ": field %u needs %" PRIu64
			    " bytes, the input has %zu left",
			    f->offset, f->number, f->value, have);
}

/* The bytes of a field of the profile, all of them in the window. */
static int read_whole(struct pn_pprof_decoder *d, struct pn_wire_field *f,
		      struct pn_error *err)
{
	uint64_t left = pn_reader_left(d->in);
	size_t have;
	int code;

	if (f->value > left)
		return cut(f, (size_t)left, err);
	if (f->value > PN_PPROF_MESSAGE_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "byte %" PRIu64 ": a field of %" PRIu64
				    " bytes, at most %u are allowed",
				    f->offset, f->value, PN_PPROF_MESSAGE_MAX);
	code = pn_reader_peek(&f->bytes.at, &have, d->in, (size_t)f->value,
			      err);
	if (code)
		return code;
	if (have < f->value)
		return cut(f, have, err);
	f->bytes.end = f->bytes.at + f->value;
	f->bytes.end_offset = pn_reader_offset(d->in) + f->value;
	d->readable = f->bytes.at + have;
	code = pn_pprof_field(d, f, err);
	pn_reader_consume(d->in, (size_t)f->value);
	return code;
}

/* The fields that are whole in what the reader shows, which is not asked for
 * each of them. */
static int read_shown(struct pn_pprof_decoder *d, struct pn_error *err)
{
	const unsigned char *from;
	struct pn_wire wire;
	size_t have;
	int code = pn_reader_peek(&from, &have, d->in, 1, err);

	if (code || !have)
		return code;
	wire.at = from;
	wire.end = from + have;
	wire.end_offset = pn_reader_offset(d->in) + have;
	code = pn_pprof_fields(d, &wire, wire.end, err);
	pn_reader_consume(d->in, (size_t)(wire.at - from));
	return code;
}

static int read_profile(struct pn_pprof_decoder *d, struct pn_error *err)
{
	struct pn_wire_field f;
	int code, more;

	do {
		code = read_shown(d, err);
		if (code)
			return code;
		more = pn_wire_from(&f, d->in, err);
		if (more > 0)
			code = f.type == PN_WIRE_BYTES
				       ? read_whole(d, &f, err)
				       : pn_pprof_field(d, &f, err);
	} while (!code && more > 0);
	return code ? code : more;
}

static void begin(struct pn_pprof_decoder *d, struct pn_profile *out,
		  struct pn_reader *in)
{
	memset(d, 0, sizeof(*d));
	d->p = out;
	d->in = in;
	pn_ids_init(&d->mappings);
	pn_ids_init(&d->locations);
	pn_ids_init(&d->functions);
}

static void release(struct pn_pprof_decoder *d)
{
	pn_ids_release(&d->mappings);
	pn_ids_release(&d->locations);
	pn_ids_release(&d->functions);
	free(d->strings);
	free(d->labels);
	pn_slots_release(&d->sets);
}

/* A frame takes a byte at least. */
static void reserve_frames(struct pn_pprof_decoder *d, size_t bytes)
{
	d->p->frames = pn_large_try(bytes * sizeof(*d->p->frames));
	if (d->p->frames)
		d->p->frame_cap = d->reserved = bytes;
}

/* What was not needed. */
static void fit_frames(struct pn_pprof_decoder *d)
{
	struct pn_profile *p = d->p;

	if (!d->reserved || p->frame_cap != d->reserved)
		return;
	p->frame_cap = p->frame_count + 1;
	p->frames =
		pn_realloc_array(p->frames, p->frame_cap, sizeof(*p->frames));
}

/* What is shown of a large input, in two threads where they are welcome. */
static int read_large(struct pn_pprof_decoder *d, size_t two,
		      struct pn_error *err)
{
	struct pn_profile *out = d->p;
	struct pn_reader *in = d->in;
	const unsigned char *from;
	size_t have;
	int code = pn_reader_peek(&from, &have, in, 1, err);

	if (code || (have < RESERVE_MIN && have < two))
		return code;
	reserve_frames(d, have);
	if (have < two || !d->reserved || pn_pprof_halves(d, from, have))
		return 0;
	release(d);
	pn_profile_release(out);
	pn_profile_init(out);
	begin(d, out, in);
	reserve_frames(d, have);
	return 0;
}

int pn_pprof_read_two(struct pn_profile *out, struct pn_reader *in, size_t two,
		      struct pn_error *err)
{
	struct pn_pprof_decoder d;
	int code;

	begin(&d, out, in);
	code = read_large(&d, two, err);
	if (!code)
		code = read_profile(&d, err);
	fit_frames(&d);
	if (!code)
		code = pn_pprof_resolve(&d, err);
	release(&d);
	if (code)
		pn_profile_release(out);
	return code;
}

int pn_pprof_read(struct pn_profile *out, struct pn_reader *in,
		  struct pn_error *err)
{
	bool all = pn_reader_show_all(in);

	return pn_pprof_read_two(out, in, all ? RESERVE_MIN : SIZE_MAX, err);
}
