/* A state in the making: columns that still grow. */
#ifndef PN_BODY_DRAFT_H
#define PN_BODY_DRAFT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/strtab.h"
#include "body/align.h"
#include "body/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_body_draft {
	const struct pn_body_state *base; /* may be NULL */
	uint64_t *columns[PN_BODY_COLUMNS];
	uint64_t *tables[PN_BODY_TABLES]; /* what their columns point into */
	size_t lens[PN_BODY_FIXED_END];	  /* of columns of no table */
	size_t rows[PN_BODY_TABLES];
	unsigned int types;
	bool sited;		 /* edges have the columns that came later */
	uint64_t key;		 /* random, of the hashes that find rows */
	struct pn_arena scratch; /* to be cleared when a table is done */
	struct pn_buf text;
	struct pn_strtab strings; /* those of the base, then new ones */
	uint32_t *string_rows;	  /* by id in `strings` */
	size_t string_cap, len_cap;
};

/* Starts with the base's tables but for samples, and as many columns in each
 * matrix as the profile has value types. */
void pn_body_draft_init(struct pn_body_draft *d,
			const struct pn_body_state *base,
			const struct pn_profile *profile);
/* The base's rows of a table that has none yet. */
void pn_body_draft_load(struct pn_body_draft *d, unsigned int table);
void pn_body_draft_release(struct pn_body_draft *d);
/* Room for as many rows; new words are 0. */
void pn_body_draft_resize(struct pn_body_draft *d, unsigned int table,
			  size_t rows);
/* All words of a column become `word`. */
void pn_body_draft_fill(struct pn_body_draft *d, unsigned int column,
			uint64_t word);
/* Append to a column that belongs to no table. */
void pn_body_draft_push(struct pn_body_draft *d, unsigned int column,
			uint64_t word);
/* The row of a string, added when new. Without a base each text but "" is to
 * be asked for once: nobody looks whether it is there. */
uint32_t pn_body_draft_string(struct pn_body_draft *d, const char *bytes,
			      size_t len);
/* The base's rows of a table as runs of these columns' words, in d->scratch. */
struct pn_body_runs pn_body_draft_runs(struct pn_body_draft *d,
				       const unsigned int *columns,
				       size_t width);
/* Where the children of each row begin, in d->scratch. */
size_t *pn_body_draft_starts(struct pn_body_draft *d, unsigned int table);
/* The state; columns that equal the base's are shared with it. */
struct pn_body_state *pn_body_draft_finish(const struct pn_body_draft *d);

#endif
