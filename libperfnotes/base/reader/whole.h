/* Files that whoever reads them inflates. */
#ifndef PN_READER_WHOLE_H
#define PN_READER_WHOLE_H

#include "base/reader/reader.h"

/* As pn_reader_open, without a thread that inflates ahead. Gzip of at most
 * `whole` bytes (0: a few megabytes), which hold no more, is inflated at once.
 */
int pn_reader_open_whole(struct pn_reader **out, const char *path,
			 uint64_t max_bytes, uint64_t whole,
			 struct pn_error *err);

#endif
