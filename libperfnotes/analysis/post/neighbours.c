/* Callers and callees of some nodes. */
#include "analysis/post/neighbours.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	struct pn_neighbours *out;
	const struct pn_profile *profile;
	const struct pn_nodes *nodes;
	const struct pn_weight *weight;
	const uint32_t *asked, *identity;
	unsigned char *stops; /* one a location: whether a node is asked for */
	uint32_t *stack;      /* the nodes of a sample, innermost first */
	size_t stack_cap;
	uint32_t stamp;
	int64_t value;
};

static struct pn_neighbour *find(struct pn_neighbours *all, uint32_t of,
				 uint64_t key)
{
	uint64_t words[] = {of, key};
	uint32_t row, hash = pn_slots_hash(&all->slots, words, 2);
	size_t at = pn_slots_first(&all->slots, hash);

	while (pn_slots_row(&row, &all->slots, &at, hash))
		if (all->items[row].of == of && all->items[row].key == key)
			return &all->items[row];
	all->items = pn_grow(all->items, &all->cap, all->count + 1,
			     sizeof(*all->items));
	all->items[all->count] = (struct pn_neighbour){of, 0, key, 0};
	pn_slots_add(&all->slots, hash, (uint32_t)all->count);
	return &all->items[all->count++];
}

static void add(struct walk *walk, uint32_t of, uint64_t key)
{
	struct pn_neighbour *item = find(walk->out, of, key);

	if (item->stamp == walk->stamp)
		return;
	item->stamp = walk->stamp;
	item->weight = pn_weight_add(item->weight, walk->value);
}

/* `caller` calls `node`; either may be asked for. */
static void add_call(struct walk *walk, uint32_t caller, uint32_t node)
{
	const uint32_t *identity = walk->identity;

	if (caller == node)
		return;
	if (walk->asked[node] != PN_NONE && identity[caller] != PN_NONE)
		add(walk, walk->asked[node], (uint64_t)identity[caller] * 2);
	if (walk->asked[caller] != PN_NONE && identity[node] != PN_NONE)
		add(walk, walk->asked[caller],
		    (uint64_t)identity[node] * 2 + 1);
}

static size_t flatten(struct walk *walk, const uint32_t *frames,
		      const uint32_t *end)
{
	const struct pn_nodes *nodes = walk->nodes;
	size_t n = 0;
	uint32_t i;

	for (; frames < end; frames++) {
		uint32_t first = nodes->first[*frames];
		uint32_t last = nodes->first[*frames + 1];

		walk->stack =
			pn_grow(walk->stack, &walk->stack_cap,
				n + (last - first) + 1, sizeof(*walk->stack));
		for (i = first; i < last; i++)
			walk->stack[n++] = nodes->of[i];
	}
	return n;
}

static void walk_sample(struct walk *walk, const uint32_t *frames,
			const uint32_t *end)
{
	const uint32_t *at;
	size_t i, n;
	unsigned char any = 0;

	for (at = frames; at < end; at++)
		any |= walk->stops[*at];
	if (!any)
		return;
	n = flatten(walk, frames, end);
	if (walk->asked[walk->stack[0]] != PN_NONE)
		add(walk, walk->asked[walk->stack[0]], PN_NEIGHBOUR_SELF);
	for (i = 1; i < n; i++)
		add_call(walk, walk->stack[i], walk->stack[i - 1]);
}

static void find_stops(struct walk *walk)
{
	const struct pn_nodes *nodes = walk->nodes;
	size_t at, count = walk->profile->location_count;
	uint32_t i;

	walk->stops = pn_calloc(count + 1, 1);
	for (at = 0; at < count; at++)
		for (i = nodes->first[at]; i < nodes->first[at + 1]; i++)
			walk->stops[at] |= walk->asked[nodes->of[i]] != PN_NONE;
}

static void walk_samples(struct walk *walk)
{
	const struct pn_profile *p = walk->profile;
	size_t i;

	find_stops(walk);
	for (i = 0; i < p->sample_count && p->frame_count; i++) {
		const union pn_value *row = p->values + i * p->type_count;
		uint32_t stack = p->samples[i].stack;

		walk->value = pn_weight_value(walk->weight, p, row);
		walk->stamp = (uint32_t)i + 1;
		if (walk->value)
			walk_sample(walk, p->frames + p->stack_start[stack],
				    p->frames + p->stack_start[stack + 1]);
	}
	free(walk->stops);
	free(walk->stack);
}

static void walk_graph(struct walk *walk)
{
	const struct pn_profile *p = walk->profile;
	const struct pn_graph *g = &p->graph;
	uint32_t from, to;
	size_t i;

	for (i = 0; i < g->edge_count; i++) {
		from = pn_nodes_of_graph(walk->nodes, g->edges[i].caller);
		to = pn_nodes_of_graph(walk->nodes, g->edges[i].callee);
		walk->stamp++;
		walk->value = pn_weight_value(
			walk->weight, p, g->edge_total + i * p->type_count);
		if (from != PN_NONE && to != PN_NONE)
			add_call(walk, from, to);
	}
	for (i = 0; i < g->node_count; i++) {
		to = pn_nodes_of_graph(walk->nodes, i);
		walk->stamp++;
		walk->value = pn_weight_value(walk->weight, p,
					      g->self + i * p->type_count);
		if (to != PN_NONE && walk->asked[to] != PN_NONE)
			add(walk, walk->asked[to], PN_NEIGHBOUR_SELF);
	}
}

static int cmp_items(const void *left, const void *right)
{
	const struct pn_neighbour *a = left, *b = right;

	if (a->of != b->of)
		return a->of < b->of ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

static void order(struct pn_neighbours *all, size_t asked)
{
	size_t i, of = 0;

	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), cmp_items);
	all->first = pn_realloc_array(NULL, asked + 1, sizeof(*all->first));
	for (i = 0; i <= all->count; i++) {
		size_t next = i < all->count ? all->items[i].of : asked;

		while (of <= next)
			all->first[of++] = i;
	}
}

void pn_neighbours_init(struct pn_neighbours *out,
			const struct pn_report *report, const uint32_t *asked,
			size_t count, const uint32_t *identity)
{
	struct walk walk = {.out = out,
			    .profile = report->profile,
			    .nodes = &report->nodes,
			    .weight = &report->weight,
			    .asked = asked,
			    .identity = identity};

	memset(out, 0, sizeof(*out));
	if (walk.profile->sample_count)
		walk_samples(&walk);
	else
		walk_graph(&walk);
	order(out, count);
}

void pn_neighbours_release(struct pn_neighbours *neighbours)
{
	free(neighbours->items);
	free(neighbours->first);
	pn_slots_release(&neighbours->slots);
	memset(neighbours, 0, sizeof(*neighbours));
}
