/* Which lines nobody needs any more because tombstones have spoken. */
#ifndef PN_RETAIN_SIFT_H
#define PN_RETAIN_SIFT_H

#include "base/arena.h"
#include "base/buf.h"
#include "model/entry.h"

#include <stdbool.h>
#include <stddef.h>

/* Of one commit. Zeroed before, released in any case. */
struct pn_sift {
	struct pn_arena arena;
	struct pn_sift_target {
		char id[PN_ENTRY_ID_HEX + 1];
		char from[PN_ENTRY_ID_HEX + 1]; /* of a copy; "": not told */
	} * targets;
	size_t count, cap;
};

/* Learn what a text takes out; before the first question, of all texts. */
void pn_sift_learn(struct pn_sift *sift, const struct pn_buf *text);
/*
 * False for a record that is dead, and for what is said of one: its tombstone
 * is enough. Everything else stays, tombstones and lines that are no record
 * among it, and the record of a copy whose tombstone does not say of what: it
 * keeps the copy from being made again.
 */
bool pn_sift_keeps(struct pn_sift *sift, const char *line, size_t len);
void pn_sift_release(struct pn_sift *sift);

/* Append the ids (20 bytes) of bodies of records that a text takes out, or of
 * which it says that figures alone stay. */
void pn_sift_dead_bodies(struct pn_buf *out, const char *text, size_t len);

#endif
