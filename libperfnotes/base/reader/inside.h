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
	void (*release)(void *from);
	void *from;
};

/* Whether at least so many compressed bytes are known to be left. */
bool pn_reader_inflates(const struct pn_reader *reader, uint64_t bytes);
/* A reader by the name and with the limit of `inner` of what `from` gives. */
struct pn_reader *pn_reader_over(const struct pn_reader *inner,
				 const struct pn_reader_inflated *from);

#endif
