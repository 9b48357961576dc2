/*
 * The user's index and HEAD, and how a run replaces them: through their lock
 * files, as git does, so that a git of the user's never sees half of one.
 *
 * Until the run puts its own in their place they are the user's, whose git may
 * write them while the run begins: so each is given back as it was at the
 * moment of its replacing, and one that was not replaced is left alone. What
 * it writes later, into the run's own, is kept beside (meanwhile.c).
 */
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/inplace/meanwhile.h"
#include "vcs/lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_WAIT_S 10
#define LOCK_PAUSE_MS 20

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !lstat(a, &x) && !lstat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Paths of one installation. */
struct paths {
	char *target, *lock;
	char *mine;  /* becomes the lock file */
	char *given; /* what the run has put there, by another name */
};

/*
 * A lock file that is a second name of `mine` was made by this run before it
 * was killed; any other one is somebody else's, and is waited for.
 */
static int take_lock(const struct pn_inplace *run, const struct paths *paths,
		     struct pn_error *err)
{
	const struct timespec pause = {0, LOCK_PAUSE_MS * 1000000};
	struct pn_lock_wait wait = pn_lock_wait_begin(run->repo);
	int code = 0;

	while (!code && link(paths->mine, paths->lock)) {
		if (errno != EEXIST)
			return pn_error_system(err, "cannot create '%s'",
					       paths->lock);
		if (pn_time_monotonic_ns() - wait.begin_ns >=
		    LOCK_WAIT_S * (int64_t)1000000000)
			return pn_error_set(err, PN_ELOCKED,
					    "'%s' is in the way; remove it if "
					    "no git is at work",
					    paths->lock);
		code = pn_lock_wait_on(&wait, run->repo, paths->lock,
				       LOCK_WAIT_S, err);
		if (!code)
			nanosleep(&pause, NULL);
	}
	return code;
}

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
	out->given = join(run->state, "/given-", name);
	if (same_file(out->mine, out->lock))
		unlink(out->lock);
	/* killed right behind the rename */
	if (same_file(out->mine, out->target))
		rename(out->mine, out->given);
}

static void close_paths(struct paths *paths)
{
	free(paths->target);
	free(paths->lock);
	free(paths->mine);
	free(paths->given);
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

/* With its lock file held: what somebody wrote to it is not lost with it. Who
 * is killed before the rename leaves one that is said to be replaced and is
 * not. */
static int look_before(struct pn_inplace *run, const struct paths *paths,
		       const char *name, struct pn_error *err)
{
	bool is_head = !strcmp(name, PN_INPLACE_HEAD);
	bool *replaced = is_head ? &run->head_replaced : &run->index_replaced;
	char *copy = pn_inplace_path(run, name);
	int code;

	if (*replaced && same_file(paths->given, paths->target))
		code = 1;
	else
		code = is_same(paths->target, copy, err);
	if (!code && *replaced && is_head)
		pn_meanwhile_head(run);
	else if (!code && *replaced)
		code = pn_meanwhile_index(run, err);
	else if (!code)
		code = take(run, name, paths->target, copy, err);
	free(copy);
	if (code < 0 || *replaced)
		return code < 0 ? code : 0;
	*replaced = true;
	return pn_inplace_put_replaced(run, err);
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
		code = take_lock(run, &paths, err);
	if (!code) {
		code = look_before(run, &paths, name, err);
		if (!code && rename(paths.lock, paths.target))
			code = pn_error_system(err, "cannot replace '%s'",
					       paths.target);
		if (code)
			unlink(paths.lock);
	}
	/* with a second name its number is given to no other file */
	if (code || rename(paths.mine, paths.given))
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
static int uninstall(struct pn_inplace *run, const char *name,
		     struct pn_error *err)
{
	char *new = join("new-", name, "");
	struct paths paths;
	int code;

	open_paths(&paths, run, name);
	code = pn_inplace_put(run, new, "", err);
	if (!code)
		code = take_lock(run, &paths, err);
	if (!code) {
		code = look_before(run, &paths, name, err);
		if (!code && unlink(paths.target) && errno != ENOENT)
			code = pn_error_system(err, "cannot remove '%s'",
					       paths.target);
		unlink(paths.lock);
	}
	unlink(paths.mine);
	close_paths(&paths);
	free(new);
	return code ? code : pn_file_sync_names(run->repo->git_dir, err);
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

static int give_back(struct pn_inplace *run, bool *replaced,
		     struct pn_error *err)
{
	if (!*replaced)
		return 0;
	*replaced = false;
	return pn_inplace_put_replaced(run, err);
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
	if (run->index_replaced && run->has_index)
		code = pn_inplace_install(run, PN_INPLACE_INDEX,
					  PN_INPLACE_INDEX, err);
	else if (run->index_replaced)
		code = uninstall(run, PN_INPLACE_INDEX, err);
	else
		unlock(run, PN_INPLACE_INDEX);
	/* from now on it is the user's: what comes to it stays in it */
	if (!code)
		code = give_back(run, &run->index_replaced, err);
	if (!code && run->head_replaced)
		code = pn_inplace_install(run, PN_INPLACE_HEAD, PN_INPLACE_HEAD,
					  err);
	else if (!code)
		unlock(run, PN_INPLACE_HEAD);
	return code ? code : give_back(run, &run->head_replaced, err);
}
