/*
 * The lock that a killed git leaves. That of packed-refs git makes empty,
 * closes it and does not touch it again: "packed-refs.new" is what it writes.
 * So the lock of a git that is slow looks like that of a dead one, and may be
 * of one that is not ours.
 */
#include "vcs/child_lock.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/process/process.h"
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
#define STEP_NS 50000000

/*
 * `alive_s`: as old as a lock may be of a git that is at work. With that of
 * packed-refs git reads refs and writes packed-refs.new, which is seen; who
 * waits for it gives up after 1 s (git-config(1), core.packedRefsTimeout). A
 * hook takes as long as it likes (githooks(5), reference-transaction). The
 * configuration is read and written in one go.
 */
static const struct kind {
	const char *said; /* below perf/ */
	const char *lock;
	const char *fresh; /* what git writes; NULL: the lock itself */
	const char *hook;
	int alive_s, hooked_s;
} kinds[] = {
	[PN_CHILD_REFS] = {"refs", "packed-refs.lock", "packed-refs.new",
			   PN_CHILD_HOOK, 15, PN_CHILD_HOOKED_S},
	[PN_CHILD_CONFIG] = {"config", "config.lock", NULL, NULL, 5, 5},
};

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

struct file {
	struct pn_buf path;
	struct stat was;
	bool there;
};

/* What a git that is at work has: the second one not always. Who did what git
 * says of the lock of a dead one has removed that alone. */
struct files {
	const struct kind *kind;
	struct file lock, fresh;
	time_t since;
};

static void look_at(struct file *f)
{
	f->there = f->path.len && !lstat(pn_buf_text(&f->path), &f->was);
}

static bool is_still(const struct file *f)
{
	struct stat now;

	if (f->there)
		return pn_file_is_still(pn_buf_text(&f->path), &f->was);
	return !f->path.len ||
	       (lstat(pn_buf_text(&f->path), &now) && errno == ENOENT);
}

/* Whether there is what the one who said so may have left. */
static bool look(struct files *f, const struct timespec *said)
{
	const struct timespec late = {.tv_sec = said->tv_sec + AT_IT_S};
	const struct timespec *first;

	look_at(&f->lock);
	look_at(&f->fresh);
	if (!f->lock.there && !f->fresh.there)
		return false;
	first = f->lock.there ? &f->lock.was.st_mtim : &f->fresh.was.st_mtim;
	f->since = first->tv_sec;
	return !is_before(first, said) && is_before(first, &late) &&
	       !(f->fresh.there && is_before(&f->fresh.was.st_mtim, first));
}

/* Until it is that of a dead one. A clock that was set back must not keep us
 * here. */
static int rest_s(const struct files *f, struct pn_repo *repo)
{
	int64_t age_s = pn_time_now_ns() / 1000000000 - f->since;
	int64_t s = f->kind->alive_s;

	if (f->kind->hook && pn_hooks_has(repo, f->kind->hook))
		s = f->kind->hooked_s;
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

	while (!code && (*still = is_still(&f->lock) && is_still(&f->fresh)) &&
	       !is_over(&wait, seconds))
		code = step(&wait, repo, &f->lock.path, seconds, err);
	return code;
}

static struct files name_files(const struct pn_repo *repo,
			       const struct kind *kind)
{
	struct files f = {.kind = kind};

	pn_buf_printf(&f.lock.path, "%s/%s", repo->common_dir, kind->lock);
	if (kind->fresh)
		pn_buf_printf(&f.fresh.path, "%s/%s", repo->common_dir,
			      kind->fresh);
	return f;
}

static void release(struct files *f)
{
	pn_buf_release(&f->lock.path);
	pn_buf_release(&f->fresh.path);
}

/* *early: there is one that nobody has the time to wait for. */
static int clear_dead(bool *early, struct pn_repo *repo,
		      const struct kind *kind, const struct timespec *said,
		      struct pn_error *err)
{
	struct files f = name_files(repo, kind);
	bool dead = false;
	double most = 0;
	int s, code = 0;

	if (look(&f, said)) {
		s = rest_s(&f, repo);
		code = pn_lock_limit(&most, repo, err);
		*early = !code && most < s;
		if (!code && !*early)
			code = watch(&dead, &f, repo, s, err);
	}
	if (!code && dead) {
		/* git makes it with the lock held, and never over another */
		if (f.fresh.there)
			unlink(pn_buf_text(&f.fresh.path));
		if (f.lock.there)
			unlink(pn_buf_text(&f.lock.path));
	}
	release(&f);
	return code;
}

int pn_child_lock_clear_refs(struct pn_repo *repo, const struct timespec *said,
			     struct pn_error *err)
{
	bool early;

	return clear_dead(&early, repo, &kinds[PN_CHILD_REFS], said, err);
}

static void add_said(struct pn_buf *out, const struct pn_repo *repo,
		     const struct kind *kind)
{
	pn_buf_printf(out, "%s/perf/%s", repo->common_dir, kind->said);
}

/* As pn_lock_try. Its last owner may have taken the file away meanwhile. */
static int take_once(int *fd, struct pn_repo *repo, const struct kind *kind)
{
	struct pn_buf path = {0};
	struct stat ours, named;
	int got;

	add_said(&path, repo, kind);
	while ((got = pn_lock_try(fd, repo, kind->said, NULL)) == 1 &&
	       (fstat(*fd, &ours) || lstat(pn_buf_text(&path), &named) ||
		ours.st_dev != named.st_dev || ours.st_ino != named.st_ino)) {
		close(*fd);
		*fd = -1;
	}
	pn_buf_release(&path);
	return got;
}

bool pn_child_lock_is_held(struct pn_repo *repo, enum pn_child_locked what)
{
	int fd = -1, got = take_once(&fd, repo, &kinds[what]);

	if (fd >= 0)
		close(fd);
	return !got;
}

/* The file that says it, *fd: -1 where another one has it. As long as the lock
 * is there that one may be about to clear what stops us, too. */
static int take(int *fd, struct pn_repo *repo, const struct kind *kind,
		struct pn_error *err)
{
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	struct files f = name_files(repo, kind);
	double seconds = -1, most = kind->hooked_s + WATCHED_S;
	struct stat st;
	int code = 0;

	while (!code && !take_once(fd, repo, kind) &&
	       !lstat(pn_buf_text(&f.lock.path), &st)) {
		if (seconds < 0)
			code = pn_lock_limit(&seconds, repo, err);
		if (seconds > most)
			seconds = most;
		if (code || is_over(&wait, seconds))
			break;
		code = step(&wait, repo, &f.lock.path, seconds, err);
	}
	release(&f);
	return code;
}

int pn_child_lock_begin(struct pn_child_lock *out, struct pn_repo *repo,
			enum pn_child_locked what, struct pn_error *err)
{
	const struct kind *kind = &kinds[what];
	struct utsname host = {0};
	char text[sizeof(host.nodename)];
	bool stands = false;
	struct stat st;
	ssize_t n;
	int fd = -1, code;

	*out = (struct pn_child_lock){.fd = -1};
	code = take(&fd, repo, kind, err);
	if (code || fd < 0)
		return code;
	(void)uname(&host);
	n = pread(fd, text, sizeof(text), 0);
	if (n > 0 && (size_t)n == strlen(host.nodename) &&
	    !memcmp(text, host.nodename, (size_t)n) && !fstat(fd, &st))
		code = clear_dead(&stands, repo, kind, &st.st_mtim, err);
	if (code || (!stands && (ftruncate(fd, 0) ||
				 pwrite(fd, host.nodename,
					strlen(host.nodename), 0) < 0))) {
		close(fd);
		return code;
	}
	/* the lock is git's, too: it may outlive us, and then is alive */
	(void)fcntl(fd, F_SETFD, 0);
	*out = (struct pn_child_lock){repo, what, fd, stands};
	return 0;
}

void pn_child_lock_end(struct pn_child_lock *lock, int status)
{
	struct pn_buf path = {0};

	if (lock->fd < 0)
		return;
	/* a git that was killed alone leaves its lock, too */
	if (!lock->stands && status <= PN_PROCESS_SIGNALLED) {
		add_said(&path, lock->repo, &kinds[lock->what]);
		unlink(pn_buf_text(&path));
	}
	close(lock->fd);
	lock->fd = -1;
	pn_buf_release(&path);
}
