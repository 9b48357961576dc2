/*
 * Firefox's processed profiles (profiler.firefox.com, samply): tables in
 * columns, of each thread or, since version 56, shared by all of them.
 * github.com/firefox-devtools/profiler, src/types/profile.ts.
 *
 * A thread becomes samples with the labels "thread" and "pid". Markers,
 * counters and the order in time are not kept.
 */
#include "base/alloc.h"
#include "codec/call_tree.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/json_sniff.h"
#include "codec/json_walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX (1u << 16)

/* Columns of tables; null is -1. */
enum column {
	STACK_FRAME,
	STACK_PREFIX,
	STACK_OFFSET, /* since version 66: how far before it the prefix is */
	FRAME_FUNC,
	FRAME_LINE,
	FRAME_COLUMN,
	FUNC_NAME,
	FUNC_FILE,
	FUNC_SOURCE, /* since version 57: of the table of sources */
	FUNC_LINE,
	SOURCE_FILE,
	STRINGS, /* ids of the profile */
	COLUMNS
};

struct list {
	int64_t *items;
	size_t count, cap;
};

struct tables {
	struct list columns[COLUMNS];
};

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
	struct tables tables;
	struct list stacks; /* of samples; null: nothing ran */
	double *weights;
	size_t weight_count, weight_cap;
	uint32_t name, pid, weight_type; /* strings */
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_call_tree tree;
	struct tables shared;
	uint32_t *shared_nodes; /* by stack of `shared`, once asked for */
	struct thread *threads;
	size_t count, cap;
	struct tables *at; /* that are read */
	double interval_ms;
	bool has_meta;
};

static void release_tables(struct tables *t)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		free(t->columns[i].items);
}

static void release(struct decoder *d)
{
	size_t i;

	for (i = 0; i < d->count; i++) {
		release_tables(&d->threads[i].tables);
		free(d->threads[i].stacks.items);
		free(d->threads[i].weights);
	}
	free(d->threads);
	release_tables(&d->shared);
	free(d->shared_nodes);
	pn_frames_release(&d->frames);
	pn_call_tree_release(&d->tree);
}

static int64_t *append(struct list *list)
{
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	return &list->items[list->count++];
}

static int take_item(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	int64_t *item = append(to);

	*item = -1;
	return first == PN_JSON_NULL ? 0
				     : pn_json_take_int(item, json, first, err);
}

static struct thread *last(void *to)
{
	struct decoder *d = to;

	return &d->threads[d->count - 1];
}

#define COLUMN(name, column)                                                   \
	static int take_##name(void *to, struct pn_json *json,                 \
			       enum pn_json_event first, struct pn_error *err) \
	{                                                                      \
		struct decoder *d = to;                                        \
                                                                               \
		return pn_json_walk_array(&d->at->columns[column], json,       \
					  first, take_item, err);              \
	}
COLUMN(stack_frame, STACK_FRAME)
COLUMN(stack_prefix, STACK_PREFIX)
COLUMN(stack_offset, STACK_OFFSET)
COLUMN(frame_func, FRAME_FUNC)
COLUMN(frame_line, FRAME_LINE)
COLUMN(frame_column, FRAME_COLUMN)
COLUMN(func_name, FUNC_NAME)
COLUMN(func_file, FUNC_FILE)
COLUMN(func_source, FUNC_SOURCE)
COLUMN(func_line, FUNC_LINE)
COLUMN(source_file, SOURCE_FILE)

#define TABLE(name, ...)                                                       \
	static int take_##name(void *to, struct pn_json *json,                 \
			       enum pn_json_event first, struct pn_error *err) \
	{                                                                      \
		static const struct pn_json_field fields[] = {__VA_ARGS__,     \
							      {0}};            \
                                                                               \
		return pn_json_walk_object(to, json, first, fields, err);      \
	}
TABLE(stack_table, {"frame", take_stack_frame}, {"prefix", take_stack_prefix},
      {"prefixOffset", take_stack_offset})
TABLE(frame_table, {"func", take_frame_func}, {"line", take_frame_line},
      {"column", take_frame_column})
TABLE(func_table, {"name", take_func_name}, {"fileName", take_func_file},
      {"source", take_func_source}, {"lineNumber", take_func_line})
TABLE(source_table, {"filename", take_source_file})

static int take_string(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	struct decoder *d = to;
	uint32_t id;
	int code = pn_json_take_string(&id, &d->p->strings, json, first, err);

	if (!code)
		*append(&d->at->columns[STRINGS]) = id;
	return code;
}

static int take_strings(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_string, err);
}

#define TABLE_FIELDS                                                           \
	{"stackTable", take_stack_table}, {"frameTable", take_frame_table},    \
		{"funcTable", take_func_table},                                \
		{"sources", take_source_table}, {"stringArray", take_strings}, \
	{                                                                      \
		"stringTable", take_strings                                    \
	}

static int take_shared(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {TABLE_FIELDS, {0}};
	struct decoder *d = to;

	d->at = &d->shared;
	return pn_json_walk_object(d, json, first, fields, err);
}

static int take_sample_stack(void *to, struct pn_json *json,
			     enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(&last(to)->stacks, json, first, take_item,
				  err);
}

static int take_weight(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	struct thread *t = last(to);

	t->weights = pn_grow(t->weights, &t->weight_cap, t->weight_count + 1,
			     sizeof(*t->weights));
	return pn_json_take_double(&t->weights[t->weight_count++], json, first,
				   err);
}

static int take_weights(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	if (first == PN_JSON_NULL)
		return 0;
	return pn_json_walk_array(to, json, first, take_weight, err);
}

static int take_weight_type(void *to, struct pn_json *json,
			    enum pn_json_event first, struct pn_error *err)
{
	return pn_json_take_string(&last(to)->weight_type,
				   &((struct decoder *)to)->p->strings, json,
				   first, err);
}

TABLE(samples, {"stack", take_sample_stack}, {"weight", take_weights},
      {"weightType", take_weight_type})

static int take_name(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	return pn_json_take_string(&last(to)->name,
				   &((struct decoder *)to)->p->strings, json,
				   first, err);
}

/* A number or a string. */
static int take_pid(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct decoder *d = to;

	if (first != PN_JSON_NUMBER)
		return pn_json_take_string(&last(to)->pid, &d->p->strings, json,
					   first, err);
	last(to)->pid = pn_strtab_add(&d->p->strings, pn_json_text(json),
				      pn_json_len(json));
	return 0;
}

static int take_thread(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		TABLE_FIELDS,
		{"samples", take_samples},
		{"name", take_name},
		{"pid", take_pid},
		{0},
	};
	struct decoder *d = to;

	if (d->count >= THREADS_MAX)
		return pn_json_fail(json, err, "more than 65536 threads");
	d->threads =
		pn_grow(d->threads, &d->cap, d->count + 1, sizeof(*d->threads));
	memset(&d->threads[d->count], 0, sizeof(*d->threads));
	d->at = &d->threads[d->count++].tables;
	return pn_json_walk_object(d, json, first, fields, err);
}

static int take_threads(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_thread, err);
}

static int take_interval(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	return pn_json_take_double(&((struct decoder *)to)->interval_ms, json,
				   first, err);
}

static int take_meta(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"interval", take_interval},
		{0},
	};

	((struct decoder *)to)->has_meta = true;
	return pn_json_walk_object(to, json, first, fields, err);
}

/* An item of a column, -1 where the column is absent or shorter. */
static int64_t item_of(const struct tables *t, enum column column, int64_t at)
{
	const struct list *list = &t->columns[column];

	return at >= 0 && (uint64_t)at < list->count ? list->items[at] : -1;
}

static uint32_t string_of(const struct tables *t, int64_t at)
{
	int64_t id = item_of(t, STRINGS, at);

	return id < 0 ? 0 : (uint32_t)id;
}

static uint32_t location_of(struct decoder *d, const struct tables *t,
			    int64_t frame)
{
	int64_t func = item_of(t, FRAME_FUNC, frame);
	int64_t source = item_of(t, FUNC_SOURCE, func);
	int64_t line = item_of(t, FUNC_LINE, func);
	struct pn_frame f = {
		.name = string_of(t, item_of(t, FUNC_NAME, func)),
		.file = string_of(t, source < 0
					     ? item_of(t, FUNC_FILE, func)
					     : item_of(t, SOURCE_FILE, source)),
		.mapping = PN_NONE,
		.start_line = line < 0 ? 0 : line,
	};

	line = item_of(t, FRAME_LINE, frame);
	f.line = line < 0 ? f.start_line : line;
	line = item_of(t, FRAME_COLUMN, frame);
	f.column = line < 0 ? 0 : line;
	return pn_frames_location(&d->frames, d->p, &f);
}

/* The node of every stack: a prefix stands before what it leads to. */
static int place_stacks(uint32_t **out, struct decoder *d,
			const struct tables *t, struct pn_error *err)
{
	size_t n = t->columns[STACK_FRAME].count, i;
	bool offsets = t->columns[STACK_OFFSET].count > 0;
	uint32_t *nodes = pn_calloc(n + 1, sizeof(*nodes));

	for (i = 0; i < n; i++) {
		int64_t frame = item_of(t, STACK_FRAME, (int64_t)i);
		int64_t prefix = item_of(t, STACK_PREFIX, (int64_t)i);

		if (offsets) {
			prefix = item_of(t, STACK_OFFSET, (int64_t)i);
			prefix = prefix > 0 ? (int64_t)i - prefix : -1;
		}
		if (prefix >= (int64_t)i || item_of(t, FRAME_FUNC, frame) < 0) {
			free(nodes);
			return pn_error_set(err, PN_EINVAL,
					    "stack %zu has no frame, or its "
					    "prefix is not before it",
					    i);
		}
		nodes[i] = pn_call_tree_child(
			&d->tree, prefix < 0 ? PN_NONE : nodes[prefix],
			location_of(d, t, frame));
	}
	*out = nodes;
	return 0;
}

static enum weight kind_of(const struct decoder *d, const struct thread *t)
{
	const char *name = pn_profile_text(d->p, t->weight_type);
	size_t i;

	for (i = 0; t->weight_count && i < WEIGHTS; i++)
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
		labels[n].key = pn_strtab_add_text(&d->p->strings, "pid");
		labels[n++].value.s = t->pid;
	}
	if (t->name) {
		labels[n].key = pn_strtab_add_text(&d->p->strings, "thread");
		labels[n++].value.s = t->name;
	}
	return pn_profile_add_label_set(d->p, labels, n);
}

static int add_thread(struct decoder *d, const struct thread *t,
		      const size_t column[WEIGHTS], struct pn_error *err)
{
	bool own = t->tables.columns[STACK_FRAME].count > 0;
	const struct tables *tables = own ? &t->tables : &d->shared;
	size_t i, n = tables->columns[STACK_FRAME].count;
	size_t at = column[kind_of(d, t)];
	uint32_t labels = label_thread(d, t), *nodes = NULL, stack;
	union pn_value row[WEIGHTS];
	int code = 0;

	if (own)
		code = place_stacks(&nodes, d, tables, err);
	else if (!d->shared_nodes)
		code = place_stacks(&d->shared_nodes, d, tables, err);
	if (!own)
		nodes = d->shared_nodes;

	for (i = 0; !code && i < t->stacks.count; i++) {
		int64_t of = t->stacks.items[i];
		double weight = t->weight_count ? t->weights[i] : 1;

		if (of < 0)
			continue;
		if ((uint64_t)of >= n)
			code = pn_error_set(err, PN_EINVAL,
					    "samples.stack[%zu]: %" PRId64
					    " of %zu stacks",
					    i, of, n);
		else
			code = pn_call_tree_stack(&stack, &d->tree, d->p,
						  nodes[of], err);
		if (code)
			break;
		memset(row, 0, sizeof(row));
		if (d->p->types[at].number == PN_NUMBER_DOUBLE)
			row[at].d = weight;
		else
			row[at].i = (int64_t)weight;
		pn_profile_add_sample(d->p, stack, labels, row);
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

		if (t->weight_count && t->weight_count != t->stacks.count)
			return pn_error_set(err, PN_EINVAL,
					    "threads[%zu].samples: %zu stacks "
					    "and %zu weights",
					    i, t->stacks.count,
					    t->weight_count);
		kind = kind_of(d, t);
		if (column[kind] == SIZE_MAX)
			column[kind] = pn_profile_add_type(
				d->p, weights[kind].type, weights[kind].unit);
		for (n = 0; n < t->weight_count; n++)
			if (t->weights[n] != floor(t->weights[n]) ||
			    fabs(t->weights[n]) > 0x1p53)
				d->p->types[column[kind]].number =
					PN_NUMBER_DOUBLE;
	}
	return 0;
}

static void set_period(struct decoder *d)
{
	if (!(d->interval_ms > 0) || d->interval_ms > 1e9)
		return;
	d->p->period_type.type = pn_strtab_add_text(&d->p->strings, "time");
	d->p->period_type.unit =
		pn_strtab_add_text(&d->p->strings, "nanoseconds");
	d->p->period = (int64_t)(d->interval_ms * 1e6);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"meta", take_meta},
		{"shared", take_shared},
		{"threads", take_threads},
		{0},
	};
	struct decoder d = {.p = out};
	size_t column[WEIGHTS], i;
	int code = pn_json_walk_document(&d, in, fields, err);

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
	out->complete = false;
	release(&d);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (!pn_json_sniff_object(bytes, len))
		return PN_SNIFF_NO;
	if (pn_json_sniff_key(bytes, len, "preprocessedProfileVersion"))
		return PN_SNIFF_SURE;
	return pn_json_sniff_key(bytes, len, "stackTable") &&
			       pn_json_sniff_key(bytes, len, "frameTable")
		       ? PN_SNIFF_LIKELY
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_firefox = {
	.name = "firefox",
	.summary = "Firefox's processed profile (samply)",
	.sniffed_by = "\"preprocessedProfileVersion\"",
	.suffix = ".json",
	.sniff = sniff,
	.read = read_profile,
};
