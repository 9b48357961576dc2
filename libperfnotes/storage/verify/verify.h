/* Looking at everything that is stored: what fsck reports. */
#ifndef PN_VERIFY_VERIFY_H
#define PN_VERIFY_VERIFY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/strtab.h"
#include "model/checked.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* A small pack can have millions. */
#define PN_PROBLEMS_MAX 10000

struct pn_verify_report {
	/* The first PN_PROBLEMS_MAX of its problems, whose texts live in the
	 * arena. */
	struct pn_checked told;
	struct pn_arena arena;
	size_t problem_cap, unused_cap;
	/* What can be mended, 20-byte ids: bodies to anchor below objects/,
	 * commits in whose notes each line is to stand once. */
	struct pn_buf to_anchor, to_unite;
	/* Notes of tips that were left (lost.c), and ids of lines of them. */
	struct pn_buf to_bring;
	struct pn_strtab lost;
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
/* The same without a look at what is around (around.h). */
int pn_verify_notes(struct pn_verify_report *out, struct pn_repo *repo,
		    struct pn_notes *notes, struct pn_error *err);
void pn_verify_report_release(struct pn_verify_report *report);

/*
 * Mend what the report says can be mended, as one commit: anchor bodies, write
 * each line of a note once, of up to PN_NOTE_REPAIR_MAX bytes, and bring back
 * what a plain git wrote over. Nothing is
 * taken out but lines that stand there already. What cannot be mended is
 * passed over. Where something was mended the report is of another look, and
 * `notes` taken anew.
 */
int pn_verify_mend(struct pn_mended *out, struct pn_verify_report *report,
		   struct pn_repo *repo, struct pn_notes *notes,
		   struct pn_error *err);

/* Add a problem: of a commit's note, or of none (NULL). `repair` lives as long
 * as the report. */
void pn_verify_add(struct pn_verify_report *report, const struct pn_oid *commit,
		   const char *repair, const char *what);

#endif
