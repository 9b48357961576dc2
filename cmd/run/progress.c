/* What is said of a run: where it is, and what went wrong. */
#include "progress.h"

#include "base/escape.h"
#include "base/file.h"
#include "command.h"
#include "jobs/rows.h"
#include "render/log/entry.h"
#include "render/run/run.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define SHOW_EVERY_NS 100000000
#define TITLE_MAX 60 /* bytes of it in the progress line */

/* A line on a terminal that is written over again and again, at most ten
 * times a second, and at once when another job or line begins. */
struct progress_line {
	int64_t shown_ns;
	const void *what;
	bool visible, told;
};

static void write_left(struct pn_buf *out, int64_t left_ns)
{
	int64_t s = left_ns / 1000000000 + 1;

	if (left_ns <= 0)
		return;
	if (s < 120)
		pn_buf_printf(out, ", %" PRId64 " s left", s);
	else if (s < 7200)
		pn_buf_printf(out, ", %" PRId64 " min left", (s + 59) / 60);
	else
		pn_buf_printf(out, ", %.1f h left", (double)s / 3600);
}

static void write_progress(struct pn_buf *out, const struct pn_run_progress *p)
{
	struct pn_buf title = {0};
	struct pn_arena arena = {0};
	struct pn_planned job;

	if (p->waiting) {
		pn_buf_add_text(&title, "waiting for another run to end");
	} else if (p->building) {
		pn_buf_add_text(&title, "building: ");
		pn_escape_terminal(&title, p->building, strlen(p->building));
	} else if (p->job) {
		job = pn_rows_planned(&arena, p->job);
		pn_planned_text(&title, &job);
	}
	pn_buf_printf(out, "%zu/%zu jobs", p->done, p->count);
	write_left(out, p->left_ns);
	if (p->measured && p->collect.expected > 1)
		pn_buf_printf(out, ", run %" PRIu64 "/%" PRIu64,
			      p->collect.done, p->collect.expected);
	pn_buf_printf(out, "  %.*s", TITLE_MAX, pn_buf_text(&title));
	pn_arena_release(&arena);
	pn_buf_release(&title);
}

static void show(struct progress_line *line, const char *prefix,
		 const struct pn_run_progress *p)
{
	const void *what = p->building ? (const void *)p->building : p->job;
	int64_t now = pn_time_monotonic_ns();
	struct pn_buf text = {0};

	if (line->visible && what == line->what &&
	    now - line->shown_ns < SHOW_EVERY_NS)
		return;
	line->shown_ns = now;
	line->what = what;
	line->visible = true;
	write_progress(&text, p);
	fprintf(stderr, "\r\033[K%s%s", prefix, pn_buf_text(&text));
	fflush(stderr);
	pn_buf_release(&text);
}

static void tell(struct progress_line *line, const struct pn_run_progress *p)
{
	if (p->waiting && !line->told)
		say("waiting for another run of this repository to end");
	line->told |= p->waiting;
}

static void clear(struct progress_line *line)
{
	if (line->visible)
		fputs("\r\033[K", stderr);
	line->visible = false;
}

/* "[3/40, 2.1 commits a minute, 18 min left] 0123456789  " */
static void write_place(struct pn_buf *out, const struct run_place *place)
{
	double minutes = (double)(pn_time_now_ns() - place->start_ns) / 60e9;
	double rate = minutes > 0 ? (double)place->done / minutes : 0;

	pn_buf_printf(out, "[%zu/%zu", place->done + 1, place->count);
	if (place->done && rate > 0) {
		double left = (double)(place->count - place->done) / rate;

		pn_buf_printf(out, ", %.1f commits a minute, ", rate);
		if (left < 2)
			pn_buf_printf(out, "%.0f s left", left * 60);
		else if (left < 120)
			pn_buf_printf(out, "%.0f min left", left);
		else
			pn_buf_printf(out, "%.1f h left", left / 60);
	}
	pn_buf_printf(out, "] %.10s  ", place->commit);
}

int run_steps(struct pn_run *run, const struct run_place *place,
	      struct pn_error *err)
{
	bool is_shown = isatty(STDERR_FILENO);
	struct progress_line line = {0};
	struct pn_run_progress progress;
	struct pn_buf prefix = {0};
	int code;

	while ((code = pn_run_step(run, &progress, err)) > 0) {
		if (!is_shown) {
			tell(&line, &progress);
			continue;
		}
		pn_buf_clear(&prefix);
		if (place)
			write_place(&prefix, place);
		show(&line, pn_buf_text(&prefix), &progress);
	}
	clear(&line);
	pn_buf_release(&prefix);
	return code;
}

/* What was measured is kept, only its models are missing. */
static void print_unmodelled(const struct pn_run_job *j)
{
	if (j->state == PN_RUN_DONE && j->unmodelled.code)
		warn("job '%s' is measured, but not postprocessed: %s",
		     j->job->section->name, j->unmodelled.message);
}

/* A build is the section's, all else of one job. */
static void print_fault(const struct pn_run_job *j)
{
	struct pn_buf job = {0};

	if (j->state == PN_RUN_FAILED)
		pn_job_text(&job, j->job->job.cmd, j->job->job.args,
			    j->job->job.workload ? j->job->job.workload : "");
	say("error: job '%s'%s%s: %s", j->job->section->name,
	    job.len ? ": " : "", pn_buf_text(&job), j->why.message);
	pn_buf_release(&job);
}

void run_say_faults(struct pn_run *run, size_t count)
{
	const char *said = pn_run_build_output(run), *last = NULL;
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < count; i++) {
		struct pn_run_job *j = pn_run_job(run, i);

		print_unmodelled(j);
		if (j->state != PN_RUN_NOT_BUILT && j->state != PN_RUN_FAILED)
			continue;
		/* one build that fails is one message */
		if (j->state == PN_RUN_NOT_BUILT && last &&
		    !strcmp(last, j->why.message))
			continue;
		if (j->state == PN_RUN_NOT_BUILT)
			last = j->why.message;
		print_fault(j);
	}
	for (; *said; said += strcspn(said, "\n"), said += *said == '\n') {
		pn_buf_clear(&text);
		pn_buf_add(&text, said, strcspn(said, "\n"));
		say("    %s", pn_buf_text(&text));
	}
	pn_buf_release(&text);
}
