/*
 * The user's index and HEAD, and how a run replaces them: through their lock
 * files, as git does, so that a git of the user's never sees half of one.
 *
 * Until the run puts its own in their place they are the user's, whose git may
 * write them while the run begins: so each is given back as it was at the
 * moment of its replacing, and one that was not replaced is left alone.
 */
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_WAIT_MS 10000
#define LOCK_PAUSE_MS 20

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !lstat(a, &x) && !lstat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/*
 * A lock file that is a second name of `mine` was made by this run before it
 * was killed; any other one is somebody else's, and is waited for.
 */
static int take_lock(const char *mine, const char *lock, struct pn_error *err)
{
	const struct timespec pause = {0, LOCK_PAUSE_MS * 1000000};
	int waited;

	for (waited = 0; link(mine, lock); waited += LOCK_PAUSE_MS) {
		if (errno != EEXIST)
			return pn_error_system(err, "cannot create '%s'", lock);
		if (waited >= LOCK_WAIT_MS)
			return pn_error_set(err, PN_ELOCKED,
					    "'%s' is in the way; remove it if "
					    "no git is at work",
					    lock);
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* Paths of one installation. */
struct paths {
	char *target, *lock, *mine;
};

static char *join(const char *a, const char *b, const char *c)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s%s%s", a, b, c);
	return pn_buf_detach(&path);
}

static void open_paths(struct paths *out, const struct pn_inplace *run,
		       const char *name)
{
	out->target = join(run->repo->git_dir, "/", name);
	out->lock = join(out->target, ".lock", "");
	out->mine = join(run->state, "/new-", name);
	if (same_file(out->mine, out->lock))
		unlink(out->lock);
}

static void close_paths(struct paths *paths)
{
	free(paths->target);
	free(paths->lock);
	free(paths->mine);
}

/* 1: they are, or there is nothing at `path`; 0: they are not. */
static int is_same(const char *path, const char *copy, struct pn_error *err)
{
	struct pn_buf now = {0}, then = {0};
	int code = pn_file_read(&now, path, PN_INPLACE_FILE_MAX, err);

	if (code == PN_ENOTFOUND) {
		code = 1;
	} else if (!code) {
		code = pn_file_read(&then, copy, PN_INPLACE_FILE_MAX, err);
		if (!code)
			code = now.len == then.len &&
			       !memcmp(pn_buf_text(&now), pn_buf_text(&then),
				       now.len);
		else if (code == PN_ENOTFOUND)
			code = 0;
	}
	pn_buf_release(&now);
	pn_buf_release(&then);
	return code;
}

/* What is there takes the place of the copy that was made at first. */
static int take(struct pn_inplace *run, const char *name, const char *path,
		const char *copy, struct pn_error *err)
{
	char *fresh = pn_inplace_path(run, "fresh");
	int code = pn_inplace_copy(path, fresh, err);

	if (!code && rename(fresh, copy))
		code = pn_error_system(err, "cannot replace '%s'", copy);
	free(fresh);
	if (code) /* gone since the look: the copy is what is left */
		return code == PN_ENOTFOUND ? 0 : code;
	pn_inplace_note(run,
			"git has written '%s' while the run began; it is back "
			"as that left it",
			name);
	if (run->has_index || strcmp(name, PN_INPLACE_INDEX) != 0)
		return 0;
	run->has_index = true;
	return pn_inplace_save(run, err);
}

/* With its lock file held: what is there now is what comes back, unless it is
 * the run's own already. */
static int adopt(struct pn_inplace *run, const char *name, struct pn_error *err)
{
	bool *replaced = strcmp(name, PN_INPLACE_HEAD) != 0
				 ? &run->index_replaced
				 : &run->head_replaced;
	char *copy = pn_inplace_path(run, name);
	struct pn_buf path = {0};
	int code = 0;

	if (!*replaced) {
		pn_buf_printf(&path, "%s/%s", run->repo->git_dir, name);
		code = is_same(pn_buf_text(&path), copy, err);
		if (!code)
			code = take(run, name, pn_buf_text(&path), copy, err);
		if (code >= 0) {
			*replaced = true;
			code = pn_inplace_put_replaced(run, err);
		}
	}
	pn_buf_release(&path);
	free(copy);
	return code;
}

int pn_inplace_install(struct pn_inplace *run, const char *from,
		       const char *name, struct pn_error *err)
{
	char *source = pn_inplace_path(run, from);
	struct paths paths;
	int code;

	open_paths(&paths, run, name);
	code = pn_inplace_copy(source, paths.mine, err);
	if (code == PN_ENOTFOUND)
		code = pn_error_set(err, PN_ENOTFOUND, "'%s' is missing",
				    source);
	if (!code)
		code = take_lock(paths.mine, paths.lock, err);
	if (!code) {
		code = adopt(run, name, err);
		if (!code && rename(paths.lock, paths.target))
			code = pn_error_system(err, "cannot replace '%s'",
					       paths.target);
		if (code)
			unlink(paths.lock);
	}
	unlink(paths.mine);
	close_paths(&paths);
	free(source);
	return code ? code : pn_file_sync_names(run->repo->git_dir, err);
}

/* A lock file of this run, which was killed when it had it, goes. */
static void unlock(const struct pn_inplace *run, const char *name)
{
	struct paths paths;

	open_paths(&paths, run, name);
	unlink(paths.mine);
	close_paths(&paths);
}

/* Remove <git dir>/<name> through its lock file. */
static int uninstall(const struct pn_inplace *run, const char *name,
		     struct pn_error *err)
{
	char *new = join("new-", name, "");
	struct paths paths;
	int code;

	open_paths(&paths, run, name);
	code = pn_inplace_put(run, new, "", err);
	if (!code)
		code = take_lock(paths.mine, paths.lock, err);
	if (!code && unlink(paths.target) && errno != ENOENT)
		code = pn_error_system(err, "cannot remove '%s'", paths.target);
	if (!code)
		unlink(paths.lock);
	unlink(paths.mine);
	close_paths(&paths);
	free(new);
	return code ? code : pn_file_sync_names(run->repo->git_dir, err);
}

/* Somebody moved HEAD while the run had it: that is kept by name. */
static void note_head(struct pn_inplace *run)
{
	char *detached = pn_inplace_path(run, "detached");
	char *own = pn_inplace_path(run, PN_INPLACE_HEAD);
	struct pn_buf now = {0}, ours = {0}, users = {0}, path = {0};

	pn_buf_printf(&path, "%s/HEAD", run->repo->git_dir);
	if (!pn_file_read(&now, pn_buf_text(&path), 4096, NULL) &&
	    !pn_file_read(&ours, detached, 4096, NULL) &&
	    !pn_file_read(&users, own, 4096, NULL) &&
	    strcmp(pn_buf_text(&now), pn_buf_text(&ours)) &&
	    strcmp(pn_buf_text(&now), pn_buf_text(&users)))
		pn_inplace_note(run,
				"HEAD was moved to '%.*s' during the run; it "
				"is back where it was",
				(int)strcspn(pn_buf_text(&now), "\n"),
				pn_buf_text(&now));
	pn_buf_release(&now);
	pn_buf_release(&ours);
	pn_buf_release(&users);
	pn_buf_release(&path);
	free(detached);
	free(own);
}

static int fail_own(const struct pn_inplace *run, const char *name,
		    const char *path, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	if (!strcmp(name, PN_INPLACE_HEAD))
		return pn_error_set(err, PN_EINVAL,
				    "'%s' is damaged: write 'ref: "
				    "refs/heads/<branch>' there, then run 'git "
				    "perf recover'",
				    path);
	pn_oid_hex(hex, &run->safety);
	return pn_error_set(err, PN_EINVAL,
			    "'%s' is damaged: write the index there ('git "
			    "cat-file blob %s^4:index'), then run 'git perf "
			    "recover'",
			    path, hex);
}

/* One that was cut would leave no repository behind. */
static int check_own(const struct pn_inplace *run, const char *name,
		     const char *begin, size_t least, struct pn_error *err)
{
	char *path = pn_inplace_path(run, name);
	struct pn_buf text = {0};
	int code = pn_file_read(&text, path, PN_INPLACE_FILE_MAX, err);
	struct pn_oid id;

	if (code == PN_ENOTFOUND ||
	    (!code &&
	     (text.len < least || (memcmp(text.data, begin, strlen(begin)) &&
				   pn_oid_parse(&id, pn_buf_text(&text))))))
		code = fail_own(run, name, path, err);
	pn_buf_release(&text);
	free(path);
	return code;
}

int pn_inplace_restore_own(struct pn_inplace *run, struct pn_error *err)
{
	int code = 0;

	if (run->head_replaced)
		code = check_own(run, PN_INPLACE_HEAD, "ref: ", 6, err);
	if (!code && run->index_replaced && run->has_index)
		code = check_own(run, PN_INPLACE_INDEX, "DIRC", 32, err);
	if (code)
		return code;
	if (run->head_replaced)
		note_head(run);
	if (run->index_replaced && run->has_index)
		code = pn_inplace_install(run, PN_INPLACE_INDEX,
					  PN_INPLACE_INDEX, err);
	else if (run->index_replaced)
		code = uninstall(run, PN_INPLACE_INDEX, err);
	else
		unlock(run, PN_INPLACE_INDEX);
	if (!code && run->head_replaced)
		code = pn_inplace_install(run, PN_INPLACE_HEAD, PN_INPLACE_HEAD,
					  err);
	else if (!code)
		unlock(run, PN_INPLACE_HEAD);
	return code;
}
