/* The state of hooks as `git perf hooks status` tells it. */
#ifndef PN_HOOKS_TOLD_H
#define PN_HOOKS_TOLD_H

#include "analysis/history/hooked.h"
#include "base/arena.h"
#include "jobs/hooks/set.h"

/* What is told, and what it borrows from. */
struct pn_hooks_told {
	struct pn_hooked hooked;
	bool complete; /* all hooks have our block */
	struct pn_hooked_row rows[PN_HOOKS_SET];
	struct pn_hook_set set;
	struct pn_buf doubts;
	char *mode;
};

/* What was done to a set, or could not be. */
struct pn_hooks_changed pn_hooks_changed_of(struct pn_arena *arena,
					    const struct pn_hook_set *set,
					    bool failed);

/* `out` is zeroed before, and to be released in any case. */
int pn_hooks_tell(struct pn_hooks_told *out, struct pn_repo *repo,
		  enum pn_hooks_scope scope, struct pn_error *err);
void pn_hooks_told_release(struct pn_hooks_told *told);

#endif
