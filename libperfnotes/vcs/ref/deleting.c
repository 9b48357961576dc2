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
#define ALIVE_S 60  /* as old as a lock may be of a git that is at work */
#define STEP_NS 50000000

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

static bool is_old(const struct stat *st)
{
	return pn_time_now_ns() / 1000000000 - (int64_t)st->st_mtime >= ALIVE_S;
}

/* Whether they stay what they are; *stopped: nobody has the time to look. */
static bool watch(bool *stopped, const struct files *f, struct pn_repo *repo)
{
	const struct timespec step = {.tv_nsec = STEP_NS};
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);

	while (are_still(f)) {
		if (pn_time_monotonic_ns() - wait.begin_ns >=
		    WATCHED_S * 1000000000LL)
			return true;
		*stopped = pn_lock_wait_on(&wait, repo, pn_buf_text(&f->lock),
					   WATCHED_S, NULL) != 0;
		if (*stopped)
			break;
		nanosleep(&step, NULL);
	}
	return false;
}

/* Whether there is one that it is too early to say anything of. */
static bool clear_dead(struct pn_repo *repo, const struct timespec *said)
{
	struct files f = {.has_fresh = false};
	bool early = false, found;

	pn_buf_printf(&f.lock, "%s/packed-refs.lock", repo->common_dir);
	pn_buf_printf(&f.fresh, "%s/packed-refs.new", repo->common_dir);
	found = look(&f, said);
	if (found && !is_old(&f.lock_was)) {
		early = true;
	} else if (found && watch(&early, &f, repo)) {
		/* git makes it with the lock held, and never over another */
		if (f.has_fresh)
			unlink(pn_buf_text(&f.fresh));
		unlink(pn_buf_text(&f.lock));
	}
	pn_buf_release(&f.lock);
	pn_buf_release(&f.fresh);
	return early;
}

void pn_refs_deleting_begin(struct pn_refs_deleting *out, struct pn_repo *repo)
{
	struct utsname host = {0};
	char text[sizeof(host.nodename)];
	struct stat st;
	ssize_t n;
	int fd = -1;

	*out = (struct pn_refs_deleting){.fd = -1};
	if (pn_lock_try(&fd, repo, "refs", NULL) != 1)
		return;
	(void)uname(&host);
	n = pread(fd, text, sizeof(text), 0);
	if (n > 0 && (size_t)n == strlen(host.nodename) &&
	    !memcmp(text, host.nodename, (size_t)n) && !fstat(fd, &st))
		out->stands = clear_dead(repo, &st.st_mtim);
	if (!out->stands &&
	    (ftruncate(fd, 0) ||
	     pwrite(fd, host.nodename, strlen(host.nodename), 0) < 0)) {
		close(fd);
		return;
	}
	/* the lock is git's, too: it may outlive us, and then is alive */
	(void)fcntl(fd, F_SETFD, 0);
	out->fd = fd;
}

void pn_refs_deleting_end(struct pn_refs_deleting *deleting)
{
	int failed;

	if (deleting->fd < 0)
		return;
	failed = !deleting->stands && ftruncate(deleting->fd, 0);
	(void)failed;
	close(deleting->fd);
	deleting->fd = -1;
}
