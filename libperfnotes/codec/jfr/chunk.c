/* JFR: a chunk, its header and its events one after the other. */
#include "base/alloc.h"
#include "codec/jfr/jfr.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where things are in the header. */
enum {
	AT_MAJOR = 4,
	AT_SIZE = 8,
	AT_METADATA = 24,
	AT_START_NS = 32,
	AT_DURATION_NS = 40,
	AT_START_TICKS = 48,
	AT_TICKS_PER_SECOND = 56,
	AT_FLAGS = 67
};
#define COMPRESSED 1 /* numbers of seven bits a byte */

void pn_jfr_release_chunk(struct pn_jfr_chunk *chunk)
{
	size_t i;

	for (i = 0; i < PN_JFR_POOLS; i++) {
		free(chunk->pools[i].items);
		pn_slots_release(&chunk->pools[i].slots);
	}
	free(chunk->types);
	free(chunk->fields);
	pn_slots_release(&chunk->type_slots);
	memset(chunk, 0, sizeof(*chunk));
}

static int check_header(const unsigned char *h, const struct pn_jfr_chunk *c,
			uint64_t size, struct pn_error *err)
{
	if (memcmp(h, "FLR", 4) != 0)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": expected a chunk, which "
				    "begins with 'FLR'",
				    c->offset);
	if (pn_jfr_fixed(h + AT_MAJOR, 2) != 2)
		return pn_error_set(err, PN_EINVAL,
				    "version %" PRIu64 " of JFR, expected 2 "
				    "(JDK 8u262, 11 and later)",
				    pn_jfr_fixed(h + AT_MAJOR, 2));
	if (!(h[AT_FLAGS] & COMPRESSED))
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": numbers are not "
				    "compressed, no JDK writes them so",
				    c->offset);
	if (!size)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": a chunk that is still "
				    "written to: 'jcmd <pid> JFR.dump' gives "
				    "what was recorded so far",
				    c->offset);
	if (size < PN_JFR_HEADER || size > PN_JFR_CHUNK_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "byte %" PRIu64 ": a chunk of %" PRIu64
				    " bytes, at least %u and at most %u are "
				    "allowed",
				    c->offset, size, PN_JFR_HEADER,
				    PN_JFR_CHUNK_MAX);
	if (!c->ticks_per_second || c->ticks_per_second > PN_JFR_TICKS_MAX)
		return pn_error_set(err, PN_ERANGE,
				    "byte %" PRIu64 ": %" PRIu64
				    " ticks a second, expected 1 to %" PRIu64,
				    c->offset, c->ticks_per_second,
				    PN_JFR_TICKS_MAX);
	return 0;
}

static int cut(const struct pn_jfr_chunk *c, uint64_t size, size_t have,
	       struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "byte %" PRIu64 ": a chunk of %" PRIu64
			    " bytes, the input has %zu left",
			    c->offset, size, have);
}

/* The next event: its type, and what comes behind that. */
static int next_event(uint64_t *type, struct pn_jfr_bytes *out, size_t *at,
		      const struct pn_jfr_chunk *c, struct pn_error *err)
{
	struct pn_jfr_bytes b = {c->bytes + *at, c->bytes + c->size, false};
	uint64_t size = pn_jfr_number(&b);

	if (!size || size > c->size - *at)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": an event of %" PRIu64
				    " bytes, the chunk has %zu left",
				    c->offset + *at, size, c->size - *at);
	b.end = c->bytes + *at + size;
	if (b.at > b.end)
		b.at = b.end;
	*type = pn_jfr_number(&b);
	*out = b;
	*at += (size_t)size;
	return 0;
}

/* What events name may stand behind them: pools come first. */
static int read_events(struct pn_jfr *d, bool pools, struct pn_error *err)
{
	struct pn_jfr_chunk *c = &d->chunk;
	struct pn_jfr_bytes b;
	size_t at = PN_JFR_HEADER;
	uint64_t id;
	int code = 0;

	while (!code && at < c->size) {
		uint32_t type;

		code = next_event(&id, &b, &at, c, err);
		if (code)
			return code;
		if (pools && id == PN_JFR_CHECKPOINT)
			code = pn_jfr_read_checkpoint(d, b, err);
		if (pools || id <= PN_JFR_CHECKPOINT)
			continue;
		type = pn_jfr_type(c, id);
		if (type != PN_NONE && c->types[type].event)
			code = pn_jfr_take_event(d, &c->types[type], b, err);
	}
	return code;
}

static int read_whole(struct pn_jfr *d, size_t metadata, struct pn_error *err)
{
	int code;

	if (metadata < PN_JFR_HEADER || metadata >= d->chunk.size)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": the metadata of the "
				    "chunk is said to be at byte %zu of %zu",
				    d->chunk.offset, metadata, d->chunk.size);
	code = pn_jfr_read_metadata(d, metadata, err);
	if (!code)
		code = read_events(d, true, err);
	if (!code)
		code = read_events(d, false, err);
	return code;
}

static void take_times(struct pn_profile *p, const unsigned char *h)
{
	int64_t start = (int64_t)pn_jfr_fixed(h + AT_START_NS, 8);
	int64_t duration = (int64_t)pn_jfr_fixed(h + AT_DURATION_NS, 8);

	if (!p->time_ns)
		p->time_ns = start;
	if (duration > 0 &&
	    __builtin_add_overflow(p->duration_ns, duration, &p->duration_ns))
		p->duration_ns = 0;
}

int pn_jfr_read_chunk(struct pn_jfr *d, struct pn_reader *in,
		      struct pn_error *err)
{
	struct pn_jfr_chunk *c = &d->chunk;
	const unsigned char *h;
	uint64_t size, left;
	size_t have, metadata;
	int code = pn_reader_peek(&h, &have, in, PN_JFR_HEADER, err);

	if (code)
		return code;
	memset(c, 0, sizeof(*c));
	c->offset = pn_reader_offset(in);
	if (have < PN_JFR_HEADER)
		return cut(c, PN_JFR_HEADER, have, err);
	size = pn_jfr_fixed(h + AT_SIZE, 8);
	metadata = (size_t)pn_jfr_fixed(h + AT_METADATA, 8);
	c->start_ns = pn_jfr_fixed(h + AT_START_NS, 8);
	c->start_ticks = pn_jfr_fixed(h + AT_START_TICKS, 8);
	c->ticks_per_second = pn_jfr_fixed(h + AT_TICKS_PER_SECOND, 8);
	code = check_header(h, c, size, err);
	if (code)
		return code;
	take_times(d->p, h);
	left = pn_reader_left(in);
	if (size > left)
		return cut(c, size, (size_t)left, err);
	code = pn_reader_peek(&c->bytes, &have, in, (size_t)size, err);
	if (!code && have < size)
		code = cut(c, size, have, err);
	c->size = (size_t)size;
	if (!code)
		code = read_whole(d, metadata, err);
	if (!code)
		pn_reader_consume(in, c->size);
	pn_jfr_release_chunk(c);
	return code;
}
