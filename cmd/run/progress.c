/* What is said of a run: where it is, and what went wrong. */
#include "progress.h"

#include "base/escape.h"
#include "base/file.h"
#include "command.h"
#include "interrupt.h"
#include "jobs/rows.h"
#include "render/progress.h"
#include "render/run/run.h"
#include "render/terminal.h"

#include <string.h>
#include <unistd.h>

/* What is being done, in a few words. */
static void write_doing(struct pn_buf *out, const struct pn_run_progress *p)
{
	struct pn_arena arena = {0};
	struct pn_planned job;

	if (p->waiting) {
		pn_buf_add_text(out, "waiting for another run to end");
	} else if (p->noisy) {
		pn_buf_add_text(out, "waiting for a quiet machine");
	} else if (p->building) {
		pn_buf_add_text(out, "building: ");
		pn_escape_terminal(out, p->building, strlen(p->building));
	} else if (p->job) {
		job = pn_rows_planned(&arena, p->job);
		pn_planned_text(out, &job);
	}
	pn_arena_release(&arena);
}

static void show(struct pn_terminal_line *line, struct run_place *place,
		 const struct pn_run_progress *p)
{
	const void *about = p->building ? (const void *)p->building : p->job;
	struct pn_buf doing = {0}, text = {0};
	struct pn_jobs_progress jobs = {p->done, p->count, p->left_ns};

	if (!pn_terminal_line_due(line, about, pn_time_monotonic_ns()))
		return;
	if (place) {
		place->walk.elapsed_ns = pn_time_now_ns() - place->start_ns;
		pn_walk_progress_text(&text, &place->walk);
	}
	if (p->measured) {
		jobs.runs_done = p->collect.done;
		jobs.runs_expected = p->collect.expected;
	}
	write_doing(&doing, p);
	jobs.doing = pn_buf_text(&doing);
	pn_jobs_progress_text(&text, &jobs);
	pn_terminal_line_show(line, stderr, &text);
	pn_buf_release(&text);
	pn_buf_release(&doing);
}

int run_steps(struct pn_run *run, struct run_place *place, struct pn_error *err)
{
	bool is_shown = isatty(STDERR_FILENO), told = false, sighed = false;
	struct pn_terminal_line line = {0};
	struct pn_run_progress progress;
	int code;

	if (is_shown)
		follow_resize(&line, NULL);
	while ((code = pn_run_step(run, &progress, err)) > 0) {
		if (is_shown)
			show(&line, place, &progress);
		else if (progress.waiting && !told)
			say("waiting for another run of this repository to "
			    "end");
		else if (progress.noisy && !sighed)
			say("waiting for a quiet machine");
		told |= progress.waiting;
		sighed |= progress.noisy;
	}
	follow_resize(NULL, NULL);
	pn_terminal_line_clear(&line, stderr);
	return code;
}

void run_say_faults(struct pn_run *run, size_t count)
{
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	size_t faults;
	const struct pn_ran_fault *rows =
		pn_rows_faults(&faults, &arena, run, count);

	pn_ran_faults_text(&text, rows, faults);
	say_lines(&text);
	pn_buf_release(&text);
	pn_arena_release(&arena);
	quote(pn_run_build_output(run));
}

void run_leave_pending(struct pn_run *run, const char *commit)
{
	struct pn_buf text = {0};

	pn_left_pending_text(&text, pn_run_leave_pending(run), commit);
	say_lines(&text);
	pn_buf_release(&text);
}
