/* What the notes and their bodies take, as data. */
#ifndef PN_HISTORY_SIZE_H
#define PN_HISTORY_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Different blobs, each counted once however often it is named. */
struct pn_size_part {
	size_t count;	/* of those that are here */
	size_t absent;	/* how many are not */
	uint64_t bytes; /* of their content */
	uint64_t disk;	/* as git has packed them */
};

/* What one kind, series or commit takes; of a tree with all that is below. */
struct pn_size_row {
	const char *name;
	size_t up; /* of a tree the row that it is a part of, + 1 */
	size_t depth;
	size_t records;
	uint64_t lines; /* bytes */
	struct pn_size_part bodies;
};

/* What a row of a tree is a part of at this depth, the row itself at its own;
 * `rows` are all. */
static inline const struct pn_size_row *
pn_size_row_at(const struct pn_size_row *rows, const struct pn_size_row *row,
	       size_t depth)
{
	while (row->depth > depth)
		row = &rows[row->up - 1];
	return row;
}

struct pn_size {
	struct pn_size_part notes, bodies; /* of the newest state */
	struct pn_size_part packed, loose; /* the same by where they lie */
	uint64_t history; /* on the disk, of all that the ref leads to */
	bool known_freed;
	uint64_t freed;		  /* about what gc would free of it */
	const char *by;		  /* what the rows are */
	struct pn_size_row *rows; /* the largest first, its parts behind it */
	size_t row_count;
};

#endif
