/* What prune and gc have to say. */
#include "render/log/pruned.h"

#include "render/quantity.h"

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
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&what);
}
