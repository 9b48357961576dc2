/* git perf export-perun: all profiles as a Perun store. */
#include "base/text/similar.h"
#include "command.h"
#include "context.h"
#include "perun/handover.h"
#include "render/log/moved.h"

struct options {
	const char *layout;
	bool verbose;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(layout), 0, "index", "<layout>",
	 "layout of the indexes (v2c): {names}",
	 .names = pn_perun_layout_names},
	{OPT_FLAG(verbose), 'v', "verbose", NULL,
	 "name each profile that is left out"},
	{0},
};

static int hand_over(struct pn_handover *handover, struct pn_error *err)
{
	const char *doubt;
	int code;

	do {
		code = pn_handover_step(handover, err);
		while ((doubt = pn_handover_doubt(handover)))
			warn("%s", doubt);
	} while (code > 0);
	return code;
}

static int export_all(const char *dir, enum pn_perun_layout layout,
		      const struct options *o)
{
	const struct pn_handover_counts *counts;
	struct pn_handover *handover = NULL;
	struct context context = {0};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code;

	code = open_context(&context, NULL, true, &err);
	if (!code)
		code = pn_handover_open(&handover, dir, &context.lookup, layout,
					o->verbose, &err);
	if (!code)
		code = hand_over(handover, &err);
	if (code) {
		code = fail(&err);
	} else {
		counts = pn_handover_counts(handover);
		pn_handover_text(&text, counts, pn_perun_layout_name(layout),
				 pn_perun_layout_readers(layout));
		say_lines(&text);
		code = counts->left_out ? EXIT_NO : EXIT_DONE;
	}
	pn_handover_free(handover);
	close_context(&context);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	enum pn_perun_layout layout = PN_PERUN_V2C;
	struct options o = {0};
	struct pn_error err;

	(void)global;
	argc = opts_parse(&cmd_export_perun, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_export_perun, "need one folder, have %d",
			     argc);
	if (o.layout && !pn_perun_layout_find(&layout, o.layout)) {
		pn_unknown_name("index layout", o.layout, pn_perun_layout_names,
				&err);
		return usage(&cmd_export_perun, "%s", err.message);
	}
	return export_all(argv[0], layout, &o);
}

const struct command cmd_export_perun = {
	.name = "export-perun",
	.summary = "write all profiles as a Perun store",
	.synopsis = "export-perun [-v] [--index=<layout>] <dir>",
	.opts = opts,
	.run = run,
};
