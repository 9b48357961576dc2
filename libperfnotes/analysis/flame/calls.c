/* A flame graph of a call graph without stacks, which is an estimate: what goes
 * into a function goes out of it by the shares of its calls. */
#include "analysis/flame/grow.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RECURSIONS 4 /* times that a function may be on a way */

/* By name, as one array of all calls: those of name n are calls[first[n]] up to
 * calls[first[n + 1]]. */
struct call {
	uint32_t to;
	int64_t weight;
};

struct way {
	size_t *first;
	struct call *calls;
	int64_t *own; /* what does not go on */
};

struct side {
	struct way down, up;
	int64_t *total;
};

struct pn_flame_calls {
	size_t names;
	bool up;
	struct side sides[PN_FLAME_SIDES];
	int *on_path; /* by name */
};

static uint32_t id_of(const struct pn_report *report, const uint32_t *of_node,
		      uint32_t graph_node)
{
	uint32_t node = pn_nodes_of_graph(&report->nodes, graph_node);

	return node == PN_NONE ? PN_NONE : of_node[node];
}

static int64_t weight_of(const struct pn_report *report,
			 const union pn_value *rows, size_t at)
{
	const struct pn_profile *p = report->profile;

	return pn_weight_value(&report->weight, p, rows + at * p->type_count);
}

/* Both ends of a call; false: it leads nowhere else. */
static bool ends_of(uint32_t ends[2], const struct pn_report *report,
		    const uint32_t *of_node, size_t at)
{
	const struct pn_edge *e = &report->profile->graph.edges[at];

	ends[0] = id_of(report, of_node, e->caller);
	ends[1] = id_of(report, of_node, e->callee);
	return ends[0] != PN_NONE && ends[1] != PN_NONE && ends[0] != ends[1] &&
	       weight_of(report, report->profile->graph.edge_total, at) > 0;
}

/* The calls in one direction: from ends[from] to the other end. */
static void list_calls(struct way *way, size_t names,
		       const struct pn_report *report, const uint32_t *of_node,
		       int from)
{
	const struct pn_graph *graph = &report->profile->graph;
	uint32_t ends[2];
	size_t i, n;

	way->first = pn_calloc(names + 2, sizeof(*way->first));
	for (i = 0; i < graph->edge_count; i++)
		if (ends_of(ends, report, of_node, i))
			way->first[ends[from] + 2]++;
	for (i = 2; i <= names + 1; i++)
		way->first[i] += way->first[i - 1];
	way->calls = pn_realloc_array(NULL, way->first[names + 1] + 1,
				      sizeof(*way->calls));
	for (i = 0; i < graph->edge_count; i++) {
		if (!ends_of(ends, report, of_node, i))
			continue;
		n = way->first[ends[from] + 1]++;
		way->calls[n].to = ends[!from];
		way->calls[n].weight = weight_of(report, graph->edge_total, i);
	}
}

/* What functions cost themselves goes no further down; what nobody called them
 * for comes from nowhere. Where all call each other, the most expensive one is
 * where it begins. */
static void set_own(struct side *side, const struct pn_report *report,
		    const uint32_t *of_node, size_t names)
{
	size_t i, n, most = 0;
	bool begins = false;

	side->total = pn_calloc(names + 1, sizeof(*side->total));
	side->down.own = pn_calloc(names + 1, sizeof(*side->down.own));
	side->up.own = pn_calloc(names + 1, sizeof(*side->up.own));
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];
		uint32_t id = of_node[row->node];

		if (row->flat > 0)
			side->down.own[id] =
				pn_weight_add(side->down.own[id], row->flat);
		if (row->cum > 0)
			side->total[id] =
				pn_weight_add(side->total[id], row->cum);
	}
	for (i = 0; i < names; i++) {
		int64_t rest = side->total[i];

		for (n = side->up.first[i]; n < side->up.first[i + 1]; n++)
			rest = pn_weight_add(rest, -side->up.calls[n].weight);
		side->up.own[i] = rest > 0 ? rest : 0;
		begins = begins || rest > 0;
		if (side->total[i] > side->total[most])
			most = i;
	}
	if (!begins)
		side->up.own[most] = side->total[most];
}

void pn_flame_calls_add(struct pn_flame_grow *grow,
			const struct pn_report *report, const uint32_t *of_node,
			enum pn_flame_side side)
{
	struct pn_flame_calls *calls = grow->calls;
	size_t names = grow->ids->names.count;
	struct side *s;

	if (!calls) {
		grow->calls = calls = pn_calloc(1, sizeof(*calls));
		calls->names = names;
		calls->on_path = pn_calloc(names + 1, sizeof(*calls->on_path));
	}
	s = &calls->sides[side];
	list_calls(&s->down, names, report, of_node, 0);
	list_calls(&s->up, names, report, of_node, 1);
	set_own(s, report, of_node, names);
}

/* How often each function is on the way to a frame, or what it was before. */
static void mark_path(struct pn_flame_grow *grow, uint32_t frame, int step)
{
	for (; frame != PN_NONE; frame = grow->frames[frame].parent)
		grow->calls->on_path[grow->frames[frame].name] += step;
}

static double sum_of(const struct way *way, uint32_t name)
{
	double sum = (double)way->own[name];
	size_t i;

	for (i = way->first[name]; i < way->first[name + 1]; i++)
		sum += (double)way->calls[i].weight;
	return sum;
}

static void flow(struct pn_flame_grow *grow, uint32_t parent,
		 enum pn_flame_side side, size_t made)
{
	const struct pn_flame_calls *calls = grow->calls;
	const struct way *way =
		calls->up ? &calls->sides[side].up : &calls->sides[side].down;
	uint32_t child, name = grow->frames[parent].name;
	int64_t total = grow->frames[parent].total[side], left = total;
	double sum;
	size_t i;

	if (!way->first || total <= 0)
		return;
	sum = sum_of(way, name);
	for (i = way->first[name]; i < way->first[name + 1] && left; i++) {
		uint32_t to = way->calls[i].to;
		double part = (double)total * (double)way->calls[i].weight;
		int64_t weight = sum > 0 ? llrint(part / sum) : 0;

		if (calls->on_path[to] >= RECURSIONS || weight <= 0)
			continue;
		if (weight > left)
			weight = left;
		left -= weight;
		child = grow->slot[to];
		if (child < made) {
			child = pn_flame_grow_add(grow, parent, to);
			grow->slot[to] = child;
		}
		grow->frames[child].total[side] += weight;
	}
}

/* The first frames below a root that is no function. */
static void begin(struct pn_flame_grow *grow, uint32_t root,
		  enum pn_flame_side side, size_t made)
{
	const struct side *s = &grow->calls->sides[side];
	const int64_t *own = grow->calls->up ? s->down.own : s->up.own;
	uint32_t name, child;

	for (name = 0; own && name < grow->calls->names; name++) {
		if (own[name] <= 0)
			continue;
		child = grow->slot[name];
		if (child < made) {
			child = pn_flame_grow_add(grow, root, name);
			grow->slot[name] = child;
		}
		grow->frames[child].total[side] = own[name];
		grow->frames[root].total[side] = pn_weight_add(
			grow->frames[root].total[side], own[name]);
	}
}

static void push_children(struct pn_flame_grow *grow, uint32_t parent,
			  size_t made)
{
	pn_flame_grow_children(grow, parent, made);
	for (; made < grow->count; made++)
		if (grow->frames[made].depth < PN_FLAME_DEPTH_MAX)
			pn_flame_grow_push(grow, (uint32_t)made);
		else
			grow->frames[made].grown = grow->frames[made].cut =
				true;
}

static void expand(struct pn_flame_grow *grow, uint32_t parent)
{
	size_t made = grow->count;

	mark_path(grow, parent, 1);
	flow(grow, parent, PN_FLAME_NEW, made);
	flow(grow, parent, PN_FLAME_OLD, made);
	mark_path(grow, parent, -1);
	push_children(grow, parent, made);
}

static void expand_all(struct pn_flame_grow *grow, uint32_t root)
{
	size_t made = grow->count;

	begin(grow, root, PN_FLAME_NEW, made);
	begin(grow, root, PN_FLAME_OLD, made);
	push_children(grow, root, made);
	grow->expand = expand;
}

void pn_flame_calls_start(struct pn_flame_grow *grow, enum pn_flame_part part,
			  uint32_t name)
{
	uint32_t root = pn_flame_grow_add(grow, PN_NONE, name);
	int side;

	grow->calls->up = part == PN_FLAME_REVERSED || part == PN_FLAME_CALLERS;
	grow->expand = expand_all;
	if (part == PN_FLAME_CALLERS || part == PN_FLAME_CALLEES) {
		grow->expand = expand;
		for (side = 0; side < PN_FLAME_SIDES; side++)
			if (grow->calls->sides[side].total)
				grow->frames[root].total[side] =
					grow->calls->sides[side].total[name];
	}
	pn_flame_grow_push(grow, root);
}

static void release_way(struct way *way)
{
	free(way->first);
	free(way->calls);
	free(way->own);
}

void pn_flame_calls_release(struct pn_flame_calls *calls)
{
	int side;

	if (!calls)
		return;
	for (side = 0; side < PN_FLAME_SIDES; side++) {
		release_way(&calls->sides[side].down);
		release_way(&calls->sides[side].up);
		free(calls->sides[side].total);
	}
	free(calls->on_path);
	free(calls);
}
