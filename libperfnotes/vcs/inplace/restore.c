/*
 * The end of a run in place, from whatever phase its state is in. What cannot
 * be brought back yet does not keep the rest from being brought back: then the
 * state stays, in its phase "left", with what is missing in it.
 */
#include "vcs/inplace/restore.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "vcs/git.h"
#include "vcs/inplace/back.h"
#include "vcs/inplace/home.h"
#include "vcs/inplace/meanwhile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a build has closed cannot be looked into. Modes are set again when all
 * is back. */
static void open_folders(const struct pn_inplace *run)
{
	const struct pn_plan *plan = &run->plan;
	size_t i;

	for (i = 0; i < plan->count; i++) {
		char *full;
		struct stat st;

		if (plan->items[i].kind != PN_PLAN_DIR ||
		    !pn_room_is_reachable(run, plan->items[i].path))
			continue;
		full = pn_inplace_in_tree(run, plan->items[i].path);
		if (!lstat(full, &st) && S_ISDIR(st.st_mode) &&
		    (st.st_mode & 0700) != 0700)
			chmod(full, (st.st_mode & 07777) | 0700);
		free(full);
	}
}

/* The files of the commits that may be checked out. Without those that were
 * measured their files count as the user's, and are kept. */
static int list_known(struct pn_room *room, struct pn_error *err)
{
	struct pn_inplace *run = room->run;
	struct pn_error ignored;
	int code = pn_listing_add(&room->known, run->repo, &run->home, err);

	if (!code && !pn_oid_is_zero(&run->current))
		pn_listing_add(&room->known, run->repo, &run->current,
			       &ignored);
	if (!code && !pn_oid_is_zero(&run->next) &&
	    !pn_oid_equal(&run->next, &run->current))
		pn_listing_add(&room->known, run->repo, &run->next, &ignored);
	return code;
}

/* What builds left moves out, then the first commit's files come. */
static int restore_tree(struct pn_room *room, struct pn_error *err)
{
	struct pn_inplace *run = room->run;
	struct pn_error why;
	int code;

	open_folders(run);
	code = pn_inplace_find_lost(run, err);
	if (code)
		return code;
	/* without it more counts as the user's */
	if (!pn_inplace_settle(run, &room->known, &why))
		pn_inplace_keep_index(run, &why);
	/* in nothing's way: a place that is needed is looked at again */
	code = pn_inplace_sweep(run, &room->known, NULL, &why);
	if (code)
		code = pn_inplace_sweep(run, &room->known, NULL, &why);
	if (code)
		pn_inplace_note(run, "what builds left may still be there: %s",
				why.message);
	code = pn_home_bring(room, err);
	return code ? code
		    : pn_inplace_put(run, PN_INPLACE_PHASE, "putback", err);
}

int pn_restore_clean(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf dir = {0};
	int code = pn_inplace_drop_copy(run, err);

	if (run->elsewhere)
		pn_buf_printf(&dir, "%s/" PN_PLAN_OWN "aside-%s", run->root,
			      run->id);
	if (!code)
		code = pn_inplace_release_hold(run, err);
	if (!code && dir.len)
		code = pn_folder_remove(pn_buf_text(&dir), err);
	if (!code)
		code = pn_folder_remove(run->state, err);
	pn_buf_release(&dir);
	return code;
}

/* Index and HEAD are the user's again: from now on only what is missing is
 * brought, and nothing else is touched. */
static int leave_rest(struct pn_inplace *run, int code, struct pn_error *err)
{
	char *aside = pn_inplace_aside(run, "");
	struct pn_error why;

	if (pn_inplace_put(run, PN_INPLACE_PHASE, "left", &why))
		pn_inplace_note(run, "%s", why.message);
	pn_error_context(err,
			 "all but a part is back, what is missing is in '%s' "
			 "or in the commit",
			 aside);
	free(aside);
	return code;
}

static int put_back(struct pn_room *room, enum pn_inplace_phase phase,
		    struct pn_error *err)
{
	struct pn_inplace *run = room->run;
	struct pn_error why;
	int code = 0, missing, own;

	code = phase == PN_PHASE_LEFT ? pn_back_put_rest(room, err)
				      : pn_back_put(room, err);
	missing = pn_home_bring_missing(room, code ? &why : err);
	code = code ? code : missing;
	if (phase != PN_PHASE_LEFT) {
		own = pn_inplace_restore_own(run, code ? &why : err);
		/* only when these are back, too, the rest may wait */
		if (own)
			return code ? code : own;
		pn_meanwhile_tell(run);
	}
	return code ? leave_rest(run, code, err) : 0;
}

int pn_restore_tree(struct pn_inplace *run, struct pn_error *err)
{
	enum pn_inplace_phase phase = PN_PHASE_MOVING;
	struct pn_room room = {.run = run};
	int code = pn_inplace_phase(&phase, run, err);

	if (!code)
		code = list_known(&room, err);

	if (!code && phase == PN_PHASE_MOVING)
		code = pn_back_take(&room, err);
	if (!code && phase == PN_PHASE_ASIDE)
		code = restore_tree(&room, err);
	if (!code && phase != PN_PHASE_MOVING)
		code = put_back(&room, phase, err);
	if (!code)
		code = pn_inplace_settle(run, &room.known, err);
	if (!code)
		code = pn_back_check(run, err);
	if (!code)
		code = pn_home_sync(run, err);
	if (!code)
		code = pn_inplace_rename(run, "state.done", err);
	pn_room_release(&room);
	return code;
}

int pn_restore_all(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_error why;
	int code = pn_restore_tree(run, err);

	if (!code && pn_restore_clean(run, &why))
		pn_inplace_note(run,
				"what the run made for itself is not removed "
				"yet, 'git perf recover' does it: %s",
				why.message);
	return code;
}
