/* A program whose calls are known, for cli/collect/trace.sh: calls MODE. To
 * be built with -finstrument-functions, or -pg. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the tests count must not be inlined, but for what is to be. */
#define CALL __attribute__((noinline))

static volatile int sink;

CALL void leaf(void)
{
	sink++;
}

/* fib(20): 21,891 calls. */
CALL int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

CALL int is_odd(int n);

/* is_even(9) begins 10 calls, one in another. */
CALL int is_even(int n)
{
	return n ? is_odd(n - 1) : 1;
}

CALL int is_odd(int n)
{
	return n ? is_even(n - 1) : 0;
}

static CALL void mode_recursion(void)
{
	int i;

	sink = fib(20);
	sink = is_even(9);
	for (i = 0; i < 1000; i++)
		leaf();
}

static jmp_buf place;

CALL void jumper(int depth)
{
	if (depth)
		jumper(depth - 1);
	leaf();
	longjmp(place, 1);
}

CALL void lands(void)
{
	leaf();
}

/* Ten times: five frames of jumper are left without an exit. What comes after
 * is called by this function, not by them. */
static CALL void mode_longjmp(void)
{
	volatile int i;

	for (i = 0; i < 10; i++) {
		if (!setjmp(place))
			jumper(4);
		lands();
	}
}

static CALL void *work(void *unused)
{
	int i;

	for (i = 0; i < 100; i++)
		leaf();
	return unused;
}

CALL void *quit(void *unused)
{
	leaf();
	pthread_exit(unused);
}

static CALL void mode_threads(void)
{
	pthread_t threads[64];
	size_t i;

	for (i = 0; i < 64; i++)
		if (pthread_create(&threads[i], NULL, i % 2 ? quit : work,
				   NULL))
			abort();
	for (i = 0; i < 64; i++)
		pthread_join(threads[i], NULL);
}

CALL void in_child(void)
{
	leaf();
}

/* The child returns from what its parent has called. */
static CALL void mode_fork(void)
{
	pid_t pid = fork();

	if (pid)
		waitpid(pid, NULL, 0);
	else
		in_child();
	if (!pid)
		return;
	pid = vfork();
	if (!pid) {
		execlp("/proc/self/exe", "calls", "leaf", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static CALL void mode_leaf(void)
{
	leaf();
}

CALL void dies(int signal)
{
	leaf();
	if (signal)
		raise(signal);
	exit(0);
}

static CALL void mode_crash(void)
{
	dies(SIGSEGV);
}

static CALL void mode_kill(void)
{
	dies(SIGKILL);
}

static CALL void mode_exit(void)
{
	dies(0);
}

CALL void handle(int unused)
{
	(void)unused;
	leaf();
}

static CALL void mode_signal(void)
{
	int i;

	signal(SIGUSR1, handle);
	for (i = 0; i < 100; i++)
		raise(SIGUSR1);
}

/* Its own stack lies above that of the thread, where callers are. */
CALL void interrupted(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		raise(SIGUSR1);
		leaf();
	}
}

#define STACK_BYTES (256 * 1024)

static CALL void *run_aside(void *memory)
{
	stack_t own = {.ss_sp = (char *)memory + STACK_BYTES,
		       .ss_size = STACK_BYTES};
	struct sigaction action = {.sa_handler = handle,
				   .sa_flags = SA_ONSTACK};

	if (sigaltstack(&own, NULL) || sigaction(SIGUSR1, &action, NULL))
		abort();
	interrupted();
	return NULL;
}

static CALL void mode_altstack(void)
{
	void *memory = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (memory == MAP_FAILED ||
	    pthread_attr_setstack(&attributes, memory, STACK_BYTES) ||
	    pthread_create(&thread, &attributes, run_aside, memory))
		abort();
	pthread_join(thread, NULL);
}

/* Two threads of a child call first at once. */
static pthread_barrier_t gate;

__attribute__((no_instrument_function)) static void *rush(void *unused)
{
	pthread_barrier_wait(&gate);
	leaf();
	return unused;
}

__attribute__((no_instrument_function)) static void child_of_threads(void)
{
	pthread_t threads[8];
	size_t i;

	pthread_barrier_init(&gate, NULL, 8);
	for (i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, rush, NULL))
			abort();
	for (i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
}

static CALL void mode_rush(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		if (!fork()) {
			child_of_threads();
			_exit(0);
		}
		wait(NULL);
	}
}

CALL int deep(int n)
{
	int got = n ? deep(n - 1) : 0;

	sink = got;
	return got + 1;
}

static CALL void mode_deep(void)
{
	sink = deep(20000);
}

static inline __attribute__((always_inline)) void inlined(void)
{
	leaf();
}

static CALL void mode_inline(void)
{
	inlined();
	inlined();
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{"recursion", mode_recursion}, {"longjmp", mode_longjmp},
	{"threads", mode_threads},     {"fork", mode_fork},
	{"leaf", mode_leaf},	       {"crash", mode_crash},
	{"kill", mode_kill},	       {"exit", mode_exit},
	{"signal", mode_signal},       {"deep", mode_deep},
	{"inline", mode_inline},       {"altstack", mode_altstack},
	{"rush", mode_rush},
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc > 1 && !strcmp(argv[1], modes[i].name)) {
			modes[i].run();
			return 0;
		}
	return 2;
}
