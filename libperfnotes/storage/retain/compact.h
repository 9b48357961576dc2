/* Leaving the history of the notes behind. */
#ifndef PN_RETAIN_COMPACT_H
#define PN_RETAIN_COMPACT_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_compacted {
	size_t dead, bodies; /* records that were out; bodies nobody needs */
	uint64_t epoch;	     /* that begins */
	uint64_t freed;	     /* on the disk, once git lets go of it */
	bool nothing;	     /* there is no history and nothing dead */
};

/*
 * One commit without parents of what is there: every live record, every
 * tombstone, every line that is no record, and all bodies that are needed. With
 * `dry_run` nothing is written, and `freed` is a guess.
 *
 * PN_EREFUSED: a clone that lacks something (full.h), a needed body that is
 * neither below objects/ nor in the database, a line or body of which nobody
 * can tell what it needs. PN_ENOTFOUND: no notes. PN_ELIMIT: too many epochs.
 */
int pn_compact(struct pn_compacted *out, struct pn_repo *repo, bool dry_run,
	       struct pn_error *err);

/* About how many bytes that would free; false where it would be refused, or
 * nothing. */
bool pn_compact_would_free(uint64_t *out, struct pn_repo *repo);

#endif
