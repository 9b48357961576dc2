/* What a detector says of the series of two commits, by stored profiles. */
#ifndef PN_JUDGE_DETECTED_H
#define PN_JUDGE_DETECTED_H

#include "analysis/checks/detector.h"
#include "analysis/history/log_series.h"
#include "jobs/judge/ends.h"
#include "model/series.h"
#include "vcs/notes/notes.h"

/* Of each series that both ends have and the filter (job, collector, machine)
 * lets pass. PN_ENOTFOUND: there is none. */
int pn_detection_run(struct pn_detection *out, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_judge_ends *ends,
		     const struct pn_detector *detector,
		     const struct pn_log_filter *filter, struct pn_error *err);
void pn_detection_release(struct pn_detection *detection);

#endif
