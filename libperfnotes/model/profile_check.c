/* The rules that every consumer of a profile relies on. */
#include "model/profile.h"

#include "base/ahead.h"
#include "model/timeline/curves.h"
#include "model/timeline/events.h"
#include "model/timeline/ticks.h"

static int bad(struct pn_error *err, const char *what, size_t index,
	       const char *field)
{
	return pn_error_set(err, PN_EINVAL, "%s %zu has a bad %s", what, index,
			    field);
}

/* "" needs no table. */
static bool has_string(const struct pn_profile *p, uint32_t id)
{
	return !id || id < p->strings.count;
}

static int check_header(const struct pn_profile *p, struct pn_error *err)
{
	const struct pn_header *h = &p->header;
	size_t i;

	if (!has_string(p, h->kind) || !has_string(p, h->cmd) ||
	    !has_string(p, h->args) || !has_string(p, h->workload) ||
	    !has_string(p, h->name) || !has_string(p, h->origin) ||
	    !has_string(p, h->source_root) ||
	    !has_string(p, h->collector.name) ||
	    !has_string(p, h->collector.params))
		return pn_error_set(err, PN_EINVAL,
				    "the header has a bad string");
	for (i = 0; i < h->post_count; i++)
		if (!has_string(p, h->posts[i].name) ||
		    !has_string(p, h->posts[i].params))
			return bad(err, "postprocessor", i, "string");
	for (i = 0; i < h->environment_count; i++)
		if (!has_string(p, h->environment[i].key) ||
		    !has_string(p, h->environment[i].value))
			return bad(err, "environment fact", i, "string");
	for (i = 0; i < h->label_count; i++)
		if (!has_string(p, h->labels[i].key) ||
		    !has_string(p, h->labels[i].value))
			return bad(err, "label of the profile", i, "string");
	for (i = 0; i < h->extra_count; i++)
		if (!has_string(p, h->extras[i].key) ||
		    !has_string(p, h->extras[i].value))
			return bad(err, "extra", i, "string");
	for (i = 0; i < h->model_count; i++)
		if (!has_string(p, h->models[i]))
			return bad(err, "model", i, "string");
	return 0;
}

static int check_type(const struct pn_profile *p,
		      const struct pn_value_type *type, size_t i,
		      struct pn_error *err)
{
	if (!has_string(p, type->type) || !has_string(p, type->unit))
		return bad(err, "value type", i, "string");
	if (type->better > PN_BETTER_MORE || type->number > PN_NUMBER_DOUBLE)
		return bad(err, "value type", i, "direction or number");
	return 0;
}

static int check_types(const struct pn_profile *p, struct pn_error *err)
{
	size_t i;

	if (p->sample_count && !p->type_count)
		return pn_error_set(err, PN_EINVAL,
				    "%zu samples but no value type",
				    p->sample_count);
	if (p->type_count > PN_MAX_VALUE_TYPES)
		return pn_error_set(err, PN_ELIMIT,
				    "%zu value types, at most %d are allowed",
				    p->type_count, PN_MAX_VALUE_TYPES);
	for (i = 0; i < p->type_count; i++)
		if (check_type(p, &p->types[i], i, err))
			return PN_EINVAL;
	if (check_type(p, &p->period_type, p->type_count, err))
		return PN_EINVAL;
	if (!has_string(p, p->default_type) || !has_string(p, p->drop_frames) ||
	    !has_string(p, p->keep_frames) || !has_string(p, p->doc_url))
		return pn_error_set(err, PN_EINVAL,
				    "the profile has a bad string");
	for (i = 0; i < p->comment_count; i++)
		if (!has_string(p, p->comments[i]))
			return bad(err, "comment", i, "string");
	return 0;
}

static int check_code(const struct pn_profile *p, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < p->mapping_count; i++)
		if (!has_string(p, p->mappings[i].file) ||
		    !has_string(p, p->mappings[i].build_id))
			return bad(err, "mapping", i, "string");
	for (i = 0; i < p->function_count; i++)
		if (!has_string(p, p->functions[i].name) ||
		    !has_string(p, p->functions[i].system_name) ||
		    !has_string(p, p->functions[i].file))
			return bad(err, "function", i, "string");
	for (i = 0; i < p->line_count; i++)
		if (p->lines[i].function >= p->function_count)
			return bad(err, "line", i, "function");
	for (i = 0; i < p->location_count; i++) {
		const struct pn_location *l = &p->locations[i];

		if (l->mapping != PN_NONE && l->mapping >= p->mapping_count)
			return bad(err, "location", i, "mapping");
		if (l->line_first > p->line_count ||
		    l->line_count > p->line_count - l->line_first)
			return bad(err, "location", i, "range of lines");
	}
	return 0;
}

/* Whether runs follow each other from 0 to the end of their column. */
static bool runs_are_whole(const uint32_t *starts, size_t runs, size_t end)
{
	size_t i;

	if (!runs)
		return !end;
	if (!starts || starts[0] || starts[runs] != end)
		return false;
	for (i = 0; i < runs; i++)
		if (starts[i] > starts[i + 1])
			return false;
	return true;
}

static int check_label(const struct pn_profile *p, size_t i,
		       struct pn_error *err)
{
	const struct pn_label *label = &p->labels[i];

	if (label->kind > PN_LABEL_JSON)
		return bad(err, "label", i, "kind");
	if (!has_string(p, label->key) || !has_string(p, label->unit))
		return bad(err, "label", i, "string");
	if ((label->kind == PN_LABEL_STRING || label->kind == PN_LABEL_JSON) &&
	    !has_string(p, label->value.s))
		return bad(err, "label", i, "value");
	return 0;
}

#define LANES 4

/* Of millions, without a branch at each, and without waiting for the one
 * before. */
static uint32_t largest_of(const uint32_t *at, size_t count)
{
	uint32_t largest[LANES] = {0};
	size_t i, lane;

	for (i = 0; i + LANES <= count; i += LANES)
		for (lane = 0; lane < LANES; lane++)
			if (at[i + lane] > largest[lane])
				largest[lane] = at[i + lane];
	for (; i < count; i++)
		if (at[i] > largest[0])
			largest[0] = at[i];
	for (lane = 1; lane < LANES; lane++)
		if (largest[lane] > largest[0])
			largest[0] = largest[lane];
	return largest[0];
}

/* From so many on two threads look at half of them each. */
#define HALVES_FROM ((size_t)1 << 21)

struct halves {
	const uint32_t *at;
	size_t count[2];
	uint32_t largest[2];
};

static void look_at_half(void *data, size_t half, size_t worker)
{
	struct halves *h = data;

	(void)worker;
	h->largest[half] =
		largest_of(h->at + (half ? h->count[0] : 0), h->count[half]);
}

static uint32_t largest_frame(const struct pn_profile *p)
{
	size_t half = p->frame_count / 2;
	struct halves h = {.at = p->frames,
			   .count = {half, p->frame_count - half}};

	if (p->frame_count < HALVES_FROM)
		return largest_of(p->frames, p->frame_count);
	pn_ahead_both(look_at_half, &h);
	return h.largest[h.largest[1] > h.largest[0]];
}

static int check_frames(const struct pn_profile *p, struct pn_error *err)
{
	uint32_t largest = largest_frame(p);
	size_t i;

	if (!p->frame_count || largest < p->location_count)
		return 0;
	for (i = 0; p->frames[i] != largest; i++)
		;
	return bad(err, "frame", i, "location");
}

static int check_samples(const struct pn_profile *p, struct pn_error *err)
{
	size_t i;

	if (!runs_are_whole(p->stack_start, p->stack_count, p->frame_count))
		return pn_error_set(err, PN_EINVAL,
				    "stacks do not cover the frames");
	if (!runs_are_whole(p->label_set_start, p->label_set_count,
			    p->label_count) ||
	    (p->label_set_count && p->label_set_start[1]))
		return pn_error_set(err, PN_EINVAL,
				    "label sets do not cover the labels");
	if (check_frames(p, err))
		return PN_EINVAL;
	for (i = 0; i < p->label_count; i++)
		if (check_label(p, i, err))
			return PN_EINVAL;
	if (p->sample_count && (!p->samples || !p->values))
		return pn_error_set(err, PN_EINVAL, "samples without values");
	for (i = 0; i < p->sample_count; i++) {
		if (p->samples[i].stack >= p->stack_count)
			return bad(err, "sample", i, "stack");
		if (p->samples[i].labels >= p->label_set_count)
			return bad(err, "sample", i, "label set");
	}
	return 0;
}

static int check_graph(const struct pn_profile *p, struct pn_error *err)
{
	const struct pn_graph *g = &p->graph;
	size_t i;

	if ((g->node_count || g->edge_count || g->cost_count) && !p->type_count)
		return pn_error_set(err, PN_EINVAL,
				    "a call graph but no value type");
	for (i = 0; i < g->node_count; i++)
		if (g->nodes[i].location != PN_NONE &&
		    g->nodes[i].location >= p->location_count)
			return bad(err, "node", i, "location");
	for (i = 0; i < g->edge_count; i++)
		if (g->edges[i].caller >= g->node_count ||
		    g->edges[i].callee >= g->node_count ||
		    !has_string(p, g->edges[i].file))
			return bad(err, "edge", i, "node or file");
	for (i = 0; i < g->cost_count; i++)
		if (g->costs[i].node >= g->node_count ||
		    !has_string(p, g->costs[i].file))
			return bad(err, "cost", i, "node or file");
	return 0;
}

static int check_metrics(const struct pn_profile *p, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++) {
		const struct pn_metric *m = &p->metrics[i];

		if (!has_string(p, m->name) || !has_string(p, m->unit))
			return bad(err, "metric", i, "string");
		if (m->better > PN_BETTER_MORE)
			return bad(err, "metric", i, "direction");
		if (m->value_count &&
		    (!m->values || m->summary.n != m->value_count))
			return bad(err, "metric", i, "count of values");
	}
	return 0;
}

static int check_facts(const struct pn_profile *p, struct pn_error *err)
{
	size_t i;

	if (p->fact_count > PN_MAX_FACTS)
		return pn_error_set(err, PN_EINVAL,
				    "%zu facts, at most %u are allowed",
				    p->fact_count, PN_MAX_FACTS);
	for (i = 0; i < p->fact_count; i++)
		if (!has_string(p, p->facts[i].name) ||
		    !has_string(p, p->facts[i].unit))
			return bad(err, "fact", i, "string");
	return 0;
}

int pn_profile_check(const struct pn_profile *p, struct pn_error *err)
{
	int code = check_types(p, err);

	if (code)
		return code;
	if (check_header(p, err) || check_code(p, err) ||
	    check_samples(p, err) || check_graph(p, err) ||
	    check_metrics(p, err) || pn_curves_check(p, err) ||
	    pn_events_check(p, err) || pn_ticks_check(p, err) ||
	    check_facts(p, err))
		return PN_EINVAL;
	return 0;
}
