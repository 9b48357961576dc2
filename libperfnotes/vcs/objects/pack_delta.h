/* Inside of vcs/ only: one object told by another, gitformat-pack(5). */
#ifndef PN_OBJECTS_PACK_DELTA_H
#define PN_OBJECTS_PACK_DELTA_H

#include "base/buf.h"
#include "vcs/objects/objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_PACK_OFS_DELTA 6

/*
 * Append the deltified form of `target` on `base`: what both have at the same
 * distance from the beginning, or from the end, is copied, as in lines whose
 * fields have the same order and mostly the same widths. False, with nothing
 * appended, when that takes `limit` bytes or more.
 */
bool pn_pack_delta(struct pn_buf *out, const struct pn_object *base,
		   const struct pn_object *target, size_t limit);

/*
 * Append what a delta tells of `base`, at most `limit` bytes. False, with
 * anything appended, when it is damaged, of another base, or tells more.
 */
bool pn_pack_delta_apply(struct pn_buf *out, const struct pn_buf *base,
			 const struct pn_buf *delta, uint64_t limit);

/* Append how far before its delta a base begins. */
void pn_pack_delta_distance(struct pn_buf *out, size_t distance);

#endif
