/* Opening a file: bytes that have to be inflated are got ahead by a thread,
 * where they are many. */
#include "base/ahead.h"
#include "base/alloc.h"
#include "base/reader/inside.h"
#include "base/reader/whole.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW 3
/* From how many compressed bytes on a thread is worth its start. */
#define AHEAD_MIN (512 * 1024)
/* How much is shown at once where all of it is asked for. */
#define ALL_MAX ((uint64_t)64 << 20)

/* What one look into the inner reader showed. */
struct piece {
	struct pn_buf bytes;
	uint64_t left; /* behind it */
	struct pn_error err;
	int code;
};

struct inflating {
	struct pn_reader *inner;
	struct piece pieces[WINDOW];
	struct pn_ahead *ahead;	   /* NULL until the first piece is used up */
	const struct piece *piece; /* the caller's, from `at` on */
	size_t at;
};

static void look(void *data, size_t number, size_t worker)
{
	struct inflating *ahead = data;
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

static void release(void *from)
{
	struct inflating *ahead = from;
	size_t i;

	pn_ahead_free(ahead->ahead);
	pn_reader_free(ahead->inner);
	for (i = 0; i < WINDOW; i++)
		pn_buf_release(&ahead->pieces[i].bytes);
	free(ahead);
}

/* The first piece here: what is in it may be enough, or say that all is wanted
 * at once. */
static const struct piece *next_piece(struct inflating *ahead)
{
	const struct pn_ahead_work work = {look, ahead, SIZE_MAX, WINDOW, 1};
	size_t number = 0;

	if (!ahead->piece) {
		look(ahead, number, 0);
		return ahead->pieces;
	}
	if (!ahead->ahead)
		ahead->ahead = pn_ahead_new(&work);
	pn_ahead_next(&number, ahead->ahead);
	return &ahead->pieces[number % WINDOW];
}

static unsigned char *all(size_t *len, void *from)
{
	struct inflating *ahead = from;

	if (ahead->ahead)
		return NULL;
	return pn_reader_inflate_file(len, ahead->inner, ALL_MAX);
}

static int take(size_t *got, uint64_t *left, void *from, unsigned char *to,
		size_t room, struct pn_error *err)
{
	struct inflating *ahead = from;
	const struct piece *piece = ahead->piece;
	size_t n;

	if (!piece || (ahead->at == piece->bytes.len && ahead->at)) {
		piece = ahead->piece = next_piece(ahead);
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

/* Takes the inner reader over; nobody else may touch it then. */
static struct pn_reader *inflate_ahead(struct pn_reader *inner)
{
	struct inflating *ahead = pn_calloc(1, sizeof(*ahead));
	const struct pn_reader_inflated from = {take, all, release, ahead};

	ahead->inner = inner;
	return pn_reader_over(inner, &from);
}

int pn_reader_open(struct pn_reader **out, const char *path, uint64_t max_bytes,
		   struct pn_error *err)
{
	struct pn_reader *reader = NULL;
	int code = pn_reader_open_whole(&reader, path, max_bytes, 0, err);

	if (code)
		return code;
	if (pn_reader_inflates(reader, AHEAD_MIN))
		reader = inflate_ahead(reader);
	pn_reader_set_alone(reader);
	*out = reader;
	return 0;
}
