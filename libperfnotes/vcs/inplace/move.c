/*
 * Moving aside, and what builds left away. rename(2) only: bytes, modes, times,
 * attributes and kinds of file stay what they are, whatever their size.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/beneath.h"
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *pn_inplace_in_tree(const struct pn_inplace *run, const char *path)
{
	struct pn_buf full = {0};

	pn_buf_printf(&full, "%s/%s", run->root, path);
	return pn_buf_detach(&full);
}

int pn_inplace_open(int *fd, const struct pn_inplace *run, const char *full,
		    bool make, struct pn_error *err)
{
	struct pn_buf own = {0};
	const char *base = run->root;
	int code;

	pn_buf_printf(&own, "%s/perf", run->repo->git_dir);
	if (!strncmp(full, pn_buf_text(&own), own.len) && full[own.len] == '/')
		base = pn_buf_text(&own);
	code = pn_beneath_open(fd, base, full + strlen(base) + 1, make, err);
	pn_buf_release(&own);
	return code;
}

static int fail_move(const char *from, const char *to, struct pn_error *err)
{
	struct stat st;
	int number = errno;

	if (number == EEXIST || number == ENOTEMPTY)
		return pn_error_set(err, PN_ECONFLICT,
				    "cannot move '%s': '%s' exists", from, to);
	if (number == EXDEV || number == EBUSY)
		return pn_error_set(err, PN_EREFUSED,
				    "cannot set '%s' aside: it is on another "
				    "file system; perf.inPlaceKeep=<path> "
				    "leaves it where it is",
				    from);
	if (number == ENOENT && !pn_file_look(&st, from, NULL))
		return pn_error_set(err, PN_ENOTFOUND,
				    "cannot move '%s': it is gone", from);
	errno = number;
	return pn_error_system(err, "cannot move '%s'", from);
}

int pn_inplace_move(const struct pn_inplace *run, const char *from,
		    const char *to, struct pn_error *err)
{
	int from_dir = -1, to_dir = -1;
	int code = pn_inplace_open(&from_dir, run, from, false, err);

	if (!code)
		code = pn_inplace_open(&to_dir, run, to, true, err);
	if (!code && pn_file_move_new(from_dir, pn_file_basename(from), to_dir,
				      pn_file_basename(to)))
		code = fail_move(from, to, err);
	if (from_dir >= 0)
		close(from_dir);
	if (to_dir >= 0)
		close(to_dir);
	return code;
}

int pn_inplace_remove(const struct pn_inplace *run, const char *full, int flags)
{
	struct pn_error ignored;
	int dir, failed, saved;
	int code = pn_inplace_open(&dir, run, full, false, &ignored);

	if (code) {
		errno = code == PN_ENOTFOUND ? ENOENT : ENOTDIR;
		return -1;
	}
	failed = unlinkat(dir, pn_file_basename(full), flags);
	saved = errno;
	close(dir);
	errno = saved;
	return failed;
}

static bool is_moved(const struct pn_plan_item *item)
{
	return item->kind == PN_PLAN_EXTRA || item->kind == PN_PLAN_CHANGED;
}

/* What looks like a repository is passed over by `git clean -fdx`, which
 * builds like to call. */
static int make_elsewhere(const struct pn_inplace *run, struct pn_error *err)
{
	static const char *const dirs[] = {"objects", "refs"};
	static const char head[] = "ref: refs/heads/none\n";
	struct pn_buf path = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < 2; i++) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/" PN_PLAN_OWN "aside-%s/.git/%s",
			      run->root, run->id, dirs[i]);
		code = pn_file_make_dirs(pn_buf_text(&path), err);
	}
	pn_buf_clear(&path);
	pn_buf_printf(&path, "%s/" PN_PLAN_OWN "aside-%s/.git/HEAD", run->root,
		      run->id);
	if (!code)
		code = pn_file_write(pn_buf_text(&path), head, sizeof(head) - 1,
				     true, err);
	pn_buf_release(&path);
	return code;
}

int pn_inplace_set_aside(struct pn_inplace *run, struct pn_error *err)
{
	size_t i;
	int code = run->elsewhere ? make_elsewhere(run, err) : 0;

	for (i = 0; !code && i < run->plan.count; i++) {
		const struct pn_plan_item *item = &run->plan.items[i];
		char *from, *to;

		if (!is_moved(item))
			continue;
		from = pn_inplace_in_tree(run, item->path);
		to = pn_inplace_aside(run, item->path);
		code = pn_inplace_move(run, from, to, err);
		/* deleted since: the look again finds that */
		code = code == PN_ENOTFOUND ? 0 : code;
		free(from);
		free(to);
	}
	return code;
}

int pn_inplace_sync_tree(const struct pn_inplace *run, struct pn_error *err)
{
	if (pn_file_sync_all(run->root))
		return pn_error_system(err, "cannot sync '%s'", run->root);
	return 0;
}

/* Whether something is at `path` below `dir`, or a file at one of the folders
 * above it. */
static bool is_taken(const char *dir, const char *path)
{
	struct pn_buf full = {0};
	bool taken = false;
	struct stat st;
	char *at;

	pn_buf_printf(&full, "%s/%s", dir, path);
	taken = !lstat(pn_buf_text(&full), &st);
	while (!taken && full.len > strlen(dir) + 1 &&
	       (at = strrchr((char *)full.data, '/')) &&
	       (size_t)(at - (char *)full.data) > strlen(dir)) {
		*at = '\0';
		full.len = (size_t)(at - (char *)full.data);
		taken = !lstat(pn_buf_text(&full), &st) && !S_ISDIR(st.st_mode);
	}
	pn_buf_release(&full);
	return taken;
}

int pn_inplace_leave(struct pn_inplace *run, const char *path, const char *full,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_buf dir = {0}, to = {0};
	int code, n = 0;

	pn_oid_hex(hex,
		   pn_oid_is_zero(&run->current) ? &run->home : &run->current);
	if (run->elsewhere)
		pn_buf_printf(&dir, "%s/" PN_PLAN_OWN "leftovers-%s", run->root,
			      run->id);
	else
		pn_buf_printf(&dir, "%s/perf/leftovers/%s", run->repo->git_dir,
			      run->id);
	do {
		pn_buf_clear(&to);
		pn_buf_printf(&to, "%s/%.10s", pn_buf_text(&dir), hex);
		if (n)
			pn_buf_printf(&to, ".%d", n);
		n++;
	} while (is_taken(pn_buf_text(&to), path));
	pn_buf_printf(&to, "/%s", path);
	code = pn_inplace_move(run, full, pn_buf_text(&to), err);
	/* a folder that takes no writing cannot get another one above it */
	if (code && pn_inplace_open_folders(run, full))
		code = pn_inplace_move(run, full, pn_buf_text(&to), err);
	if (!code) {
		free(run->leftovers);
		run->leftovers = pn_buf_detach(&dir);
	}
	pn_buf_release(&dir);
	pn_buf_release(&to);
	return code;
}

int pn_inplace_reach(const struct pn_inplace *run, const char *path,
		     struct pn_error *err)
{
	char *full = pn_inplace_in_tree(run, path);
	char *at = full + strlen(run->root) + 1;
	struct stat st;
	int code = 1;

	for (; code > 0 && (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		code = pn_file_look(&st, full, err);
		if (code > 0)
			code = S_ISDIR(st.st_mode) ? 1 : 0;
	}
	free(full);
	return code;
}
