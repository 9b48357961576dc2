/*
 * Why commits that a worker was to measure have no profiles, on this machine:
 * lines at the end of <common dir>/perf/unmeasured.
 *
 *	1 <time in ns since 1970> <commit> <reason, percent-encoded>
 *
 * What a job's own build or run gave is told by `skip` lines of the notes.
 */
#ifndef PN_HOOKS_UNMEASURED_H
#define PN_HOOKS_UNMEASURED_H

#include "base/arena.h"
#include "base/error.h"
#include "base/oid.h"

#include <stddef.h>

#define PN_UNMEASURED_MAX                                                      \
	65536 /* bytes of the file: older lines are dropped                    \
	       */

/* Note the reason. */
int pn_unmeasured_add(const char *common_dir, const struct pn_oid *commit,
		      const char *reason, struct pn_error *err);

/* The lines of the file, newest last. */
struct pn_unmeasured {
	struct pn_arena arena;
	struct pn_unmeasured_line {
		struct pn_oid commit;
		const char *reason;
	} * lines;
	size_t count;
};

/* What makes no sense, or cannot be read, is passed over. */
void pn_unmeasured_read(struct pn_unmeasured *out, const char *common_dir);
/* NULL: nothing is known. */
const char *pn_unmeasured_find(const struct pn_unmeasured *unmeasured,
			       const struct pn_oid *commit);
void pn_unmeasured_release(struct pn_unmeasured *unmeasured);

#endif
