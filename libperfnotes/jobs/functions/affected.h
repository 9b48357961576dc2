/* Which jobs a change may make faster or slower, as far as their newest
 * profiles tell. */
#ifndef PN_FUNCTIONS_AFFECTED_H
#define PN_FUNCTIONS_AFFECTED_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stddef.h>

/* Zeroed before, released in any case, but for `names`, the caller's to free.
 */
struct pn_affected {
	const char **names; /* of sections of the job file */
	size_t count;
	struct pn_buf left_out; /* a line for each of the others, and for each
				 * file that no profile has; not escaped */
	struct pn_arena arena;
};

/*
 * Jobs whose profiles see a function that `range` touches (see
 * pn_impact_request), and those of which no profile with functions is stored.
 * `config` as of pn_trust_load; nothing is run.
 */
int pn_affected_read(struct pn_affected *out, struct pn_repo *repo,
		     const char *config, const char *range,
		     struct pn_error *err);
void pn_affected_release(struct pn_affected *affected);

#endif
