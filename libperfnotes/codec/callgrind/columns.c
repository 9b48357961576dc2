/* Which values become costs, and as which whole numbers. */
#include "codec/callgrind/callgrind.h"

#include <math.h>
#include <string.h>

static double factor_of(const char *unit)
{
	static const struct {
		const char *unit;
		double ns;
	} times[] = {
		{"s", 1e9},  {"second", 1e9},	   {"seconds", 1e9},
		{"ms", 1e6}, {"millisecond", 1e6}, {"milliseconds", 1e6},
		{"us", 1e3}, {"microsecond", 1e3}, {"microseconds", 1e3},
	};
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (!strcmp(unit, times[i].unit))
			return times[i].ns;
	return 1;
}

static void add_column(struct pn_callgrind_columns *out,
		       const struct pn_profile *p, size_t type)
{
	size_t at = out->count++;

	out->items[at].type = type;
	out->items[at].factor = 1;
	if (p->types[type].number == PN_NUMBER_DOUBLE)
		out->items[at].factor =
			factor_of(pn_profile_text(p, p->types[type].unit));
}

void pn_callgrind_columns_of(struct pn_callgrind_columns *out,
			     const struct pn_profile *p)
{
	size_t i, first = pn_profile_default_type(p);

	out->count = 0;
	add_column(out, p, first);
	for (i = 0; i < p->type_count; i++)
		if (i != first)
			add_column(out, p, i);
}

bool pn_callgrind_whole(int64_t *out, const struct pn_callgrind_columns *c,
			const struct pn_profile *p, const union pn_value *row)
{
	size_t i;
	double v;

	for (i = 0; i < c->count; i++) {
		size_t type = c->items[i].type;

		if (p->types[type].number == PN_NUMBER_INT) {
			out[i] = row[type].i;
			continue;
		}
		v = round(row[type].d * c->items[i].factor);
		if (!(v > -9e18 && v < 9e18))
			return false;
		out[i] = (int64_t)v;
	}
	return true;
}
