/* Memory for the rows of a pass: pieces, taken from the first on. */
#include "detect/history/shelf.h"

#include "base/alloc.h"

#include <stdlib.h>

#define PIECE ((size_t)256 << 10)

static void begin_piece(struct pn_shelf *shelf, size_t i)
{
	shelf->piece = i;
	shelf->at = shelf->pieces[i].aligned;
	shelf->end = shelf->at + shelf->pieces[i].size;
}

/* Of the next piece, which becomes one that has so much. */
void *pn_shelf_add(struct pn_shelf *shelf, size_t size)
{
	size_t i = shelf->at ? shelf->piece + 1 : 0, skew;
	struct pn_shelf_piece *piece;
	void *out;

	/* one that is too small goes, and those behind it */
	while (shelf->count > i && shelf->pieces[i].size < size)
		free(shelf->pieces[--shelf->count].bytes);
	if (shelf->count == i) {
		shelf->pieces = pn_grow(shelf->pieces, &shelf->cap, i + 1,
					sizeof(*shelf->pieces));
		piece = &shelf->pieces[shelf->count++];
		*piece = (struct pn_shelf_piece){.size = size < PIECE ? PIECE
								      : size};
		if (i)
			piece->begin = piece[-1].begin + piece[-1].size;
		piece->bytes = pn_malloc(piece->size + PN_SHELF_ALIGNED);
		skew = (uintptr_t)piece->bytes % PN_SHELF_ALIGNED;
		piece->aligned = piece->bytes + (PN_SHELF_ALIGNED - skew);
	}
	begin_piece(shelf, i);
	out = shelf->at;
	shelf->at += size;
	return out;
}

void pn_shelf_give_back(struct pn_shelf *shelf, size_t count)
{
	shelf->at -=
		count * sizeof(PN_REAL) / PN_SHELF_ALIGNED * PN_SHELF_ALIGNED;
}

size_t pn_shelf_taken(const struct pn_shelf *shelf)
{
	const struct pn_shelf_piece *piece = &shelf->pieces[shelf->piece];

	return shelf->at ? piece->begin + (size_t)(shelf->at - piece->aligned)
			 : 0;
}

void pn_shelf_return(struct pn_shelf *shelf, size_t taken)
{
	size_t i = shelf->piece;

	if (!shelf->at)
		return;
	while (i && shelf->pieces[i].begin > taken)
		i--;
	begin_piece(shelf, i);
	shelf->at += taken - shelf->pieces[i].begin;
}

void pn_shelf_release(struct pn_shelf *shelf)
{
	while (shelf->count)
		free(shelf->pieces[--shelf->count].bytes);
	free(shelf->pieces);
	*shelf = (struct pn_shelf){0};
}
