/* What the past of a commit lets suspect of its jobs, before they are run at it
 * and at the commit before: detect/latest/latest.h flags them. */
#ifndef PN_DUEL_SUSPECT_H
#define PN_DUEL_SUSPECT_H

#include "base/arena.h"
#include "jobs/duel/duels.h"

/* A zeroed one may be released. */
struct pn_duel_suspicions {
	struct pn_arena arena;
	struct pn_duel_suspicion *items;
	size_t count;
};

/* None where the target was not measured, or the commit before it that was is
 * not `base`; `machine` NULL: of any. What cannot be read lets suspect nothing.
 */
void pn_duel_suspect(struct pn_duel_suspicions *out, struct pn_repo *repo,
		     const struct pn_oid *target, const struct pn_oid *base,
		     const char *machine);
void pn_duel_suspicions_release(struct pn_duel_suspicions *suspicions);

#endif
