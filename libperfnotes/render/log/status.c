/* Where one is, as text. */
#include "render/log/status.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/log/doubts.h"
#include "render/log/entry.h"
#include "render/log/lines.h"
#include "render/quantity.h"
#include "render/run/worked.h"

#include <string.h>

#define PENDING_INDENT 9

static void add_text(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

static void heading(struct pn_buf *out, const struct pn_palette *p,
		    const char *text, const char *hint)
{
	pn_buf_printf(out, "\n%s%s%s%s\n", p->head, text, p->end, hint);
}

static void series_list(struct pn_buf *out, const struct pn_status *s,
			const struct pn_palette *p, bool all, size_t width)
{
	const struct pn_log_series_style style = {.palette = *p,
						  .tags = true,
						  .all = all,
						  .width = width,
						  .commit = s->commit,
						  .tree = s->tree};

	if (!s->row_count) {
		pn_buf_add_text(out, "\nno profiles of this commit\n");
		if (s->unmeasured)
			pn_log_unmeasured(out, s->unmeasured, &s->commit, p,
					  width, 2);
		return;
	}
	heading(out, p, "profiles of this commit:", "");
	pn_log_series_lines(out, s->rows, s->row_count, &style);
}

/* What was measured, in short. */
static void pending_facts(struct pn_buf *out, const struct pn_entry *e,
			  bool all)
{
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	struct pn_buf job = {0};
	size_t i, count;

	if (all)
		pn_job_text(&job, pn_entry_field(e, "cmd"),
			    pn_entry_field(e, "args"),
			    pn_entry_field(e, "workload"));
	if (job.len)
		pn_buf_printf(out, "  [%s]", pn_buf_text(&job));
	pn_figures_of(&figures, &count, &arena, e, 1);
	for (i = 0; i < count && (all || !i); i++) {
		pn_buf_add_text(out, i ? ", " : "  ");
		pn_escape_terminal(out, figures[i].metric,
				   strlen(figures[i].metric));
		pn_buf_add_byte(out, ' ');
		pn_quantity_spread_text(out, figures[i].median,
					figures[i].spread, figures[i].unit);
	}
	pn_entry_posts_text(out, e);
	if (*pn_entry_field(e, "dirty"))
		pn_buf_add_text(out, "  dirty tree");
	if (all)
		pn_entry_noise_text(out, e);
	else if (count && figures[0].noisy)
		pn_buf_add_text(out, "  noisy");
	pn_arena_release(&arena);
	pn_buf_release(&job);
}

static void pending_line(struct pn_buf *out, const struct pn_status *s,
			 size_t i, bool all)
{
	const struct pn_status_pending *p = &s->pending[i];
	const char *name = pn_entry_field(p->entry, "name");
	char hex[PN_OID_HEX + 1];

	pn_buf_printf(out, "%3zu@p  ", i);
	add_text(out, p->name);
	if (*name && strcmp(name, p->name) != 0) {
		pn_buf_add_text(out, "  as ");
		add_text(out, name);
	}
	pn_oid_hex(hex, &p->origin);
	if (!pn_oid_is_zero(&p->origin) &&
	    !pn_oid_equal(&p->origin, &s->commit))
		pn_buf_printf(out, "  of %.10s", hex);
	pending_facts(out, p->entry, all);
}

static void pending_list(struct pn_buf *out, const struct pn_status *s,
			 const struct pn_palette *palette, bool all,
			 size_t width)
{
	struct pn_buf line = {0};
	size_t i;

	if (!s->pending_count)
		return;
	heading(out, palette, "pending",
		" (\"git perf add <profile>\" stores, "
		"\"git perf rm <profile>\" "
		"deletes):");
	for (i = 0; i < s->pending_count; i++) {
		pending_line(&line, s, i, all);
		pn_text_wrap_names(out, pn_buf_text(&line), line.len, width,
				   PENDING_INDENT);
		pn_buf_add_byte(out, '\n');
		pn_buf_clear(&line);
	}
	pn_buf_release(&line);
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
			      "\nno profiles in this clone (\"git perf pull "
			      "%s\" gets what others pushed)\n",
			      pn_buf_text(&remote));
	if (s->unpushed)
		pn_buf_printf(
			out,
			"\n%zu record%s not pushed (\"git perf push %s\")\n",
			s->unpushed, s->unpushed == 1 ? "" : "s",
			pn_buf_text(&remote));
	if (s->fetched)
		pn_buf_printf(out,
			      "\n%zu fetched record%s not united (\"git perf "
			      "pull %s\")\n",
			      s->fetched, s->fetched == 1 ? "" : "s",
			      pn_buf_text(&remote));
	pn_buf_release(&remote);
}

static void regression_line(struct pn_buf *out, const struct pn_status *s)
{
	if (!s->regressions)
		return;
	pn_buf_printf(out, "%zu confirmed regression%s", s->regressions,
		      s->regressions == 1 ? "" : "s");
	if (s->since_tag) {
		pn_buf_add_text(out, " since ");
		add_text(out, s->since_tag);
	}
	pn_buf_add_text(out, " (\"git perf log --changes\" tells them)\n");
}

static void queue_line(struct pn_buf *out, const struct pn_status *s)
{
	if (s->queued)
		pn_buf_printf(out, "\n%zu commit%s to be measured (%s)\n",
			      s->queued, s->queued == 1 ? "" : "s",
			      s->worker ? pn_worked_state(true, s->waits)
					: "\"git perf worker\" does it");
	else if (s->worker)
		pn_buf_printf(out, "\n%s\n", pn_worked_state(true, s->waits));
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
		    const struct pn_palette *palette, bool all, size_t width)
{
	struct pn_buf rest = {0};

	head_line(out, s);
	if (s->in_progress_count) {
		progress_names(out, s);
		pn_buf_add_text(out, " in progress\n");
	}
	run_lines(out, s);
	regression_line(out, s);
	series_list(out, s, palette, all, width);
	if (s->ignored)
		pn_buf_printf(out,
			      "  %zu line%s of the note %s no entry (\"git "
			      "perf fsck\" says why)\n",
			      s->ignored, s->ignored == 1 ? "" : "s",
			      s->ignored == 1 ? "is" : "are");
	pending_list(out, s, palette, all, width);
	queue_line(&rest, s);
	if (s->doubts && *s->doubts) {
		pn_buf_add_byte(&rest, '\n');
		pn_doubts_text(&rest, s->doubts);
	}
	sync_lines(&rest, s);
	pn_text_wrap(out, pn_buf_text(&rest), rest.len, width, 2);
	pn_buf_release(&rest);
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
