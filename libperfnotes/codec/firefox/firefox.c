/*
 * Firefox's processed profiles (profiler.firefox.com, samply): tables in
 * columns, of each thread or, since version 56, shared by all of them.
 * github.com/firefox-devtools/profiler, src/types/profile.ts.
 *
 * A thread becomes samples with the labels "thread" and "pid", a counter a
 * curve. Markers are not kept.
 */
#include "codec/firefox/firefox.h"
#include "base/alloc.h"
#include "codec/call_tree.h"
#include "codec/codec.h"
#include "codec/firefox/counters.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX (1u << 16)

/* What the weight of a sample counts. */
enum weight { WEIGHT_SAMPLES, WEIGHT_MS, WEIGHT_BYTES, WEIGHTS };

static const struct {
	const char *name, *type, *unit;
} weights[WEIGHTS] = {
	{"samples", "samples", "count"},
	{"tracing-ms", "time", "milliseconds"},
	{"bytes", "space", "bytes"},
};

struct thread {
	struct pn_firefox_tables tables; /* first: the table of members goes on
					    with theirs */
	struct pn_json_ints stacks;	 /* of samples; null: nothing ran */
	struct pn_json_doubles weights;
	struct pn_json_doubles times, deltas; /* ms; one of them, or none */
	uint32_t name, pid, weight_type;      /* strings */
	uint32_t tid, process;		      /* the same */
	bool is_raw;			      /* what Firefox itself writes */
};

struct decoder {
	struct pn_firefox ff;
	struct pn_call_tree tree;
	uint32_t *shared_nodes; /* by stack of `shared`, once asked for */
	struct thread *threads;
	size_t count, cap;
	struct pn_strtab pids; /* strings, as bytes: processes from 1 on */
	struct pn_firefox_counters counters;
	double interval_ms;
	bool has_meta;
};

static void release(struct decoder *d)
{
	size_t i;

	for (i = 0; i < d->count; i++) {
		pn_firefox_tables_release(&d->threads[i].tables);
		free(d->threads[i].stacks.items);
		free(d->threads[i].weights.items);
		free(d->threads[i].times.items);
		free(d->threads[i].deltas.items);
	}
	free(d->threads);
	free(d->shared_nodes);
	pn_strtab_release(&d->pids);
	pn_counters_release(&d->counters.counters);
	pn_firefox_release(&d->ff);
	pn_call_tree_release(&d->tree);
}

/* Tables with a schema and rows are not those that are read here. */
static int take_schema(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	((struct thread *)to)->is_raw = true;
	return pn_json_skip(json, first, err);
}

/* A number or a string. */
static int take_id(uint32_t *out, struct thread *t, struct pn_json *json,
		   enum pn_json_event first, struct pn_error *err)
{
	struct pn_strtab *strings = &t->tables.p->strings;

	if (first != PN_JSON_NUMBER)
		return pn_json_take_string(out, strings, json, first, err);
	*out = pn_strtab_add(strings, pn_json_text(json), pn_json_len(json));
	return 0;
}

static int take_pid(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct thread *t = to;

	return take_id(&t->pid, t, json, first, err);
}

static int take_tid(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct thread *t = to;

	if (first != PN_JSON_NUMBER && first != PN_JSON_STRING)
		return pn_json_skip(json, first, err);
	return take_id(&t->tid, t, json, first, err);
}

static int take_process(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	struct thread *t = to;

	if (first != PN_JSON_STRING)
		return pn_json_skip(json, first, err);
	return take_id(&t->process, t, json, first, err);
}

static const struct pn_json_field samples_fields[] = {
	PN_JSON_FIELD_OR_NULL("stack", thread, stacks),
	PN_JSON_FIELD_OR_NULL("weight", thread, weights),
	PN_JSON_FIELD("weightType", thread, weight_type),
	PN_JSON_FIELD_OR_NULL("time", thread, times),
	PN_JSON_FIELD_OR_NULL("timeDeltas", thread, deltas),
	{"schema", take_schema},
	{0},
};

static int take_thread(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"samples", .fields = samples_fields},
		PN_JSON_FIELD("name", thread, name),
		{"pid", take_pid},
		{"tid", take_tid},
		{"processName", take_process},
		{.fields = pn_firefox_fields},
	};
	struct decoder *d = to;
	struct thread *t;

	if (d->count >= THREADS_MAX)
		return pn_json_fail(json, err, "more than 65536 threads");
	d->threads =
		pn_grow(d->threads, &d->cap, d->count + 1, sizeof(*d->threads));
	t = &d->threads[d->count++];
	memset(t, 0, sizeof(*t));
	t->tables.p = d->ff.p;
	return pn_json_walk_object(t, &d->ff.p->strings, json, first, fields,
				   err);
}

static int take_meta(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("interval", decoder, interval_ms),
		{0},
	};

	((struct decoder *)to)->has_meta = true;
	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

/* The node of every stack: a prefix stands before what it leads to. */
static int place_stacks(uint32_t **out, struct decoder *d,
			const struct pn_firefox_tables *t, struct pn_error *err)
{
	size_t n = t->columns[PN_FIREFOX_STACK_FRAME].count, i;
	bool offsets = t->columns[PN_FIREFOX_STACK_OFFSET].count > 0;
	uint32_t *nodes = pn_calloc(n + 1, sizeof(*nodes));

	for (i = 0; i < n; i++) {
		int64_t frame =
			pn_firefox_item(t, PN_FIREFOX_STACK_FRAME, (int64_t)i);
		int64_t prefix =
			pn_firefox_item(t, PN_FIREFOX_STACK_PREFIX, (int64_t)i);

		if (offsets) {
			prefix = pn_firefox_item(t, PN_FIREFOX_STACK_OFFSET,
						 (int64_t)i);
			prefix = prefix > 0 ? (int64_t)i - prefix : -1;
		}
		if (prefix >= (int64_t)i ||
		    pn_firefox_item(t, PN_FIREFOX_FRAME_FUNC, frame) < 0) {
			free(nodes);
			return pn_error_set(err, PN_EINVAL,
					    "stack %zu has no frame, or its "
					    "prefix is not before it",
					    i);
		}
		nodes[i] = pn_call_tree_child(
			&d->tree, prefix < 0 ? PN_NONE : nodes[prefix],
			pn_firefox_location(&d->ff, t, frame));
	}
	*out = nodes;
	return 0;
}

static enum weight kind_of(const struct decoder *d, const struct thread *t)
{
	const char *name = pn_profile_text(d->ff.p, t->weight_type);
	size_t i;

	for (i = 0; t->weights.count && i < WEIGHTS; i++)
		if (!strcmp(weights[i].name, name))
			return (enum weight)i;
	return WEIGHT_SAMPLES;
}

static uint32_t label_thread(struct decoder *d, const struct thread *t)
{
	struct pn_label labels[2];
	size_t n = 0;

	memset(labels, 0, sizeof(labels));
	if (t->pid) {
		labels[n].key = pn_strtab_add_text(&d->ff.p->strings, "pid");
		labels[n++].value.s = t->pid;
	}
	if (t->name) {
		labels[n].key = pn_strtab_add_text(&d->ff.p->strings, "thread");
		labels[n++].value.s = t->name;
	}
	return pn_profile_add_label_set(d->ff.p, labels, n);
}

/* The process of this id, added when new. Several may have none. */
static uint32_t process_of(struct decoder *d, const struct thread *t)
{
	const struct pn_events *e = &d->ff.p->events;
	size_t had = d->pids.count;
	uint32_t at;

	if (!t->pid)
		return PN_NONE;
	at = pn_strtab_add(&d->pids, &t->pid, sizeof(t->pid)) - 1;
	if (!had || d->pids.count > had)
		pn_events_add_process(d->ff.p, t->pid, t->process);
	else if (!e->processes[at].name)
		e->processes[at].name = t->process;
	return at;
}

/* When sample i was taken; *ms is that of the one before, 0 at first. False
 * when that is not told. */
static bool time_of(int64_t *out, double *ms, const struct thread *t, size_t i)
{
	if (t->times.count == t->stacks.count)
		*ms = t->times.items[i];
	else if (t->deltas.count == t->stacks.count)
		*ms += t->deltas.items[i];
	else
		return false;
	return pn_events_ns(out, *ms, 1e6);
}

/* Samples of traces last as long as they weigh, others are moments. */
static void add_event(struct decoder *d, const struct thread *t,
		      const struct pn_event *event, double weight)
{
	struct pn_event e = *event;

	if (kind_of(d, t) == WEIGHT_MS && weight > 0 &&
	    !pn_events_ns(&e.duration_ns, weight, 1e6))
		return;
	pn_events_add(d->ff.p, &e);
}

static int add_thread(struct decoder *d, const struct thread *t,
		      const size_t column[WEIGHTS], struct pn_error *err)
{
	bool own = t->tables.columns[PN_FIREFOX_STACK_FRAME].count > 0;
	struct pn_firefox_tables tables;
	size_t i, n, at = column[kind_of(d, t)];
	uint32_t labels = label_thread(d, t), *nodes = NULL, stack;
	struct pn_event event = {.type = (uint32_t)at};
	union pn_value row[WEIGHTS];
	double ms = 0;
	int code = 0;

	event.thread = pn_events_add_thread(d->ff.p, process_of(d, t), t->tid,
					    t->name);
	pn_firefox_share(&tables, &t->tables, &d->ff.shared);
	n = tables.columns[PN_FIREFOX_STACK_FRAME].count;
	if (own)
		code = place_stacks(&nodes, d, &tables, err);
	else if (!d->shared_nodes)
		code = place_stacks(&d->shared_nodes, d, &tables, err);
	if (!own)
		nodes = d->shared_nodes;

	for (i = 0; !code && i < t->stacks.count; i++) {
		int64_t of = t->stacks.items[i];
		double weight = t->weights.count ? t->weights.items[i] : 1;
		bool timed = time_of(&event.time_ns, &ms, t, i);

		if (of < 0)
			continue;
		if ((uint64_t)of >= n)
			code = pn_error_set(err, PN_EINVAL,
					    "samples.stack[%zu]: %" PRId64
					    " of %zu stacks",
					    i, of, n);
		else
			code = pn_call_tree_stack(&stack, &d->tree, d->ff.p,
						  nodes[of], err);
		if (code)
			break;
		memset(row, 0, sizeof(row));
		if (d->ff.p->types[at].number == PN_NUMBER_DOUBLE)
			row[at].d = weight;
		else
			row[at].i = (int64_t)weight;
		pn_profile_add_sample(d->ff.p, stack, labels, row);
		event.stack = stack;
		if (timed)
			add_event(d, t, &event, weight);
	}
	if (own)
		free(nodes);
	return code;
}

/* Types in the order of first use; whole numbers where all weights are. */
static int add_types(struct decoder *d, size_t column[WEIGHTS],
		     struct pn_error *err)
{
	size_t i, n, kind;

	for (i = 0; i < WEIGHTS; i++)
		column[i] = SIZE_MAX;
	for (i = 0; i < d->count; i++) {
		const struct thread *t = &d->threads[i];

		if (t->weights.count && t->weights.count != t->stacks.count)
			return pn_error_set(err, PN_EINVAL,
					    "threads[%zu].samples: %zu stacks "
					    "and %zu weights",
					    i, t->stacks.count,
					    t->weights.count);
		kind = kind_of(d, t);
		if (column[kind] == SIZE_MAX)
			column[kind] =
				pn_profile_add_type(d->ff.p, weights[kind].type,
						    weights[kind].unit);
		for (n = 0; n < t->weights.count; n++)
			if (t->weights.items[n] != floor(t->weights.items[n]) ||
			    fabs(t->weights.items[n]) > 0x1p53)
				d->ff.p->types[column[kind]].number =
					PN_NUMBER_DOUBLE;
	}
	return 0;
}

static void set_period(struct decoder *d)
{
	if (!(d->interval_ms > 0) || d->interval_ms > 1e9)
		return;
	pn_frames_set_period(d->ff.p, "time", "nanoseconds",
			     (int64_t)(d->interval_ms * 1e6));
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"meta", take_meta},
		/* since version 41 of all threads */
		{"libs", .each = pn_firefox_take_lib,
		 .offset = offsetof(struct decoder, ff.shared)},
		{"shared", .fields = pn_firefox_fields,
		 .offset = offsetof(struct decoder, ff.shared)},
		{"threads", .each = take_thread},
		{"counters", pn_firefox_take_counters,
		 .offset = offsetof(struct decoder, counters)},
		{0},
	};
	struct decoder d = {.ff = {.p = out, .shared = {.p = out}},
			    .counters = {.counters = {.p = out}}};
	size_t column[WEIGHTS], i;
	bool is_raw = false;
	int code = pn_json_walk_document(&d, &out->strings, in, fields, err);

	for (i = 0; i < d.count; i++)
		is_raw |= d.threads[i].is_raw;
	if (!code && is_raw)
		code = pn_error_set(err, PN_EFORMAT,
				    "this is what Firefox itself writes: "
				    "--format=gecko reads it");
	if (!code && (!d.has_meta || !d.count))
		code = pn_error_set(err, PN_EINVAL,
				    "expected meta and at least one thread");
	if (!code)
		code = add_types(&d, column, err);
	for (i = 0; !code && i < d.count; i++) {
		code = add_thread(&d, &d.threads[i], column, err);
		if (code)
			pn_error_context(err, "threads[%zu]", i);
	}
	if (!code)
		set_period(&d);
	if (!code)
		pn_counters_finish(&d.counters.counters);
	out->complete = false;
	release(&d);
	return code;
}

/* A long list of categories or libraries may come before the version. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	static const char *const pairs[][2] = {{"stackTable", "frameTable"},
					       {"interval", "categories"},
					       {"libs", "breakpadId"}};
	size_t i;

	if (!pn_json_sniff_object(bytes, len))
		return PN_SNIFF_NO;
	if (pn_json_sniff_key(bytes, len, "preprocessedProfileVersion"))
		return PN_SNIFF_SURE;
	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (pn_json_sniff_key(bytes, len, pairs[i][0]) &&
		    pn_json_sniff_key(bytes, len, pairs[i][1]))
			return PN_SNIFF_LIKELY;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_firefox = {
	.name = "firefox",
	.summary = "Firefox's processed profile (samply)",
	.languages = "javascript c c++ rust",
	.made_by = "samply record, or a profile saved by profiler.firefox.com",
	.sniffed_by = "\"preprocessedProfileVersion\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
