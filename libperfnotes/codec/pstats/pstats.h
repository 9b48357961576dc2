/* The halves of the codec for Python's profile dumps. */
#ifndef PN_PSTATS_PSTATS_H
#define PN_PSTATS_PSTATS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

/* A caller's (calls, primitive, own, cumulative) is a tuple of 4, a function's
 * entry one of 5; the dumps hold no larger tuple. */
#define PN_PSTATS_TUPLE_MAX 5
/* dump > entry > callers > function > its name */
#define PN_PSTATS_DEPTH_MAX 8
#define PN_PSTATS_STRING_MAX (1u << 24)

int pn_pstats_read(struct pn_profile *out, struct pn_reader *in,
		   struct pn_error *err);
int pn_pstats_write(struct pn_buf *out, const struct pn_profile *profile,
		    struct pn_error *err);

#endif
