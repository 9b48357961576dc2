/* What samples cost together, divided among them. */
#include "model/timeline/shares.h"
#include "model/unit.h"

#include <math.h>

double pn_share_number(const struct pn_share *share)
{
	return share->real ? share->value.d : (double)share->value.i;
}

double pn_share_unit_ns(const struct pn_profile *p, size_t type)
{
	const char *unit = pn_profile_text(p, p->types[type].unit);
	const char *to;

	return pn_unit_comparable(unit, "ns")
		       ? pn_unit_scale(&to, 1, unit, "ns")
		       : 0;
}

/* How much of an integer has been given once `part` of it has: rounded as a
 * whole, so that no two parts round alike; never past it. */
static int64_t given_by(int64_t whole, double part)
{
	double given = round((double)whole * part);
	int64_t least = whole < 0 ? whole : 0, most = whole < 0 ? 0 : whole;

	if (given >= (double)most)
		return most;
	return given <= (double)least ? least : (int64_t)given;
}

union pn_value pn_share_next(struct pn_share *s, int64_t duration_ns)
{
	double whole = pn_share_number(s);
	bool timed = s->unit_ns > 0 && s->duration_ns > 0 &&
		     fabs(s->duration_ns - whole * s->unit_ns) <=
			     1e-6 * s->duration_ns;
	bool last = ++s->written == s->events;
	union pn_value part;
	int64_t given;

	s->passed_ns += (double)duration_ns;
	if (s->real) {
		part.d = timed ? (double)duration_ns / s->unit_ns
			       : whole / (double)s->events;
		return part;
	}
	given = given_by(s->value.i,
			 timed ? s->passed_ns / s->duration_ns
			       : (double)s->written / (double)s->events);
	if (last)
		given = s->value.i;
	part.i = (int64_t)((uint64_t)given - (uint64_t)s->given);
	s->given = given;
	return part;
}
