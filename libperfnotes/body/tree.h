/*
 * The paths of a body in little room: most of them stand right behind their
 * caller's, so only the others say how far up that is, and a location has two
 * bytes, three or four. Later bodies of a chain put theirs behind it, and say
 * how many rows are their own.
 */
#ifndef PN_BODY_TREE_H
#define PN_BODY_TREE_H

#include "base/error.h"
#include "base/slots.h"
#include "body/source.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row whose caller is not the row before it. */
struct pn_body_fork {
	uint32_t row;
	uint32_t up; /* rows up to the caller's, 0: a root */
};

struct pn_body_tree {
	atomic_uint refs;
	size_t ups, locations; /* rows that have them */
	struct pn_body_fork *forks;
	size_t fork_count, fork_cap;
	unsigned char *bytes; /* locations */
	size_t cap;	      /* of them */
	unsigned int width;   /* bytes of each, the lowest first: 2 to 4 */
};

/* A chain of paths with one hash that is longer was made to be: what it holds
 * further is repeated. */
#define PN_BODY_STEPS_MAX 64

/* Where the path at a location from `parent` (row + 1, 0: a root) hangs. */
static inline size_t pn_body_path_chain(uint64_t key, uint64_t parent,
					uint64_t location, size_t mask)
{
	return (size_t)pn_slots_mix_word(key, parent << 32 ^ location) & mask;
}

struct pn_body_tree *pn_body_tree_new(void);
struct pn_body_tree *pn_body_tree_share(struct pn_body_tree *tree);
/* Another tree of its first rows. */
struct pn_body_tree *pn_body_tree_copy(const struct pn_body_tree *tree,
				       size_t rows);
void pn_body_tree_drop(struct pn_body_tree *tree); /* takes NULL */

/* Room for as many locations. */
void pn_body_tree_reserve(struct pn_body_tree *tree, size_t rows);
/* What the next row has; false: it cannot be. */
bool pn_body_tree_add_up(struct pn_body_tree *tree, uint64_t up);
bool pn_body_tree_add_location(struct pn_body_tree *tree, uint64_t location);

/* How many words a section of paths says, and the run of those behind the
 * base's, `had` of them, of which none differs. False: it is another one. */
bool pn_body_tree_section(size_t *count, struct pn_body_source *source,
			  size_t had, const unsigned char *bytes, size_t len);
/* Put a section behind the base's rows; *budget as for pn_body_column_read. */
int pn_body_tree_read(struct pn_body_tree *tree, size_t had,
		      unsigned int column, const unsigned char *bytes,
		      size_t len, uint64_t *budget, struct pn_error *err);
/* Behind the last section: both columns have so many rows, or are left out. */
int pn_body_tree_end(struct pn_body_tree *tree, size_t had, size_t rows,
		     size_t locations, struct pn_error *err);

/* The last fork at a row or before it. */
size_t pn_body_tree_fork(const struct pn_body_tree *tree, size_t row);

static inline uint32_t pn_body_tree_location(const struct pn_body_tree *t,
					     size_t row)
{
	const unsigned char *at = t->bytes + row * t->width;
	uint32_t location = at[0] | (uint32_t)at[1] << 8;

	if (t->width > 2)
		location |= (uint32_t)at[2] << 16;
	if (t->width > 3)
		location |= (uint32_t)at[3] << 24;
	return location;
}

/* Which row is one frame on from another one. */
struct pn_body_finder {
	const struct pn_body_tree *tree;
	size_t rows;		 /* those that count */
	uint32_t *heads, *nexts; /* forks by hash, UINT32_MAX ends */
	size_t mask;
	uint64_t key;
};

void pn_body_finder_init(struct pn_body_finder *f,
			 const struct pn_body_tree *tree, size_t rows);
void pn_body_finder_release(struct pn_body_finder *f);
/* Row + 1 of what is called at a location from `parent` (row + 1, 0: nobody);
 * 0: none. *fork, the parent's, becomes its own. */
uint64_t pn_body_finder_step(const struct pn_body_finder *f, size_t *fork,
			     uint64_t parent, uint64_t location);

#endif
