/*
 * The lock of packed-refs that a killed git leaves. git makes it empty, closes
 * it and does not touch it again: "packed-refs.new" is what it writes. So the
 * lock of a git that is slow looks like that of a dead one, and may be of one
 * that is not ours.
 */
#include "vcs/ref/deleting.h"

#include "base/buf.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/hooks.h"
#include "vcs/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define WATCHED_S 5
#define AT_IT_S 600 /* later locks are not those of who said so */
/*
 * As old as a lock may be of a git that is at work. What git does with it is to
 * read refs and to write packed-refs.new, which is seen; who waits for it gives
 * up after 1 s (git-config(1), core.packedRefsTimeout). A hook takes as long as
 * it likes (githooks(5), reference-transaction).
 */
#define ALIVE_S 15
#define HOOKED_S 60
#define STEP_NS 50000000
#define SIGNALLED 128 /* as a status above it has it */

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* What a git that writes packed-refs has: the second one not always. */
struct files {
	struct pn_buf lock, fresh;
	struct stat lock_was, fresh_was;
	bool has_fresh;
};

static bool are_still(const struct files *f)
{
	struct stat now;

	return pn_file_is_still(pn_buf_text(&f->lock), &f->lock_was) &&
	       (f->has_fresh ? pn_file_is_still(pn_buf_text(&f->fresh),
						&f->fresh_was)
			     : lstat(pn_buf_text(&f->fresh), &now) &&
				       errno == ENOENT);
}

/* Whether a lock is there that the one who said so may have left. */
static bool look(struct files *f, const struct timespec *said)
{
	const struct timespec late = {.tv_sec = said->tv_sec + AT_IT_S};

	if (lstat(pn_buf_text(&f->lock), &f->lock_was) ||
	    is_before(&f->lock_was.st_mtim, said) ||
	    !is_before(&f->lock_was.st_mtim, &late))
		return false;
	f->has_fresh = !lstat(pn_buf_text(&f->fresh), &f->fresh_was);
	return !f->has_fresh ||
	       !is_before(&f->fresh_was.st_mtim, &f->lock_was.st_mtim);
}

/* Until it is that of a dead one. A clock that was set back must not keep us
 * here. */
static int rest_s(const struct stat *lock, struct pn_repo *repo)
{
	int64_t age_s = pn_time_now_ns() / 1000000000 - lock->st_mtime;
	struct pn_hooks hooks = {0};
	struct pn_buf path = {0};
	int64_t s = HOOKED_S;

	if (!pn_hooks_find(&hooks, repo, PN_HOOKS_HERE, NULL)) {
		pn_buf_printf(&path, "%s/reference-transaction", hooks.dir);
		if (access(pn_buf_text(&path), F_OK) && errno == ENOENT)
			s = ALIVE_S;
	}
	pn_hooks_release(&hooks);
	pn_buf_release(&path);
	if (age_s > 0)
		s = s - age_s > WATCHED_S ? s - age_s : WATCHED_S;
	return (int)s;
}

static int step(struct pn_lock_wait *wait, struct pn_repo *repo,
		const struct pn_buf *lock, double seconds, struct pn_error *err)
{
	const struct timespec step = {.tv_nsec = STEP_NS};
	int code = pn_lock_wait_on(wait, repo, pn_buf_text(lock), seconds, err);

	if (!code)
		nanosleep(&step, NULL);
	return code;
}

static bool is_over(const struct pn_lock_wait *wait, double seconds)
{
	return (double)(pn_time_monotonic_ns() - wait->begin_ns) >=
	       seconds * 1e9;
}

/* Whether they stay what they are. */
static int watch(bool *still, const struct files *f, struct pn_repo *repo,
		 int seconds, struct pn_error *err)
{
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	int code = 0;

	while (!code && (*still = are_still(f)) && !is_over(&wait, seconds))
		code = step(&wait, repo, &f->lock, seconds, err);
	return code;
}

static void name_files(struct files *f, const struct pn_repo *repo)
{
	pn_buf_printf(&f->lock, "%s/packed-refs.lock", repo->common_dir);
	pn_buf_printf(&f->fresh, "%s/packed-refs.new", repo->common_dir);
}

static void release(struct files *f)
{
	pn_buf_release(&f->lock);
	pn_buf_release(&f->fresh);
}

/* *early: there is one that nobody has the time to wait for. */
static int clear_dead(bool *early, struct pn_repo *repo,
		      const struct timespec *said, struct pn_error *err)
{
	struct files f = {.has_fresh = false};
	bool dead = false;
	double most = 0;
	int s, code = 0;

	name_files(&f, repo);
	if (look(&f, said)) {
		s = rest_s(&f.lock_was, repo);
		code = pn_lock_limit(&most, repo, err);
		*early = !code && most < s;
		if (!code && !*early)
			code = watch(&dead, &f, repo, s, err);
	}
	if (!code && dead) {
		/* git makes it with the lock held, and never over another */
		if (f.has_fresh)
			unlink(pn_buf_text(&f.fresh));
		unlink(pn_buf_text(&f.lock));
	}
	release(&f);
	return code;
}

int pn_refs_clear_packed(struct pn_repo *repo, const struct timespec *said,
			 struct pn_error *err)
{
	bool early;

	return clear_dead(&early, repo, said, err);
}

/* Of <common dir>/perf/refs, *fd: -1 where another one has it. As long as
 * packed-refs is locked that one may be about to clear what stops us, too. */
static int take(int *fd, struct pn_repo *repo, struct pn_error *err)
{
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	struct files f = {.has_fresh = false};
	double seconds = -1, most = HOOKED_S + WATCHED_S;
	struct stat st;
	int code = 0;

	name_files(&f, repo);
	while (!code && !pn_lock_try(fd, repo, "refs", NULL) &&
	       !lstat(pn_buf_text(&f.lock), &st)) {
		if (seconds < 0)
			code = pn_lock_limit(&seconds, repo, err);
		if (seconds > most)
			seconds = most;
		if (code || is_over(&wait, seconds))
			break;
		code = step(&wait, repo, &f.lock, seconds, err);
	}
	release(&f);
	return code;
}

int pn_refs_deleting_begin(struct pn_refs_deleting *out, struct pn_repo *repo,
			   struct pn_error *err)
{
	struct utsname host = {0};
	char text[sizeof(host.nodename)];
	bool stands = false;
	struct stat st;
	ssize_t n;
	int fd = -1, code;

	*out = (struct pn_refs_deleting){.fd = -1};
	code = take(&fd, repo, err);
	if (code || fd < 0)
		return code;
	(void)uname(&host);
	n = pread(fd, text, sizeof(text), 0);
	if (n > 0 && (size_t)n == strlen(host.nodename) &&
	    !memcmp(text, host.nodename, (size_t)n) && !fstat(fd, &st))
		code = clear_dead(&stands, repo, &st.st_mtim, err);
	if (code || (!stands && (ftruncate(fd, 0) ||
				 pwrite(fd, host.nodename,
					strlen(host.nodename), 0) < 0))) {
		close(fd);
		return code;
	}
	/* the lock is git's, too: it may outlive us, and then is alive */
	(void)fcntl(fd, F_SETFD, 0);
	*out = (struct pn_refs_deleting){.fd = fd, .stands = stands};
	return 0;
}

void pn_refs_deleting_end(struct pn_refs_deleting *deleting, int status)
{
	int failed;

	if (deleting->fd < 0)
		return;
	/* a git that was killed alone leaves its lock, too */
	failed = !deleting->stands && status <= SIGNALLED &&
		 ftruncate(deleting->fd, 0);
	(void)failed;
	close(deleting->fd);
	deleting->fd = -1;
}
