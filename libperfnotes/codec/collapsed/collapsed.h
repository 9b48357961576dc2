/* The halves of the codec for collapsed stacks. */
#ifndef PN_COLLAPSED_COLLAPSED_H
#define PN_COLLAPSED_COLLAPSED_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

/* Value types of lines with two numbers. */
#define PN_COLLAPSED_BASELINE "baseline"
#define PN_COLLAPSED_TARGET "target"
/* Where so many bytes of lines all had two numbers, the rest of the file has
 * them, too: it is read as a pair of profiles. */
#define PN_COLLAPSED_DECIDE_BYTES (1u << 20)

/* Characters of a count; a longer one is part of a name. Any shorter one is a
 * finite double. */
#define PN_COLLAPSED_COUNT_MAX 300

int pn_collapsed_read(struct pn_profile *out, struct pn_reader *in,
		      struct pn_error *err);
int pn_collapsed_write(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err);
/* How many functions have bytes in their names that are replaced. */
size_t pn_collapsed_other_names(const struct pn_profile *profile);

#endif
