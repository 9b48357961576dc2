/* What became of a run over commits, in lines for people. */
#ifndef PN_RUN_TOTALS_H
#define PN_RUN_TOTALS_H

#include "base/buf.h"

struct pn_run_totals {
	size_t commits, done, bad; /* done, bad: jobs */
	size_t skipped;		   /* of the bad ones, by the next run, too */
	size_t done_before, bad_before; /* and left out now */
};

/* "added 3 profiles to 2 commits"; nothing where nothing was. */
void pn_run_added_text(struct pn_buf *out, const struct pn_run_totals *totals);
/* "2 jobs failed; ..."; nothing where none did. */
void pn_run_failed_text(struct pn_buf *out, const struct pn_run_totals *totals);
/* Why there is nothing to do at the `named` commits. */
void pn_run_idle_text(struct pn_buf *out, size_t named,
		      const struct pn_run_totals *totals);
/* Which jobs are left out, as they failed before; nothing where none is. */
void pn_run_left_out_text(struct pn_buf *out,
			  const struct pn_run_totals *totals);

#endif
