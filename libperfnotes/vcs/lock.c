/* The writers' lock. Compare and swap protects where flock(2) is only local
 * (NFS); the lock keeps many writers from racing. */
#include "vcs/lock.h"

#include "vcs/git.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int pn_lock_acquire(struct pn_lock *out, struct pn_repo *repo,
		    struct pn_error *err)
{
	struct pn_buf dir = {0}, path = {0};
	int shared, fd = -1;
	int code = pn_git_shared(&shared, repo, err);

	if (code)
		return code;
	pn_buf_printf(&dir, "%s/perf", repo->common_dir);
	pn_buf_printf(&path, "%s/lock", pn_buf_text(&dir));
	if (!mkdir(pn_buf_text(&dir), 0777))
		code = pn_git_share(pn_buf_text(&dir), shared, err);
	if (!code) {
		fd = open(pn_buf_text(&path), O_RDWR | O_CREAT | O_CLOEXEC,
			  shared ? 0666 : 0644);
		if (fd < 0)
			code = pn_error_system(err, "cannot lock '%s'",
					       pn_buf_text(&path));
	}
	while (!code && flock(fd, LOCK_EX))
		if (errno != EINTR)
			code = pn_error_system(err, "cannot lock '%s'",
					       pn_buf_text(&path));
	if (code && fd >= 0)
		close(fd);
	if (!code)
		out->fd = fd;
	pn_buf_release(&dir);
	pn_buf_release(&path);
	return code;
}

void pn_lock_release(struct pn_lock *lock)
{
	if (!lock || lock->fd < 0)
		return;
	close(lock->fd);
	lock->fd = -1;
}
