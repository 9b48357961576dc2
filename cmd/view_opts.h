/*
 * The options of commands that print a view: what show and diff have in
 * common, and what a view makes of them.
 */
#ifndef CMD_VIEW_OPTS_H
#define CMD_VIEW_OPTS_H

#include "analysis/report.h"
#include "command.h"
#include "render/renderer.h"

struct view_options {
	const char *view, *function, *granularity, *demangle;
	struct pn_report_options report;
	bool all_frames, join_clones;
};

/* NOLINTNEXTLINE(bugprone-macro-parentheses): names of members */
#define VIEW_AT(type, member, field) offsetof(type, member.field)
#define VIEW_FILTER(type, member, kind)                                        \
	VIEW_AT(type, member, report.filter.text[PN_FILTER_##kind])

/* Rows of an option table: `member` of the struct `type` is view_options. */
#define VIEW_OPTS(type, member)                                                \
	{OPT_TEXT,                                                             \
	 0,                                                                    \
	 "view",                                                               \
	 "<name>",                                                             \
	 "how to show it (top, tree, peek, traces, tags, raw, metrics, "       \
	 "models)",                                                            \
	 VIEW_AT(type, member, view),                                          \
	 "top tree peek traces tags raw metrics models"},                      \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "function",                                                   \
		 "<regex>",                                                    \
		 "the functions that peek shows",                              \
		 VIEW_AT(type, member, function)},                             \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "sample-index",                                               \
		 "<type>",                                                     \
		 "value to show, by name or number",                           \
		 VIEW_AT(type, member, report.sample_index)},                  \
		{OPT_FLAG,                                                     \
		 0,                                                            \
		 "mean",                                                       \
		 NULL,                                                         \
		 "divide it by the first value (count)",                       \
		 VIEW_AT(type, member, report.mean)},                          \
		{OPT_DOUBLE,                                                   \
		 0,                                                            \
		 "divide-by",                                                  \
		 "<n>",                                                        \
		 "divide all values by n",                                     \
		 VIEW_AT(type, member, report.divide_by)},                     \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "unit",                                                       \
		 "<unit>",                                                     \
		 "unit of the values",                                         \
		 VIEW_AT(type, member, report.unit)},                          \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "focus",                                                      \
		 "<regex>",                                                    \
		 "only samples with such a frame",                             \
		 VIEW_FILTER(type, member, FOCUS)},                            \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "ignore",                                                     \
		 "<regex>",                                                    \
		 "no samples with such a frame",                               \
		 VIEW_FILTER(type, member, IGNORE)},                           \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "hide",                                                       \
		 "<regex>",                                                    \
		 "take such frames out",                                       \
		 VIEW_FILTER(type, member, HIDE)},                             \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "show",                                                       \
		 "<regex>",                                                    \
		 "keep such frames only",                                      \
		 VIEW_FILTER(type, member, SHOW)},                             \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "show-from",                                                  \
		 "<regex>",                                                    \
		 "cut stacks above the outermost such frame",                  \
		 VIEW_FILTER(type, member, SHOW_FROM)},                        \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "prune-from",                                                 \
		 "<regex>",                                                    \
		 "cut stacks below the innermost such frame",                  \
		 VIEW_FILTER(type, member, PRUNE_FROM)},                       \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "tagfocus",                                                   \
		 "<filter>",                                                   \
		 "only samples with such labels",                              \
		 VIEW_FILTER(type, member, TAG_FOCUS)},                        \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "tagignore",                                                  \
		 "<filter>",                                                   \
		 "no samples with such labels",                                \
		 VIEW_FILTER(type, member, TAG_IGNORE)},                       \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "tagshow",                                                    \
		 "<regex>",                                                    \
		 "only labels of such keys",                                   \
		 VIEW_FILTER(type, member, TAG_SHOW)},                         \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "taghide",                                                    \
		 "<regex>",                                                    \
		 "no labels of such keys",                                     \
		 VIEW_FILTER(type, member, TAG_HIDE)},                         \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "tagroot",                                                    \
		 "<keys>",                                                     \
		 "the values of labels as frames above the root",              \
		 VIEW_FILTER(type, member, TAG_ROOT)},                         \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "tagleaf",                                                    \
		 "<keys>",                                                     \
		 "the same below the leaf",                                    \
		 VIEW_FILTER(type, member, TAG_LEAF)},                         \
		{OPT_FLAG,                                                     \
		 0,                                                            \
		 "all-frames",                                                 \
		 NULL,                                                         \
		 "keep the frames that the profile says to drop",              \
		 VIEW_AT(type, member, all_frames)},                           \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "demangle",                                                   \
		 "<how>",                                                      \
		 "names of C++ and Rust: simple, templates, full, none",       \
		 VIEW_AT(type, member, demangle),                              \
		 "simple templates full none"},                                \
		{OPT_FLAG,                                                     \
		 0,                                                            \
		 "join-clones",                                                \
		 NULL,                                                         \
		 "count copies that compilers make (.isra, .part) as one",     \
		 VIEW_AT(type, member, join_clones)},                          \
		{OPT_TEXT,                                                     \
		 0,                                                            \
		 "granularity",                                                \
		 "<what>",                                                     \
		 "what counts as one",                                         \
		 VIEW_AT(type, member, granularity),                           \
		 "functions filefunctions files lines addresses"},             \
		{OPT_FLAG,                                                     \
		 0,                                                            \
		 "noinlines",                                                  \
		 NULL,                                                         \
		 "give inlined calls to their caller",                         \
		 VIEW_AT(type, member, report.noinlines)},                     \
		{OPT_FLAG,                                                     \
		 0,                                                            \
		 "cum",                                                        \
		 NULL,                                                         \
		 "order by cum instead of flat",                               \
		 VIEW_AT(type, member, report.cum_sort)},                      \
		{OPT_INT,                                                      \
		 0,                                                            \
		 "nodecount",                                                  \
		 "<n>",                                                        \
		 "show at most n (0: all)",                                    \
		 VIEW_AT(type, member, report.node_count),                     \
		 NULL,                                                         \
		 0},                                                           \
		{OPT_DOUBLE,                                                   \
		 0,                                                            \
		 "nodefraction",                                               \
		 "<share>",                                                    \
		 "leave out what is below this share of the total",            \
		 VIEW_AT(type, member, report.node_fraction)},                 \
		{OPT_DOUBLE,                                                   \
		 0,                                                            \
		 "edgefraction",                                               \
		 "<share>",                                                    \
		 "the same for calls",                                         \
		 VIEW_AT(type, member, report.edge_fraction)},                 \
	{                                                                      \
		OPT_FLAG, 0, "relative-percentages", NULL,                     \
			"percentages of what the filters left",                \
			VIEW_AT(type, member, report.relative)                 \
	}

/* What is shown when no option says another thing. */
void view_options_init(struct view_options *out);

/*
 * What the option table cannot check; *view is the one that was asked for.
 * EXIT_DONE, or EXIT_USAGE with a message printed.
 */
int view_options_check(struct view_options *options,
		       const struct pn_view **view,
		       const struct command *command);

/* Names as --demangle and --join-clones want them, then without the frames
 * that the profile itself says to drop, unless they are asked for. */
int view_clean(struct pn_profile *profile, const struct view_options *options,
	       struct pn_error *err);

/*
 * Filter the profile and report on it, unless the view, which may become
 * another one that fits the profile, is of metrics. Says which filters matched
 * nothing. `out` is zeroed before.
 */
int view_prepare(struct pn_report *out, struct pn_view_input *in,
		 const struct pn_view **view, struct pn_profile *profile,
		 const struct view_options *options, struct pn_error *err);

/* The same in two steps: the report, which any thread may make, and what is
 * said about it. */
int view_report(struct pn_report *out, struct pn_view_input *in,
		const struct pn_view **view, struct pn_profile *profile,
		const struct view_options *options, struct pn_error *err);
void view_warn(const struct pn_report *report);

/* Print to -o's file (NULL: standard output, paged). Returns an exit code, or
 * an error's negative one. */
int view_print(const struct global *global, const struct pn_view *view,
	       const struct pn_view_input *in, const char *command,
	       const char *output, bool json, struct pn_error *err);

#endif
