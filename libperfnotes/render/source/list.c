/*
 * The view `list`: the source of functions with what each line costs, in
 * pprof's layout (google/pprof, internal/report/source.go). Other than there
 * the source is that of the commit, and is safe for a terminal.
 */
#include "analysis/source/routines.h"
#include "analysis/source/text.h"
#include "model/unit.h"
#include "render/header.h"
#include "render/renderer.h"
#include "render/sink.h"
#include "render/source/costs.h"

#include <inttypes.h>
#include <string.h>

/* Tabs stay, what else a terminal must not get is escaped. */
static void add_source(struct pn_sink *out, const char *line, size_t len)
{
	const char *end = line + len, *tab;

	while ((tab = memchr(line, '\t', (size_t)(end - line)))) {
		pn_sink_name(out, line, (size_t)(tab - line));
		pn_buf_add_byte(&out->text, '\t');
		line = tab + 1;
	}
	pn_sink_name(out, line, (size_t)(end - line));
}

static const struct pn_source_text *text_of(const struct pn_view_input *in,
					    const struct pn_routine *routine)
{
	static const struct pn_source_text none;

	return in->texts && routine->file < in->texts->count
		       ? &in->texts->items[routine->file]
		       : &none;
}

static void print_lines(struct pn_sink *out, const struct pn_view_input *in,
			const struct pn_routine *routine,
			const struct pn_routine_line *lines)
{
	const struct pn_source_text *text = text_of(in, routine);
	const char *line;
	int64_t number;
	size_t len, at = 0;

	for (number = routine->first; number <= routine->last; number++) {
		struct pn_routine_line cost =
			pn_routine_cost(routine, lines, number, &at);

		line = pn_source_text_line(&len, text, number);
		if (!line)
			return;
		pn_source_costs(out, in->report, cost.flat, cost.cum);
		pn_buf_printf(&out->text, " %6" PRId64 ":", number);
		add_source(out, line, len);
		pn_buf_add_byte(&out->text, '\n');
		pn_sink_drain(out);
	}
}

static void name(struct pn_sink *out, const struct pn_report *report,
		 const struct pn_routine *routine)
{
	pn_sink_name(out, pn_profile_text(report->profile, routine->name),
		     pn_strtab_len(&report->profile->strings, routine->name));
}

static void print_routine(struct pn_sink *out, const struct pn_view_input *in,
			  const struct pn_routine *routine,
			  const struct pn_routine_line *lines)
{
	const struct pn_report *report = in->report;
	const struct pn_source_text *text = text_of(in, routine);

	if (!routine->file) {
		pn_buf_add_text(&out->text, "No source information for ");
		name(out, report, routine);
		pn_buf_add_byte(&out->text, '\n');
		return;
	}
	pn_buf_add_text(&out->text, "ROUTINE ======================== ");
	name(out, report, routine);
	pn_buf_add_text(&out->text, " in ");
	pn_sink_name(out, pn_strtab_text(&report->nodes.files, routine->file),
		     pn_strtab_len(&report->nodes.files, routine->file));
	pn_buf_add_byte(&out->text, '\n');
	pn_source_sums(out, report, routine->flat, routine->cum);
	if (text->missing) {
		pn_buf_add_text(&out->text, " Error: ");
		pn_sink_name(out, text->missing, strlen(text->missing));
		pn_buf_add_byte(&out->text, '\n');
		return;
	}
	print_lines(out, in, routine, lines);
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_routines list;
	size_t i;
	int code = pn_routines_init(&list, in->report, in->pattern, err);

	if (code)
		return code;
	pn_buf_add_text(&out->text, "Total: ");
	pn_report_value(&out->text, in->report, in->report->total);
	pn_buf_add_byte(&out->text, '\n');
	for (i = 0; i < list.routine_count; i++)
		print_routine(out, in, &list.routines[i],
			      list.lines + list.routines[i].line_first);
	pn_routines_release(&list);
	return 0;
}

static void json_line(struct pn_sink *out, const struct pn_view_input *in,
		      const struct pn_source_text *text,
		      const struct pn_routine_line *line)
{
	const char *source;
	size_t len;

	pn_json_open(&out->json, '{');
	pn_json_member_int(&out->json, "line", line->number);
	pn_print_weight_json(out, "self", in->report, line->flat);
	pn_print_weight_json(out, "total", in->report, line->cum);
	source = pn_source_text_line(&len, text, line->number);
	if (source) {
		pn_json_key(&out->json, "text");
		pn_json_string_n(&out->json, source, len);
	}
	pn_json_close(&out->json, '}');
}

static void json_routine(struct pn_sink *out, const struct pn_view_input *in,
			 const struct pn_routine *routine,
			 const struct pn_routine_line *lines)
{
	const struct pn_report *report = in->report;
	const struct pn_source_text *text = text_of(in, routine);
	size_t i;

	pn_json_open(&out->json, '{');
	pn_json_member(&out->json, "name",
		       pn_profile_text(report->profile, routine->name));
	if (routine->file)
		pn_json_member(
			&out->json, "file",
			pn_strtab_text(&report->nodes.files, routine->file));
	pn_print_weight_json(out, "self", report, routine->flat);
	pn_print_weight_json(out, "total", report, routine->cum);
	if (text->missing)
		pn_json_member(&out->json, "missing", text->missing);
	pn_json_key(&out->json, "lines");
	pn_json_open(&out->json, '[');
	for (i = 0; i < routine->line_count; i++)
		json_line(out, in, text, &lines[i]);
	pn_json_close(&out->json, ']');
	pn_json_close(&out->json, '}');
	pn_sink_drain(out);
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_routines list;
	size_t i;
	int code = pn_routines_init(&list, in->report, in->pattern, err);

	if (code)
		return code;
	pn_print_header_json(out, in->report);
	pn_json_key(&out->json, "rows");
	pn_json_open(&out->json, '[');
	for (i = 0; i < list.routine_count; i++)
		json_routine(out, in, &list.routines[i],
			     list.lines + list.routines[i].line_first);
	pn_json_close(&out->json, ']');
	pn_routines_release(&list);
	return 0;
}

const struct pn_view pn_view_list = {
	.name = "list",
	.summary = "the source of functions with what each line costs",
	.needs = PN_VIEW_WEIGHTS,
	.by_lines = true,
	.of_sources = true,
	.needs_pattern = true,
	.unit = PN_UNIT_AUTO,
	.text = text,
	.json = json,
};
