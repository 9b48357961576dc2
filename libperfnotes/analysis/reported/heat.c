/* Functions by commits. */
#include "analysis/reported/heat.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pn_heat_cell {
	uint32_t name, column;
	double self;
};

void pn_heat_add(struct pn_heat *heat, const struct pn_report *report)
{
	uint32_t column = (uint32_t)heat->columns;
	size_t i;

	if (column == PN_HEAT_COLUMNS)
		return;
	if (!column) {
		heat->unit = report->unit;
		heat->type = report->type;
	}
	heat->total[heat->columns++] = pn_report_number(report, report->total);
	for (i = 0; i < report->row_count && i < PN_HEAT_FUNCTIONS; i++) {
		const struct pn_report_node *row = &report->rows[i];
		uint32_t name;

		if (row->flat <= 0)
			continue;
		name = pn_strtab_add(&heat->names, row->name, row->name_len);
		heat->cells =
			pn_grow(heat->cells, &heat->cell_cap,
				heat->cell_count + 1, sizeof(*heat->cells));
		heat->cells[heat->cell_count++] = (struct pn_heat_cell){
			name, column, pn_report_number(report, row->flat)};
	}
}

static int by_name(const void *a, const void *b)
{
	const struct pn_heat_cell *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->column < y->column ? -1 : x->column > y->column;
}

static int by_move(const void *a, const void *b)
{
	const struct pn_heat_row *x = a, *y = b;

	if (x->moved != y->moved)
		return x->moved > y->moved ? -1 : 1;
	return strcmp(x->name, y->name);
}

static double moved(const struct pn_heat *heat, const struct pn_heat_row *row)
{
	double sum = 0;
	size_t i;

	for (i = 1; i < heat->columns; i++)
		sum += fabs(row->self[i] - row->self[i - 1]);
	return sum;
}

static bool has_change(const struct pn_heat *heat,
		       const struct pn_heat_row *row)
{
	size_t i;

	for (i = 1; i < heat->columns; i++)
		if (pn_heat_change(heat, row, i) != 0)
			return true;
	return false;
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

void pn_heat_finish(struct pn_heat *heat)
{
	struct pn_heat_row row;
	size_t i, k;

	heat->rows = pn_calloc(PN_HEAT_ROWS, sizeof(*heat->rows));
	if (heat->cell_count)
		qsort(heat->cells, heat->cell_count, sizeof(*heat->cells),
		      by_name);
	for (i = 0; i < heat->cell_count; i = k) {
		memset(&row, 0, sizeof(row));
		row.name = pn_strtab_text(&heat->names, heat->cells[i].name);
		row.len = pn_strtab_len(&heat->names, heat->cells[i].name);
		for (k = i; k < heat->cell_count &&
			    heat->cells[k].name == heat->cells[i].name;
		     k++)
			row.self[heat->cells[k].column] += heat->cells[k].self;
		row.moved = moved(heat, &row);
		heat->function_count++;
		if (has_change(heat, &row))
			keep(heat, &row);
	}
	if (heat->row_count)
		qsort(heat->rows, heat->row_count, sizeof(*heat->rows),
		      by_move);
}

void pn_heat_release(struct pn_heat *heat)
{
	pn_strtab_release(&heat->names);
	free(heat->cells);
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
