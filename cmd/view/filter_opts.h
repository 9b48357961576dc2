/* What is said of filters, and what export and merge do with them. */
#ifndef CMD_VIEW_FILTER_OPTS_H
#define CMD_VIEW_FILTER_OPTS_H

#include "analysis/filter/options.h"
#include "analysis/merge/written.h"
#include "command.h"
#include "profile_arg.h"

/* Says which filters matched nothing; see pn_filter_apply. */
void filters_warn(unsigned int unmatched);

/* Rows of their option tables: `written` is a member of their struct. */
#define OPT_WRITTEN                                                            \
	{OPT_TABLE(struct pn_filter, written.filter, pn_filter_opts)},         \
		{OPT_TABLE(struct pn_reshape, written.reshape,                 \
			   pn_reshape_opts)},                                  \
		{OPT_TABLE(struct pn_bases, written.bases, pn_bases_opts)},    \
		{OPT_TABLE(struct pn_top_ask, written.top, pn_top_opts)},      \
	{                                                                      \
		OPT_TABLE(struct pn_written, written, pn_written_opts)         \
	}

/* 0, or the exit code of a usage error. */
int check_written(struct pn_written *written, const struct command *command);
/* Without its bases, which `from` says how to look up, with a warning for each
 * filter that matched nothing, in the shape asked for, with comments. */
int shape_written(struct pn_profile *profile, const struct pn_written *written,
		  const struct profile_arg *from, struct pn_error *err);

#endif
