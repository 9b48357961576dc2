/* What postprocessors made of a profile, as text and as JSON. */
#ifndef PN_RENDER_APPLIED_H
#define PN_RENDER_APPLIED_H

#include "analysis/post/postprocess.h"
#include "base/error.h"
#include "model/profile.h"

#include <stdio.h>

/* Everything is borrowed. */
struct pn_applied {
	const struct pn_profile *profile;   /* as it is now */
	size_t models_before, posts_before; /* in its header: what is new */
	const struct pn_post_notes *notes;
	const char *name, *path; /* of the file that it is kept in */
	const char *origin;	 /* commit that was measured, or "" */
};

/* A table of the new models; nothing when there is none. */
int pn_applied_text(FILE *to, const struct pn_applied *applied,
		    struct pn_error *err);
int pn_applied_json(FILE *to, const struct pn_applied *applied,
		    struct pn_error *err);

#endif
