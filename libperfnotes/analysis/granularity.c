/* Names of granularities. */
#include "analysis/nodes.h"

#include "base/text/similar.h"

#include <string.h>

static const char *const granularities[] = {
	[PN_BY_FUNCTIONS] = "functions",
	[PN_BY_FILEFUNCTIONS] = "filefunctions",
	[PN_BY_FILES] = "files",
	[PN_BY_LINES] = "lines",
	[PN_BY_ADDRESSES] = "addresses",
};

#define GRANULARITIES (sizeof(granularities) / sizeof(*granularities))

void pn_granularity_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; i < GRANULARITIES; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", granularities[i]);
}

int pn_granularity_find(enum pn_granularity *out, const char *name,
			struct pn_error *err)
{
	size_t i;

	for (i = 0; i < GRANULARITIES; i++)
		if (!strcmp(granularities[i], name)) {
			*out = (enum pn_granularity)i;
			return 0;
		}
	return pn_unknown_name("granularity", name, pn_granularity_names, err);
}
