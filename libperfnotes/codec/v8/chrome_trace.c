/*
 * Chrome's trace events (chrome://tracing, Perfetto, clang -ftime-trace and
 * many more): calls that begin and end (B, E) or that are whole (X), by
 * process and thread; what V8's profiler saw meanwhile (chrome_cpu.h); and
 * counters. Other phases (async, marks) are passed over.
 * "Trace Event Format", D. Sinclair (Google, 2016).
 *
 * The array may lack its end or have a comma before it: writers that were
 * killed leave it so, and every viewer takes it.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"
#include "codec/v8/chrome_counters.h"
#include "codec/v8/chrome_cpu.h"
#include "codec/v8/chrome_threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((uint64_t)1 << 31)
/* Until the year 2065. Nanoseconds of a begin, of an end that is as much
 * later, and of what is between any two of them fit 64 bits. */
#define TIME_MAX_US 3e15

struct event {
	uint32_t thread; /* number of (pid, tid) */
	uint32_t name;	 /* string */
	char phase;	 /* B, E or X */
	int64_t at_ns, end_ns;
	size_t order; /* in the file */
};

/* A call that is open. */
struct open {
	uint32_t node, name;
	int64_t end_ns; /* INT64_MAX: until its E */
};

struct decoder {
	struct pn_chrome_cpu cpu; /* first: args are taken into it; its frames
				     and call tree are those of all events */
	struct pn_profile *p;
	struct event *events;
	size_t count, cap;
	struct pn_strtab threads; /* "pid\0tid" */
	struct pn_chrome_threads named;
	struct pn_chrome_counters counters;
	struct open *stack;
	size_t depth, stack_cap;
	/* of one thread */
	uint32_t thread;
	int64_t *weights; /* by node of the tree */
	size_t weight_cap;
	uint32_t *charged; /* nodes that got one, some more than once */
	size_t charged_count, charged_cap;
	size_t *open; /* by name: how often it is on the stack */
	size_t open_cap;
	/* the event that is read */
	uint32_t name, phase;
	double ts, dur;
	struct pn_buf pid, tid, id;
	uint32_t *label_sets; /* by thread: set, 0 until it is asked for */
	size_t label_set_cap;
	bool has_events;
};

static void release(struct decoder *d)
{
	pn_chrome_cpu_release(&d->cpu);
	pn_strtab_release(&d->threads);
	pn_chrome_threads_release(&d->named);
	pn_chrome_counters_release(&d->counters);
	pn_buf_release(&d->pid);
	pn_buf_release(&d->tid);
	pn_buf_release(&d->id);
	free(d->label_sets);
	free(d->events);
	free(d->stack);
	free(d->weights);
	free(d->charged);
	free(d->open);
}

static int take_name(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;

	if (first != PN_JSON_STRING)
		return pn_json_skip(json, first, err);
	return pn_json_take_string(&d->name, &d->p->strings, json, first, err);
}

/* A number; XRay writes it as a string. */
static int take_time(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	if (first == PN_JSON_STRING &&
	    pn_number_double(to, pn_json_text(json), pn_json_len(json)))
		return 0;
	return pn_json_take_double(to, json, first, err);
}

/* Numbers by the format, strings in the wild. */
static int take_id(void *to, struct pn_json *json, enum pn_json_event first,
		   struct pn_error *err)
{
	struct pn_buf *out = to;

	pn_buf_clear(out);
	if (first != PN_JSON_NUMBER && first != PN_JSON_STRING)
		return pn_json_skip(json, first, err);
	pn_buf_add(out, pn_json_text(json), pn_json_len(json));
	return 0;
}

static uint32_t thread_of(struct decoder *d)
{
	struct pn_buf key = {0};
	uint32_t id;

	pn_buf_add(&key, d->pid.data, d->pid.len);
	pn_buf_add_byte(&key, '\0');
	pn_buf_add(&key, d->tid.data, d->tid.len);
	id = pn_strtab_add(&d->threads, key.data, key.len) - 1; /* 0: "" */
	pn_buf_release(&key);
	return id;
}

/* "thread_name" and "process_name", of which args say what it is. */
static void take_metadata(struct decoder *d)
{
	const char *what = pn_profile_text(d->p, d->name);
	const struct pn_buf *name = &d->cpu.name;
	uint32_t text = pn_strtab_add(&d->p->strings, name->data, name->len);

	if (!strcmp(what, "thread_name"))
		pn_chrome_threads_name(&d->named, thread_of(d), text);
	else if (!strcmp(what, "process_name"))
		pn_chrome_threads_name_process(&d->named, &d->pid, text);
}

static int add_event(struct decoder *d, struct pn_json *json, char phase,
		     struct pn_error *err)
{
	struct event *e;

	if (isnan(d->ts) || fabs(d->ts) > TIME_MAX_US ||
	    !(d->dur >= 0 && d->dur <= TIME_MAX_US))
		return pn_json_fail(json, err,
				    "expected ts and dur in microseconds");
	d->events = pn_grow(d->events, &d->cap, d->count + 1, sizeof(*e));
	e = &d->events[d->count];
	e->thread = thread_of(d);
	e->name = d->name;
	e->phase = phase;
	e->at_ns = llround(d->ts * 1000);
	e->end_ns = e->at_ns + llround(d->dur * 1000);
	e->order = d->count++;
	return 0;
}

/* "Profile" says which thread it is of, "ProfileChunk" what was seen. */
static int end_profile_event(struct decoder *d, struct pn_error *err)
{
	const char *name = pn_profile_text(d->p, d->name);
	bool is_chunk = !strcmp(name, "ProfileChunk");
	struct pn_buf key = {0};
	int code;

	if (!is_chunk && strcmp(name, "Profile") != 0)
		return pn_chrome_cpu_end(&d->cpu, false, NULL, 0, err);
	pn_buf_add(&key, d->pid.data, d->pid.len);
	pn_buf_add_byte(&key, '\0');
	pn_buf_add(&key, d->id.data, d->id.len);
	if (!is_chunk)
		pn_chrome_cpu_profile(&d->cpu, &key, thread_of(d));
	code = pn_chrome_cpu_end(&d->cpu, is_chunk, &key,
				 is_chunk ? thread_of(d) : 0, err);
	pn_buf_release(&key);
	return code;
}

/* Those of an event whose phase is not known yet may be a counter's. */
static int take_args(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;

	if (first == PN_JSON_OBJECT &&
	    (!d->phase || !strcmp(pn_profile_text(d->p, d->phase), "C")))
		return pn_chrome_counters_take(&d->counters, &d->cpu, json,
					       err);
	return pn_chrome_cpu_take_args(to, json, first, err);
}

static void take_counter(struct decoder *d)
{
	const struct pn_chrome_counter of = {
		&d->pid, &d->id, pn_profile_text(d->p, d->name), d->ts};

	if (fabs(d->ts) <= TIME_MAX_US)
		pn_chrome_counters_add(&d->counters, &of);
}

static int take_event(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"name", take_name},
		PN_JSON_FIELD("ph", decoder, phase),
		{"ts", take_time, .offset = offsetof(struct decoder, ts)},
		{"dur", take_time, .offset = offsetof(struct decoder, dur)},
		{"pid", take_id, .offset = offsetof(struct decoder, pid)},
		{"tid", take_id, .offset = offsetof(struct decoder, tid)},
		{"id", take_id, .offset = offsetof(struct decoder, id)},
		{"args", take_args},
		{0},
	};
	struct decoder *d = to;
	const char *phase;
	int code;

	if (first == PN_JSON_NULL) /* some writers end the array with it */
		return 0;
	d->name = d->phase = 0;
	d->ts = NAN;
	d->dur = 0;
	d->counters.arg_count = 0;
	pn_buf_clear(&d->pid);
	pn_buf_clear(&d->tid);
	pn_buf_clear(&d->id);
	pn_chrome_cpu_begin(&d->cpu);
	code = pn_json_walk_object(d, &d->p->strings, json, first, fields, err);
	if (!code)
		code = end_profile_event(d, err);
	phase = pn_profile_text(d->p, d->phase);
	if (!code && !strcmp(phase, "M"))
		take_metadata(d);
	if (!code && !strcmp(phase, "C"))
		take_counter(d);
	if (code || !*phase || phase[1] || !strchr("BEX", *phase))
		return code;
	return add_event(d, json, *phase, err);
}

static int take_events(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	((struct decoder *)to)->has_events = true;
	return pn_json_walk_array(to, json, first, take_event, err);
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static void trim(struct pn_buf *text)
{
	while (text->len && is_blank(text->data[text->len - 1]))
		text->len--;
}

/* "[ {...}, {...}," and "[ {...}, ]" become whole arrays. */
static void mend_end(struct pn_buf *text)
{
	bool closed;

	if (!pn_json_sniff_array(text->data, text->len))
		return;
	trim(text);
	closed = text->data[text->len - 1] == ']';
	if (closed) {
		text->len--;
		trim(text);
	}
	if (text->len && text->data[text->len - 1] == ',')
		text->len--;
	pn_buf_add_byte(text, ']');
}

static int walk(struct decoder *d, struct pn_buf *text, const char *name,
		struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"traceEvents", take_events},
		{0},
	};
	struct pn_reader *in = NULL;
	struct pn_json *json;
	enum pn_json_event first;
	int code;

	mend_end(text);
	code = pn_reader_memory(&in, text->data, text->len, name, 0, err);
	if (code)
		return code;
	json = pn_json_new(in);
	code = pn_json_next(&first, json, err);
	if (!code && first == PN_JSON_ARRAY)
		code = take_events(d, json, first, err);
	else if (!code)
		code = pn_json_walk_object(d, NULL, json, first, fields, err);
	if (!code)
		code = pn_json_expect(json, PN_JSON_END, err);
	pn_json_free(json);
	pn_reader_free(in);
	return code;
}

/* By thread, then time; of whole calls that begin at once the longest is the
 * outermost; else as in the file. */
static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	if (x->phase == 'X' && y->phase == 'X' && x->end_ns != y->end_ns)
		return x->end_ns > y->end_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void charge(struct decoder *d, int64_t at_ns, int64_t ns)
{
	uint32_t node = d->stack[d->depth - 1].node;
	const struct pn_chrome_span span = {d->thread, node, at_ns, ns};
	size_t had = d->weight_cap;

	d->weights = pn_grow(d->weights, &d->weight_cap, (size_t)node + 1,
			     sizeof(*d->weights));
	memset(d->weights + had, 0, (d->weight_cap - had) * sizeof(int64_t));
	if (!d->weights[node]) {
		d->charged = pn_grow(d->charged, &d->charged_cap,
				     d->charged_count + 1, sizeof(node));
		d->charged[d->charged_count++] = node;
	}
	d->weights[node] = (int64_t)((uint64_t)d->weights[node] + (uint64_t)ns);
	pn_chrome_threads_ran(&d->named, &span);
}

static void push_call(struct decoder *d, const struct open *call)
{
	size_t had = d->open_cap;

	d->stack =
		pn_grow(d->stack, &d->stack_cap, d->depth + 1, sizeof(*call));
	d->stack[d->depth++] = *call;
	d->open = pn_grow(d->open, &d->open_cap, (size_t)call->name + 1,
			  sizeof(*d->open));
	memset(d->open + had, 0, (d->open_cap - had) * sizeof(*d->open));
	d->open[call->name]++;
}

static void pop_call(struct decoder *d)
{
	d->open[d->stack[--d->depth].name]--;
}

/* Time goes on to `to_ns`: it is the innermost call's; whole calls end. */
static int64_t advance(struct decoder *d, int64_t from_ns, int64_t to_ns)
{
	while (d->depth && d->stack[d->depth - 1].end_ns <= to_ns) {
		int64_t end_ns = d->stack[d->depth - 1].end_ns;

		if (end_ns > from_ns) {
			charge(d, from_ns, end_ns - from_ns);
			from_ns = end_ns;
		}
		pop_call(d);
	}
	if (d->depth && to_ns > from_ns)
		charge(d, from_ns, to_ns - from_ns);
	return to_ns > from_ns ? to_ns : from_ns;
}

/* A call never outlives the one that it is in. */
static void begin_call(struct decoder *d, const struct event *e)
{
	struct pn_frame frame = {.name = e->name, .mapping = PN_NONE};
	uint32_t location =
		pn_frames_location(&d->cpu.nodes.frames, d->p, &frame);
	const struct open *up = d->depth ? &d->stack[d->depth - 1] : NULL;
	struct open call = {.name = e->name, .end_ns = INT64_MAX};

	if (e->phase == 'X')
		call.end_ns = e->end_ns;
	if (up && up->end_ns < call.end_ns)
		call.end_ns = up->end_ns;
	call.node = pn_call_tree_child(&d->cpu.nodes.tree,
				       up ? up->node : PN_NONE, location);
	push_call(d, &call);
}

/* The innermost call of this name and what is in it; an E may have no name. */
static void end_call(struct decoder *d, const struct event *e)
{
	bool found = false;

	if (e->name && (e->name >= d->open_cap || !d->open[e->name]))
		return;
	while (d->depth && !found) {
		found = !e->name || d->stack[d->depth - 1].name == e->name;
		pop_call(d);
	}
}

static uint32_t label_thread(struct decoder *d, uint32_t thread)
{
	const char *pid = pn_strtab_text(&d->threads, thread + 1);
	const char *tid = pid + strlen(pid) + 1;
	size_t had = d->label_set_cap;
	struct pn_label labels[2];

	d->label_sets = pn_grow(d->label_sets, &d->label_set_cap,
				(size_t)thread + 1, sizeof(*d->label_sets));
	memset(d->label_sets + had, 0,
	       (d->label_set_cap - had) * sizeof(*d->label_sets));
	if (d->label_sets[thread])
		return d->label_sets[thread];
	memset(labels, 0, sizeof(labels));
	labels[0].key = pn_strtab_add_text(&d->p->strings, "pid");
	labels[0].value.s = pn_strtab_add_text(&d->p->strings, pid);
	labels[1].key = pn_strtab_add_text(&d->p->strings, "tid");
	labels[1].value.s = pn_strtab_add_text(&d->p->strings, tid);
	d->label_sets[thread] = pn_profile_add_label_set(d->p, labels, 2);
	return d->label_sets[thread];
}

static int by_node(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int add_samples(struct decoder *d, uint32_t thread, struct pn_error *err)
{
	uint32_t labels = label_thread(d, thread), stack;
	union pn_value row[2] = {{0}};
	size_t i;
	int code = 0;

	if (d->charged_count)
		qsort(d->charged, d->charged_count, sizeof(*d->charged),
		      by_node);
	for (i = 0; !code && i < d->charged_count; i++) {
		uint32_t node = d->charged[i];

		row[0].i = d->weights[node];
		d->weights[node] = 0;
		if (!row[0].i) /* it is there twice */
			continue;
		code = pn_call_tree_stack(&stack, &d->cpu.nodes.tree, d->p,
					  node, err);
		if (!code)
			pn_profile_add_sample(d->p, stack, labels, row);
	}
	d->charged_count = 0;
	return code;
}

/* The events of one thread, in order. */
static int add_thread(struct decoder *d, size_t first, size_t end,
		      struct pn_error *err)
{
	int64_t now_ns = d->events[first].at_ns, last_ns = now_ns;
	size_t i;

	d->thread = d->events[first].thread;
	while (d->depth)
		pop_call(d);
	for (i = first; i < end; i++) {
		const struct event *e = &d->events[i];

		if (e->end_ns > last_ns)
			last_ns = e->end_ns;
		now_ns = advance(d, now_ns, e->at_ns);
		if (e->phase == 'E')
			end_call(d, e);
		else
			begin_call(d, e);
	}
	advance(d, now_ns, last_ns);
	return add_samples(d, d->thread, err);
}

static int add_threads(struct decoder *d, struct pn_error *err)
{
	size_t first = 0, end;
	int code = 0;

	qsort(d->events, d->count, sizeof(*d->events), by_time);
	for (; !code && first < d->count; first = end) {
		for (end = first; end < d->count; end++)
			if (d->events[end].thread != d->events[first].thread)
				break;
		code = add_thread(d, first, end, err);
	}
	return code;
}

static int add_v8_sample(void *to, uint32_t thread, uint32_t tree, int64_t us,
			 struct pn_error *err)
{
	struct decoder *d = to;
	union pn_value row[2] = {{0}, {.i = us}};
	uint32_t stack;
	int code =
		pn_call_tree_stack(&stack, &d->cpu.nodes.tree, d->p, tree, err);

	if (!code)
		pn_profile_add_sample(d->p, stack, label_thread(d, thread),
				      row);
	return code;
}

/* What V8 saw is a type of its own; nodes come before other frames. */
static int add_v8(struct decoder *d, struct pn_error *err)
{
	int code;

	if (!d->cpu.sample_count)
		return 0;
	pn_profile_add_type(d->p, "cpu", "microseconds");
	d->p->types[1].better = PN_BETTER_LESS;
	code = pn_v8_nodes_finish(&d->cpu.nodes, err);
	if (!code)
		code = pn_chrome_cpu_each(&d->cpu, d, add_v8_sample, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out,
			    .cpu = {.nodes = {.p = out}},
			    .counters = {.counters = {.p = out}}};
	struct pn_buf text = {0};
	int code = pn_reader_rest(&text, in, FILE_MAX, err);

	pn_profile_add_type(out, "time", "nanoseconds");
	out->types[0].better = PN_BETTER_LESS;
	if (!code)
		code = walk(&d, &text, pn_reader_name(in), err);
	if (!code && !d.count && !d.cpu.sample_count)
		code = pn_error_set(err, PN_EINVAL,
				    d.has_events
					    ? "no event begins, ends or lasts"
					    : "expected traceEvents");
	if (!code)
		code = add_v8(&d, err);
	if (!code && d.count)
		code = add_threads(&d, err);
	if (!code)
		pn_counters_finish(&d.counters.counters);
	if (!code)
		pn_chrome_threads_finish(&d.named, out, &d.threads,
					 &d.cpu.nodes.tree);
	out->complete = false;
	pn_buf_release(&text);
	release(&d);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (pn_json_sniff_object(bytes, len))
		return pn_json_sniff_key(bytes, len, "traceEvents")
			       ? PN_SNIFF_SURE
			       : PN_SNIFF_NO;
	return pn_json_sniff_array(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "ph") &&
			       pn_json_sniff_key(bytes, len, "pid")
		       ? PN_SNIFF_LIKELY
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_chrome_trace = {
	.name = "chrome-trace",
	.summary = "Chrome trace events (B, E, X, C), V8's samples in them",
	.languages = "javascript c c++",
	.made_by = "chrome --trace-startup, node --trace-event-categories, "
		   "clang -ftime-trace, "
		   "llvm-xray convert -f trace_event",
	.sniffed_by = "\"traceEvents\", or an array with \"ph\" and \"pid\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT | PN_FIRST_ARRAY,
	.read = read_profile,
};
