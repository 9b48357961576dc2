/* What a profile needs of the tables of a body, and tables without the rest. */
#include "body/state.h"

#include "base/alloc.h"
#include "body/paths.h"

#include <stdlib.h>
#include <string.h>

/* Enough for a small profile. */
#define ARENA_BYTES 8192

static void mark_gone(struct pn_body_live *live, const struct pn_body_state *s,
		      unsigned int table, unsigned int gone)
{
	size_t i, n = pn_body_rows(s, table);

	live->of[table] = pn_arena_array(&live->arena, n, 1);
	for (i = 0; i < n; i++)
		live->of[table][i] = !pn_body_at(s, gone, i);
}

static void mark_none(struct pn_body_live *live, const struct pn_body_state *s,
		      unsigned int table)
{
	size_t n = pn_body_rows(s, table);

	live->of[table] = pn_arena_array(&live->arena, n, 1);
	memset(live->of[table], 0, n);
}

/*
 * The rows that `column` refers to from the living rows of its own table;
 * when that is a child table, from the children of its parent's.
 */
static void mark_referred(struct pn_body_live *live,
			  const struct pn_body_state *s, unsigned int column,
			  unsigned int parent)
{
	struct pn_body_trait info = pn_body_column_info(column);
	uint8_t *to = live->of[info.refers];
	size_t i, at, n = pn_body_rows(s, parent);
	size_t *starts = NULL;

	if (parent != info.table)
		starts = pn_body_starts(&live->arena, s, parent);
	for (i = 0; i < n; i++) {
		if (live->of[parent] && !live->of[parent][i])
			continue;
		at = starts ? starts[i] : i;
		for (; at < (starts ? starts[i + 1] : i + 1); at++) {
			uint64_t row = pn_body_at(s, column, at);

			if (row >= info.offset)
				to[row - info.offset] = 1;
		}
	}
}

/* From the last path to the first, as callers stand before. */
static void mark_callers(uint8_t *live, const struct pn_body_state *s)
{
	size_t i;

	for (i = pn_body_rows(s, PN_BODY_PATHS); i-- > 0;) {
		uint64_t up = pn_body_at(s, PN_BODY_PATH_UP, i);

		if (live[i] && up)
			live[i - up] = 1;
	}
}

static void mark_kept(struct pn_body_live *live, const struct pn_body_state *s,
		      unsigned int table, unsigned int kept)
{
	size_t i, n = pn_body_len(s, kept);

	for (i = 0; i < n; i++)
		if (s->columns[kept]->at[i])
			live->of[table][i] = 1;
}

void pn_body_live(struct pn_body_live *out, const struct pn_body_state *s)
{
	memset(out, 0, sizeof(*out));
	out->arena.next = ARENA_BYTES;
	mark_gone(out, s, PN_BODY_ROWS, PN_BODY_ROW_GONE);
	mark_gone(out, s, PN_BODY_NODES, PN_BODY_NODE_GONE);
	mark_gone(out, s, PN_BODY_EDGES, PN_BODY_EDGE_GONE);
	mark_gone(out, s, PN_BODY_COSTS, PN_BODY_COST_GONE);
	mark_none(out, s, PN_BODY_PATHS);
	mark_referred(out, s, PN_BODY_ROW_STACK, PN_BODY_ROWS);
	mark_referred(out, s, PN_BODY_PART_STACK, PN_BODY_PARTS);
	mark_referred(out, s, PN_BODY_EVENT_STACK, PN_BODY_EVENTS);
	mark_referred(out, s, PN_BODY_TICK_STACK, PN_BODY_TICKS);
	mark_callers(out->of[PN_BODY_PATHS], s);
	mark_none(out, s, PN_BODY_SETS);
	mark_referred(out, s, PN_BODY_ROW_SET, PN_BODY_ROWS);
	mark_none(out, s, PN_BODY_LOCATIONS);
	mark_kept(out, s, PN_BODY_LOCATIONS, PN_BODY_LOCATION_KEPT);
	if (s->paths)
		pn_body_paths_mark(out->of[PN_BODY_LOCATIONS], s->paths);
	else
		mark_referred(out, s, PN_BODY_PATH_LOCATION, PN_BODY_PATHS);
	mark_referred(out, s, PN_BODY_NODE_LOCATION, PN_BODY_NODES);
	mark_none(out, s, PN_BODY_FUNCTIONS);
	mark_kept(out, s, PN_BODY_FUNCTIONS, PN_BODY_FUNCTION_KEPT);
	mark_referred(out, s, PN_BODY_LINE_FUNCTION, PN_BODY_LOCATIONS);
}

void pn_body_live_release(struct pn_body_live *live)
{
	pn_arena_release(&live->arena);
	memset(live, 0, sizeof(*live));
}

/* Strings of every living row, and of all columns that belong to no table. */
static void mark_strings(struct pn_body_live *live,
			 const struct pn_body_state *s)
{
	unsigned int column;
	size_t i;

	mark_none(live, s, PN_BODY_STRINGS);
	/* what has no text refers to string 0 */
	if (pn_body_rows(s, PN_BODY_STRINGS))
		live->of[PN_BODY_STRINGS][0] = 1;
	for (column = 1; column < PN_BODY_FIXED_END; column++) {
		struct pn_body_trait info = pn_body_column_info(column);

		if (info.refers != PN_BODY_STRINGS)
			continue;
		if (info.table == PN_BODY_LABELS) {
			mark_referred(live, s, column, PN_BODY_SETS);
		} else if (info.table != PN_BODY_FREE) {
			mark_referred(live, s, column, info.table);
		} else {
			for (i = 0; i < pn_body_len(s, column); i++)
				live->of[PN_BODY_STRINGS]
					[s->columns[column]->at[i]] = 1;
		}
	}
}

/* A table's rows in their new order, and where each old one went. */
struct order {
	size_t *old; /* NULL: all rows stay */
	size_t *now;
	size_t count;
};

static struct order order_of(struct pn_arena *arena, const uint8_t *live,
			     size_t rows)
{
	struct order o = {NULL, NULL, rows};
	size_t i;

	if (!live)
		return o;
	o.count = 0;
	o.old = pn_arena_array(arena, rows, sizeof(*o.old));
	o.now = pn_arena_array(arena, rows, sizeof(*o.now));
	for (i = 0; i < rows; i++) {
		o.now[i] = 0;
		if (!live[i])
			continue;
		o.now[i] = o.count;
		o.old[o.count++] = i;
	}
	return o;
}

/* The order of children follows from that of their parents. */
static struct order order_of_children(struct pn_arena *arena,
				      const struct pn_body_state *s,
				      unsigned int parent,
				      const struct order *parents)
{
	size_t *starts = pn_body_starts(arena, s, parent);
	size_t i, at, rows = pn_body_rows(s, parent + 1);
	struct order o = {NULL, NULL, 0};

	o.old = pn_arena_array(arena, rows, sizeof(*o.old));
	for (i = 0; i < parents->count; i++) {
		size_t old = parents->old[i];

		for (at = starts[old]; at < starts[old + 1]; at++)
			o.old[o.count++] = at;
	}
	return o;
}

static void move_column(struct pn_body_state *out,
			const struct pn_body_state *s, unsigned int column,
			const struct order *orders)
{
	struct pn_body_trait info = pn_body_column_info(column);
	const struct pn_body_words *from = s->columns[column];
	const struct order *rows =
		info.table == PN_BODY_FREE ? NULL : &orders[info.table];
	const struct order *to =
		info.refers == PN_BODY_NONE ? NULL : &orders[info.refers];
	size_t i, n = rows ? rows->count : from->count;
	struct pn_body_words *words = pn_body_words_new(&out->block, n);
	uint64_t any = 0;

	for (i = 0; i < n; i++) {
		uint64_t word = from->at[rows && rows->old ? rows->old[i] : i];

		if (to && to->now && word >= info.offset)
			word = to->now[word - info.offset] + info.offset;
		words->at[i] = word;
		any |= word;
	}
	pn_body_words_seal(words);
	if (n && (any || !rows))
		out->columns[column] = words;
	else
		pn_body_words_drop(words);
}

/* How far up callers are, when what stood between is left out. */
static void move_ups(struct pn_body_state *out, const struct pn_body_state *s,
		     const struct order *paths)
{
	struct pn_body_words *words =
		pn_body_words_new(&out->block, paths->count);
	uint64_t any = 0;
	size_t i;

	for (i = 0; i < paths->count; i++) {
		size_t old = paths->old[i];
		uint64_t up = pn_body_at(s, PN_BODY_PATH_UP, old);

		words->at[i] = up ? i - paths->now[old - up] : 0;
		any |= up;
	}
	pn_body_words_seal(words);
	pn_body_words_drop(out->columns[PN_BODY_PATH_UP]);
	out->columns[PN_BODY_PATH_UP] = any ? words : NULL;
	if (!any)
		pn_body_words_drop(words);
}

/* Values stand by node: those of nodes that go have to go, too. */
static void move_self_by_run(struct pn_body_state *out,
			     const struct pn_body_state *s,
			     const struct order *nodes)
{
	const struct pn_body_words *self = s->columns[PN_BODY_SELF_BY_RUN];
	size_t rows = pn_body_rows(s, PN_BODY_NODES), width, i;
	struct pn_body_words *words;

	if (!out->columns[PN_BODY_SELF_BY_RUN] || !self || !rows)
		return;
	width = pn_body_len(s, PN_BODY_SELF_BY_RUN) / rows;
	words = pn_body_words_new(&out->block, nodes->count * width);
	for (i = 0; i < nodes->count; i++)
		memcpy(words->at + i * width, self->at + nodes->old[i] * width,
		       width * sizeof(words->at[0]));
	pn_body_words_seal(words);
	pn_body_words_drop(out->columns[PN_BODY_SELF_BY_RUN]);
	out->columns[PN_BODY_SELF_BY_RUN] = words;
	if (words->count)
		return;
	out->columns[PN_BODY_SELF_BY_RUN] = NULL;
	pn_body_words_drop(words);
}

static void move_text(struct pn_body_state *out, const struct pn_body_state *s,
		      const struct order *strings)
{
	size_t i, n = pn_body_rows(s, PN_BODY_STRINGS), len = 0, at = 0;
	size_t *starts = pn_realloc_array(NULL, n + 1, sizeof(*starts));

	if (!s->text) {
		free(starts);
		return;
	}
	for (i = 0; i < n; i++) {
		starts[i] = at;
		at += (size_t)pn_body_at(s, PN_BODY_STRING_LEN, i);
	}
	starts[n] = at;
	for (i = 0; i < strings->count; i++)
		len += starts[strings->old[i] + 1] - starts[strings->old[i]];
	out->text = pn_body_text_new(len);
	for (i = 0, at = 0; i < strings->count; i++) {
		size_t old = strings->old[i];

		len = starts[old + 1] - starts[old];
		memcpy(out->text->bytes + at, s->text->bytes + starts[old],
		       len);
		at += len;
	}
	pn_body_text_seal(out->text);
	free(starts);
}

static void set_counts(struct pn_body_state *out, const struct order *orders)
{
	unsigned int i, tables = PN_BODY_TABLES;
	struct pn_body_words *counts;

	while (tables > PN_BODY_FIRST_TABLES && !orders[tables - 1].count)
		tables--;
	counts = pn_body_words_new(&out->block, tables);
	for (i = 0; i < tables; i++)
		counts->at[i] = orders[i].count;
	pn_body_words_seal(counts);
	pn_body_words_drop(out->columns[PN_BODY_COUNTS]);
	out->columns[PN_BODY_COUNTS] = counts;
}

struct pn_body_state *pn_body_compact(const struct pn_body_state *s)
{
	struct pn_body_state *out = pn_body_state_new();
	struct order orders[PN_BODY_TABLES];
	struct pn_body_live live;
	unsigned int i;

	out->types = s->types;
	pn_body_live(&live, s);
	mark_strings(&live, s);
	for (i = 0; i < PN_BODY_TABLES; i++) {
		unsigned int parent = i ? i - 1 : 0;

		if (i && pn_body_child_table(parent) == i && orders[parent].old)
			orders[i] = order_of_children(&live.arena, s, parent,
						      &orders[parent]);
		else
			orders[i] = order_of(&live.arena, live.of[i],
					     pn_body_rows(s, i));
	}
	for (i = pn_body_next_column(0, s->types); i < PN_BODY_COLUMNS;
	     i = pn_body_next_column(i, s->types))
		if (s->columns[i])
			move_column(out, s, i, orders);
	move_ups(out, s, &orders[PN_BODY_PATHS]);
	move_self_by_run(out, s, &orders[PN_BODY_NODES]);
	set_counts(out, orders);
	move_text(out, s, &orders[PN_BODY_STRINGS]);
	pn_body_live_release(&live);
	return out;
}
