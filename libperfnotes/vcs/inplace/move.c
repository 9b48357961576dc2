/*
 * Moving aside and back. rename(2) only: bytes, modes, times, attributes and
 * kinds of file stay what they are, whatever their size. No step depends on
 * an earlier one having been done by the same process.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *in_tree(const struct pn_inplace *run, const char *path)
{
	struct pn_buf full = {0};

	pn_buf_printf(&full, "%s/%s", run->root, path);
	return pn_buf_detach(&full);
}

static int make_parents(const char *path, struct pn_error *err)
{
	char *dir = pn_strndup(path, (size_t)(strrchr(path, '/') - path));
	int code = access(dir, F_OK) ? pn_file_make_dirs(dir, err) : 0;

	free(dir);
	return code;
}

static int move(const char *from, const char *to, struct pn_error *err)
{
	int code = make_parents(to, err);

	if (!code && rename(from, to))
		code = errno == EXDEV || errno == EBUSY
			       ? pn_error_set(err, PN_EREFUSED,
					      "cannot set '%s' aside: it is on "
					      "another file system; "
					      "perf.inPlaceKeep=<path> leaves "
					      "it where it is",
					      from)
			       : pn_error_system(err, "cannot move '%s'", from);
	return code;
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
		from = in_tree(run, item->path);
		to = pn_inplace_aside(run, item->path);
		code = move(from, to, err);
		free(from);
		free(to);
	}
	return code;
}

int pn_inplace_leave(struct pn_inplace *run, const char *path, const char *full,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_buf dir = {0}, to = {0};
	struct stat st;
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
		pn_buf_printf(&to, "/%s", path);
		n++;
	} while (!lstat(pn_buf_text(&to), &st));
	code = move(full, pn_buf_text(&to), err);
	free(run->leftovers);
	run->leftovers = pn_buf_detach(&dir);
	pn_buf_release(&to);
	return code;
}

static bool exists(const char *path, struct stat *st)
{
	return !lstat(path, st);
}

/* Whether everything above `path` is a real folder: nothing is ever done
 * through a symbolic link. */
static bool is_reachable(const struct pn_inplace *run, const char *path)
{
	char *full = in_tree(run, path);
	char *at = full + strlen(run->root) + 1;
	bool good = true;
	struct stat st;

	for (; good && (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		good = exists(full, &st) && S_ISDIR(st.st_mode);
	}
	free(full);
	return good;
}

/* What is needed to tell git's files from the user's while putting back. */
struct putting {
	struct pn_inplace *run;
	struct pn_listing home;
	struct pn_listing edited; /* differ from the run's index */
	bool asked;
	struct pn_error *err;
};

static int ask_edited(struct putting *p)
{
	static const char *const args[] = {"diff-files", "-z", "--name-only",
					   "--ignore-submodules=all", NULL};
	char *index = pn_inplace_path(p->run, PN_INPLACE_RUN_INDEX);
	struct pn_buf text = {0};
	const char *at, *end;
	int code = pn_inplace_git(&text, NULL, p->run, index, args, p->err);

	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1)
		pn_listing_put(&p->edited, 0, &p->run->home, at);
	pn_listing_sort(&p->edited);
	p->asked = true;
	pn_buf_release(&text);
	free(index);
	return code;
}

/* 1: git wrote this file for the first commit and nobody changed it since; it
 * has the commit's bytes, or (where git converts) the run's index knows it. */
static int is_gits(struct putting *p, const char *path, const char *full,
		   const struct stat *st)
{
	const struct pn_listed *item = pn_listing_find(&p->home, path);
	struct pn_oid have;
	int code;

	if (!item || (!S_ISREG(st->st_mode) && !S_ISLNK(st->st_mode)))
		return 0;
	code = pn_plan_hash(&have, full, st, p->err);
	if (code)
		return code;
	if (pn_oid_equal(&have, &item->oid))
		return 1;
	code = p->asked ? 0 : ask_edited(p);
	return code ? code : !pn_listing_find(&p->edited, path);
}

/* Make room at a place: an empty folder and git's file give way, anything else
 * is kept among the leftovers. */
static int make_room(struct putting *p, const char *path, const char *full)
{
	struct stat st;
	int gits;

	if (!exists(full, &st) || (S_ISDIR(st.st_mode) && !rmdir(full)))
		return 0;
	gits = is_gits(p, path, full, &st);
	if (gits < 0)
		return gits;
	if (!gits)
		return pn_inplace_leave(p->run, path, full, p->err);
	return unlink(full)
		       ? pn_error_system(p->err, "cannot remove '%s'", full)
		       : 0;
}

/* One thing from aside to its place. */
static int put_one(struct putting *p, const char *path)
{
	char *from = pn_inplace_aside(p->run, path);
	char *to = in_tree(p->run, path);
	struct stat st;
	int code = 0;

	if (exists(from, &st)) { /* else it is back already */
		code = make_room(p, path, to);
		if (!code)
			code = move(from, to, p->err);
	}
	free(from);
	free(to);
	return code;
}

int pn_inplace_take_back(struct pn_inplace *run, struct pn_error *err)
{
	struct putting p = {.run = run, .err = err};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < run->plan.count; i++)
		if (is_moved(&run->plan.items[i]))
			code = put_one(&p, run->plan.items[i].path);
	return code;
}

/* A build that looks at times must not take what it made of older sources for
 * younger than these. */
static int touch(const struct pn_inplace *run, const char *path,
		 struct pn_error *err)
{
	char *full = in_tree(run, path);
	struct stat st;
	int code = 0;

	if (exists(full, &st) && S_ISREG(st.st_mode) &&
	    utimensat(AT_FDCWD, full, NULL, AT_SYMLINK_NOFOLLOW) &&
	    errno != EPERM && errno != EACCES)
		code = pn_error_system(err, "cannot set the time of '%s'",
				       full);
	free(full);
	return code;
}

static int set_mode(const struct pn_inplace *run, const char *path,
		    unsigned int mode, bool is_dir, struct pn_error *err)
{
	char *full = in_tree(run, path);
	struct stat st;
	int code = 0;

	if (!is_reachable(run, path))
		goto out;
	if (is_dir && !exists(full, &st) && mkdir(full, 0777))
		code = pn_error_system(err, "cannot create folder '%s'", full);
	if (!code && exists(full, &st) && !S_ISLNK(st.st_mode) &&
	    !S_ISDIR(st.st_mode) == !is_dir && (st.st_mode & 07777) != mode &&
	    chmod(full, mode))
		code = pn_error_system(err, "cannot set the mode of '%s'",
				       full);
out:
	free(full);
	return code;
}

/* What the commit has and the user had not. */
static int remove_one(struct putting *p, const char *path)
{
	char *full = in_tree(p->run, path);
	int code = 0;

	if (is_reachable(p->run, path))
		code = make_room(p, path, full);
	free(full);
	return code;
}

/* A folder that was not there and is not empty now has something of somebody
 * else's in it. */
static void remove_dir(struct putting *p, const char *path)
{
	char *full = in_tree(p->run, path);

	if (is_reachable(p->run, path))
		rmdir(full);
	free(full);
}

/* What must not be there goes, from the bottom up. */
static int remove_all(struct putting *p)
{
	const struct pn_plan *plan = &p->run->plan;
	size_t i;
	int code = 0;

	for (i = plan->count; !code && i-- > 0;) {
		const struct pn_plan_item *item = &plan->items[i];

		if (item->kind == PN_PLAN_GONE)
			code = remove_one(p, item->path);
		else if (item->kind == PN_PLAN_NO_DIR)
			remove_dir(p, item->path);
	}
	return code;
}

int pn_inplace_put_back(struct pn_inplace *run, struct pn_error *err)
{
	struct putting p = {.run = run, .err = err};
	const struct pn_plan *plan = &run->plan;
	bool kept = false;
	size_t i;
	int code = pn_listing_add(&p.home, run->repo, &run->home, err);

	if (!code)
		code = remove_all(&p);
	for (i = 0; !code && i < plan->count; i++) {
		const struct pn_plan_item *item = &plan->items[i];

		if (item->kind == PN_PLAN_DIR || item->kind == PN_PLAN_MODE)
			code = set_mode(run, item->path, item->mode,
					item->kind == PN_PLAN_DIR, err);
		else if (is_moved(item))
			code = put_one(&p, item->path);
		kept = kept || item->kind == PN_PLAN_KEEP;
	}
	for (i = 0; !code && kept && i < plan->count; i++)
		if (plan->items[i].kind == PN_PLAN_CHANGED)
			code = touch(run, plan->items[i].path, err);
	pn_listing_release(&p.home);
	pn_listing_release(&p.edited);
	return code;
}
