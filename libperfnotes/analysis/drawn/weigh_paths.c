/*
 * Which paths of calls weigh enough, without making them. Stacks that begin
 * alike are a group: it is parted by the next node, and a part that weighs too
 * little only counts how many paths it has. One of a single stack has as many
 * as nodes are left, so that most frames are never looked at again.
 */
#include "analysis/drawn/paths.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Stacks order[begin] up to order[end], the same in their first `depth`
 * nodes. */
struct group {
	size_t begin, end;
	uint32_t depth;
	bool light;
};

struct work {
	uint32_t *nodes; /* of all stacks, from the root on */
	size_t *start;	 /* of each stack in them, and their end */
	int64_t *value;	 /* of each stack */
	uint32_t *order, *spare;
	uint32_t *count; /* by node: stacks of it in the group, then a place */
	uint32_t *met;	 /* nodes in the group */
	struct group *groups;
	size_t group_count, group_cap;
	uint32_t *keep; /* the result */
	size_t too_light;
	int64_t least;
};

static void lay_stack(struct work *w, const struct pn_profile *p,
		      const struct pn_nodes *nodes, size_t stack)
{
	uint32_t *to = w->nodes + w->start[stack];
	uint32_t i, at = p->stack_start[stack + 1];

	while (at-- > p->stack_start[stack]) {
		uint32_t location = p->frames[at],
			 node = nodes->single[location];

		if (node != PN_NODES_SEVERAL) {
			*to++ = node;
			continue;
		}
		for (i = nodes->first[location + 1];
		     i-- > nodes->first[location];)
			*to++ = nodes->of[i];
	}
}

static size_t length_of(const struct pn_profile *p,
			const struct pn_nodes *nodes, size_t stack)
{
	size_t at, length = 0;

	for (at = p->stack_start[stack]; at < p->stack_start[stack + 1]; at++)
		length += nodes->first[p->frames[at] + 1] -
			  nodes->first[p->frames[at]];
	return length;
}

static void lay_stacks(struct work *w, const struct pn_profile *p,
		       const struct pn_nodes *nodes)
{
	size_t i;

	w->start = pn_calloc(p->stack_count + 1, sizeof(*w->start));
	for (i = 0; i < p->stack_count; i++)
		w->start[i + 1] = w->start[i] + length_of(p, nodes, i);
	w->nodes = pn_realloc_array(NULL, w->start[p->stack_count] + 1,
				    sizeof(*w->nodes));
	for (i = 0; i < p->stack_count; i++)
		lay_stack(w, p, nodes, i);
}

static void push(struct work *w, size_t begin, size_t end, uint32_t depth,
		 bool light)
{
	w->groups = pn_grow(w->groups, &w->group_cap, w->group_count + 1,
			    sizeof(*w->groups));
	w->groups[w->group_count++] = (struct group){begin, end, depth, light};
}

static size_t length(const struct work *w, uint32_t stack)
{
	return w->start[stack + 1] - w->start[stack];
}

/* Those of a group that have one more node, ordered by it: its nodes are in
 * `met` then, and where each one's stacks end in `count`. Returns how many
 * nodes. */
static size_t part(struct work *w, const struct group *g)
{
	size_t i, n = 0, at = g->begin;

	for (i = g->begin; i < g->end; i++) {
		uint32_t stack = w->order[i], node;

		if (length(w, stack) <= g->depth)
			continue;
		node = w->nodes[w->start[stack] + g->depth];
		if (!w->count[node]++)
			w->met[n++] = node;
	}
	for (i = 0; i < n; i++) {
		uint32_t count = w->count[w->met[i]];

		w->count[w->met[i]] = (uint32_t)at;
		at += count;
	}
	for (i = g->begin; i < g->end; i++) {
		uint32_t stack = w->order[i];

		if (length(w, stack) > g->depth)
			w->spare[w->count[w->nodes[w->start[stack] +
						   g->depth]]++] = stack;
	}
	memcpy(w->order + g->begin, w->spare + g->begin,
	       (at - g->begin) * sizeof(*w->order));
	return n;
}

/* A path longer. */
static void go_on(struct work *w, const struct group *g)
{
	uint32_t depth = g->depth + 1;
	int64_t sum = 0;
	size_t i;

	for (i = g->begin; !g->light && i < g->end; i++)
		sum += w->value[w->order[i]];
	if (!g->light && sum >= w->least) {
		for (i = g->begin; i < g->end; i++)
			w->keep[w->order[i]] = depth;
		push(w, g->begin, g->end, depth, false);
		return;
	}
	w->too_light++;
	if (g->end - g->begin == 1)
		w->too_light += length(w, w->order[g->begin]) - depth;
	else
		push(w, g->begin, g->end, depth, true);
}

static void look_at(struct work *w, const struct group *g)
{
	size_t i, n = part(w, g), begin = g->begin;

	for (i = 0; i < n; i++) {
		size_t end = w->count[w->met[i]];
		const struct group more = {begin, end, g->depth, g->light};

		w->count[w->met[i]] = 0;
		go_on(w, &more);
		begin = end;
	}
}

static void weigh_stacks(struct work *w, const struct pn_profile *p,
			 const struct pn_weight *weight)
{
	size_t i, n = 0;

	for (i = 0; i < p->sample_count; i++)
		w->value[p->samples[i].stack] += pn_weight_value(
			weight, p, p->values + i * p->type_count);
	for (i = 0; i < p->stack_count; i++)
		if (w->value[i])
			w->order[n++] = (uint32_t)i;
	push(w, 0, n, 0, false);
}

uint32_t *pn_paths_weigh(size_t *too_light, const struct pn_profile *profile,
			 const struct pn_nodes *nodes,
			 const struct pn_weight *weight, int64_t least)
{
	size_t stacks = profile->stack_count;
	struct work w = {.least = least};
	struct group g;

	w.value = pn_calloc(stacks + 1, sizeof(*w.value));
	w.order = pn_calloc(stacks + 1, sizeof(*w.order));
	w.spare = pn_calloc(stacks + 1, sizeof(*w.spare));
	w.keep = pn_calloc(stacks + 1, sizeof(*w.keep));
	w.count = pn_calloc(nodes->count + 1, sizeof(*w.count));
	w.met = pn_calloc(nodes->count + 1, sizeof(*w.met));
	lay_stacks(&w, profile, nodes);
	weigh_stacks(&w, profile, weight);
	while (w.group_count) {
		g = w.groups[--w.group_count];
		look_at(&w, &g);
	}
	*too_light = w.too_light;
	free(w.nodes);
	free(w.start);
	free(w.value);
	free(w.order);
	free(w.spare);
	free(w.count);
	free(w.met);
	free(w.groups);
	return w.keep;
}
