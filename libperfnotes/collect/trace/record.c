/*
 * What the call tracer left. Calls that had not returned are ended first, at
 * the last time that is known; then what tracing itself costs is taken off:
 * `inside` of each call from its own time, `outside` from its caller's, both
 * from the time of every call above.
 */
#include "collect/trace/record.h"

#include "base/alloc.h"
#include "collect/trace/block.h"
#include "model/graph/graph.h"
#include "model/graph/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COUNT (UINT64_C(1) << 53) /* sums of more are not exact */
#define MAX_NS 4e18		      /* below INT64_MAX */
#define MAX_COST_NS 1e6		      /* of one call: nothing is that slow */

/* One process. */
struct process {
	struct pn_runtime_trace totals;
	struct pn_trace_blocks nodes, edges, frames, sizes;
	struct pn_runtime_caller *callers;
	size_t caller_count, caller_cap;
	double ns; /* of a tick */
	bool ended, has_totals;
	struct pn_trace_cost cost; /* in ticks */
};

struct region {
	uint64_t function;
	uint32_t location;
};

struct regions {
	struct region *list;
	size_t count, cap;
};

/* The numbers of a record may be any: differences wrap. */
static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t end_of(const struct process *p,
		      const struct pn_runtime_caller *caller,
		      const struct pn_runtime_frame *top)
{
	int64_t end = caller->last > top->start ? caller->last : top->start;

	/* each thread has a processor clock of its own */
	if (p->ended && p->totals.clock != PN_RUNTIME_TRACE_CPU &&
	    p->totals.last_ticks > end)
		end = p->totals.last_ticks;
	return end;
}

/* As the runtime does when a call returns. */
static bool end_frame(const struct process *p, const struct pn_runtime_frame *f,
		      const struct pn_runtime_frame *up, int64_t end,
		      uint64_t ended)
{
	struct pn_runtime_edge *e = pn_trace_blocks_find(&p->edges, f->edge);
	struct pn_runtime_edge *above =
		pn_trace_blocks_find(&p->edges, up->edge);
	struct pn_runtime_node *n =
		e ? pn_trace_blocks_find(&p->nodes, e->node) : NULL;
	struct pn_runtime_size *s = pn_trace_blocks_find(&p->sizes, f->size);
	int64_t elapsed = minus(end, f->start);
	uint64_t nested = ended - f->before;

	if (!n || !above)
		return false;
	e->self = plus(e->self, elapsed);
	e->calls++;
	above->self = minus(above->self, elapsed);
	above->direct++;
	if (s) {
		s->calls++;
		s->nested += nested;
		s->total = plus(s->total, elapsed);
	}
	if (e->active && !--e->active) {
		e->primitive++;
		e->total = plus(e->total, elapsed);
		e->nested += nested;
	}
	if (n->active && !--n->active) {
		n->primitive++;
		n->total = plus(n->total, elapsed);
		n->nested += nested;
	}
	return true;
}

/* Ends what a thread was in. A hostile record may lead in circles. */
static bool end_calls(const struct process *p,
		      const struct pn_runtime_caller *caller)
{
	struct pn_runtime_frame *f, *up;
	uint64_t ended = caller->ended;
	size_t steps;
	int64_t end;

	f = pn_trace_blocks_find(&p->frames, caller->top);
	if (!f)
		return false;
	end = end_of(p, caller, f);
	for (steps = 0; f->up && steps < p->frames.count; steps++) {
		up = pn_trace_blocks_find(&p->frames, f->up);
		if (!up || !end_frame(p, f, up, end, ended++))
			return false;
		f = up;
	}
	return !f->up;
}

static uint32_t add_region(struct pn_profile *p, const char *name)
{
	struct pn_function function = {0};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};
	size_t i;

	function.name = pn_strtab_add_text(&p->strings, name);
	function.system_name = function.name;
	for (i = 0; i < p->location_count; i++) {
		const struct pn_location *l = &p->locations[i];

		if (l->line_count == 1 && l->mapping == PN_NONE &&
		    p->functions[p->lines[l->line_first].function].name ==
			    function.name)
			return (uint32_t)i;
	}
	line.function = pn_profile_add_function(p, &function);
	return pn_profile_add_location(p, &location, &line, 1);
}

static void read_region(struct regions *regions, struct pn_profile *p,
			const struct pn_runtime_part *part)
{
	struct pn_runtime_region region;
	const char *name = (const char *)part->bytes + sizeof(region);

	if (part->len <= sizeof(region) ||
	    !memchr(name, '\0', part->len - sizeof(region)))
		return;
	memcpy(&region, part->bytes, sizeof(region));
	regions->list = pn_grow(regions->list, &regions->cap,
				regions->count + 1, sizeof(*regions->list));
	regions->list[regions->count++] = (struct region){
		region.function, add_region(p, *name ? name : "(no name)")};
}

static bool read_part(struct process *p, const struct pn_runtime_part *part)
{
	struct pn_runtime_caller caller;

	switch (part->kind) {
	case PN_RUNTIME_TRACE_TOTALS:
		if (part->len < sizeof(p->totals) || p->has_totals)
			return false;
		memcpy(&p->totals, part->bytes, sizeof(p->totals));
		p->has_totals = true;
		return true;
	case PN_RUNTIME_TRACE_CALLER:
		if (part->len < sizeof(caller))
			return false;
		memcpy(&caller, part->bytes, sizeof(caller));
		p->callers = pn_grow(p->callers, &p->caller_cap,
				     p->caller_count + 1, sizeof(caller));
		p->callers[p->caller_count++] = caller;
		return true;
	case PN_RUNTIME_TRACE_NODES:
		return pn_trace_blocks_add(&p->nodes, part);
	case PN_RUNTIME_TRACE_EDGES:
		return pn_trace_blocks_add(&p->edges, part);
	case PN_RUNTIME_TRACE_FRAMES:
		return pn_trace_blocks_add(&p->frames, part);
	case PN_RUNTIME_TRACE_SIZES:
		return pn_trace_blocks_add(&p->sizes, part);
	}
	return true;
}

static void read_parts(struct process *p, struct pn_trace_reading *r,
		       struct regions *regions,
		       struct pn_runtime_record *record)
{
	struct pn_runtime_mapping mapping;
	struct pn_runtime_part part;
	const char *path;

	while (pn_runtime_record_next(&part, record)) {
		if (pn_runtime_record_mapping(&mapping, &path, &part))
			pn_address_map_add(r->map, &mapping, path);
		else if (part.kind == PN_RUNTIME_TRACE_REGION)
			read_region(regions, r->profile, &part);
		else if (!read_part(p, &part))
			r->lost++;
	}
	pn_trace_blocks_sort(&p->nodes);
	pn_trace_blocks_sort(&p->edges);
	pn_trace_blocks_sort(&p->frames);
	pn_trace_blocks_sort(&p->sizes);
}

static double bounded(double cost_ticks, double ns)
{
	return cost_ticks >= 0 && cost_ticks * ns <= MAX_COST_NS ? cost_ticks
								 : 0;
}

/* The calibration is disturbed as calls are: the least of all runs is nearest
 * to what tracing costs. */
static void keep_least(struct pn_trace_reading *r, double inside_ns,
		       double outside_ns)
{
	bool less = inside_ns + outside_ns <
		    r->found.inside_ns + r->found.outside_ns;

	if (r->has_found && !less)
		return;
	r->has_found = true;
	r->found = (struct pn_trace_cost){inside_ns, outside_ns};
}

/* How long a tick is, and what a call costs in ticks. */
static void find_scale(struct process *p, struct pn_trace_reading *r)
{
	const struct pn_runtime_trace *t = &p->totals;
	double ticks = (double)minus(t->last_ticks, t->begin_ticks);
	double ns = (double)minus(t->last_ns, t->begin_ns);

	p->ns = 1;
	if (t->clock == PN_RUNTIME_TRACE_TSC && ticks > 0 && ns > 0)
		p->ns = ns / ticks;
	if (r->cost) {
		p->cost.inside_ns = r->cost->inside_ns / p->ns;
		p->cost.outside_ns = r->cost->outside_ns / p->ns;
	} else {
		p->cost.inside_ns = bounded(t->inside, p->ns);
		p->cost.outside_ns = bounded(t->outside, p->ns);
	}
	keep_least(r, p->cost.inside_ns * p->ns, p->cost.outside_ns * p->ns);
}

static uint32_t locate(struct pn_trace_reading *r,
		       const struct regions *regions, uint64_t function)
{
	size_t i;

	for (i = 0; i < regions->count; i++)
		if (regions->list[i].function == function)
			return regions->list[i].location;
	return pn_address_map_locate(r->map, function);
}

static void add_node(struct pn_trace_reading *r, const struct process *p,
		     const struct regions *regions,
		     const struct pn_runtime_node *n)
{
	struct pn_trace_sum sum = {.caller = PN_NONE, .run = r->run};

	if (!n->function || !n->primitive)
		return;
	if (n->primitive > MAX_COUNT || n->nested > MAX_COUNT) {
		r->lost++;
		return;
	}
	sum.callee = locate(r, regions, n->function);
	sum.primitive = n->primitive;
	sum.below = n->nested + n->primitive;
	sum.total = (struct pn_trace_time){(double)n->total * p->ns,
					   n->primitive + n->nested, n->nested};
	r->nodes = pn_grow(r->nodes, &r->node_cap, r->node_count + 1,
			   sizeof(*r->nodes));
	r->nodes[r->node_count++] = sum;
}

static void add_edge(struct pn_trace_reading *r, const struct process *p,
		     const struct regions *regions,
		     const struct pn_runtime_edge *e)
{
	struct pn_trace_sum sum = {.caller = PN_NONE, .run = r->run};

	if (!e->function || !e->calls)
		return;
	if (e->calls > MAX_COUNT || e->primitive > e->calls ||
	    e->direct > MAX_COUNT || e->nested > MAX_COUNT) {
		r->lost++;
		return;
	}
	if (e->caller)
		sum.caller = locate(r, regions, e->caller);
	sum.callee = locate(r, regions, e->function);
	sum.calls = e->calls;
	sum.primitive = e->primitive;
	sum.below = e->nested + e->primitive;
	sum.self = (struct pn_trace_time){(double)e->self * p->ns, e->calls,
					  e->direct};
	sum.total = (struct pn_trace_time){(double)e->total * p->ns,
					   e->primitive + e->nested, e->nested};
	r->edges = pn_grow(r->edges, &r->edge_cap, r->edge_count + 1,
			   sizeof(*r->edges));
	r->edges[r->edge_count++] = sum;
	r->calls += (double)e->calls;
}

static void add_size(struct pn_trace_reading *r, const struct process *p,
		     const struct regions *regions,
		     const struct pn_runtime_size *s)
{
	struct pn_trace_point point = {
		.size = s->size, .calls = s->calls, .run = r->run};

	if (!s->function || !s->calls)
		return;
	if (s->calls > MAX_COUNT || s->nested > MAX_COUNT) {
		r->lost++;
		return;
	}
	point.location = locate(r, regions, s->function);
	point.total_ns =
		((double)s->total - (double)s->calls * p->cost.inside_ns -
		 (double)s->nested * (p->cost.inside_ns + p->cost.outside_ns)) *
		p->ns;
	pn_trace_points_add(&r->points, &point);
}

static void add_process(struct pn_trace_reading *r, struct process *p,
			const struct regions *regions)
{
	size_t i;

	/* one clock and one kind of table for all of a profile */
	if (!p->has_totals || p->totals.clock > PN_RUNTIME_TRACE_NONE ||
	    (r->has_clock && (p->totals.clock != r->clock ||
			      (p->totals.flat != 0) != r->is_flat))) {
		r->lost++;
		return;
	}
	r->has_clock = true;
	r->clock = p->totals.clock;
	r->is_flat = p->totals.flat != 0;
	r->lost += (double)p->totals.skipped;
	find_scale(p, r);
	for (i = 0; i < p->caller_count; i++)
		r->lost += !end_calls(p, &p->callers[i]);
	for (i = 0; i < p->nodes.count; i++)
		add_node(r, p, regions, pn_trace_blocks_at(&p->nodes, i));
	for (i = 0; i < p->edges.count; i++)
		add_edge(r, p, regions, pn_trace_blocks_at(&p->edges, i));
	for (i = 0; i < p->sizes.count; i++)
		add_size(r, p, regions, pn_trace_blocks_at(&p->sizes, i));
}

void pn_trace_reading_begin(struct pn_trace_reading *r, struct pn_profile *p,
			    size_t run_count, const struct pn_trace_cost *cost)
{
	*r = (struct pn_trace_reading){
		.profile = p, .cost = cost, .run_count = run_count};
	r->map = pn_address_map_new(p);
}

void pn_trace_reading_add(struct pn_trace_reading *r,
			  struct pn_runtime_record *record, size_t run)
{
	struct process p = {
		.nodes = {.size = sizeof(struct pn_runtime_node)},
		.edges = {.size = sizeof(struct pn_runtime_edge)},
		.frames = {.size = sizeof(struct pn_runtime_frame)},
		.sizes = {.size = sizeof(struct pn_runtime_size)},
		.ended = record->head.end_ns != 0,
	};
	struct regions regions = {0};

	pn_address_map_restart(r->map);
	r->run = run < r->run_count ? run : 0;
	read_parts(&p, r, &regions, record);
	r->lost += (double)record->head.lost;
	add_process(r, &p, &regions);
	pn_trace_blocks_release(&p.nodes);
	pn_trace_blocks_release(&p.edges);
	pn_trace_blocks_release(&p.frames);
	pn_trace_blocks_release(&p.sizes);
	free(p.callers);
	free(regions.list);
}

static int64_t to_ns(double ns)
{
	return ns > MAX_NS    ? (int64_t)MAX_NS
	       : ns < -MAX_NS ? (int64_t)-MAX_NS
			      : (int64_t)llround(ns);
}

static bool has_time(const struct pn_trace_reading *r)
{
	return r->has_clock && r->clock != PN_RUNTIME_TRACE_NONE;
}

/* Columns: time unless there is no clock, calls. */
static void put_row(union pn_value *row, const struct pn_trace_reading *r,
		    double ns, uint64_t calls)
{
	if (has_time(r))
		row++->i = to_ns(ns);
	row->i = (int64_t)calls;
}

/* The node of a function's place; those of calls that have no function's
 * entry (a flat table) are added. */
static uint32_t node_of(struct pn_profile *p, uint32_t *by_location,
			uint32_t location)
{
	if (by_location[location] == PN_NONE)
		by_location[location] = pn_graph_add_node(p, location, 0, 0);
	return by_location[location];
}

static void put_nodes(struct pn_trace_reading *r, uint32_t *by_location)
{
	struct pn_profile *p = r->profile;
	size_t i, types = p->type_count;

	for (i = 0; i < r->node_count; i++) {
		const struct pn_trace_sum *s = &r->nodes[i];
		uint32_t node = node_of(p, by_location, s->callee);

		p->graph.nodes[node].primitive = (int64_t)s->primitive;
		put_row(&p->graph.total[node * types], r,
			pn_trace_time_ns(&s->total, &r->found), s->below);
	}
}

/* A function's own time is that of its calls. */
static void put_self(struct pn_trace_reading *r, const struct pn_trace_sum *s,
		     uint32_t node)
{
	struct pn_profile *p = r->profile;
	union pn_value *self = &p->graph.self[node * p->type_count];
	size_t i = 0;

	if (has_time(r)) {
		self[i].i = to_ns((double)self[i].i +
				  pn_trace_time_ns(&s->self, &r->found));
		i++;
	}
	self[i].i += (int64_t)s->calls;
	p->graph.nodes[node].calls += (int64_t)s->calls;
	if (r->is_flat) {
		memcpy(&p->graph.total[node * p->type_count], self,
		       p->type_count * sizeof(*self));
		p->graph.nodes[node].primitive = -1;
	}
}

static void put_edges(struct pn_trace_reading *r, uint32_t *by_location)
{
	struct pn_profile *p = r->profile;
	size_t i, at, types = p->type_count;

	for (i = 0; i < r->edge_count; i++) {
		const struct pn_trace_sum *s = &r->edges[i];
		struct pn_edge edge = {.calls = (int64_t)s->calls,
				       .primitive = (int64_t)s->primitive};

		edge.callee = node_of(p, by_location, s->callee);
		put_self(r, s, edge.callee);
		if (s->caller == PN_NONE || r->is_flat)
			continue;
		edge.caller = node_of(p, by_location, s->caller);
		at = pn_graph_add_edge(p, &edge);
		put_row(&p->graph.edge_self[at * types], r,
			pn_trace_time_ns(&s->self, &r->found), s->calls);
		put_row(&p->graph.edge_total[at * types], r,
			pn_trace_time_ns(&s->total, &r->found), s->below);
	}
}

static void add_type(struct pn_profile *p, const char *name, const char *unit)
{
	uint32_t type = pn_profile_add_type(p, name, unit);

	p->types[type].better = PN_BETTER_LESS;
	if (!type)
		p->default_type = p->types[type].type;
}

/* Sums of what the graph says, so that the metric is what a view shows. */
static void add_metrics(struct pn_profile *p)
{
	size_t count, i;
	struct pn_metric *sums = pn_totals_of(&count, p);

	for (i = 0; i < count; i++)
		pn_profile_add_metric(p, pn_profile_text(p, sums[i].name),
				      pn_profile_text(p, sums[i].unit),
				      PN_BETTER_LESS, sums[i].values,
				      sums[i].value_count);
	pn_totals_free(sums, count);
}

/* What was taken off, for who judges what is left: one value of all runs. */
static void add_cost(const struct pn_trace_reading *r)
{
	double cost_ns = r->found.inside_ns + r->found.outside_ns;

	if (has_time(r) && cost_ns > 0)
		pn_profile_add_metric(r->profile, "tracing", "ns",
				      PN_BETTER_LESS, &cost_ns, 1);
}

/* What each run took is told as it was. */
static void fold_runs(struct pn_trace_reading *r)
{
	struct pn_trace_share share;
	size_t i;

	r->node_count = pn_trace_sums_unite(r->nodes, r->node_count);
	r->edge_count = pn_trace_sums_unite(r->edges, r->edge_count);
	for (i = 0; i < r->edge_count; i++) {
		const struct pn_trace_sum *s = &r->edges[i];

		share = (struct pn_trace_share){
			s->callee, s->run, s->calls,
			pn_trace_time_ns(&s->self, &r->found)};
		pn_trace_shares_add(&r->shares, &share);
	}
	r->node_count =
		pn_trace_sums_fold(r->nodes, r->node_count, r->run_count);
	r->edge_count =
		pn_trace_sums_fold(r->edges, r->edge_count, r->run_count);
	pn_trace_sums_settle(r->nodes, r->node_count, r->edges, r->edge_count,
			     r->profile->location_count);
}

static void put_graph(struct pn_trace_reading *r)
{
	struct pn_profile *p = r->profile;
	uint32_t *by_location;
	size_t i;

	if (has_time(r))
		add_type(p, r->clock == PN_RUNTIME_TRACE_CPU ? "cpu" : "wall",
			 "ns");
	add_type(p, "calls", "count");
	fold_runs(r);
	by_location = pn_calloc(p->location_count + 1, sizeof(*by_location));
	for (i = 0; i < p->location_count; i++)
		by_location[i] = PN_NONE;
	put_nodes(r, by_location);
	put_edges(r, by_location);
	pn_trace_shares_put(p, &r->shares, by_location);
	add_metrics(p);
	add_cost(r);
	free(by_location);
}

void pn_trace_reading_end(struct pn_trace_reading *r)
{
	if (r->by_size)
		pn_trace_points_put(r->profile, &r->points, r->run_count);
	else
		put_graph(r);
	pn_trace_points_release(&r->points);
	pn_trace_shares_release(&r->shares);
	free(r->nodes);
	free(r->edges);
	pn_address_map_free(r->map);
	r->nodes = r->edges = NULL;
	r->map = NULL;
}
