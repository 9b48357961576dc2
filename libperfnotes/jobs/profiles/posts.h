/* Postprocessors as a command line names them. */
#ifndef PN_PROFILES_POSTS_H
#define PN_PROFILES_POSTS_H

#include "analysis/post/postprocess.h"

struct pn_posts_request {
	/* "<name>[ <key>=<value>...]" each; none: the default one. */
	const char *const *lines;
	size_t line_count;
	/* "<key>=<value>" each, of the only one. */
	const char *const *settings;
	size_t setting_count;
	const char *of, *depending_on; /* settings, too; or NULL */
};

/* What to apply, in this order; lives in the arena. */
int pn_posts_parse(struct pn_post **out, size_t *count, struct pn_arena *arena,
		   const struct pn_posts_request *request,
		   struct pn_error *err);

#endif
