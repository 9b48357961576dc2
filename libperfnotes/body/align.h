/* Which rows of the base the rows of a new profile are. */
#ifndef PN_BODY_ALIGN_H
#define PN_BODY_ALIGN_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Rows as runs of words: row i is words[starts[i]] up to starts[i + 1]. */
struct pn_body_runs {
	const uint64_t *words;
	const size_t *starts; /* count + 1 of them */
	size_t count;
};

/* Ways to recognise a row, tried in this order, each row once. A row of the
 * base that is recognised by less than all its words is written over. */
enum pn_body_align {
	PN_BODY_ALIGN_BUT_LAST = 1, /* all words but the last */
	PN_BODY_ALIGN_FIRST = 2,    /* the first word, and as many words */
	PN_BODY_ALIGN_BETWEEN = 4,  /* between two rows that were recognised */
	PN_BODY_ALIGN_BUT_TWO = 8   /* all words but the last two */
};

/*
 * slots[i] becomes the row of `old` that row i of `now` is; those without one
 * get the numbers behind `old`, in order. No two rows get the same slot.
 * Rows with equal words are taken in order. `key` is random, so that no file
 * can make its rows collide. Time O(words); what it needs on
 * the way is left in the arena.
 */
void pn_body_align(uint32_t *slots, const struct pn_body_runs *old,
		   const struct pn_body_runs *now, unsigned int ways,
		   uint64_t key, struct pn_arena *arena);

#endif
