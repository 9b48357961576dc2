/*
 * pprof: reading in two threads. One reads the samples in front as ever and
 * then the tables behind all of them. The other one counts the frames of the
 * samples in front, so that those of the samples between have their place in
 * the column, and reads these to rows of its own, which become the profile's
 * when both are done. Where anything does not fit, nothing was read.
 */
#include "codec/pprof/read.h"

#include "base/ahead.h"
#include "base/alloc.h"
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

/* How many of eight parts of the bytes are in front: tables and their names
 * take as long as a fifth of what samples do. */
#define FRONT 3
#define PARTS 8

struct halves {
	struct pn_wire shown;
	const unsigned char *middle; /* what begins before it is in front */
	struct pn_pprof_decoder *front;
	const unsigned char *end; /* behind the tables */
	struct pn_pprof_decoder between;
	struct pn_profile rows; /* of them */
	uint32_t *column;	/* of frames, where they have their room */
	size_t frames;		/* in front */
	bool front_read, between_read;
};

/* The next field, which is a sample. */
static bool next_sample(struct pn_wire_field *f, struct pn_wire *wire)
{
	const unsigned char *at = wire->at;

	if (pn_wire_whole(f, wire, PN_PPROF_MESSAGE_MAX) &&
	    f->number == PN_PPROF_SAMPLE && f->type == PN_WIRE_BYTES)
		return true;
	wire->at = at;
	return false;
}

/* Behind the tables: at another sample, or at what is not whole. */
static const unsigned char *behind_tables(struct pn_wire wire)
{
	const unsigned char *at = wire.at;
	struct pn_wire_field f;

	while (pn_wire_whole(&f, &wire, PN_PPROF_MESSAGE_MAX) &&
	       f.number != PN_PPROF_SAMPLE)
		at = wire.at;
	return at;
}

static void read_front(struct halves *h)
{
	struct pn_wire wire = h->shown;
	struct pn_wire_field f;
	struct pn_error unused;

	if (pn_pprof_fields(h->front, &wire, h->middle, &unused))
		return;
	while (next_sample(&f, &wire))
		;
	h->end = behind_tables(wire);
	h->front_read = !pn_pprof_fields(h->front, &wire, h->end, &unused);
}

/* How many of eight bytes have not their highest bit. */
static inline size_t count_ends(uint64_t ends)
{
	return (size_t)((ends >> 7) * PN_BYTES_EACH >> 56);
}

/* Numbers of a packed list end in a byte without its highest bit. */
static inline size_t count_packed(const unsigned char *at,
				  const unsigned char *end)
{
	const unsigned char *last = end - 8;
	size_t n = 0;

	if (end - at < 8) {
		for (; at < end; at++)
			n += *at < 128;
		return n;
	}
	for (; at < last; at += 8)
		n += count_ends(~pn_bytes_eight(at) & PN_BYTES_HIGH);
	/* of the last eight those that are not counted yet */
	return n + count_ends((~pn_bytes_eight(last) & PN_BYTES_HIGH) >>
			      8 * (at - last) << 8 * (at - last));
}

/* False where it is no message. */
static bool count_sample(size_t *frames, struct pn_wire wire)
{
	struct pn_wire_field f;
	struct pn_error unused;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, &unused))
			return false;
		if (f.number == 1 && f.type == PN_WIRE_BYTES)
			*frames += count_packed(f.bytes.at, f.bytes.end);
		else if (f.number == 1)
			++*frames;
	}
	return true;
}

/* The frames in front; `wire` is behind them then. False where not all of it is
 * whole. */
static bool count_frames(struct pn_wire *wire, struct halves *h)
{
	struct pn_wire_field f;

	while (wire->at < h->middle) {
		if (!pn_wire_whole(&f, wire, PN_PPROF_MESSAGE_MAX))
			return false;
		if (f.number == PN_PPROF_SAMPLE && f.type == PN_WIRE_BYTES &&
		    !count_sample(&h->frames, f.bytes))
			return false;
	}
	return true;
}

static void read_between(struct halves *h)
{
	struct pn_wire wire = h->shown;
	struct pn_wire_field f;
	struct pn_error unused;
	int code = 0;

	if (!count_frames(&wire, h))
		return;
	/* a byte of the input each, at most: the column never grows */
	h->rows.frames = h->column + h->frames;
	h->rows.frame_cap = h->front->reserved - h->frames;
	h->between.readable = wire.end;
	while (!code && next_sample(&f, &wire))
		code = pn_pprof_sample(&h->between, &f, &unused);
	h->between_read = !code;
}

static void read_half(void *data, size_t half, size_t worker)
{
	(void)worker;
	if (half)
		read_between(data);
	else
		read_front(data);
}

/* Ids that do not stand for themselves have names of each decoder's own. */
static void rename_frames(struct halves *h)
{
	uint32_t *frame = h->rows.frames, *end = frame + h->rows.frame_count;
	struct pn_ids *from = &h->between.locations;

	if (!from->large_count)
		return;
	for (; frame < end; frame++)
		*frame = pn_ids_name(&h->front->locations,
				     pn_ids_id(from, *frame + 1)) -
			 1;
	h->between.largest_frame = UINT32_MAX;
}

/* The label sets of the rows, in the order of the input. */
static uint32_t *move_labels(struct halves *h)
{
	struct pn_pprof_decoder *d = h->front;
	const struct pn_profile *rows = &h->rows;
	uint32_t *sets = pn_realloc_array(NULL, rows->label_set_count + 1,
					  sizeof(*sets));
	size_t i;

	for (i = 0; i < rows->label_set_count; i++) {
		uint32_t from = rows->label_set_start[i];

		d->label_count = rows->label_set_start[i + 1] - from;
		d->labels = pn_grow(d->labels, &d->label_cap,
				    d->label_count + 1, sizeof(*d->labels));
		if (d->label_count)
			memcpy(d->labels, &rows->labels[from],
			       d->label_count * sizeof(*d->labels));
		sets[i] = pn_pprof_label_set(d);
	}
	return sets;
}

static void put_behind(struct halves *h)
{
	struct pn_pprof_decoder *d = h->front;
	size_t types = d->p->type_count;
	uint32_t *sets;

	rename_frames(h);
	sets = move_labels(h);
	if (d->largest_frame < h->between.largest_frame)
		d->largest_frame = h->between.largest_frame;
	d->p->complete = d->p->complete && h->rows.complete;
	d->width = d->p->type_count = h->between.width;
	pn_profile_add_rows(d->p, &h->rows, sets);
	d->p->type_count = types;
	free(sets);
}

/* Whether the samples in front and those between are of one width. */
static bool fit(const struct halves *h)
{
	return h->rows.sample_count &&
	       (!h->front->width || h->front->width == h->between.width);
}

bool pn_pprof_halves(struct pn_pprof_decoder *d, const unsigned char *from,
		     size_t have)
{
	struct halves h = {
		.front = d, .between = {.p = &h.rows}, .column = d->p->frames};
	bool whole;

	if (pn_ahead_fills(1))
		return false;
	h.shown.at = from;
	h.shown.end = from + have;
	h.shown.end_offset = pn_reader_offset(d->in) + have;
	h.middle = from + have / PARTS * FRONT;
	pn_profile_init(&h.rows);
	pn_ids_init(&h.between.locations);
	pn_ahead_both(read_half, &h);
	whole = h.front_read && h.between_read && fit(&h);
	if (whole) {
		pn_reader_consume(d->in, (size_t)(h.end - from));
		pn_reader_forget(d->in);
		put_behind(&h);
	}
	h.rows.frames = NULL; /* the profile's */
	pn_profile_release(&h.rows);
	pn_ids_release(&h.between.locations);
	pn_slots_release(&h.between.sets);
	free(h.between.labels);
	return whole;
}
