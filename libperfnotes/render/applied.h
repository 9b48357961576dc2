/* What postprocessors made of a profile, as text and as JSON. */
#ifndef PN_RENDER_APPLIED_H
#define PN_RENDER_APPLIED_H

#include "analysis/post/applied.h"
#include "base/error.h"
#include "model/profile.h"

#include <stdio.h>

/* A table of the new models; nothing when there is none. */
int pn_applied_text(FILE *to, const struct pn_applied *applied,
		    struct pn_error *err);
int pn_applied_json(FILE *to, const struct pn_applied *applied,
		    struct pn_error *err);
/* What they could not do, warnings, a line each: the first ones. */
void pn_post_notes_text(struct pn_buf *out, const struct pn_post_notes *notes);

#endif
