/* Inside of fantree*.c and fanwrite.c only: one folder of a fan in memory. */
#ifndef PN_NOTES_FANNODE_H
#define PN_NOTES_FANNODE_H

#include "vcs/notes/fantree.h"

#include <stdint.h>

struct pn_fan_node;

struct pn_fan_kid {
	unsigned char byte;
	struct pn_oid tree;  /* as read or last written */
	struct pn_oid *more; /* other trees of the same name, mostly none */
	size_t more_count;   /* 0 again once they are one folder on writing */
	struct pn_fan_node *node; /* NULL: not read */
};

struct pn_fan_node {
	struct pn_fan_item *items; /* by key, then as read */
	size_t item_count, item_cap;
	struct pn_fan_kid *kids; /* by byte, each once */
	size_t kid_count, kid_cap;
	struct pn_buf others; /* raw entries that are neither */
	unsigned int pins;    /* walks that stand in it */
	size_t bytes;	      /* of memory that its trees took when read */
	bool keep;	      /* a lookup came by */
	bool dirty;	      /* differs from what was read */
	bool moved;	      /* has items of the folder above */
};

struct pn_fan {
	struct pn_repo *repo;
	enum pn_fan_kind kind;
	struct pn_fan_node *root;
	struct pn_oid tree; /* of the root, as read or last written */
	size_t bytes;	    /* of its folders together */
	size_t drop_at;	    /* bytes from which lookups let go of folders */
};

void pn_fan_node_free(struct pn_fan_node *node);
/* Let go of a kid's folder, unless a walk stands in it or below, it has items
 * of the folder above, or a change is in it. */
void pn_fan_kid_drop(struct pn_fan *fan, struct pn_fan_kid *kid);
void pn_fan_kid_release(struct pn_fan_kid *kid);
/* Read the folder of a kid unless it was, from all trees of its name; what the
 * folder above has of the same first byte moves into it. `depth` is the kid's.
 */
int pn_fan_kid_load(struct pn_fan *fan, struct pn_fan_node *node,
		    struct pn_fan_kid *kid, unsigned int depth,
		    const struct pn_oid *prefix, struct pn_error *err);
/* The kid of a byte, NULL when there is none. */
struct pn_fan_kid *pn_fan_kid_find(struct pn_fan_node *node,
				   unsigned char byte);
/* A kid of a byte that has none: no tree, no node. Moves the others. */
struct pn_fan_kid *pn_fan_kid_add(struct pn_fan_node *node, unsigned char byte);
/* Where the first item is whose bytes up to `depth` are not below the key's;
 * items of one folder agree in what is before. */
size_t pn_fan_lower(const struct pn_fan_node *node, const struct pn_oid *key);
/* The end of the run of items that have `byte` at `depth`. */
size_t pn_fan_run(const struct pn_fan_node *node, size_t from,
		  unsigned int depth);
/* Merge sorted items into a folder's own. */
void pn_fan_merge(struct pn_fan_node *node, const struct pn_fan_item *items,
		  size_t count);

#endif
