/* Functions by commits. */
#include "analysis/reported/heat.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_move(const void *a, const void *b)
{
	const struct pn_heat_row *x = a, *y = b;

	if (x->moved != y->moved)
		return x->moved > y->moved ? -1 : 1;
	return strcmp(x->function->name, y->function->name);
}

/* The rows so far with another one: of too many those that moved most stay. */
static void keep(struct pn_heat *heat, const struct pn_heat_row *row)
{
	size_t i, least = 0;

	if (heat->row_count < PN_HEAT_ROWS) {
		heat->rows[heat->row_count++] = *row;
		return;
	}
	for (i = 1; i < heat->row_count; i++)
		if (by_move(&heat->rows[i], &heat->rows[least]) > 0)
			least = i;
	if (by_move(row, &heat->rows[least]) < 0)
		heat->rows[least] = *row;
}

static void add(struct pn_heat *heat, const struct pn_function_row *function)
{
	struct pn_heat_row row = {.function = function};
	bool colored = false;
	size_t i;

	for (i = 0; i < heat->columns; i++)
		row.self[i] = function->values[heat->columns - 1 - i].self;
	for (i = 1; i < heat->columns; i++) {
		row.moved += fabs(row.self[i] - row.self[i - 1]);
		colored |= pn_heat_change(heat, &row, i) != 0;
	}
	if (colored)
		keep(heat, &row);
}

void pn_heat_of(struct pn_heat *heat, const struct pn_function_history *history)
{
	size_t i, n = history->point_count;

	heat->columns = n < PN_HEAT_COLUMNS ? n : PN_HEAT_COLUMNS;
	heat->unit = history->unit;
	heat->function_count = history->row_count + history->left_out;
	heat->rows = pn_calloc(PN_HEAT_ROWS, sizeof(*heat->rows));
	for (i = 0; i < heat->columns; i++) {
		const struct pn_function_point *p =
			&history->points[heat->columns - 1 - i];

		heat->commits[i] = p->commit;
		heat->total[i] = p->total;
	}
	for (i = 0; i < history->row_count; i++)
		add(heat, &history->rows[i]);
	if (heat->row_count)
		qsort(heat->rows, heat->row_count, sizeof(*heat->rows),
		      by_move);
}

void pn_heat_release(struct pn_heat *heat)
{
	free(heat->rows);
	memset(heat, 0, sizeof(*heat));
}

double pn_heat_change(const struct pn_heat *heat, const struct pn_heat_row *row,
		      size_t column)
{
	double now = row->self[column], before, most;

	if (!column)
		return 0;
	before = row->self[column - 1];
	most = fmax(now, before);
	if (!(most > 0) ||
	    fabs(now - before) < PN_HEAT_LEAST * fmax(heat->total[column],
						      heat->total[column - 1]))
		return 0;
	return (now - before) / most;
}
