/*
 * One measurement: a collector and a plan in, a whole profile of each job out.
 * Goes in steps, as a collection does (collect/collector.h):
 *
 *	open; while (step == 1) show progress; result of each job; free
 *
 * Where a collector leaves its weights in a file, they are decoded here, and
 * header, environment and metrics of the collection are put to them. The
 * metrics are then the totals of the weights first, and what the collection
 * measured of the run (wall, user, ...) behind them.
 */
#ifndef PN_JOBS_MEASURE_H
#define PN_JOBS_MEASURE_H

#include "base/buf.h"
#include "base/error.h"
#include "collect/collector.h"
#include "model/machine/quiet.h"
#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

struct pn_measure;

/*
 * `with` and what the plan refers to stay in use until free. The plan itself
 * is copied; its `folder` is one of our own, private, that free removes.
 * Without a launcher it has one of its own. Options that the collector does not
 * have are PN_EINVAL.
 */
int pn_measure_open(struct pn_measure **out, const struct pn_collector *with,
		    const struct pn_collect_plan *plan, struct pn_error *err);
/* As pn_collector.step. */
int pn_measure_step(struct pn_measure *measure,
		    struct pn_collect_progress *progress, struct pn_error *err);
/* The profile of one job; `out` is initialised by the caller. */
int pn_measure_result(struct pn_profile *out, struct pn_measure *measure,
		      size_t job, struct pn_error *err);
/* The metrics that one run has, a value each, between two steps: `run` counts
 * from 0 those that are done and count. `out` is initialised by the caller.
 * PN_EREFUSED where the collector has `result_takes`. */
int pn_measure_run(struct pn_profile *out, struct pn_measure *measure,
		   size_t job, size_t run, struct pn_error *err);
/* No further step will be made, `runs` of each job are done: what a plan
 * without an end needs before its result. */
void pn_measure_end(struct pn_measure *measure, uint64_t runs);
/* Of the run so far, between two steps; PN_EREFUSED where the collector has
 * no snapshots. */
int pn_measure_snapshot(struct pn_profile *out, struct pn_measure *measure,
			size_t job, struct pn_error *err);
size_t pn_measure_warnings(struct pn_doubt out[PN_DOUBT_KINDS],
			   struct pn_measure *measure, size_t job);
/* Append the last lines that the command wrote to standard error in its last
 * run, where that is shown to nobody else. */
void pn_measure_said(struct pn_buf *out, const struct pn_measure *measure);
/* How quiet the machine was since it was opened, as far as is known by then. */
void pn_measure_quiet(struct pn_quiet *out, const struct pn_measure *measure);
/* Takes NULL. Runs a cleanup that is due. */
void pn_measure_free(struct pn_measure *measure);

#endif
