/* The system calls that all runtimes make. */
#define _GNU_SOURCE /* syscall, MAP_ANONYMOUS */
#include "runtime/sys.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAX_ERRNO 4095 /* the kernel's: addresses end below it */

void *pn_sys_map(size_t size, int fd, uint64_t offset)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	long at = pn_sys(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, flags,
			 fd, (long)offset);
	void *mapped;

	memcpy(&mapped, &at, sizeof(mapped));
	return at < 0 && at >= -MAX_ERRNO ? NULL : mapped;
}

int64_t pn_sys_time_ns(int clock)
{
	struct timespec now = {0};

	pn_sys(SYS_clock_gettime, clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
