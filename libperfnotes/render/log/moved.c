/* What add, import, export-perun and the exchange with others did. */
#include "render/log/moved.h"

#include "base/file.h"

#define NOTHING "'%s' has no profiles\n"
#define NOTHING_NEW "'%s' has no profiles that are not here\n"

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

void pn_removed_text(struct pn_buf *out, const struct pn_removed *r)
{
	if (r->stored == 1)
		pn_buf_printf(out, "removed %s from %.10s\n", r->id, r->commit);
	else if (r->stored)
		pn_buf_printf(out, "removed %zu profiles from %.10s\n",
			      r->stored, r->commit);
	if (r->pending == 1)
		pn_buf_printf(out, "deleted pending %s\n",
			      pn_file_basename(r->path));
	else if (r->pending)
		pn_buf_printf(out, "deleted %zu pending profiles\n",
			      r->pending);
}

void pn_united_text(struct pn_buf *out, size_t commits, size_t bodies,
		    const char *from)
{
	if (commits)
		pn_buf_printf(out, "took in what '%s' has of %zu commit%s\n",
			      from, commits, commits == 1 ? "" : "s");
	else if (bodies)
		pn_buf_printf(out, "took in %zu bod%s of '%s'\n", bodies,
			      bodies == 1 ? "y" : "ies", from);
}

void pn_pulled_text(struct pn_buf *out, size_t commits, size_t bodies,
		    bool none, const char *from)
{
	if (!commits && !bodies)
		pn_buf_printf(out, none ? NOTHING : NOTHING_NEW, from);
	else
		pn_united_text(out, commits, bodies, from);
}

void pn_fetched_text(struct pn_buf *out, const struct pn_waiting *w,
		     const char *remote)
{
	if (w->uncounted) {
		pn_buf_printf(out, "'%s' has profiles that are not fetched\n",
			      remote);
		return;
	}
	if (!w->records && !w->inboxes) {
		pn_buf_printf(out, w->none ? NOTHING : NOTHING_NEW, remote);
		return;
	}
	if (w->records)
		pn_buf_printf(out, "%zu record%s", w->records,
			      w->records == 1 ? "" : "s");
	if (w->inboxes)
		pn_buf_printf(out, "%s%zu inbox%s", w->records ? " and " : "",
			      w->inboxes, w->inboxes == 1 ? "" : "es");
	pn_buf_printf(out,
		      " of '%s' not taken in yet: 'git perf pull' does it\n",
		      remote);
}

void pn_pushed_text(struct pn_buf *out, enum pn_pushed_state state,
		    size_t inboxes, const char *remote, bool dry_run)
{
	const char *would = dry_run ? "would be " : "";

	switch (state) {
	case PN_PUSHED:
		pn_buf_printf(out, "profiles %spushed to '%s'\n", would,
			      remote);
		break;
	case PN_PUSHED_INBOX:
		pn_buf_printf(out,
			      "profiles %spushed to '%s', into an inbox: the "
			      "next 'git perf pull' there takes them in\n",
			      would, remote);
		break;
	case PN_PUSHED_NOTHING:
		pn_buf_printf(out, "'%s' has all profiles that are here\n",
			      remote);
		break;
	case PN_PUSHED_EMPTY:
		pn_buf_add_text(out, "no profiles here to push: 'git perf "
				     "add' stores some\n");
		break;
	}
	if (inboxes)
		pn_buf_printf(out, "%zu inbox%s of '%s' emptied\n", inboxes,
			      inboxes == 1 ? "" : "es", remote);
}

void pn_elsewhere_text(struct pn_buf *out, const char *remote, size_t incoming)
{
	if (incoming)
		pn_buf_printf(out,
			      "no profiles in this clone, but %zu fetched "
			      "record%s (\"git perf pull %s\" takes them "
			      "in)\n",
			      incoming, incoming == 1 ? "" : "s", remote);
	else
		pn_buf_printf(out,
			      "no profiles in this clone (\"git perf pull "
			      "%s\" gets what others pushed)\n",
			      remote);
}
