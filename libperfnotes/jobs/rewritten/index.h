/*
 * Inside of jobs/rewritten only: at which tree each noted commit was measured,
 * and when its author wrote it. Kept in the cache, as the notes are of a tip.
 */
#ifndef PN_REWRITTEN_INDEX_H
#define PN_REWRITTEN_INDEX_H

#include "vcs/notes/notes.h"

#include <stdbool.h>

/* Of more commits with a note nothing is known: as many as a value of the
 * cache has room for. */
#define PN_REWRITTEN_MAX 20000

struct pn_rewritten_row {
	struct pn_oid tree, commit;
	unsigned char note[8]; /* of the id of what it was read from */
	int64_t author_s;      /* 0: the commit was not here yet */
};

struct pn_rewritten_index {
	struct pn_rewritten_row *rows; /* in the order of their commits */
	uint32_t count;
	uint16_t *by_tree, *by_author; /* places in rows, in those orders */
};

/* What cannot be read is not in it. */
void pn_rewritten_index_open(struct pn_rewritten_index *out,
			     struct pn_repo *repo, struct pn_notes *notes);
void pn_rewritten_index_release(struct pn_rewritten_index *index);
bool pn_rewritten_has(const struct pn_rewritten_index *index,
		      const struct pn_oid *commit);

/* The first place in by_tree, or by_author, whose row has it; count: none. The
 * row of such a place is not behind the end, whatever the cache says. */
uint32_t pn_rewritten_of_tree(const struct pn_rewritten_index *index,
			      const struct pn_oid *tree);
uint32_t pn_rewritten_of_author(const struct pn_rewritten_index *index,
				int64_t author_s);
const struct pn_rewritten_row *
pn_rewritten_row_of(const struct pn_rewritten_index *index,
		    const uint16_t *order, uint32_t place);

#endif
