/* git perf show: one view of one profile, or of one without another. Long, as
 * a name may be a commit's, a profile may be shown without others, and equal
 * samples are one where that can be told. */
#include "analysis/merge/difference.h"
#include "command.h"
#include "commits.h"
#include "jobs/profiles/sources.h"
#include "profile_arg.h"
#include "render/rows.h"
#include "view/bases.h"
#include "view/view_opts.h"

#include <string.h>

struct options {
	struct pn_view_request view;
	struct pn_bases bases;
	const char *commit, *format, *output;
	bool json, symbolize;
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_view_request, view, pn_view_opts)},
	{OPT_TABLE(struct pn_reshape, view.reshape, pn_reshape_opts)},
	{OPT_TABLE(struct pn_filter, view.report.filter, pn_filter_opts)},
	{OPT_TABLE(struct pn_resources_request, view.resources,
		   pn_resources_opts)},
	{OPT_TABLE(struct pn_bases, bases, pn_bases_opts)},
	{OPT_FLAG(symbolize), 0, "symbolize", NULL,
	 "look up names of addresses in the files of this machine"},
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "look in the list of this commit"},
	{OPT_TEXT(format), 0, "format", "<name>", "format of a file",
	 .check = pn_codec_check_read},
	{OPT_FLAG(json), 0, "json", NULL, "print JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

/* Equal samples as one where one can tell: where samples are shown, and where
 * those of a difference cancel out. A base has been subtracted so. */
static int settle_samples(struct pn_profile *profile,
			  const struct pn_view *view, const struct options *o,
			  struct pn_error *err)
{
	struct profile_arg from = {NULL, o->commit, o->format};

	if (pn_bases_any(&o->bases))
		return subtract_bases(profile, &o->bases, &from, err);
	if (!profile->sample_count || view->needs == PN_VIEW_RESOURCES ||
	    !(view->by_sample || pn_samples_have_negative(profile)))
		return 0;
	return pn_samples_unite(profile, err);
}

/* A revision and no view of a profile: 1 when it was printed, *done with the
 * exit code; 0 when `name` is no commit. */
static int show_commit(int *done, const struct global *global, const char *name,
		       const struct options *o, struct pn_error *err)
{
	bool all = o->view.view && !strcmp(o->view.view, pn_view_metrics.name);
	struct commits_options options = {o->output, o->json, all,
					  .type = o->view.report.sample_index};
	struct context context;
	struct pn_arena arena = {0};
	struct pn_side side;
	int code;

	if ((pn_view_is_meant(&o->view, o->output) && !all) ||
	    (name && !pn_lookup_may_be_commit(name)))
		return 0;
	code = open_context(&context, o->commit, !name, err);
	if (code)
		return code;
	pn_stand_ins_use(&context.stand_ins, &context.lookup);
	code = pn_side_find(&side, &arena, &context.lookup, name, err);
	if (code > 0) {
		*done = print_commits(global, &context, NULL, &side, NULL,
				      &options, err);
		code = *done < 0 ? *done : 1;
	}
	if (code && !o->json)
		say_where_profiles_are(&context.lookup);
	pn_arena_release(&arena);
	close_context(&context);
	return code;
}

static int show(const struct global *global, const char *const *names,
		size_t count, const struct pn_view *view,
		const struct options *o)
{
	struct pn_report report = {0};
	struct pn_view_input in;
	struct pn_profile profile;
	struct pn_oid measured = {{0}};
	struct profile_arg from = {count ? names[0] : "HEAD", o->commit,
				   o->format, count > 1 ? NULL : &measured};
	char hex[PN_OID_HEX + 1];
	struct pn_error err;
	int done = 0, code = 0;

	if (count < 2)
		code = show_commit(&done, global, count ? names[0] : NULL, o,
				   &err);
	if (code)
		return code < 0 ? fail(&err) : done;
	code = count > 1 ? load_sum(&profile, names, count, view->last_first,
				    &from, &err)
			 : load_profile(&profile, &from, &err);
	if (!code && o->symbolize)
		code = symbolize_profile(&profile, &err);
	if (!code)
		code = settle_samples(&profile, view, o, &err);
	if (!code)
		code = pn_clean(&profile, &o->view.clean, &err);
	if (!code)
		code = view_prepare(&report, &in, &view, &profile, &o->view,
				    &err);
	in.remarks = true;
	in.source_count = !code && view->names_files ? count : 0;
	in.sources = pn_sources_new(names, in.source_count, &profile);
	in.title = count ? names[0] : "HEAD";
	pn_oid_hex(hex, &measured);
	in.commit = pn_oid_is_zero(&measured) ? NULL : hex;
	if (!code)
		code = view_print(global, view, &in, "show", o->output, o->json,
				  &err);
	pn_sources_free(in.sources, in.source_count);
	pn_report_release(&report);
	pn_profile_release(&profile);
	return code < 0 ? fail(&err) : code;
}

static int run(const struct global *global, int argc, char **argv)
{
	const struct pn_view *view = NULL;
	struct options o = {.commit = NULL};
	int code;

	pn_view_request_init(&o.view);
	argc = opts_parse(&cmd_show, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (!(code = view_check(&view, &o.view, o.output, &cmd_show)) &&
	    !(code = check_bases(&o.bases, &cmd_show)))
		code = show(global, (const char *const *)argv, (size_t)argc,
			    view, &o);
	pn_opts_release(opts, &o);
	return code;
}

const struct command cmd_show = {
	.name = "show",
	.summary = "show one view of one profile, or a commit's series",
	.synopsis = "show [<options>] [<profile>... | <rev>]",
	.opts = opts,
	.colored = true,
	.forms = PN_VIEW_FORMS_ALL,
	.run = run,
};
