/* Looking at everything that is stored: what fsck reports. */
#ifndef PN_STORAGE_VERIFY_H
#define PN_STORAGE_VERIFY_H

#include "base/arena.h"
#include "base/buf.h"
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
};

/* A small pack can have millions. */
#define PN_PROBLEMS_MAX 10000

struct pn_verify_report {
	struct pn_arena arena;
	struct pn_problem *problems; /* the first PN_PROBLEMS_MAX */
	size_t listed_count, problem_cap;
	size_t problem_count; /* all */
	/* What can be mended, 20-byte ids: bodies to anchor below objects/,
	 * commits in whose notes each line is to stand once. */
	struct pn_buf to_anchor, to_unite;
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

struct pn_mended {
	size_t bodies; /* that were anchored below objects/ */
	size_t notes;  /* whose lines were united */
};

/*
 * Mend what the report says can be mended, as one commit: anchor bodies, and
 * write each line of a note once, of up to PN_NOTE_REPAIR_MAX bytes. Nothing is
 * taken out but lines that stand there already. What cannot be mended is
 * passed over.
 */
int pn_verify_repair(struct pn_mended *out, struct pn_repo *repo,
		     const struct pn_verify_report *report,
		     struct pn_error *err);

#endif
