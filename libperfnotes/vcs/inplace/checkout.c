/*
 * The work tree becomes that of a commit, and nothing is ever overwritten:
 * git computes an index (read-tree), what it finds different moves out of the
 * way (taken.c), and git writes only what is not there (checkout-index without
 * -f creates files with O_EXCL). What somebody puts there meanwhile is moved
 * away, too, and git is asked again.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child.h"
#include "vcs/inplace/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 8 /* somebody saves into what is being written */

struct checkout {
	struct pn_inplace *run;
	char *index;
	struct pn_listing next;
	const struct pn_listing *known;
	struct pn_listing gone; /* what the commit has not */
	struct pn_listing
		mine; /* places of the user's files, on the way home */
	struct pn_listing owned; /* folders that must not be made anew */
	struct pn_listing want;	 /* what git is to write */
	struct pn_error *err;
};

int pn_inplace_make_index(const struct pn_inplace *run, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const char *const read[] = {"read-tree", hex, NULL};
	const char *const refresh[] = {"update-index", "-q", "--refresh", NULL};
	char *index = pn_inplace_path(run, PN_INPLACE_RUN_INDEX);
	int status, code;

	pn_oid_hex(hex, &run->home);
	code = pn_inplace_git(NULL, NULL, run, index, read, err);
	if (!code) /* 1: files differ, those that were set aside */
		code = pn_inplace_git(NULL, &status, run, index, refresh, err);
	free(index);
	return code;
}

int pn_inplace_keep_index(const struct pn_inplace *run, struct pn_error *err)
{
	char *index = pn_inplace_path(run, PN_INPLACE_RUN_INDEX);
	char *before = pn_inplace_path(run, PN_INPLACE_BEFORE);
	int code = 0;

	if (unlink(before) && errno != ENOENT)
		code = pn_error_system(err, "cannot remove '%s'", before);
	else if (link(index, before))
		code = pn_inplace_copy(index, before, err);
	free(index);
	free(before);
	return code;
}

static int read_tree(const struct checkout *c, const struct pn_oid *commit)
{
	char hex[PN_OID_HEX + 1];
	const char *const read[] = {"read-tree", "-i", "-m", hex, NULL};
	bool sparse = false;
	int code = pn_inplace_is_sparse(&sparse, c->run, c->err);

	pn_oid_hex(hex, commit);
	if (code)
		return code;
	return sparse ? pn_inplace_sparse_index(c->run, c->index, hex, c->err)
		      : pn_inplace_git(NULL, NULL, c->run, c->index, read,
				       c->err);
}

static int list_all(struct checkout *c, const struct pn_oid *commit)
{
	const struct pn_plan *plan = &c->run->plan;
	size_t i;
	int code = pn_listing_add(&c->next, c->run->repo, commit, c->err);

	for (i = 0; i < plan->count; i++)
		if (plan->items[i].kind == PN_PLAN_OWNED)
			pn_listing_put(&c->owned, 0, commit,
				       plan->items[i].path);
	pn_listing_sort(&c->owned);
	for (i = 0; !code && i < c->known->count; i++) {
		const struct pn_listed *item = &c->known->items[i];

		if (!pn_listing_find(&c->next, item->path))
			pn_listing_put(&c->gone, item->mode, commit,
				       item->path);
	}
	pn_listing_sort(&c->gone);
	return code;
}

/* An empty folder of a submodule goes, as with git; a full one stays. */
static int take_gone(struct checkout *c)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < c->gone.count; i++) {
		const struct pn_listed *item = &c->gone.items[i];
		char *full = pn_inplace_in_tree(c->run, item->path);
		struct stat st;
		int found = pn_file_look(&st, full, c->err);

		if (found < 0)
			code = found;
		else if (found && !S_ISDIR(st.st_mode))
			code = pn_inplace_take(c->run, item->path, c->err);
		else if (found && item->mode == PN_MODE_GITLINK)
			pn_inplace_remove(c->run, full, AT_REMOVEDIR);
		free(full);
	}
	return code;
}

/* Whether a folder that could not be removed may stay. */
static bool may_stay(int number)
{
	return number == ENOTEMPTY || number == EEXIST || number == ENOENT ||
	       number == ENOTDIR || number == EBUSY || number == EACCES ||
	       number == EPERM || number == EROFS;
}

/* The folder of a path and those above it, as long as they are empty. */
static int remove_folders(struct checkout *c, char *dir)
{
	char *slash;
	int code = 0;

	while (!code && (slash = strrchr(dir, '/'))) {
		char *full;

		*slash = '\0';
		if (pn_listing_find(&c->owned, dir))
			break;
		code = pn_inplace_reach(c->run, dir, c->err);
		if (code <= 0)
			break;
		full = pn_inplace_in_tree(c->run, dir);
		code = 0;
		if (pn_inplace_remove(c->run, full, AT_REMOVEDIR)) {
			code = may_stay(errno)
				       ? 1
				       : pn_error_system(c->err,
							 "cannot remove '%s'",
							 full);
		}
		free(full);
	}
	return code < 0 ? code : 0;
}

static int clear_folders(struct checkout *c)
{
	const char *last = "";
	size_t i;
	int code = 0;

	for (i = c->gone.count; !code && i-- > 0;) {
		const char *path = c->gone.items[i].path;
		const char *name = pn_file_basename(path);
		size_t len = (size_t)(name - path);
		char *dir;

		if (!len ||
		    (!strncmp(last, path, len) && !strchr(last + len, '/')))
			continue;
		dir = pn_strdup(path);
		code = remove_folders(c, dir);
		free(dir);
		last = path;
	}
	return code;
}

/* What the index has and the work tree has not, or not so. */
static int list_wanted(struct checkout *c)
{
	static const char *const args[] = {"diff-files", "-z", "--name-only",
					   "--ignore-submodules=all", NULL};
	struct pn_buf text = {0};
	const char *at, *end;
	int code = pn_inplace_git(&text, NULL, c->run, c->index, args, c->err);

	pn_listing_release(&c->want);
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1) {
		const struct pn_listed *item = pn_listing_find(&c->next, at);

		if (item && item->mode != PN_MODE_GITLINK)
			pn_listing_put(&c->want, item->mode, &item->oid, at);
	}
	pn_buf_release(&text);
	return code;
}

static int take_wanted(struct checkout *c)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < c->want.count; i++)
		code = pn_inplace_take(c->run, c->want.items[i].path, c->err);
	return code;
}

/* *status is not zero when something was in the way, or when git cannot. */
static int write_wanted(struct checkout *c, char said[1024], int *status)
{
	static const char *const args[] = {"checkout-index", "-u", "-z",
					   "--stdin", NULL};
	char *list = pn_inplace_path(c->run, "want");
	struct pn_buf text = {0};
	size_t i;
	int fd, code;

	for (i = 0; i < c->want.count; i++)
		pn_buf_add(&text, c->want.items[i].path,
			   strlen(c->want.items[i].path) + 1);
	code = pn_file_write(list, pn_buf_text(&text), text.len, false, c->err);
	fd = code ? -1 : open(list, O_RDONLY | O_CLOEXEC);
	if (!code && fd < 0)
		code = pn_error_system(c->err, "cannot read '%s'", list);
	if (!code)
		code = pn_inplace_git_in(fd, said, status, c->run, c->index,
					 args, c->err);
	if (fd >= 0)
		close(fd);
	pn_buf_release(&text);
	free(list);
	return code;
}

/* Whether git failed for a reason of its own: nothing is in its way. */
static int is_blocked(bool *out, struct checkout *c)
{
	static const char *const refresh[] = {"update-index", "-q", "--refresh",
					      NULL};
	size_t i;
	int status, code;

	*out = false;
	/* git that fails forgets what it wrote */
	code = pn_inplace_git(NULL, &status, c->run, c->index, refresh, c->err);
	if (!code)
		code = list_wanted(c);
	for (i = 0; !code && !*out && i < c->want.count; i++) {
		char *full = pn_inplace_in_tree(c->run, c->want.items[i].path);
		struct stat st;
		int found = pn_file_look(&st, full, c->err);

		code = found < 0 ? found : 0;
		*out = found > 0;
		free(full);
	}
	return code;
}

static int write_files(struct checkout *c)
{
	char said[1024] = "";
	int status = 0, tries, code = list_wanted(c);

	for (tries = 0; !code && c->want.count; tries++) {
		bool blocked = true;

		code = take_wanted(c);
		if (!code)
			code = write_wanted(c, said, &status);
		if (code || !status)
			return code;
		code = is_blocked(&blocked, c);
		if (!code && (!blocked || tries == TRIES))
			return pn_error_set(c->err, PN_EIO,
					    "git checkout-index failed: %s",
					    pn_child_said(said));
		c->run->takes++;
	}
	return code;
}

/* git makes a folder where a submodule belongs. */
static int make_submodules(struct checkout *c)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < c->next.count; i++) {
		const struct pn_listed *item = &c->next.items[i];
		char *full;
		struct stat st;

		if (item->mode != PN_MODE_GITLINK)
			continue;
		full = pn_inplace_in_tree(c->run, item->path);
		code = pn_file_look(&st, full, c->err);
		code = code ? code : pn_file_make_dirs(full, c->err);
		code = code < 0 ? code : 0;
		free(full);
	}
	return code;
}

static int check_out(struct checkout *c, const struct pn_oid *commit)
{
	struct stat st;
	int code = pn_file_look(&st, c->index, c->err);

	if (!code)
		code = pn_inplace_make_index(c->run, c->err);
	code = code < 0 ? code : pn_inplace_keep_index(c->run, c->err);
	if (!code)
		code = list_all(c, commit);
	if (!code)
		code = read_tree(c, commit);
	if (!code)
		code = take_gone(c);
	if (!code)
		code = clear_folders(c);
	if (!code)
		code = write_files(c);
	if (!code)
		code = make_submodules(c);
	return code;
}

int pn_inplace_checkout(struct pn_inplace *run, const struct pn_oid *commit,
			const struct pn_listing *known, struct pn_error *err)
{
	struct checkout c = {.run = run,
			     .index =
				     pn_inplace_path(run, PN_INPLACE_RUN_INDEX),
			     .known = known,
			     .err = err};
	struct pn_buf lock = {0};
	int code;

	/* of a git process of this run that was killed: nobody else's */
	pn_buf_printf(&lock, "%s.lock", c.index);
	unlink(pn_buf_text(&lock));
	code = pn_inplace_settle(run, known, err);
	if (!code)
		code = check_out(&c, commit);
	if (!code)
		code = pn_inplace_settle(run, known, err);
	pn_listing_release(&c.next);
	pn_listing_release(&c.gone);
	pn_listing_release(&c.owned);
	pn_listing_release(&c.want);
	pn_buf_release(&lock);
	free(c.index);
	return code;
}
