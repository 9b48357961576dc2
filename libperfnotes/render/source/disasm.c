/*
 * The view `disasm`: the instructions of functions with what each costs, in
 * pprof's layout (google/pprof, internal/report, PrintAssembly).
 */
#include "analysis/source/assembly.h"
#include "model/unit.h"
#include "render/header.h"
#include "render/renderer.h"
#include "render/sink.h"
#include "render/source/costs.h"

#include <inttypes.h>
#include <string.h>

#define INSTRUCTION_WIDTH 40 /* pprof's, as are the other columns */
#define PLACE_AT 74

static void name(struct pn_sink *out, const char *text)
{
	pn_sink_name(out, text, strlen(text));
}

static bool same_place(const struct pn_instruction *a,
		       const struct pn_instruction *b)
{
	return a->line == b->line && !strcmp(a->file, b->file) &&
	       !strcmp(a->function, b->function);
}

static void add_place(struct pn_sink *out, const struct pn_instruction *i)
{
	pn_buf_add_byte(&out->text, ';');
	if (*i->function) {
		name(out, i->function);
		pn_buf_add_byte(&out->text, ' ');
	}
	if (!*i->file)
		return;
	name(out, i->file);
	if (i->line)
		pn_buf_printf(&out->text, ":%" PRId64, i->line);
}

/* Where it comes from stands behind a short one, above a long one. */
static void print_instruction(struct pn_sink *out,
			      const struct pn_report *report,
			      const struct pn_instruction *i, bool placed)
{
	size_t len = strlen(i->text);
	bool is_long = len >= INSTRUCTION_WIDTH;

	if (placed && is_long) {
		pn_buf_printf(&out->text, "%*s", PLACE_AT, "");
		add_place(out, i);
		pn_buf_add_byte(&out->text, '\n');
	}
	pn_source_costs(out, report, i->flat, i->cum);
	pn_buf_printf(&out->text, " %10" PRIx64 ": ", i->address);
	name(out, i->text);
	if (placed && !is_long) {
		pn_buf_printf(&out->text, "%*s", (int)(INSTRUCTION_WIDTH - len),
			      "");
		add_place(out, i);
	}
	pn_buf_add_byte(&out->text, '\n');
	pn_sink_drain(out);
}

static void print_routine(struct pn_sink *out, const struct pn_report *report,
			  const struct pn_assembly_routine *routine)
{
	static const struct pn_instruction nowhere = {.function = "",
						      .file = ""};
	const struct pn_instruction *before = &nowhere;
	size_t i;

	pn_buf_add_text(&out->text, "ROUTINE ======================== ");
	name(out, routine->name);
	pn_buf_add_byte(&out->text, '\n');
	for (i = 0; i < routine->other_count; i++) {
		pn_buf_add_text(&out->text,
				"    AKA ======================== ");
		name(out, routine->others[i]);
		pn_buf_add_byte(&out->text, '\n');
	}
	pn_source_sums(out, report, routine->flat, routine->cum);
	for (i = 0; i < routine->count; i++) {
		const struct pn_instruction *at = &routine->items[i];
		bool placed =
			!same_place(before, at) && (*at->function || *at->file);

		print_instruction(out, report, at, placed);
		before = at;
	}
}

static const struct pn_assembly *assembly_of(const struct pn_view_input *in)
{
	static const struct pn_assembly none;

	return in->assembly ? in->assembly : &none;
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_assembly *code = assembly_of(in);
	size_t i;

	(void)err;
	for (i = 0; i < code->missing_count; i++) {
		pn_buf_add_text(&out->text, "Error: ");
		name(out, code->missing[i]);
		pn_buf_add_byte(&out->text, '\n');
	}
	pn_buf_add_text(&out->text, "Total: ");
	pn_report_value(&out->text, in->report, in->report->total);
	pn_buf_add_byte(&out->text, '\n');
	for (i = 0; i < code->routine_count; i++)
		print_routine(out, in->report, &code->routines[i]);
	return 0;
}

static void json_instruction(struct pn_sink *out,
			     const struct pn_report *report,
			     const struct pn_instruction *i)
{
	char address[24];

	snprintf(address, sizeof(address), "0x%" PRIx64, i->address);
	pn_json_open(&out->json, '{');
	pn_json_member(&out->json, "address", address);
	pn_print_weight_json(out, "self", report, i->flat);
	pn_print_weight_json(out, "total", report, i->cum);
	pn_json_member(&out->json, "text", i->text);
	if (*i->function)
		pn_json_member(&out->json, "function", i->function);
	if (*i->file)
		pn_json_member(&out->json, "file", i->file);
	if (i->line)
		pn_json_member_int(&out->json, "line", i->line);
	pn_json_close(&out->json, '}');
}

static void json_routine(struct pn_sink *out, const struct pn_report *report,
			 const struct pn_assembly_routine *routine)
{
	size_t i;

	pn_json_open(&out->json, '{');
	pn_json_member(&out->json, "name", routine->name);
	pn_json_member(&out->json, "binary", routine->binary);
	pn_print_weight_json(out, "self", report, routine->flat);
	pn_print_weight_json(out, "total", report, routine->cum);
	pn_json_key(&out->json, "instructions");
	pn_json_open(&out->json, '[');
	for (i = 0; i < routine->count; i++)
		json_instruction(out, report, &routine->items[i]);
	pn_json_close(&out->json, ']');
	pn_json_close(&out->json, '}');
	pn_sink_drain(out);
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_assembly *code = assembly_of(in);
	size_t i;

	(void)err;
	pn_print_header_json(out, in->report);
	pn_json_key(&out->json, "missing");
	pn_json_open(&out->json, '[');
	for (i = 0; i < code->missing_count; i++)
		pn_json_string(&out->json, code->missing[i]);
	pn_json_close(&out->json, ']');
	pn_json_key(&out->json, "rows");
	pn_json_open(&out->json, '[');
	for (i = 0; i < code->routine_count; i++)
		json_routine(out, in->report, &code->routines[i]);
	pn_json_close(&out->json, ']');
	return 0;
}

const struct pn_view pn_view_disasm = {
	.name = "disasm",
	.summary = "the instructions of functions with what each costs",
	.needs = PN_VIEW_WEIGHTS,
	.by_instruction = true,
	.needs_pattern = true,
	.unit = PN_UNIT_AUTO,
	.text = text,
	.json = json,
};
