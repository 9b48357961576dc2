/*
 * Telling git's files from the user's while a work tree is put in order. A file
 * that has the bytes of one of the commits at this path is git's; so is one
 * that git wrote with conversions, of which the run's index says that nobody
 * changed it.
 */
#include "vcs/inplace/room.h"

#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIES 3

void pn_room_release(struct pn_room *room)
{
	pn_listing_release(&room->known);
	pn_listing_release(&room->edited);
}

bool pn_room_is_reachable(const struct pn_inplace *run, const char *path)
{
	struct pn_error why;
	int tries = 0, code;

	do /* a moment's want of memory must not leave a file where it is */
		code = pn_inplace_reach(run, path, &why);
	while (code < 0 && ++tries < TRIES);
	return code > 0;
}

/* The time of a file that is made now, and what differs from the run's index
 * then. Where git cannot say it, no file counts as git's by its index. */
static void ask_edited(struct pn_room *room)
{
	static const char *const args[] = {"diff-files", "-z", "--name-only",
					   "--ignore-submodules=all", NULL};
	char *index = pn_inplace_path(room->run, PN_INPLACE_RUN_INDEX);
	char *mark = pn_inplace_path(room->run, "asked");
	struct pn_buf text = {0};
	struct pn_error ignored;
	const char *at, *end;
	struct stat st = {0};

	room->unsure =
		pn_inplace_put(room->run, "asked", "", &ignored) ||
		lstat(mark, &st) || access(index, F_OK) ||
		pn_inplace_git(&text, NULL, room->run, index, args, &ignored);
	room->asked_at = st.st_ctim;
	at = pn_buf_text(&text);
	for (end = at + text.len; !room->unsure && at < end;
	     at += strlen(at) + 1)
		pn_listing_put(&room->edited, 0, &room->run->home, at);
	pn_listing_sort(&room->edited);
	room->asked = true;
	pn_buf_release(&text);
	free(index);
	free(mark);
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec
				      : a->tv_nsec < b->tv_nsec;
}

/* 1: nothing is lost with it. */
static int is_gits(struct pn_room *room, const char *path, const char *full,
		   const struct stat *st, struct pn_error *err)
{
	const struct pn_listing *known = &room->known;
	size_t from = 0, to = known->count;
	struct pn_oid have;
	bool listed = false;
	int code;

	if (!S_ISREG(st->st_mode) && !S_ISLNK(st->st_mode))
		return 0;
	pn_listing_below(&from, &to, known, path);
	for (; from < to && !strcmp(known->items[from].path, path); from++) {
		code = listed ? 0 : pn_plan_hash(&have, full, st, err);
		listed = true;
		if (code)
			return code;
		if (pn_oid_equal(&have, &known->items[from].oid))
			return 1;
	}
	if (!listed)
		return 0;
	if (!room->asked)
		ask_edited(room);
	return !room->unsure && is_before(&st->st_ctim, &room->asked_at) &&
	       !pn_listing_find(&room->edited, path);
}

static int remove_file(const struct pn_room *room, const char *full,
		       struct pn_error *err)
{
	bool failed = pn_inplace_remove(room->run, full, 0) && errno != ENOENT;

	if (failed && errno == EACCES &&
	    pn_inplace_open_folders(room->run, full))
		failed = pn_inplace_remove(room->run, full, 0) &&
			 errno != ENOENT;
	return failed ? pn_error_system(err, "cannot remove '%s'", full) : 0;
}

/* Another user's folder cannot go to another folder, but its name can change:
 * nothing of the user's waits for it. */
static int leave(struct pn_room *room, const char *path, const char *full,
		 struct pn_error *err)
{
	int code = pn_inplace_leave(room->run, path, full, err);
	struct pn_buf beside = {0};
	struct stat st;

	if (!code)
		return 0;
	pn_buf_printf(&beside, "%s.left-%.8s", full, room->run->id);
	if (lstat(pn_buf_text(&beside), &st) &&
	    !rename(full, pn_buf_text(&beside))) {
		pn_inplace_stuck(room->run, pn_buf_text(&beside), err);
		code = 0;
	}
	pn_buf_release(&beside);
	return code;
}

int pn_room_make(struct pn_room *room, const char *path, const char *full,
		 struct pn_error *err)
{
	struct stat st;
	int gits, found = pn_file_look(&st, full, err);

	if (found <= 0 || (S_ISDIR(st.st_mode) &&
			   !pn_inplace_remove(room->run, full, AT_REMOVEDIR)))
		return found < 0 ? found : 0;
	/* what is renamed first cannot be changed behind the look */
	if (!S_ISDIR(st.st_mode) && !pn_inplace_take(room->run, path, err))
		return 0;
	gits = is_gits(room, path, full, &st, err);
	/* what cannot be read is not told from the user's */
	if (gits <= 0)
		return leave(room, path, full, err);
	return remove_file(room, full, err);
}
