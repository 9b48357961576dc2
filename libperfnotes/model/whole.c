/* Whole numbers for formats that have no others. */
#include "model/whole.h"

#include "base/alloc.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of magnitudes: what integers of 64 bits add up to without a doubt. */
#define SUM_MAX 9e18

struct smallest {
	const char *unit, *name; /* as pn_unit_scale and as profiles have it */
};

static const struct smallest *smallest_of(const char *unit)
{
	static const struct smallest units[] = {{"ns", "nanoseconds"},
						{"B", "bytes"}};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (pn_unit_comparable(unit, units[i].unit))
			return &units[i];
	return NULL;
}

static double value_in(const struct pn_profile *p, size_t sample, size_t type,
		       const char *to)
{
	const char *unit;

	return pn_unit_scale(&unit, p->values[sample * p->type_count + type].d,
			     pn_profile_text(p, p->types[type].unit), to);
}

/* Whether a column has fractions that another unit does not need. */
static bool wants_unit(const struct pn_profile *p, size_t type)
{
	const struct smallest *to;
	bool fractions = false;
	double sum = 0;
	size_t i;

	if (p->types[type].number != PN_NUMBER_DOUBLE)
		return false;
	to = smallest_of(pn_profile_text(p, p->types[type].unit));
	for (i = 0; to && i < p->sample_count; i++) {
		double value = p->values[i * p->type_count + type].d;

		sum += fabs(value_in(p, i, type, to->unit));
		if (!(sum < SUM_MAX))
			return false;
		fractions = fractions || value != floor(value);
	}
	return fractions;
}

static void convert(struct pn_profile *out, const struct pn_profile *p,
		    size_t type)
{
	const struct smallest *to =
		smallest_of(pn_profile_text(p, p->types[type].unit));
	size_t i;

	for (i = 0; i < p->sample_count; i++)
		out->values[i * p->type_count + type].i =
			llround(value_in(p, i, type, to->unit));
	out->types[type].number = PN_NUMBER_INT;
	out->types[type].unit = pn_strtab_add_text(&out->strings, to->name);
}

static void *copy_of(const void *items, size_t count, size_t size)
{
	void *copy = pn_calloc(count + 1, size);

	if (count)
		memcpy(copy, items, count * size);
	return copy;
}

const struct pn_profile *pn_whole_make(struct pn_whole *out,
				       const struct pn_profile *p)
{
	size_t i;

	out->used = false;
	for (i = 0; i < p->type_count && !out->used; i++)
		out->used = wants_unit(p, i);
	if (!out->used)
		return p;
	out->made = *p;
	pn_strtab_copy(&out->made.strings, &p->strings);
	out->made.types = copy_of(p->types, p->type_count, sizeof(*p->types));
	out->made.values = copy_of(p->values, p->sample_count * p->type_count,
				   sizeof(*p->values));
	for (i = 0; i < p->type_count; i++)
		if (wants_unit(p, i))
			convert(&out->made, p, i);
	return &out->made;
}

void pn_whole_release(struct pn_whole *whole)
{
	if (!whole || !whole->used)
		return;
	pn_strtab_release(&whole->made.strings);
	free(whole->made.types);
	free(whole->made.values);
	whole->used = false;
}

bool pn_whole_number(int64_t *out, double value)
{
	if (!(value >= -0x1p63 && value < 0x1p63))
		return false;
	*out = (int64_t)value;
	return (double)*out == value;
}

static int check_column(const struct pn_profile *p, size_t type,
			const char *format, struct pn_error *err)
{
	const char *name = pn_profile_text(p, p->types[type].type);
	double sum = 0;
	size_t sample;
	int64_t n;

	for (sample = 0; sample < p->sample_count; sample++) {
		double value = p->values[sample * p->type_count + type].d;

		if (!pn_whole_number(&n, value))
			return pn_error_set(
				err, PN_EINVAL,
				"%s has whole numbers only, sample %zu has "
				"another value of '%s'",
				format, sample, name);
		sum += fabs(value);
	}
	return sum < SUM_MAX || p->sample_count == 1
		       ? 0
		       : pn_error_set(err, PN_ERANGE,
				      "%s has whole numbers of 64 bits only, "
				      "the values of '%s' add up to more",
				      format, name);
}

int pn_whole_check(const struct pn_profile *p, const char *format,
		   struct pn_error *err)
{
	size_t type;
	int code = 0;

	for (type = 0; !code && type < p->type_count; type++)
		if (p->types[type].number == PN_NUMBER_DOUBLE)
			code = check_column(p, type, format, err);
	return code;
}
