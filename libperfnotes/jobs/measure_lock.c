/* The lock of whoever measures. */
#include "jobs/measure_lock.h"

#include "base/buf.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define WAIT_NS 200000000

static int open_file(int *out, struct pn_repo *repo, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/perf", pn_repo_common_dir(repo));
	code = pn_file_make_dirs(pn_buf_text(&path), err);
	pn_buf_add_text(&path, "/measuring");
	if (!code) {
		*out = open(pn_buf_text(&path), O_RDWR | O_CREAT | O_CLOEXEC,
			    0666);
		if (*out < 0)
			code = pn_error_system(err, "cannot open '%s'",
					       pn_buf_text(&path));
	}
	pn_buf_release(&path);
	return code;
}

int pn_measure_lock_try(struct pn_measure_lock *lock, struct pn_repo *repo,
			struct pn_error *err)
{
	const struct timespec wait = {0, WAIT_NS};
	int fd = -1, code;

	if (lock->fd >= 0)
		return 1;
	code = open_file(&fd, repo, err);
	if (code)
		return code;
	if (!flock(fd, LOCK_EX | LOCK_NB)) {
		lock->fd = fd;
		return 1;
	}
	code = errno;
	close(fd);
	if (code != EWOULDBLOCK && code != EINTR) {
		errno = code;
		return pn_error_system(err, "cannot lock '%s/perf/measuring'",
				       pn_repo_common_dir(repo));
	}
	nanosleep(&wait, NULL);
	return 0;
}

void pn_measure_lock_release(struct pn_measure_lock *lock)
{
	if (lock->fd >= 0)
		close(lock->fd);
	lock->fd = -1;
}
