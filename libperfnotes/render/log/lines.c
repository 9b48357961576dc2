/* Lines of series, in columns. */
#include "render/log/lines.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/text/width.h"
#include "render/log/entry.h"
#include "render/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define GAP 2
#define NAME_MIN 8  /* columns that a name keeps */
#define NAME_MAX 40 /* a failure's reason needs room, too */
#define METRIC_MAX 20
#define METRIC_MIN 8   /* names tell more, so that these are cut first */
#define METRIC_LEAST 4 /* where a line has no room for 8 of each */
#define NARROW 60      /* columns: what needs two lines there goes on so */
#define TAG_WIDTH 5    /* "0@i" to "999@i" */

/* The texts of a row. */
struct texts {
	struct pn_buf name, metric, figure, change, marks;
	int better; /* as of pn_log_figure_change */
};

static void clear(struct texts *t)
{
	pn_buf_clear(&t->name);
	pn_buf_clear(&t->metric);
	pn_buf_clear(&t->figure);
	pn_buf_clear(&t->change);
	pn_buf_clear(&t->marks);
	t->better = 0;
}

static void release(struct texts *t)
{
	pn_buf_release(&t->name);
	pn_buf_release(&t->metric);
	pn_buf_release(&t->figure);
	pn_buf_release(&t->change);
	pn_buf_release(&t->marks);
}

static void add_safe(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

static void write_name(struct pn_buf *out, const struct pn_log_series *row)
{
	struct pn_buf name = {0};
	bool build = row->failed &&
		     !strcmp(pn_entry_field(row->entry, "state"), "build");

	if (build && *row->series.job)
		pn_series_job(&name, &row->series, &row->parts);
	else
		pn_series_text(&name, &row->series, &row->parts);
	add_safe(out, pn_buf_text(&name));
	pn_buf_release(&name);
}

static void write_figure(struct texts *t, const struct pn_log_figure *f,
			 bool with_n)
{
	const struct pn_figure *now = f->now;

	add_safe(&t->metric, now->metric);
	pn_quantity_spread_text(&t->figure, now->median, now->spread,
				now->unit);
	if (with_n && now->n > 1)
		pn_buf_printf(&t->figure, " (n %" PRIu64 ")", now->n);
	if (f->base)
		pn_change_text(&t->change, pn_log_figure_old(f), now->median);
	t->better = pn_log_figure_change(f);
}

static void add_mark(struct pn_buf *out, const char *text)
{
	if (*text)
		pn_buf_printf(out, "%s%s", out->len ? ", " : "", text);
}

static void write_marks(struct pn_buf *out, const struct pn_log_series *row,
			const struct pn_log_series_style *style)
{
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];

	if (row->dirty)
		add_mark(out, "dirty tree");
	if (row->figure_count)
		pn_figure_noise_text(&text, row->figures[0].now);
	add_mark(out, pn_buf_text(&text));
	pn_buf_clear(&text);
	if (!pn_oid_equal(&row->entry->commit, &style->commit)) {
		pn_oid_hex(hex, &row->entry->commit);
		pn_buf_printf(&text, "measured at %.10s", hex);
		add_mark(out, pn_buf_text(&text));
		if (!pn_oid_equal(&row->entry->tree, &style->tree))
			add_mark(out, "another tree");
	}
	pn_buf_release(&text);
}

static void write_row(struct texts *t, const struct pn_log_series *row,
		      const struct pn_log_series_style *style)
{
	write_name(&t->name, row);
	if (row->figure_count)
		write_figure(t, &row->figures[0], false);
	write_marks(&t->marks, row, style);
}

static size_t width_of(const struct pn_buf *text)
{
	return pn_text_width(pn_buf_text(text), text->len);
}

static void widen(size_t *width, size_t to)
{
	if (to > *width)
		*width = to;
}

static size_t line_width(const struct pn_log_series_style *style)
{
	return style->width ? style->width : PN_LOG_COLUMNS;
}

/* What a row takes behind its name: blanks that nothing follows are none. */
static size_t behind_name(const struct texts *t, const struct pn_log_columns *w)
{
	size_t figure = w->metric + GAP + w->figure + GAP;

	if (!t->figure.len)
		return t->marks.len ? GAP + width_of(&t->marks) : 0;
	if (t->change.len)
		figure += t->marks.len ? w->change : width_of(&t->change);
	else
		figure -= GAP + w->figure - width_of(&t->figure);
	return GAP + figure + (t->marks.len ? GAP + width_of(&t->marks) : 0);
}

/* Where figures stand below their names: indented as far as there is room for
 * them, too. */
static size_t below_of(const struct pn_log_columns *w, size_t indent,
		       size_t room)
{
	size_t figure = w->figure + (w->change ? GAP + w->change : 0);

	if (indent + figure <= room)
		return indent;
	return room > figure + GAP ? room - figure : GAP;
}

/* Name and metric alone in a line; `taken` is used up before them. */
static void put_below(struct pn_log_columns *w,
		      const struct pn_log_columns *seen, size_t taken,
		      size_t room)
{
	w->below = below_of(seen, taken + GAP, room);
	w->name = seen->name;
	w->metric = seen->metric;
	taken += GAP;
	while (w->name + taken + w->metric > room && w->metric > METRIC_MIN)
		w->metric--;
	if (w->name + taken + w->metric <= room)
		return;
	w->name = taken + w->metric + NAME_MIN > room
			  ? NAME_MIN
			  : room - taken - w->metric;
	while (w->name + taken + w->metric > room && w->metric > METRIC_LEAST)
		w->metric--;
}

/* Names are cut where the line would be longer than the terminal. */
static struct pn_log_columns measure(const struct texts *texts, size_t count,
				     const struct pn_log_series_style *style)
{
	struct pn_log_columns none = {0};
	struct pn_log_columns *seen = style->columns ? style->columns : &none;
	struct pn_log_columns w;
	size_t taken = style->indent + (style->tags ? TAG_WIDTH + GAP : 0);
	size_t i, rest = 0, room = line_width(style);

	for (i = 0; i < count; i++) {
		widen(&seen->name, width_of(&texts[i].name));
		widen(&seen->metric, width_of(&texts[i].metric));
		widen(&seen->figure, width_of(&texts[i].figure));
		widen(&seen->change, width_of(&texts[i].change));
	}
	if (seen->metric > METRIC_MAX)
		seen->metric = METRIC_MAX;
	if (seen->name > NAME_MAX)
		seen->name = NAME_MAX;
	w = *seen;
	for (i = 0; i < count; i++)
		widen(&rest, behind_name(&texts[i], &w));
	rest += taken;
	while (w.name + rest > room && w.metric > METRIC_MIN) {
		w.metric--;
		rest--;
	}
	if (seen->below || (w.name + rest > room && rest + NAME_MIN > room))
		put_below(&w, seen, taken, room);
	else if (w.name + rest > room)
		w.name = room - rest;
	if (room < NARROW)
		seen->below = w.below;
	return w;
}

static void add_blanks(struct pn_buf *out, size_t n)
{
	while (n--)
		pn_buf_add_byte(out, ' ');
}

static void add_colored(struct pn_buf *out, const char *color, const char *end,
			const char *text)
{
	pn_buf_add_text(out, color);
	pn_buf_add_text(out, text);
	if (*color)
		pn_buf_add_text(out, end);
}

/* Blanks at the end of a line are of no use. */
static void trim(struct pn_buf *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
}

/* Metric, figure and change, behind the name. */
static void add_figure(struct pn_buf *out, const struct texts *t,
		       const struct pn_log_columns *w,
		       const struct pn_palette *p)
{
	const char *color = t->better > 0   ? p->better
			    : t->better < 0 ? p->worse
					    : p->dim;

	pn_text_pad(out, pn_buf_text(&t->metric), w->metric);
	if (w->below) {
		trim(out);
		pn_buf_add_byte(out, '\n');
	}
	add_blanks(out, w->below ? w->below : GAP);
	pn_buf_add_text(out, pn_buf_text(&t->figure));
	add_blanks(out, w->figure - width_of(&t->figure));
	if (t->change.len) {
		add_blanks(out, GAP);
		add_colored(out, color, p->end, pn_buf_text(&t->change));
		add_blanks(out, w->change - width_of(&t->change));
	}
}

/* "build failed: <reason>", cut to the line. */
static void add_failure(struct pn_buf *out, const struct pn_log_series *row,
			size_t room, const struct pn_palette *p)
{
	const char *state = pn_entry_field(row->entry, "state");
	const char *reason = pn_entry_field(row->entry, "reason");
	struct pn_buf text = {0}, cut = {0};

	/* "build 'make' exited with status 2" */
	if (!strcmp(state, "build") && !strncmp(reason, "build ", 6))
		reason += 6;
	pn_buf_add_text(&text, !strcmp(state, "build") ? "build failed: "
						       : "failed: ");
	add_safe(&text, reason);
	pn_text_fit(&cut, pn_buf_text(&text), text.len, room);
	add_colored(out, p->worse, p->end, pn_buf_text(&cut));
	pn_buf_release(&text);
	pn_buf_release(&cut);
}

/* At least a word of it. */
static size_t failure_room(const struct pn_log_series_style *style,
			   size_t taken)
{
	size_t width = line_width(style);

	return width > taken + NAME_MIN ? width - taken : NAME_MIN;
}

/* Behind the figure, or below one that stands below its name. */
static void add_marks(struct pn_buf *out, const struct texts *t,
		      const struct pn_log_columns *w,
		      const struct pn_log_series_style *style)
{
	size_t taken = w->below + w->figure + GAP + width_of(&t->marks) +
		       (t->change.len ? GAP + w->change : 0);
	bool below = w->below && taken > line_width(style);

	trim(out);
	if (below)
		pn_buf_add_byte(out, '\n');
	add_blanks(out, below ? w->below : GAP);
	add_colored(out, style->palette.dim, style->palette.end,
		    pn_buf_text(&t->marks));
}

static void add_line(struct pn_buf *out, const struct pn_log_series *row,
		     const struct texts *t, const struct pn_log_columns *w,
		     const struct pn_log_series_style *style)
{
	size_t taken = style->column;
	char tag[32] = "";

	for (; taken < style->indent; taken++)
		pn_buf_add_byte(out, ' ');
	if (style->tags) {
		if (!row->failed && !row->elsewhere)
			snprintf(tag, sizeof(tag), "%zu@i", row->tag);
		pn_buf_printf(out, "%*s", TAG_WIDTH, tag);
		add_blanks(out, GAP);
		taken += TAG_WIDTH + GAP;
	}
	pn_text_pad_name(out, pn_buf_text(&t->name), w->name);
	add_blanks(out, GAP);
	if (row->failed)
		add_failure(out, row,
			    failure_room(style, taken + w->name + GAP),
			    &style->palette);
	else
		add_figure(out, t, w, &style->palette);
	if (t->marks.len)
		add_marks(out, t, w, style);
	trim(out);
	pn_buf_add_byte(out, '\n');
}

/* What the figures leave of a line that is not a pipe's is the metrics'; where
 * that is nearly nothing, figures stand below them. */
static void fit_metrics(struct pn_log_columns *w, size_t indent, size_t width)
{
	size_t rest =
		indent + GAP + w->figure + (w->change ? GAP : 0) + w->change;

	if (!width || w->metric + rest <= width)
		return;
	if (rest + METRIC_MIN <= width) {
		w->metric = width - rest;
		return;
	}
	w->below = below_of(w, indent + GAP, width);
	if (w->metric + indent > width)
		w->metric = indent + METRIC_LEAST > width ? METRIC_LEAST
							  : width - indent;
}

/* Below each other, metrics are told apart by their ends, too. */
static void cut_metric(struct pn_buf *metric, size_t width)
{
	struct pn_buf cut = {0};

	pn_text_fit_name(&cut, pn_buf_text(metric), metric->len, width);
	pn_buf_release(metric);
	*metric = cut;
}

/* All metrics of a row, below its line. */
static void add_metrics(struct pn_buf *out, const struct pn_log_series *row,
			size_t indent, const struct pn_log_series_style *style)
{
	struct pn_log_columns w = {0};
	struct texts t = {0};
	size_t i;

	for (i = 0; i < row->figure_count; i++) {
		clear(&t);
		write_figure(&t, &row->figures[i], true);
		widen(&w.metric, width_of(&t.metric));
		widen(&w.figure, width_of(&t.figure));
		widen(&w.change, width_of(&t.change));
	}
	fit_metrics(&w, indent, style->width);
	for (i = 0; i < row->figure_count; i++) {
		clear(&t);
		write_figure(&t, &row->figures[i], true);
		cut_metric(&t.metric, w.metric);
		add_blanks(out, indent);
		add_figure(out, &t, &w, &style->palette);
		trim(out);
		pn_buf_add_byte(out, '\n');
	}
	release(&t);
}

/* One record of a series, in words. */
static void add_record(struct pn_buf *out, const struct pn_log_record *record)
{
	const struct pn_entry *e = record->entry;
	const char *name = pn_entry_field(e, "name");
	const char *machine = pn_entry_field(e, "env");

	pn_buf_printf(out, "%zu@i  %s  ", record->tag, e->id);
	pn_time_text(out, e->time_ns / NS_PER_S - (e->time_ns % NS_PER_S < 0));
	if (*name) {
		pn_buf_add_text(out, "  ");
		add_safe(out, name);
	}
	if (*machine) {
		pn_buf_add_text(out, "  on ");
		add_safe(out, machine);
	}
	pn_entry_posts_text(out, e);
	pn_entry_noise_text(out, e);
}

/* What the one line of a row leaves out. */
static void add_all(struct pn_buf *out, const struct pn_log_series *row,
		    const struct pn_log_series_style *style)
{
	size_t i, indent = style->indent + GAP +
			   (style->tags ? TAG_WIDTH + GAP : 0);

	for (i = 0; i < row->record_count; i++) {
		struct pn_buf record = {0};

		add_blanks(&record, indent);
		add_record(&record, &row->records[i]);
		pn_buf_add_text(out, style->palette.dim);
		pn_text_wrap_names(out, pn_buf_text(&record), record.len,
				   style->width, indent + GAP);
		pn_buf_printf(out, "%s\n", style->palette.end);
		pn_buf_release(&record);
	}
	add_metrics(out, row, indent, style);
}

void pn_log_series_lines(struct pn_buf *out, const struct pn_log_series *rows,
			 size_t count, const struct pn_log_series_style *style)
{
	struct texts *texts = pn_calloc(count, sizeof(*texts));
	struct pn_log_series_style now = *style;
	struct pn_log_columns w;
	size_t i;

	for (i = 0; i < count; i++)
		write_row(&texts[i], &rows[i], style);
	w = measure(texts, count, style);
	for (i = 0; i < count; i++) {
		add_line(out, &rows[i], &texts[i], &w, &now);
		now.column = 0;
		if (style->all && !rows[i].failed)
			add_all(out, &rows[i], style);
		release(&texts[i]);
	}
	free(texts);
}

void pn_log_unmeasured(struct pn_buf *out, const char *why,
		       const struct pn_oid *commit,
		       const struct pn_palette *palette, size_t width,
		       size_t indent)
{
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];

	pn_buf_printf(&text, "%*snot measured: ", (int)indent, "");
	add_safe(&text, why);
	pn_oid_hex(hex, commit);
	if (!strstr(why, "'git perf "))
		pn_buf_printf(&text, " (\"git perf run %.10s\" measures it)",
			      hex);
	pn_buf_add_text(out, palette->worse);
	pn_text_wrap(out, pn_buf_text(&text), text.len, width, indent + GAP);
	pn_buf_printf(out, "%s\n", palette->end);
	pn_buf_release(&text);
}
