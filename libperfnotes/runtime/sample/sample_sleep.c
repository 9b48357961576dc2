/*
 * What stands before functions of libc that a signal ends early, whatever
 * SA_RESTART says (signal(7)). A program without handlers of its own has no
 * reason to expect that: where nothing but a tick can have been the cause, the
 * wait goes on. With handlers it has to cope with EINTR, and gets it.
 *
 * Where a signal is what is waited for, and in sleeps of programs with
 * handlers, ticks are kept out for so long: the next one stands for those.
 */
#define _GNU_SOURCE /* ppoll, epoll_pwait, usleep */
#include "runtime/sample/sample.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define NEXT(name)                                                             \
	static void *next_##name;                                              \
	__typeof__(name) *call = pn_sampler_next(&next_##name, #name)

#define S_NS 1000000000

static uint32_t ticks_seen(void)
{
	const struct pn_sampled_thread *t = pn_sampler_self();

	return t ? t->seen : 0;
}

/* Whether a call that failed was ended by a tick and by nothing else. */
static bool by_tick(int error, uint32_t seen_before)
{
	return error == EINTR && !pn_sampler_has_handlers &&
	       ticks_seen() != seen_before;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * S_NS + now.tv_nsec;
}

/* What is left until `end_ns`; INT64_MAX is never. */
static int64_t left_ns(int64_t end_ns)
{
	int64_t left = end_ns == INT64_MAX ? end_ns : end_ns - now_ns();

	return left > 0 ? left : 0;
}

static int64_t end_of(const struct timespec *limit)
{
	if (!limit || limit->tv_sec > INT64_MAX / S_NS / 2)
		return INT64_MAX;
	return now_ns() + (int64_t)limit->tv_sec * S_NS + limit->tv_nsec;
}

static int64_t end_of_ms(int limit_ms)
{
	return limit_ms < 0 ? INT64_MAX
			    : now_ns() + limit_ms * INT64_C(1000000);
}

/* Rounded up, as the callers of poll count. */
static int left_ms(int64_t end_ns)
{
	return end_ns == INT64_MAX
		       ? -1
		       : (int)((left_ns(end_ns) + 999999) / 1000000);
}

static struct timespec *left_time(struct timespec *room, int64_t end_ns)
{
	int64_t left = left_ns(end_ns);

	if (end_ns == INT64_MAX)
		return NULL;
	*room = (struct timespec){left / S_NS, left % S_NS};
	return room;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *rest)
{
	NEXT(nanosleep);
	struct timespec want = *time, left = {0};
	uint32_t seen;
	uint64_t mask;
	int code;

	if (pn_sampler_has_handlers) {
		mask = pn_sampler_block();
		code = call(time, rest);
		pn_sampler_unblock(mask);
		return code;
	}
	do {
		seen = ticks_seen();
		code = call(&want, &left);
		want = left;
	} while (code && by_tick(errno, seen));
	if (code && errno == EINTR && rest)
		*rest = left;
	return code;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags,
			   const struct timespec *time, struct timespec *rest)
{
	NEXT(clock_nanosleep);
	struct timespec want = *time, left = {0};
	uint32_t seen;
	uint64_t mask;
	int code;

	if (pn_sampler_has_handlers) {
		mask = pn_sampler_block();
		code = call(clock, flags, time, rest);
		pn_sampler_unblock(mask);
		return code;
	}
	do {
		seen = ticks_seen();
		code = call(clock, flags, &want, &left);
		if (!(flags & TIMER_ABSTIME))
			want = left;
	} while (by_tick(code, seen));
	if (code == EINTR && rest && !(flags & TIMER_ABSTIME))
		*rest = left;
	return code;
}

EXPORT int usleep(useconds_t us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};

	return nanosleep(&time, NULL);
}

EXPORT unsigned int sleep(unsigned int s)
{
	struct timespec time = {s, 0}, rest = {0};

	if (!nanosleep(&time, &rest))
		return 0;
	return (unsigned int)rest.tv_sec + (rest.tv_nsec > 0);
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int limit_ms)
{
	NEXT(poll);
	int64_t end_ns = end_of_ms(limit_ms);
	uint32_t seen = ticks_seen();
	int got = call(fds, count, limit_ms);

	while (got < 0 && by_tick(errno, seen)) {
		seen = ticks_seen();
		got = call(fds, count, left_ms(end_ns));
	}
	return got;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit,
		 const sigset_t *mask)
{
	NEXT(ppoll);
	int64_t end_ns = end_of(limit);
	uint32_t seen = ticks_seen();
	int got = call(fds, count, limit, mask);
	struct timespec room;

	while (got < 0 && by_tick(errno, seen)) {
		seen = ticks_seen();
		got = call(fds, count, left_time(&room, end_ns), mask);
	}
	return got;
}

/* Linux leaves in *limit what is left, and the sets as they were. */
EXPORT int select(int count, fd_set *in, fd_set *out, fd_set *other,
		  struct timeval *limit)
{
	NEXT(select);
	uint32_t seen;
	int got;

	do {
		seen = ticks_seen();
		got = call(count, in, out, other, limit);
	} while (got < 0 && by_tick(errno, seen));
	return got;
}

EXPORT int pselect(int count, fd_set *in, fd_set *out, fd_set *other,
		   const struct timespec *limit, const sigset_t *mask)
{
	NEXT(pselect);
	int64_t end_ns = end_of(limit);
	uint32_t seen = ticks_seen();
	int got = call(count, in, out, other, limit, mask);
	struct timespec room;

	while (got < 0 && by_tick(errno, seen)) {
		seen = ticks_seen();
		got = call(count, in, out, other, left_time(&room, end_ns),
			   mask);
	}
	return got;
}

EXPORT int epoll_wait(int fd, struct epoll_event *events, int max, int limit_ms)
{
	NEXT(epoll_wait);
	int64_t end_ns = end_of_ms(limit_ms);
	uint32_t seen = ticks_seen();
	int got = call(fd, events, max, limit_ms);

	while (got < 0 && by_tick(errno, seen)) {
		seen = ticks_seen();
		got = call(fd, events, max, left_ms(end_ns));
	}
	return got;
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int max,
		       int limit_ms, const sigset_t *mask)
{
	NEXT(epoll_pwait);
	int64_t end_ns = end_of_ms(limit_ms);
	uint32_t seen = ticks_seen();
	int got = call(fd, events, max, limit_ms, mask);

	while (got < 0 && by_tick(errno, seen)) {
		seen = ticks_seen();
		got = call(fd, events, max, left_ms(end_ns), mask);
	}
	return got;
}

EXPORT int sem_wait(sem_t *sem)
{
	NEXT(sem_wait);
	uint32_t seen;
	int code;

	do {
		seen = ticks_seen();
		code = call(sem);
	} while (code && by_tick(errno, seen));
	return code;
}

EXPORT int sem_timedwait(sem_t *sem, const struct timespec *end)
{
	NEXT(sem_timedwait);
	uint32_t seen;
	int code;

	do {
		seen = ticks_seen();
		code = call(sem, end);
	} while (code && by_tick(errno, seen));
	return code;
}

EXPORT int sigsuspend(const sigset_t *set)
{
	NEXT(sigsuspend);
	sigset_t room = *set;

	if (pn_sampler_signal)
		sigaddset(&room, pn_sampler_signal);
	return call(&room);
}

EXPORT int pause(void)
{
	sigset_t set;

	if (pthread_sigmask(SIG_BLOCK, NULL, &set))
		sigemptyset(&set);
	return sigsuspend(&set);
}

EXPORT ssize_t msgrcv(int id, void *message, size_t size, long type, int flags)
{
	NEXT(msgrcv);
	uint64_t mask = pn_sampler_block();
	ssize_t got = call(id, message, size, type, flags);

	pn_sampler_unblock(mask);
	return got;
}

EXPORT int msgsnd(int id, const void *message, size_t size, int flags)
{
	NEXT(msgsnd);
	uint64_t mask = pn_sampler_block();
	int got = call(id, message, size, flags);

	pn_sampler_unblock(mask);
	return got;
}

EXPORT int semop(int id, struct sembuf *operations, size_t count)
{
	NEXT(semop);
	uint64_t mask = pn_sampler_block();
	int got = call(id, operations, count);

	pn_sampler_unblock(mask);
	return got;
}

EXPORT int semtimedop(int id, struct sembuf *operations, size_t count,
		      const struct timespec *limit)
{
	NEXT(semtimedop);
	uint64_t mask = pn_sampler_block();
	int got = call(id, operations, count, limit);

	pn_sampler_unblock(mask);
	return got;
}
