/*
 * What is asked for of the resources of a profile: the options of the views
 * table, bars, flow, scatter, heapmap and alloclist, which Perun
 * has. Keys are
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

/* Which allocations are listed, and in which order. */
enum pn_alloclist {
	PN_ALLOCLIST_TOP,  /* each, the largest first */
	PN_ALLOCLIST_MOST, /* places by how often they allocated */
	PN_ALLOCLIST_SUM,  /* places by how much */
	PN_ALLOCLIST_ALL,  /* each, as they come */
	PN_ALLOCLIST_FUNC  /* those of one function */
};

struct pn_resources_request {
	const char *of, *per, *by; /* keys; NULL: see pivot.h */
	const char *aggregate_name, *mode_name;
	bool grouped, stacked, models, accumulate;
	bool everywhere;	   /* a function anywhere on the stack */
	double from_time, to_time; /* seconds; infinite: all */
	struct pn_opt_list headers, filters;
	/* what the names say */
	enum pn_aggregate aggregate;
	enum pn_alloclist mode;
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
void pn_alloclist_names(struct pn_buf *out, const char *between);

#endif
