/* What is said of a run: where it is, and what went wrong. */
#include "progress.h"

#include "base/file.h"
#include "command.h"
#include "interrupt.h"
#include "jobs/rows.h"
#include "render/run/run.h"
#include "render/terminal.h"

#include <unistd.h>

static void show(struct pn_terminal_line *line, struct run_place *place,
		 const struct pn_run_progress *p)
{
	const void *about = p->building ? (const void *)p->building : p->job;
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	struct pn_jobs_progress jobs;

	if (!pn_terminal_line_due(line, about, pn_time_monotonic_ns()))
		return;
	if (place) {
		place->walk.elapsed_ns = pn_time_now_ns() - place->start_ns;
		pn_walk_progress_text(&text, &place->walk);
	}
	jobs = pn_rows_progress(&arena, p);
	pn_jobs_progress_text(&text, &jobs);
	pn_terminal_line_show(line, stderr, &text);
	pn_buf_release(&text);
	pn_arena_release(&arena);
}

/* Each kind once, to who sees no line. */
static void say_waiting(const struct pn_run_progress *p, bool told[2])
{
	struct pn_jobs_progress jobs = {
		.waiting = p->waiting, .hooked = p->hooked, .noisy = p->noisy};
	struct pn_buf text = {0};

	if (!told[p->waiting])
		pn_jobs_waiting_text(&text, &jobs);
	told[p->waiting] |= text.len > 0;
	say_lines(&text);
}

int run_steps(struct pn_run *run, struct run_place *place, struct pn_error *err)
{
	bool is_shown = isatty(STDERR_FILENO), told[2] = {false, false};
	struct pn_terminal_line line = {0};
	struct pn_run_progress progress;
	int code;

	if (is_shown)
		follow_resize(&line, NULL);
	while ((code = pn_run_step(run, &progress, err)) > 0) {
		if (is_shown)
			show(&line, place, &progress);
		else
			say_waiting(&progress, told);
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
	pn_arena_release(&arena);
	quote(pn_run_build_output(run));
}

void run_leave_pending(struct pn_run *run, const char *commit)
{
	struct pn_buf text = {0};

	pn_left_pending_text(&text, pn_run_leave_pending(run), commit);
	say_lines(&text);
}
