#!/bin/sh
# Time during which no tick came to a thread: a program that keeps all signals
# to itself, past libc's functions, is as one whose machine has no time for
# ticks.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:-cc}"
[ "$(uname -m)" = x86_64 ] || skip 'the sampler knows x86-64 only'

cat >gap.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void burn(double ms)
{
	double end = now() + ms;

	while (now() < end)
		for (int n = 0; n < 20000; n++)
			__asm__ volatile("" : "+r"(n));
}

static void mask(uint64_t set)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &set, NULL, 8);
}

__attribute__((noinline)) void deaf(void)
{
	mask(~UINT64_C(0));
	burn(400);
}

__attribute__((noinline)) void late(void)
{
	mask(0);
	burn(100);
}

int main(void)
{
	deaf();
	late();
	return 0;
}
END
must "${CC:-cc}" -O1 -g gap.c -o gap

# Total of function $1 in ms.
ms_of()
{
	git perf show --json --nodecount=0 --nodefraction=0 0@p |
		jq --arg f "$1" '((.rows[] | select(.name == $f) | .total) //
			0) / 1e6 | round'
}

# Whether $1 <= $2 <= $3.
between()
{
	[ "$1" -le "$2" ] && [ "$2" -le "$3" ] || {
		echo "$2 is not within $1 .. $3" >&2
		return 1
	}
}

# Of the 400 ms one tick is taken, the last one. That they are over is seen
# when three of them were missed. The tick comes behind a system call, so that
# what the kernel did meanwhile, on a busy machine a tenth, is that call's.
for clock in cpu wall; do
	check "a program without ticks is sampled: $clock" exits 0 \
		git perf collect -c sample -O "clock=$clock" --json -- ./gap
	all=$(jq '[.profiles[0].metrics[] |
		select(.name == "cpu" or .name == "real") | .values[]] |
		add / 1e6 | round' "$out")
	check "time that nobody saw is in the sum: $clock" \
		between 450 "$(git perf show --json 0@p |
			jq '.total / 1e6 | round')" "$all"
	check "time that nobody saw says so: $clock" \
		between 300 "$(ms_of '[not sampled]')" "$((all - 10))"
	check "time that nobody saw is in no sample: $clock" is \
		"$(git perf show --json --nodecount=0 --nodefraction=0 \
			--sample-index=samples 0@p | jq '[.rows[] |
			select(.name == "[not sampled]") | .self] | add // 0')" 0
	check "the heading says that not all was sampled: $clock" sh -c \
		'git perf show 0@p | grep -E "^Profiler: .*, not sampled [34]"'
done
rm -rf .git/perf/jobs
check 'a program without ticks is sampled as by default' exits 0 \
	git perf collect -c sample --json -- ./gap
check 'what was not sampled is no part that is missing' \
	json .profiles[0].seen.partial false
check 'what runs at the next tick is not given the time before' \
	between 1 "$(ms_of late)" 200

# Threads that ended without a tick leave what they used to the next one.
cat >ended.c <<'END'
#define main of_gap
#include "gap.c"
#undef main
#include <pthread.h>

static void *thread(void *nothing)
{
	deaf();
	return nothing;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++)
		if (pthread_create(&t, NULL, thread, NULL) ||
		    pthread_join(t, NULL))
			return 1;
	late();
	return 0;
}
END
must "${CC:-cc}" -O1 -g -pthread ended.c -o ended
rm -rf .git/perf/jobs
check 'threads without ticks are sampled' exits 0 \
	git perf collect -c sample -- ./ended
check 'time of threads that nobody saw says so' \
	between 600 "$(ms_of '[not sampled]')" 850
check 'what runs then is not given the time of the threads' \
	between 1 "$(ms_of late)" 250
rm -rf .git/perf/jobs

# The kernel gives a thread its tick when it leaves a system call: all of it was
# spent there.
cat >call.c <<'END'
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void)
{
	void *at = mmap(0, 256 << 20, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return at == MAP_FAILED;
}
END
must "${CC:-cc}" -O1 -g call.c -o call
check 'a program with one long system call is sampled' exits 0 \
	git perf collect -c sample -O frequency=1000 --json -- ./call
check 'a long system call was not elsewhere' \
	between 0 "$(ms_of '[not sampled]')" 20
