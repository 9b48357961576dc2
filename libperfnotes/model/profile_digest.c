/*
 * Whether the tables of two profiles say the same. Each entity is hashed by its
 * content to 128 bits, bottom up: strings, functions, locations, stacks,
 * samples. Tables without order are then compared as multisets: by their count
 * and the sum of their hashes, which no order changes. Only when sums differ
 * are the hashes sorted, to name an entity that one side lacks.
 */
#include "model/profile_digest.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct digest {
	uint64_t a, b;
};

/* A sum of digests, and a count: a multiset. */
struct bag {
	struct digest sum;
	size_t count;
};

/* The digests of one profile, by index of what they stand for. */
struct digests {
	const struct pn_profile *p;
	struct digest *strings, *functions, *locations, *stacks, *label_sets;
	struct digest *nodes;
	size_t *points; /* by part: that it is of */
};

/* What is compared as a multiset, in the order in which it is reported. */
enum table {
	TABLE_FUNCTIONS,
	TABLE_LOCATIONS,
	TABLE_SAMPLES,
	TABLE_NODES,
	TABLE_EDGES,
	TABLE_COSTS,
	TABLE_PARTS,
	TABLE_EVENTS,
	TABLE_TICKS,
	TABLE_COUNT
};

static const char *const table_names[TABLE_COUNT] = {
	"function", "location",	       "sample", "node", "edge",
	"cost",	    "part of a point", "event",	 "tick"};

static uint64_t rotate(uint64_t v, unsigned int by)
{
	return v << by | v >> (64 - by);
}

/* The finalizer of SplitMix64 (Steele et al., OOPSLA 2014). */
static uint64_t mix(uint64_t v)
{
	v ^= v >> 30;
	v *= UINT64_C(0xbf58476d1ce4e5b9);
	v ^= v >> 27;
	v *= UINT64_C(0x94d049bb133111eb);
	return v ^ v >> 31;
}

static void add(struct digest *d, uint64_t value)
{
	d->a = mix(d->a ^ value);
	d->b = rotate(d->b + value, 23) * UINT64_C(0x9fb21c651e98df25);
	d->b ^= d->b >> 29;
}

static void add_digest(struct digest *d, struct digest other)
{
	add(d, other.a);
	add(d, other.b);
}

static struct digest begin(uint64_t kind)
{
	struct digest d = {kind, ~kind};

	return d;
}

/* So that sums of digests do not cancel what the last steps left linear. */
static struct digest end(struct digest d)
{
	struct digest out = {mix(d.a + rotate(d.b, 32)), mix(d.b ^ d.a)};

	return out;
}

static struct digest of_bytes(const char *bytes, size_t len)
{
	struct digest d = begin(len);
	uint64_t word;

	for (; len >= 8; bytes += 8, len -= 8) {
		memcpy(&word, bytes, 8);
		add(&d, word);
	}
	word = 0;
	if (len)
		memcpy(&word, bytes, len);
	add(&d, word);
	return end(d);
}

static struct digest of_string(const struct digests *s, uint32_t id)
{
	return s->strings[s->p->strings.count ? id : 0];
}

static struct digest of_function(const struct digests *s, size_t i)
{
	const struct pn_function *f = &s->p->functions[i];
	struct digest d = begin(1);

	add_digest(&d, of_string(s, f->name));
	add_digest(&d, of_string(s, f->system_name));
	add_digest(&d, of_string(s, f->file));
	add(&d, (uint64_t)f->start_line);
	return end(d);
}

static struct digest of_location(const struct digests *s, size_t i)
{
	const struct pn_location *l = &s->p->locations[i];
	struct digest d = begin(2);
	uint32_t n;

	add(&d, l->address);
	/* mappings are compared in order, so the index is the content */
	add(&d, l->mapping);
	add(&d, l->folded);
	for (n = 0; n < l->line_count; n++) {
		const struct pn_line *line = &s->p->lines[l->line_first + n];

		add_digest(&d, s->functions[line->function]);
		add(&d, (uint64_t)line->line);
		add(&d, (uint64_t)line->column);
	}
	return end(d);
}

static struct digest of_stack(const struct digests *s, size_t i)
{
	const struct pn_profile *p = s->p;
	struct digest d = begin(3);
	uint32_t at;

	for (at = p->stack_start[i]; at < p->stack_start[i + 1]; at++)
		add_digest(&d, s->locations[p->frames[at]]);
	return end(d);
}

/* Labels of one key keep their order, different keys have none. */
struct key_seen {
	uint32_t set, labels;
};

static struct digest of_label(const struct digests *s,
			      const struct pn_label *label, uint32_t ordinal)
{
	struct digest d = begin(4);

	add_digest(&d, of_string(s, label->key));
	add_digest(&d, of_string(s, label->unit));
	add(&d, (uint64_t)label->kind << 32 | ordinal);
	if (label->kind == PN_LABEL_STRING || label->kind == PN_LABEL_JSON)
		add_digest(&d, of_string(s, label->value.s));
	else
		add(&d, (uint64_t)label->value.i);
	return end(d);
}

static struct digest of_label_set(const struct digests *s, size_t i,
				  struct key_seen *seen)
{
	const struct pn_profile *p = s->p;
	struct digest d = begin(5), sum = {0, 0};
	uint32_t at;

	for (at = p->label_set_start[i]; at < p->label_set_start[i + 1]; at++) {
		const struct pn_label *label = &p->labels[at];
		bool text = label->kind == PN_LABEL_STRING;
		struct key_seen *key = &seen[(size_t)label->key * 2 + text];
		struct digest one;

		if (key->set != i) {
			key->set = (uint32_t)i;
			key->labels = 0;
		}
		one = of_label(s, label, key->labels++);
		sum.a += one.a;
		sum.b += one.b;
	}
	add(&d, p->label_set_start[i + 1] - p->label_set_start[i]);
	add_digest(&d, sum);
	return end(d);
}

static void add_values(struct digest *d, const union pn_value *values,
		       size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		add(d, (uint64_t)values[i].i); /* a double by its bits */
}

static struct digest of_sample(const struct digests *s, size_t i)
{
	const struct pn_profile *p = s->p;
	struct digest d = begin(6);
	uint64_t present = 0;
	size_t type;

	add_digest(&d, s->stacks[p->samples[i].stack]);
	add_digest(&d, s->label_sets[p->samples[i].labels]);
	add_values(&d, p->values + i * p->type_count, p->type_count);
	if (p->present)
		for (type = 0; type < p->type_count; type++)
			present |= (uint64_t)!pn_profile_is_present(p, i, type)
				   << type;
	add(&d, present); /* PN_MAX_VALUE_TYPES bits fit */
	return end(d);
}

static struct digest of_node(const struct digests *s, size_t i)
{
	const struct pn_graph *g = &s->p->graph;
	size_t types = s->p->type_count, runs = pn_profile_runs(s->p);
	struct digest d = begin(7);

	if (g->nodes[i].location != PN_NONE)
		add_digest(&d, s->locations[g->nodes[i].location]);
	add(&d, (uint64_t)g->nodes[i].calls);
	add(&d, (uint64_t)g->nodes[i].primitive);
	add_values(&d, g->self + i * types, types);
	add_values(&d, g->total + i * types, types);
	if (g->self_by_run)
		add_values(&d, g->self_by_run + i * types * runs, types * runs);
	return end(d);
}

static struct digest of_edge(const struct digests *s, size_t i)
{
	const struct pn_graph *g = &s->p->graph;
	size_t types = s->p->type_count;
	struct digest d = begin(8);

	add_digest(&d, s->nodes[g->edges[i].caller]);
	add_digest(&d, s->nodes[g->edges[i].callee]);
	add(&d, (uint64_t)g->edges[i].line);
	add_digest(&d, of_string(s, g->edges[i].file));
	add(&d, g->edges[i].address);
	add(&d, (uint64_t)g->edges[i].calls);
	add(&d, (uint64_t)g->edges[i].primitive);
	add_values(&d, g->edge_self + i * types, types);
	add_values(&d, g->edge_total + i * types, types);
	return end(d);
}

static struct digest of_cost(const struct digests *s, size_t i)
{
	const struct pn_graph *g = &s->p->graph;
	size_t types = s->p->type_count;
	struct digest d = begin(9);

	add_digest(&d, s->nodes[g->costs[i].node]);
	add_digest(&d, of_string(s, g->costs[i].file));
	add(&d, (uint64_t)g->costs[i].line);
	add(&d, g->costs[i].address);
	add_values(&d, g->cost_values + i * types, types);
	return end(d);
}

/* Curves are compared in order, so the point's index is the content. */
static struct digest of_part(const struct digests *s, size_t i)
{
	const struct pn_part *part = &s->p->curves.parts[i];
	struct digest d = begin(10);
	uint64_t bits;

	memcpy(&bits, &part->value, sizeof(bits));
	add(&d, s->points[i]);
	add_digest(&d, s->stacks[part->stack]);
	add(&d, bits);
	return end(d);
}

/* In order, too. */
static struct digest of_event(const struct digests *s, size_t i)
{
	const struct pn_event *event = &s->p->events.items[i];
	struct digest d = begin(11);

	add(&d, i);
	add(&d, (uint64_t)event->time_ns);
	add(&d, (uint64_t)event->duration_ns);
	add_digest(&d, s->stacks[event->stack]);
	add(&d, (uint64_t)event->thread << 32 | event->type);
	return end(d);
}

static struct digest of_tick(const struct digests *s, size_t i)
{
	const struct pn_tick *tick = &s->p->ticks[i];
	struct digest d = begin(12);

	add_digest(&d, s->stacks[tick->stack]);
	add(&d, (uint64_t)tick->line);
	add(&d, (uint64_t)tick->count);
	return end(d);
}

static struct digest *fill(const struct digests *s, size_t count,
			   struct digest (*of)(const struct digests *, size_t))
{
	struct digest *all = pn_realloc_array(NULL, count, sizeof(*all));
	size_t i;

	for (i = 0; i < count; i++)
		all[i] = of(s, i);
	return all;
}

static void digest_strings(struct digests *s)
{
	const struct pn_strtab *tab = &s->p->strings;
	size_t i, count = tab->count ? tab->count : 1;

	s->strings = pn_realloc_array(NULL, count, sizeof(*s->strings));
	for (i = 0; i < count; i++)
		s->strings[i] = of_bytes(pn_strtab_text(tab, (uint32_t)i),
					 pn_strtab_len(tab, (uint32_t)i));
}

static void digest_label_sets(struct digests *s)
{
	const struct pn_profile *p = s->p;
	struct key_seen *seen =
		pn_calloc(p->strings.count + 1, 2 * sizeof(*seen));
	size_t i;

	s->label_sets = pn_realloc_array(NULL, p->label_set_count,
					 sizeof(*s->label_sets));
	for (i = 0; i < p->label_set_count; i++)
		s->label_sets[i] = of_label_set(s, i, seen);
	free(seen);
}

static void number_parts(struct digests *s)
{
	const struct pn_curves *c = &s->p->curves;
	size_t i, k;

	s->points = pn_realloc_array(NULL, c->part_count, sizeof(*s->points));
	for (i = 0; i < c->point_count; i++)
		for (k = 0; k < c->points[i].count; k++)
			s->points[c->points[i].first + k] = i;
}

static void digests_init(struct digests *s, const struct pn_profile *p)
{
	s->p = p;
	digest_strings(s);
	s->functions = fill(s, p->function_count, of_function);
	s->locations = fill(s, p->location_count, of_location);
	s->stacks = fill(s, p->stack_count, of_stack);
	digest_label_sets(s);
	s->nodes = fill(s, p->graph.node_count, of_node);
	number_parts(s);
}

static void digests_release(struct digests *s)
{
	free(s->strings);
	free(s->functions);
	free(s->locations);
	free(s->stacks);
	free(s->label_sets);
	free(s->nodes);
	free(s->points);
}

static size_t table_size(const struct pn_profile *p, enum table table)
{
	const size_t sizes[TABLE_COUNT] = {
		p->function_count,    p->location_count,   p->sample_count,
		p->graph.node_count,  p->graph.edge_count, p->graph.cost_count,
		p->curves.part_count, p->events.count,	   p->tick_count};

	return sizes[table];
}

static struct digest of_row(const struct digests *s, enum table table, size_t i)
{
	switch (table) {
	case TABLE_FUNCTIONS:
		return s->functions[i];
	case TABLE_LOCATIONS:
		return s->locations[i];
	case TABLE_SAMPLES:
		return of_sample(s, i);
	case TABLE_NODES:
		return s->nodes[i];
	case TABLE_EDGES:
		return of_edge(s, i);
	case TABLE_COSTS:
		return of_cost(s, i);
	case TABLE_PARTS:
		return of_part(s, i);
	case TABLE_TICKS:
		return of_tick(s, i);
	default:
		return of_event(s, i);
	}
}

static struct bag bag_of(const struct digests *s, enum table table)
{
	struct bag bag = {{0, 0}, table_size(s->p, table)};
	size_t i;

	for (i = 0; i < bag.count; i++) {
		struct digest one = of_row(s, table, i);

		bag.sum.a += one.a;
		bag.sum.b += one.b;
	}
	return bag;
}

struct row {
	struct digest digest;
	size_t index;
};

static int cmp_rows(const void *left, const void *right)
{
	const struct row *l = left, *r = right;

	if (l->digest.a != r->digest.a)
		return l->digest.a < r->digest.a ? -1 : 1;
	if (l->digest.b != r->digest.b)
		return l->digest.b < r->digest.b ? -1 : 1;
	return 0;
}

static struct row *sorted_rows(const struct digests *s, enum table table)
{
	size_t i, count = table_size(s->p, table);
	struct row *rows = pn_realloc_array(NULL, count, sizeof(*rows));

	for (i = 0; i < count; i++) {
		rows[i].digest = of_row(s, table, i);
		rows[i].index = i;
	}
	qsort(rows, count, sizeof(*rows), cmp_rows);
	return rows;
}

static const char *location_name(const struct pn_profile *p, uint32_t id)
{
	const struct pn_location *l;

	if (id == PN_NONE)
		return "";
	l = &p->locations[id];
	if (!l->line_count)
		return "";
	return pn_profile_text(
		p, p->functions[p->lines[l->line_first].function].name);
}

static const char *stack_name(const struct pn_profile *p, uint32_t stack)
{
	const uint32_t *start = &p->stack_start[stack];

	return start[0] == start[1] ? ""
				    : location_name(p, p->frames[start[0]]);
}

/* What a person would call the row: the name of its innermost function. */
static const char *row_name(const struct pn_profile *p, enum table table,
			    size_t i)
{
	const struct pn_graph *g = &p->graph;

	switch (table) {
	case TABLE_FUNCTIONS:
		return pn_profile_text(p, p->functions[i].name);
	case TABLE_LOCATIONS:
		return location_name(p, (uint32_t)i);
	case TABLE_SAMPLES:
		return stack_name(p, p->samples[i].stack);
	case TABLE_NODES:
		return location_name(p, g->nodes[i].location);
	case TABLE_EDGES:
		return location_name(p, g->nodes[g->edges[i].callee].location);
	case TABLE_COSTS:
		return location_name(p, g->nodes[g->costs[i].node].location);
	case TABLE_PARTS:
		return stack_name(p, p->curves.parts[i].stack);
	case TABLE_TICKS:
		return stack_name(p, p->ticks[i].stack);
	default:
		return stack_name(p, p->events.items[i].stack);
	}
}

/* Name the first row, in order of hashes, that one side has more often. */
static void explain(char *why, size_t size, const struct digests *a,
		    const struct digests *b, enum table table)
{
	struct row *left = sorted_rows(a, table);
	struct row *right = sorted_rows(b, table);
	size_t left_count = table_size(a->p, table), at = 0;
	size_t right_count = table_size(b->p, table);
	bool second;

	while (at < left_count && at < right_count &&
	       !cmp_rows(&left[at], &right[at]))
		at++;
	second = at == left_count ||
		 (at < right_count && cmp_rows(&left[at], &right[at]) > 0);
	snprintf(why, size,
		 "%s %zu ('%.80s') of the %s profile is not in the other "
		 "(%zu and %zu)",
		 table_names[table], second ? right[at].index : left[at].index,
		 second ? row_name(b->p, table, right[at].index)
			: row_name(a->p, table, left[at].index),
		 second ? "second" : "first", left_count, right_count);
	free(left);
	free(right);
}

static bool equal_digests(const struct digests *a, const struct digests *b,
			  char *why, size_t size)
{
	unsigned int table;

	for (table = 0; table < TABLE_COUNT; table++) {
		struct bag left = bag_of(a, (enum table)table);
		struct bag right = bag_of(b, (enum table)table);

		if (left.count == right.count && left.sum.a == right.sum.a &&
		    left.sum.b == right.sum.b)
			continue;
		if (why)
			explain(why, size, a, b, (enum table)table);
		return false;
	}
	return true;
}

bool pn_profile_equal_tables(const struct pn_profile *a,
			     const struct pn_profile *b, char *why,
			     size_t why_size)
{
	struct digests left, right;
	bool equal;

	digests_init(&left, a);
	digests_init(&right, b);
	equal = equal_digests(&left, &right, why, why_size);
	digests_release(&left);
	digests_release(&right);
	return equal;
}
