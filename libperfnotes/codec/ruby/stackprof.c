/*
 * stackprof (Ruby), its dumps (Marshal) and what `stackprof --json` prints,
 * which is the same: the frames with their samples, edges and lines, which is
 * a call graph; and, where raw samples were asked for, the stacks besides.
 * README and report.rb of github.com/tmm1/stackprof.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"
#include "codec/ruby/ruby_marshal.h"
#include "model/graph/graph.h"
#include "model/timeline/events.h"

#include <stdlib.h>
#include <string.h>

#define DUMP_MAX ((uint64_t)1 << 30)

/* A frame; it may be named before it comes. */
struct frame {
	bool is_there;
	uint32_t name, file; /* strings */
	int64_t line, self, total;
	uint32_t node; /* of the graph, or PN_NONE */
};

struct edge {
	uint32_t caller, callee; /* frames */
	int64_t samples;
};

struct cost {
	uint32_t frame;
	int64_t line, self;
};

/* In us, one a sample. */
struct times {
	int64_t *items;
	size_t count, cap;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames known;
	struct pn_strtab ids; /* of frames, as text: id - 1 */
	struct frame *frames;
	size_t frame_count, frame_cap;
	struct edge *edges;
	size_t edge_count, edge_cap;
	struct cost *costs;
	size_t cost_count, cost_cap;
	/* length, frames, how often; again and again */
	uint32_t *raw;
	size_t raw_count, raw_cap;
	int64_t *counts; /* the third of each */
	size_t count_count, count_cap;
	size_t left; /* frames of the stack to come; at 0 its count comes */
	bool in_stack;
	uint32_t mode; /* string */
	int64_t interval;
	int64_t gc, missed; /* samples */
	struct times stamps, deltas;
	bool has_frames;
};

/* The frame that is read: those of the decoder move when more are named. */
struct reading {
	struct decoder *of;
	uint32_t at;
	struct frame frame;
};

static uint32_t frame_of(struct decoder *d, const char *id, size_t len)
{
	uint32_t at;

	if (!d->ids.count)
		pn_strtab_add(&d->ids, "", 0);
	at = pn_strtab_add(&d->ids, id, len);
	d->frames = pn_grow(d->frames, &d->frame_cap, (size_t)at + 1,
			    sizeof(*d->frames));
	if (at >= d->frame_count) {
		memset(d->frames + d->frame_count, 0,
		       (at + 1 - d->frame_count) * sizeof(*d->frames));
		d->frame_count = (size_t)at + 1;
	}
	return at;
}

/* Members whose keys are data: each goes to `take`, its key first. */
static int
walk_members(void *to, struct pn_json *json, enum pn_json_event event,
	     int (*take)(void *to, struct pn_json *json, struct pn_error *err),
	     struct pn_error *err)
{
	int code = 0;

	if (event == PN_JSON_NULL)
		return 0;
	if (event != PN_JSON_OBJECT)
		return pn_json_fail(json, err, "expected an object");
	while (!code) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_OBJECT_END)
			break;
		code = take(to, json, err);
	}
	return code;
}

/* "7012": 5, a frame that this one calls, in so many samples. */
static int take_edge(void *to, struct pn_json *json, struct pn_error *err)
{
	struct reading *r = to;
	struct decoder *d = r->of;
	struct edge edge = {.caller = r->at};
	enum pn_json_event event;
	int code;

	edge.callee = frame_of(d, pn_json_text(json), pn_json_len(json));
	code = pn_json_next(&event, json, err);
	if (!code)
		code = pn_json_take_amount(&edge.samples, json, event, err);
	if (code)
		return code;
	d->edges = pn_grow(d->edges, &d->edge_cap, d->edge_count + 1,
			   sizeof(*d->edges));
	d->edges[d->edge_count++] = edge;
	return 0;
}

static int take_edges(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return walk_members(to, json, first, take_edge, err);
}

static int take_cost(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;

	/* total, then self: the last one stays */
	return pn_json_take_amount(&d->costs[d->cost_count - 1].self, json,
				   first, err);
}

/* "12": [total, self], or self alone in old files. */
static int take_place(void *to, struct pn_json *json, struct pn_error *err)
{
	struct reading *r = to;
	struct decoder *d = r->of;
	struct cost cost = {.frame = r->at};
	enum pn_json_event event;
	int code;

	if (!pn_number_int(&cost.line, pn_json_text(json), pn_json_len(json)) ||
	    cost.line < 0)
		return pn_json_fail(json, err, "expected a line as the key");
	d->costs = pn_grow(d->costs, &d->cost_cap, d->cost_count + 1,
			   sizeof(*d->costs));
	d->costs[d->cost_count++] = cost;
	code = pn_json_next(&event, json, err);
	if (code)
		return code;
	if (event == PN_JSON_ARRAY)
		return pn_json_walk_array(d, json, event, take_cost, err);
	return take_cost(d, json, event, err);
}

static int take_lines(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return walk_members(to, json, first, take_place, err);
}

static int take_frame(void *to, struct pn_json *json, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("name", reading, frame.name),
		PN_JSON_FIELD("file", reading, frame.file),
		PN_JSON_AMOUNT_OR_NULL("line", reading, frame.line),
		PN_JSON_AMOUNT("samples", reading, frame.self),
		PN_JSON_AMOUNT("total_samples", reading, frame.total),
		{"edges", take_edges},
		{"lines", take_lines},
		{0},
	};
	struct decoder *d = to;
	struct reading r = {.of = d, .frame = {.is_there = true}};
	enum pn_json_event event;
	int code;

	r.at = frame_of(d, pn_json_text(json), pn_json_len(json));
	if (d->frames[r.at].is_there)
		return pn_json_fail(json, err, "this frame is there twice");
	d->frames[r.at].is_there = true;
	code = pn_json_next(&event, json, err);
	if (!code)
		code = pn_json_walk_object(&r, &d->p->strings, json, event,
					   fields, err);
	d->frames[r.at] = r.frame;
	return code;
}

static int take_frames(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	((struct decoder *)to)->has_frames = true;
	return walk_members(to, json, first, take_frame, err);
}

static void push_raw(struct decoder *d, uint32_t value)
{
	d->raw =
		pn_grow(d->raw, &d->raw_cap, d->raw_count + 1, sizeof(*d->raw));
	d->raw[d->raw_count++] = value;
}

static int take_raw(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct decoder *d = to;
	int64_t value;
	int code;

	if (d->in_stack && d->left) {
		if (first != PN_JSON_NUMBER && first != PN_JSON_STRING)
			return pn_json_fail(json, err,
					    "expected the id of a frame");
		d->left--;
		push_raw(d, frame_of(d, pn_json_text(json), pn_json_len(json)));
		return 0;
	}
	code = pn_json_take_amount(&value, json, first, err);
	if (code)
		return code;
	if (d->in_stack) {
		d->counts = pn_grow(d->counts, &d->count_cap,
				    d->count_count + 1, sizeof(*d->counts));
		d->counts[d->count_count++] = value;
	} else if (value > PN_MAX_STACK_DEPTH) {
		return pn_json_fail(json, err,
				    "a stack of more than 1048576 frames");
	} else {
		d->left = (size_t)value;
		push_raw(d, (uint32_t)value);
	}
	d->in_stack = !d->in_stack;
	return 0;
}

static int take_raws(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;
	int code;

	if (first == PN_JSON_NULL)
		return 0;
	code = pn_json_walk_array(to, json, first, take_raw, err);
	if (!code && d->in_stack)
		code = pn_json_fail(json, err,
				    "it ends within a stack, expected length, "
				    "frames and a count");
	return code;
}

static int take_time(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct times *times = to;
	int64_t us;
	int code = pn_json_take_amount(&us, json, first, err);

	if (code)
		return code;
	times->items = pn_grow(times->items, &times->cap, times->count + 1,
			       sizeof(*times->items));
	times->items[times->count++] = us;
	return 0;
}

static int take_times(struct times *times, struct pn_json *json,
		      enum pn_json_event first, struct pn_error *err)
{
	if (first == PN_JSON_NULL)
		return 0;
	return pn_json_walk_array(times, json, first, take_time, err);
}

static int take_stamps(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	return take_times(&((struct decoder *)to)->stamps, json, first, err);
}

static int take_deltas(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	return take_times(&((struct decoder *)to)->deltas, json, first, err);
}

/* Samples, and what one stands for: an interval in us, or so many objects. */
static void add_types(struct decoder *d)
{
	const char *mode = pn_profile_text(d->p, d->mode);
	bool is_time = !strcmp(mode, "cpu") || !strcmp(mode, "wall");
	size_t i;

	pn_profile_add_type(d->p, "samples", "count");
	if (is_time && d->interval)
		pn_profile_add_type(d->p, mode, "microseconds");
	else if (!strcmp(mode, "object") && d->interval)
		pn_profile_add_type(d->p, "objects", "count");
	for (i = 0; i < d->p->type_count; i++)
		d->p->types[i].better = PN_BETTER_LESS;
	if (d->p->type_count > 1) {
		d->p->period_type = d->p->types[1];
		d->p->period = d->interval;
	}
}

static void set_values(const struct decoder *d, union pn_value *row,
		       int64_t samples)
{
	row[0].i = samples;
	if (d->p->type_count > 1 &&
	    __builtin_mul_overflow(samples, d->interval, &row[1].i))
		row[1].i = INT64_MAX;
}

static int need_frame(const struct decoder *d, uint32_t at,
		      struct pn_error *err)
{
	if (at && d->frames[at].is_there)
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "frames: expected one with the id '%.100s'",
			    pn_strtab_text(&d->ids, at));
}

static uint32_t location_of(struct decoder *d, uint32_t at)
{
	const struct frame *f = &d->frames[at];
	struct pn_frame frame = {
		.name = f->name,
		.file = f->file,
		.start_line = f->line,
		.line = f->line,
		.mapping = PN_NONE,
	};

	return pn_frames_location(&d->known, d->p, &frame);
}

/* Root first in the file, leaf first with us. */
static int add_stacks(struct decoder *d, struct pn_error *err)
{
	uint32_t *stack = NULL;
	size_t cap = 0, at = 0, i, n;
	union pn_value row[2];
	int code = 0;

	for (i = 0; !code && i < d->count_count; i++) {
		size_t depth = d->raw[at++];

		stack = pn_grow(stack, &cap, depth + 1, sizeof(*stack));
		for (n = 0; !code && n < depth; n++) {
			code = need_frame(d, d->raw[at + n], err);
			stack[depth - 1 - n] = location_of(d, d->raw[at + n]);
		}
		at += depth;
		if (code)
			break;
		set_values(d, row, d->counts[i]);
		pn_profile_add_sample(
			d->p, pn_frames_stack(&d->known, d->p, stack, depth), 0,
			row);
	}
	free(stack);
	return code;
}

/* When each of the samples was, where the file has a time for each: on its
 * clock, or from the start on where old files have differences alone. */
static void add_events(struct decoder *d)
{
	bool stamped = d->stamps.count > 0;
	const struct times *times = stamped ? &d->stamps : &d->deltas;
	struct pn_event event = {.thread = PN_NONE};
	int64_t total = 0, left = 0, us = 0;
	size_t i, row = 0;

	for (i = 0; i < d->count_count; i++)
		if (__builtin_add_overflow(total, d->counts[i], &total))
			return;
	if ((uint64_t)total != times->count)
		return;
	for (i = 0; i < times->count; i++, left--) {
		while (!left)
			left = d->counts[row++];
		if (__builtin_add_overflow(stamped ? 0 : us, times->items[i],
					   &us) ||
		    __builtin_mul_overflow(us, 1000, &event.time_ns))
			break;
		event.stack = d->p->samples[row - 1].stack;
		pn_events_add(d->p, &event);
	}
}

static void add_fact(struct decoder *d, const char *name, int64_t samples)
{
	if (samples > 0)
		pn_profile_add_fact(d->p, name, "count", (double)samples);
}

static void add_node(struct decoder *d, uint32_t at)
{
	struct frame *f = &d->frames[at];
	struct pn_graph *g = &d->p->graph;
	size_t types = d->p->type_count;

	f->node = pn_graph_add_node(d->p, location_of(d, at), -1, -1);
	set_values(d, g->self + f->node * types, f->self);
	set_values(d, g->total + f->node * types, f->total);
}

static int add_graph(struct decoder *d, struct pn_error *err)
{
	struct pn_graph *g = &d->p->graph;
	uint32_t at;
	size_t i, row;

	for (at = 1; at < d->frame_count; at++)
		if (d->frames[at].is_there)
			add_node(d, at);
	for (i = 0; i < d->edge_count; i++) {
		struct pn_edge edge = {.calls = -1, .primitive = -1};

		if (need_frame(d, d->edges[i].callee, err))
			return PN_EINVAL;
		edge.caller = d->frames[d->edges[i].caller].node;
		edge.callee = d->frames[d->edges[i].callee].node;
		row = pn_graph_add_edge(d->p, &edge);
		set_values(d, g->edge_total + row * d->p->type_count,
			   d->edges[i].samples);
	}
	for (i = 0; i < d->cost_count; i++) {
		struct pn_cost cost = {
			.node = d->frames[d->costs[i].frame].node,
			.line = d->costs[i].line,
		};

		row = pn_graph_add_cost(d->p, &cost);
		set_values(d, g->cost_values + row * d->p->type_count,
			   d->costs[i].self);
	}
	return 0;
}

static int read_document(struct decoder *d, struct pn_reader *in,
			 struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("mode", decoder, mode),
		PN_JSON_AMOUNT_OR_NULL("interval", decoder, interval),
		{"frames", take_frames},
		{"raw", take_raws},
		{"raw_sample_timestamps", take_stamps},
		{"raw_timestamp_deltas", take_deltas},
		PN_JSON_AMOUNT_OR_NULL("gc_samples", decoder, gc),
		PN_JSON_AMOUNT_OR_NULL("missed_samples", decoder, missed),
		{0},
	};
	int code = pn_json_walk_document(d, &d->p->strings, in, fields, err);

	if (code)
		return code;
	if (!d->has_frames)
		return pn_error_set(err, PN_EINVAL, "expected frames");
	add_types(d);
	d->p->complete = false; /* order in time */
	code = add_stacks(d, err);
	if (code)
		return code;
	add_events(d);
	add_fact(d, "samples of the garbage collector", d->gc);
	add_fact(d, "missed samples", d->missed);
	return add_graph(d, err);
}

/* A dump of Marshal, by way of JSON. */
static int read_dump(struct decoder *d, struct pn_reader *in,
		     struct pn_error *err)
{
	struct pn_reader *text = NULL;
	struct pn_buf dump = {0}, json = {0};
	int code = pn_reader_rest(&dump, in, DUMP_MAX, err);

	if (!code)
		code = pn_ruby_to_json(&json, dump.data, dump.len, err);
	pn_buf_release(&dump);
	if (!code)
		code = pn_reader_memory(&text, json.data, json.len,
					pn_reader_name(in), 0, err);
	if (!code)
		code = read_document(d, text, err);
	pn_reader_free(text);
	pn_buf_release(&json);
	return code;
}

static int read_stackprof(struct pn_profile *out, struct pn_reader *in,
			  struct pn_error *err)
{
	struct decoder d = {.p = out};
	const unsigned char *bytes;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, in, 2, err);

	if (!code)
		code = pn_ruby_is(bytes, have) ? read_dump(&d, in, err)
					       : read_document(&d, in, err);

	pn_frames_release(&d.known);
	pn_strtab_release(&d.ids);
	free(d.frames);
	free(d.edges);
	free(d.costs);
	free(d.raw);
	free(d.counts);
	free(d.stamps.items);
	free(d.deltas.items);
	if (code)
		pn_profile_release(out);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	/* a hash whose first symbols are these */
	if (pn_ruby_is(bytes, len) && len > 2 && bytes[2] == '{')
		return pn_json_sniff_text(bytes, len, ":\x0dinterval") &&
				       pn_json_sniff_text(bytes, len,
							  ":\x09mode")
			       ? PN_SNIFF_SURE
			       : PN_SNIFF_NO;
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "mode") &&
			       pn_json_sniff_key(bytes, len, "interval") &&
			       (pn_json_sniff_key(bytes, len,
						  "missed_samples") ||
				pn_json_sniff_key(bytes, len, "gc_samples"))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_stackprof = {
	.name = "stackprof",
	.summary = "stackprof (Ruby), dump or JSON: a call graph, stacks",
	.languages = "ruby",
	.made_by = "StackProf.run(out: <file>)",
	.sniffed_by = "\"mode\", \"interval\" and \"missed_samples\"; symbols "
		      "of a dump",
	.suffix = ".stackprof.json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT | PN_FIRST_CONTROL,
	.read = read_stackprof,
};
