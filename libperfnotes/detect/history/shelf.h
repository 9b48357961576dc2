/*
 * Memory for the rows of a pass, which the next pass takes again: giving it
 * back to the system and having it cleared anew costs as much as a pass. Inside
 * of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_SHELF_H
#define PN_HISTORY_SHELF_H

#include "detect/history/grid.h"

/* Zeroed before it is used. */
struct pn_shelf {
	struct pn_shelf_piece {
		char *bytes, *aligned;
		size_t size, begin; /* what all pieces before it have */
	} * pieces;
	size_t count, cap;
	size_t piece;	/* of what is taken last */
	char *at, *end; /* of what is left of it */
};

void *pn_shelf_add(struct pn_shelf *shelf, size_t size);

#define PN_SHELF_ALIGNED ((size_t)64)

/* Not set, at a multiple of 64 bytes; they stay where they are. */
static inline void *pn_shelf_take_bytes(struct pn_shelf *shelf, size_t size)
{
	char *out = shelf->at;

	size = (size + PN_SHELF_ALIGNED - 1) / PN_SHELF_ALIGNED *
	       PN_SHELF_ALIGNED;
	if (size > (size_t)(shelf->end - out))
		return pn_shelf_add(shelf, size);
	shelf->at = out + size;
	return out;
}

static inline PN_REAL *pn_shelf_take(struct pn_shelf *shelf, size_t count)
{
	return (PN_REAL *)pn_shelf_take_bytes(shelf, count * sizeof(PN_REAL));
}

/* The last so many of what was taken last, of whole lanes. */
void pn_shelf_give_back(struct pn_shelf *shelf, size_t count);
/* Bytes that are taken or lost between them, and back to as many. */
size_t pn_shelf_taken(const struct pn_shelf *shelf);
void pn_shelf_return(struct pn_shelf *shelf, size_t taken);
void pn_shelf_release(struct pn_shelf *shelf);

#endif
