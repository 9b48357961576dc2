/* The lock of packed-refs that a killed git leaves. */
#include "vcs/ref/deleting.h"

#include "base/buf.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/lock.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define WATCHED_S 5
#define AT_IT_S 600 /* later locks are not those of who said so */
#define STEP_NS 50000000

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* A file that git makes at it, and what it was; st_nlink 0: not there. */
struct trace {
	struct pn_buf path;
	struct stat was;
};

static void look(struct trace *trace, struct pn_repo *repo, const char *name)
{
	memset(trace, 0, sizeof(*trace));
	pn_buf_printf(&trace->path, "%s/%s", repo->common_dir, name);
	if (lstat(pn_buf_text(&trace->path), &trace->was))
		memset(&trace->was, 0, sizeof(trace->was));
}

static bool is_still(const struct trace *trace)
{
	const struct stat *was = &trace->was;
	struct stat now;

	if (lstat(pn_buf_text(&trace->path), &now))
		return !was->st_nlink;
	return now.st_dev == was->st_dev && now.st_ino == was->st_ino &&
	       now.st_size == was->st_size &&
	       !is_before(&was->st_mtim, &now.st_mtim);
}

/* A git whose parent was killed alone ends as ever. One that packs refs writes
 * them to another file while it has the lock. */
static void clear_dead(struct pn_repo *repo, const struct timespec *said)
{
	const struct timespec late = {.tv_sec = said->tv_sec + AT_IT_S};
	const struct timespec step = {.tv_nsec = STEP_NS};
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	struct trace lock, next;
	bool dead;

	look(&lock, repo, "packed-refs.lock");
	look(&next, repo, "packed-refs.new");
	dead = lock.was.st_nlink && !is_before(&lock.was.st_mtim, said) &&
	       is_before(&lock.was.st_mtim, &late);
	while (dead && pn_time_monotonic_ns() - wait.begin_ns <
			       WATCHED_S * 1000000000LL) {
		dead = !pn_lock_wait_on(&wait, repo, pn_buf_text(&lock.path),
					WATCHED_S, NULL);
		nanosleep(&step, NULL);
		dead = dead && is_still(&lock) && is_still(&next);
	}
	if (dead && next.was.st_nlink)
		unlink(pn_buf_text(&next.path));
	if (dead)
		unlink(pn_buf_text(&lock.path));
	pn_buf_release(&lock.path);
	pn_buf_release(&next.path);
}

void pn_refs_deleting_begin(struct pn_refs_deleting *out, struct pn_repo *repo)
{
	struct utsname host = {0};
	char text[sizeof(host.nodename)];
	struct stat st;
	ssize_t n;
	int fd = -1;

	out->fd = -1;
	if (pn_lock_try(&fd, repo, "refs", NULL) != 1)
		return;
	(void)uname(&host);
	n = pread(fd, text, sizeof(text), 0);
	if (n > 0 && (size_t)n == strlen(host.nodename) &&
	    !memcmp(text, host.nodename, (size_t)n) && !fstat(fd, &st))
		clear_dead(repo, &st.st_mtim);
	if (ftruncate(fd, 0) ||
	    pwrite(fd, host.nodename, strlen(host.nodename), 0) < 0) {
		close(fd);
		return;
	}
	out->fd = fd;
}

void pn_refs_deleting_end(struct pn_refs_deleting *deleting)
{
	int failed;

	if (deleting->fd < 0)
		return;
	failed = ftruncate(deleting->fd, 0);
	(void)failed;
	close(deleting->fd);
	deleting->fd = -1;
}
