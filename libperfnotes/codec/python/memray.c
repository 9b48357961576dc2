/*
 * memray's JSON: stacks with what they hold (memray transform gprof2dot), or
 * the figures of a run (memray stats --json). TransformReporter and
 * StatsReporter of github.com/bloomberg/memray, 1.19. The first is gprof2dot's
 * own form, in which others write their costs, too: stacks are leaf first.
 */
#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct event {
	size_t chain_end, costs_end;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_json_ints names, modules; /* strings, by function */
	struct pn_json_ints chains, costs;  /* of all events */
	struct event *events;
	size_t count, cap;
	double allocations, bytes, peak; /* NaN: not there */
	bool has_events, has_functions;
};

/* What is read of a function, a cost and an event. */
struct function {
	uint32_t name, module;
};
struct cost {
	uint32_t description, unit;
};
struct reading {
	struct pn_json_ints chain, cost;
};

static void append(struct pn_json_ints *list, int64_t value)
{
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	list->items[list->count++] = value;
}

static int take_function(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("name", function, name),
		PN_JSON_FIELD("module", function, module),
		{0},
	};
	struct decoder *d = to;
	struct function f = {0};
	int code = pn_json_walk_object(&f, &d->p->strings, json, first, fields,
				       err);

	d->has_functions = true;
	append(&d->names, f.name);
	append(&d->modules, f.module);
	return code;
}

static int take_cost(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("description", cost, description),
		PN_JSON_FIELD("unit", cost, unit),
		{0},
	};
	struct decoder *d = to;
	struct cost c = {0};
	int code = pn_json_walk_object(&c, &d->p->strings, json, first, fields,
				       err);
	uint32_t at;

	if (code)
		return code;
	if (d->p->type_count == PN_MAX_VALUE_TYPES)
		return pn_json_fail(json, err, "more costs than there may be");
	at = pn_profile_add_type(
		d->p,
		c.description ? pn_profile_text(d->p, c.description) : "cost",
		c.unit ? pn_profile_text(d->p, c.unit) : "count");
	d->p->types[at].better = PN_BETTER_LESS;
	/* what there was when it was most; memray does not say whether it was
	 * asked for what leaked instead, which adds up as little */
	if (!strcmp(pn_profile_text(d->p, c.description), "Memory"))
		d->p->types[at].role = PN_ROLE_PEAK;
	return 0;
}

static int take_event(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("callchain", reading, chain),
		PN_JSON_FIELD("cost", reading, cost),
		{0},
	};
	struct decoder *d = to;
	struct reading r = {{0}, {0}};
	size_t i;
	int code = pn_json_walk_object(&r, NULL, json, first, fields, err);

	if (!code && r.chain.count > PN_MAX_STACK_DEPTH)
		code = pn_json_fail(json, err, "more frames than a stack has");
	d->has_events = true;
	for (i = 0; !code && i < r.chain.count; i++)
		append(&d->chains, r.chain.items[i]);
	for (i = 0; !code && i < r.cost.count; i++)
		append(&d->costs, r.cost.items[i]);
	d->events =
		pn_grow(d->events, &d->cap, d->count + 1, sizeof(*d->events));
	d->events[d->count++] = (struct event){d->chains.count, d->costs.count};
	free(r.chain.items);
	free(r.cost.items);
	return code;
}

static int take_metadata(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD_OR_NULL("peak_memory", decoder, peak),
		{0},
	};

	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

static int add_event(struct decoder *d, size_t at, uint32_t *stack,
		     struct pn_error *err)
{
	const struct event *e = &d->events[at];
	size_t from = at ? e[-1].chain_end : 0, n = e->chain_end - from, i;
	size_t cost = at ? e[-1].costs_end : 0;
	union pn_value row[PN_MAX_VALUE_TYPES] = {{0}};

	if (e->costs_end - cost != d->p->type_count)
		return pn_error_set(err, PN_EINVAL,
				    "events[%zu].cost: %zu values of %zu costs",
				    at, e->costs_end - cost, d->p->type_count);
	for (i = 0; i < n; i++) {
		int64_t f = d->chains.items[from + i];
		struct pn_frame frame = {.mapping = PN_NONE};

		if (f < 0 || (uint64_t)f >= d->names.count)
			return pn_error_set(err, PN_EINVAL,
					    "events[%zu].callchain: function "
					    "%" PRId64 " of %zu",
					    at, f, d->names.count);
		frame.name = (uint32_t)d->names.items[f];
		frame.file = (uint32_t)d->modules.items[f];
		stack[i] = pn_frames_location(&d->frames, d->p, &frame);
	}
	for (i = 0; i < d->p->type_count; i++)
		row[i].i = d->costs.items[cost + i];
	return pn_frames_add_sample(
		d->p, pn_frames_stack(&d->frames, d->p, stack, n), row, err);
}

static int build(struct decoder *d, struct pn_error *err)
{
	uint32_t *stack;
	size_t i, most = 0;
	int code = 0;

	if (!d->p->type_count && d->count)
		return pn_error_set(err, PN_EINVAL, "expected costs");
	for (i = 0; i < d->count; i++) {
		size_t from = i ? d->events[i - 1].chain_end : 0;

		if (d->events[i].chain_end - from > most)
			most = d->events[i].chain_end - from;
	}
	stack = pn_calloc(most + 1, sizeof(*stack));
	for (i = 0; !code && i < d->count; i++)
		code = add_event(d, i, stack, err);
	free(stack);
	return code;
}

static void add_figures(struct decoder *d)
{
	const struct {
		const char *name, *unit;
		double value;
	} figures[] = {{"allocations", "count", d->allocations},
		       {"allocated", "bytes", d->bytes},
		       {"peak memory", "bytes", d->peak}};
	size_t i;

	for (i = 0; i < 3; i++)
		if (!isnan(figures[i].value))
			pn_profile_add_metric(d->p, figures[i].name,
					      figures[i].unit, PN_BETTER_LESS,
					      &figures[i].value, 1);
}

static void release(struct decoder *d)
{
	pn_frames_release(&d->frames);
	free(d->names.items);
	free(d->modules.items);
	free(d->chains.items);
	free(d->costs.items);
	free(d->events);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"costs", .each = take_cost},
		{"events", .each = take_event},
		{"functions", .each = take_function},
		PN_JSON_FIELD("total_num_allocations", decoder, allocations),
		PN_JSON_FIELD("total_bytes_allocated", decoder, bytes),
		{"metadata", take_metadata},
		{0},
	};
	struct decoder d = {
		.p = out, .allocations = NAN, .bytes = NAN, .peak = NAN};
	int code = pn_json_walk_document(&d, &out->strings, in, fields, err);

	if (!code && isnan(d.bytes) && (!d.has_events || !d.has_functions))
		code = pn_error_set(err, PN_EINVAL,
				    "expected costs, events and functions, or "
				    "total_bytes_allocated");
	if (!code)
		code = build(&d, err);
	if (!code && !isnan(d.bytes))
		add_figures(&d);
	out->complete = false; /* histograms, which functions are largest */
	release(&d);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	if (!pn_json_sniff_object(bytes, len))
		return PN_SNIFF_NO;
	return (pn_json_sniff_key(bytes, len, "costs") &&
		pn_json_sniff_key(bytes, len, "events") &&
		pn_json_sniff_key(bytes, len, "callchain")) ||
			       (pn_json_sniff_key(bytes, len,
						  "total_num_allocations") &&
				pn_json_sniff_key(bytes, len,
						  "total_bytes_allocated"))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_memray = {
	.name = "memray",
	.summary = "memray's JSON: stacks, or figures of the heap",
	.languages = "python",
	.made_by = "memray transform gprof2dot <file>, memray stats --json "
		   "<file>",
	.sniffed_by = "\"costs\" and \"callchain\", or "
		      "\"total_num_allocations\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
