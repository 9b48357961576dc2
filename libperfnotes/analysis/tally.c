/*
 * Adding up over all samples. This is where a report spends its time: each of
 * 12 million frames is a visit to `single` and one to `hot`, both of which fit
 * a second-level cache.
 */
#include "analysis/tally.h"

#include "base/ahead.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* What a frame touches, and nothing else. */
struct hot {
	int64_t cum;
	uint32_t stamp; /* the last sample that counted here */
};

struct pass {
	const struct pn_profile *profile;
	const struct pn_nodes *nodes;
	const struct pn_weight *weight;
	struct pn_tally *tallies;
	struct hot *hot;
	size_t begin, end; /* of the samples */
};

/* Profiles with so many frames are counted by two threads. */
#define HALVES_FROM ((size_t)1 << 18)

/* Without a branch: whether a node recurs is not for a predictor to guess.
 * Returns whether it is new in this sample. */
static inline bool count_node(struct hot *hot, uint32_t stamp, int64_t value)
{
	bool is_new = hot->stamp != stamp;

	hot->cum = pn_weight_add(hot->cum, is_new ? value : 0);
	hot->stamp = stamp;
	return is_new;
}

static void count_lines(const struct pass *pass, uint32_t location,
			uint32_t stamp, int64_t value)
{
	const struct pn_nodes *nodes = pass->nodes;
	uint32_t i, last = nodes->first[location + 1] - 1;

	for (i = nodes->first[location]; i <= last; i++) {
		struct pn_tally *tally = &pass->tallies[nodes->of[i]];

		count_node(&pass->hot[nodes->of[i]], stamp, value);
		if (i < last)
			/* what has a count and no value is an edge, too */
			tally->inlined =
				pn_weight_add(tally->inlined,
					      value ? pn_weight_abs(value) : 1);
	}
}

static void count_sample(const struct pass *pass, const uint32_t *frames,
			 const uint32_t *end, uint32_t stamp, int64_t value)
{
	const uint32_t *single = pass->nodes->single;
	struct hot *hot = pass->hot;
	const uint32_t *at;

	for (at = frames; at < end; at++) {
		uint32_t node = single[*at];

		if (node != PN_NODES_SEVERAL)
			count_node(&hot[node], stamp, value);
		else
			count_lines(pass, *at, stamp, value);
	}
}

/* The divisors of a mean, in a walk of their own: few want one. */
static void count_divisors(const struct pass *pass, const uint32_t *frames,
			   const uint32_t *end, uint32_t stamp, int64_t divisor)
{
	const struct pn_nodes *nodes = pass->nodes;
	uint32_t i;

	for (; frames < end; frames++)
		for (i = nodes->first[*frames]; i < nodes->first[*frames + 1];
		     i++) {
			struct pn_tally *tally = &pass->tallies[nodes->of[i]];

			if (count_node(&pass->hot[nodes->of[i]], stamp, 0))
				tally->cum_div =
					pn_weight_add(tally->cum_div, divisor);
		}
}

static void count_leaf(const struct pass *pass, uint32_t leaf, int64_t value,
		       int64_t divisor)
{
	const struct pn_nodes *nodes = pass->nodes;
	struct pn_tally *tally = &pass->tallies[nodes->of[nodes->first[leaf]]];

	tally->flat = pn_weight_add(tally->flat, value);
	tally->flat_div = pn_weight_add(tally->flat_div, divisor);
}

static void count_samples(const struct pass *pass)
{
	const struct pn_profile *p = pass->profile;
	size_t i;

	for (i = pass->begin; i < pass->end && p->frame_count; i++) {
		const union pn_value *row = p->values + i * p->type_count;
		int64_t value = pn_weight_value(pass->weight, p, row);
		int64_t divisor = pn_weight_divisor(pass->weight, p, row);
		uint32_t stack = p->samples[i].stack;
		const uint32_t *frames = p->frames + p->stack_start[stack];
		const uint32_t *end = p->frames + p->stack_start[stack + 1];

		if (frames == end || (!value && !divisor))
			continue;
		if (divisor)
			count_divisors(pass, frames, end, 2 * (uint32_t)i + 2,
				       divisor);
		count_sample(pass, frames, end, 2 * (uint32_t)i + 1, value);
		count_leaf(pass, *frames, value, divisor);
	}
	for (i = 0; i < pass->nodes->count; i++)
		pass->tallies[i].cum = pass->hot[i].cum;
}

static void count_half(void *data, size_t half, size_t worker)
{
	const struct pass *halves = data;

	(void)worker;
	count_samples(&halves[half]);
}

static void make_room(struct pass *pass)
{
	pass->tallies =
		pn_calloc(pass->nodes->count + 1, sizeof(*pass->tallies));
	pass->hot = pn_calloc(pass->nodes->count + 1, sizeof(*pass->hot));
}

static void count_halves(const struct pass *pass)
{
	struct pass halves[2] = {*pass, *pass};
	struct pn_tally *to = halves[0].tallies;
	const struct pn_tally *from;
	size_t i;

	halves[0].end = halves[1].begin = pass->end / 2;
	make_room(&halves[1]);
	pn_ahead_both(count_half, halves);
	from = halves[1].tallies;
	for (i = 0; i < pass->nodes->count; i++) {
		to[i].cum = pn_weight_add(to[i].cum, from[i].cum);
		to[i].cum_div = pn_weight_add(to[i].cum_div, from[i].cum_div);
		to[i].flat = pn_weight_add(to[i].flat, from[i].flat);
		to[i].flat_div =
			pn_weight_add(to[i].flat_div, from[i].flat_div);
		to[i].inlined = pn_weight_add(to[i].inlined, from[i].inlined);
	}
	free(halves[1].tallies);
	free(halves[1].hot);
}

/* What stacks cannot say and a call graph beside them does. */
static void count_calls(struct pass *pass)
{
	const struct pn_graph *g = &pass->profile->graph;
	uint32_t node;
	size_t i;

	for (i = 0; i < g->node_count; i++) {
		node = pn_nodes_of_graph(pass->nodes, i);
		if (node == PN_NONE || g->nodes[i].calls < 0)
			continue;
		if (pass->tallies[node].calls < 0)
			pass->tallies[node].calls = 0;
		pass->tallies[node].calls = pn_weight_add(
			pass->tallies[node].calls, g->nodes[i].calls);
	}
}

struct pn_tally *pn_tally_nodes(const struct pn_profile *profile,
				const struct pn_nodes *nodes,
				const struct pn_weight *weight)
{
	struct pass pass = {profile, nodes, weight,
			    .end = profile->sample_count};
	size_t i;

	make_room(&pass);
	for (i = 0; i < nodes->count; i++)
		pass.tallies[i].calls = -1;
	if (profile->sample_count) {
		if (profile->frame_count < HALVES_FROM)
			count_samples(&pass);
		else
			count_halves(&pass);
		if (nodes->granularity <= PN_BY_FILEFUNCTIONS)
			count_calls(&pass);
	} else {
		pn_tally_graph(pass.tallies, profile, nodes, weight);
	}
	free(pass.hot);
	return pass.tallies;
}

/*
 * The edge of each pair of a kept node and one that is wanted, where these are
 * few: a hash of a million pairs is half of the time that a graph takes.
 */
struct pairs {
	/* One a node: its number among the kept, and among the wanted. */
	const uint32_t *from, *to;
	uint32_t *edges; /* one a pair: 1 + its edge, 0 for none */
	size_t width;	 /* of those that are wanted; 0: too many pairs */
	size_t count;	 /* of pairs */
};

/* A table of more is pages that are touched once: slower than a hash. */
#define PAIRS_MOST ((size_t)1 << 17)

static struct pn_tally_edge *add_edge(struct pn_tally_edges *edges,
				      uint32_t from, uint32_t to)
{
	struct pn_tally_edge *edge;

	edges->items = pn_grow(edges->items, &edges->cap, edges->count + 1,
			       sizeof(*edges->items));
	edge = &edges->items[edges->count++];
	memset(edge, 0, sizeof(*edge));
	edge->from = from;
	edge->to = to;
	edge->inlined = true;
	return edge;
}

static inline struct pn_tally_edge *hashed_edge(struct pn_tally_edges *edges,
						uint32_t from, uint32_t to)
{
	const uint64_t word = (uint64_t)from << 32 | to;
	uint32_t row, hash = pn_slots_hash_word(&edges->slots, word);
	size_t at = pn_slots_first(&edges->slots, hash);
	struct pn_tally_edge *edge;

	while (pn_slots_row(&row, &edges->slots, &at, hash)) {
		edge = &edges->items[row];
		if (edge->from == from && edge->to == to)
			return edge;
	}
	pn_slots_add(&edges->slots, hash, (uint32_t)edges->count);
	return add_edge(edges, from, to);
}

static inline struct pn_tally_edge *edge_of(struct pn_tally_edges *edges,
					    const struct pairs *pairs,
					    uint32_t from, uint32_t to)
{
	uint32_t *edge;

	if (!pairs->width)
		return hashed_edge(edges, from, to);
	edge = &pairs->edges[pairs->from[from] * pairs->width + pairs->to[to]];
	if (*edge)
		return &edges->items[*edge - 1];
	*edge = (uint32_t)edges->count + 1;
	return add_edge(edges, from, to);
}

/* Where a walk that leaves a location stands: its innermost kept node, with
 * the first of these bits, or the second alone. */
#define END_RESIDUAL 0x40000000u /* what it has below that node was trimmed */
#define END_TRIMMED 0x80000000u	 /* no node is kept */

/* Where a walk from the root stands. */
struct walk {
	struct pn_tally_edges *edges;
	struct pairs pairs;
	const struct pn_nodes *nodes;
	const unsigned char *kept, *wanted; /* one a node */
	unsigned char *stops; /* one a location: whether a node is wanted */
	uint32_t *ends;	      /* one a location */
	uint32_t *list;	      /* of places in a stack */
	size_t list_cap;
	uint32_t parent; /* PN_NONE before the first kept node */
	uint32_t stamp;
	bool residual;
	int64_t value, divisor;
	const struct pn_profile *profile;
	const struct pn_weight *weight;
	size_t begin, end; /* of the samples */
};

/* One a place of each sample: called, it would be a tenth of a report. */
static inline void step(struct walk *walk, uint32_t node, bool inlined)
{
	struct pn_tally_edge *edge;

	if (!walk->kept[node]) {
		walk->residual = true;
		return;
	}
	if (walk->wanted[node] && walk->parent != PN_NONE &&
	    walk->parent != node) {
		edge = edge_of(walk->edges, &walk->pairs, walk->parent, node);
		if (edge->stamp != walk->stamp) {
			edge->stamp = walk->stamp;
			edge->weight = pn_weight_add(edge->weight, walk->value);
			edge->divisor =
				pn_weight_add(edge->divisor, walk->divisor);
			edge->residual = edge->residual || walk->residual;
			edge->inlined = edge->inlined && inlined;
		}
	}
	walk->parent = node;
	walk->residual = false;
}

static inline void step_location(struct walk *walk, uint32_t location)
{
	const struct pn_nodes *nodes = walk->nodes;
	uint32_t i, first, end, node = nodes->single[location];
	bool inlined = false;

	if (node != PN_NODES_SEVERAL) {
		step(walk, node, false);
		return;
	}
	first = nodes->first[location];
	end = nodes->first[location + 1];
	for (i = end; i > first; i--) {
		node = nodes->of[i - 1];
		inlined = inlined && !nodes->items[node].called;
		step(walk, node, inlined);
		/* in a tree all calls to it count, elsewhere the last one */
		inlined = inlined || !nodes->paths || walk->kept[node];
	}
}

/* Stand where a walk that comes to `at` (its end: the stack's root) stands:
 * at the last kept node before it. */
static void approach(struct walk *walk, const uint32_t *at, const uint32_t *end)
{
	walk->parent = PN_NONE;
	walk->residual = false;
	while (++at < end) {
		uint32_t to = walk->ends[*at];

		if (to == END_TRIMMED) {
			walk->residual = true;
			continue;
		}
		walk->residual = walk->residual || (to & END_RESIDUAL);
		walk->parent = to & ~END_RESIDUAL;
		break;
	}
}

/*
 * First the places to stop at, without a branch on what no predictor can
 * know; then a step at each, from the root on. A wanted node is a kept one,
 * so that approaching never passes another place of the list.
 */
static void walk_sample(struct walk *walk, const uint32_t *frames,
			const uint32_t *end)
{
	size_t i, last, n = 0, count = (size_t)(end - frames);

	walk->list = pn_grow(walk->list, &walk->list_cap, count + 1,
			     sizeof(*walk->list));
	for (i = 0; i < count; i++) {
		walk->list[n] = (uint32_t)i;
		n += walk->stops[frames[i]];
	}
	/* after a step at the place before this one it stands there already */
	for (last = count; n--; last = walk->list[n]) {
		if (walk->list[n] + 1 != last || last == count)
			approach(walk, frames + walk->list[n], end);
		step_location(walk, frames[walk->list[n]]);
	}
}

static void look_at_locations(struct walk *walk, size_t count)
{
	const struct pn_nodes *nodes = walk->nodes;
	size_t at;
	uint32_t i;

	walk->stops = pn_calloc(count + 1, 1);
	walk->ends = pn_realloc_array(NULL, count + 1, sizeof(*walk->ends));
	for (at = 0; at < count; at++) {
		uint32_t to = END_TRIMMED;

		for (i = nodes->first[at + 1]; i > nodes->first[at]; i--) {
			uint32_t node = nodes->of[i - 1];

			walk->stops[at] |= walk->wanted[node];
			if (walk->kept[node])
				to = node;
			else if (to != END_TRIMMED)
				to |= END_RESIDUAL;
		}
		walk->ends[at] = to;
	}
}

static void walk_graph(struct walk *walk)
{
	const struct pn_profile *p = walk->profile;
	const struct pn_graph *graph = &p->graph;
	size_t i;

	for (i = 0; i < graph->edge_count; i++) {
		const struct pn_edge *edge = &graph->edges[i];
		const union pn_value *row =
			graph->edge_total + i * p->type_count;
		uint32_t from = pn_nodes_of_graph(walk->nodes, edge->caller);
		uint32_t to = pn_nodes_of_graph(walk->nodes, edge->callee);

		walk->value = pn_weight_value(walk->weight, p, row);
		walk->divisor = pn_weight_divisor(walk->weight, p, row);
		if (from == PN_NONE || to == PN_NONE || !walk->kept[from] ||
		    (!walk->value && !walk->divisor))
			continue;
		walk->stamp++;
		walk->parent = from;
		walk->residual = false;
		step(walk, to, false);
	}
}

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* No call costs more than what calls and what is called cost. */
static void bound_edges(struct pn_tally_edges *edges,
			const struct pn_tally *tallies)
{
	size_t i;

	for (i = 0; i < edges->count; i++) {
		struct pn_tally_edge *e = &edges->items[i];
		int64_t most = lesser(tallies[e->from].cum, tallies[e->to].cum);

		if (most >= 0 && e->weight > most)
			e->weight = most;
	}
}

static void walk_samples(struct walk *walk)
{
	const struct pn_profile *p = walk->profile;
	size_t i;

	for (i = walk->begin; i < walk->end && p->frame_count; i++) {
		const union pn_value *row = p->values + i * p->type_count;
		uint32_t stack = p->samples[i].stack;

		walk->value = pn_weight_value(walk->weight, p, row);
		walk->divisor = pn_weight_divisor(walk->weight, p, row);
		walk->stamp = (uint32_t)i + 1;
		if (walk->value || walk->divisor)
			walk_sample(walk, p->frames + p->stack_start[stack],
				    p->frames + p->stack_start[stack + 1]);
	}
	free(walk->list);
}

static void walk_half(void *data, size_t half, size_t worker)
{
	struct walk *halves = data;

	(void)worker;
	walk_samples(&halves[half]);
}

static uint32_t *new_pairs(size_t count)
{
	return count ? pn_calloc(count, sizeof(uint32_t)) : NULL;
}

/* Numbers those nodes that have the flag. */
static size_t number(uint32_t *out, const unsigned char *flags, size_t count)
{
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		out[i] = n;
		n += flags[i] != 0;
	}
	return n;
}

/* The table of pairs, where it is not larger than the stacks; *numbers is to be
 * freed. */
static void pair_kept(struct walk *walk, uint32_t **numbers)
{
	size_t nodes = walk->nodes->count, kept, wanted;
	uint32_t *from = pn_calloc(2 * nodes + 1, sizeof(*from));

	*numbers = from;
	kept = number(from, walk->kept, nodes);
	wanted = number(from + nodes, walk->wanted, nodes);
	if (kept && wanted <= PAIRS_MOST / kept &&
	    kept * wanted <= walk->profile->frame_count)
		walk->pairs = (struct pairs){from, from + nodes,
					     new_pairs(kept * wanted), wanted,
					     kept * wanted};
}

/* Edges are in the order of the samples, as if there were no halves. */
static void walk_halves(const struct walk *walk)
{
	struct pn_tally_edges others = {0};
	struct walk halves[2] = {*walk, *walk};
	size_t i;

	halves[0].end = halves[1].begin = walk->end / 2;
	halves[1].edges = &others;
	halves[1].pairs.edges = new_pairs(walk->pairs.count);
	pn_ahead_both(walk_half, halves);
	for (i = 0; i < others.count; i++) {
		const struct pn_tally_edge *from = &others.items[i];
		struct pn_tally_edge *to = edge_of(walk->edges, &walk->pairs,
						   from->from, from->to);

		to->weight = pn_weight_add(to->weight, from->weight);
		to->divisor = pn_weight_add(to->divisor, from->divisor);
		to->residual = to->residual || from->residual;
		to->inlined = to->inlined && from->inlined;
	}
	free(halves[1].pairs.edges);
	pn_tally_edges_release(&others);
}

void pn_tally_edges(struct pn_tally_edges *out,
		    const struct pn_profile *profile,
		    const struct pn_nodes *nodes,
		    const struct pn_weight *weight,
		    const struct pn_tally *tallies, const unsigned char *kept,
		    const unsigned char *wanted)
{
	struct walk walk = {.edges = out,
			    .nodes = nodes,
			    .kept = kept,
			    .wanted = wanted,
			    .profile = profile,
			    .weight = weight,
			    .end = profile->sample_count};
	uint32_t *numbers;

	memset(out, 0, sizeof(*out));
	if (!profile->sample_count) {
		walk_graph(&walk);
		if (nodes->granularity <= PN_BY_FILES)
			bound_edges(out, tallies);
		return;
	}
	look_at_locations(&walk, profile->location_count);
	pair_kept(&walk, &numbers);
	if (profile->frame_count < HALVES_FROM)
		walk_samples(&walk);
	else
		walk_halves(&walk);
	free(walk.pairs.edges);
	free(numbers);
	free(walk.stops);
	free(walk.ends);
}

void pn_tally_edges_release(struct pn_tally_edges *edges)
{
	free(edges->items);
	pn_slots_release(&edges->slots);
	memset(edges, 0, sizeof(*edges));
}
