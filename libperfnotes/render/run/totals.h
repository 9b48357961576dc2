/* What became of a run, in lines for people; each appends its own. */
#ifndef PN_RUN_TOTALS_H
#define PN_RUN_TOTALS_H

#include "analysis/history/planned.h"
#include "base/buf.h"

/* "added 3 profiles to 2 commits"; nothing where nothing was. */
void pn_run_added_text(struct pn_buf *out, const struct pn_run_totals *totals);
/* "added 3 profiles to 0123456789", at one commit, whose id it is. */
void pn_run_stored_text(struct pn_buf *out, size_t done, const char *commit,
			bool dirty);
/* What is kept of a walk that was interrupted. */
void pn_run_interrupted_text(struct pn_buf *out,
			     const struct pn_run_totals *totals);
/* "2 jobs failed; ..."; nothing where none did. */
void pn_run_failed_text(struct pn_buf *out, const struct pn_run_totals *totals);
/* Why there is nothing to do at the `named` commits. */
void pn_run_idle_text(struct pn_buf *out, size_t named,
		      const struct pn_run_totals *totals);
/* Which jobs are left out, as they failed before; nothing where none is. */
void pn_run_left_out_text(struct pn_buf *out,
			  const struct pn_run_totals *totals);

#endif
