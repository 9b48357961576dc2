/* The writers' lock. Compare and swap protects where flock(2) is only local
 * (NFS); the lock keeps many writers from racing. */
#include "vcs/lock.h"

#include "base/escape.h"
#include "base/file.h"
#include "base/number.h"
#include "vcs/git.h"
#include "vcs/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* A lock file that is still empty after so long is no live process's: git and
 * libgit2 write the id right after they create it. */
#define EMPTY_AGE_S 2
#define ANNOUNCE_MAX 1024
#define LIMIT_MAX_S 86400
#define SAID_AFTER_NS 500000000 /* writers take milliseconds */
#define PAUSE_MIN_NS 1000000
#define PAUSE_MAX_NS 20000000

static char *path_of(struct pn_repo *repo, const char *name, const char *end)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/%s%s", repo->common_dir, name, end);
	return pn_buf_detach(&path);
}

/* Whose kernel knows the processes: NFS has more than one. */
static void add_host(struct pn_buf *out)
{
	struct utsname host;

	if (!uname(&host))
		pn_buf_add_text(out, host.nodename);
}

void pn_lock_announce(struct pn_repo *repo, const char *ref,
		      const struct pn_oid *to)
{
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];
	ssize_t n;

	if (repo->lock_fd < 0)
		return;
	pn_oid_hex(hex, to);
	pn_buf_printf(&text, "%s %s ", hex, ref);
	add_host(&text);
	/* without it a stale lock is reported, not removed */
	n = pwrite(repo->lock_fd, text.data, text.len, 0);
	(void)n;
	pn_buf_release(&text);
}

void pn_lock_announce_end(struct pn_repo *repo)
{
	int failed;

	if (repo->lock_fd < 0)
		return;
	failed = ftruncate(repo->lock_fd, 0);
	(void)failed;
}

/* Splits "<id> <ref> <host>" in place; false for anything else, and for a
 * host that is not this one. */
static bool read_announcement(char *text, const char **ref)
{
	struct pn_buf host = {0};
	struct pn_oid id;
	char *end;
	bool good;

	if (strlen(text) < PN_OID_HEX + 2 || pn_oid_parse(&id, text) ||
	    text[PN_OID_HEX] != ' ')
		return false;
	*ref = text + PN_OID_HEX + 1;
	end = strchr(*ref, ' ');
	if (!end || strncmp(*ref, "refs/", 5) != 0 || strstr(*ref, ".."))
		return false;
	*end = '\0';
	add_host(&host);
	good = !strcmp(end + 1, pn_buf_text(&host));
	pn_buf_release(&host);
	return good;
}

enum left { LEFT_NOTHING, LEFT_EMPTY, LEFT_DEAD };

/* What the dead holder left: a lock file with the announced id is its own; of
 * one that is empty only time tells. */
static enum left left_behind(const char *path, const char *id)
{
	struct pn_buf text = {0};
	enum left left = LEFT_NOTHING;
	struct stat st;

	if (!stat(path, &st) &&
	    !pn_file_read(&text, path, ANNOUNCE_MAX, NULL)) {
		if (text.len >= PN_OID_HEX &&
		    !memcmp(text.data, id, PN_OID_HEX))
			left = LEFT_DEAD;
		else if (!text.len)
			left = pn_time_now_ns() / 1000000000 -
						       (int64_t)st.st_mtime >=
					       EMPTY_AGE_S
				       ? LEFT_DEAD
				       : LEFT_EMPTY;
	}
	pn_buf_release(&text);
	return left;
}

/* The announcement stands meanwhile: who dies here leaves it to the next. */
static enum left wait_for_age(const char *path, const char *id)
{
	const struct timespec step = {.tv_nsec = 50000000};
	enum left left = left_behind(path, id);
	int steps;

	/* a clock that is set back must not keep us here */
	for (steps = 0; left == LEFT_EMPTY && steps < EMPTY_AGE_S * 40;
	     steps++) {
		nanosleep(&step, NULL);
		left = left_behind(path, id);
	}
	return left;
}

void pn_lock_announce_died(struct pn_repo *repo)
{
	char text[ANNOUNCE_MAX + 1], *lock;
	const char *ref;
	ssize_t n = repo->lock_fd < 0
			    ? 0
			    : pread(repo->lock_fd, text, ANNOUNCE_MAX, 0);

	if (n <= 0)
		return;
	text[n] = '\0';
	if (read_announcement(text, &ref)) {
		lock = path_of(repo, ref, ".lock");
		if (wait_for_age(lock, text) == LEFT_DEAD)
			unlink(lock);
		free(lock);
	}
	pn_lock_announce_end(repo);
}

void pn_lock_set_patience(struct pn_repo *repo,
			  const struct pn_patience *patience)
{
	repo->patience = *patience;
}

/* perf.lockTimeout is asked for only by who has to wait. */
int pn_lock_limit(double *seconds, struct pn_repo *repo, struct pn_error *err)
{
	char *text = NULL;
	int code;

	*seconds = repo->patience.most;
	if (*seconds > 0)
		return 0;
	code = pn_repo_config(&text, repo, "perf.lockTimeout", err);
	*seconds = PN_LOCK_SECONDS;
	if (!code && text &&
	    (!pn_number_double(seconds, text, strlen(text)) ||
	     !(*seconds >= 0 && *seconds <= LIMIT_MAX_S)))
		code = pn_error_set(err, PN_EINVAL,
				    "bad perf.lockTimeout '%s', need seconds, "
				    "at most %d",
				    text, LIMIT_MAX_S);
	free(text);
	return code;
}

static void say_waiting(const struct pn_repo *repo, const char *path,
			double seconds)
{
	struct pn_buf text = {0};

	if (!repo->patience.words)
		return;
	pn_buf_add_text(&text, "waiting for '");
	pn_escape_terminal(&text, path, strlen(path));
	pn_buf_printf(&text,
		      "', which another process holds, at most %.15g s\n",
		      seconds);
	fwrite(pn_buf_text(&text), 1, text.len, repo->patience.words);
	fflush(repo->patience.words);
	pn_buf_release(&text);
}

/* Short at first, then a quarter of what was waited: flock(2) itself can
 * neither be limited nor be ended without a race. */
static void pause_for(int64_t waited_ns)
{
	struct timespec pause = {.tv_nsec = waited_ns / 4};

	if (waited_ns / 4 < PAUSE_MIN_NS)
		pause.tv_nsec = PAUSE_MIN_NS;
	else if (waited_ns / 4 > PAUSE_MAX_NS)
		pause.tv_nsec = PAUSE_MAX_NS;
	nanosleep(&pause, NULL);
}

struct pn_lock_wait pn_lock_wait_begin(const struct pn_repo *repo)
{
	const volatile sig_atomic_t *stop = repo->patience.stop;

	return (struct pn_lock_wait){.begin_ns = pn_time_monotonic_ns(),
				     .before = stop ? *stop : 0};
}

/* Only a signal that comes meanwhile ends the wait: after one that came
 * before, something may have to be put in order. */
int pn_lock_wait_on(struct pn_lock_wait *wait, const struct pn_repo *repo,
		    const char *path, double seconds, struct pn_error *err)
{
	const volatile sig_atomic_t *stop = repo->patience.stop;

	if (stop && *stop != wait->before)
		return pn_error_set(err, PN_ESTOPPED,
				    "stopped while waiting for '%s'", path);
	if (!wait->said &&
	    pn_time_monotonic_ns() - wait->begin_ns >= SAID_AFTER_NS) {
		wait->said = true;
		say_waiting(repo, path, seconds);
	}
	return 0;
}

/* Until it is ours. */
static int wait_for(int fd, struct pn_repo *repo, const char *path,
		    struct pn_error *err)
{
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	int64_t waited = 0;
	double seconds = -1;
	int code = 0;

	while (!code && flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return pn_error_system(err, "cannot lock '%s'", path);
		if (seconds < 0)
			code = pn_lock_limit(&seconds, repo, err);
		waited = pn_time_monotonic_ns() - wait.begin_ns;
		if (!code)
			code = pn_lock_wait_on(&wait, repo, path, seconds, err);
		if (!code && (double)waited >= seconds * 1e9)
			code = pn_error_set(
				err, PN_ETIMEOUT,
				"cannot lock '%s': another process has held it "
				"for %.15g s%s; fuser(1) names it",
				path, seconds,
				repo->patience.most > 0
					? ""
					: " (perf.lockTimeout)");
		if (!code)
			pause_for(waited);
	}
	return code;
}

/* <common dir>/perf/<name>, open; `path` is its. */
static int open_named(int *out, struct pn_buf *path, struct pn_repo *repo,
		      const char *name, struct pn_error *err)
{
	struct pn_buf dir = {0};
	int shared, fd = -1;
	int code = pn_shared_mode(&shared, repo, err);

	if (code)
		return code;
	pn_buf_printf(&dir, "%s/perf", repo->common_dir);
	pn_buf_printf(path, "%s/%s", pn_buf_text(&dir), name);
	if (!mkdir(pn_buf_text(&dir), 0777))
		code = pn_shared_apply(pn_buf_text(&dir), shared, err);
	else if (errno != EEXIST)
		code = pn_error_system(err, "cannot create folder '%s'",
				       pn_buf_text(&dir));
	pn_buf_release(&dir);
	if (code)
		return code;
	fd = open(pn_buf_text(path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return pn_error_system(err, "cannot lock '%s'",
				       pn_buf_text(path));
	if (shared) /* fails for who did not create it */
		pn_shared_apply(pn_buf_text(path), shared, NULL);
	*out = fd;
	return 0;
}

int pn_lock_named(int *out, struct pn_repo *repo, const char *name,
		  struct pn_error *err)
{
	struct pn_buf path = {0};
	int fd = -1, code = open_named(&fd, &path, repo, name, err);

	if (!code)
		code = wait_for(fd, repo, pn_buf_text(&path), err);
	if (!code)
		*out = fd;
	else if (fd >= 0)
		close(fd);
	pn_buf_release(&path);
	return code;
}

int pn_lock_try(int *out, struct pn_repo *repo, const char *name,
		struct pn_error *err)
{
	struct pn_buf path = {0};
	int fd = -1, code = open_named(&fd, &path, repo, name, err);

	if (!code && !flock(fd, LOCK_EX | LOCK_NB)) {
		*out = fd;
		code = 1;
	} else if (!code && errno != EWOULDBLOCK && errno != EINTR) {
		code = pn_error_system(err, "cannot lock '%s'",
				       pn_buf_text(&path));
	}
	if (code != 1 && fd >= 0)
		close(fd);
	pn_buf_release(&path);
	return code;
}

int pn_lock_acquire(struct pn_lock *out, struct pn_repo *repo,
		    struct pn_error *err)
{
	int fd = -1;
	int code = pn_lock_named(&fd, repo, "lock", err);

	if (code)
		return code;
	out->fd = fd;
	out->repo = repo;
	repo->lock_fd = fd;
	/* whoever announced a move and did not end it is dead, as it had the
	 * lock */
	pn_lock_announce_died(repo);
	return 0;
}

void pn_lock_release(struct pn_lock *lock)
{
	if (!lock || lock->fd < 0)
		return;
	lock->repo->lock_fd = -1;
	close(lock->fd);
	lock->fd = -1;
}
