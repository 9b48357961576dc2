/*
 * Reading speedscope's own format: frames shared by profiles, each a list of
 * weighted stacks ("sampled") or of calls opened and closed ("evented").
 * github.com/jlfwong/speedscope, src/lib/file-format-spec.ts.
 *
 * Each profile (a thread, mostly) becomes samples with the label "profile";
 * one value type a unit. In files of git-perf's own writer each profile is a
 * value type, by its name: what is allocated and what is in use are not added
 * up.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/call_tree.h"
#include "codec/frames.h"
#include "codec/json/walk.h"
#include "codec/speedscope/speedscope.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Units as the schema lists them, and what they measure. */
static const struct {
	const char *unit, *type, *name;
	double ns; /* 0: no time */
} units[] = {
	{"none", "samples", "count"},
	{"nanoseconds", "time", "nanoseconds", 1},
	{"microseconds", "time", "microseconds", 1e3},
	{"milliseconds", "time", "milliseconds", 1e6},
	{"seconds", "time", "seconds", 1e9},
	{"bytes", "space", "bytes"},
};

#define UNITS (sizeof(units) / sizeof(*units))

/* A stack as the file has it: a run of indices, root first. */
struct run {
	size_t first, count;
};

struct event {
	bool is_close;
	double at;
	int64_t frame;
};

/* One profile of the file: where its lists begin in those of all. */
struct part {
	struct decoder *of;
	uint32_t name, unit, type;
	uint32_t of_type; /* string, in our own: samples are in order */
	size_t runs, weights, events;
	size_t column; /* its value type */
	double start;  /* of the first sample */
	uint32_t thread;
};

struct weighed {
	size_t part;
	uint32_t node; /* of the tree, or PN_NONE */
	double at, weight;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_call_tree tree;
	uint32_t *locations; /* by index of the file */
	size_t location_count, location_cap;
	int64_t *indices;
	size_t index_count, index_cap;
	struct run *runs;
	size_t run_count, run_cap;
	double *weights;
	size_t weight_count, weight_cap;
	struct event *events;
	size_t event_count, event_cap;
	struct part *parts;
	size_t part_count, part_cap;
	struct weighed *weighed;
	size_t weighed_count, weighed_cap;
	bool has_shared, own;
	uint32_t exporter; /* string */
	int64_t active;	   /* the profile that is shown first */
};

static void release(struct decoder *d)
{
	pn_frames_release(&d->frames);
	pn_call_tree_release(&d->tree);
	free(d->locations);
	free(d->indices);
	free(d->runs);
	free(d->weights);
	free(d->events);
	free(d->parts);
	free(d->weighed);
}

static int take_frame(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("name", pn_frame, name),
		PN_JSON_FIELD("file", pn_frame, file),
		PN_JSON_FIELD_OR_NULL("line", pn_frame, line),
		PN_JSON_FIELD_OR_NULL("col", pn_frame, column),
		{0},
	};
	struct decoder *d = to;
	struct pn_frame frame = {.mapping = PN_NONE};
	int code = pn_json_walk_object(&frame, &d->p->strings, json, first,
				       fields, err);

	if (code)
		return code;
	d->locations = pn_grow(d->locations, &d->location_cap,
			       d->location_count + 1, sizeof(*d->locations));
	d->locations[d->location_count++] =
		pn_frames_location(&d->frames, d->p, &frame);
	return 0;
}

static int take_shared(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"frames", .each = take_frame},
		{0},
	};

	((struct decoder *)to)->has_shared = true;
	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

static int take_index(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	struct decoder *d = to;

	d->indices = pn_grow(d->indices, &d->index_cap, d->index_count + 1,
			     sizeof(*d->indices));
	return pn_json_take_int(&d->indices[d->index_count++], json, first,
				err);
}

static int take_run(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct decoder *d = ((struct part *)to)->of;
	struct run run = {.first = d->index_count};
	int code = pn_json_walk_array(d, json, first, take_index, err);

	if (code)
		return code;
	run.count = d->index_count - run.first;
	d->runs = pn_grow(d->runs, &d->run_cap, d->run_count + 1, sizeof(run));
	d->runs[d->run_count++] = run;
	return 0;
}

static int take_weight(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	struct decoder *d = ((struct part *)to)->of;

	d->weights = pn_grow(d->weights, &d->weight_cap, d->weight_count + 1,
			     sizeof(*d->weights));
	return pn_json_take_double(&d->weights[d->weight_count++], json, first,
				   err);
}

static int take_event_type(void *to, struct pn_json *json,
			   enum pn_json_event first, struct pn_error *err)
{
	struct event *event = to;
	const char *text = first == PN_JSON_STRING ? pn_json_text(json) : "";

	event->is_close = !strcmp(text, "C");
	if (strcmp(text, "O") != 0 && !event->is_close)
		return pn_json_fail(json, err, "expected \"O\" or \"C\"");
	return 0;
}

static int take_event(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"type", take_event_type},
		PN_JSON_FIELD("at", event, at),
		PN_JSON_FIELD("frame", event, frame),
		{0},
	};
	struct decoder *d = ((struct part *)to)->of;
	struct event event = {.at = NAN, .frame = -1};
	int code = pn_json_walk_object(&event, NULL, json, first, fields, err);

	if (!code && (isnan(event.at) || event.frame < 0))
		code = pn_json_fail(json, err, "expected type, frame and at");
	if (code)
		return code;
	d->events = pn_grow(d->events, &d->event_cap, d->event_count + 1,
			    sizeof(*d->events));
	d->events[d->event_count++] = event;
	return 0;
}

/* .NET's writer (TraceEvent, SpeedScopeStackSourceWriter) puts the number into
 * quotes. */
static int take_start(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	struct part *part = to;

	if (first == PN_JSON_NULL)
		return 0;
	if (first != PN_JSON_STRING)
		return pn_json_take_double(&part->start, json, first, err);
	return pn_number_double(&part->start, pn_json_text(json),
				pn_json_len(json)) &&
			       isfinite(part->start)
		       ? 0
		       : pn_json_fail(json, err, "expected a number");
}

static int take_part(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("type", part, type),
		PN_JSON_FIELD("name", part, name),
		PN_JSON_FIELD("unit", part, unit),
		PN_JSON_FIELD(PN_SPEEDSCOPE_TYPE, part, of_type),
		{"startValue", take_start},
		{"samples", .each = take_run},
		{"weights", .each = take_weight},
		{"events", .each = take_event},
		{0},
	};
	struct decoder *d = to;
	struct part *part;

	d->parts = pn_grow(d->parts, &d->part_cap, d->part_count + 1,
			   sizeof(*d->parts));
	part = &d->parts[d->part_count++];
	*part = (struct part){
		.of = d,
		.runs = d->run_count,
		.weights = d->weight_count,
		.events = d->event_count,
	};
	return pn_json_walk_object(part, &d->p->strings, json, first, fields,
				   err);
}

static void weigh(struct decoder *d, size_t part, uint32_t node, double at,
		  double weight)
{
	struct weighed *w;

	d->weighed = pn_grow(d->weighed, &d->weighed_cap, d->weighed_count + 1,
			     sizeof(*w));
	w = &d->weighed[d->weighed_count++];
	w->part = part;
	w->node = node;
	w->at = at;
	w->weight = weight;
}

static int find_location(uint32_t *out, const struct decoder *d, int64_t index,
			 struct pn_error *err)
{
	if (index < 0 || (uint64_t)index >= d->location_count)
		return pn_error_set(err, PN_EINVAL,
				    "frame %" PRId64 " of the %zu shared ones",
				    index, d->location_count);
	*out = d->locations[index];
	return 0;
}

static int weigh_runs(struct decoder *d, size_t part, size_t runs,
		      size_t weights, struct pn_error *err)
{
	const struct part *at = &d->parts[part];
	double now = at->start;
	size_t i, n;

	if (runs - at->runs != weights - at->weights)
		return pn_error_set(err, PN_EINVAL,
				    "%zu samples and %zu weights",
				    runs - at->runs, weights - at->weights);
	for (i = 0; i < runs - at->runs; i++) {
		const struct run *run = &d->runs[at->runs + i];
		uint32_t node = PN_NONE, location;

		for (n = 0; n < run->count; n++) {
			if (find_location(&location, d,
					  d->indices[run->first + n], err))
				return PN_EINVAL;
			node = pn_call_tree_child(&d->tree, node, location);
		}
		weigh(d, part, node, now, d->weights[at->weights + i]);
		now += d->weights[at->weights + i];
	}
	return 0;
}

/* Time goes to what is open; the order of closing is that of opening. */
static int weigh_events(struct decoder *d, size_t part, size_t events,
			struct pn_error *err)
{
	size_t i, first = d->parts[part].events;
	uint32_t node = PN_NONE, location;

	for (i = first; i < events; i++) {
		const struct event *e = &d->events[i];

		if (i > first && e->at < e[-1].at)
			return pn_error_set(err, PN_EINVAL,
					    "event %zu is before the last one",
					    i - first);
		if (i > first && node != PN_NONE && e->at > e[-1].at)
			weigh(d, part, node, e[-1].at, e->at - e[-1].at);
		if (find_location(&location, d, e->frame, err))
			return PN_EINVAL;
		if (!e->is_close) {
			node = pn_call_tree_child(&d->tree, node, location);
			continue;
		}
		if (node == PN_NONE || d->tree.location[node] != location)
			return pn_error_set(err, PN_EINVAL,
					    "event %zu closes what is not the "
					    "innermost open frame",
					    i - first);
		node = d->tree.parent[node];
	}
	return 0;
}

static size_t find_unit(const struct decoder *d, const struct part *part)
{
	const char *unit = pn_profile_text(d->p, part->unit);
	size_t i;

	for (i = 0; i < UNITS; i++)
		if (!strcmp(units[i].unit, *unit ? unit : "none"))
			return i;
	return UNITS;
}

static int weigh_part(struct decoder *d, size_t i, struct pn_error *err)
{
	const struct part *part = &d->parts[i], *next = part + 1;
	bool last = i + 1 == d->part_count;
	const char *type = pn_profile_text(d->p, part->type);
	int code;

	if (find_unit(d, part) == UNITS)
		return pn_error_set(err, PN_EINVAL,
				    "profiles[%zu].unit: expected none, bytes "
				    "or a unit of time, have '%.40s'",
				    i, pn_profile_text(d->p, part->unit));
	if (!strcmp(type, "sampled"))
		code = weigh_runs(d, i, last ? d->run_count : next->runs,
				  last ? d->weight_count : next->weights, err);
	else if (!strcmp(type, "evented"))
		code = weigh_events(d, i, last ? d->event_count : next->events,
				    err);
	else
		code = pn_error_set(err, PN_EINVAL,
				    "type: expected \"sampled\" or "
				    "\"evented\", have '%.40s'",
				    type);
	return code ? pn_error_context(err, "profiles[%zu]", i) : 0;
}

/* What tells value types apart in our own. */
static uint32_t type_name(const struct part *part)
{
	return part->of_type ? part->of_type : part->name;
}

/* The first profile whose value type this one has, among `firsts`, each of
 * another type; `count` when it is of none. */
static size_t first_like(const struct decoder *d, size_t at,
			 const size_t *firsts, size_t count)
{
	size_t unit = find_unit(d, &d->parts[at]), k;

	for (k = 0; k < count; k++) {
		const struct part *first = &d->parts[firsts[k]];

		if (find_unit(d, first) == unit &&
		    (!d->own || type_name(first) == type_name(&d->parts[at])))
			break;
	}
	return k;
}

/* Whether names are those of value types: written by pn_speedscope_write. */
static void find_own(struct decoder *d)
{
	size_t firsts[PN_MAX_VALUE_TYPES + 1], count = 0, i;

	d->own = !strcmp(pn_profile_text(d->p, d->exporter),
			 PN_SPEEDSCOPE_EXPORTER);
	for (i = 0; d->own && i < d->part_count; i++)
		if (first_like(d, i, firsts, count) == count) {
			firsts[count++] = i;
			d->own = count <= PN_MAX_VALUE_TYPES;
		}
}

/* One value type a unit, or a name, in order of first use; whole numbers where
 * all are. The default is that of the active profile. */
static void add_types(struct decoder *d)
{
	size_t firsts[PN_MAX_VALUE_TYPES], i, k, unit;

	find_own(d);
	for (i = 0; i < d->part_count; i++) {
		struct part *part = &d->parts[i];

		part->column = first_like(d, i, firsts, d->p->type_count);
		if (part->column < d->p->type_count)
			continue;
		firsts[part->column] = i;
		unit = find_unit(d, part);
		pn_profile_add_type(d->p, units[unit].type, units[unit].name);
		d->p->types[part->column].better = PN_BETTER_LESS;
		if (d->own && type_name(part))
			d->p->types[part->column].type = type_name(part);
	}
	if (d->active >= 0 && (uint64_t)d->active < d->part_count)
		d->p->default_type =
			d->p->types[d->parts[d->active].column].type;
	for (i = 0; i < d->weighed_count; i++) {
		double weight = d->weighed[i].weight;

		k = d->parts[d->weighed[i].part].column;
		if (weight != floor(weight) || fabs(weight) > 0x1p53)
			d->p->types[k].number = PN_NUMBER_DOUBLE;
	}
}

static uint32_t label_part(struct decoder *d, const struct part *part)
{
	struct pn_label label = {
		.key = pn_strtab_add_text(&d->p->strings, "profile"),
		.kind = PN_LABEL_STRING,
		.value.s = part->name,
	};

	return part->name && !d->own ? pn_profile_add_label_set(d->p, &label, 1)
				     : 0;
}

/* Profiles of other writers are threads, whose samples are in order, and so are
 * those of our own that say so. */
static void add_threads(struct decoder *d)
{
	size_t i;

	for (i = 0; i < d->part_count; i++)
		if (!d->own || d->parts[i].of_type)
			d->parts[i].thread = pn_events_add_thread(
				d->p, PN_NONE, 0, d->parts[i].name);
}

static void add_time(struct decoder *d, const struct weighed *w, uint32_t stack)
{
	const struct part *part = &d->parts[w->part];
	double unit_ns = units[find_unit(d, part)].ns;
	struct pn_event event = {
		.stack = stack,
		.thread = part->thread,
		.type = (uint32_t)part->column,
	};

	if (unit_ns > 0 && (!d->own || part->of_type) && w->weight >= 0 &&
	    pn_events_ns(&event.time_ns, w->at, unit_ns) &&
	    pn_events_ns(&event.duration_ns, w->weight, unit_ns))
		pn_events_add(d->p, &event);
}

static int add_samples(struct decoder *d, struct pn_error *err)
{
	union pn_value row[PN_MAX_VALUE_TYPES];
	size_t i, part = SIZE_MAX, at;
	uint32_t stack, labels = 0;

	add_types(d);
	add_threads(d);
	for (i = 0; i < d->weighed_count; i++) {
		const struct weighed *w = &d->weighed[i];

		if (w->part != part)
			labels = label_part(d, &d->parts[w->part]);
		part = w->part;
		if (pn_call_tree_stack(&stack, &d->tree, d->p, w->node, err))
			return PN_ELIMIT;
		memset(row, 0, sizeof(row));
		at = d->parts[part].column;
		if (d->p->types[at].number == PN_NUMBER_DOUBLE)
			row[at].d = w->weight;
		else
			row[at].i = (int64_t)w->weight;
		pn_profile_add_sample(d->p, stack, labels, row);
		add_time(d, w, stack);
	}
	return 0;
}

int pn_speedscope_read(struct pn_profile *out, struct pn_reader *in,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"shared", take_shared},
		{"profiles", .each = take_part},
		PN_JSON_FIELD("exporter", decoder, exporter),
		PN_JSON_FIELD_OR_NULL("activeProfileIndex", decoder, active),
		{0},
	};
	struct decoder d = {.p = out, .active = -1};
	size_t i;
	int code = pn_json_walk_document(&d, &out->strings, in, fields, err);

	if (!code && (!d.has_shared || !d.part_count))
		code = pn_error_set(err, PN_EINVAL,
				    "expected shared frames and at least one "
				    "profile");
	for (i = 0; !code && i < d.part_count; i++)
		code = weigh_part(&d, i, err);
	if (!code)
		code = add_samples(&d, err);
	out->complete = false; /* names of the file and its profiles */
	release(&d);
	return code;
}
