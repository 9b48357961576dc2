/*
 * Inside of base/ only: a reader whose bytes are got ahead by a thread, so
 * that inflating a large file goes beside what is done with its content.
 */
#ifndef PN_BASE_READER_AHEAD_H
#define PN_BASE_READER_AHEAD_H

#include "base/reader.h"

struct pn_reader_ahead;

/* Takes the reader over; nobody else may touch it then. */
struct pn_reader_ahead *pn_reader_ahead_new(struct pn_reader *inner);
void pn_reader_ahead_free(struct pn_reader_ahead *ahead);

/* Up to `room` bytes to `to`, *got of them, 0 at the end. *left bounds what
 * comes after them, as pn_reader_left. */
int pn_reader_ahead_take(size_t *got, uint64_t *left,
			 struct pn_reader_ahead *ahead, unsigned char *to,
			 size_t room, struct pn_error *err);

#endif
