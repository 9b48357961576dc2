/* What went wrong with jobs. */
#include "base/escape.h"
#include "render/log/entry.h"
#include "render/run/run.h"

#include <string.h>

static void add_safe(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

/* Lines that the job wrote, each indented. */
static void add_quoted(struct pn_buf *out, const char *lines)
{
	size_t len;

	for (; *lines; lines += len + (lines[len] == '\n')) {
		len = strcspn(lines, "\n");
		pn_buf_add_text(out, "    ");
		pn_escape_terminal(out, lines, len);
		pn_buf_add_byte(out, '\n');
	}
}

static void add_fault(struct pn_buf *out, const struct pn_ran_fault *f)
{
	struct pn_buf job = {0};

	pn_buf_add_text(out, f->unmodelled ? "warning: job '" : "error: job '");
	add_safe(out, f->section);
	pn_buf_add_text(out, "'");
	if (f->unmodelled) {
		pn_buf_add_text(out, " is measured, but not postprocessed: ");
		add_safe(out, f->why);
		pn_buf_add_byte(out, '\n');
		return;
	}
	if (f->cmd) {
		pn_job_text(&job, f->cmd, f->args, f->workload);
		pn_buf_add_text(out, ": ");
		add_safe(out, pn_buf_text(&job));
		pn_buf_release(&job);
	}
	pn_buf_add_text(out, ": ");
	add_safe(out, f->why);
	pn_buf_add_byte(out, '\n');
	add_quoted(out, f->said);
	if (*f->doubt) {
		pn_buf_add_text(out, "warning: ");
		add_safe(out, f->doubt);
		pn_buf_add_byte(out, '\n');
	}
}

void pn_ran_faults_text(struct pn_buf *out, const struct pn_ran_fault *rows,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		add_fault(out, &rows[i]);
}

void pn_left_pending_text(struct pn_buf *out, size_t count, const char *commit)
{
	if (count == 1)
		pn_buf_printf(out,
			      "kept as pending: 'git perf add -m %.10s 0@p' "
			      "adds it later\n",
			      commit);
	else if (count)
		pn_buf_printf(out,
			      "kept as pending: 'git perf add -m %.10s "
			      "0@p-%zu@p' adds all %zu later\n",
			      commit, count - 1, count);
}
