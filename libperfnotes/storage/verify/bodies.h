/*
 * Inside of verify.c only: the bodies of a store, each read twice and decoded
 * once, however many profiles build on it.
 */
#ifndef PN_VERIFY_BODIES_H
#define PN_VERIFY_BODIES_H

#include "base/error.h"
#include "base/oid.h"
#include "base/strtab.h"
#include "body/body.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of a body. */
struct pn_seen_body {
	bool here;  /* its bytes are in the repository ... */
	bool named; /* ... and have its name */
	bool has_info;
	bool sound;	 /* so is all that it builds on; set by the caller */
	bool wanted;	 /* decode it; set by the caller */
	const char *why; /* it cannot be read or decoded, NULL: it can */
	size_t size;
	struct pn_body_info info; /* with has_info */
	uint32_t child, sibling;  /* deltas on it, the next one of its base */
};

struct pn_seen_bodies {
	struct pn_repo *repo;
	struct pn_strtab ids; /* 20 bytes each */
	struct pn_arena texts;
	struct pn_seen_body *items; /* by the numbers of `ids` */
	size_t cap;
};

void pn_seen_bodies_release(struct pn_seen_bodies *bodies);

/* The number of a body, which is read if it was not yet. */
uint32_t pn_seen_body(struct pn_seen_bodies *bodies, const struct pn_oid *id);

/*
 * Decode those that are wanted; `why` says which failed. A delta whose base is
 * not one step nearer to the key is left as it is. Time O(bodies), memory that
 * of one chain.
 */
void pn_seen_bodies_decode(struct pn_seen_bodies *bodies);

#endif
