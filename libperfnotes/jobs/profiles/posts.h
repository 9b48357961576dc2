/* Postprocessors as a command line names them. */
#ifndef PN_PROFILES_POSTS_H
#define PN_PROFILES_POSTS_H

#include "analysis/post/postprocess.h"
#include "base/opts/opts.h"

/* As the options of `git perf model` say it. */
struct pn_posts_ask {
	/* "<name>[ <key>=<value>...]" each; none: the default one. */
	struct pn_opt_list lines;
	struct pn_opt_list settings; /* "<key>=<value>" each, of the only one */
	const char *of, *depending_on; /* settings, too; or NULL */
};

/* OPT_TABLE(struct pn_posts_ask, <member>, pn_posts_opts). */
extern const struct pn_opt pn_posts_opts[];

/* What to apply, in this order; lives in the arena. */
int pn_posts_parse(struct pn_post **out, size_t *count, struct pn_arena *arena,
		   const struct pn_posts_ask *ask, struct pn_error *err);

#endif
