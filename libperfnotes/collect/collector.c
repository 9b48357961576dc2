/* The table of collectors. */
#include "collect/collector.h"

#include "base/buf.h"

#include <string.h>

const struct pn_collector *const pn_collectors[] = {
	&pn_collector_time,
	NULL,
};

const struct pn_collector *pn_collector_find(const char *name,
					     struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; pn_collectors[i]; i++) {
		if (!strcmp(pn_collectors[i]->name, name))
			return pn_collectors[i];
		pn_buf_printf(&names, "%s%s", i ? ", " : "",
			      pn_collectors[i]->name);
	}
	pn_error_set(err, PN_ENOTFOUND, "no collector '%s'; there are: %s",
		     name, pn_buf_text(&names));
	pn_buf_release(&names);
	return NULL;
}

void pn_collect_plan_init(struct pn_collect_plan *plan)
{
	*plan = (struct pn_collect_plan){
		.min_runs = PN_COLLECT_MIN_RUNS,
		.max_runs = PN_COLLECT_MAX_RUNS,
		.min_time_ns = PN_COLLECT_MIN_TIME_NS,
		.max_time_ns = PN_COLLECT_MAX_TIME_NS,
		.precision = PN_COLLECT_PRECISION,
	};
}
