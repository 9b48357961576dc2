/* Records of `add --stdin`, read and prepared in threads before their turn. */
#ifndef PN_PROFILES_READ_AHEAD_H
#define PN_PROFILES_READ_AHEAD_H

#include "storage/record.h"

#include <stddef.h>

struct pn_read_ahead;

/* Borrows the paths (NULL: none, its place is passed over) and the options
 * until free. Starts at once. */
struct pn_read_ahead *
pn_read_ahead_new(char *const *paths, size_t count,
		  const struct pn_record_options *options);

/*
 * The record of the next path, good until the next call. NULL when it was not
 * to be had that way: of large files, of what is no plain file, perf.data, and
 * of all that fails. The caller reads it then and learns why.
 */
struct pn_record *pn_read_ahead_next(struct pn_oid *origin,
				     struct pn_read_ahead *ahead);
void pn_read_ahead_free(struct pn_read_ahead *ahead);

#endif
