/*
 * Memory for the rows of a pass, which the next pass takes again: giving it
 * back to the system and having it cleared anew costs as much as a pass. Inside
 * of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_ROWS_H
#define PN_HISTORY_ROWS_H

#include "detect/history/grid.h"

/* Zeroed before it is used. */
struct pn_rows {
	struct pn_rows_piece {
		char *bytes, *aligned;
		size_t size, begin; /* what all pieces before it have */
	} * pieces;
	size_t count, cap;
	size_t piece;	/* of what is taken last */
	char *at, *end; /* of what is left of it */
};

void *pn_rows_add(struct pn_rows *rows, size_t size);

#define PN_ROWS_ALIGNED ((size_t)64)

/* Not set, at a multiple of 64 bytes; they stay where they are. */
static inline void *pn_rows_take_bytes(struct pn_rows *rows, size_t size)
{
	char *out = rows->at;

	size = (size + PN_ROWS_ALIGNED - 1) / PN_ROWS_ALIGNED * PN_ROWS_ALIGNED;
	if (size > (size_t)(rows->end - out))
		return pn_rows_add(rows, size);
	rows->at = out + size;
	return out;
}

static inline PN_REAL *pn_rows_take(struct pn_rows *rows, size_t count)
{
	return (PN_REAL *)pn_rows_take_bytes(rows, count * sizeof(PN_REAL));
}

/* The last so many of what was taken last, of whole lanes. */
void pn_rows_give_back(struct pn_rows *rows, size_t count);
/* Bytes that are taken or lost between them, and back to as many. */
size_t pn_rows_taken(const struct pn_rows *rows);
void pn_rows_return(struct pn_rows *rows, size_t taken);
void pn_rows_release(struct pn_rows *rows);

#endif
