/* Bytes that a thread gets ahead. */
#include "base/reader_ahead.h"

#include "base/ahead.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW 3

/* What one look into the inner reader showed. */
struct piece {
	struct pn_buf bytes;
	uint64_t left; /* behind it */
	struct pn_error err;
	int code;
};

struct pn_reader_ahead {
	struct pn_reader *inner;
	struct piece pieces[WINDOW];
	struct pn_ahead *ahead;
	const struct piece *piece; /* the caller's, from `at` on */
	size_t at;
};

static void look(void *data, size_t number, size_t worker)
{
	struct pn_reader_ahead *ahead = data;
	struct piece *piece = &ahead->pieces[number % WINDOW];
	const unsigned char *at;
	size_t have = 0;

	(void)worker;
	pn_buf_clear(&piece->bytes);
	piece->code = pn_reader_peek(&at, &have, ahead->inner, 1, &piece->err);
	if (piece->code)
		return;
	pn_buf_add(&piece->bytes, at, have);
	pn_reader_consume(ahead->inner, have);
	piece->left = pn_reader_left(ahead->inner);
}

struct pn_reader_ahead *pn_reader_ahead_new(struct pn_reader *inner)
{
	struct pn_reader_ahead *ahead = pn_calloc(1, sizeof(*ahead));
	struct pn_ahead_work work = {look, ahead, SIZE_MAX, WINDOW, 1};

	ahead->inner = inner;
	ahead->ahead = pn_ahead_new(&work);
	return ahead;
}

void pn_reader_ahead_free(struct pn_reader_ahead *ahead)
{
	size_t i;

	if (!ahead)
		return;
	pn_ahead_free(ahead->ahead);
	pn_reader_free(ahead->inner);
	for (i = 0; i < WINDOW; i++)
		pn_buf_release(&ahead->pieces[i].bytes);
	free(ahead);
}

int pn_reader_ahead_take(size_t *got, uint64_t *left,
			 struct pn_reader_ahead *ahead, unsigned char *to,
			 size_t room, struct pn_error *err)
{
	const struct piece *piece = ahead->piece;
	size_t number, n;

	if (!piece || (ahead->at == piece->bytes.len && ahead->at)) {
		pn_ahead_next(&number, ahead->ahead);
		piece = ahead->piece = &ahead->pieces[number % WINDOW];
		ahead->at = 0;
	}
	if (piece->code)
		return pn_error_set(err, piece->code, "%s", piece->err.message);
	n = piece->bytes.len - ahead->at;
	n = n < room ? n : room;
	if (n)
		memcpy(to, piece->bytes.data + ahead->at, n);
	ahead->at += n;
	*got = n;
	*left = piece->left + (piece->bytes.len - ahead->at);
	return 0;
}
