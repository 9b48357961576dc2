/*
 * Putting back what was set aside: rename(2) only. No step depends on an
 * earlier one having been done by the same process, and what one needs does
 * not keep another from being done.
 */
#include "vcs/inplace/back.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIES 8

struct putting {
	struct pn_room *room;
	struct pn_inplace *run;
	struct pn_error *err; /* the first one */
	int code;
};

static void failed(struct putting *p, const struct pn_error *why)
{
	if (!p->code) {
		p->code = why->code;
		*p->err = *why;
	}
}

static bool is_moved(const struct pn_plan_item *item)
{
	return item->kind == PN_PLAN_EXTRA || item->kind == PN_PLAN_CHANGED;
}

static int put_once(struct putting *p, const char *path, const char *from,
		    const char *to, struct pn_error *err)
{
	int tries = 0, code;

	do { /* somebody may save into the place that was made */
		code = pn_room_is_reachable(p->run, path)
			       ? pn_room_make(p->room, path, to, err)
			       : 0;
		if (!code)
			code = pn_inplace_move(p->run, from, to, err);
	} while (code == PN_ECONFLICT && ++tries < TRIES);
	return code;
}

/* One thing from aside to its place. */
static void put_one(struct putting *p, const char *path)
{
	char *from = pn_inplace_aside(p->run, path);
	char *to = pn_inplace_in_tree(p->run, path);
	struct pn_error why;
	struct stat st;
	/* what is not there is back already */
	int code = pn_file_look(&st, from, &why);

	if (code > 0) {
		code = put_once(p, path, from, to, &why);
		if (code && pn_inplace_open_folders(p->run, to))
			code = put_once(p, path, from, to, &why);
	}
	if (code) {
		pn_inplace_stuck(p->run, to, &why);
		failed(p, &why);
	}
	free(from);
	free(to);
}

static void put_all(struct putting *p)
{
	const struct pn_plan *plan = &p->run->plan;
	size_t i;

	for (i = 0; i < plan->count; i++)
		if (is_moved(&plan->items[i]))
			put_one(p, plan->items[i].path);
}

int pn_back_take(struct pn_room *room, struct pn_error *err)
{
	struct putting p = {.room = room, .run = room->run, .err = err};

	put_all(&p);
	return p.code;
}

/* A build that looks at times must not take what it made of older sources for
 * younger than these. */
static void touch(const struct putting *p, const char *path)
{
	char *full = pn_inplace_in_tree(p->run, path);
	struct stat st;

	if (!lstat(full, &st) && S_ISREG(st.st_mode) &&
	    utimensat(AT_FDCWD, full, NULL, AT_SYMLINK_NOFOLLOW) &&
	    errno != EPERM && errno != EACCES)
		pn_inplace_note(p->run, "cannot set the time of '%s'", full);
	free(full);
}

static void touch_all(const struct putting *p)
{
	const struct pn_plan *plan = &p->run->plan;
	bool kept = false;
	size_t i;

	for (i = 0; i < plan->count; i++)
		kept = kept || plan->items[i].kind == PN_PLAN_KEEP;
	for (i = 0; kept && i < plan->count; i++)
		if (plan->items[i].kind == PN_PLAN_CHANGED)
			touch(p, plan->items[i].path);
}

/* A mode that the user may not set is in nothing's way: it is told. */
static void set_mode(struct putting *p, const struct pn_plan_item *item)
{
	bool is_dir = item->kind == PN_PLAN_DIR;
	char *full = pn_inplace_in_tree(p->run, item->path);
	struct pn_error why;
	struct stat st;
	int found = pn_inplace_reach(p->run, item->path, &why);

	if (found > 0)
		found = pn_file_look(&st, full, &why);
	if (found < 0)
		failed(p, &why);
	else if (found && !S_ISLNK(st.st_mode) &&
		 !S_ISDIR(st.st_mode) == !is_dir &&
		 (st.st_mode & 07777) != item->mode &&
		 chmod(full, item->mode)) {
		bool refused =
			errno == EPERM || errno == EACCES || errno == EROFS;

		pn_error_system(&why, "cannot set the mode of '%s' to %04o",
				full, item->mode);
		if (refused)
			pn_inplace_note(p->run, "%s", why.message);
		else
			failed(p, &why);
	}
	free(full);
}

/* From the bottom up: a folder may be closed by its own mode. */
static void set_modes(struct putting *p)
{
	const struct pn_plan *plan = &p->run->plan;
	size_t i;

	for (i = plan->count; i-- > 0;)
		if (plan->items[i].kind == PN_PLAN_DIR ||
		    plan->items[i].kind == PN_PLAN_MODE)
			set_mode(p, &plan->items[i]);
}

/* Folders that were there come back, also empty ones of the commit. */
static void make_dirs(struct putting *p)
{
	const struct pn_plan *plan = &p->run->plan;
	size_t i;

	for (i = 0; i < plan->count; i++) {
		char *full;
		struct pn_error why;
		struct stat st;
		int code = 0;

		if (plan->items[i].kind != PN_PLAN_DIR ||
		    !pn_room_is_reachable(p->run, plan->items[i].path))
			continue;
		full = pn_inplace_in_tree(p->run, plan->items[i].path);
		if (lstat(full, &st) && mkdir(full, 0777) &&
		    (!pn_inplace_open_folders(p->run, full) ||
		     mkdir(full, 0777)))
			code = pn_error_system(
				&why, "cannot create folder '%s'", full);
		if (code) {
			pn_inplace_stuck(p->run, full, &why);
			failed(p, &why);
		}
		free(full);
	}
}

/* What the commit has and the user had not. */
static void remove_one(struct putting *p, const char *path)
{
	char *full = pn_inplace_in_tree(p->run, path);
	struct pn_error why;
	int code = 0;

	if (pn_room_is_reachable(p->run, path))
		code = pn_room_make(p->room, path, full, &why);
	if (code) {
		pn_inplace_open_folders(p->run, full);
		code = pn_room_make(p->room, path, full, &why);
	}
	if (code)
		pn_inplace_stuck(p->run, full, &why);
	free(full);
}

/* A folder that was not there and is not empty now has something of somebody
 * else's in it. */
static void remove_dir(struct putting *p, const char *path)
{
	char *full = pn_inplace_in_tree(p->run, path);

	pn_inplace_remove(p->run, full, AT_REMOVEDIR);
	free(full);
}

/* What must not be there goes, from the bottom up. */
static void remove_all(struct putting *p)
{
	const struct pn_plan *plan = &p->run->plan;
	size_t i;

	for (i = plan->count; i-- > 0;) {
		const struct pn_plan_item *item = &plan->items[i];

		if (item->kind == PN_PLAN_GONE)
			remove_one(p, item->path);
		else if (item->kind == PN_PLAN_NO_DIR)
			remove_dir(p, item->path);
	}
}

int pn_back_put(struct pn_room *room, struct pn_error *err)
{
	struct putting p = {.room = room, .run = room->run, .err = err};

	remove_all(&p);
	make_dirs(&p);
	put_all(&p);
	set_modes(&p);
	touch_all(&p);
	return p.code;
}

int pn_back_put_rest(struct pn_room *room, struct pn_error *err)
{
	struct putting p = {.room = room, .run = room->run, .err = err};

	put_all(&p);
	set_modes(&p);
	return p.code;
}

int pn_back_check(const struct pn_inplace *run, struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < run->plan.count; i++) {
		char *path;
		struct stat st;

		if (!is_moved(&run->plan.items[i]))
			continue;
		path = pn_inplace_aside(run, run->plan.items[i].path);
		code = pn_file_look(&st, path, err);
		if (code > 0)
			code = pn_error_set(err, PN_ECONFLICT,
					    "'%s' could not be put back", path);
		free(path);
	}
	return code;
}
