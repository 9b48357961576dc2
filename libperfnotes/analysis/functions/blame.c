/* Functions and the commits that changed them. */
#include "analysis/functions/blame.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

void pn_blame_of(struct pn_blame *b, double min_effect)
{
	size_t i, k, n = 0;

	for (i = 0; i < b->series_count; i++)
		n += b->series[i].row_count;
	b->rows = pn_calloc(n + 1, sizeof(*b->rows));
	for (i = 0; i < b->series_count; i++)
		for (k = 0; k < b->series[i].row_count; k++) {
			struct pn_blame_row *row = &b->rows[b->count++];

			row->series = &b->series[i];
			row->function = &b->series[i].rows[k];
			pn_function_changes_of(&row->changes, row->series,
					       row->function, min_effect);
		}
}

void pn_blame_release(struct pn_blame *b)
{
	size_t i;

	for (i = 0; i < b->count; i++)
		pn_function_changes_release(&b->rows[i].changes);
	free(b->rows);
	b->rows = NULL;
	b->count = 0;
}

double pn_function_share(const struct pn_function_history *series,
			 const struct pn_function_row *row, size_t point,
			 bool total)
{
	double all = series->points[point].total;
	const struct pn_function_value *value = &row->values[point];

	return all != 0 ? (total ? value->total : value->self) / all : 0;
}

const char *pn_function_name_at(const struct pn_function_row *row, size_t point)
{
	const char *name = row->name;
	size_t i;

	for (i = 0; i < row->earlier_count && row->earlier[i].point <= point;
	     i++)
		name = row->earlier[i].name;
	return name;
}

int pn_function_change_direction(const struct pn_function_history *series,
				 const struct pn_function_change *change)
{
	int up = change->after > change->before ? 1 : -1;

	return series->better == PN_BETTER_MORE ? -up : up;
}
