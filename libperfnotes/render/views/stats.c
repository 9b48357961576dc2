/*
 * The views `stats`, `callers` and `callees`: what Python's pstats prints, byte
 * for byte but for names that a terminal must not get (print_stats,
 * print_callers, print_callees).
 */
#include "analysis/pstats/report.h"
#include "base/escape.h"
#include "model/unit.h"
#include "render/renderer.h"
#include "render/sink.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNTS_WIDTH 9
#define FIRST_COUNTS_WIDTH 7 /* behind the arrow */
#define TIME_WIDTH 8

static const char title[] = "   ncalls  tottime  percall  cumtime  percall "
			    "filename:lineno(function)\n";

static int prepare(struct pn_pstats *out, const struct pn_view_input *in,
		   struct pn_error *err)
{
	static const struct pn_pstats_options none;
	const struct pn_report *report = in->report;
	int code = pn_pstats_init(
		out, in->profile,
		report->options.sample_index ? report->weight.column : SIZE_MAX,
		in->stats ? in->stats : &none, err);

	if (code)
		pn_error_context(err, "cannot show calls and times");
	return code;
}

static void blanks(struct pn_sink *out, size_t count)
{
	while (count--)
		pn_buf_add_byte(&out->text, ' ');
}

static void seconds(struct pn_sink *out, double value)
{
	struct pn_buf text = {0};

	pn_unit_fixed(&text, value, 3);
	pn_sink_right(out, pn_buf_text(&text), TIME_WIDTH);
	pn_buf_add_byte(&out->text, ' ');
	pn_buf_release(&text);
}

/* Calls, and those that were not recursive where some were. */
static void counts(struct pn_sink *out, int64_t calls, int64_t primitive,
		   size_t width)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%" PRId64, calls);
	if (calls != primitive)
		pn_buf_printf(&text, "/%" PRId64, primitive);
	pn_sink_right(out, pn_buf_text(&text), width);
	pn_buf_add_byte(&out->text, ' ');
	pn_buf_release(&text);
}

static void add_lines(struct pn_sink *out, const struct pn_buf *text)
{
	pn_sink_lines(out, pn_buf_text(text), text->len);
}

static void list_head(struct pn_sink *out, const struct pn_pstats *stats)
{
	if (stats->order.len)
		pn_buf_printf(&out->text, "   Ordered by: %s\n",
			      pn_buf_text(&stats->order));
	else
		pn_buf_add_text(&out->text,
				"   Random listing order was used\n");
	add_lines(out, &stats->reduced);
	pn_buf_add_byte(&out->text, '\n');
}

static void stats_head(struct pn_sink *out, const struct pn_view_input *in,
		       const struct pn_pstats *stats)
{
	struct pn_buf time = {0};
	size_t i;

	for (i = 0; i < in->source_count; i++) {
		pn_sink_name(out, pn_buf_text(&in->sources[i]),
			     in->sources[i].len);
		pn_buf_add_byte(&out->text, '\n');
	}
	if (in->source_count)
		pn_buf_add_byte(&out->text, '\n');
	for (i = 0; i < stats->listed_count; i++)
		if (stats->functions[i].is_top) {
			blanks(out, COUNTS_WIDTH);
			pn_sink_name(out, stats->functions[i].name,
				     stats->functions[i].name_len);
			pn_buf_add_byte(&out->text, '\n');
		}
	blanks(out, COUNTS_WIDTH);
	pn_buf_printf(&out->text, "%" PRId64 " function calls ", stats->calls);
	if (stats->calls != stats->primitive)
		pn_buf_printf(&out->text, "(%" PRId64 " primitive calls) ",
			      stats->primitive);
	pn_unit_fixed(&time, stats->self_s, 3);
	pn_buf_printf(&out->text, "in %s seconds\n\n", pn_buf_text(&time));
	pn_buf_release(&time);
}

static void stats_line(struct pn_sink *out, const struct pn_pstats_function *f)
{
	counts(out, f->calls, f->primitive, COUNTS_WIDTH);
	seconds(out, f->self_s);
	if (f->calls)
		seconds(out, f->self_s / (double)f->calls);
	else
		blanks(out, TIME_WIDTH + 1);
	seconds(out, f->total_s);
	if (f->primitive)
		seconds(out, f->total_s / (double)f->primitive);
	else
		blanks(out, TIME_WIDTH + 1);
	pn_sink_name(out, f->text, f->text_len);
	pn_buf_add_byte(&out->text, '\n');
	pn_sink_drain(out);
}

static int stats_text(struct pn_sink *out, const struct pn_view_input *in,
		      struct pn_error *err)
{
	struct pn_pstats stats;
	size_t i;
	int code = prepare(&stats, in, err);

	if (code)
		return code;
	stats_head(out, in, &stats);
	if (stats.shown_count) {
		list_head(out, &stats);
		pn_buf_add_text(&out->text, title);
		for (i = 0; i < stats.shown_count; i++)
			stats_line(out, &stats.functions[stats.shown[i]]);
		pn_buf_add_text(&out->text, "\n\n");
	}
	pn_pstats_release(&stats);
	return 0;
}

/* Name and as many blanks as fill the width. */
static void left(struct pn_sink *out, const struct pn_pstats_function *f,
		 size_t width)
{
	size_t at = out->text.len, have;

	pn_sink_name(out, f->text, f->text_len);
	have = pn_sink_width((const char *)out->text.data + at,
			     out->text.len - at);
	if (have < width)
		blanks(out, width - have);
}

/* Python adds two columns to the longest name that is listed. */
static size_t names_width(const struct pn_pstats *stats)
{
	struct pn_buf name = {0};
	size_t i, most = 0;

	for (i = 0; i < stats->shown_count; i++) {
		const struct pn_pstats_function *f =
			&stats->functions[stats->shown[i]];
		size_t width;

		pn_buf_clear(&name);
		pn_escape_terminal(&name, f->text, f->text_len);
		width = pn_sink_width(pn_buf_text(&name), name.len);
		if (width > most)
			most = width;
	}
	pn_buf_release(&name);
	return most + 2;
}

static void call(struct pn_sink *out, const struct pn_pstats *stats,
		 const struct pn_pstats_call *c, size_t width, bool first)
{
	const struct pn_pstats_function *f = &stats->functions[c->function];
	struct pn_buf time = {0};

	if (!first)
		blanks(out, width + (c->timed ? 1 : 3));
	if (c->timed) {
		counts(out, c->calls, c->primitive,
		       first ? FIRST_COUNTS_WIDTH : COUNTS_WIDTH);
		seconds(out, c->self_s);
		seconds(out, c->total_s);
		pn_buf_add_byte(&out->text, ' ');
		pn_sink_name(out, f->text, f->text_len);
	} else {
		pn_unit_fixed(&time, f->total_s, 3);
		pn_sink_name(out, f->text, f->text_len);
		pn_buf_printf(&out->text, "(%" PRId64 ") ", c->calls);
		pn_sink_right(out, pn_buf_text(&time), TIME_WIDTH);
	}
	pn_buf_add_byte(&out->text, '\n');
	pn_buf_release(&time);
}

static void call_lines(struct pn_sink *out, const struct pn_pstats *stats,
		       const struct pn_pstats_function *f, size_t width,
		       bool callers)
{
	size_t i, count = callers ? f->caller_count : f->callee_count;

	left(out, f, width);
	pn_buf_add_text(&out->text, callers ? "<- " : "-> ");
	for (i = 0; i < count; i++)
		call(out, stats, callers ? &f->callers[i] : &f->callees[i],
		     width, !i);
	if (!count)
		pn_buf_add_byte(&out->text, '\n');
	pn_sink_drain(out);
}

static int calls_text(struct pn_sink *out, const struct pn_view_input *in,
		      bool callers, struct pn_error *err)
{
	struct pn_pstats stats;
	size_t i, width;
	int code = prepare(&stats, in, err);

	if (code)
		return code;
	width = names_width(&stats);
	if (stats.shown_count) {
		list_head(out, &stats);
		pn_buf_printf(&out->text, "%-*s%s\n", (int)width, "Function ",
			      callers ? "was called by..." : "called...");
		if (stats.timed)
			pn_buf_printf(&out->text, "%*s%s\n", (int)width, "",
				      "    ncalls  tottime  cumtime");
		for (i = 0; i < stats.shown_count; i++)
			call_lines(out, &stats,
				   &stats.functions[stats.shown[i]], width,
				   callers);
		pn_buf_add_text(&out->text, "\n\n");
	}
	pn_pstats_release(&stats);
	return 0;
}

static int callers_text(struct pn_sink *out, const struct pn_view_input *in,
			struct pn_error *err)
{
	return calls_text(out, in, true, err);
}

static int callees_text(struct pn_sink *out, const struct pn_view_input *in,
			struct pn_error *err)
{
	return calls_text(out, in, false, err);
}

static void json_name(struct pn_json_writer *w,
		      const struct pn_pstats_function *f)
{
	pn_json_key(w, "name");
	pn_json_string_n(w, f->name, f->name_len);
	if (f->file_len) {
		pn_json_key(w, "file");
		pn_json_string_n(w, f->file, f->file_len);
	}
	if (f->line)
		pn_json_member_int(w, "line", f->line);
}

static void json_costs(struct pn_json_writer *w, int64_t calls,
		       int64_t primitive, double self, double total)
{
	pn_json_member_int(w, "calls", calls);
	pn_json_member_int(w, "primitive", primitive);
	pn_json_member_double(w, "self", self);
	pn_json_member_double(w, "total", total);
}

static void json_calls(struct pn_json_writer *w, const struct pn_pstats *stats,
		       const char *key, const struct pn_pstats_call *calls,
		       size_t count)
{
	size_t i;

	pn_json_key(w, key);
	pn_json_open(w, '[');
	for (i = 0; i < count; i++) {
		pn_json_open(w, '{');
		json_name(w, &stats->functions[calls[i].function]);
		if (calls[i].timed)
			json_costs(w, calls[i].calls, calls[i].primitive,
				   calls[i].self_s, calls[i].total_s);
		else
			pn_json_member_int(w, "calls", calls[i].calls);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

/* One form for all three: a row has its callers and its callees. */
static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_json_writer *w = &out->json;
	struct pn_pstats stats;
	size_t i;
	int code = prepare(&stats, in, err);

	if (code)
		return code;
	pn_json_member(w, "unit", "s");
	pn_json_member_int(w, "calls", stats.calls);
	pn_json_member_int(w, "primitive", stats.primitive);
	pn_json_member_double(w, "total", stats.self_s);
	pn_json_key(w, "rows");
	pn_json_open(w, '[');
	for (i = 0; i < stats.shown_count; i++) {
		const struct pn_pstats_function *f =
			&stats.functions[stats.shown[i]];

		pn_json_open(w, '{');
		json_name(w, f);
		json_costs(w, f->calls, f->primitive, f->self_s, f->total_s);
		json_calls(w, &stats, "callers", f->callers, f->caller_count);
		json_calls(w, &stats, "callees", f->callees, f->callee_count);
		pn_json_close(w, '}');
		pn_sink_drain(out);
	}
	pn_json_close(w, ']');
	pn_pstats_release(&stats);
	return 0;
}

const struct pn_view pn_view_stats = {
	.name = "stats",
	.summary = "counts and times of functions, as Python's pstats",
	.needs = PN_VIEW_WEIGHTS,
	.own_rows = true,
	.last_first = true,
	.names_files = true,
	.text = stats_text,
	.json = json,
};

const struct pn_view pn_view_callers = {
	.name = "callers",
	.summary = "who calls each function, as Python's pstats",
	.needs = PN_VIEW_WEIGHTS,
	.own_rows = true,
	.last_first = true,
	.text = callers_text,
	.json = json,
};

const struct pn_view pn_view_callees = {
	.name = "callees",
	.summary = "whom each function calls, as Python's pstats",
	.needs = PN_VIEW_WEIGHTS,
	.own_rows = true,
	.last_first = true,
	.text = callees_text,
	.json = json,
};
