/* What every collector says of a job in a profile's header. */
#ifndef PN_COLLECT_DESCRIBE_H
#define PN_COLLECT_DESCRIBE_H

#include "collect/collector.h"
#include "collect/facts/environment.h"
#include "model/profile.h"

/*
 * Command, arguments, workload, labels, the environment, and the collector
 * with its parameters: those of the plan that were asked for, and its options.
 */
void pn_collect_describe(struct pn_profile *out, const char *collector,
			 const struct pn_collect_plan *plan,
			 const struct pn_collect_job *job,
			 const struct pn_environment *environment);

#endif
