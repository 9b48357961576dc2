/* What a detector says of the series of two commits, by stored profiles. */
#ifndef PN_JUDGE_DETECTED_H
#define PN_JUDGE_DETECTED_H

#include "analysis/checks/detector.h"
#include "analysis/history/log_series.h"
#include "jobs/judge/detector_rules.h"
#include "jobs/judge/ends.h"
#include "model/series.h"
#include "vcs/notes/notes.h"

/* Of each series that both ends have and the filter (job, collector, machine)
 * lets pass, by the detectors of all rules that fit it. PN_ENOTFOUND: there is
 * no such series, or no rule fits one. */
int pn_detection_run(struct pn_detection *out, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_judge_ends *ends,
		     const struct pn_detector_rules *rules,
		     const struct pn_log_filter *filter, struct pn_error *err);
void pn_detection_release(struct pn_detection *detection);

#endif
