/*
 * Perfetto's traces: the samples of processors in them. Messages are those of
 * protos/perfetto/trace of github.com/google/perfetto, 55: TracePacket,
 * PerfSample (traced_perf), StreamingProfilePacket (Chrome's sampler),
 * InternedData, ProcessTree and ThreadDescriptor; others are passed over.
 */
#include "base/alloc.h"
#include "base/deflate.h"
#include "codec/android/interned.h"
#include "codec/android/tracks.h"
#include "codec/codec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PACKET_MAX (64u << 20)
#define UNPACKED_MAX (16u << 20) /* of packets that a packet holds */
#define UNPACKED_TIMES 64u	 /* beyond that, in all, what is packed */

/* Fields by number, as the definitions have them. */
enum { PACKET = 1 };
enum {
	PROCESS_TREE = 2,
	TIMESTAMP = 8,
	SEQUENCE = 10,
	INTERNED = 12,
	SYNC_MARKER = 36,
	THREAD_DESCRIPTOR = 44,
	COMPRESSED = 50,
	STREAMING = 54,
	PERF_SAMPLE = 66
};
enum { CPU = 1, PID, TID, CALLSTACK, LOST = 17, SKIPPED };
enum { CALLSTACKS = 1, DELTAS };
enum { PROCESSES = 1, THREADS };
enum { PROCESS_PID = 1, CMDLINE = 3 };
enum { THREAD_TID = 1, THREAD_NAME, THREAD_TGID };
enum {
	DESCRIPTOR_PID = 1,
	DESCRIPTOR_TID,
	DESCRIPTOR_NAME = 5,
	DESCRIPTOR_TIME
};

/* What a sequence said of the thread that its samples are of. */
struct sequence {
	uint32_t pid, tid;
	int64_t us; /* of the last sample; -1: unknown */
};

struct decoder {
	struct pn_profile *p;
	struct pn_reader *in;
	struct pn_room room;
	struct pn_interned interned;
	struct pn_tracks tracks;
	struct pn_strtab ids; /* of sequences, as bytes; from 1 on */
	struct sequence *sequences;
	size_t count, cap;
	uint64_t lost, skipped;
	uint64_t may_unpack; /* bytes, of what was packed until now */
};

/* What of a packet its parts need. */
struct packet {
	uint32_t sequence;
	int64_t time_ns;
	struct pn_wire interned, sample, streaming, tree, descriptor, packed;
};

static int sequence_of(struct sequence **out, struct decoder *d, uint32_t id,
		       struct pn_error *err)
{
	uint32_t at = pn_strtab_add(&d->ids, &id, sizeof(id)) - 1;

	if (at == d->count) {
		if (pn_room_take(&d->room, PN_ROOM_SEQUENCE, err))
			return PN_ELIMIT;
		d->sequences = pn_grow(d->sequences, &d->cap, d->count + 1,
				       sizeof(*d->sequences));
		d->sequences[d->count++] = (struct sequence){.us = -1};
	}
	*out = &d->sequences[at];
	return 0;
}

static uint32_t string_of(struct decoder *d, const struct pn_wire_field *f)
{
	return pn_strtab_add(&d->p->strings, f->bytes.at,
			     (size_t)(f->bytes.end - f->bytes.at));
}

static int no_stack(uint64_t number, uint64_t offset, struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "byte %" PRIu64 ": a sample has stack %" PRIu64
			    ", which is not there",
			    offset, number);
}

/* What was lost, or not unwound, has no stack. */
static int take_sample(struct decoder *d, const struct packet *packet,
		       struct pn_error *err)
{
	struct pn_track_sample s = {.time_ns = packet->time_ns};
	struct pn_wire wire = packet->sample;
	uint64_t stack = 0, offset = pn_wire_offset(&wire);
	struct pn_wire_field f;
	bool is_sample = true;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.type == PN_WIRE_BYTES)
			continue;
		if (f.number == PID)
			s.pid = (uint32_t)f.value;
		else if (f.number == TID)
			s.tid = (uint32_t)f.value;
		else if (f.number == CALLSTACK)
			stack = f.value;
		else if (f.number == LOST && f.value < INT64_MAX)
			d->lost += f.value;
		else if (f.number == SKIPPED)
			d->skipped++;
		is_sample &= f.number != LOST && f.number != SKIPPED;
	}
	if (!is_sample || !stack)
		return 0;
	if (!pn_interned_stack(&s.stack, &d->interned, packet->sequence, stack))
		return no_stack(stack, offset, err);
	return pn_tracks_add(&d->tracks, &s, err);
}

/* The numbers of a field, packed or alone, one after another. */
static bool next_number(uint64_t *out, struct pn_wire *packed,
			struct pn_wire *wire, uint32_t number,
			struct pn_error *err, int *code)
{
	struct pn_wire_field f;

	for (;;) {
		if (packed->at < packed->end) {
			*code = pn_wire_varint(out, packed, err);
			return !*code;
		}
		if (wire->at == wire->end)
			return false;
		*code = pn_wire_next(&f, wire, err);
		if (*code)
			return false;
		if (f.number != number)
			continue;
		if (f.type == PN_WIRE_BYTES) {
			*packed = f.bytes;
			continue;
		}
		*out = f.value;
		return true;
	}
}

static int take_streaming(struct decoder *d, const struct packet *packet,
			  struct pn_error *err)
{
	struct pn_wire stacks = packet->streaming, deltas = packet->streaming;
	struct pn_wire in_stacks = {0}, in_deltas = {0};
	uint64_t stack, delta, offset = pn_wire_offset(&stacks);
	struct sequence *seq;
	int code = sequence_of(&seq, d, packet->sequence, err), more;

	while (!code && next_number(&stack, &in_stacks, &stacks, CALLSTACKS,
				    err, &code)) {
		struct pn_track_sample s = {.time_ns = PN_TRACKS_NO_TIME,
					    .pid = seq->pid,
					    .tid = seq->tid};

		more = next_number(&delta, &in_deltas, &deltas, DELTAS, err,
				   &code);
		if (code)
			return code;
		if (more && seq->us >= 0 &&
		    !__builtin_add_overflow(seq->us, (int64_t)delta,
					    &seq->us) &&
		    seq->us >= 0 && seq->us < INT64_MAX / 1000)
			s.time_ns = seq->us * 1000;
		if (!pn_interned_stack(&s.stack, &d->interned, packet->sequence,
				       stack))
			return no_stack(stack, offset, err);
		code = pn_tracks_add(&d->tracks, &s, err);
	}
	return code;
}

static int take_descriptor(struct decoder *d, const struct packet *packet,
			   struct pn_error *err)
{
	struct pn_track_thread thread = {0};
	struct pn_wire wire = packet->descriptor;
	struct pn_wire_field f;
	struct sequence *seq;

	if (sequence_of(&seq, d, packet->sequence, err))
		return PN_ELIMIT;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.type == PN_WIRE_BYTES && f.number == DESCRIPTOR_NAME)
			thread.name = string_of(d, &f);
		if (f.type == PN_WIRE_BYTES)
			continue;
		if (f.number == DESCRIPTOR_PID)
			seq->pid = thread.pid = (uint32_t)f.value;
		else if (f.number == DESCRIPTOR_TID)
			seq->tid = (uint32_t)f.value;
		else if (f.number == DESCRIPTOR_TIME)
			seq->us = (int64_t)f.value;
	}
	return seq->tid ? pn_tracks_thread(&d->tracks, seq->tid, thread, err)
			: 0;
}

static int take_process(struct decoder *d, struct pn_wire wire,
			struct pn_error *err)
{
	struct pn_wire_field f;
	uint32_t pid = 0, name = 0;

	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.number == PROCESS_PID && f.type != PN_WIRE_BYTES)
			pid = (uint32_t)f.value;
		else if (f.number == CMDLINE && f.type == PN_WIRE_BYTES &&
			 !name)
			name = string_of(d, &f);
	}
	return pid ? pn_tracks_process(&d->tracks, pid, name, err) : 0;
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
		if (f.type == PN_WIRE_BYTES) {
			if (f.number == THREAD_NAME)
				thread.name = string_of(d, &f);
		} else if (f.number == THREAD_TID) {
			tid = (uint32_t)f.value;
		} else if (f.number == THREAD_TGID) {
			thread.pid = (uint32_t)f.value;
		}
	}
	return tid ? pn_tracks_thread(&d->tracks, tid, thread, err) : 0;
}

static int take_tree(struct decoder *d, struct pn_wire wire,
		     struct pn_error *err)
{
	struct pn_wire_field f;
	int code = 0;

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code || f.type != PN_WIRE_BYTES)
			continue;
		if (f.number == PROCESSES)
			code = take_process(d, f.bytes, err);
		else if (f.number == THREADS)
			code = take_thread(d, f.bytes, err);
	}
	return code;
}

static struct pn_wire *part_of(struct packet *packet, uint32_t number)
{
	switch (number) {
	case INTERNED:
		return &packet->interned;
	case PERF_SAMPLE:
		return &packet->sample;
	case STREAMING:
		return &packet->streaming;
	case PROCESS_TREE:
		return &packet->tree;
	case THREAD_DESCRIPTOR:
		return &packet->descriptor;
	case COMPRESSED:
		return &packet->packed;
	default:
		return NULL;
	}
}

/* Fields may stand in any order. */
static int split_packet(struct packet *out, struct pn_wire wire,
			struct pn_error *err)
{
	struct pn_wire_field f;
	struct pn_wire *part;

	memset(out, 0, sizeof(*out));
	out->time_ns = PN_TRACKS_NO_TIME;
	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		part = part_of(out, f.number);
		if (f.type == PN_WIRE_BYTES && part)
			*part = f.bytes;
		else if (f.type == PN_WIRE_VARINT && f.number == SEQUENCE)
			out->sequence = (uint32_t)f.value;
		else if (f.type == PN_WIRE_VARINT && f.number == TIMESTAMP &&
			 f.value <= INT64_MAX)
			out->time_ns = (int64_t)f.value;
	}
	return 0;
}

static int take_packed(struct decoder *d, struct pn_wire packed,
		       struct pn_error *err);

/* What is packed holds no packed packets itself. */
static int take_packet(struct decoder *d, struct pn_wire wire, bool inside,
		       struct pn_error *err)
{
	struct packet packet;
	int code = split_packet(&packet, wire, err);

	if (!code)
		code = pn_interned_take(&d->interned, packet.sequence,
					packet.interned, err);
	if (!code && packet.tree.at)
		code = take_tree(d, packet.tree, err);
	if (!code && packet.descriptor.at)
		code = take_descriptor(d, &packet, err);
	if (!code && packet.sample.at)
		code = take_sample(d, &packet, err);
	if (!code && packet.streaming.at)
		code = take_streaming(d, &packet, err);
	if (!code && packet.packed.at && !inside)
		code = take_packed(d, packet.packed, err);
	return code;
}

static int take_packed(struct decoder *d, struct pn_wire packed,
		       struct pn_error *err)
{
	uint64_t offset = pn_wire_offset(&packed);
	size_t len = (size_t)(packed.end - packed.at);
	struct pn_buf bytes = {0};
	struct pn_wire wire = {0};
	struct pn_wire_field f;
	int code;

	d->may_unpack += len * UNPACKED_TIMES;
	code = pn_inflate_zlib(&bytes, NULL, packed.at, len,
			       d->may_unpack < UNPACKED_MAX ? d->may_unpack
							    : UNPACKED_MAX,
			       err);
	d->may_unpack -= bytes.len;
	pn_room_give(&d->room, bytes.len);
	if (!code && bytes.len) {
		wire.at = bytes.data;
		wire.end = bytes.data + bytes.len;
		wire.end_offset = bytes.len;
	}
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (!code && f.number == PACKET && f.type == PN_WIRE_BYTES)
			code = take_packet(d, f.bytes, true, err);
	}
	if (code)
		pn_error_context(err, "byte %" PRIu64 ": packed packets",
				 offset);
	pn_buf_release(&bytes);
	return code;
}

static int next_packet(struct decoder *d, const struct pn_wire_field *f,
		       struct pn_error *err)
{
	struct pn_wire wire;
	size_t have;
	int code;

	if (f->number != PACKET || f->type != PN_WIRE_BYTES)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": field %u, expected a "
				    "packet",
				    f->offset, f->number);
	if (f->value > PACKET_MAX || f->value > pn_reader_left(d->in))
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": a packet of %" PRIu64
				    " bytes is cut, or longer than %u",
				    f->offset, f->value, PACKET_MAX);
	code = pn_reader_peek(&wire.at, &have, d->in, (size_t)f->value, err);
	if (!code && have < f->value)
		code = pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": a packet is cut",
				    f->offset);
	if (code)
		return code;
	wire.end = wire.at + f->value;
	wire.end_offset = pn_reader_offset(d->in) + f->value;
	pn_room_give(&d->room, f->value);
	code = take_packet(d, wire, false, err);
	pn_reader_consume(d->in, (size_t)f->value);
	return code;
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	struct pn_wire_field f;
	int more;

	while ((more = pn_wire_from(&f, d->in, err)) > 0) {
		int code = next_packet(d, &f, err);

		if (code)
			return code;
	}
	return more;
}

static void add_facts(struct decoder *d)
{
	if (d->lost)
		pn_profile_add_fact(d->p, "lost records", "count",
				    (double)d->lost);
	if (d->skipped)
		pn_profile_add_fact(d->p, "skipped samples", "count",
				    (double)d->skipped);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out,
			    .in = in,
			    .interned = {.p = out},
			    .may_unpack = UNPACKED_MAX};
	int code;

	d.tracks.room = d.interned.room = &d.room;
	pn_profile_add_type(out, "samples", "count");
	out->types[0].better = PN_BETTER_LESS;
	code = read_all(&d, err);
	if (!code && !d.tracks.row_count)
		code = pn_error_set(err, PN_EINVAL,
				    "a trace without samples of processors "
				    "(data source linux.perf)");
	if (!code)
		code = pn_tracks_build(&d.tracks, out, err);
	if (!code)
		add_facts(&d);
	out->complete = false; /* all else that a trace has */
	pn_interned_release(&d.interned);
	pn_tracks_release(&d.tracks);
	pn_strtab_release(&d.ids);
	free(d.sequences);
	return code;
}

/* Whether a packet has what no message of pprof's or OTLP's first field has:
 * a time, a sequence, or the marker of 16 bytes. */
static bool is_packet(struct pn_wire wire)
{
	struct pn_wire_field f;

	while (wire.at < wire.end && !pn_wire_next(&f, &wire, NULL)) {
		if (f.type == PN_WIRE_VARINT &&
		    (f.number == TIMESTAMP || f.number == SEQUENCE))
			return true;
		if (f.type == PN_WIRE_BYTES && f.number == SYNC_MARKER &&
		    f.value == 16)
			return true;
	}
	return false;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_wire wire = {bytes, bytes + len, len};
	struct pn_wire_field f;
	bool found = false;

	while (wire.at < wire.end && !pn_wire_head(&f, &wire, NULL)) {
		struct pn_wire packet = wire;

		if (f.number != PACKET || f.type != PN_WIRE_BYTES)
			return PN_SNIFF_NO;
		if (f.value < (uint64_t)(wire.end - wire.at))
			packet.end = wire.at + f.value;
		found |= is_packet(packet);
		wire.at = packet.end;
	}
	return found ? PN_SNIFF_SURE : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_perfetto = {
	.name = "perfetto",
	.summary = "samples of processors in Perfetto's traces",
	.languages = "c c++ java kotlin android javascript",
	.made_by = "perfetto with data source linux.perf, Chrome's tracing",
	.sniffed_by = "packets with a time or a sequence",
	.suffix = ".perfetto-trace",
	.sniff = sniff,
	.read = read_profile,
};
