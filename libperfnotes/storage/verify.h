/* Looking at everything that is stored: what fsck reports. */
#ifndef PN_STORAGE_VERIFY_H
#define PN_STORAGE_VERIFY_H

#include "base/arena.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* One thing that is wrong. Texts live in the report's arena. */
struct pn_problem {
	bool has_commit;
	struct pn_oid commit; /* whose note it is in */
	const char *what;
	const char *repair; /* what would mend it */
	bool anchor;	    /* mended by anchoring `body` below objects/ */
	struct pn_oid body;
};

struct pn_verify_report {
	struct pn_arena arena;
	struct pn_problem *problems;
	size_t problem_count, problem_cap;
	size_t commits, profiles, bodies; /* that were looked at */
	/* Bodies that no profile needs: space, not a fault. */
	struct pn_oid *unused;
	size_t unused_count, unused_cap;
};

/*
 * Every line, id and body of a snapshot: lines parse, ids fit, bodies exist,
 * have the name of their bytes, are anchored below objects/, decode, and build
 * on what the line says, and so does each body that these build on; the file
 * 'format' is one that this git-perf writes to. Shallow and
 * partial clones: a commit that is absent is no fault. An error is only what
 * kept the look from being finished.
 */
int pn_verify_run(struct pn_verify_report *out, struct pn_repo *repo,
		  struct pn_notes *notes, struct pn_error *err);
void pn_verify_report_release(struct pn_verify_report *report);

/* Anchor what the report says can be mended so; *mended counts. */
int pn_verify_repair(size_t *mended, struct pn_repo *repo,
		     const struct pn_verify_report *report,
		     struct pn_error *err);

#endif
