/*
 * What Firefox itself writes (MOZ_PROFILER_SHUTDOWN): tables as rows, whose
 * columns a schema names, of each thread, and processes one in another.
 * github.com/firefox-devtools/profiler, src/types/gecko-profile.ts, version 34.
 * A function is a text: a label, an address, or "name (file:line:column)".
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/call_tree.h"
#include "codec/codec.h"
#include "codec/firefox/counters.h"
#include "codec/frames.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"
#include "codec/scan.h"
#include "codec/threaded.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 3
#define PLACES_MAX 32 /* columns of a schema that are looked at */

/* Rows by column; -1 is null, or not there. */
struct rows {
	const char *names[COLUMNS];
	int32_t column[PLACES_MAX]; /* of ours, by place in a row, -1: other */
	size_t places;
	int32_t *items; /* row after row */
	double *times;	/* of a column "time", by row; NaN */
	size_t count, cap, time_cap;
	bool has_times;
};

enum { STACK };
enum { LOCATION, LINE, COLUMN };
enum { PREFIX, FRAME };

struct thread {
	struct rows samples, frames, stacks;
	struct pn_json_ints strings;
	uint32_t name, process_name, pid, tid;
};

/* Where a library lies. */
struct range {
	uint64_t start, limit;
	uint32_t mapping;
};

struct decoder {
	struct pn_threaded threaded;
	struct pn_frames frames;
	struct pn_call_tree tree;
	double start_ms, first_start_ms; /* of this process, of the first */
	double interval_ms;
	struct range *libs; /* of this process */
	size_t lib_count, lib_cap;
	bool sorted; /* and asked, so that no more may come */
	size_t threads, depth;
	struct pn_firefox_counters counters;
	uint32_t pid; /* of this process; 0: no thread has said it */
};

static int take_column(struct rows *r, struct pn_json *json,
		       struct pn_error *err)
{
	enum pn_json_event event;
	int32_t column = -1;
	int64_t place;
	size_t i;
	int code;

	for (i = 0; i < COLUMNS; i++)
		if (r->names[i] && !strcmp(r->names[i], pn_json_text(json)))
			column = (int32_t)i;
	if (r->has_times && !strcmp(pn_json_text(json), "time"))
		column = COLUMNS;
	code = pn_json_next(&event, json, err);
	if (!code)
		code = pn_json_take_amount(&place, json, event, err);
	if (code || place >= PLACES_MAX)
		return code;
	while (r->places <= (size_t)place)
		r->column[r->places++] = -1;
	r->column[place] = column;
	return 0;
}

static int take_schema(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	struct rows *r = to;
	enum pn_json_event event;
	int code = 0;

	if (first != PN_JSON_OBJECT)
		return pn_json_fail(json, err, "expected an object");
	r->places = 0;
	while (!code) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_OBJECT_END)
			break;
		code = take_column(r, json, err);
	}
	return code;
}

static int take_cell(struct rows *r, size_t row, size_t place,
		     struct pn_json *json, enum pn_json_event event,
		     struct pn_error *err)
{
	int32_t column = place < r->places ? r->column[place] : -1;
	int64_t value;

	if (column < 0 || event == PN_JSON_NULL)
		return pn_json_skip(json, event, err);
	if (column == COLUMNS)
		return pn_json_take_double(&r->times[row], json, event, err);
	if (pn_json_take_int(&value, json, event, err))
		return PN_EINVAL;
	if (value < -1 || value > INT32_MAX)
		return pn_json_fail(json, err, "expected a row of a table");
	r->items[row * COLUMNS + (size_t)column] = (int32_t)value;
	return 0;
}

static int take_row(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct rows *r = to;
	enum pn_json_event event;
	size_t row = r->count, i;
	int code = 0;

	if (first != PN_JSON_ARRAY || !r->places)
		return pn_json_fail(json, err,
				    r->places ? "expected an array"
					      : "expected a schema before it");
	r->items = pn_grow(r->items, &r->cap, (row + 1) * COLUMNS,
			   sizeof(*r->items));
	for (i = 0; i < COLUMNS; i++)
		r->items[row * COLUMNS + i] = -1;
	if (r->has_times) {
		r->times = pn_grow(r->times, &r->time_cap, row + 1,
				   sizeof(*r->times));
		r->times[row] = NAN;
	}
	r->count++;
	for (i = 0; !code; i++) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_ARRAY_END)
			break;
		code = take_cell(r, row, i, json, event, err);
	}
	return code;
}

static const struct pn_json_field table_fields[] = {
	{"schema", take_schema},
	{"data", .each = take_row},
	{0},
};

static int take_id(void *to, struct pn_json *json, enum pn_json_event first,
		   struct pn_error *err)
{
	if (first != PN_JSON_NUMBER && first != PN_JSON_STRING)
		return pn_json_skip(json, first, err);
	/* kept until the thread is whole: the strings of the profile are not
	 * known here */
	pn_buf_clear(to);
	pn_buf_add(to, pn_json_text(json), pn_json_len(json));
	return 0;
}

static int32_t item(const struct rows *r, int32_t row, int column)
{
	return row >= 0 && (size_t)row < r->count
		       ? r->items[(size_t)row * COLUMNS + (size_t)column]
		       : -1;
}

static int by_start(const void *a, const void *b)
{
	const struct range *l = a, *r = b;

	if (l->start != r->start)
		return l->start < r->start ? -1 : 1;
	return (l->mapping > r->mapping) - (l->mapping < r->mapping);
}

static int in_range(const void *address, const void *range)
{
	const uint64_t *at = address;
	const struct range *r = range;

	return *at < r->start ? -1 : *at >= r->limit;
}

/* The library of an address, in this process: they do not overlap. */
static uint32_t mapping_of(struct decoder *d, uint64_t address)
{
	const struct range *found = NULL;

	if (d->lib_count && !d->sorted)
		qsort(d->libs, d->lib_count, sizeof(*d->libs), by_start);
	d->sorted = true;
	if (d->lib_count)
		found = bsearch(&address, d->libs, d->lib_count,
				sizeof(*d->libs), in_range);
	return found ? found->mapping : PN_NONE;
}

static bool is_address(uint64_t *out, struct pn_scan s)
{
	uint64_t value = 0;

	if (!pn_scan_text(&s, "0x") || !pn_scan_left(&s) ||
	    pn_scan_left(&s) > 16)
		return false;
	for (; s.at < s.end; s.at++) {
		const char *hex = "0123456789abcdef";
		const char *at = strchr(hex, *s.at | 0x20);

		if (!*s.at || !at)
			return false;
		value = value << 4 | (uint64_t)(at - hex);
	}
	*out = value;
	return true;
}

/* Cuts ":12" off; false, and nothing cut, for anything else. */
static bool cut_line(int64_t *out, struct pn_scan *s)
{
	struct pn_scan before, rest = *s;

	if (!pn_scan_until_last(&before, &rest, ':') || !pn_scan_left(&rest) ||
	    *rest.at < '0' || *rest.at > '9' ||
	    !pn_number_int(out, rest.at, pn_scan_left(&rest)))
		return false;
	*s = before;
	return true;
}

/* Cuts "[5]" off, which is the number of a source. */
static void cut_source(struct pn_scan *s)
{
	const char *at = s->end;

	if (at == s->at || *--at != ']')
		return;
	while (at > s->at && at[-1] >= '0' && at[-1] <= '9')
		at--;
	if (at > s->at && at[-1] == '[' && at + 1 < s->end)
		s->end = at - 1;
}

/* "name (file:line:column)", or only what is in the parentheses. */
static void set_names(struct pn_frame *f, struct pn_strtab *strings,
		      struct pn_scan s)
{
	struct pn_scan name, file;
	int64_t last, before = 0;

	cut_source(&s);
	name = file = s;
	if (pn_scan_left(&s) && s.end[-1] == ')' &&
	    pn_scan_until(&name, &file, " (")) {
		file.end--;
	} else {
		name = file = s;
	}
	if (cut_line(&last, &file)) {
		f->start_line = cut_line(&before, &file) ? before : last;
		f->file = pn_strtab_add(strings, file.at, pn_scan_left(&file));
	} else if (name.end != s.end) {
		name = s; /* "operator() (int)" */
	}
	f->name = pn_strtab_add(strings, name.at, pn_scan_left(&name));
}

static uint32_t location_of(struct decoder *d, const struct thread *t,
			    int32_t frame)
{
	struct pn_profile *p = d->threaded.p;
	int32_t string = item(&t->frames, frame, LOCATION);
	int32_t line = item(&t->frames, frame, LINE);
	int32_t column = item(&t->frames, frame, COLUMN);
	struct pn_frame f = {.mapping = PN_NONE};
	uint32_t id = string >= 0 && (size_t)string < t->strings.count
			      ? (uint32_t)t->strings.items[string]
			      : 0;
	const char *text = pn_profile_text(p, id);
	struct pn_scan s = pn_scan_of(text, strlen(text));

	if (is_address(&f.address, s)) {
		f.mapping = mapping_of(d, f.address);
		if (f.mapping != PN_NONE)
			return pn_frames_inlined(&d->frames, p, &f, NULL, 0);
		f.name = id;
		return pn_frames_location(&d->frames, p, &f);
	}
	set_names(&f, &p->strings, s);
	f.line = line > 0 ? line : f.start_line;
	f.column = column > 0 ? column : 0;
	return pn_frames_location(&d->frames, p, &f);
}

/* A prefix stands before what it leads to. */
static int place_stacks(uint32_t *nodes, struct decoder *d,
			const struct thread *t, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < t->stacks.count; i++) {
		int32_t prefix = item(&t->stacks, (int32_t)i, PREFIX);
		int32_t frame = item(&t->stacks, (int32_t)i, FRAME);

		if (prefix >= (int32_t)i || frame < 0 ||
		    (size_t)frame >= t->frames.count)
			return pn_error_set(err, PN_EINVAL,
					    "stack %zu has no frame, or its "
					    "prefix is not before it",
					    i);
		nodes[i] = pn_call_tree_child(
			&d->tree, prefix < 0 ? PN_NONE : nodes[prefix],
			location_of(d, t, frame));
	}
	return 0;
}

static int add_sample(struct decoder *d, const struct thread *t, size_t i,
		      const uint32_t *nodes, uint32_t thread,
		      struct pn_error *err)
{
	static const union pn_value one = {.i = 1};
	int32_t at = item(&t->samples, (int32_t)i, STACK);
	struct pn_event event = {0};
	uint32_t stack;
	bool timed;

	if (at < 0)
		return 0;
	if ((size_t)at >= t->stacks.count)
		return pn_error_set(err, PN_EINVAL,
				    "samples.data[%zu]: stack %" PRId32
				    " of %zu",
				    i, at, t->stacks.count);
	if (pn_call_tree_stack(&stack, &d->tree, d->threaded.p, nodes[at], err))
		return PN_ELIMIT;
	timed = pn_events_ns(
		&event.time_ns,
		t->samples.times[i] + (d->start_ms - d->first_start_ms), 1e6);
	return pn_threaded_add(&d->threaded, stack, thread, &one,
			       timed ? &event : NULL, err);
}

static int add_thread(struct decoder *d, const struct thread *t,
		      struct pn_error *err)
{
	const struct pn_threaded_id id = {t->pid, t->tid, t->name,
					  t->process_name};
	uint32_t *nodes = pn_calloc(t->stacks.count + 1, sizeof(*nodes));
	uint32_t thread = pn_threaded_thread(&d->threaded, &id);
	int code = place_stacks(nodes, d, t, err);
	size_t i;

	for (i = 0; !code && i < t->samples.count; i++)
		code = add_sample(d, t, i, nodes, thread, err);
	free(nodes);
	if (code)
		pn_error_context(err, "threads[%zu]", d->threads - 1);
	return code;
}

static void release_thread(struct thread *t)
{
	free(t->samples.items);
	free(t->samples.times);
	free(t->frames.items);
	free(t->stacks.items);
	free(t->strings.items);
}

/* A thread as it is read, with its numbers as texts. */
struct reading {
	struct thread thread;
	struct pn_buf pid, tid;
};

static int take_thread(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("name", reading, thread.name),
		PN_JSON_FIELD("processName", reading, thread.process_name),
		{"pid", take_id, .offset = offsetof(struct reading, pid)},
		{"tid", take_id, .offset = offsetof(struct reading, tid)},
		{"samples", .fields = table_fields,
		 .offset = offsetof(struct reading, thread.samples)},
		{"frameTable", .fields = table_fields,
		 .offset = offsetof(struct reading, thread.frames)},
		{"stackTable", .fields = table_fields,
		 .offset = offsetof(struct reading, thread.stacks)},
		PN_JSON_STRINGS("stringTable", reading, thread.strings),
		{0},
	};
	struct decoder *d = to;
	struct pn_strtab *strings = &d->threaded.p->strings;
	struct reading r = {
		.thread = {.samples = {.names = {"stack"}, .has_times = true},
			   .frames = {.names = {"location", "line", "column"}},
			   .stacks = {.names = {"prefix", "frame"}}}};
	int code = pn_json_walk_object(&r, strings, json, first, fields, err);

	d->threads++;
	if (!code) {
		r.thread.pid = pn_strtab_add(strings, r.pid.data, r.pid.len);
		r.thread.tid = pn_strtab_add(strings, r.tid.data, r.tid.len);
		if (r.pid.len)
			d->pid = r.thread.pid;
		code = add_thread(d, &r.thread, err);
	}
	release_thread(&r.thread);
	pn_buf_release(&r.pid);
	pn_buf_release(&r.tid);
	return code;
}

struct lib {
	int64_t start, end, offset;
	uint32_t path, name, code_id;
};

static int take_lib(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_AMOUNT("start", lib, start),
		PN_JSON_AMOUNT("end", lib, end),
		PN_JSON_AMOUNT("offset", lib, offset),
		PN_JSON_FIELD("path", lib, path),
		PN_JSON_FIELD("name", lib, name),
		PN_JSON_FIELD("codeId", lib, code_id),
		{0},
	};
	struct decoder *d = to;
	struct pn_profile *p = d->threaded.p;
	struct lib lib = {0};
	struct pn_mapping m = {0};
	int code = pn_json_walk_object(&lib, &p->strings, json, first, fields,
				       err);

	if (code || lib.end <= lib.start)
		return code;
	if (d->sorted)
		return pn_json_fail(json, err, "expected before the threads");
	m.start = (uint64_t)lib.start;
	m.limit = (uint64_t)lib.end;
	m.offset = (uint64_t)lib.offset;
	m.file = lib.path ? lib.path : lib.name;
	m.build_id = lib.code_id;
	d->libs = pn_grow(d->libs, &d->lib_cap, d->lib_count + 1,
			  sizeof(*d->libs));
	d->libs[d->lib_count++] =
		(struct range){m.start, m.limit, pn_profile_add_mapping(p, &m)};
	return 0;
}

static const struct pn_json_field meta_fields[] = {
	PN_JSON_FIELD_OR_NULL("startTime", decoder, start_ms),
	PN_JSON_FIELD_OR_NULL("interval", decoder, interval_ms),
	{0},
};

static int take_meta(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;
	int code = pn_json_walk_object(d, NULL, json, first, meta_fields, err);

	if (!d->depth)
		d->first_start_ms = d->start_ms;
	return code;
}

static int take_process(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err);

/* On the clock of its process, as samples are. */
static int take_counters(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	struct decoder *d = to;

	d->counters.pid = d->pid;
	d->counters.shift_ms = d->start_ms - d->first_start_ms;
	return pn_firefox_take_counters(&d->counters, json, first, err);
}

static const struct pn_json_field process_fields[] = {
	{"libs", .each = take_lib},	  {"meta", take_meta},
	{"threads", .each = take_thread}, {"processes", .each = take_process},
	{"counters", take_counters},	  {0},
};

/* Another process: its libraries and its clock are its own. */
static int take_process(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	struct decoder *d = to;
	double start_ms = d->start_ms;
	uint32_t pid = d->pid;
	int code;

	d->depth++;
	d->counters.before++;
	d->lib_count = 0;
	d->sorted = false;
	d->pid = 0;
	code = pn_json_walk_object(d, NULL, json, first, process_fields, err);
	d->depth--;
	d->start_ms = start_ms;
	d->pid = pid;
	return code;
}

static void set_head(struct decoder *d)
{
	struct pn_profile *p = d->threaded.p;

	if (d->interval_ms > 0 && d->interval_ms < 1e9)
		pn_frames_set_period(p, "time", "nanoseconds",
				     (int64_t)(d->interval_ms * 1e6));
	pn_events_ns(&p->time_ns, d->first_start_ms, 1e6);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.threaded = {.p = out},
			    .counters = {.counters = {.p = out}}};
	int code;

	pn_profile_add_type(out, "samples", "count");
	out->types[0].better = PN_BETTER_LESS;
	code = pn_json_walk_document(&d, NULL, in, process_fields, err);
	if (!code && !d.threads)
		code = pn_error_set(err, PN_EINVAL,
				    "expected at least one thread");
	if (!code)
		set_head(&d);
	if (!code)
		pn_counters_finish(&d.counters.counters);
	out->complete = false; /* markers, pages */
	pn_counters_release(&d.counters.counters);
	pn_threaded_release(&d.threaded);
	pn_frames_release(&d.frames);
	pn_call_tree_release(&d.tree);
	free(d.libs);
	return code;
}

/* The list of libraries comes first and may be long. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (!pn_json_sniff_object(bytes, len) ||
	    pn_json_sniff_key(bytes, len, "preprocessedProfileVersion"))
		return PN_SNIFF_NO;
	return (pn_json_sniff_key(bytes, len, "libs") &&
		pn_json_sniff_key(bytes, len, "start") &&
		pn_json_sniff_key(bytes, len, "offset") &&
		pn_json_sniff_key(bytes, len, "breakpadId")) ||
			       (pn_json_sniff_key(bytes, len, "meta") &&
				pn_json_sniff_key(bytes, len, "gcpoison"))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_gecko = {
	.name = "gecko",
	.summary = "what Firefox itself writes of its threads",
	.languages = "javascript c++ rust",
	.made_by = "MOZ_PROFILER_STARTUP=1 MOZ_PROFILER_SHUTDOWN=<file> "
		   "firefox",
	.sniffed_by = "\"libs\" with \"start\" and \"breakpadId\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
