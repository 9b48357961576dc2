/*
 * System calls for code that may run in a signal handler, or under a lock of
 * an allocator: no name that the program could have put its own function in
 * place of, and errno stays what it was. Results are those of the kernel:
 * negative is -errno.
 * Who uses pn_sys includes <unistd.h> with _GNU_SOURCE.
 */
#ifndef PN_RUNTIME_SYS_H
#define PN_RUNTIME_SYS_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define pn_sys(...)                                                            \
	__extension__({                                                        \
		int pn_sys_errno = errno;                                      \
		long pn_sys_got = syscall(__VA_ARGS__);                        \
		if (pn_sys_got == -1)                                          \
			pn_sys_got = -(long)errno;                             \
		errno = pn_sys_errno;                                          \
		pn_sys_got;                                                    \
	})

/* NULL when it cannot be. With fd -1 memory of our own. */
void *pn_sys_map(size_t size, int fd, uint64_t offset);

int64_t pn_sys_time_ns(int clock);

#endif
