/* The options of bases that are subtracted. */
#define PN_OPTION_STRUCT struct pn_bases
#include "analysis/merge/reshape.h"

#include "base/opts/table.h"

const struct pn_opt pn_bases_opts[] = {
	{PN_OPTION_LIST(base), 0, "base", "<profile>",
	 "subtract this profile (repeatable): of one that grows"},
	{PN_OPTION_LIST(diff_base), 0, "diff-base", "<profile>",
	 "the same, percentages are of it"},
	{PN_OPTION_FLAG(normalize), 0, "normalize", NULL,
	 "scale to the sum of the base first"},
	{0},
};
