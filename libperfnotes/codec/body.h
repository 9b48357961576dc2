/*
 * The canonical body: the bytes of a profile in git's object database. A key
 * body stands alone, a delta body needs the profile of its base. Drawn in
 * storage/FORMAT.md. Also the codec "git-perf" (key bodies as files).
 */
#ifndef PN_CODEC_BODY_H
#define PN_CODEC_BODY_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "model/profile.h"

#include <stdbool.h>

#define PN_BODY_CHAIN_MAX 16 /* deltas on one key body; measured, FORMAT.md */

/* What the first bytes of a body say. */
struct pn_body_info {
	bool is_delta;
	struct pn_oid base; /* blob id of the base body, when is_delta */
	unsigned int depth; /* 0: key body */
	uint64_t raw_bytes; /* of the decoded columns */
};
/* PN_EINVAL when these are no body's bytes. 64 bytes are enough. */
int pn_body_info(struct pn_body_info *out, const void *bytes, size_t len,
		 struct pn_error *err);

/*
 * A body with the column layout that later bodies of its chain build on. It
 * is what decoding leaves besides the profile: order of strings, frames,
 * stacks and rows.
 */
struct pn_body_state;
void pn_body_state_free(struct pn_body_state *state);

/*
 * Encode. With `base` (state of the base body, whose blob id and depth are
 * given) the order of tables is inherited from it; a delta body results when
 * it is small enough and the chain short enough, else a key body in the
 * inherited order. *state (may be NULL) is the new body's own.
 */
int pn_body_encode(struct pn_buf *out, struct pn_body_state **state,
		   const struct pn_profile *profile,
		   const struct pn_body_state *base,
		   const struct pn_oid *base_oid, struct pn_error *err);

/*
 * Decode one body; `base` is the state of its base for a delta, NULL for a
 * key. Verifies the checksum of the result. *state may be NULL.
 */
int pn_body_decode(struct pn_body_state **state, const void *bytes, size_t len,
		   const struct pn_body_state *base, struct pn_error *err);
/* The profile that a state stands for. */
int pn_body_profile(struct pn_profile *out, const struct pn_body_state *state,
		    struct pn_error *err);

#endif
