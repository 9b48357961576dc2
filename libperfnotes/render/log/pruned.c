/* What prune and gc have to say. */
#include "render/log/pruned.h"

#include "render/quantity.h"

#include <inttypes.h>
#include <math.h>

static void add_count(struct pn_buf *out, size_t count, const char *one,
		      const char *many)
{
	if (count)
		pn_buf_printf(out, "%s%zu %s", out->len ? ", " : "", count,
			      count == 1 ? one : many);
}

void pn_pruned_text(struct pn_buf *out, const struct pn_pruned_row *row)
{
	struct pn_buf what = {0};

	add_count(&what, row->records, "record", "records");
	add_count(&what, row->figures, "body of which figures stay",
		  "bodies of which figures stay");
	pn_buf_printf(out, "%s%s", row->dry_run ? "would prune " : "pruned ",
		      what.len ? pn_buf_text(&what) : "nothing");
	pn_buf_clear(&what);
	add_count(&what, row->vanished, "vanished commit", "vanished commits");
	add_count(&what, row->left_out, "commit that no policy keeps",
		  "commits that no policy keeps");
	if (what.len)
		pn_buf_printf(out, " (%s)", pn_buf_text(&what));
	if (row->bodies) {
		pn_buf_printf(out, ": %zu bod%s, ", row->bodies,
			      row->bodies == 1 ? "y" : "ies");
		pn_quantity_text(out, (double)row->bytes, NAN, "bytes");
	}
	if (row->rewritten)
		pn_buf_printf(out,
			      "; %zu rewritten commit%s stay%s for what "
			      "became of %s",
			      row->rewritten, row->rewritten == 1 ? "" : "s",
			      row->rewritten == 1 ? "s" : "",
			      row->rewritten == 1 ? "it" : "them");
	if (row->unsure)
		pn_buf_printf(out,
			      "; %zu vanished commit%s not here stay%s "
			      "('--absent' takes %s out)",
			      row->unsure,
			      row->unsure == 1 ? " that is" : "s that are",
			      row->unsure == 1 ? "s" : "",
			      row->unsure == 1 ? "it" : "them");
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&what);
}

void pn_compacted_text(struct pn_buf *out, const struct pn_compacted_row *row)
{
	struct pn_buf what = {0};

	if (row->nothing) {
		pn_buf_add_text(out, "nothing to leave behind\n");
		return;
	}
	add_count(&what, row->dead, "line of what is out",
		  "lines of what is out");
	add_count(&what, row->bodies, "body that nobody needs",
		  "bodies that nobody needs");
	pn_buf_printf(out, "%s the history before epoch %" PRIu64,
		      row->dry_run ? "would leave behind" : "left behind",
		      row->epoch);
	if (what.len)
		pn_buf_printf(out, ", %s", pn_buf_text(&what));
	pn_buf_add_text(out, ": about ");
	pn_quantity_text(out, (double)row->freed, NAN, "bytes");
	pn_buf_add_byte(out, '\n');
	if (!row->dry_run)
		pn_buf_add_text(
			out, "'git perf push' has the remote follow; git frees "
			     "the space when no reflog leads there any more\n");
	pn_buf_release(&what);
}
