/* Duels of a project's jobs: where one is, and what became of all. */
#ifndef PN_JUDGED_DUELLED_H
#define PN_JUDGED_DUELLED_H

#include "analysis/history/duelled.h"
#include "base/buf.h"

/* The line that is shown meanwhile: "count  14 pairs  +3.1 % [-0.4, +6.5]
 * undecided, about 12 s more  (4 of 60 s)". */
void pn_duels_progress_text(struct pn_buf *out,
			    const struct pn_duels_progress *progress);

/* For people: each job, what was decided and by what; 80 columns. */
void pn_duelled_text(struct pn_buf *out,
		     const struct pn_duelled_report *report);
/* What did not build or run, and what it said last: lines for standard error,
 * one build that fails once. */
void pn_duelled_faults(struct pn_buf *out,
		       const struct pn_duelled_report *report);
/* In one of the formats of a check, by its name. */
void pn_duelled_print(struct pn_buf *out,
		      const struct pn_duelled_report *report,
		      const char *format);
/* The document of git-perf-json(5). */
void pn_duelled_json(struct pn_buf *out,
		     const struct pn_duelled_report *report);

#endif
