/* Leaving a cut history. */
#include "storage/exchange/cut.h"

#include "storage/needed_bodies.h"
#include "vcs/lock.h"
#include "vcs/notes/epoch.h"

#include <string.h>

#define ROUNDS_MAX 1000

bool pn_cut_refused(const struct pn_error *why)
{
	return why->code == PN_EREFUSED &&
	       strstr(why->message, "shallow update not allowed");
}

static int leave_once(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_notes *notes = NULL;
	int code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);

	if (!code)
		code = pn_needed_bodies_reanchor(repo, notes, err);
	if (!code) {
		pn_notes_set_orphan(notes);
		code = pn_notes_commit(notes, "perf: leave a shallow history\n",
				       err);
	}
	pn_notes_free(notes);
	return code;
}

int pn_cut_leave(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	int rounds = 0, code = pn_lock_acquire(&lock, repo, err);

	if (code)
		return code;
	do {
		code = leave_once(repo, err);
	} while (code == PN_ECONFLICT && ++rounds < ROUNDS_MAX);
	pn_lock_release(&lock);
	return code;
}
