/* A program that allocates in known ways, for cli/collect/memory.sh:
 * allocate MODE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static void *volatile sink;
static const char *argument;

static void *keep(void *p)
{
	sink = p;
	return p;
}

/* 9 blocks of 1,000 bytes each but the one of 0 and the page of 4,096; the
 * fifth moves. */
static void mode_family(void)
{
	void *p[9];
	size_t i;

	p[0] = keep(malloc(1000));
	p[1] = keep(calloc(10, 100));
	p[2] = keep(realloc(NULL, 1000));
	p[3] = keep(reallocarray(NULL, 100, 10));
	if (posix_memalign(&p[4], 64, 1000))
		abort();
	keep(p[4]);
	p[5] = keep(aligned_alloc(64, 1024 - 24));
	p[6] = keep(memalign(64, 1000));
	p[7] = keep(valloc(1000));
	p[8] = keep(pvalloc(1000));
	p[0] = keep(realloc(p[0], 2000)); /* one more block, of 2,000 */
	if (malloc_usable_size(p[0]) < 2000)
		abort();
	for (i = 0; i < 9; i++)
		free(p[i]);
	keep(malloc(0)); /* a block of no bytes, kept */
	free(NULL);
	sink = realloc(malloc(500), 0); /* freed */
}

/* Live: 3,000, then 1,000, then 6,000 (the peak), then 1,000. */
static __attribute__((noinline)) void *take_two(void)
{
	return keep(malloc(2000));
}

static __attribute__((noinline)) void *take_five(void)
{
	return keep(malloc(5000));
}

static void mode_peak(void)
{
	void *first = keep(malloc(1000)), *other = take_two();

	free(other);
	other = take_five();
	free(other);
	keep(first);
}

/* glibc allocates in pthread_getattr_np, under a lock of the thread. */
static void *allocate_and_free(void *unused)
{
	pthread_attr_t attr;
	int i;

	if (pthread_getattr_np(pthread_self(), &attr))
		abort();
	pthread_attr_destroy(&attr);
	for (i = 0; i < 1000; i++)
		free(keep(malloc(10)));
	keep(malloc(7));
	return unused;
}

static void mode_threads(void)
{
	pthread_t threads[64];
	size_t i;

	for (i = 0; i < 64; i++)
		if (pthread_create(&threads[i], NULL, allocate_and_free, NULL))
			abort();
	for (i = 0; i < 64; i++)
		pthread_join(threads[i], NULL);
}

/* What the child frees was its parent's. */
static void mode_fork(void)
{
	void *mine = keep(malloc(111111));
	pid_t pid = fork();

	if (!pid) {
		free(mine);
		keep(malloc(222222));
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	pid = fork();
	if (!pid) {
		execlp("/proc/self/exe", "allocate", "leak", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static void mode_leak(void)
{
	keep(malloc(333333));
}

static void mode_crash(void)
{
	keep(malloc(444444));
	raise(SIGSEGV);
}

static void mode_kill(void)
{
	keep(malloc(444444));
	raise(SIGKILL);
}

static void mode_exit(void)
{
	keep(malloc(444444));
	_exit(0);
}

static void *take_on(void)
{
	return keep(malloc(555));
}

static ucontext_t outside, inside;

static __attribute__((noinline)) void coroutine(void)
{
	take_on();
	swapcontext(&inside, &outside);
}

/* On a stack that no thread has. */
static void mode_coroutine(void)
{
	static char stack[65536];

	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	swapcontext(&outside, &inside);
}

static void handle(int unused)
{
	(void)unused;
	take_on();
}

/* POSIX forbids it, and it works. */
static void mode_signal(void)
{
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
}

static __attribute__((noinline)) void *recurse(int depth)
{
	void *p = depth ? recurse(depth - 1) : take_on();

	sink = p;
	return p;
}

static void mode_deep(void)
{
	recurse(10000);
}

/* The stack pointer is not where it was, and aligned to more than usual. */
static __attribute__((noinline)) void *odd_frame(size_t size)
{
	char aligned[64] __attribute__((aligned(128)));
	char space[size];

	memset(space, 1, size);
	memset(aligned, 2, sizeof(aligned));
	keep(space);
	keep(aligned);
	return take_on();
}

static void mode_frames(void)
{
	odd_frame(100);
}

/* allocate plugin FILE: loads it twice, calls its `plugged` */
static void mode_plugin(void)
{
	void *handle = dlopen(argument, RTLD_NOW), *found;
	void *(*plugged)(void);

	found = handle ? dlsym(handle, "plugged") : NULL;
	if (!found)
		abort();
	memcpy(&plugged, &found, sizeof(found));
	keep(plugged());
	dlclose(handle);
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{"family", mode_family},       {"peak", mode_peak},
	{"threads", mode_threads},     {"fork", mode_fork},
	{"leak", mode_leak},	       {"crash", mode_crash},
	{"kill", mode_kill},	       {"exit", mode_exit},
	{"coroutine", mode_coroutine}, {"signal", mode_signal},
	{"deep", mode_deep},	       {"frames", mode_frames},
	{"plugin", mode_plugin},
};

int main(int argc, char **argv)
{
	size_t i;

	argument = argc > 2 ? argv[2] : NULL;
	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc > 1 && !strcmp(argv[1], modes[i].name)) {
			modes[i].run();
			return 0;
		}
	return 2;
}
