/* Names of commits that were rewritten: their profiles are looked up where they
 * were measured, which is said. */
#ifndef PN_REWRITTEN_STAND_IN_H
#define PN_REWRITTEN_STAND_IN_H

#include "base/buf.h"
#include "base/oid.h"
#include "storage/lookup/lookup.h"

struct pn_stand_in {
	struct pn_oid now, from;
};

/* Zeroed before. */
struct pn_stand_ins {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_stand_in *items; /* those that were found */
	size_t count, cap;
};

/*
 * For commands that only read. From now on a name in `lookup` of a commit
 * without records, and its default commit, are that of the same tree which has
 * them, where there is one. Both stay at their places. */
void pn_stand_ins_use(struct pn_stand_ins *stand_ins, struct pn_lookup *lookup);
/* A line where what was measured at `from` was asked for by another name. */
void pn_stand_ins_text(struct pn_buf *out, const struct pn_lookup *lookup,
		       const struct pn_oid *from);
void pn_stand_ins_release(struct pn_stand_ins *stand_ins);

#endif
