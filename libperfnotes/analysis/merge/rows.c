/* Merging profiles: rows of values. */
#include "analysis/merge/state.h"

#include <math.h>
#include <string.h>

int64_t pn_merge_rounded(double value)
{
	if (isnan(value))
		return 0;
	if (fabs(value) < 9.2e18)
		return llround(value);
	return value < 0 ? INT64_MIN : INT64_MAX;
}

static union pn_value scaled(union pn_value value, uint8_t number,
			     double factor)
{
	if (number == PN_NUMBER_DOUBLE)
		value.d *= factor;
	else if (factor == -1)
		value.i = (int64_t)(0 - (uint64_t)value.i);
	else if (factor != 1)
		value.i = pn_merge_rounded((double)value.i * factor);
	return value;
}

void pn_merge_change_rows(union pn_value *values, size_t rows, size_t width,
			  const struct pn_value_type *type, uint8_t number,
			  double factor)
{
	size_t i;

	for (i = 0; i < rows; i++) {
		union pn_value *value = &values[i * width];

		if (number == PN_NUMBER_DOUBLE && type->number == PN_NUMBER_INT)
			value->d = (double)value->i;
		*value = scaled(*value, number, factor);
	}
}

void pn_merge_row(union pn_value *row, const struct pn_merge *m,
		  const union pn_value *from)
{
	size_t i, width = m->out.type_count;

	if (m->plain) {
		memcpy(row, from, width * sizeof(*row));
		return;
	}
	for (i = 0; i < width; i++) {
		uint8_t number = m->out.types[i].number;

		row[i] = from[m->column[i]];
		if (number == PN_NUMBER_DOUBLE &&
		    m->in->types[m->column[i]].number == PN_NUMBER_INT)
			row[i].d = (double)row[i].i;
		row[i] = scaled(row[i], number, m->factor[i]);
	}
}

void pn_merge_add_row(union pn_value *row, const struct pn_merge *m,
		      const union pn_value *more)
{
	size_t i;

	for (i = 0; i < m->out.type_count; i++)
		if (m->out.types[i].number == PN_NUMBER_DOUBLE)
			row[i].d += more[i].d;
		else
			row[i].i = (int64_t)((uint64_t)row[i].i +
					     (uint64_t)more[i].i);
}
