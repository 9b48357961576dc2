/* Printing a view. */
#include "view/view_opts.h"

#include "analysis/diff/diff.h"
#include "analysis/filter/tagfilter.h"
#include "jobs/profiles/graphviz.h"
#include "jobs/reported/sourced.h"
#include "jobs/source/disassemble.h"
#include "jobs/source/load.h"
#include "model/unit.h"
#include "render/terminal.h"

int view_check(const struct pn_view **view, struct pn_view_request *request,
	       const char *output, const struct command *command)
{
	struct pn_error err;

	return pn_view_request_check(view, request, output, &err)
		       ? usage(command, "%s", err.message)
		       : EXIT_DONE;
}

int view_prepare(struct pn_report *out, struct pn_view_input *in,
		 const struct pn_view **view, struct pn_profile *profile,
		 const struct pn_view_request *request, struct pn_error *err)
{
	struct pn_buf units = {0};
	int code =
		pn_view_request_prepare(out, in, view, profile, request, err);

	if (!code && in->report) {
		filters_warn(out->unmatched);
		pn_tag_units_note(&units, out->profile);
		warn_lines(&units);
	}
	return code;
}

static int draw(const struct pn_view *view, const struct pn_view_input *in,
		const char *output, struct pn_error *err)
{
	FILE *graph = tmpfile();
	int code;

	if (!graph)
		return pn_error_system(err, "cannot create a temporary file");
	code = pn_view_print(graph, view, in, "", PN_VIEW_DOT, err);
	if (!code)
		code = pn_graphviz(graph, output, err);
	fclose(graph);
	return code;
}

static int print_fitted(const struct global *global, const struct pn_view *view,
			const struct pn_view_input *in, const char *command,
			const char *output, bool json, struct pn_error *err)
{
	enum pn_view_form form = in->csv && !json ? PN_VIEW_CSV
				 : json		  ? PN_VIEW_JSON
						  : pn_view_form_of(output);
	struct pn_view_input fitted = *in;
	struct output out;
	int code;

	if ((view->drawn || view->dot) && !json && pn_graphviz_draws(output))
		return draw(view, in, output, err);
	code = open_output(&out, global, output, true, err);
	if (code)
		return code;
	fitted.palette = &out.palette;
	fitted.columns = pn_terminal_columns(output ? NULL : stdout);
	fitted.utf8 = pn_terminal_is_utf8();
	code = pn_view_print(out.file, view, &fitted, command, form, err);
	if (!code)
		return close_output(&out, EXIT_DONE);
	discard_output(&out);
	return code;
}

int view_print(const struct global *global, const struct pn_view *view,
	       const struct pn_view_input *in, const char *command,
	       const char *output, bool json, struct pn_error *err)
{
	struct pn_view_input with = *in;
	struct pn_source_texts texts = {0};
	struct pn_assembly assembly = {0};
	struct pn_sourced lists[2] = {{.texts.count = 0}};
	struct pn_routine_texts source[2] = {{.routines = NULL}};
	struct pn_buf unfit = {0};
	int code = 0;

	if (in->report &&
	    pn_unit_unfit(&unfit, in->report->unit, in->report->to_unit))
		warn_lines(&unfit);

	with.texts = &texts;
	with.assembly = &assembly;
	with.source[0] = &source[0];
	with.source[1] = &source[1];
	if (view->of_sources)
		code = pn_source_texts_load(&texts, in->report, in->pattern,
					    in->commit, in->source_path, err);
	if (!code && view->by_instruction)
		code = pn_assembly_load(&assembly, in->report, in->pattern,
					in->binary_path, err);
	if (!code && view->lists_sources && !json) {
		pn_sourced_copy(&source[0], &lists[0],
				in->diff ? in->diff->after : in->report,
				in->commit, in->source_path);
		if (in->diff)
			pn_sourced_copy(&source[1], &lists[1], in->diff->before,
					in->commit_before, in->source_path);
	}
	if (!code)
		code = print_fitted(global, view, &with, command, output, json,
				    err);
	pn_sourced_release(&lists[0]);
	pn_sourced_release(&lists[1]);
	pn_assembly_release(&assembly);
	pn_source_texts_release(&texts);
	return code;
}
