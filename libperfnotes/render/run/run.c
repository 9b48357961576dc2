/* Jobs and what became of them. */
#include "render/run/run.h"

#include "base/escape.h"
#include "render/log/entry.h"

#include <string.h>

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

void pn_planned_text(struct pn_buf *out, const struct pn_planned *job)
{
	size_t i;

	pn_escape_terminal(out, job->section, strlen(job->section));
	pn_buf_add_text(out, "  ");
	pn_job_text(out, or_empty(job->cmd), or_empty(job->args),
		    or_empty(job->workload));
	pn_buf_printf(out, "  [%s", job->collector);
	for (i = 0; i < job->post_count; i++)
		pn_buf_printf(out, ", %s", job->post_names[i]);
	pn_buf_add_byte(out, ']');
}

void pn_planned_list_text(struct pn_buf *out, const struct pn_planned *jobs,
			  size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		pn_buf_printf(out, "%s  ", jobs[i].id);
		pn_planned_text(out, &jobs[i]);
		pn_buf_add_byte(out, '\n');
	}
}

static void write_job(struct pn_json_writer *w, const struct pn_planned *job)
{
	size_t i;

	pn_json_member(w, "job", job->section);
	pn_json_member(w, "job_id", job->id);
	pn_json_member(w, "cmd", job->cmd);
	pn_json_member(w, "args", job->args);
	pn_json_member(w, "workload", job->workload);
	pn_json_member(w, "collector", job->collector);
	if (!job->post_count)
		return;
	pn_json_key(w, "postprocess");
	pn_json_open(w, '[');
	for (i = 0; i < job->post_count; i++)
		pn_json_string(w, job->post_texts[i]);
	pn_json_close(w, ']');
}

void pn_planned_list_json(struct pn_buf *out, const struct pn_planned *jobs,
			  size_t count)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "run");
	pn_json_key(&w, "jobs");
	pn_json_open(&w, '[');
	for (i = 0; i < count; i++) {
		pn_json_open(&w, '{');
		write_job(&w, &jobs[i]);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}

void pn_ran_text(struct pn_buf *out, const struct pn_ran *rows, size_t count)
{
	struct pn_buf figures = {0};
	size_t i;

	for (i = 0; i < count; i++) {
		if (!rows[i].entry)
			continue;
		pn_planned_text(out, &rows[i].job);
		pn_buf_clear(&figures);
		pn_entry_figures_text(&figures, rows[i].entry);
		pn_buf_printf(out, "%s%s\n", figures.len ? "  " : "",
			      pn_buf_text(&figures));
	}
	pn_buf_release(&figures);
}

/* The members `profiles` and `failed` of an object. */
static void write_ran(struct pn_json_writer *w, const struct pn_ran *rows,
		      size_t count)
{
	size_t i;

	pn_json_key(w, "profiles");
	pn_json_open(w, '[');
	for (i = 0; i < count; i++) {
		if (!rows[i].entry)
			continue;
		pn_json_open(w, '{');
		pn_entry_json(w, rows[i].entry);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
	pn_json_key(w, "failed");
	pn_json_open(w, '[');
	for (i = 0; i < count; i++) {
		if (rows[i].entry)
			continue;
		pn_json_open(w, '{');
		write_job(w, &rows[i].job);
		pn_json_member(w, "reason", rows[i].why);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

static void begin(struct pn_json_writer *w, struct pn_buf *out)
{
	pn_json_writer_init(w, out, 0);
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", "run");
}

static void end(struct pn_json_writer *w, struct pn_buf *out)
{
	pn_json_close(w, '}');
	pn_buf_add_byte(out, '\n');
}

void pn_ran_document(struct pn_buf *out, const char *commit,
		     const struct pn_ran *rows, size_t count)
{
	struct pn_json_writer w;

	begin(&w, out);
	pn_json_member(&w, "commit", commit);
	write_ran(&w, rows, count);
	end(&w, out);
}

void pn_ran_begin(struct pn_json_writer *w, struct pn_buf *out)
{
	begin(w, out);
	pn_json_key(w, "commits");
	pn_json_open(w, '[');
}

void pn_ran_commit(struct pn_json_writer *w, const char *commit,
		   const struct pn_ran *rows, size_t count)
{
	pn_json_open(w, '{');
	pn_json_member(w, "commit", commit);
	write_ran(w, rows, count);
	pn_json_close(w, '}');
}

void pn_ran_end(struct pn_json_writer *w, struct pn_buf *out)
{
	pn_json_close(w, ']');
	end(w, out);
}
