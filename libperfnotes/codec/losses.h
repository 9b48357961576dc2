/* What a format cannot hold of a profile, so that it is said once. */
#ifndef PN_CODEC_LOSSES_H
#define PN_CODEC_LOSSES_H

#include "base/buf.h"
#include "codec/codec.h"

enum pn_loss {
	PN_LOSS_UNIT = 1,	/* of the one value type */
	PN_LOSS_TYPES = 2,	/* all but one */
	PN_LOSS_TYPE_NAME = 4,	/* of the one, or the default one */
	PN_LOSS_TYPE_UNITS = 8, /* of the others */
	PN_LOSS_RUNS = 16,
	PN_LOSS_TOTALS = 32,   /* of some functions of a call graph */
	PN_LOSS_COSTS = 64,    /* of the stacks, or the graph beside them */
	PN_LOSS_FIGURES = 128, /* metrics beside value types, curves, times of
				* samples, facts */
	PN_LOSS_ROLES = 256,
	PN_LOSS_FREE = 512,   /* functions that cost nothing */
	PN_LOSS_NAMES = 1024, /* of functions, as they are */
	PN_LOSS_END = 2048
};

/* Those of enum pn_loss, or-ed. Time O(size) of a call graph. */
unsigned int pn_losses_of(const struct pn_codec *codec,
			  const struct pn_profile *profile);

/* All of them as sentences, a line each. */
void pn_losses_text(struct pn_buf *out, const struct pn_codec *codec,
		    const struct pn_profile *profile);

/* The value type that a format of one keeps: the default one where it fits,
 * else the first that does. SIZE_MAX: there is none. */
size_t pn_losses_kept_type(const struct pn_codec *codec,
			   const struct pn_profile *profile);

#endif
