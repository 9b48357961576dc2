/* Names of commits that were rewritten: their profiles are looked up where they
 * were measured, which is said. */
#ifndef PN_REWRITTEN_STAND_IN_H
#define PN_REWRITTEN_STAND_IN_H

#include "base/buf.h"
#include "base/oid.h"
#include "storage/lookup/lookup.h"

struct pn_stand_in {
	struct pn_oid now, from;
	bool found; /* else it has no `from` */
};

/* Zeroed before. */
struct pn_stand_ins {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_stand_in *items; /* what was asked for, each once */
	size_t count, cap;
};

/* For commands that only read. From now on the records that `lookup` finds at a
 * commit without any are those of the commit of the same tree which has them,
 * where there is one; all else about it stays. Both stay at their places. */
void pn_stand_ins_use(struct pn_stand_ins *stand_ins, struct pn_lookup *lookup);
/* Whether such records were taken for this commit. */
bool pn_stand_ins_has(const struct pn_lookup *lookup,
		      const struct pn_oid *commit);
/* The commit whose files a profile with an entry is of: that which was named
 * where the one that was measured stands for it, as it need not be here. */
const struct pn_oid *pn_stand_ins_source(const struct pn_lookup *lookup,
					 const struct pn_found *found);
/* A line that says so, or nothing. */
void pn_stand_ins_text(struct pn_buf *out, const struct pn_lookup *lookup,
		       const struct pn_oid *commit);
void pn_stand_ins_release(struct pn_stand_ins *stand_ins);

#endif
