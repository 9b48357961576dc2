/* The series of commits: what show and diff print of a revision. */
#ifndef CMD_COMMITS_H
#define CMD_COMMITS_H

#include "command.h"
#include "context.h"
#include "jobs/profiles/sides.h"

struct commits_options {
	const char *output;
	bool json;
	bool all;	    /* metrics, not the first of a series alone */
	bool exit_code;	    /* EXIT_NO when the second is worse */
	const char *metric; /* the only ones, a regular expression, or NULL */
	double min_effect;  /* what is worse by less is not */
	const char *type;   /* a value of profiles, which commits have not */
};

/* Of `after`, or of two, and of those series that `name` (NULL: all) fits.
 * Returns an exit code, or an error's negative one. */
int print_commits(const struct global *global, const struct context *context,
		  const struct pn_side *before, const struct pn_side *after,
		  const char *name, const struct commits_options *options,
		  struct pn_error *err);

#endif
