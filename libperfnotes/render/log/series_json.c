/* Series of commits as JSON. */
#include "render/log/lines.h"
#include "render/log/series.h"
#include "render/sink.h"

#include <math.h>

static void commit_members(struct pn_json_writer *w,
			   const struct pn_log_row *commit)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &commit->commit);
	pn_json_member(w, "commit", hex);
	pn_json_member_time_s(w, "date", commit->author_time_s);
	pn_json_member(w, "subject", commit->subject);
}

static void commit_json(struct pn_json_writer *w, const char *key,
			const struct pn_log_row *commit)
{
	pn_json_key(w, key);
	pn_json_open(w, '{');
	commit_members(w, commit);
	pn_json_close(w, '}');
}

static void figure_members(struct pn_json_writer *w, const struct pn_figure *f)
{
	pn_json_member(w, "unit", f->unit);
	pn_json_member_int(w, "records", (int64_t)f->records);
	pn_json_member_int(w, "n", (int64_t)f->n);
	pn_json_member_double(w, "median", f->median);
	pn_json_member_double(w, "min", f->min);
	pn_json_member_double(w, "max", f->max);
	pn_json_member_double(w, "sd", f->sd);
}

static void figure_json(struct pn_json_writer *w, const char *key,
			const struct pn_figure *f)
{
	if (!f)
		return;
	pn_json_key(w, key);
	pn_json_open(w, '{');
	figure_members(w, f);
	pn_json_close(w, '}');
}

static const char *const better_names[] = {NULL, "less", "more"};

static void metric_json(struct pn_json_writer *w,
			const struct pn_series_row *row, bool alone)
{
	const struct pn_figure *any = row->after ? row->after : row->before;

	pn_json_open(w, '{');
	pn_json_member(w, "name", any->metric);
	pn_json_member(w, "better", better_names[any->better]);
	if (alone) {
		figure_members(w, row->after);
	} else {
		figure_json(w, "old", row->before);
		figure_json(w, "new", row->after);
	}
	if (row->before && row->after) {
		pn_json_member_double(w, "delta",
				      row->after->median - row->old);
		if (row->old != 0)
			pn_json_member_double(w, "relative",
					      (row->after->median - row->old) /
						      fabs(row->old));
		pn_json_member_double(w, "low", row->ratio.low - 1);
		pn_json_member_double(w, "high", row->ratio.high - 1);
		if (row->verdict != PN_VERDICT_UNKNOWN)
			pn_json_member(w, "verdict",
				       pn_verdict_name(row->verdict));
	}
	pn_json_close(w, '}');
}

void pn_series_members(struct pn_json_writer *w, const struct pn_series *s,
		       const struct pn_series_parts *parts)
{
	struct pn_buf name = {0};

	pn_series_text(&name, s, parts);
	pn_json_member(w, "series", pn_buf_text(&name));
	pn_json_member(w, "job", s->job);
	pn_json_member(w, "cmd", s->cmd);
	pn_json_member(w, "args", s->args);
	pn_json_member(w, "workload", s->workload);
	pn_json_member(w, "collector", s->collector);
	pn_json_member(w, "machine", s->machine);
	pn_buf_release(&name);
}

static void series_json(struct pn_json_writer *w,
			const struct pn_series_row *row)
{
	pn_series_members(w, &row->series, &row->parts);
	if (row->after && row->after->dirty)
		pn_json_member(w, "dirty", row->after->dirty);
}

void pn_series_print_json(FILE *to, const struct pn_series_rows *rows,
			  const struct pn_series_print *print)
{
	struct pn_json_writer *w;
	struct pn_sink sink;
	size_t i;

	pn_sink_init(&sink, to);
	w = &sink.json;
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", print->before ? "diff" : "show");
	if (print->before) {
		commit_json(w, "old", print->before);
		commit_json(w, "new", print->after);
	} else {
		commit_members(w, print->after);
	}
	pn_json_key(w, "rows");
	pn_json_open(w, '[');
	for (i = 0; i < rows->count; i++) {
		if (rows->rows[i].first) {
			pn_json_open(w, '{');
			series_json(w, &rows->rows[i]);
			pn_json_key(w, "metrics");
			pn_json_open(w, '[');
		}
		metric_json(w, &rows->rows[i], !print->before);
		if (i + 1 == rows->count || rows->rows[i + 1].first) {
			pn_json_close(w, ']');
			pn_json_close(w, '}');
			pn_sink_drain(&sink);
		}
	}
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_buf_add_byte(&sink.text, '\n');
	pn_sink_finish(&sink);
}

/* A metric beside what it was at the ancestor. */
static void compared_json(struct pn_json_writer *w,
			  const struct pn_log_figure *f)
{
	double old = pn_log_figure_old(f);
	int change = pn_log_figure_change(f);

	pn_json_open(w, '{');
	pn_json_member(w, "name", f->now->metric);
	pn_json_member(w, "better", better_names[f->now->better]);
	figure_members(w, f->now);
	if (f->base) {
		pn_json_member_double(w, "old", old);
		pn_json_member_double(w, "delta", f->now->median - old);
	}
	if (f->base && old != 0)
		pn_json_member_double(w, "relative",
				      (f->now->median - old) / fabs(old));
	if (change)
		pn_json_member(w, "change", change > 0 ? "better" : "worse");
	pn_json_close(w, '}');
}

static void failure_members(struct pn_json_writer *w,
			    const struct pn_log_series *row)
{
	pn_json_member(w, "failed", pn_entry_field(row->entry, "state"));
	pn_json_member(w, "reason", pn_entry_field(row->entry, "reason"));
}

void pn_log_series_json(struct pn_json_writer *w,
			const struct pn_log_series *rows, size_t count)
{
	size_t i, k;

	pn_json_key(w, "series");
	pn_json_open(w, '[');
	for (i = 0; i < count; i++) {
		const struct pn_log_series *row = &rows[i];

		pn_json_open(w, '{');
		pn_series_members(w, &row->series, &row->parts);
		pn_json_member(w, "dirty", row->dirty);
		if (row->failed)
			failure_members(w, row);
		else if (!row->elsewhere)
			pn_json_member_int(w, "tag", (int64_t)row->tag);
		if (row->distance)
			pn_json_member_int(w, "distance",
					   (int64_t)row->distance);
		pn_json_key(w, "metrics");
		pn_json_open(w, '[');
		for (k = 0; k < row->figure_count; k++)
			compared_json(w, &row->figures[k]);
		pn_json_close(w, ']');
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}
