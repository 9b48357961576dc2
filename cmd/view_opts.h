/*
 * The options of commands that print a view: what show and diff have in
 * common, and what a view makes of them.
 */
#ifndef CMD_VIEW_OPTS_H
#define CMD_VIEW_OPTS_H

#include "analysis/filter/clean.h"
#include "analysis/pstats/pstats.h"
#include "analysis/report.h"
#include "command.h"
#include "filter_opts.h"
#include "render/renderer.h"

struct view_options {
	const char *view, *function, *granularity, *demangle, *flame;
	struct pn_report_options report;
	bool trim;
	struct pn_clean clean; /* its demangling: view_options_check */
	struct pn_opt_list sort, restrict_to;
	struct pn_pstats_options stats; /* with these: view_options_check */
	struct pn_flame_style style;	/* what `flame` names */
};

/* Their rows, for a command's own table: OPT_TABLE(struct view_options, view,
 * view_opts), and OPT_TABLE(struct pn_filter, view.report.filter,
 * filter_opts). */
extern const struct pn_opt view_opts[];

/* What is shown when no option says another thing. */
void view_options_init(struct view_options *out);

/*
 * What the option table cannot check; *view is the one that was asked for, by
 * --view or by the suffix of -o's file (NULL: none). EXIT_DONE, or EXIT_USAGE
 * with a message printed.
 */
int view_options_check(struct view_options *options,
		       const struct pn_view **view, const char *output,
		       const struct command *command);
/* Whether a view of a profile is asked for, in one of these ways. */
bool view_is_chosen(const struct view_options *options, const char *output);

/*
 * Filter the profile and report on it, unless the view, which may become
 * another one that fits the profile, is of metrics. Says which filters matched
 * nothing. `out` is zeroed before.
 */
int view_prepare(struct pn_report *out, struct pn_view_input *in,
		 const struct pn_view **view, struct pn_profile *profile,
		 const struct view_options *options, struct pn_error *err);

/* Print to -o's file (NULL: standard output, paged), in the form that its
 * suffix asks for. Returns an exit code, or an error's negative one. */
int view_print(const struct global *global, const struct pn_view *view,
	       const struct pn_view_input *in, const char *command,
	       const char *output, bool json, struct pn_error *err);

#endif
