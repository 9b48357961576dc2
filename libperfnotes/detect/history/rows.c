/* Memory for the rows of a pass: pieces, taken from the first on. */
#include "detect/history/rows.h"

#include "base/alloc.h"

#include <stdlib.h>

#define PIECE ((size_t)256 << 10)

static void begin_piece(struct pn_rows *rows, size_t i)
{
	rows->piece = i;
	rows->at = rows->pieces[i].aligned;
	rows->end = rows->at + rows->pieces[i].size;
}

/* Of the next piece, which becomes one that has so much. */
void *pn_rows_add(struct pn_rows *rows, size_t size)
{
	size_t i = rows->at ? rows->piece + 1 : 0, skew;
	struct pn_rows_piece *piece;
	void *out;

	/* one that is too small goes, and those behind it */
	while (rows->count > i && rows->pieces[i].size < size)
		free(rows->pieces[--rows->count].bytes);
	if (rows->count == i) {
		rows->pieces = pn_grow(rows->pieces, &rows->cap, i + 1,
				       sizeof(*rows->pieces));
		piece = &rows->pieces[rows->count++];
		*piece = (struct pn_rows_piece){.size = size < PIECE ? PIECE
								     : size};
		if (i)
			piece->begin = piece[-1].begin + piece[-1].size;
		piece->bytes = pn_malloc(piece->size + PN_ROWS_ALIGNED);
		skew = (uintptr_t)piece->bytes % PN_ROWS_ALIGNED;
		piece->aligned = piece->bytes + (PN_ROWS_ALIGNED - skew);
	}
	begin_piece(rows, i);
	out = rows->at;
	rows->at += size;
	return out;
}

void pn_rows_give_back(struct pn_rows *rows, size_t count)
{
	rows->at -= count * sizeof(PN_REAL) / PN_ROWS_ALIGNED * PN_ROWS_ALIGNED;
}

size_t pn_rows_taken(const struct pn_rows *rows)
{
	const struct pn_rows_piece *piece = &rows->pieces[rows->piece];

	return rows->at ? piece->begin + (size_t)(rows->at - piece->aligned)
			: 0;
}

void pn_rows_return(struct pn_rows *rows, size_t taken)
{
	size_t i = rows->piece;

	if (!rows->at)
		return;
	while (i && rows->pieces[i].begin > taken)
		i--;
	begin_piece(rows, i);
	rows->at += taken - rows->pieces[i].begin;
}

void pn_rows_release(struct pn_rows *rows)
{
	while (rows->count)
		free(rows->pieces[--rows->count].bytes);
	free(rows->pieces);
	*rows = (struct pn_rows){0};
}
