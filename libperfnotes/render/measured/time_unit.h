/* Times as a stopwatch shows them, for people who compare commands. */
#ifndef PN_MEASURED_TIME_UNIT_H
#define PN_MEASURED_TIME_UNIT_H

#include "base/buf.h"

#define PN_TIME_UNIT_TEXT 32 /* bytes of a time as text, with its end */

struct pn_time_unit {
	const char *name;
	double ns;
};

/* The one of that name, us where there is none of it; without a name the one
 * in which `ns` is 1 or more. */
struct pn_time_unit pn_time_unit_of(const char *name, double ns);
/* Append the names, with `between` between two. */
void pn_time_unit_names(struct pn_buf *out, const char *between);

/* How many digits behind the point a value in its unit deserves. */
int pn_time_unit_digits(double value);
/* "81.3 ms" */
void pn_time_unit_write(char out[PN_TIME_UNIT_TEXT], double ns,
			struct pn_time_unit unit, int digits);

#endif
