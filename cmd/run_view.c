/* What `git perf run` shows. */
#include "run_view.h"

#include "base/escape.h"
#include "base/file.h"
#include "command.h"
#include "render/log/entry.h"

#include <inttypes.h>
#include <string.h>

#define SHOW_EVERY_NS 100000000
#define TITLE_MAX 60 /* bytes of it in the progress line */

void run_job_title(struct pn_buf *out, const struct pn_matrix_job *job)
{
	const struct pn_matrix_posts *posts = &job->section->posts;
	const struct pn_collect_job *j = &job->job;
	size_t i;

	pn_escape_terminal(out, job->section->name, strlen(job->section->name));
	pn_buf_add_text(out, "  ");
	pn_job_text(out, j->cmd ? j->cmd : "", j->args ? j->args : "",
		    j->workload ? j->workload : "");
	pn_buf_printf(out, "  [%s", job->with->name);
	for (i = 0; i < posts->texts.count; i++)
		pn_buf_printf(out, ", %s", posts->items[i].with->name);
	pn_buf_add_byte(out, ']');
}

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

	if (p->waiting) {
		pn_buf_add_text(&title, "waiting for another run to end");
	} else if (p->building) {
		pn_buf_add_text(&title, "building: ");
		pn_escape_terminal(&title, p->building, strlen(p->building));
	} else if (p->job) {
		run_job_title(&title, p->job);
	}
	pn_buf_printf(out, "%zu/%zu jobs", p->done, p->count);
	write_left(out, p->left_ns);
	if (p->measured && p->collect.expected > 1)
		pn_buf_printf(out, ", run %" PRIu64 "/%" PRIu64,
			      p->collect.done, p->collect.expected);
	pn_buf_printf(out, "  %.*s", TITLE_MAX, pn_buf_text(&title));
	pn_buf_release(&title);
}

void run_progress_show(struct run_progress_line *line, const char *prefix,
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

void run_progress_tell(struct run_progress_line *line,
		       const struct pn_run_progress *p)
{
	if (p->waiting && !line->told)
		say("waiting for another run of this repository to end");
	line->told |= p->waiting;
}

void run_progress_clear(struct run_progress_line *line)
{
	if (line->visible)
		fputs("\r\033[K", stderr);
	line->visible = false;
}

/* A record as the index line that it became. */
static struct pn_entry entry_of(const struct pn_record *r)
{
	struct pn_entry e = {.time_ns = r->time_ns,
			     .kind = PN_ENTRY_PROFILE,
			     .fields = r->fields,
			     .field_count = r->field_count,
			     .metrics = r->metrics,
			     .metric_count = r->metric_count,
			     .commit = r->commit,
			     .tree = r->tree};

	memcpy(e.id, r->id, sizeof(e.id));
	return e;
}

static void print_job(FILE *to, struct pn_run_job *j)
{
	struct pn_entry e = entry_of(&j->record);
	struct pn_buf text = {0}, figures = {0};

	run_job_title(&text, j->job);
	pn_entry_figures_text(&figures, &e);
	fprintf(to, "%s%s%s\n", pn_buf_text(&text), figures.len ? "  " : "",
		pn_buf_text(&figures));
	pn_buf_release(&text);
	pn_buf_release(&figures);
}

void run_print_text(FILE *to, struct pn_run *run, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (pn_run_job(run, i)->state == PN_RUN_DONE)
			print_job(to, pn_run_job(run, i));
}

static void write_job(struct pn_json_writer *w, const struct pn_matrix_job *job)
{
	const struct pn_matrix_list *posts = &job->section->posts.texts;
	const struct pn_collect_job *j = &job->job;
	size_t i;

	pn_json_member(w, "job", job->section->name);
	pn_json_member(w, "job_id", job->id);
	pn_json_member(w, "cmd", j->cmd);
	if (j->args && *j->args)
		pn_json_member(w, "args", j->args);
	pn_json_member(w, "workload", j->workload);
	pn_json_member(w, "collector", job->with->name);
	if (!posts->count)
		return;
	pn_json_key(w, "postprocess");
	pn_json_open(w, '[');
	for (i = 0; i < posts->count; i++)
		pn_json_string(w, posts->values[i]);
	pn_json_close(w, ']');
}

static bool has_failed(const struct pn_run_job *j)
{
	return j->state == PN_RUN_NOT_BUILT || j->state == PN_RUN_FAILED;
}

void run_write_json(struct pn_json_writer *w, struct pn_run *run, size_t count)
{
	size_t i;

	pn_json_key(w, "profiles");
	pn_json_open(w, '[');
	for (i = 0; i < count; i++) {
		struct pn_run_job *j = pn_run_job(run, i);
		struct pn_entry e;

		if (j->state != PN_RUN_DONE)
			continue;
		e = entry_of(&j->record);
		pn_json_open(w, '{');
		pn_entry_json(w, &e);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
	pn_json_key(w, "failed");
	pn_json_open(w, '[');
	for (i = 0; i < count; i++) {
		struct pn_run_job *j = pn_run_job(run, i);

		if (!has_failed(j))
			continue;
		pn_json_open(w, '{');
		write_job(w, j->job);
		pn_json_member(w, "reason", j->why.message);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
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

void run_print_faults(struct pn_run *run, size_t count)
{
	const char *said = pn_run_build_output(run), *last = NULL;
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < count; i++) {
		struct pn_run_job *j = pn_run_job(run, i);

		print_unmodelled(j);
		if (!has_failed(j))
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

static bool is_listed(struct pn_run *run, size_t index)
{
	return !run || pn_run_job(run, index)->state != PN_RUN_LEFT_OUT;
}

void run_list_text(FILE *to, const struct pn_matrix *matrix, struct pn_run *run)
{
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < matrix->job_count; i++) {
		if (!is_listed(run, i))
			continue;
		pn_buf_clear(&text);
		run_job_title(&text, &matrix->jobs[i]);
		fprintf(to, "%s  %s\n", matrix->jobs[i].id, pn_buf_text(&text));
	}
	pn_buf_release(&text);
}

void run_list_json(FILE *to, const struct pn_matrix *matrix, struct pn_run *run)
{
	struct pn_json_writer w;
	struct pn_buf text = {0};
	size_t i;

	pn_json_writer_init(&w, &text, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "run");
	pn_json_key(&w, "jobs");
	pn_json_open(&w, '[');
	for (i = 0; i < matrix->job_count; i++) {
		if (!is_listed(run, i))
			continue;
		pn_json_open(&w, '{');
		write_job(&w, &matrix->jobs[i]);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(&text, '\n');
	fwrite(pn_buf_text(&text), 1, text.len, to);
	pn_buf_release(&text);
}
