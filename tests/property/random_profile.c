/* Profiles and changes of them by dice. */
#include "random_profile.h"

#include "base/alloc.h"
#include "model/timeline/curves.h"
#include "model/timeline/events.h"
#include "model/timeline/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint64_t dice_roll(struct dice *dice)
{
	uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

size_t dice_below(struct dice *dice, size_t end)
{
	return end ? (size_t)(dice_roll(dice) % end) : 0;
}

static bool one_in(struct dice *dice, size_t n)
{
	return !dice_below(dice, n);
}

/* Mostly small, sometimes any. */
static int64_t random_int(struct dice *dice)
{
	switch (dice_below(dice, 8)) {
	case 0:
		return (int64_t)dice_roll(dice);
	case 1:
		return -(int64_t)dice_below(dice, 1000);
	case 2:
		return (int64_t)dice_below(dice, 100000) * 10000000;
	default:
		return (int64_t)dice_below(dice, 5000);
	}
}

static double random_double(struct dice *dice)
{
	uint64_t bits;
	double d;

	switch (dice_below(dice, 8)) {
	case 0:
		bits = dice_roll(dice);
		memcpy(&d, &bits, sizeof(d));
		return d;
	case 1:
		return one_in(dice, 2) ? -0.0 : (double)INFINITY;
	default:
		return (double)dice_below(dice, 1000000) / 100;
	}
}

static union pn_value random_value(const struct pn_profile *p,
				   struct dice *dice, size_t type)
{
	union pn_value v;

	if (p->types[type].number == PN_NUMBER_DOUBLE)
		v.d = random_double(dice);
	else
		v.i = random_int(dice);
	return v;
}

static uint32_t random_string(struct pn_profile *p, struct dice *dice)
{
	char text[64];
	int len;

	if (one_in(dice, 6))
		return 0;
	len = snprintf(text, sizeof(text), "module%zu::name_%zu",
		       dice_below(dice, 20), dice_below(dice, 400));
	if (one_in(dice, 20))
		text[3] = '\0';
	return pn_strtab_add(&p->strings, text, (size_t)len);
}

static void add_type(struct pn_profile *p, struct dice *dice)
{
	char name[32];
	uint32_t i;

	snprintf(name, sizeof(name), "type%zu", p->type_count);
	i = pn_profile_add_type(p, name, "ns");
	p->types[i].better = (uint8_t)dice_below(dice, 3);
	p->types[i].number = (uint8_t)dice_below(dice, 2);
}

static void add_mapping(struct pn_profile *p, struct dice *dice)
{
	struct pn_mapping m = {.start = dice_roll(dice),
			       .limit = dice_roll(dice),
			       .offset = dice_below(dice, 5) * 4096,
			       .file = random_string(p, dice),
			       .build_id = random_string(p, dice),
			       .has = (uint32_t)dice_below(dice, 16)};

	pn_profile_add_mapping(p, &m);
}

static void add_function(struct pn_profile *p, struct dice *dice)
{
	struct pn_function f = {.name = random_string(p, dice),
				.file = random_string(p, dice),
				.start_line = random_int(dice)};

	f.system_name = one_in(dice, 3) ? random_string(p, dice) : f.name;
	pn_profile_add_function(p, &f);
}

static void add_location(struct pn_profile *p, struct dice *dice)
{
	struct pn_location l = {.address = dice_roll(dice) >> 20,
				.mapping = PN_NONE,
				.folded = one_in(dice, 10)};
	struct pn_line lines[4];
	size_t i, n = p->function_count ? dice_below(dice, 4) : 0;

	if (p->mapping_count && !one_in(dice, 4))
		l.mapping = (uint32_t)dice_below(dice, p->mapping_count);
	for (i = 0; i < n; i++) {
		lines[i].function =
			(uint32_t)dice_below(dice, p->function_count);
		lines[i].line = random_int(dice);
		lines[i].column = one_in(dice, 4) ? random_int(dice) : 0;
	}
	pn_profile_add_location(p, &l, lines, n);
}

static void add_stack(struct pn_profile *p, struct dice *dice)
{
	uint32_t frames[24];
	size_t i, n = p->location_count ? dice_below(dice, 24) : 0;

	for (i = 0; i < n; i++)
		frames[i] = (uint32_t)dice_below(dice, p->location_count);
	pn_profile_add_stack(p, frames, n);
}

static void add_label_set(struct pn_profile *p, struct dice *dice)
{
	struct pn_label labels[3];
	size_t i, n = dice_below(dice, 4);

	memset(labels, 0, sizeof(labels));
	for (i = 0; i < n; i++) {
		labels[i].key = random_string(p, dice);
		labels[i].unit = random_string(p, dice);
		labels[i].kind = (uint8_t)dice_below(dice, 4);
		if (labels[i].kind == PN_LABEL_INT)
			labels[i].value.i = random_int(dice);
		else if (labels[i].kind == PN_LABEL_DOUBLE)
			labels[i].value.d = random_double(dice);
		else
			labels[i].value.s = random_string(p, dice);
	}
	pn_profile_add_label_set(p, labels, n);
}

static void add_sample(struct pn_profile *p, struct dice *dice)
{
	union pn_value values[PN_MAX_VALUE_TYPES];
	size_t i, sample;

	for (i = 0; i < p->type_count; i++) {
		values[i] = random_value(p, dice, i);
		/* often what pprof has: a multiple of the first column */
		if (i == 1 && !p->types[0].number && !p->types[1].number &&
		    p->period == 1)
			values[1].i = (int64_t)((uint64_t)values[0].i * 1000);
	}
	sample = pn_profile_add_sample(
		p, (uint32_t)dice_below(dice, p->stack_count),
		(uint32_t)dice_below(dice, p->label_set_count), values);
	if (one_in(dice, 10) && p->period != 1)
		pn_profile_set_absent(p, sample,
				      dice_below(dice, p->type_count));
}

static union pn_value *add_row(union pn_value *matrix, struct pn_profile *p,
			       struct dice *dice, size_t row)
{
	size_t i, n = p->type_count;

	matrix = pn_realloc_array(matrix, row + 1, n * sizeof(*matrix));
	for (i = 0; i < n; i++)
		matrix[row * n + i] = random_value(p, dice, i);
	return matrix;
}

static void add_node(struct pn_profile *p, struct dice *dice)
{
	struct pn_graph *g = &p->graph;
	size_t n = g->node_count;

	g->nodes = pn_grow(g->nodes, &g->node_cap, n + 1, sizeof(*g->nodes));
	g->nodes[n].location =
		one_in(dice, 9) || !p->location_count
			? PN_NONE
			: (uint32_t)dice_below(dice, p->location_count);
	g->nodes[n].calls = one_in(dice, 3) ? -1 : random_int(dice);
	g->nodes[n].primitive = -1;
	g->self = add_row(g->self, p, dice, n);
	g->total = add_row(g->total, p, dice, n);
	g->node_count++;
}

static void add_edge(struct pn_profile *p, struct dice *dice)
{
	struct pn_graph *g = &p->graph;
	size_t n = g->edge_count;

	g->edges = pn_grow(g->edges, &g->edge_cap, n + 1, sizeof(*g->edges));
	g->edges[n].caller = (uint32_t)dice_below(dice, g->node_count);
	g->edges[n].callee = (uint32_t)dice_below(dice, g->node_count);
	g->edges[n].line = (int64_t)dice_below(dice, 40);
	g->edges[n].calls = random_int(dice);
	g->edges[n].primitive = -1;
	g->edges[n].file = one_in(dice, 3) ? random_string(p, dice) : 0;
	g->edges[n].address = one_in(dice, 3) ? dice_roll(dice) : 0;
	g->edge_self = add_row(g->edge_self, p, dice, n);
	g->edge_total = add_row(g->edge_total, p, dice, n);
	g->edge_count++;
}

static void add_cost(struct pn_profile *p, struct dice *dice)
{
	struct pn_graph *g = &p->graph;
	size_t n = g->cost_count;

	g->costs = pn_grow(g->costs, &g->cost_cap, n + 1, sizeof(*g->costs));
	g->costs[n].node = (uint32_t)dice_below(dice, g->node_count);
	g->costs[n].file = random_string(p, dice);
	g->costs[n].line = (int64_t)dice_below(dice, 1000);
	g->costs[n].address = one_in(dice, 2) ? dice_roll(dice) : 0;
	g->cost_values = add_row(g->cost_values, p, dice, n);
	g->cost_count++;
}

static void add_curve(struct pn_profile *p, struct dice *dice)
{
	size_t i, k, n = dice_below(dice, 9);

	pn_curves_add(p, random_string(p, dice), random_string(p, dice),
		      random_string(p, dice));
	for (i = 0; i < n; i++) {
		pn_curves_add_point(p, (double)(i * 10), random_double(dice));
		for (k = 0; p->stack_count && k < i % 3; k++)
			pn_curves_add_part(
				p, (uint32_t)dice_below(dice, p->stack_count),
				(double)dice_below(dice, 5000) / 4);
	}
}

static uint32_t one_or_none(struct dice *dice, size_t count)
{
	return !count || one_in(dice, 3) ? PN_NONE
					 : (uint32_t)dice_below(dice, count);
}

static void add_tick(struct pn_profile *p, struct dice *dice)
{
	int64_t line = random_int(dice), count = random_int(dice);

	pn_ticks_add(p, (uint32_t)dice_below(dice, p->stack_count),
		     line < 0 ? 0 : line, count <= 0 ? 1 : count);
}

static void add_event(struct pn_profile *p, struct dice *dice)
{
	const struct pn_events *e = &p->events;
	struct pn_event event = {.time_ns = random_int(dice)};

	if (one_in(dice, 8))
		pn_events_add_process(p, random_string(p, dice),
				      random_string(p, dice));
	if (one_in(dice, 6))
		pn_events_add_thread(p, one_or_none(dice, e->process_count),
				     random_string(p, dice),
				     random_string(p, dice));
	if (e->thread_count && one_in(dice, 6))
		p->events.threads[0].cost = random_double(dice);
	if (!p->stack_count || !p->type_count)
		return;
	event.duration_ns = one_in(dice, 2) ? random_int(dice) : 0;
	event.stack = (uint32_t)dice_below(dice, p->stack_count);
	event.thread = one_or_none(dice, e->thread_count);
	event.type = (uint32_t)dice_below(dice, p->type_count);
	pn_events_add(p, &event);
}

static void add_fact(struct pn_profile *p, struct dice *dice)
{
	pn_profile_add_fact(p, one_in(dice, 2) ? "seen" : "missed", "ns",
			    one_in(dice, 2) ? random_double(dice)
					    : (double)dice_below(dice, 900));
}

static void add_metric(struct pn_profile *p, struct dice *dice)
{
	double values[5];
	size_t i, n = dice_below(dice, 6);
	struct pn_metric *m;

	for (i = 0; i < n; i++)
		values[i] = random_double(dice);
	m = pn_profile_add_metric(p, "wall", "s", PN_BETTER_LESS, values, n);
	if (n)
		return;
	m->summary.n = dice_below(dice, 100);
	m->summary.median = random_double(dice);
	m->summary.sd = random_double(dice);
}

static void set_facts(struct pn_profile *p, struct dice *dice)
{
	struct pn_header *h = &p->header;

	h->kind = pn_strtab_add_text(&p->strings, "time");
	h->cmd = random_string(p, dice);
	h->args = random_string(p, dice);
	h->workload = random_string(p, dice);
	h->origin = random_string(p, dice);
	h->exit_status = random_int(dice);
	h->dirty = one_in(dice, 2);
	h->collector.name = random_string(p, dice);
	h->collector.params = pn_strtab_add_text(&p->strings, "{\"hz\":99}");
	p->default_type = random_string(p, dice);
	p->period_type.type = random_string(p, dice);
	p->time_ns = random_int(dice);
	p->duration_ns = random_int(dice);
	p->doc_url = random_string(p, dice);
	p->drop_frames = random_string(p, dice);
	pn_profile_set_environment(p, "cpu", one_in(dice, 2) ? "a" : "b");
	pn_profile_set_label(p, "branch", one_in(dice, 2) ? "main" : "x");
}

static void add_to_lists(struct pn_profile *p, struct dice *dice)
{
	struct pn_header *h = &p->header;

	h->posts = pn_realloc_array(h->posts, h->post_count + 1,
				    sizeof(*h->posts));
	h->posts[h->post_count].name = random_string(p, dice);
	h->posts[h->post_count++].params = random_string(p, dice);
	h->extras = pn_realloc_array(h->extras, h->extra_count + 1,
				     sizeof(*h->extras));
	h->extras[h->extra_count].key = random_string(p, dice);
	h->extras[h->extra_count++].value = random_string(p, dice);
	h->models = pn_realloc_array(h->models, h->model_count + 1,
				     sizeof(*h->models));
	h->models[h->model_count++] = random_string(p, dice);
	p->comments = pn_realloc_array(p->comments, p->comment_count + 1,
				       sizeof(*p->comments));
	p->comments[p->comment_count++] = random_string(p, dice);
}

static void repeat(struct pn_profile *p, struct dice *dice, size_t n,
		   void (*add)(struct pn_profile *p, struct dice *dice))
{
	while (n--)
		add(p, dice);
}

void random_profile(struct pn_profile *out, struct dice *dice, size_t samples)
{
	bool graph = one_in(dice, 2);

	pn_profile_init(out);
	out->period = (int64_t)dice_below(dice, 2);
	repeat(out, dice, 1 + dice_below(dice, 4), add_type);
	repeat(out, dice, dice_below(dice, 3), add_mapping);
	repeat(out, dice, dice_below(dice, samples / 2 + 2), add_function);
	repeat(out, dice, dice_below(dice, samples / 2 + 2), add_location);
	repeat(out, dice, 1 + dice_below(dice, samples + 2), add_stack);
	pn_profile_add_label_set(out, NULL, 0);
	repeat(out, dice, one_in(dice, 2) ? 0 : 9, add_label_set);
	repeat(out, dice, dice_below(dice, samples + 1), add_sample);
	if (graph) {
		repeat(out, dice, 1 + dice_below(dice, samples), add_node);
		repeat(out, dice, dice_below(dice, samples), add_edge);
		repeat(out, dice, dice_below(dice, samples), add_cost);
	}
	repeat(out, dice, dice_below(dice, 3), add_metric);
	if (one_in(dice, 3))
		repeat(out, dice, dice_below(dice, 4), add_curve);
	if (one_in(dice, 3))
		repeat(out, dice, dice_below(dice, samples + 2), add_event);
	if (out->stack_count && one_in(dice, 3))
		repeat(out, dice, dice_below(dice, samples + 2), add_tick);
	if (one_in(dice, 3))
		repeat(out, dice, dice_below(dice, 4), add_fact);
	set_facts(out, dice);
	repeat(out, dice, dice_below(dice, 3), add_to_lists);
}

/* The last sample takes the place of one that goes. */
static void remove_sample(struct pn_profile *p, struct dice *dice)
{
	size_t i, types = p->type_count, last = p->sample_count - 1;
	size_t gone = dice_below(dice, p->sample_count);

	if (!p->sample_count)
		return;
	if (p->present)
		return; /* bits are not moved here */
	p->samples[gone] = p->samples[last];
	for (i = 0; i < types; i++)
		p->values[gone * types + i] = p->values[last * types + i];
	p->sample_count = last;
}

static void change_values(struct pn_profile *p, struct dice *dice)
{
	size_t i, type;

	for (i = 0; i < p->sample_count; i++) {
		type = dice_below(dice, p->type_count);
		if (one_in(dice, 5) && pn_profile_is_present(p, i, type) &&
		    p->types[type].number == PN_NUMBER_INT)
			p->values[i * p->type_count + type].i ^=
				(int64_t)dice_below(dice, 64);
	}
	for (i = 0; i < p->graph.node_count; i++)
		if (one_in(dice, 5))
			p->graph.self[i * p->type_count] =
				random_value(p, dice, 0);
}

static void rename_functions(struct pn_profile *p, struct dice *dice)
{
	size_t i;

	for (i = 0; i < 3 && p->function_count; i++) {
		struct pn_function *f =
			&p->functions[dice_below(dice, p->function_count)];

		f->name = random_string(p, dice);
		if (one_in(dice, 2))
			f->start_line++;
	}
}

static void move_addresses(struct pn_profile *p, struct dice *dice)
{
	size_t i;

	for (i = 0; i < p->mapping_count; i++)
		p->mappings[i].start += dice_below(dice, 100) * 4096;
	for (i = 0; i < p->location_count; i++)
		if (one_in(dice, 2))
			p->locations[i].address += dice_below(dice, 64);
}

static void drop_graph_ends(struct pn_profile *p, struct dice *dice)
{
	struct pn_graph *g = &p->graph;

	g->cost_count -= dice_below(dice, g->cost_count + 1);
	g->edge_count -= dice_below(dice, g->edge_count + 1);
}

static void drop_lists(struct pn_profile *p)
{
	p->comment_count = 0;
	p->header.model_count /= 2;
	p->header.post_count /= 2;
}

void random_change(struct pn_profile *p, struct dice *dice)
{
	change_values(p, dice);
	if (one_in(dice, 2))
		set_facts(p, dice);
	if (one_in(dice, 3))
		rename_functions(p, dice);
	if (one_in(dice, 4))
		move_addresses(p, dice);
	if (one_in(dice, 2))
		repeat(p, dice, 3, add_stack);
	if (one_in(dice, 4))
		repeat(p, dice, 2, add_label_set);
	if (one_in(dice, 3)) {
		repeat(p, dice, 2, add_function);
		repeat(p, dice, 2, add_location);
	}
	if (one_in(dice, 2))
		repeat(p, dice, 4, add_sample);
	if (one_in(dice, 2))
		repeat(p, dice, 5, remove_sample);
	if (one_in(dice, 5) && p->graph.node_count)
		drop_graph_ends(p, dice);
	if (one_in(dice, 5) && p->graph.node_count) {
		repeat(p, dice, 2, add_node);
		repeat(p, dice, 2, add_edge);
	}
	if (one_in(dice, 6))
		drop_lists(p);
	if (one_in(dice, 6))
		repeat(p, dice, 1, add_to_lists);
	if (one_in(dice, 6))
		add_metric(p, dice);
	if (one_in(dice, 6))
		add_fact(p, dice);
	if (one_in(dice, 6))
		repeat(p, dice, 5, add_event);
	else if (one_in(dice, 20))
		pn_events_clear(p);
	if (one_in(dice, 6) && p->stack_count)
		repeat(p, dice, 3, add_tick);
	else if (one_in(dice, 20))
		pn_ticks_clear(p);
	if (one_in(dice, 6))
		add_curve(p, dice);
	else if (one_in(dice, 20))
		pn_curves_clear(p);
	if (one_in(dice, 8))
		add_mapping(p, dice);
}
