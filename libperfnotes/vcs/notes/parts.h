/* Inside of vcs/ only: packs that are written before the commit that leads to
 * them, because not all of it fits into memory. */
#ifndef PN_NOTES_PARTS_H
#define PN_NOTES_PARTS_H

#include "base/error.h"
#include "vcs/objects/objects.h"

#include <stddef.h>

/* A zeroed struct is empty. */
struct pn_parts {
	struct pn_pack *items;
	size_t count, cap;
};

/* Takes the pack over. */
void pn_parts_add(struct pn_parts *parts, const struct pn_pack *pack);
/* PN_EIO where one is gone, which nobody takes while it is kept, but by hand.
 */
int pn_parts_check(const struct pn_parts *parts, struct pn_error *err);
/* A ref leads to them now: they stay. What check says. */
int pn_parts_end(struct pn_parts *parts, struct pn_error *err);
/* None will: they go. */
void pn_parts_discard(struct pn_parts *parts);

#endif
