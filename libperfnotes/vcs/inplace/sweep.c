/* What builds leave: files that no commit has, and changed files of the
 * commit. They are moved out of the way, never deleted. */
#include "base/alloc.h"
#include "base/file.h"
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
	char *full = pn_inplace_in_tree(run, path);
	struct pn_error why;
	struct stat st;
	int code = pn_inplace_reach(run, path, &why);

	if (code > 0)
		code = pn_file_look(&st, full, &why);
	if (code > 0)
		code = pn_inplace_leave(run, path, full, &why);
	/* gone since it was found: nothing is to be kept */
	code = code == PN_ENOTFOUND ? 0 : code;
	if (code && at_end) {
		pn_inplace_stuck(run, full, &why);
		code = 0;
	} else if (code) {
		*err = why;
	}
	free(full);
	return code;
}

/* git would convert by it what it writes. */
static bool is_attributes(const char *path)
{
	return !strcmp(pn_file_basename(path), ".gitattributes");
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
		    (next && !in_the_way(next, item->path) &&
		     !is_attributes(item->path)))
			continue;
		code = leave(run, item->path, !next, err);
	}
	pn_plan_release(&found);
	return code;
}

/* 1 when the file is what one of the commits has there: after a crash in the
 * middle of a checkout it may be any of theirs. */
static int is_known(const struct pn_inplace *run, const struct pn_listing *tree,
		    const char *path, struct pn_error *err)
{
	char *full = pn_inplace_in_tree(run, path);
	size_t from = 0, to = tree->count;
	struct pn_oid have;
	struct stat st;
	int known, code = pn_inplace_reach(run, path, err);

	if (code > 0)
		code = pn_file_look(&st, full, err);
	known = !code; /* nothing to keep */

	pn_listing_below(&from, &to, tree, path);
	if (code > 0 && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)))
		code = pn_plan_hash(&have, full, &st, err);
	else if (code > 0)
		from = to;
	for (; code >= 0 && from < to && !known; from++)
		known = !strcmp(tree->items[from].path, path) &&
			pn_oid_equal(&tree->items[from].oid, &have);
	free(full);
	return code < 0 ? code : known;
}

/* The index is not refreshed first: git's conversions would hide changes of
 * line ends. */
static int leave_changed(struct pn_inplace *run, const struct pn_listing *tree,
			 bool at_end, struct pn_error *err)
{
	static const char *const differ[] = {"diff-files", "-z", "--name-only",
					     "--ignore-submodules=all", NULL};
	char *index = pn_inplace_path(run, PN_INPLACE_RUN_INDEX);
	struct pn_buf text = {0}, lock = {0};
	const char *at, *end;
	struct stat st;
	int known, code;

	pn_buf_printf(&lock, "%s.lock", index);
	unlink(pn_buf_text(&lock));
	code = pn_file_look(&st, index, err); /* 0: nothing was checked out */
	if (code > 0)
		code = pn_inplace_git(&text, NULL, run, index, differ, err);
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1) {
		known = is_known(run, tree, at, err);
		/* what cannot be read is kept, when all has to go home */
		if (known < 0 && !at_end)
			code = known;
		else if (known <= 0)
			code = leave(run, at, at_end, err);
	}
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
