/*
 * What is asked for of the resources of a profile: the options of the views
 * table, bars, flow and scatter, which Perun has. Keys are
 * those of model/query.h.
 */
#ifndef PN_RESOURCES_REQUEST_H
#define PN_RESOURCES_REQUEST_H

#include "base/error.h"
#include "base/opts/opts.h"

enum pn_aggregate {
	PN_AGGREGATE_SUM,
	PN_AGGREGATE_MEAN,
	PN_AGGREGATE_COUNT,
	PN_AGGREGATE_NUNIQUE,
	PN_AGGREGATE_MEDIAN,
	PN_AGGREGATE_MIN,
	PN_AGGREGATE_MAX
};

struct pn_resources_request {
	const char *of, *per, *by; /* keys; NULL: see pivot.h */
	const char *aggregate_name;
	bool grouped, stacked, models, accumulate;
	struct pn_opt_list headers, filters;
	enum pn_aggregate aggregate; /* what its name says */
};

extern const struct pn_opt pn_resources_opts[];

/* What is shown when no option says another thing. */
void pn_resources_request_init(struct pn_resources_request *out);
/* What the option table cannot check. */
int pn_resources_request_check(struct pn_resources_request *request,
			       struct pn_error *err);

/* "sum", ... by value; then the names for -h and completion. */
const char *pn_aggregate_name(enum pn_aggregate aggregate);
void pn_aggregate_names(struct pn_buf *out, const char *between);

#endif
