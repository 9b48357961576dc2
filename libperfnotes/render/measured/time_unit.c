/* Units of time. */
#include "render/measured/time_unit.h"

#include <stdio.h>
#include <string.h>

#define UNITS 3

static const struct pn_time_unit units[UNITS] = {
	{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};

struct pn_time_unit pn_time_unit_of(const char *name, double ns)
{
	size_t i;

	for (i = 0; i < UNITS - 1; i++)
		if (name ? !strcmp(name, units[i].name) : ns >= units[i].ns)
			break;
	return units[i];
}

void pn_time_unit_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = UNITS; i > 0; i--)
		pn_buf_printf(out, "%s%s", i < UNITS ? between : "",
			      units[i - 1].name);
}

/* Three digits behind the point are the ns of a us; above, what counts. */
int pn_time_unit_digits(double value)
{
	return value < 10 ? 3 : value < 100 ? 2 : 1;
}

void pn_time_unit_write(char out[PN_TIME_UNIT_TEXT], double ns,
			struct pn_time_unit unit, int digits)
{
	snprintf(out, PN_TIME_UNIT_TEXT, "%.*f %s", digits, ns / unit.ns,
		 unit.name);
}
