/* What most commands begin with: the repository, its notes, a commit. */
#ifndef CMD_CONTEXT_H
#define CMD_CONTEXT_H

#include "base/error.h"
#include "jobs/rewritten/stand_in.h"
#include "jobs/settings.h"
#include "opts.h"
#include "storage/lookup/lookup.h"
#include "storage/record.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

struct context {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_head head;
	struct pn_lookup lookup;       /* of the above, for the wanted commit */
	struct pn_stand_ins stand_ins; /* where they are used */
};

/*
 * Open the repository of the current folder and its notes. `rev` (NULL: HEAD)
 * is the commit that names refer to. Without `needed`, a folder outside of
 * any repository gives a context without one, unless `rev` asks for it.
 */
int open_context(struct context *out, const char *rev, bool needed,
		 struct pn_error *err);
void close_context(struct context *context);
/* Say where what is used was measured at another commit than the named one. */
void say_rewritten(const struct pn_lookup *lookup, const struct pn_oid *used);
/* A clone brings no notes: say how to get them, where there are none and a
 * remote is known. */
void say_where_profiles_are(const struct pn_lookup *lookup);

#endif
