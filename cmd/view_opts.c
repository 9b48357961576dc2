/* What commands that print a view have in common. */
#include "view_opts.h"

#include "model/symbols.h"

#include <string.h>

/* In the order of enum pn_granularity. */
static const char *const granularities[] = {
	"functions", "filefunctions", "files", "lines", "addresses", NULL,
};

/* In the order of enum pn_demangling. */
static const char *const demanglings[] = {
	"simple", "templates", "full", "none", NULL,
};

void view_options_init(struct view_options *out)
{
	memset(out, 0, sizeof(*out));
	out->view = "top";
	out->demangle = "simple";
	out->report.divide_by = 1;
	out->report.node_count = -1;
	out->report.node_fraction = PN_REPORT_NODE_FRACTION;
	out->report.edge_fraction = PN_REPORT_EDGE_FRACTION;
}

static int check_numbers(const struct pn_report_options *report,
			 const struct command *command)
{
	if (!(report->divide_by > 0))
		return usage(command, "--divide-by needs a number above 0");
	if (!(report->node_fraction >= 0 && report->node_fraction <= 1) ||
	    !(report->edge_fraction >= 0 && report->edge_fraction <= 1))
		return usage(command, "a share is between 0 and 1");
	return EXIT_DONE;
}

static size_t find(const char *const *list, const char *name)
{
	size_t i = 0;

	while (list[i] && strcmp(list[i], name) != 0)
		i++;
	return i;
}

int view_options_check(struct view_options *o, const struct pn_view **view,
		       const struct command *command)
{
	struct pn_error err;
	size_t i = 0;

	if (pn_view_find(view, o->view, &err))
		return usage(command, "%s", err.message);
	if ((*view)->needs_pattern && !o->function)
		return usage(command, "the view '%s' needs --function",
			     (*view)->name);
	if (!demanglings[find(demanglings, o->demangle)])
		return usage(command,
			     "no demangling '%s': there are simple, "
			     "templates, full, none",
			     o->demangle);
	if (o->granularity)
		i = find(granularities, o->granularity);
	if (!granularities[i])
		return usage(command,
			     "no granularity '%s': there are functions, "
			     "filefunctions, files, lines, addresses",
			     o->granularity);
	o->report.granularity = (enum pn_granularity)i;
	return check_numbers(&o->report, command);
}

int view_clean(struct pn_profile *profile, const struct view_options *o,
	       struct pn_error *err)
{
	size_t how = find(demanglings, o->demangle);

	if (how <= PN_DEMANGLE_FULL)
		pn_symbols_demangle(profile, (enum pn_demangling)how);
	if (o->join_clones)
		pn_symbols_join_clones(profile);
	return o->all_frames ? 0 : pn_filter_drop_frames(profile, err);
}

void view_warn(const struct pn_report *report)
{
	int kind;

	for (kind = 0; kind < PN_FILTER_KINDS; kind++)
		if (report->unmatched & 1u << kind)
			warn("%s matched no samples",
			     pn_filter_name((enum pn_filter_kind)kind));
}

int view_report(struct pn_report *out, struct pn_view_input *in,
		const struct pn_view **view, struct pn_profile *profile,
		const struct view_options *o, struct pn_error *err)
{
	struct pn_report_options options = o->report;
	int code;

	*in = (struct pn_view_input){profile, NULL, o->function};
	*view = pn_view_fitting(*view, profile);
	if ((*view)->needs == PN_VIEW_METRICS ||
	    (*view)->needs == PN_VIEW_MODELS)
		return 0;
	pn_view_options(&options, *view);
	code = pn_report_init(out, profile, &options, err);
	if (code)
		return code;
	in->report = out;
	return 0;
}

int view_prepare(struct pn_report *out, struct pn_view_input *in,
		 const struct pn_view **view, struct pn_profile *profile,
		 const struct view_options *o, struct pn_error *err)
{
	int code = view_report(out, in, view, profile, o, err);

	if (!code && in->report)
		view_warn(in->report);
	return code;
}

int view_print(const struct global *global, const struct pn_view *view,
	       const struct pn_view_input *in, const char *command,
	       const char *output, bool json, struct pn_error *err)
{
	struct output out;
	int code = open_output(&out, global, output, true, err);

	if (code)
		return code;
	code = pn_view_print(out.file, view, in, command, json, err);
	if (!code)
		return close_output(&out, EXIT_DONE);
	discard_output(&out);
	return code;
}
