/*
 * Shortening a profile's stacks and dropping its samples, in place. What
 * filters are made of; stacks only ever become shorter.
 */
#ifndef PN_FILTER_STACKS_H
#define PN_FILTER_STACKS_H

#include "model/profile.h"

/*
 * Cut each stack and drop the samples of those that do not stay. `cut` says
 * which frames of a stack stay: frames[*from .. *to), leaf first; it may also
 * move frames to the front and say so. It returns whether the samples of the
 * stack stay.
 */
void pn_stacks_cut(struct pn_profile *profile,
		   bool (*cut)(uint32_t *frames, size_t count, size_t *from,
			       size_t *to, const void *context),
		   const void *context);

/* Drop samples: `stacks` and `sets` are one flag each (non-zero: stays), NULL
 * for all. */
void pn_samples_keep(struct pn_profile *profile, const unsigned char *stacks,
		     const unsigned char *sets);

#endif
