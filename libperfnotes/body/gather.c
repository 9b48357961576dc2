/*
 * A profile as columns. Table by table each entity is looked up in the base;
 * what the base has keeps its row, so that a delta has nothing to say about
 * it, and what is new stands behind.
 */
#include "body/gather.h"
#include "body/paths.h"
#include "body/values.h"

#include <string.h>

/* Enough for the rows of a small profile. */
#define ARENA_BYTES 8192

static void gather_functions(struct pn_body_gather *g)
{
	static const unsigned int columns[] = {
		PN_BODY_FUNCTION_NAME, PN_BODY_FUNCTION_SYSTEM,
		PN_BODY_FUNCTION_FILE, PN_BODY_FUNCTION_LINE};
	const struct pn_profile *p = g->p;
	uint64_t *words, *to;
	size_t i;

	to = words = pn_arena_array(&g->d.scratch, p->function_count,
				    4 * sizeof(*words));
	for (i = 0; i < p->function_count; i++, to += 4) {
		const struct pn_function *f = &p->functions[i];
		uint32_t system = pn_body_gather_string(g, f->system_name);

		to[0] = pn_body_gather_string(g, f->name);
		to[1] = system == to[0] ? 0 : (uint64_t)system + 1;
		to[2] = pn_body_gather_string(g, f->file);
		to[3] = (uint64_t)f->start_line;
	}
	g->functions = pn_body_new_rows(g, p->function_count);
	pn_body_gather_fixed(g, g->functions, words, p->function_count, columns,
			     4, PN_BODY_ALIGN_FIRST | PN_BODY_ALIGN_BETWEEN);
}

/* Words of a location: its lines, then the rest, the address last, because
 * it is the first to change. Without lines the address is what it is. */
static uint64_t *put_location(uint64_t *to, const uint64_t *lines, size_t count,
			      const uint64_t rest[3])
{
	size_t i;

	for (i = 0; i < count * 3; i++)
		*to++ = lines[i];
	for (i = 0; i < 3; i++)
		*to++ = rest[count ? i : 2 - i];
	return to;
}

static struct pn_body_runs old_locations(struct pn_body_gather *g)
{
	struct pn_body_draft *d = &g->d;
	struct pn_arena *arena = &d->scratch;
	size_t rows = d->rows[PN_BODY_LOCATIONS], i, at;
	size_t *from = pn_body_draft_starts(d, PN_BODY_LOCATIONS);
	size_t *starts = pn_arena_array(arena, rows + 1, sizeof(*starts));
	struct pn_body_runs runs;
	uint64_t *words, *to, *lines;

	lines = pn_arena_array(arena, d->rows[PN_BODY_LINES], 3 * 8);
	for (at = 0; at < d->rows[PN_BODY_LINES]; at++) {
		lines[at * 3] = d->columns[PN_BODY_LINE_FUNCTION][at];
		lines[at * 3 + 1] = d->columns[PN_BODY_LINE_LINE][at];
		lines[at * 3 + 2] = d->columns[PN_BODY_LINE_COLUMN][at];
	}
	to = words = pn_arena_array(arena, d->rows[PN_BODY_LINES] + rows,
				    3 * sizeof(*words));
	for (i = 0; i < rows; i++) {
		const uint64_t rest[3] = {
			d->columns[PN_BODY_LOCATION_FOLDED][i],
			d->columns[PN_BODY_LOCATION_MAPPING][i],
			d->columns[PN_BODY_LOCATION_ADDRESS][i]};

		starts[i] = (size_t)(to - words);
		to = put_location(to, lines + from[i] * 3,
				  from[i + 1] - from[i], rest);
	}
	starts[rows] = (size_t)(to - words);
	runs.words = words;
	runs.starts = starts;
	runs.count = rows;
	return runs;
}

static uint64_t relative_address(const struct pn_profile *p,
				 const struct pn_location *l)
{
	return l->mapping == PN_NONE
		       ? l->address
		       : l->address - p->mappings[l->mapping].start;
}

static uint64_t mapping_word(const struct pn_location *l)
{
	return l->mapping == PN_NONE ? 0 : (uint64_t)l->mapping + 1;
}

static struct pn_body_runs now_locations(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	struct pn_arena *arena = &g->d.scratch;
	size_t total = p->location_count, i, at;
	size_t *starts = pn_arena_array(arena, total + 1, sizeof(*starts));
	struct pn_body_runs runs;
	uint64_t *words, *to, *lines;

	/* locations may share lines */
	for (i = 0; i < p->location_count; i++)
		total += p->locations[i].line_count;
	lines = pn_arena_array(arena, p->line_count, 3 * sizeof(*lines));
	for (at = 0; at < p->line_count; at++) {
		lines[at * 3] = g->functions[p->lines[at].function];
		lines[at * 3 + 1] = (uint64_t)p->lines[at].line;
		lines[at * 3 + 2] = (uint64_t)p->lines[at].column;
	}
	to = words = pn_arena_array(arena, total, 3 * sizeof(*words));
	for (i = 0; i < p->location_count; i++) {
		const struct pn_location *l = &p->locations[i];
		const uint64_t rest[3] = {l->folded, mapping_word(l),
					  relative_address(p, l)};

		starts[i] = (size_t)(to - words);
		to = put_location(to, lines + (size_t)l->line_first * 3,
				  l->line_count, rest);
	}
	starts[p->location_count] = (size_t)(to - words);
	runs.words = words;
	runs.starts = starts;
	runs.count = p->location_count;
	return runs;
}

static void write_location(struct pn_body_gather *g, size_t i,
			   size_t *line_starts, const uint64_t *words,
			   size_t line_count)
{
	uint64_t **c = g->d.columns;
	const struct pn_location *l = &g->p->locations[i];
	uint32_t row = g->locations[i];
	size_t n;

	c[PN_BODY_LOCATION_ADDRESS][row] = relative_address(g->p, l);
	c[PN_BODY_LOCATION_MAPPING][row] = mapping_word(l);
	c[PN_BODY_LOCATION_FOLDED][row] = l->folded;
	for (n = 0; n < line_count; n++) {
		size_t at = line_starts[row] + n;

		c[PN_BODY_LINE_FUNCTION][at] = words[n * 3];
		c[PN_BODY_LINE_LINE][at] = words[n * 3 + 1];
		c[PN_BODY_LINE_COLUMN][at] = words[n * 3 + 2];
	}
}

/* Mappings have no rows of their own in the base: a location that is gone
 * lets go of one that is. */
static void forget_mappings(struct pn_body_gather *g)
{
	uint64_t *words = g->d.columns[PN_BODY_LOCATION_MAPPING];
	size_t i;

	for (i = 0; i < g->d.rows[PN_BODY_LOCATIONS]; i++)
		if (words[i] > g->p->mapping_count)
			words[i] = 0;
}

static void gather_locations(struct pn_body_gather *g)
{
	struct pn_body_runs old = old_locations(g), now = now_locations(g);
	size_t i, had = g->d.rows[PN_BODY_LOCATIONS];
	size_t lines = g->d.rows[PN_BODY_LINES], *starts;

	g->locations = pn_body_new_rows(g, now.count);
	pn_body_align(g->locations, &old, &now,
		      PN_BODY_ALIGN_BUT_LAST | PN_BODY_ALIGN_FIRST, g->d.key,
		      &g->d.scratch);
	pn_body_draft_resize(&g->d, PN_BODY_LOCATIONS,
			     pn_body_gather_grown(g, PN_BODY_LOCATIONS,
						  g->locations, now.count));
	for (i = 0; i < now.count; i++) {
		if (g->locations[i] < had)
			continue;
		g->d.columns[PN_BODY_LOCATION_LINES][g->locations[i]] =
			g->p->locations[i].line_count;
		lines += g->p->locations[i].line_count;
	}
	pn_body_draft_resize(&g->d, PN_BODY_LINES, lines);
	starts = pn_body_draft_starts(&g->d, PN_BODY_LOCATIONS);
	for (i = 0; i < now.count; i++)
		write_location(g, i, starts, now.words + now.starts[i],
			       g->p->locations[i].line_count);
	forget_mappings(g);
}

/* The stacks and sets that samples name, in the profile's order. */
static void find_used(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	struct pn_arena *arena = &g->d.scratch;
	uint8_t *stacks = pn_arena_array(arena, p->stack_count, 1);
	uint8_t *sets = pn_arena_array(arena, p->label_set_count, 1);
	size_t i;

	memset(stacks, 0, p->stack_count);
	memset(sets, 0, p->label_set_count);
	for (i = 0; i < p->sample_count; i++) {
		stacks[p->samples[i].stack] = 1;
		sets[p->samples[i].labels] = 1;
	}
	for (i = 0; i < p->curves.part_count; i++)
		stacks[p->curves.parts[i].stack] = 1;
	for (i = 0; i < p->events.count; i++)
		stacks[p->events.items[i].stack] = 1;
	for (i = 0; i < p->tick_count; i++)
		stacks[p->ticks[i].stack] = 1;
	g->used_stacks = pn_body_new_rows(g, p->stack_count);
	for (i = 0; i < p->stack_count; i++)
		if (stacks[i])
			g->used_stacks[g->stack_count++] = (uint32_t)i;
	g->used_sets = pn_body_new_rows(g, p->label_set_count);
	/* set 0 has no row, it is empty */
	for (i = 1; i < p->label_set_count; i++)
		if (sets[i])
			g->used_sets[g->set_count++] = (uint32_t)i;
}

/* New rows of a table whose rows are only counts of children. */
static void append_runs(struct pn_body_gather *g, unsigned int table,
			const uint32_t *slots, const struct pn_body_runs *now)
{
	unsigned int counts = pn_body_count_column(table);
	size_t i, had = g->d.rows[table];
	size_t children = g->d.rows[table + 1];

	pn_body_draft_resize(&g->d, table,
			     pn_body_gather_grown(g, table, slots, now->count));
	for (i = 0; i < now->count; i++) {
		size_t len = now->starts[i + 1] - now->starts[i];

		if (slots[i] < had)
			continue;
		g->d.columns[counts][slots[i]] = len;
		children += len;
	}
	pn_body_draft_resize(&g->d, table + 1, children);
}

static const unsigned int label_columns[5] = {
	PN_BODY_LABEL_KEY, PN_BODY_LABEL_UNIT, PN_BODY_LABEL_KIND,
	PN_BODY_LABEL_TEXT, PN_BODY_LABEL_NUMBER};

static uint64_t *put_label(struct pn_body_gather *g, uint64_t *to,
			   const struct pn_label *label)
{
	bool is_text =
		label->kind == PN_LABEL_STRING || label->kind == PN_LABEL_JSON;

	*to++ = pn_body_gather_string(g, label->key);
	*to++ = pn_body_gather_string(g, label->unit);
	*to++ = label->kind;
	*to++ = is_text ? pn_body_gather_string(g, label->value.s) : 0;
	if (is_text)
		*to = 0;
	else
		memcpy(to, &label->value, sizeof(*to));
	return to + 1;
}

static void gather_sets(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	struct pn_arena *arena = &g->d.scratch;
	struct pn_body_runs old = pn_body_draft_runs(&g->d, label_columns, 5);
	size_t *old_starts = pn_body_draft_starts(&g->d, PN_BODY_SETS);
	size_t i, at, k, had = g->d.rows[PN_BODY_SETS], end = old.count;
	uint64_t *words =
		pn_arena_array(arena, p->label_count, 5 * sizeof(*words));
	uint64_t *to = words;
	size_t *starts =
		pn_arena_array(arena, g->set_count + 1, sizeof(*starts));
	struct pn_body_runs now = {words, starts, g->set_count};
	uint32_t *slots = pn_body_new_rows(g, g->set_count);

	for (i = 0; i < g->set_count; i++) {
		uint32_t set = g->used_sets[i];

		starts[i] = (size_t)(to - words);
		for (at = p->label_set_start[set];
		     at < p->label_set_start[set + 1]; at++)
			to = put_label(g, to, &p->labels[at]);
	}
	starts[g->set_count] = (size_t)(to - words);
	/* from labels to words */
	for (i = 0; i <= had; i++)
		old_starts[i] *= 5;
	old.starts = old_starts;
	old.count = had;
	pn_body_align(slots, &old, &now, 0, g->d.key, arena);
	for (i = 0; i <= g->set_count; i++)
		starts[i] /= 5;
	append_runs(g, PN_BODY_SETS, slots, &now);
	g->sets = pn_body_new_rows(g, p->label_set_count);
	for (i = 0; i < g->set_count; i++) {
		g->sets[g->used_sets[i]] = slots[i];
		for (at = starts[i]; slots[i] >= had && at < starts[i + 1];
		     at++, end++)
			for (k = 0; k < 5; k++)
				g->d.columns[label_columns[k]][end] =
					words[at * 5 + k];
	}
}

static uint64_t set_word(const struct pn_body_gather *g, size_t sample)
{
	uint32_t set = g->p->samples[sample].labels;

	return set ? (uint64_t)g->sets[set] + 1 : 0;
}

static void align_rows(struct pn_body_gather *g)
{
	static const unsigned int columns[] = {PN_BODY_ROW_STACK,
					       PN_BODY_ROW_SET};
	struct pn_body_runs old = pn_body_draft_runs(&g->d, columns, 2), now;
	size_t i, n = g->p->sample_count;
	struct pn_arena *arena = &g->d.scratch;
	uint64_t *words = pn_arena_array(arena, n, 2 * sizeof(*words));
	size_t *starts = pn_arena_array(arena, n + 1, sizeof(*starts));

	for (i = 0; i < n; i++) {
		starts[i] = i * 2;
		words[i * 2] = g->stacks[g->p->samples[i].stack];
		words[i * 2 + 1] = set_word(g, i);
	}
	starts[n] = n * 2;
	now.words = words;
	now.starts = starts;
	now.count = n;
	pn_body_align(g->rows, &old, &now, 0, g->d.key, arena);
}

/* Samples are what a large profile has most of: the table of the base's is
 * there when all that finds them again has gone. */
static void gather_rows(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	uint64_t **c = g->d.columns;
	size_t i, n = p->sample_count;

	g->rows = pn_body_new_rows(g, n);
	align_rows(g);
	pn_arena_clear(&g->d.scratch);
	pn_body_draft_load(&g->d, PN_BODY_ROWS);
	pn_body_draft_resize(&g->d, PN_BODY_ROWS,
			     pn_body_gather_grown(g, PN_BODY_ROWS, g->rows, n));
	pn_body_draft_fill(&g->d, PN_BODY_ROW_GONE, 1);
	for (i = 0; i < n; i++) {
		c[PN_BODY_ROW_STACK][g->rows[i]] =
			g->stacks[p->samples[i].stack];
		c[PN_BODY_ROW_SET][g->rows[i]] = set_word(g, i);
		c[PN_BODY_ROW_GONE][g->rows[i]] = 0;
	}
}

static void gather_absent(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	size_t i, type;

	for (type = 0; type < p->type_count; type++) {
		uint64_t *to = g->d.columns[PN_BODY_ABSENT + type];

		for (i = 0; i < p->sample_count; i++)
			to[g->rows[i]] = !pn_profile_is_present(p, i, type);
	}
}

/* What stays in the profile though nothing refers to it. */
static void gather_kept(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	uint64_t *locations = g->d.columns[PN_BODY_LOCATION_KEPT];
	uint64_t *functions = g->d.columns[PN_BODY_FUNCTION_KEPT];
	size_t i, at;

	pn_body_draft_fill(&g->d, PN_BODY_LOCATION_KEPT, 0);
	pn_body_draft_fill(&g->d, PN_BODY_FUNCTION_KEPT, 0);
	for (i = 0; i < p->location_count; i++)
		locations[g->locations[i]] = 1;
	for (i = 0; i < g->stack_count; i++)
		for (at = p->stack_start[g->used_stacks[i]];
		     at < p->stack_start[g->used_stacks[i] + 1]; at++)
			locations[g->locations[p->frames[at]]] = 0;
	for (i = 0; i < p->graph.node_count; i++)
		if (p->graph.nodes[i].location != PN_NONE)
			locations[g->locations[p->graph.nodes[i].location]] = 0;
	for (i = 0; i < p->function_count; i++)
		functions[g->functions[i]] = 1;
	for (i = 0; i < p->location_count; i++) {
		const struct pn_location *l = &p->locations[i];

		for (at = 0; at < l->line_count; at++)
			functions[g->functions[p->lines[l->line_first + at]
						       .function]] = 0;
	}
}

static void gather_values(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	const struct pn_graph *graph = &p->graph;

	pn_body_values_put(&g->d, p, PN_BODY_OF_ROWS, p->values, g->rows,
			   p->sample_count);
	pn_body_values_put(&g->d, p, PN_BODY_OF_NODES_SELF, graph->self,
			   g->nodes, graph->node_count);
	pn_body_values_put(&g->d, p, PN_BODY_OF_NODES_TOTAL, graph->total,
			   g->nodes, graph->node_count);
	pn_body_values_put(&g->d, p, PN_BODY_OF_EDGES_SELF, graph->edge_self,
			   g->edges, graph->edge_count);
	pn_body_values_put(&g->d, p, PN_BODY_OF_EDGES_TOTAL, graph->edge_total,
			   g->edges, graph->edge_count);
	pn_body_values_put(&g->d, p, PN_BODY_OF_COSTS, graph->cost_values,
			   g->costs, graph->cost_count);
}

static void gather_counts(struct pn_body_gather *g)
{
	unsigned int i, tables = PN_BODY_TABLES;

	while (tables > PN_BODY_FIRST_TABLES && !g->d.rows[tables - 1])
		tables--;
	for (i = 0; i < tables; i++)
		pn_body_draft_push(&g->d, PN_BODY_COUNTS, g->d.rows[i]);
}

/* Whether the paths that the base does not have are too many for a delta. */
static bool is_much(const struct pn_body_gather *g)
{
	return g->lean && g->d.base &&
	       pn_body_paths_bytes(g->paths) > pn_body_delta_max(g->d.base);
}

static struct pn_body_state *gather(const struct pn_profile *profile,
				    const struct pn_body_state *base, bool lean)
{
	static void (*const steps[])(struct pn_body_gather *) = {
		pn_body_gather_facts,  gather_functions,
		gather_locations,      find_used,
		pn_body_gather_stacks, gather_sets,
		gather_rows,	       gather_absent,
		pn_body_gather_curves, pn_body_gather_events,
		pn_body_gather_ticks,  pn_body_gather_graph,
		gather_kept,	       gather_values,
		gather_counts};
	struct pn_body_gather g;
	struct pn_body_state *state;
	size_t i;

	memset(&g, 0, sizeof(g));
	g.p = profile;
	g.lean = lean;
	g.arena.next = ARENA_BYTES;
	pn_body_draft_init(&g.d, base, profile);
	g.strings = pn_body_new_rows(&g, profile->strings.count);
	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		steps[i](&g);
		/* what was needed on the way is not needed for the next one */
		pn_arena_clear(&g.d.scratch);
		if (steps[i] == pn_body_gather_stacks && is_much(&g))
			break;
	}
	state = i < sizeof(steps) / sizeof(*steps) ? NULL
						   : pn_body_draft_finish(&g.d);
	if (state)
		state->paths = g.paths;
	else
		pn_body_paths_free(g.paths);
	pn_body_draft_release(&g.d);
	pn_arena_release(&g.arena);
	return state;
}

struct pn_body_state *pn_body_gather(const struct pn_profile *profile,
				     const struct pn_body_state *base)
{
	return gather(profile, base, false);
}

struct pn_body_state *pn_body_gather_lean(const struct pn_profile *profile,
					  const struct pn_body_state *base)
{
	return gather(profile, base, true);
}
