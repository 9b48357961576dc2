/* Inside of vcs/ only: the places that what comes back needs. */
#ifndef PN_INPLACE_ROOM_H
#define PN_INPLACE_ROOM_H

#include "vcs/inplace/state.h"

#include <stdbool.h>
#include <sys/stat.h>

/*
 * What tells git's files, which may be deleted, from the user's. A zeroed
 * struct with `run` set is one that knows nothing yet.
 */
struct pn_room {
	struct pn_inplace *run;
	struct pn_listing known;  /* of all commits that may be checked out */
	struct pn_listing edited; /* by the run's index; once asked */
	struct timespec asked_at; /* by the file system's clock */
	bool asked, unsure;
};
void pn_room_release(struct pn_room *room);

/* Whether everything above `path` is a real folder: nothing is ever done
 * through a symbolic link. */
bool pn_room_is_reachable(const struct pn_inplace *run, const char *path);
/* Make room at a place, whose full path is `full`: an empty folder and git's
 * file give way, anything else is kept among the leftovers. */
int pn_room_make(struct pn_room *room, const char *path, const char *full,
		 struct pn_error *err);
#endif
