/* The state of a repository as `git perf status` tells it. */
#ifndef PN_JOBS_STATE_H
#define PN_JOBS_STATE_H

#include "analysis/history/status.h"
#include "base/arena.h"
#include "base/buf.h"
#include "jobs/profiles/ancestry.h"
#include "storage/pending.h"
#include "storage/sync.h"
#include "vcs/notes/notes.h"
#include "vcs/progress.h"
#include "vcs/repo.h"

/* What is told, and what it borrows from. The first three are the caller's. */
struct pn_state {
	struct pn_repo *repo;
	struct pn_notes *notes;
	const struct pn_head *head;
	struct pn_status told;
	struct pn_arena arena;
	struct pn_pending_list pending;
	struct pn_unpushed unpushed;
	struct pn_ancestry *ancestry;
	const char *in_progress[PN_PROGRESS_KINDS];
	struct pn_buf warnings; /* a line for what is not told, and why */
};

int pn_state_read(struct pn_state *state, struct pn_error *err);
void pn_state_release(struct pn_state *state);

#endif
