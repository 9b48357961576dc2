/* What a format has no place for. */
#ifndef PN_CODEC_LOSS_H
#define PN_CODEC_LOSS_H

#include "codec/codec.h"

#define PN_CODEC_LOSSES 3 /* units, value types, runs */

/* Append what a file of this format does not hold of the profile, in words;
 * nothing where it holds it. Not escaped. */
void pn_codec_loss_text(struct pn_buf *out, size_t loss,
			const struct pn_codec *codec,
			const struct pn_profile *profile);

#endif
