/* Grids of curves, and what one asks a pivot. */
#include "analysis/resources/pivot_state.h"

#include "base/alloc.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *copy(struct pn_pivot *pivot, const struct pn_profile *p,
			uint32_t id)
{
	return pn_arena_copy(&pivot->arena, pn_profile_text(p, id),
			     pn_strtab_len(&p->strings, id));
}

static int by_value(const void *a, const void *b)
{
	const double *l = a, *r = b;

	return *l < *r ? -1 : *l > *r;
}

/* Rows: the positions of all points of these curves, each once; `parts`: of
 * those that say what they are made of. */
static void place(struct pn_pivot *pivot, const struct pn_profile *p,
		  const size_t *curves, size_t count, bool parts)
{
	size_t i, k, n = 0;

	pivot->at = pn_arena_array(&pivot->arena, p->curves.point_count + 1,
				   sizeof(*pivot->at));
	for (i = 0; i < count; i++) {
		const struct pn_curve *c = &p->curves.items[curves[i]];

		for (k = c->first; k < c->first + c->count; k++)
			if (!parts || p->curves.points[k].count)
				pivot->at[n++] = p->curves.points[k].position;
	}
	qsort(pivot->at, n, sizeof(*pivot->at), by_value);
	for (i = k = 0; i < n; i++)
		if (!k || pivot->at[i] != pivot->at[k - 1])
			pivot->at[k++] = pivot->at[i];
	pivot->rows.count = k;
	pivot->rows.names = pn_arena_array(&pivot->arena, k + 1,
					   sizeof(*pivot->rows.names));
	for (i = 0; i < k; i++) {
		struct pn_datum d = {.kind = PN_DATUM_NUMBER,
				     .d = pivot->at[i]};
		struct pn_buf text = {0};

		pn_datum_text(&text, &d);
		pivot->rows.names[i] = pn_arena_copy(
			&pivot->arena, pn_buf_text(&text), text.len);
		pn_buf_release(&text);
	}
}

static size_t row_of(const struct pn_pivot *pivot, double position)
{
	size_t low = 0, high = pivot->rows.count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (pivot->at[middle] <= position)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void blank(struct pn_pivot *pivot)
{
	size_t n = pivot->rows.count * pivot->columns.count, i;

	pivot->cells = pn_arena_array(&pivot->arena, n + 1, sizeof(double));
	for (i = 0; i < n; i++)
		pivot->cells[i] = (double)NAN;
}

static uint32_t function_of(const struct pn_profile *p, uint32_t stack)
{
	const struct pn_location *at;

	if (p->stack_start[stack] == p->stack_start[stack + 1])
		return 0;
	at = &p->locations[p->frames[p->stack_start[stack]]];
	return at->line_count
		       ? p->functions[p->lines[at->line_first].function].name
		       : 0;
}

struct weighed {
	double weight;
	uint32_t name;
};

static int by_weight(const void *a, const void *b)
{
	const struct weighed *l = a, *r = b;

	if (l->weight != r->weight)
		return l->weight > r->weight ? -1 : 1;
	return l->name < r->name ? -1 : l->name > r->name;
}

static struct weighed *weigh(size_t *count, const struct pn_profile *p,
			     const struct pn_curve *c)
{
	struct weighed *all = pn_calloc(p->strings.count + 1, sizeof(*all));
	size_t i, k, n = 0;

	for (i = c->first; i < c->first + c->count; i++) {
		const struct pn_point *point = &p->curves.points[i];

		for (k = point->first; k < point->first + point->count; k++)
			all[function_of(p, p->curves.parts[k].stack)].weight +=
				p->curves.parts[k].value;
	}
	for (i = 0; i < p->strings.count; i++)
		if (all[i].weight > 0)
			all[n++] = (struct weighed){all[i].weight, (uint32_t)i};
	qsort(all, n, sizeof(*all), by_weight);
	*count = n;
	return all;
}

/* Only points that say what they are made of. */
static void fill_parts(struct pn_pivot *pivot, const struct pn_profile *p,
		       const struct pn_curve *c, const uint32_t *to)
{
	size_t i, k;

	for (i = c->first; i < c->first + c->count; i++) {
		const struct pn_point *point = &p->curves.points[i];
		double *cells = pivot->cells + row_of(pivot, point->position) *
						       pivot->columns.count;

		if (!point->count)
			continue;
		for (k = 0; k < pivot->columns.count; k++)
			cells[k] = 0;
		for (k = point->first; k < point->first + point->count; k++) {
			uint32_t name =
				function_of(p, p->curves.parts[k].stack);

			cells[to[name]] += p->curves.parts[k].value;
		}
	}
}

static void of_parts(struct pn_pivot *pivot, const struct pn_profile *p,
		     const struct pn_curve *c, int64_t most)
{
	size_t count, i, room;
	struct weighed *all = weigh(&count, p, c);
	uint32_t *to = pn_calloc(p->strings.count + 1, sizeof(*to));

	room = most < 0 ? count : most ? (size_t)most : PN_PIVOT_COLUMNS;
	if (room > count)
		room = count;
	pivot->columns.more = count - room;
	pivot->columns.count = room + (room < count);
	pivot->columns.names = pn_arena_array(&pivot->arena, room + 1,
					      sizeof(*pivot->columns.names));
	for (i = 0; i < count; i++)
		to[all[i].name] = (uint32_t)(i < room ? i : room);
	for (i = 0; i < room; i++)
		pivot->columns.names[i] =
			all[i].name ? copy(pivot, p, all[i].name) : "[unknown]";
	if (room < count)
		pivot->columns.names[room] = PN_PIVOT_REST;
	blank(pivot);
	fill_parts(pivot, p, c, to);
	pivot->of = copy(pivot, p, c->name);
	pivot->by = "function";
	free(all);
	free(to);
}

static void of_all(struct pn_pivot *pivot, const struct pn_profile *p,
		   const size_t *curves, size_t count)
{
	size_t i, k;

	pivot->columns.count = count;
	pivot->columns.names = pn_arena_array(&pivot->arena, count + 1,
					      sizeof(*pivot->columns.names));
	blank(pivot);
	for (i = 0; i < count; i++) {
		const struct pn_curve *c = &p->curves.items[curves[i]];

		pivot->columns.names[i] = copy(pivot, p, c->name);
		for (k = c->first; k < c->first + c->count; k++) {
			const struct pn_point *point = &p->curves.points[k];

			pivot->cells[row_of(pivot, point->position) * count +
				     i] = point->value;
		}
	}
	pivot->of = "value";
	pivot->by = "curve";
}

static bool has_parts(const struct pn_profile *p, const struct pn_curve *c)
{
	size_t i, n = 0;

	for (i = c->first; i < c->first + c->count; i++)
		n += p->curves.points[i].count > 0;
	return n > 1;
}

void pn_pivot_of_curves(struct pn_pivot *out, const struct pn_profile *p,
			int64_t most)
{
	const struct pn_curve *first = &p->curves.items[0];
	size_t *same = pn_calloc(p->curves.count, sizeof(*same)), i, n = 0;
	bool parts = has_parts(p, first);

	for (i = 0; i < p->curves.count; i++)
		if (p->curves.items[i].unit == first->unit &&
		    p->curves.items[i].along == first->along)
			same[n++] = i;
	out->per = copy(out, p, first->along);
	out->unit = copy(out, p, first->unit);
	place(out, p, same, parts ? 1 : n, parts);
	if (parts)
		of_parts(out, p, first, most);
	else
		of_all(out, p, same, n);
	free(same);
}

void pn_pivot_row_sums(double *up, double *down, const struct pn_pivot *pivot,
		       size_t row)
{
	size_t i;

	*up = *down = 0;
	for (i = 0; i < pivot->columns.count; i++) {
		double v = pivot->cells[row * pivot->columns.count + i];

		*(v > 0 ? up : down) += isnan(v) ? 0 : v;
	}
}

void pn_pivot_range(double *low, double *high, const struct pn_pivot *pivot,
		    bool stacked)
{
	size_t i, n = pivot->rows.count * pivot->columns.count;
	double up, down;

	*low = *high = 0;
	for (i = 0; i < (stacked ? pivot->rows.count : n); i++) {
		if (stacked)
			pn_pivot_row_sums(&up, &down, pivot, i);
		else
			up = down =
				isnan(pivot->cells[i]) ? 0 : pivot->cells[i];
		*low = fmin(*low, down);
		*high = fmax(*high, up);
	}
	if (!(*high > *low))
		*high = *low + 1;
}

static void add_columns(struct pn_table *out, const struct pn_pivot *pivot,
			bool named)
{
	const char *titles[] = {pivot->per, pivot->by, pivot->of};
	static const char *const keys[] = {"per", "by", "value"};
	size_t i;

	for (i = 0; i < 3; i++) {
		struct pn_column c = {.gap = i ? 2 : 0, .left = i < 2};

		if (!titles[i])
			continue;
		c.title = pn_table_title(out, titles[i]);
		c.key = named ? c.title : keys[i];
		if (i == 0)
			c.left = !pivot->at;
		if (i == 2 && *pivot->unit) {
			c.format = PN_COLUMN_UNIT;
			c.unit = pn_arena_copy(&out->arena, pivot->unit,
					       strlen(pivot->unit));
			c.to_unit = PN_UNIT_AUTO;
		}
		pn_table_add_column(out, &c);
	}
}

static struct pn_cell name_cell(struct pn_table *out, const char *name)
{
	return pn_cell_text(pn_arena_copy(&out->arena, name, strlen(name)));
}

void pn_table_of_pivot(struct pn_table *out, const struct pn_pivot *pivot,
		       bool named)
{
	size_t row, column;

	memset(out, 0, sizeof(*out));
	add_columns(out, pivot, named);
	for (row = 0; row < pivot->rows.count; row++)
		for (column = 0; column < pivot->columns.count; column++) {
			size_t cell = row * pivot->columns.count + column;
			int64_t whole = pivot->whole ? pivot->whole[cell] : 0;
			struct pn_cell *cells;
			size_t at = 0;

			if (isnan(pivot->cells[cell]))
				continue;
			cells = pn_table_add_row(out);
			cells[at++] =
				pivot->at ? pn_cell_count(pivot->at[row])
					  : name_cell(out,
						      pivot->rows.names[row]);
			if (pivot->by)
				cells[at++] = name_cell(
					out, pivot->columns.names[column]);
			cells[at] = whole ? pn_cell_int(whole)
					  : pn_cell_count(pivot->cells[cell]);
		}
}
