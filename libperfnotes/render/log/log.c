/* A history with figures. */
#include "render/log/log.h"

#include "base/escape.h"
#include "base/file.h"
#include "render/log/entry.h"

#include <string.h>

#define YELLOW "\033[33m" /* as git log's commits */
#define PLAIN "\033[m"

static void add_text(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

/* One job needs no name, several begin with theirs. */
static void add_short_figures(struct pn_buf *out, const struct pn_log_row *row)
{
	struct pn_job_tell tell = {0};
	bool several = pn_job_tell_all(&tell, row->figures, row->figure_count);
	struct pn_buf job = {0};
	size_t i;

	for (i = 0; i < row->figure_count; i++) {
		bool begins = several && pn_job_begins(row->figures, i);

		if (i)
			pn_buf_add_text(out, begins ? "; " : ", ");
		pn_buf_clear(&job);
		if (begins)
			pn_figure_job_text(&job, &row->figures[i], &tell);
		if (job.len)
			pn_buf_printf(out, "[%s] ", pn_buf_text(&job));
		if (row->figures[i].dirty && pn_job_begins(row->figures, i))
			pn_buf_add_text(out, "(dirty tree) ");
		pn_figure_text(out, &row->figures[i]);
		if (pn_job_begins(row->figures, i))
			pn_figure_noise_text(out, &row->figures[i]);
	}
	pn_buf_release(&job);
}

void pn_log_line(struct pn_buf *out, const struct pn_log_row *row, bool color)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &row->commit);
	pn_buf_printf(out, "%s%.10s%s ", color ? YELLOW : "", hex,
		      color ? PLAIN : "");
	add_text(out, row->subject);
	if (row->figure_count)
		pn_buf_add_text(out, "  | ");
	add_short_figures(out, row);
	pn_buf_add_byte(out, '\n');
}

/* One of several has to stand below something: not below another's name. */
static void add_job(struct pn_buf *out, const struct pn_figure *f,
		    const struct pn_job_tell *tell, bool several)
{
	struct pn_buf job = {0};
	bool named;

	pn_figure_job_text(&job, f, tell);
	if (job.len || *f->series.machine)
		pn_buf_add_text(out, "   ");
	if (job.len)
		pn_buf_printf(out, " %s", pn_buf_text(&job));
	if (*f->series.machine) {
		pn_buf_add_text(out, " on ");
		add_text(out, f->series.machine);
	}
	named = job.len || *f->series.machine;
	if (!named && several)
		pn_buf_add_text(out, "    on an unknown machine");
	named |= several;
	if (f->dirty)
		pn_buf_printf(out, "%s  (dirty tree, %s)", named ? "" : "  ",
			      f->dirty);
	if (named || f->dirty)
		pn_buf_add_text(out, ":\n");
	pn_buf_release(&job);
}

/* The machine is named in any case. */
static void add_figures(struct pn_buf *out, const struct pn_log_row *row)
{
	struct pn_job_tell tell = {0};
	bool several = pn_job_tell_all(&tell, row->figures, row->figure_count);
	size_t i;

	tell.environment = false;
	for (i = 0; i < row->figure_count; i++) {
		if (pn_job_begins(row->figures, i))
			add_job(out, &row->figures[i], &tell, several);
		pn_buf_add_text(out, "      ");
		pn_figure_text(out, &row->figures[i]);
		if (pn_job_begins(row->figures, i))
			pn_figure_noise_text(out, &row->figures[i]);
		pn_buf_add_byte(out, '\n');
	}
}

static void add_entry(struct pn_buf *out, const struct pn_log_row *row,
		      size_t tag)
{
	const struct pn_entry *e = &row->entries[tag];
	const char *name = pn_entry_field(e, "name");
	char hex[PN_OID_HEX + 1];

	pn_buf_printf(out, "    %zu@i %s%s", tag, e->id, *name ? "  " : "");
	add_text(out, name);
	if (*pn_entry_field(e, "dirty"))
		pn_buf_add_text(out, "  (dirty tree)");
	pn_entry_noise_text(out, e);
	if (!pn_oid_equal(&e->commit, &row->commit)) {
		pn_oid_hex(hex, &e->commit);
		pn_buf_printf(out, "  (measured at %.10s%s)", hex,
			      pn_oid_equal(&e->tree, &row->tree)
				      ? ""
				      : ", another tree");
	}
	pn_buf_add_byte(out, '\n');
}

void pn_log_text(struct pn_buf *out, const struct pn_log_row *row, bool color)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_oid_hex(hex, &row->commit);
	pn_buf_printf(out, "%scommit %s%s\n", color ? YELLOW : "", hex,
		      color ? PLAIN : "");
	pn_buf_add_text(out, "Author: ");
	add_text(out, row->author);
	pn_buf_add_text(out, " <");
	add_text(out, row->email);
	pn_buf_add_text(out, ">\nDate:   ");
	pn_time_text(out, row->author_time_s * INT64_C(1000000000));
	pn_buf_add_text(out, " UTC\n\n    ");
	add_text(out, row->subject);
	pn_buf_add_text(out, "\n\n");
	for (i = 0; i < row->entry_count; i++)
		add_entry(out, row, i);
	if (!row->entry_count)
		pn_buf_add_text(out, "    no profiles\n");
	add_figures(out, row);
	pn_buf_add_byte(out, '\n');
}

void pn_log_json_begin(struct pn_json_writer *w, struct pn_buf *out)
{
	pn_json_writer_init(w, out, 0);
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", "log");
	pn_json_key(w, "commits");
	pn_json_open(w, '[');
}

void pn_log_json_add(struct pn_json_writer *w, const struct pn_log_row *row)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_json_open(w, '{');
	pn_oid_hex(hex, &row->commit);
	pn_json_member(w, "commit", hex);
	pn_oid_hex(hex, &row->tree);
	pn_json_member(w, "tree", hex);
	pn_json_key(w, "parents");
	pn_json_open(w, '[');
	for (i = 0; i < row->parent_count; i++) {
		pn_oid_hex(hex, &row->parents[i]);
		pn_json_string(w, hex);
	}
	pn_json_close(w, ']');
	pn_json_member(w, "author", row->author);
	pn_json_member(w, "email", row->email);
	pn_json_member_time(w, "date",
			    row->author_time_s * INT64_C(1000000000));
	pn_json_member(w, "subject", row->subject);
	pn_json_key(w, "profiles");
	pn_json_open(w, '[');
	for (i = 0; i < row->entry_count; i++) {
		const struct pn_entry *e = &row->entries[i];

		pn_json_open(w, '{');
		pn_entry_json(w, e);
		if (!pn_oid_equal(&e->commit, &row->commit)) {
			pn_oid_hex(hex, &e->commit);
			pn_json_member(w, "origin", hex);
		}
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
	pn_json_close(w, '}');
}

void pn_log_json_end(struct pn_json_writer *w)
{
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_buf_add_byte(w->out, '\n');
}
