/* What is doubtful of how a profile was measured, as text and as JSON. */
#ifndef PN_RENDER_REMARK_H
#define PN_RENDER_REMARK_H

#include "base/buf.h"
#include "base/json/json.h"
#include "model/profile.h"

#define PN_REMARKS 3

/* One of them as a warning, without its end: that the machine was not quiet,
 * that functions are too short to be traced, that the sampler saw little.
 * Nothing where nothing is. */
void pn_remark_warning(struct pn_buf *out, size_t which,
		       const struct pn_profile *profile);
/* A line each; nothing where nothing is. */
void pn_remark_text(struct pn_buf *out, const struct pn_profile *profile);
/* The members quiet, noisy and seen. */
void pn_remark_json(struct pn_json_writer *w, const struct pn_profile *profile);
/* The same two of the text of such a fact; none of "". */
void pn_quiet_json(struct pn_json_writer *w, const char *fact);

#endif
