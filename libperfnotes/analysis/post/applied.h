/* What postprocessors made of a profile: plain data that is filled where it is
 * kept, and printed by a renderer. */
#ifndef PN_POST_APPLIED_H
#define PN_POST_APPLIED_H

#include "analysis/post/postprocess.h"

/* Everything is borrowed. */
struct pn_applied {
	const struct pn_profile *profile;   /* as it is now */
	size_t models_before, posts_before; /* in its header: what is new */
	const struct pn_post_notes *notes;
	const char *name, *path; /* of the file that it is kept in */
	const char *origin;	 /* commit that was measured, or "" */
};

#endif
