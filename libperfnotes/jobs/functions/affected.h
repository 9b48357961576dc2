/* Which jobs a change may make faster or slower, as far as their newest
 * profiles tell. */
#ifndef PN_FUNCTIONS_AFFECTED_H
#define PN_FUNCTIONS_AFFECTED_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stddef.h>

/* Zeroed before, released in any case. */
struct pn_affected {
	const char **names; /* of sections of the job file */
	size_t count;
	struct pn_buf left_out; /* a line for each of the others, and for each
				 * that is among them for what is not known;
				 * not escaped */
	struct pn_arena arena;
};

/*
 * All jobs but those of which it is sure that `range` (see pn_impact_request)
 * is not in them: each of their profiles knows the files of its functions, and
 * sees none that differs between its commit and the range's end; each such file
 * is no header and is seen by another job's profile; and of all places that the
 * range touches a function could be told.
 * `config` as of pn_trust_load; nothing is run.
 */
int pn_affected_read(struct pn_affected *out, struct pn_repo *repo,
		     const char *config, const char *range,
		     struct pn_error *err);
void pn_affected_release(struct pn_affected *affected);

#endif
