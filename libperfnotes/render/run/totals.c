/* The end of a run over commits, in words. */
#include "render/run/totals.h"

void pn_run_added_text(struct pn_buf *out, const struct pn_run_totals *t)
{
	if (t->done)
		pn_buf_printf(out, "added %zu profile%s to %zu commit%s\n",
			      t->done, t->done == 1 ? "" : "s", t->commits,
			      t->commits == 1 ? "" : "s");
}

void pn_run_stored_text(struct pn_buf *out, size_t done, const char *commit,
			bool dirty)
{
	if (done)
		pn_buf_printf(out, "added %zu profile%s to %.10s%s\n", done,
			      done == 1 ? "" : "s", commit,
			      dirty ? " (the tree was dirty)" : "");
}

void pn_run_interrupted_text(struct pn_buf *out, const struct pn_run_totals *t)
{
	pn_buf_printf(out,
		      "interrupted: %zu commit%s %s stored, nothing is left "
		      "behind\n",
		      t->commits, t->commits == 1 ? "" : "s",
		      t->commits == 1 ? "is" : "are");
}

void pn_run_failed_text(struct pn_buf *out, const struct pn_run_totals *t)
{
	if (!t->bad)
		return;
	pn_buf_printf(out, "%zu job%s failed", t->bad, t->bad == 1 ? "" : "s");
	if (t->skipped) {
		pn_buf_add_text(out, "; run does not try ");
		if (t->skipped < t->bad)
			pn_buf_printf(out, "%zu of them", t->skipped);
		else
			pn_buf_add_text(out, t->bad == 1 ? "it" : "them");
		pn_buf_add_text(out, " again without --again");
	}
	pn_buf_add_byte(out, '\n');
}

void pn_run_idle_text(struct pn_buf *out, size_t named,
		      const struct pn_run_totals *t)
{
	pn_buf_add_text(out, "nothing to do: ");
	if (!named) {
		pn_buf_add_text(out, "no commit was named");
	} else if (!t->done_before && !t->bad_before) {
		pn_buf_add_text(out, "no job is for this machine or shard");
	} else {
		pn_buf_add_text(out, t->bad_before ? "nothing is missing at "
						   : "all is measured at ");
		if (named == 1)
			pn_buf_add_text(out, "this commit");
		else
			pn_buf_printf(out, "%zu commits", named);
		pn_buf_add_text(out, " (--again measures once more)");
	}
	pn_buf_add_byte(out, '\n');
}

void pn_run_left_out_text(struct pn_buf *out, const struct pn_run_totals *t)
{
	if (t->bad_before)
		pn_buf_printf(out,
			      "%zu job%s failed before and %s left out "
			      "(--again tries once more)\n",
			      t->bad_before, t->bad_before == 1 ? "" : "s",
			      t->bad_before == 1 ? "is" : "are");
}
