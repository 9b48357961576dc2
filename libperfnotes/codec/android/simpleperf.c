/*
 * simpleperf's samples of Android (report-sample --protobuf): records that each
 * have their length before them. simpleperf/cmd_report_sample.proto of the
 * Android Open Source Project, version 1 of the file. Files, threads and names
 * of events stand behind the samples that name them by number.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "codec/android/tracks.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "SIMPLEPERF"
#define HEAD (sizeof(MAGIC) - 1 + 2)
#define RECORD_MAX (64u << 20)

/* Fields by number, as the definition has them. */
enum { SAMPLE = 1, LOST, FILE_RECORD, THREAD, META_INFO };
enum { TIME = 1, THREAD_ID, CALL_CHAIN, EVENT_COUNT, EVENT_TYPE };
enum { VADDR = 1, FILE_ID, SYMBOL_ID };
enum { ID = 1, PATH, SYMBOL };
enum { TID = 1, PID, THREAD_NAME };
enum { SAMPLE_COUNT = 1, LOST_COUNT };

/* A frame, as the file names it. */
struct entry {
	uint64_t vaddr;
	uint32_t file;
	int32_t symbol;
};

struct symbols {
	uint32_t mapping; /* or PN_NONE */
	uint32_t *names;  /* strings */
	size_t count, cap;
};

struct decoder {
	struct pn_profile *p;
	struct pn_reader *in;
	struct pn_room room;
	struct pn_tracks tracks;
	struct pn_frames frames;
	struct pn_strtab chains; /* entries, as bytes; id 0 has none */
	struct symbols *files;	 /* by number */
	size_t file_count, file_cap;
	struct entry *chain; /* the one that is read */
	size_t chain_cap;
	uint32_t *stack;
	size_t stack_cap;
	uint32_t events[PN_MAX_VALUE_TYPES]; /* names */
	size_t event_count;
	uint64_t lost;
};

static int take_entry(struct entry *e, struct pn_wire wire,
		      struct pn_error *err)
{
	struct pn_wire_field f;

	memset(e, 0, sizeof(*e));
	e->symbol = -1;
	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.type == PN_WIRE_BYTES)
			continue;
		if (f.number == VADDR)
			e->vaddr = f.value;
		else if (f.number == FILE_ID)
			e->file = (uint32_t)f.value;
		else if (f.number == SYMBOL_ID)
			e->symbol = (int32_t)f.value;
	}
	return 0;
}

static int take_sample(struct decoder *d, struct pn_wire wire,
		       struct pn_error *err)
{
	struct pn_track_sample s = {.time_ns = PN_TRACKS_NO_TIME, .type = 1};
	struct pn_wire_field f;
	size_t n = 0;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.number == CALL_CHAIN && f.type == PN_WIRE_BYTES) {
			if (n == PN_MAX_STACK_DEPTH)
				return pn_error_set(err, PN_ELIMIT,
						    "a stack of more than %u "
						    "frames",
						    PN_MAX_STACK_DEPTH);
			d->chain = pn_grow(d->chain, &d->chain_cap, n + 1,
					   sizeof(*d->chain));
			if (take_entry(&d->chain[n++], f.bytes, err))
				return PN_EINVAL;
			if (pn_room_take(&d->room, PN_ROOM_STACK_FRAME, err))
				return PN_ELIMIT;
		}
		if (f.type == PN_WIRE_BYTES)
			continue;
		if (f.number == TIME && f.value <= INT64_MAX)
			s.time_ns = (int64_t)f.value;
		else if (f.number == THREAD_ID)
			s.tid = (uint32_t)f.value;
		else if (f.number == EVENT_COUNT && f.value <= INT64_MAX)
			s.value = (int64_t)f.value;
		else if (f.number == EVENT_TYPE)
			s.type = f.value < PN_MAX_VALUE_TYPES - 1
					 ? (uint32_t)f.value + 1
					 : PN_MAX_VALUE_TYPES;
	}
	s.stack = pn_strtab_add(&d->chains, d->chain, n * sizeof(*d->chain));
	return pn_tracks_add(&d->tracks, &s, err);
}

static uint32_t string_of(struct decoder *d, const struct pn_wire_field *f)
{
	return pn_strtab_add(&d->p->strings, f->bytes.at,
			     (size_t)(f->bytes.end - f->bytes.at));
}

/* Files have the numbers from 0 on, in order. */
static int take_file(struct decoder *d, struct pn_wire wire,
		     struct pn_error *err)
{
	struct pn_mapping m = {0};
	struct symbols s = {0};
	struct pn_wire_field f;
	uint64_t id = 0;
	int code = 0;

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (!code && f.number == ID && f.type != PN_WIRE_BYTES)
			id = f.value;
		if (!code && f.type == PN_WIRE_BYTES)
			code = pn_room_take(&d->room, PN_ROOM_STRING + f.value,
					    err);
		if (code || f.type != PN_WIRE_BYTES)
			continue;
		if (f.number == PATH) {
			m.file = string_of(d, &f);
		} else if (f.number == SYMBOL) {
			s.names = pn_grow(s.names, &s.cap, s.count + 1,
					  sizeof(*s.names));
			s.names[s.count++] = string_of(d, &f);
		}
	}
	if (!code && id != d->file_count)
		code = pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": file %" PRIu64
				    ", expected number %zu",
				    pn_wire_offset(&wire), id, d->file_count);
	if (code) {
		free(s.names);
		return code;
	}
	s.mapping = m.file ? pn_profile_add_mapping(d->p, &m) : PN_NONE;
	d->files = pn_grow(d->files, &d->file_cap, d->file_count + 1,
			   sizeof(*d->files));
	d->files[d->file_count++] = s;
	return 0;
}

static int take_thread(struct decoder *d, struct pn_wire wire,
		       struct pn_error *err)
{
	struct pn_track_thread thread = {0};
	struct pn_wire_field f;
	uint32_t tid = 0;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.type == PN_WIRE_BYTES && f.number == THREAD_NAME)
			thread.name = string_of(d, &f);
		else if (f.type != PN_WIRE_BYTES && f.number == TID)
			tid = (uint32_t)f.value;
		else if (f.type != PN_WIRE_BYTES && f.number == PID)
			thread.pid = (uint32_t)f.value;
	}
	if (tid && pn_tracks_thread(&d->tracks, tid, thread, err))
		return PN_ELIMIT;
	/* a process is called as its first thread */
	return tid && tid == thread.pid
		       ? pn_tracks_process(&d->tracks, tid, thread.name, err)
		       : 0;
}

static int take_meta(struct decoder *d, struct pn_wire wire,
		     struct pn_error *err)
{
	struct pn_wire_field f;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.number != 1 || f.type != PN_WIRE_BYTES)
			continue;
		if (d->event_count == PN_MAX_VALUE_TYPES - 1)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %d types of events",
					    PN_MAX_VALUE_TYPES - 1);
		d->events[d->event_count++] = string_of(d, &f);
	}
	return 0;
}

static int take_lost(struct decoder *d, struct pn_wire wire,
		     struct pn_error *err)
{
	struct pn_wire_field f;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.number == LOST_COUNT && f.type != PN_WIRE_BYTES)
			d->lost = f.value;
	}
	return 0;
}

static int take_record(struct decoder *d, struct pn_wire wire,
		       struct pn_error *err)
{
	struct pn_wire_field f;
	int code = 0;

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code || f.type != PN_WIRE_BYTES)
			continue;
		if (f.number == SAMPLE)
			code = take_sample(d, f.bytes, err);
		else if (f.number == LOST)
			code = take_lost(d, f.bytes, err);
		else if (f.number == FILE_RECORD)
			code = take_file(d, f.bytes, err);
		else if (f.number == THREAD)
			code = take_thread(d, f.bytes, err);
		else if (f.number == META_INFO)
			code = take_meta(d, f.bytes, err);
	}
	return code;
}

static int cut(struct decoder *d, struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "byte %" PRIu64 ": a record is cut, or longer "
			    "than %u bytes",
			    pn_reader_offset(d->in), RECORD_MAX);
}

/* The next record; *more is false behind the last. */
static int next_record(bool *more, struct decoder *d, struct pn_error *err)
{
	const unsigned char *at;
	struct pn_wire wire;
	size_t have;
	uint32_t len;
	int code = pn_reader_peek(&at, &have, d->in, 4, err);

	if (code)
		return code;
	if (have < 4)
		return cut(d, err);
	len = pn_bytes_four(at);
	*more = len > 0;
	if (!len)
		return 0;
	if (len > RECORD_MAX || len > pn_reader_left(d->in))
		return cut(d, err);
	code = pn_reader_peek(&at, &have, d->in, (size_t)len + 4, err);
	if (code)
		return code;
	if (have < (size_t)len + 4)
		return cut(d, err);
	wire.at = at + 4;
	wire.end = wire.at + len;
	wire.end_offset = pn_reader_offset(d->in) + 4 + len;
	pn_room_give(&d->room, (uint64_t)len + 4);
	code = take_record(d, wire, err);
	pn_reader_consume(d->in, (size_t)len + 4);
	return code;
}

static int take_head(struct decoder *d, struct pn_error *err)
{
	const unsigned char *at;
	size_t have;
	int code = pn_reader_peek(&at, &have, d->in, HEAD, err);

	if (code)
		return code;
	if (have < HEAD || memcmp(at, MAGIC, HEAD - 2) != 0 ||
	    at[HEAD - 2] != 1 || at[HEAD - 1])
		return pn_error_set(err, PN_EINVAL,
				    "expected '" MAGIC "' and version 1");
	pn_reader_consume(d->in, HEAD);
	return 0;
}

static uint32_t location_of(struct decoder *d, const struct entry *e)
{
	struct pn_frame f = {.mapping = PN_NONE, .address = e->vaddr};
	const struct symbols *s;

	if (e->file >= d->file_count)
		return pn_frames_inlined(&d->frames, d->p, &f, NULL, 0);
	s = &d->files[e->file];
	f.mapping = s->mapping;
	if (e->symbol < 0 || (size_t)e->symbol >= s->count)
		return pn_frames_inlined(&d->frames, d->p, &f, NULL, 0);
	f.name = s->names[e->symbol];
	return pn_frames_location(&d->frames, d->p, &f);
}

/* Locations of a chain, into d->stack. */
static int locate(size_t *count, struct decoder *d, size_t chain,
		  struct pn_error *err)
{
	const char *bytes = pn_strtab_text(&d->chains, (uint32_t)chain);
	size_t n = pn_strtab_len(&d->chains, (uint32_t)chain), k, had;
	struct entry e;
	int code = 0;

	*count = n / sizeof(e);
	d->stack =
		pn_grow(d->stack, &d->stack_cap, *count + 1, sizeof(*d->stack));
	for (k = 0; !code && k < *count; k++) {
		memcpy(&e, bytes + k * sizeof(e), sizeof(e));
		had = d->p->location_count;
		d->stack[k] = location_of(d, &e);
		if (d->p->location_count > had)
			code = pn_room_take(&d->room, PN_ROOM_FRAME, err);
	}
	return code;
}

/* The stacks of the chains, by number. */
static int add_stacks(uint32_t *stacks, struct decoder *d, struct pn_error *err)
{
	size_t i, n;
	int code = 0;

	for (i = 0; !code && i < d->chains.count; i++) {
		code = locate(&n, d, i, err);
		if (!code)
			stacks[i] =
				pn_frames_stack(&d->frames, d->p, d->stack, n);
	}
	return code;
}

static void add_types(struct decoder *d)
{
	struct pn_profile *p = d->p;
	size_t i;

	if (!d->event_count)
		d->events[d->event_count++] =
			pn_strtab_add_text(&p->strings, "events");
	pn_profile_add_type(p, "samples", "count");
	for (i = 0; i < d->event_count; i++) {
		const char *name = pn_profile_text(p, d->events[i]);
		bool clock = !strcmp(name, "cpu-clock") ||
			     !strcmp(name, "task-clock");

		pn_profile_add_type(p, name, clock ? "nanoseconds" : "count");
	}
	for (i = 0; i < p->type_count; i++)
		p->types[i].better = PN_BETTER_LESS;
	p->default_type = d->events[0];
}

static int build(struct decoder *d, struct pn_error *err)
{
	uint32_t *stacks = pn_calloc(d->chains.count + 1, sizeof(*stacks));
	size_t i;
	int code;

	add_types(d);
	code = add_stacks(stacks, d, err);
	for (i = 0; !code && i < d->tracks.row_count; i++) {
		struct pn_track_row *row = &d->tracks.rows[i];

		row->stack = stacks[row->stack];
		if (row->type >= d->p->type_count)
			code = pn_error_set(err, PN_EINVAL,
					    "a sample is of an event that is "
					    "not among the %zu of meta_info",
					    d->event_count);
	}
	free(stacks);
	if (!code)
		code = pn_tracks_build(&d->tracks, d->p, err);
	if (!code && d->lost)
		pn_profile_add_fact(d->p, "lost samples", "count",
				    (double)d->lost);
	return code;
}

static void release(struct decoder *d)
{
	size_t i;

	for (i = 0; i < d->file_count; i++)
		free(d->files[i].names);
	free(d->files);
	free(d->chain);
	free(d->stack);
	pn_strtab_release(&d->chains);
	pn_frames_release(&d->frames);
	pn_tracks_release(&d->tracks);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out, .in = in};
	bool more = true;
	int code = take_head(&d, err);

	d.tracks.room = &d.room;
	pn_room_give(&d.room, HEAD);
	while (!code && more)
		code = next_record(&more, &d, err);
	if (!code)
		code = build(&d, err);
	out->complete = false; /* how frames ran, how unwinding failed */
	release(&d);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return len >= HEAD && !memcmp(bytes, MAGIC, HEAD - 2) &&
			       bytes[HEAD - 2] < ' '
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_simpleperf = {
	.name = "simpleperf",
	.summary = "simpleperf's samples of Android, protobuf",
	.languages = "c c++ java kotlin android",
	.made_by = "simpleperf report-sample --protobuf --show-callchain -i "
		   "perf.data -o <file>",
	.sniffed_by = "'" MAGIC "'",
	.suffix = ".trace",
	.sniff = sniff,
	.first = PN_FIRST_OTHER,
	.read = read_profile,
};
