/* Waiting for a lock. */
#define _GNU_SOURCE /* syscall */
#include "runtime/spin.h"

#include "runtime/sys.h"

#include <time.h>
#include <unistd.h>

#define TRIES 200    /* some microseconds */
#define NAP_NS 50000 /* lets a holder of low priority run */

void pn_spin_wait(struct pn_spin *lock)
{
	struct timespec nap = {0, NAP_NS};
	unsigned tries;

	for (tries = 1; __atomic_load_n(&lock->taken, __ATOMIC_RELAXED);
	     tries++)
		if (tries % TRIES == 0)
			pn_sys(SYS_nanosleep, &nap, NULL);
}
