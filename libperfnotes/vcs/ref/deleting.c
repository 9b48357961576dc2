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

#define WATCHED_S 2
#define AT_IT_S 600 /* later locks are not those of who said so */
#define STEP_NS 50000000

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static bool is_still(const char *path, const struct stat *was)
{
	struct stat now;

	return !lstat(path, &now) && now.st_dev == was->st_dev &&
	       now.st_ino == was->st_ino && now.st_size == was->st_size &&
	       !is_before(&was->st_mtim, &now.st_mtim);
}

/* A git whose parent was killed alone ends as ever. */
static void clear_dead(struct pn_repo *repo, const struct timespec *said)
{
	const struct timespec late = {.tv_sec = said->tv_sec + AT_IT_S};
	const struct timespec step = {.tv_nsec = STEP_NS};
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	struct pn_buf path = {0};
	struct stat was;
	bool dead;

	pn_buf_printf(&path, "%s/packed-refs.lock", repo->common_dir);
	dead = !lstat(pn_buf_text(&path), &was) &&
	       !is_before(&was.st_mtim, said) && is_before(&was.st_mtim, &late);
	while (dead && pn_time_monotonic_ns() - wait.begin_ns <
			       WATCHED_S * 1000000000LL) {
		dead = !pn_lock_wait_on(&wait, repo, pn_buf_text(&path),
					WATCHED_S, NULL);
		nanosleep(&step, NULL);
		dead = dead && is_still(pn_buf_text(&path), &was);
	}
	if (dead)
		unlink(pn_buf_text(&path));
	pn_buf_release(&path);
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
