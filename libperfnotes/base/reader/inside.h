/*
 * Inside of base/ only: what a reader needs of the one below, so that
 * inflating a large file goes beside what is done with its content.
 */
#ifndef PN_READER_INSIDE_H
#define PN_READER_INSIDE_H

#include "base/reader/reader.h"

/* Where inflated bytes come from: up to `room` of them to `to`, *got of them, 0
 * at the end; *left bounds what comes after them, as pn_reader_left. */
struct pn_reader_inflated {
	int (*take)(size_t *got, uint64_t *left, void *from, unsigned char *to,
		    size_t room, struct pn_error *err);
	/* Instead of all that take gives: memory with *len bytes, NULL where
	 * it is too late or may not be had. */
	unsigned char *(*all)(size_t *len, void *from);
	void (*release)(void *from);
	void *from;
};

/* Whether at least so many compressed bytes are known to be left. */
bool pn_reader_inflates(const struct pn_reader *reader, uint64_t bytes);
/* All that gzip of one member holds, which is `most` bytes at most; NULL where
 * it is not that. whole.c */
unsigned char *pn_gunzip_member(size_t *len, const unsigned char *bytes,
				size_t count, uint64_t most);
/* The same of a regular file of no more bytes, whatever was read of it. */
unsigned char *pn_gunzip_file(size_t *len, int fd, uint64_t most);
/* The same of the one that a reader is open on, within its limit. */
unsigned char *pn_reader_inflate_file(size_t *len,
				      const struct pn_reader *reader,
				      uint64_t most);
/* Who opened it reads nothing else meanwhile. */
void pn_reader_set_alone(struct pn_reader *reader);
/* A reader by the name and with the limit of `inner` of what `from` gives. */
struct pn_reader *pn_reader_over(const struct pn_reader *inner,
				 const struct pn_reader_inflated *from);

#endif
