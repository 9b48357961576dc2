/* What builds leave: files that no commit has, and changed files of the
 * commit. They are moved out of the way, never deleted. */
#include "base/alloc.h"
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the files of `next` need the place of `path`. */
static bool in_the_way(const struct pn_listing *next, const char *path)
{
	struct pn_buf name = {0};
	size_t from = 0, to = next->count;
	char *at;
	bool found;

	pn_buf_printf(&name, "%s/", path);
	pn_listing_below(&from, &to, next, pn_buf_text(&name));
	found = from < to;
	name.data[--name.len] = '\0';
	while (!found) {
		found = pn_listing_find(next, (char *)name.data) != NULL;
		at = strrchr((char *)name.data, '/');
		if (!at)
			break;
		*at = '\0';
	}
	pn_buf_release(&name);
	return found;
}

/* At the end of the run what cannot be moved is in nothing's way: it is told.
 */
static int leave(struct pn_inplace *run, const char *path, bool at_end,
		 struct pn_error *err)
{
	struct pn_buf full = {0};
	struct pn_error why;
	struct stat st;
	int code = 0;

	pn_buf_printf(&full, "%s/%s", run->root, path);
	if (!lstat(pn_buf_text(&full), &st))
		code = pn_inplace_leave(run, path, pn_buf_text(&full), &why);
	if (code && at_end) {
		pn_inplace_stuck(run, pn_buf_text(&full), &why);
		code = 0;
	} else if (code) {
		*err = why;
	}
	pn_buf_release(&full);
	return code;
}

static bool stays(const struct pn_inplace *run, const struct pn_plan_item *item)
{
	return item->kind == PN_PLAN_NESTED &&
	       (pn_plan_has(&run->plan, PN_PLAN_NESTED, item->path) ||
		pn_plan_has(&run->plan, PN_PLAN_KEEP, item->path));
}

static int leave_extras(struct pn_inplace *run, const struct pn_listing *tree,
			const struct pn_listing *next, struct pn_error *err)
{
	struct pn_plan found = {0};
	size_t i;
	int code = pn_plan_walk(&found, run->root, tree, &run->plan, NULL, err);

	for (i = 0; !code && i < found.count; i++) {
		const struct pn_plan_item *item = &found.items[i];
		const struct pn_listed *listed =
			pn_listing_find(tree, item->path);

		if (stays(run, item) ||
		    (listed && listed->mode == PN_MODE_GITLINK) ||
		    (next && !in_the_way(next, item->path)))
			continue;
		code = leave(run, item->path, !next, err);
	}
	pn_plan_release(&found);
	return code;
}

/* Whether the file is what one of the commits has there: after a crash in the
 * middle of a checkout it may be any of theirs. */
static bool is_known(const struct pn_inplace *run,
		     const struct pn_listing *tree, const char *path)
{
	struct pn_buf full = {0};
	struct pn_oid have;
	struct stat st;
	size_t from = 0, to = tree->count;
	bool known = false;

	pn_listing_below(&from, &to, tree, path);
	pn_buf_printf(&full, "%s/%s", run->root, path);
	if (lstat(pn_buf_text(&full), &st))
		known = true; /* nothing to keep */
	else if ((S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) &&
		 !pn_plan_hash(&have, pn_buf_text(&full), &st, NULL))
		for (; from < to && !known; from++)
			known = !strcmp(tree->items[from].path, path) &&
				pn_oid_equal(&tree->items[from].oid, &have);
	pn_buf_release(&full);
	return known;
}

static int leave_changed(struct pn_inplace *run, const struct pn_listing *tree,
			 bool at_end, struct pn_error *err)
{
	static const char *const refresh[] = {"update-index", "-q", "--refresh",
					      NULL};
	static const char *const differ[] = {"diff-files", "-z", "--name-only",
					     "--ignore-submodules=all", NULL};
	char *index = pn_inplace_path(run, PN_INPLACE_RUN_INDEX);
	struct pn_buf text = {0}, lock = {0};
	const char *at, *end;
	int status, code = 0;

	pn_buf_printf(&lock, "%s.lock", index);
	unlink(pn_buf_text(&lock));
	if (access(index, F_OK))
		goto out; /* nothing was checked out yet */
	code = pn_inplace_git(NULL, &status, run, index, refresh, err);
	if (!code)
		code = pn_inplace_git(&text, NULL, run, index, differ, err);
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1)
		if (!is_known(run, tree, at))
			code = leave(run, at, at_end, err);
out:
	pn_buf_release(&text);
	pn_buf_release(&lock);
	free(index);
	return code;
}

int pn_inplace_sweep(struct pn_inplace *run, const struct pn_listing *tree,
		     const struct pn_listing *next, struct pn_error *err)
{
	int code = leave_changed(run, tree, !next, err);

	return code ? code : leave_extras(run, tree, next, err);
}
