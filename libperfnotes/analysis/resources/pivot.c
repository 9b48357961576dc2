/* The numbers that bars and flows draw. */
#include "analysis/resources/pivot_state.h"

#include "base/alloc.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define DIGITS_MAX ((int64_t)1 << 53) /* that a double tells apart */

/* One resource that has all keys. */
struct item {
	uint32_t row, column;
	double value; /* of nunique: the number of its text */
	int64_t whole;
	bool is_whole;
};

struct pivoting {
	struct pn_frame frame;
	struct pn_strtab rows, columns, values;
	size_t of, per, by;
	uint32_t runs; /* that sums and counts are over */
	struct item *items;
	size_t count;
	struct pn_pivot *pivot;
	bool flow;
};

static int find_per(struct pivoting *g, const char *name, struct pn_error *err)
{
	size_t at;

	if (!name && !g->flow &&
	    pn_frame_find(&g->frame, "snapshot") == SIZE_MAX)
		name = "uid";
	if (!name)
		name = "snapshot";
	at = pn_frame_find(&g->frame, name);
	g->per = at;
	return at == SIZE_MAX
		       ? pn_frame_need(&g->per, &g->frame, name, g->flow, err)
		       : 0;
}

static int find_keys(struct pivoting *g, const struct pn_resources_request *r,
		     struct pn_error *err)
{
	const char *by = r->by ? r->by : g->flow ? "uid" : NULL;
	int code = r->of ? pn_frame_need(&g->of, &g->frame, r->of, false, err)
			 : pn_frame_default_of(&g->of, &g->frame, err);

	if (!code)
		code = find_per(g, r->per, err);
	g->by = SIZE_MAX;
	if (!code && by)
		code = pn_frame_need(&g->by, &g->frame, by, false, err);
	return code;
}

/* What the aggregate is of; false: the resource has nothing of use. */
static bool value_of(struct item *item, struct pivoting *g, size_t resource)
{
	enum pn_aggregate how = g->pivot->aggregate;
	struct pn_datum datum;
	const char *text;
	size_t len;

	item->is_whole = false;
	if (how == PN_AGGREGATE_COUNT || how == PN_AGGREGATE_NUNIQUE) {
		if (!pn_frame_text(&text, &len, &g->frame, resource, g->of))
			return false;
		item->value = how == PN_AGGREGATE_COUNT
				      ? 1
				      : pn_strtab_add(&g->values, text, len);
		return true;
	}
	datum = pn_frame_get(&g->frame, resource, g->of);
	item->is_whole = datum.kind == PN_DATUM_INT;
	item->whole = item->is_whole ? datum.i : 0;
	item->value = pn_frame_number(&g->frame, resource, g->of);
	return isfinite(item->value);
}

static bool name_of(uint32_t *out, struct pivoting *g, struct pn_strtab *to,
		    size_t resource, size_t key)
{
	const char *text;
	size_t len;

	if (!pn_frame_text(&text, &len, &g->frame, resource, key))
		return false;
	*out = pn_strtab_add(to, text, len);
	return true;
}

static void read_items(struct pivoting *g)
{
	size_t i;

	/* 0 is "", which a key may have, too */
	pn_strtab_add(&g->rows, "", 0);
	pn_strtab_add(&g->columns, "", 0);
	pn_strtab_add(&g->values, "", 0);
	g->items =
		pn_realloc_array(NULL, g->frame.count + 1, sizeof(*g->items));
	for (i = 0; i < g->frame.count; i++) {
		struct item *item = &g->items[g->count];
		size_t at = g->frame.rows[i];

		item->column = 0;
		if (value_of(item, g, at) &&
		    name_of(&item->row, g, &g->rows, at, g->per) &&
		    (g->by == SIZE_MAX ||
		     name_of(&item->column, g, &g->columns, at, g->by)))
			g->count++;
	}
	g->pivot->left_out = g->frame.count - g->count;
}

/* What several are ordered by. */
struct weighed {
	double weight;
	uint32_t id;
};

static int by_weight(const void *a, const void *b)
{
	const struct weighed *l = a, *r = b;

	if (l->weight != r->weight)
		return l->weight > r->weight ? -1 : 1;
	return l->id < r->id ? -1 : l->id > r->id;
}

/* The ids of `tab` in use, the heaviest first; to be freed. */
static struct weighed *weigh(size_t *count, const struct pivoting *g,
			     const struct pn_strtab *tab, bool columns)
{
	struct weighed *all = pn_calloc(tab->count, sizeof(*all));
	unsigned char *used = pn_calloc(tab->count, 1);
	size_t i, n = 0;

	for (i = 0; i < g->count; i++) {
		uint32_t id = columns ? g->items[i].column : g->items[i].row;

		used[id] = 1;
		all[id].weight += g->pivot->aggregate == PN_AGGREGATE_NUNIQUE
					  ? 1
					  : fabs(g->items[i].value);
	}
	for (i = 0; i < tab->count; i++)
		if (used[i])
			all[n++] = (struct weighed){all[i].weight, (uint32_t)i};
	free(used);
	qsort(all, n, sizeof(*all), by_weight);
	*count = n;
	return all;
}

static const char *keep(struct pn_pivot *pivot, const struct pn_strtab *tab,
			uint32_t id)
{
	return pn_arena_copy(&pivot->arena, pn_strtab_text(tab, id),
			     pn_strtab_len(tab, id));
}

static int too_many(size_t count, const char *key, struct pn_error *err)
{
	return pn_error_set(err, PN_ELIMIT,
			    "'%s' has %zu values, above the limit of %d", key,
			    count, PN_PIVOT_MAX);
}

/* Columns by weight; items get theirs. */
static int choose_columns(struct pivoting *g, int64_t most,
			  struct pn_error *err)
{
	struct pn_pivot_axis *axis = &g->pivot->columns;
	uint32_t *to = pn_calloc(g->columns.count, sizeof(*to));
	size_t count, i, room;
	struct weighed *all = weigh(&count, g, &g->columns, true);
	int code = 0;

	room = most < 0 ? count : most ? (size_t)most : PN_PIVOT_COLUMNS;
	if (room > PN_PIVOT_MAX && count > PN_PIVOT_MAX)
		code = too_many(count, g->pivot->by, err);
	if (!code) {
		if (room > count)
			room = count;
		axis->more = count - room;
		axis->names = pn_arena_array(&g->pivot->arena, room + 1,
					     sizeof(*axis->names));
		for (i = 0; i < count; i++)
			to[all[i].id] = (uint32_t)(i < room ? i : room);
		for (i = 0; i < room; i++)
			axis->names[i] = keep(g->pivot, &g->columns, all[i].id);
		if (axis->more)
			axis->names[room] = PN_PIVOT_REST;
		axis->count = room + (axis->more > 0);
		for (i = 0; i < g->count; i++)
			g->items[i].column = to[g->items[i].column];
	}
	free(all);
	free(to);
	return code;
}

struct placed {
	double at;
	uint32_t id;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *l = a, *r = b;

	if (l->at != r->at)
		return l->at < r->at ? -1 : 1;
	return l->id < r->id ? -1 : l->id > r->id;
}

/* Whether all rows are numbers, with these. */
static bool place_rows(struct placed *out, const struct pivoting *g,
		       const struct weighed *all, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const char *text = pn_strtab_text(&g->rows, all[i].id);

		out[i].id = all[i].id;
		if (!pn_number_double(&out[i].at, text,
				      pn_strtab_len(&g->rows, all[i].id)) ||
		    !isfinite(out[i].at))
			return false;
	}
	qsort(out, count, sizeof(*out), by_place);
	return true;
}

static void keep_rows(struct pivoting *g, const struct weighed *all,
		      const struct placed *placed, uint32_t *to)
{
	struct pn_pivot *pivot = g->pivot;
	size_t i;

	pivot->rows.names = pn_arena_array(&pivot->arena, pivot->rows.count + 1,
					   sizeof(*pivot->rows.names));
	if (placed)
		pivot->at = pn_arena_array(&pivot->arena, pivot->rows.count + 1,
					   sizeof(*pivot->at));
	for (i = 0; i < pivot->rows.count; i++) {
		uint32_t id = placed ? placed[i].id : all[i].id;

		if (placed)
			pivot->at[i] = placed[i].at;
		pivot->rows.names[i] = keep(pivot, &g->rows, id);
		to[id] = (uint32_t)i;
	}
}

/* Rows by number or by weight; items get theirs, NONE: it is not shown. */
static int choose_rows(struct pivoting *g, int64_t most, struct pn_error *err)
{
	struct pn_pivot_axis *axis = &g->pivot->rows;
	uint32_t *to = pn_realloc_array(NULL, g->rows.count, sizeof(*to));
	size_t count, i;
	struct weighed *all = weigh(&count, g, &g->rows, false);
	struct placed *placed = pn_calloc(count + 1, sizeof(*placed));
	bool numbers = place_rows(placed, g, all, count);
	int code = 0;

	axis->count = count;
	if (!numbers && g->flow)
		code = pn_error_set(err, PN_EINVAL,
				    "the key '%s' is not a number everywhere",
				    g->pivot->per);
	if (!numbers && most >= 0) {
		size_t room = most ? (size_t)most : PN_PIVOT_ROWS;

		axis->count = count < room ? count : room;
		axis->more = count - axis->count;
	}
	if (!code && axis->count > PN_PIVOT_MAX)
		code = too_many(count, g->pivot->per, err);
	for (i = 0; i < g->rows.count; i++)
		to[i] = NONE;
	if (!code)
		keep_rows(g, all, numbers ? placed : NULL, to);
	for (i = 0; i < g->count && !code; i++)
		g->items[i].row = to[g->items[i].row];
	free(all);
	free(placed);
	free(to);
	return code;
}

static int by_cell(const void *a, const void *b)
{
	const struct item *l = a, *r = b;

	if (l->row != r->row)
		return l->row < r->row ? -1 : 1;
	if (l->column != r->column)
		return l->column < r->column ? -1 : 1;
	if (l->value != r->value)
		return l->value < r->value ? -1 : 1;
	return (l->whole > r->whole) - (l->whole < r->whole);
}

static double sum_of(const struct item *items, size_t count)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum += items[i].value;
	return sum;
}

/* The number of one cell; its values are in ascending order. */
static double aggregate_of(enum pn_aggregate how, const struct item *items,
			   size_t count)
{
	size_t i, n = 1;

	switch (how) {
	case PN_AGGREGATE_MEAN:
		return sum_of(items, count) / (double)count;
	case PN_AGGREGATE_NUNIQUE:
		for (i = 1; i < count; i++)
			n += items[i].value != items[i - 1].value;
		return (double)n;
	case PN_AGGREGATE_MEDIAN:
		return (items[(count - 1) / 2].value + items[count / 2].value) /
		       2;
	case PN_AGGREGATE_MIN:
		return items[0].value;
	case PN_AGGREGATE_MAX:
		return items[count - 1].value;
	case PN_AGGREGATE_SUM:
	case PN_AGGREGATE_COUNT:
		break;
	}
	return sum_of(items, count);
}

/* The same of whole numbers where a double would lose digits; else 0. */
static int64_t whole_of(enum pn_aggregate how, const struct item *items,
			size_t count)
{
	int64_t sum = 0;
	size_t i;

	if (how == PN_AGGREGATE_MIN)
		count = 1;
	if (how == PN_AGGREGATE_MAX) {
		items += count - 1;
		count = 1;
	} else if (how != PN_AGGREGATE_SUM && how != PN_AGGREGATE_MIN) {
		return 0;
	}
	for (i = 0; i < count; i++)
		if (!items[i].is_whole ||
		    __builtin_add_overflow(sum, items[i].whole, &sum))
			return 0;
	return sum > DIGITS_MAX || sum < -DIGITS_MAX ? sum : 0;
}

static void fill(struct pivoting *g)
{
	struct pn_pivot *pivot = g->pivot;
	size_t n = pivot->rows.count * pivot->columns.count, i, end;

	qsort(g->items, g->count, sizeof(*g->items), by_cell);
	pivot->cells = pn_arena_array(&pivot->arena, n + 1, sizeof(double));
	pivot->whole = pn_arena_array(&pivot->arena, n + 1, sizeof(int64_t));
	memset(pivot->whole, 0, n * sizeof(int64_t));
	for (i = 0; i < n; i++)
		pivot->cells[i] = (double)NAN;
	for (i = 0; i < g->count; i = end) {
		const struct item *first = &g->items[i];
		size_t at;

		for (end = i;
		     end < g->count && g->items[end].row == first->row &&
		     g->items[end].column == first->column;
		     end++)
			;
		if (first->row == NONE)
			continue;
		at = first->row * pivot->columns.count + first->column;
		pivot->cells[at] =
			aggregate_of(pivot->aggregate, first, end - i) /
			g->runs;
		if (g->runs == 1)
			pivot->whole[at] =
				whole_of(pivot->aggregate, first, end - i);
	}
}

void pn_pivot_accumulate(struct pn_pivot *pivot)
{
	size_t width = pivot->columns.count, i;

	pivot->accumulated = true;
	pivot->whole = NULL;
	for (i = 0; i < pivot->rows.count * width; i++) {
		double before = i < width ? 0 : pivot->cells[i - width];

		pivot->cells[i] =
			before + (isnan(pivot->cells[i]) ? 0 : pivot->cells[i]);
	}
}

static void name_pivot(struct pivoting *g)
{
	const struct pn_query *q = &g->frame.query;
	struct pn_pivot *pivot = g->pivot;
	const char *names[] = {q->keys[g->of].name, q->keys[g->per].name,
			       g->by == SIZE_MAX ? "" : q->keys[g->by].name,
			       pn_frame_unit(&g->frame, g->of)};
	const char **to[] = {&pivot->of, &pivot->per, &pivot->by, &pivot->unit};
	size_t i;

	if (pivot->aggregate == PN_AGGREGATE_COUNT ||
	    pivot->aggregate == PN_AGGREGATE_NUNIQUE)
		names[3] = "";
	for (i = 0; i < sizeof(to) / sizeof(to[0]); i++)
		*to[i] = pn_arena_copy(&pivot->arena, names[i],
				       strlen(names[i]));
	if (g->by == SIZE_MAX)
		pivot->by = NULL;
}

static void settle_runs(struct pivoting *g, bool adds)
{
	size_t run = g->frame.run_key;

	g->runs = 1;
	g->pivot->runs = g->frame.runs;
	if (run == SIZE_MAX || (g->per != run && g->by != run))
		g->runs = pn_frame_settle_runs(&g->frame, g->of);
	if (!adds)
		g->runs = 1;
}

static int make(struct pivoting *g, const struct pn_resources_request *r,
		int64_t most, struct pn_error *err)
{
	struct pn_pivot *pivot = g->pivot;
	bool adds = r->aggregate == PN_AGGREGATE_SUM ||
		    r->aggregate == PN_AGGREGATE_COUNT;
	int code = find_keys(g, r, err);

	if (code)
		return code;
	settle_runs(g, adds);
	if (pivot->aggregate != PN_AGGREGATE_COUNT &&
	    pivot->aggregate != PN_AGGREGATE_NUNIQUE)
		pivot->other_unit = pn_frame_settle_unit(&g->frame, g->of);
	name_pivot(g);
	read_items(g);
	if (!g->count)
		return pn_error_set(err, PN_ERANGE,
				    "nothing has a '%s' and a '%s'", pivot->of,
				    pivot->per);
	code = choose_columns(g, most, err);
	if (!code)
		code = choose_rows(g, most, err);
	if (!code && pivot->rows.count > SIZE_MAX / 64 / pivot->columns.count)
		code = too_many(pivot->rows.count, pivot->per, err);
	if (code)
		return code;
	fill(g);
	if (g->flow && adds && r->accumulate)
		pn_pivot_accumulate(pivot);
	return 0;
}

int pn_pivot_init(struct pn_pivot *out, const struct pn_profile *profile,
		  const struct pn_resources_request *r, bool flow, int64_t most,
		  struct pn_error *err)
{
	struct pivoting g = {.pivot = out, .flow = flow};
	int code;

	memset(out, 0, sizeof(*out));
	out->aggregate = r->aggregate;
	code = pn_frame_init(&g.frame, profile, r->filters.values,
			     r->filters.count, err);
	if (!code && flow && !r->of && !r->per && !r->by &&
	    profile->curves.count &&
	    pn_frame_find(&g.frame, "snapshot") == SIZE_MAX)
		pn_pivot_of_curves(out, profile, most);
	else if (!code)
		code = make(&g, r, most, err);
	pn_frame_release(&g.frame);
	pn_strtab_release(&g.rows);
	pn_strtab_release(&g.columns);
	pn_strtab_release(&g.values);
	free(g.items);
	return code;
}

void pn_pivot_release(struct pn_pivot *pivot)
{
	if (pivot)
		pn_arena_release(&pivot->arena);
}
