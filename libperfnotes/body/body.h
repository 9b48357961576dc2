/*
 * The canonical body: the bytes of a profile in git's object database. A key
 * body stands alone, a delta body needs the profile of its base. Drawn in
 * storage/FORMAT.md. Also the codec "git-perf" (key bodies as files).
 */
#ifndef PN_BODY_BODY_H
#define PN_BODY_BODY_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "model/profile.h"

#include <stdbool.h>

#define PN_BODY_CHAIN_MAX 16 /* deltas on one key body; ours need 12 */
#define PN_BODY_MAX_RAW ((uint64_t)1 << 30) /* bytes of decoded columns */
/* of decoded columns to bytes; as much as deflate itself can do */
#define PN_BODY_MAX_RATIO 1024

/* What the first bytes of a body say. */
struct pn_body_info {
	bool is_delta;
	struct pn_oid base; /* blob id of the base body, when is_delta */
	unsigned int depth; /* 0: key body */
	uint64_t serial;    /* profiles since the key body */
	uint64_t raw_bytes; /* of the decoded columns */
};
/* PN_EINVAL when these are no body's bytes. 64 bytes are enough. */
int pn_body_info(struct pn_body_info *out, const void *bytes, size_t len,
		 struct pn_error *err);

/*
 * A body with the column layout that later bodies of its chain build on. It
 * is what decoding leaves besides the profile: order of strings, frames,
 * stacks and rows. Holds on to the states of its bases, and shares with them
 * what is equal.
 */
struct pn_body_state;
void pn_body_state_free(struct pn_body_state *state);
/* Another holder of it, who frees it, too. */
struct pn_body_state *pn_body_state_share(const struct pn_body_state *state);

/* The state of the body `oid` among the bases of `state`, NULL: not there.
 * Borrowed. So that a reader of a series need not start from the key. */
const struct pn_body_state *
pn_body_state_find(const struct pn_body_state *state, const struct pn_oid *oid);

/* About how many bytes the columns of a profile will have, from its counts
 * alone: without the tree of its stacks, and as if nothing were there twice. */
uint64_t pn_body_estimate(const struct pn_profile *profile);

/*
 * Encode. With `base` (state of the preceding profile's body, whose blob id
 * is base_oid) the order of tables is inherited from it; a delta body results
 * when it is small enough and the chain short enough, else a key body in the
 * inherited order. The delta may be on a base of `base` (pn_body_info on the
 * result says which), so that chains stay short. *state (may be NULL) is the
 * new body's own. The profile keeps the rules of pn_profile_check.
 * PN_ELIMIT when it has more than PN_BODY_MAX_RAW.
 */
int pn_body_encode(struct pn_buf *out, struct pn_body_state **state,
		   const struct pn_profile *profile,
		   const struct pn_body_state *base,
		   const struct pn_oid *base_oid, struct pn_error *err);

/*
 * The same in less memory: besides the profile, the bytes and the base some
 * 100 bytes a stack. A base comes from pn_body_decode_lean; *out is left as it
 * was when a delta on it would be too large, a key of this profile alone is to
 * be written then. The bytes are read back, and are what the profile says, or
 * PN_EINVAL.
 */
int pn_body_encode_lean(struct pn_buf *out, const struct pn_profile *profile,
			const struct pn_body_state *base,
			const struct pn_oid *base_oid, struct pn_error *err);

/*
 * Decode one body; `base` is for a delta the state of its base, or of a body
 * that is built on that. Verifies the checksum of the result. *state may be
 * NULL.
 */
int pn_body_decode(struct pn_body_state **state, const void *bytes, size_t len,
		   const struct pn_body_state *base, struct pn_error *err);
/* The same for pn_body_encode_lean alone, with two to four bytes a path instead
 * of 16; `base` is of this kind, too. What was read of `bytes` goes back to the
 * system: they can only be freed. PN_EINVAL also where a delta changes the
 * paths of its base, which ours do not. */
int pn_body_decode_lean(struct pn_body_state **state, void *bytes, size_t len,
			const struct pn_body_state *base, struct pn_error *err);
bool pn_body_state_is_lean(const struct pn_body_state *state);
/* Whether these bytes are the ones that are written for what they decoded to.
 * Others may say the same in another coding, and then have another name. */
bool pn_body_is_canonical(const struct pn_body_state *state, const void *bytes,
			  size_t len);
/* The profile that a state stands for; `out` is initialised or zeroed by the
 * caller, what it held is released. */
int pn_body_profile(struct pn_profile *out, const struct pn_body_state *state,
		    struct pn_error *err);
/* The same of what this program has just encoded, for a comparison: takes it
 * that no string is there twice. */
int pn_body_profile_again(struct pn_profile *out,
			  const struct pn_body_state *state,
			  struct pn_error *err);

#endif
