/* The chunks region of a Perun profile: texts that stand for other values. */
#ifndef PN_PERUN_CHUNKS_H
#define PN_PERUN_CHUNKS_H

#include "base/json/tree.h"
#include "base/strtab.h"

/*
 * What a string stands for that names one. `budget` is how many bytes and items
 * may still be put in place of names; it bounds what a small document can
 * expand to.
 */
struct pn_perun_chunks {
	struct pn_strtab names;
	struct pn_json_tree value; /* all of them, one behind the other */
	size_t *first;		   /* item where the chunk of id n begins */
	size_t cap;
	uint64_t budget;
};

/* Read the region, an object whose first event was just returned. */
int pn_perun_chunks_read(struct pn_perun_chunks *out, struct pn_json *json,
			 struct pn_error *err);
void pn_perun_chunks_release(struct pn_perun_chunks *chunks);

/*
 * As pn_json_tree_add, but strings that name a chunk are replaced; what is put
 * in their place is not searched again. PN_ELIMIT when the budget is used up.
 */
int pn_perun_chunks_add(struct pn_json_tree *out, struct pn_json *json,
			enum pn_json_event first,
			struct pn_perun_chunks *chunks, struct pn_error *err);

#endif
