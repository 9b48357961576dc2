/* Why nothing of what is committed here is measured, though hooks are there. */
#ifndef PN_HOOKS_DOUBTS_H
#define PN_HOOKS_DOUBTS_H

#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

/*
 * Append a line for each reason, with what mends it: the job file is absent,
 * not trusted or has changed since; git-perf is not on PATH (that of this
 * process); a hook is not executable. Nothing where no hook has our block.
 * Starts nothing.
 */
int pn_hook_doubts(struct pn_buf *out, struct pn_repo *repo,
		   struct pn_error *err);

#endif
