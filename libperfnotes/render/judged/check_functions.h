/* Inside of render/judged/ only: what a check says of functions. */
#ifndef PN_JUDGED_CHECK_FUNCTIONS_H
#define PN_JUDGED_CHECK_FUNCTIONS_H

#include "analysis/judge/judge.h"
#include "render/sink.h"

/* Nothing unless it was asked for. A line and a table for each series: of what
 * changed the largest, or all. */
void pn_check_functions_text(struct pn_sink *out,
			     const struct pn_judge_report *report, bool all);
/* Further rows of the list of verdicts. */
void pn_check_functions_json(struct pn_sink *out,
			     const struct pn_judge_report *report);

#endif
