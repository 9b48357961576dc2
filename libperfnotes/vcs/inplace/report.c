/* What a run in place has to tell, be the work tree back or not. */
#include "vcs/inplace/inplace.h"

#include <stdlib.h>
#include <string.h>

void pn_inplace_report_release(struct pn_inplace_report *report)
{
	free(report->leftovers);
	pn_buf_release(&report->notes);
	memset(report, 0, sizeof(*report));
}

/* How it ended; NULL where there is nothing to say. */
static const char *sentence_of(enum pn_inplace_outcome outcome)
{
	switch (outcome) {
	case PN_INPLACE_UNDONE:
		return "the run in place had not begun to measure: undone";
	case PN_INPLACE_RESTORED:
		return "the work tree is as it was before the run";
	case PN_INPLACE_CLEANED:
		return "the work tree was as before the run; removed what was "
		       "left of it";
	case PN_INPLACE_LOST:
		return "the run in place has ended, but not all is as it was "
		       "before";
	default:
		return NULL;
	}
}

void pn_inplace_report_ended(struct pn_buf *out,
			     const struct pn_inplace_report *report)
{
	const char *how = sentence_of(report->outcome);

	if (how)
		pn_buf_printf(out, "%s\n", how);
}

void pn_inplace_report_left(struct pn_buf *out,
			    const struct pn_inplace_report *report)
{
	if (report->leftovers)
		pn_buf_printf(out,
			      "what builds left, and changes made during the "
			      "run, are in '%s'; delete it when you do not "
			      "need it\n",
			      report->leftovers);
}
