/* What is doubtful of how a profile was measured, as text and as JSON. */
#ifndef PN_RENDER_REMARK_H
#define PN_RENDER_REMARK_H

#include "base/buf.h"
#include "base/json/json.h"
#include "model/profile.h"

/* Why the machine was not quiet enough; nothing when it was. */
void pn_noise_text(struct pn_buf *out, const struct pn_profile *profile);
/* How little the sampler saw; nothing when it was nearly all. */
void pn_unseen_text(struct pn_buf *out, const struct pn_profile *profile);
/* Which functions are too short to be traced; nothing when none is. */
void pn_below_text(struct pn_buf *out, const struct pn_profile *profile);
/* A line each; nothing where nothing is. */
void pn_remark_text(struct pn_buf *out, const struct pn_profile *profile);
/* The members quiet, noisy and seen. */
void pn_remark_json(struct pn_json_writer *w, const struct pn_profile *profile);
/* The same two of the text of such a fact; none of "". */
void pn_quiet_json(struct pn_json_writer *w, const char *fact);

#endif
