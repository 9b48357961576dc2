/* How results are to be shown. */
#define PN_OPTION_STRUCT struct pn_results_options
#include "render/measured/results.h"

#include "base/opts/table.h"
#include "render/measured/time_unit.h"

#include <string.h>

const struct pn_opt pn_results_opts[] = {
	{PN_OPTION_TEXT(sort), 0, "sort", "median|command",
	 "order of the comparison (median)", .choices = "median command"},
	{PN_OPTION_TEXT(unit), 'u', "unit", "us|ms|s", "unit of the times",
	 .names = pn_time_unit_names},
	{PN_OPTION_TEXT(export), 0, "export", "<file>.csv|<file>.md",
	 "write a table of the times, too"},
	{0},
};

const char *pn_results_fault(const struct pn_results_options *o)
{
	if (o->unit && strcmp(pn_time_unit_of(o->unit, 0).name, o->unit) != 0)
		return "--unit is us, ms or s";
	if (o->sort && strcmp(o->sort, "median") && strcmp(o->sort, "command"))
		return "--sort is median or command";
	return NULL;
}

bool pn_results_in_order(const struct pn_results_options *o)
{
	return o->sort && !strcmp(o->sort, "command");
}
