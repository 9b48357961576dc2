/*
 * Inside of vcs/ only: the bytes of a tree object, entry by entry. Hostile
 * input: nothing is believed but the NUL and the twenty bytes behind it.
 */
#ifndef PN_OBJECTS_TREE_H
#define PN_OBJECTS_TREE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_MODE_BLOB 0100644u
#define PN_MODE_TREE 0040000u

/* As git takes modes: the type counts, and any rights beside it. */
static inline bool pn_mode_is_blob(unsigned int mode)
{
	return (mode & 0170000u) == 0100000u;
}

static inline bool pn_mode_is_tree(unsigned int mode)
{
	return (mode & 0170000u) == PN_MODE_TREE;
}

struct pn_tree_entry {
	unsigned int mode;
	const char *name; /* in the tree's own bytes, NUL behind it */
	size_t name_len;
	struct pn_oid id;
	const unsigned char *raw; /* the entry as it lies there */
	size_t raw_len;
};

/* 1 with *out filled and *at moved on, 0 at `end`, or PN_EINVAL (no message)
 * for bytes that are no tree. */
int pn_tree_next(struct pn_tree_entry *out, const unsigned char **at,
		 const unsigned char *end);

void pn_tree_add(struct pn_buf *out, unsigned int mode, const char *name,
		 size_t name_len, const struct pn_oid *id);

/* git's order: a folder sorts as if a slash stood behind its name. */
int pn_tree_cmp(const struct pn_tree_entry *a, const struct pn_tree_entry *b);

#endif
