/* Where one is, as text. */
#include "render/log/status.h"

#include "base/escape.h"
#include "render/log/entry.h"

#include <stdlib.h>
#include <string.h>

static void add_text(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

/* What it was put through: "regression-analysis, normalizer". */
static void entry_posts(struct pn_buf *out, const struct pn_entry *e)
{
	const char *names = pn_entry_field(e, "posts");
	size_t len;

	if (!*names)
		return;
	pn_buf_add_text(out, "  after ");
	for (; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		pn_escape_terminal(out, names, len);
		if (names[len])
			pn_buf_add_text(out, ", ");
	}
}

/* What was measured, what was made of it, and the first figures. */
static void entry_facts(struct pn_buf *out, const struct pn_entry *e)
{
	struct pn_buf text = {0};
	size_t more;

	pn_job_text(&text, pn_entry_field(e, "cmd"), pn_entry_field(e, "args"),
		    pn_entry_field(e, "workload"));
	if (text.len)
		pn_buf_printf(out, "  [%s]", pn_buf_text(&text));
	entry_posts(out, e);
	pn_buf_clear(&text);
	more = pn_entry_figures_text(&text, e);
	if (text.len)
		pn_buf_printf(out, "  %s", pn_buf_text(&text));
	if (more)
		pn_buf_printf(out, ", and %zu more", more);
	if (*pn_entry_field(e, "dirty"))
		pn_buf_add_text(out, "  (dirty tree)");
	pn_entry_noise_text(out, e);
	pn_buf_release(&text);
}

/* `commit` is the one at hand: a line may have been copied to it. */
static void entry_line(struct pn_buf *out, const struct pn_entry_row *row,
		       const struct pn_oid *commit)
{
	const struct pn_entry *e = row->entry;
	const char *name = pn_entry_field(e, "name");
	char hex[PN_OID_HEX + 1];

	pn_buf_printf(out, "  %3zu@i  %s  ", row->tag, e->id);
	pn_time_text(out, e->time_ns);
	pn_buf_add_text(out, *name ? "  " : "");
	add_text(out, name);
	entry_facts(out, e);
	pn_oid_hex(hex, &e->commit);
	if (!pn_oid_equal(&e->commit, commit))
		pn_buf_printf(out, "  (measured at %.10s)", hex);
	pn_buf_add_byte(out, '\n');
}

static void entry_list(struct pn_buf *out, const struct pn_status *s,
		       const struct pn_entry_order *order)
{
	struct pn_entry_row *rows;
	size_t i;

	if (!s->entry_count) {
		pn_buf_add_text(out, "\nno profiles of this commit\n");
		return;
	}
	pn_buf_add_text(out, "\nprofiles of this commit:\n");
	rows = pn_entry_rows(s->entries, s->entry_count, order);
	for (i = 0; i < s->entry_count; i++)
		entry_line(out, &rows[i], &s->commit);
	free(rows);
}

static void pending_list(struct pn_buf *out, const struct pn_status *s)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	if (!s->pending_count)
		return;
	pn_buf_add_text(out, "\npending (\"git perf add <profile>\" stores, "
			     "\"git perf rm <profile>\" deletes):\n");
	for (i = 0; i < s->pending_count; i++) {
		const struct pn_status_pending *p = &s->pending[i];
		const char *name = pn_entry_field(p->entry, "name");

		pn_buf_printf(out, "  %3zu@p  ", i);
		pn_time_text(out, p->time_ns);
		pn_buf_add_text(out, "  ");
		add_text(out, p->name);
		if (*name && strcmp(name, p->name) != 0) {
			pn_buf_add_text(out, "  as ");
			add_text(out, name);
		}
		pn_oid_hex(hex, &p->origin);
		if (pn_oid_equal(&p->origin, &s->commit))
			pn_buf_add_text(out, "  of HEAD");
		else if (!pn_oid_is_zero(&p->origin))
			pn_buf_printf(out, "  of %.10s", hex);
		entry_facts(out, p->entry);
		pn_buf_add_byte(out, '\n');
	}
}

static void head_line(struct pn_buf *out, const struct pn_status *s)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &s->commit);
	if (*s->branch) {
		pn_buf_add_text(out, "on branch ");
		add_text(out, s->branch);
	} else {
		pn_buf_add_text(out, "HEAD detached");
	}
	if (s->unborn)
		pn_buf_add_text(out, ", no commits yet\n");
	else
		pn_buf_printf(out, ", commit %.10s\n", hex);
}

/* "rebase and bisect". */
static void progress_names(struct pn_buf *out, const struct pn_status *s)
{
	size_t i;

	for (i = 0; i < s->in_progress_count; i++)
		pn_buf_printf(out, "%s%s", i ? " and " : "", s->in_progress[i]);
}

/* As after a clone, which brings no notes. */
static bool has_no_notes(const struct pn_status *s)
{
	return !s->compared && *s->remote && !s->has_notes;
}

static void sync_lines(struct pn_buf *out, const struct pn_status *s)
{
	struct pn_buf remote = {0};

	pn_escape_terminal(&remote, s->remote, strlen(s->remote));
	if (has_no_notes(s))
		pn_buf_printf(out,
			      "\nno profiles in this clone (\"git fetch "
			      "%s %s:%s\" gets those of others, if any were "
			      "pushed)\n",
			      pn_buf_text(&remote), s->notes_ref, s->notes_ref);
	if (s->unpushed)
		pn_buf_printf(
			out, "\n%zu record%s not pushed (\"git push %s %s\")\n",
			s->unpushed, s->unpushed == 1 ? "" : "s",
			pn_buf_text(&remote), s->notes_ref);
	if (s->fetched)
		pn_buf_printf(out,
			      "\n%zu fetched record%s not united (\"git "
			      "notes --ref=perf merge refs/perf/remotes/%s/"
			      "notes\")\n",
			      s->fetched, s->fetched == 1 ? "" : "s",
			      pn_buf_text(&remote));
	pn_buf_release(&remote);
}

static void queue_line(struct pn_buf *out, const struct pn_status *s)
{
	if (s->queued)
		pn_buf_printf(out, "\n%zu commit%s to be measured (%s)\n",
			      s->queued, s->queued == 1 ? "" : "s",
			      s->worker ? "a worker runs"
					: "\"git perf worker\" does it");
	else if (s->worker)
		pn_buf_add_text(out, "\na worker runs\n");
}

static void run_lines(struct pn_buf *out, const struct pn_status *s)
{
	if (s->in_place && s->process)
		pn_buf_printf(out,
			      "process %ld measures other commits in this work "
			      "tree\n",
			      s->process);
	else if (s->in_place)
		pn_buf_add_text(out, "a run in this work tree was interrupted "
				     "(\"git perf recover\" puts it back)\n");
	if (s->stale)
		pn_buf_printf(out,
			      "%zu worktree%s of interrupted runs (\"git perf "
			      "recover\" removes %s)\n",
			      s->stale, s->stale == 1 ? "" : "s",
			      s->stale == 1 ? "it" : "them");
}

void pn_status_text(struct pn_buf *out, const struct pn_status *s,
		    const struct pn_entry_order *order)
{
	head_line(out, s);
	if (s->in_progress_count) {
		progress_names(out, s);
		pn_buf_add_text(out, " in progress\n");
	}
	run_lines(out, s);
	entry_list(out, s, order);
	if (s->ignored)
		pn_buf_printf(out,
			      "  %zu line%s of the note %s no entry (\"git "
			      "perf fsck\" says why)\n",
			      s->ignored, s->ignored == 1 ? "" : "s",
			      s->ignored == 1 ? "is" : "are");
	pending_list(out, s);
	queue_line(out, s);
	sync_lines(out, s);
}

void pn_status_line(struct pn_buf *out, const struct pn_status *s)
{
	struct pn_buf head = {0};

	head_line(&head, s);
	pn_buf_add(out, head.data, head.len - 1);
	pn_buf_printf(out, ": %zu profile%s, %zu pending", s->entry_count,
		      s->entry_count == 1 ? "" : "s", s->pending_count);
	if (s->queued)
		pn_buf_printf(out, ", %zu queued", s->queued);
	if (s->compared)
		pn_buf_printf(out, ", %zu not pushed", s->unpushed);
	if (s->compared && s->fetched)
		pn_buf_printf(out, ", %zu fetched not united", s->fetched);
	if (s->in_progress_count) {
		pn_buf_add_text(out, ", ");
		progress_names(out, s);
		pn_buf_add_text(out, " in progress");
	}
	if (pn_status_is_interrupted(s))
		pn_buf_add_text(out, ", a run was interrupted");
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&head);
}
