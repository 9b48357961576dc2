/* Lines that take something out. */
#ifndef PN_RETAIN_TOMBSTONE_H
#define PN_RETAIN_TOMBSTONE_H

#include "base/buf.h"
#include "base/error.h"
#include "model/entry.h"

#include <stdint.h>

/* Append the tombstone of a record of `commit` to its note's text. Of a copy it
 * says from=, so that no other one is made where the record is forgotten. */
int pn_tombstone_add(struct pn_buf *note, const struct pn_entry *target,
		     const struct pn_oid *commit, int64_t time_ns,
		     struct pn_error *err);

/* Append that of the record figures alone stay. Nothing in the line is new:
 * two clones that do this write the same one. */
int pn_tombstone_bare(struct pn_buf *note, const struct pn_entry *target,
		      const struct pn_oid *commit, struct pn_error *err);

/* Append that the records of `commit` are to be kept, and why; `like` is one of
 * them. The same line in every clone. */
#define PN_ENTRY_KIND_KEEP "keep"
int pn_tombstone_keep(struct pn_buf *note, const struct pn_entry *like,
		      const struct pn_oid *commit, const char *reason,
		      struct pn_error *err);

#endif
