/* What add, import and export-perun did. */
#include "render/log/moved.h"

void pn_takeover_text(struct pn_buf *out, const struct pn_takeover_counts *c,
		      bool dry_run)
{
	if (c->changes)
		pn_buf_printf(
			out,
			"%zu change%s that Perun found at %zu commit%s are not "
			"kept: verdicts are computed anew\n",
			c->changes, c->changes == 1 ? "" : "s",
			c->changed_commits, c->changed_commits == 1 ? "" : "s");
	pn_buf_printf(
		out, "%s %zu profile%s at %zu commit%s and %zu pending one%s\n",
		dry_run ? "would import" : "imported", c->stored,
		c->stored == 1 ? "" : "s", c->commits,
		c->commits == 1 ? "" : "s", c->pending,
		c->pending == 1 ? "" : "s");
	if (c->already)
		pn_buf_printf(out, "%zu %s here already\n", c->already,
			      c->already == 1 ? "was" : "were");
	if (c->broken || c->skipped)
		pn_buf_printf(out,
			      "left out: %zu broken, %zu of unknown commits\n",
			      c->broken, c->skipped);
}

void pn_handover_text(struct pn_buf *out, const struct pn_handover_counts *c,
		      const char *layout, const char *readers)
{
	pn_buf_printf(out,
		      "exported %zu profile%s of %zu commit%s and %zu pending "
		      "one%s\n",
		      c->written, c->written == 1 ? "" : "s", c->commits,
		      c->commits == 1 ? "" : "s", c->pending,
		      c->pending == 1 ? "" : "s");
	if (c->commits)
		pn_buf_printf(out, "its indexes are read by %s (--index=%s)\n",
			      readers, layout);
	if (c->left_out)
		pn_buf_printf(out, "left out: %zu%s\n", c->left_out,
			      c->left_out > c->reasons && c->reasons
				      ? " (-v names each)"
				      : "");
}

void pn_added_text(struct pn_buf *out, const struct pn_added *added)
{
	if (added->count == 1 && added->commit)
		pn_buf_printf(out, "added %s", added->id);
	else
		pn_buf_printf(out, "added %zu profile%s", added->count,
			      added->count == 1 ? "" : "s");
	if (added->commit)
		pn_buf_printf(out, " to %.10s", added->commit);
	/* it is not the commit's figure */
	if (added->dirty_count && added->count == 1)
		pn_buf_add_text(out, " (the tree was dirty)");
	else if (added->dirty_count)
		pn_buf_printf(out, " (the tree was dirty for %zu of them)",
			      added->dirty_count);
	pn_buf_add_byte(out, '\n');
}
