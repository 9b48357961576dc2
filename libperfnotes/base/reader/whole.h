/* Files that are inflated at once. */
#ifndef PN_READER_WHOLE_H
#define PN_READER_WHOLE_H

#include "base/reader/reader.h"

/* As pn_reader_open, without a thread that inflates ahead, where none is to
 * spare: gzip of at most `whole` bytes, which hold no more, is inflated at
 * once.
 */
int pn_reader_open_whole(struct pn_reader **out, const char *path,
			 uint64_t max_bytes, uint64_t whole,
			 struct pn_error *err);

#endif
