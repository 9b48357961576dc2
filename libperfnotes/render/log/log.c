/* A history with figures. */
#include "render/log/log.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/log/entry.h"
#include "render/log/lines.h"
#include "render/log/marks.h"

#include <string.h>

#define SHORT_ID 10
#define SUBJECT_MIN 12	 /* columns that a subject keeps beside figures, ... */
#define SUBJECT_WIDTH 28 /* ... and has, where they leave room for it */
#define FIGURE_MIN 8	 /* "1.397 ms": those above may be shorter */
#define INDENT 4

static void add_text(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

/* "0123456789 Subject", the subject in at most `width` columns. */
static void add_head(struct pn_buf *out, const struct pn_log_row *row,
		     const struct pn_palette *p, size_t width, bool pad)
{
	struct pn_buf subject = {0};
	size_t taken;
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &row->commit);
	pn_buf_printf(out, "%s%.*s%s ", row->row_count ? p->commit : p->dim,
		      SHORT_ID, hex, row->row_count ? p->end : "");
	add_text(&subject, row->subject);
	taken = pn_text_fit(out, pn_buf_text(&subject), subject.len, width);
	for (; pad && taken < width; taken++)
		pn_buf_add_byte(out, ' ');
	pn_buf_release(&subject);
}

/* Behind the id, in a line of `width` columns. */
static size_t subject_room(size_t width)
{
	width = width ? width : PN_LOG_COLUMNS;
	return width > SHORT_ID + 1 + SUBJECT_MIN ? width - SHORT_ID - 1
						  : SUBJECT_MIN;
}

/* Of a commit without profiles. */
static void add_dim_line(struct pn_buf *out, const struct pn_log_row *row,
			 const struct pn_palette *p, size_t width)
{
	add_head(out, row, p, subject_room(width), false);
	pn_buf_printf(out, "%s\n", p->end);
	if (row->unmeasured)
		pn_log_unmeasured(out, row->unmeasured, &row->commit, p, width,
				  INDENT);
}

/* Marks, and "accepted by Name <mail>, wall of fib: why", a line each. */
static void add_remarks(struct pn_buf *out, const struct pn_log_row *row,
			const struct pn_palette *p, size_t indent, size_t width)
{
	struct pn_buf text = {0};
	size_t i;

	if (row->marked)
		pn_log_marks_text(out, row->marked, &row->commit, p, width);
	for (i = 0; i < row->accepted_count; i++) {
		const struct pn_accepted *a = &row->accepted[i];

		pn_buf_clear(&text);
		pn_buf_printf(&text, "%*saccepted by ", (int)indent, "");
		add_text(&text, a->by);
		if (*a->metric || *a->series)
			pn_buf_add_text(&text, ", ");
		add_text(&text,
			 *a->metric || !*a->series ? a->metric : "all metrics");
		if (*a->series)
			pn_buf_add_text(&text, " of ");
		add_text(&text, a->series);
		pn_buf_add_text(&text, ": ");
		add_text(&text, a->reason);
		pn_buf_add_text(out, p->dim);
		pn_text_wrap_names(out, pn_buf_text(&text), text.len, width,
				   indent + 2);
		pn_buf_printf(out, "%s\n", p->end);
	}
	pn_buf_release(&text);
}

/* Of a subject that has so much room. A graph takes of it, so that what is
 * behind it stands below each other. */
static size_t subject_width(struct pn_log_columns *columns, size_t room)
{
	const size_t drawn = columns->drawn;
	size_t most = SUBJECT_WIDTH + (drawn ? SUBJECT_MIN : 0);

	most = room + drawn < most ? room + drawn : most;
	if (!columns->subject || most < columns->subject)
		columns->subject = most;
	return columns->subject > drawn + SUBJECT_MIN ? columns->subject - drawn
						      : SUBJECT_MIN;
}

/* The line of a single series, if it leaves room for the subject. */
static bool add_on_one_line(struct pn_buf *out, const struct pn_log_row *row,
			    const struct pn_palette *palette,
			    struct pn_log_columns *columns)
{
	struct pn_log_series_style style = {.palette = PN_PALETTE_PLAIN,
					    .commit = row->commit,
					    .tree = row->tree,
					    .width = columns->line,
					    .columns = columns};
	struct pn_buf line = {0};
	size_t room, width;

	if (columns->figure < FIGURE_MIN)
		columns->figure = FIGURE_MIN;
	pn_log_series_lines(&line, row->rows, row->row_count, &style);
	width = pn_text_width(pn_buf_text(&line), line.len - 1);
	room = subject_room(columns->line);
	if (width + 2 + SUBJECT_MIN > room) {
		pn_buf_release(&line);
		return false;
	}
	pn_buf_clear(&line);
	style.palette = *palette;
	pn_log_series_lines(&line, row->rows, row->row_count, &style);
	add_head(out, row, palette, subject_width(columns, room - width - 2),
		 true);
	pn_buf_add_text(out, "  ");
	pn_buf_add(out, line.data, line.len);
	pn_buf_release(&line);
	return true;
}

void pn_log_line(struct pn_buf *out, const struct pn_log_row *row,
		 const struct pn_palette *palette, bool all,
		 struct pn_log_columns *columns)
{
	struct pn_log_series_style style = {.palette = *palette,
					    .all = all,
					    .commit = row->commit,
					    .tree = row->tree,
					    .indent = INDENT,
					    .width = columns->line,
					    .columns = columns};

	if (columns->drawn < columns->drawn_most)
		style.indent += columns->drawn_most - columns->drawn;
	if (!row->row_count) {
		add_dim_line(out, row, palette, columns->line);
	} else if (row->row_count != 1 || all ||
		   !add_on_one_line(out, row, palette, columns)) {
		add_head(out, row, palette, subject_room(columns->line), false);
		pn_buf_add_byte(out, '\n');
		pn_log_series_lines(out, row->rows, row->row_count, &style);
	}
	add_remarks(out, row, palette, INDENT, columns->line);
}

/* As git indents it. */
static void add_subject(struct pn_buf *out, const char *subject, size_t wrap)
{
	struct pn_buf text = {0};

	pn_buf_add_text(&text, "    ");
	add_text(&text, subject);
	pn_text_wrap(out, pn_buf_text(&text), text.len, wrap, 4);
	pn_buf_release(&text);
}

void pn_log_text(struct pn_buf *out, const struct pn_log_row *row,
		 const struct pn_palette *palette, bool all,
		 const struct pn_log_columns *columns)
{
	const size_t width = columns->line;
	struct pn_log_series_style style = {.palette = *palette,
					    .tags = true,
					    .width = width,
					    .all = all,
					    .commit = row->commit,
					    .tree = row->tree,
					    .indent = 2};
	char hex[PN_OID_HEX + 1];

	if (!row->row_count) {
		add_dim_line(out, row, palette, width);
		add_remarks(out, row, palette, 2, width);
		return;
	}
	pn_oid_hex(hex, &row->commit);
	pn_buf_printf(out, "%scommit %s%s\n", palette->commit, hex,
		      palette->end);
	pn_buf_add_text(out, "Author: ");
	add_text(out, row->author);
	pn_buf_add_text(out, " <");
	add_text(out, row->email);
	pn_buf_add_text(out, ">\nDate:   ");
	pn_time_text(out, row->author_time_s);
	pn_buf_add_text(out, " UTC\n\n");
	add_subject(out, row->subject, columns->wrap);
	pn_buf_add_text(out, "\n\n");
	pn_log_series_lines(out, row->rows, row->row_count, &style);
	add_remarks(out, row, palette, 2, width);
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

static void accepted_json(struct pn_json_writer *w,
			  const struct pn_log_row *row)
{
	size_t i;

	if (!row->accepted_count)
		return;
	pn_json_key(w, "accepted");
	pn_json_open(w, '[');
	for (i = 0; i < row->accepted_count; i++) {
		const struct pn_accepted *a = &row->accepted[i];

		pn_json_open(w, '{');
		pn_json_member(w, "id", a->entry->id);
		pn_json_member_time(w, "time", a->entry->time_ns);
		pn_json_member(w, "by", a->by);
		pn_json_member(w, "reason", a->reason);
		pn_json_member(w, "series", a->series);
		pn_json_member(w, "metric", a->metric);
		pn_json_member(w, "since", a->since);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
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
	pn_json_member_time_s(w, "date", row->author_time_s);
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
	pn_log_series_json(w, row->rows, row->row_count);
	accepted_json(w, row);
	if (row->marked)
		pn_log_marks_json(w, row->marked, &row->commit);
	pn_json_close(w, '}');
}

void pn_log_json_end(struct pn_json_writer *w)
{
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_buf_add_byte(w->out, '\n');
}
