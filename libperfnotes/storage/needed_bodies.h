/*
 * Which bodies the notes need: those that a live line names, and those that
 * such a body builds on, over any number of deltas.
 */
#ifndef PN_STORAGE_NEEDED_BODIES_H
#define PN_STORAGE_NEEDED_BODIES_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>

struct pn_needed_bodies;

/*
 * One walk over all notes, staged changes seen, and a look at each body that
 * is not verbatim; about 100 bytes of memory for each body that a line names.
 * PN_ELIMIT when a note is too large to be read: then nobody can tell.
 */
int pn_needed_bodies_read(struct pn_needed_bodies **out, struct pn_repo *repo,
			  struct pn_notes *notes, struct pn_error *err);
/* The same of notes as they will be, without all of them in memory: amend is
 * called for each, in the order of their commits, and says what becomes of it;
 * nothing in `out`: it stays as it is. */
int pn_needed_bodies_read_as(struct pn_needed_bodies **out,
			     struct pn_repo *repo, struct pn_notes *notes,
			     int (*amend)(struct pn_buf *out, void *arg,
					  const struct pn_oid *commit,
					  const struct pn_buf *text,
					  struct pn_error *err),
			     void *arg, struct pn_error *err);
/* Whether it is needed or may be: where a body cannot be read, nobody can tell
 * what it builds on, and all are. */
bool pn_needed_bodies_has(const struct pn_needed_bodies *needed,
			  const struct pn_oid *body);
/* In a partial clone: where objects/ has each needed body that is absent here,
 * it has what those build on, and nothing else is needed for their sake. */
int pn_needed_bodies_trust(struct pn_needed_bodies *needed,
			   struct pn_repo *repo, struct pn_notes *notes,
			   struct pn_error *err);
/* Stage that objects/ loses a body that nobody needs, and what only it was
 * built on: an earlier rm left that for it. The ids (20 bytes) of those that
 * were there are appended to `gone`. */
int pn_needed_bodies_drop(struct pn_buf *gone, struct pn_repo *repo,
			  struct pn_notes *notes,
			  const struct pn_needed_bodies *needed,
			  const struct pn_oid *body, struct pn_error *err);
/*
 * Stage that all that is needed is below objects/, as far as it is here.
 * *lacks: some may be in the history alone, and not be found. `cut`: more may
 * be there than was looked at.
 */
int pn_needed_bodies_anchor(bool *lacks, bool cut, struct pn_repo *repo,
			    struct pn_notes *notes,
			    const struct pn_needed_bodies *needed,
			    struct pn_error *err);
void pn_needed_bodies_free(struct pn_needed_bodies *needed);

/*
 * Stage what is back after a plain `git notes merge` (pn_notes_reanchor), but
 * for bodies that nobody needs. Costs nothing behind a commit of our own.
 */
int pn_needed_bodies_reanchor(struct pn_repo *repo, struct pn_notes *notes,
			      struct pn_error *err);

/* The body that this one is a delta on, zero when it is none or cannot be
 * read. */
struct pn_oid pn_needed_bodies_base(struct pn_repo *repo,
				    const struct pn_oid *body);

#endif
