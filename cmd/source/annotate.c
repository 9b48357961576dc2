/* git perf annotate: a file with what its lines cost. */
#include "jobs/source/annotate.h"
#include "analysis/filter/options.h"
#include "command.h"
#include "context.h"
#include "render/source/sides.h"
#include "render/terminal.h"

struct options {
	struct pn_annotate_call call;
	struct pn_filter filter;
	const char *output;
	bool cum, porcelain, json;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(call.rev), 0, "rev", "<rev>", "the commit (HEAD)"},
	{OPT_TEXT(call.profile), 0, "profile", "<profile>",
	 "profile or series, where there are several"},
	{OPT_TEXT(call.against), 0, "against", "<rev>", "the old side"},
	{OPT_FLAG(cum), 0, "cum", NULL, "with --against: totals"},
	{OPT_TEXT(call.contents), 0, "contents", "<file>",
	 "costs beside the lines of this file ('-': standard input)"},
	{OPT_TEXT(call.sample_index), 0, "sample-index", "<type>", "value"},
	{OPT_TEXT(call.unit), 0, "unit", "<unit>", "unit of the values"},
	{OPT_TABLE(struct pn_filter, filter, pn_filter_opts)},
	{OPT_FLAG(porcelain), 0, "porcelain", NULL, "for editors"},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static int print(const struct global *global,
		 const struct pn_annotate *annotate, const struct options *o,
		 struct pn_error *err)
{
	struct pn_annotate_view view = {.annotated = &annotate->annotated,
					.cum = o->cum};
	struct output out;
	int side, code;

	if ((code = open_output(&out, global, o->output, true, err)))
		return code;
	view.form = o->json	   ? PN_ANNOTATE_JSON
		    : o->porcelain ? PN_ANNOTATE_PORCELAIN
				   : PN_ANNOTATE_TEXT;
	for (side = 0; side < 2; side++) {
		view.path[side] = pn_buf_text(&annotate->side[side].path);
		view.profile[side] = pn_buf_text(&annotate->side[side].name);
		view.commit[side] = annotate->side[side].hex;
	}
	view.palette = &out.palette;
	view.columns = pn_terminal_columns(o->output ? NULL : stdout);
	pn_print_annotate(out.file, &view);
	return close_output(&out, EXIT_DONE);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.output = NULL};
	struct context context = {0};
	struct pn_annotate annotate = {0};
	struct pn_error err;
	int code;

	argc = opts_parse(&cmd_annotate, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_annotate, "need one file, have %d", argc);
	if (o.cum && !o.call.against)
		return usage(&cmd_annotate, "--cum needs --against");
	o.call.file = argv[0];
	o.call.filter = &o.filter;
	code = open_context(&context, NULL, true, &err);
	pn_stand_ins_use(&context.stand_ins, &context.lookup);
	if (!code)
		code = pn_annotate(&annotate, &context.lookup, &o.call, &err);
	if (!code)
		say_rewritten(&context.lookup, &annotate.side[1].commit);
	if (!code && !annotate.side[1].has_costs)
		warn("%s has no cost in '%s'%s",
		     pn_buf_text(&annotate.side[1].name), argv[0],
		     pn_source_side_doubt(&annotate.side[1]));
	if (!code)
		code = print(global, &annotate, &o, &err);
	say_where_profiles_are(&context.lookup);
	pn_annotate_release(&annotate);
	close_context(&context);
	return code < 0 ? fail(&err) : code;
}

const struct command cmd_annotate = {
	.name = "annotate",
	.summary = "show a file with what its lines cost",
	.synopsis = "annotate [<options>] <file>",
	.opts = opts,
	.colored = true,
	.run = run,
};
