/* Of each metric of each series the newest figure that a history has. */
#ifndef PN_NEWEST_NEWEST_H
#define PN_NEWEST_NEWEST_H

#include "analysis/history/figures.h"
#include "base/error.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Zeroed before, released in any case. */
struct pn_newest {
	struct pn_figure *items; /* without values, newest first */
	size_t count, cap;
	struct pn_arena arena; /* of their texts */
};

void pn_newest_release(struct pn_newest *newest);
/* From this revision back (NULL: HEAD), through all of its history: figures of
 * dirty trees are none of a commit. PN_ENOTFOUND where there is none. */
int pn_newest_gather(struct pn_newest *out, struct pn_repo *repo,
		     struct pn_notes *notes, const char *rev,
		     struct pn_error *err);

#endif
