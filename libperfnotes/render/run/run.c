/* Jobs and what became of them. */
#include "render/run/run.h"

#include "analysis/history/figures.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "base/text/width.h"
#include "render/log/entry.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MAX 40 /* columns of a name beside which others stand */

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
			  size_t count, size_t columns)
{
	struct pn_buf job = {0};
	size_t i;

	for (i = 0; i < count; i++) {
		pn_buf_clear(&job);
		pn_buf_printf(&job, "%s  ", jobs[i].id);
		pn_planned_text(&job, &jobs[i]);
		pn_text_wrap(out, pn_buf_text(&job), job.len, columns,
			     strlen(jobs[i].id) + 2);
		pn_buf_add_byte(out, '\n');
	}
	pn_buf_release(&job);
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

/* The name of a row's series, escaped, in so many columns (0: all); what was
 * not measured has none. */
static void name_row(struct pn_buf *out, const struct pn_series *all,
		     size_t count, const struct pn_series *series, size_t width)
{
	struct pn_series_parts parts = pn_series_tell(series, all, count);
	struct pn_buf name = {0}, safe = {0};

	pn_series_text(&name, series, &parts);
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	pn_text_fit_name(out, pn_buf_text(&safe), safe.len,
			 width ? width : safe.len);
	pn_buf_release(&name);
	pn_buf_release(&safe);
}

/* As many of the first figures as the line has room for (0: all). */
static void add_figures(struct pn_buf *out, const struct pn_entry *entry,
			size_t taken, size_t columns)
{
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	size_t i, count;

	pn_figures_of(&figures, &count, &arena, entry, 1);
	for (i = 0; i < count && i < PN_ENTRY_FIGURES; i++) {
		pn_buf_clear(&text);
		pn_buf_add_text(&text, i ? ", " : "  ");
		pn_figure_text(&text, &figures[i]);
		taken += pn_text_width(pn_buf_text(&text), text.len);
		if (i && columns && taken > columns)
			break;
		pn_buf_add(out, text.data, text.len);
	}
	pn_buf_release(&text);
	pn_arena_release(&arena);
}

void pn_ran_text(struct pn_buf *out, const struct pn_ran *rows, size_t count,
		 size_t columns)
{
	struct pn_series *all = pn_calloc(count + 1, sizeof(*all));
	struct pn_buf *names = pn_calloc(count + 1, sizeof(*names));
	size_t i, n = 0, width, most = 0;

	for (i = 0; i < count; i++)
		if (rows[i].entry)
			all[n++] = pn_series_of(rows[i].entry);
	for (i = 0; i < n; i++) {
		name_row(&names[i], all, n, &all[i], columns / 2);
		width = pn_text_width(pn_buf_text(&names[i]), names[i].len);
		most = width > most && width <= NAME_MAX ? width : most;
	}
	for (i = n = 0; i < count; i++) {
		if (!rows[i].entry)
			continue;
		width = pn_text_width(pn_buf_text(&names[n]), names[n].len);
		pn_buf_printf(out, "%s%*s", pn_buf_text(&names[n]),
			      width < most ? (int)(most - width) : 0, "");
		add_figures(out, rows[i].entry, width > most ? width : most,
			    columns);
		pn_buf_add_byte(out, '\n');
		pn_buf_release(&names[n++]);
	}
	free(names);
	free(all);
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
