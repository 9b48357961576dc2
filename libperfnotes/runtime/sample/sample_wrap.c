/*
 * What stands before functions of libc: those that start threads, to give each
 * its timer; those that end the process at once; those that set masks and
 * handlers, to keep the sampler's signal to itself; those that bring code and
 * take it away. Each calls the real one.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "runtime/sample/sample.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <threads.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

bool pn_sampler_has_handlers;

void *pn_sampler_next(void **slot, const char *name)
{
	void *found = __atomic_load_n(slot, __ATOMIC_RELAXED);

	if (!found) {
		found = dlsym(RTLD_NEXT, name);
		if (!found)
			abort(); /* the program would have been refused */
		__atomic_store_n(slot, found, __ATOMIC_RELAXED);
	}
	return found;
}

/* Functions in which stacks end: they lie together, in this order. */
#if __has_attribute(no_reorder)
#define BASE __attribute__((noinline, no_reorder, section(".text.pn_base")))
#else
#define BASE __attribute__((noinline, section(".text.pn_base")))
#endif

/* Declares `call` as a pointer to the next definition of `name`. */
#define NEXT(name)                                                             \
	static void *next_##name;                                              \
	__typeof__(name) *call = pn_sampler_next(&next_##name, #name)

static BASE void base_start(void)
{
	__asm__ volatile("");
}

/*
 * main and the functions of threads are called from here, so that walks know
 * where stacks end. The frame must be there: no tail call.
 */
static int (*real_main)(int, char **, char **);

static BASE int call_main(int argc, char **argv, char **env)
{
	struct pn_sampled_thread *t = pn_sampler_self();
	int status;

	if (t)
		t->start = (uint64_t)__builtin_frame_address(0);
	status = real_main(argc, argv, env);
	__asm__ volatile("" : : : "memory");
	return status;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
		      int (*init)(int, char **, char **), void (*fini)(void),
		      void (*rtld_fini)(void), void *stack_end);

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc,
			     char **argv, int (*init)(int, char **, char **),
			     void (*fini)(void), void (*rtld_fini)(void),
			     void *stack_end)
{
	NEXT(__libc_start_main);

	real_main = main;
	return call(call_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static void prepare_thread(struct pn_sampled_thread *t, uint64_t frame)
{
	/* our own frame and what called us are above it */
	t->base = frame + 4096;
	pn_sampler_begin(t, frame);
}

static BASE void *run_thread(void *state)
{
	struct pn_sampled_thread *t = state;
	void *(*run)(void *) = t->run;
	void *argument = t->argument, *result;

	prepare_thread(t, (uint64_t)__builtin_frame_address(0));
	result = run(argument);
	__asm__ volatile("" : : : "memory");
	return result;
}

static BASE int run_c11_thread(void *state)
{
	struct pn_sampled_thread *t = state;
	int (*run)(void *) = t->run_c11;
	void *argument = t->argument;
	int result;

	prepare_thread(t, (uint64_t)__builtin_frame_address(0));
	result = run(argument);
	__asm__ volatile("" : : : "memory");
	return result;
}

static BASE void base_limit(void)
{
	__asm__ volatile("");
}

/* Before sample.c's, which starts to tick. */
static __attribute__((constructor(101))) void tell_base(void)
{
	pn_sampler_set_base((uint64_t)base_start, (uint64_t)base_limit);
}

EXPORT int pthread_create(pthread_t *out, const pthread_attr_t *attr,
			  void *(*run)(void *), void *argument)
{
	NEXT(pthread_create);
	struct pn_sampled_thread *t = pn_sampler_reserve();
	int code;

	if (!t)
		return call(out, attr, run, argument);
	t->run = run;
	t->argument = argument;
	code = call(out, attr, run_thread, t);
	if (code)
		pn_sampler_give_back(t);
	return code;
}

EXPORT int thrd_create(thrd_t *out, thrd_start_t run, void *argument)
{
	NEXT(thrd_create);
	struct pn_sampled_thread *t = pn_sampler_reserve();
	int code;

	if (!t)
		return call(out, run, argument);
	t->run_c11 = run;
	t->argument = argument;
	code = call(out, run_c11_thread, t);
	if (code != thrd_success)
		pn_sampler_give_back(t);
	return code;
}

/* Destructors do not run. */
EXPORT _Noreturn void _exit(int status)
{
	static void *next;
	void (*call)(int) = pn_sampler_next(&next, "_exit");

	pn_sampler_leave();
	call(status);
	__builtin_unreachable();
}

EXPORT _Noreturn void _Exit(int status)
{
	_exit(status);
}

/* A set without our signal. */
static const sigset_t *without(sigset_t *room, const sigset_t *set)
{
	if (!set || !pn_sampler_signal)
		return set;
	*room = *set;
	sigdelset(room, pn_sampler_signal);
	return room;
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	NEXT(sigprocmask);
	sigset_t room;

	return call(how, how == SIG_UNBLOCK ? set : without(&room, set), old);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	NEXT(pthread_sigmask);
	sigset_t room;

	return call(how, how == SIG_UNBLOCK ? set : without(&room, set), old);
}

/* The program sees our signal as one that nobody uses. */
EXPORT int sigaction(int number, const struct sigaction *action,
		     struct sigaction *old)
{
	NEXT(sigaction);

	if (action && action->sa_handler != SIG_DFL &&
	    action->sa_handler != SIG_IGN)
		pn_sampler_has_handlers = true;
	if (number != pn_sampler_signal || !number)
		return call(number, action, old);
	if (old)
		memset(old, 0, sizeof(*old));
	return 0;
}

EXPORT __sighandler_t signal(int number, __sighandler_t handler)
{
	NEXT(signal);

	if (handler != SIG_DFL && handler != SIG_IGN)
		pn_sampler_has_handlers = true;
	if (number != pn_sampler_signal || !number)
		return call(number, handler);
	return SIG_DFL;
}

EXPORT int sigwait(const sigset_t *set, int *number)
{
	NEXT(sigwait);
	sigset_t room;

	return call(without(&room, set), number);
}

/* A tick would end these two (signal(7)). */
EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	NEXT(sigwaitinfo);
	sigset_t room;
	uint64_t mask = pn_sampler_block();
	int got = call(without(&room, set), info);

	pn_sampler_unblock(mask);
	return got;
}

EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info,
			const struct timespec *limit)
{
	NEXT(sigtimedwait);
	sigset_t room;
	uint64_t mask = pn_sampler_block();
	int got = call(without(&room, set), info, limit);

	pn_sampler_unblock(mask);
	return got;
}

EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
	NEXT(signalfd);
	sigset_t room;

	return call(fd, without(&room, set), flags);
}

/* glibc looks at who called to find the libraries of a caller: no frame of
 * ours may come between, and the compiler jumps here (-O2). The mappings are
 * looked at with the next tick, and when code is met that they lack. */
EXPORT void *dlopen(const char *file, int mode)
{
	NEXT(dlopen);

	pn_sampler_rescan();
	return call(file, mode);
}

EXPORT int dlclose(void *handle)
{
	NEXT(dlclose);

	pn_sampler_rescan();
	return call(handle);
}
