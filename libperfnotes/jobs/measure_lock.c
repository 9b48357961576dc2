/* The lock of whoever measures. */
#include "jobs/measure_lock.h"

#include "vcs/lock.h"

#include <time.h>
#include <unistd.h>

#define WAIT_NS 200000000

int pn_measure_lock_try(struct pn_measure_lock *lock, struct pn_repo *repo,
			struct pn_error *err)
{
	const struct timespec wait = {0, WAIT_NS};
	int code;

	if (lock->fd >= 0)
		return 1;
	code = pn_lock_try(&lock->fd, repo, "measuring", err);
	if (!code)
		nanosleep(&wait, NULL);
	return code;
}

void pn_measure_lock_release(struct pn_measure_lock *lock)
{
	if (lock->fd >= 0)
		close(lock->fd);
	lock->fd = -1;
}
