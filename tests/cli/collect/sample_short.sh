#!/bin/sh
# What lives shorter than the sampler's interval, and what it cannot see.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:-cc}"
[ "$(uname -m)" = x86_64 ] || skip 'the sampler knows x86-64 only'

# Milliseconds of processor time that each of <n> threads and main(), of <n>
# children, or the program itself use.
cat >short.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

__attribute__((noinline)) static void burn(double ms)
{
	double end = now() + ms;

	while (now() < end)
		;
}

static void *thread(void *ms)
{
	burn(*(double *)ms);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[2]), i;
	double ms = atof(argv[3]);
	pthread_t t;

	for (i = 0; i < n; i++) {
		if (*argv[1] == 't') {
			pthread_create(&t, NULL, thread, &ms);
			pthread_join(t, NULL);
		} else if (*argv[1] == 'f') {
			if (!fork()) {
				burn(ms);
				_exit(0);
			}
			wait(NULL);
		} else {
			burn(ms);
		}
	}
	if (*argv[1] == 't')
		burn(ms);
	return 0;
}
END
must ${CC:-cc} -O1 -g short.c -o short -pthread

# The share of user and system time that samples stand for, in percent.
share()
{
	jq '.profiles[0].metrics | (map(select(.name == "cpu"))[0].values | add)
	/ (map(select(.name == "user" or .name == "sys")) | map(.values | add)
	| add) * 100 | floor' "$out"
}
# Ticks of the kernel that come late leave some out: it was a fifth before
# threads and children left what they owe to the others.
check 'a program of short threads is sampled' exits 0 \
	git perf collect -c sample --json -- ./short threads 300 2
check 'most time of 300 threads of 2 ms is seen' test "$(share)" -ge 60
check 'no more time of short threads is seen than they used' \
	test "$(share)" -le 110
must git perf show --json --nodecount=0 0@p >"$out"
check 'time of short threads is seen where it was spent' \
	test "$(jq '([.rows[] | select(.name == "thread")][0].total) * 100 /
	.total | floor' "$out")" -ge 60
check 'a program of short children is sampled' exits 0 \
	git perf collect -c sample --json -- ./short forks 300 2
check 'most time of 300 children of 2 ms is seen' test "$(share)" -ge 60
check 'no more time of short children is seen than they used' \
	test "$(share)" -le 110
check 'programs of some milliseconds are sampled' exits 0 \
	git perf collect -c sample --json -- sh -c 'i=0
	while [ $i -lt 200 ]; do ./short one 1 2; i=$((i + 1)); done'
check 'most time of 200 programs of 2 ms is seen' test "$(share)" -ge 60

# Nothing can be loaded into a program whose environment is empty: of 400 ms
# a quarter is seen.
check 'a child with an emptied environment is sampled in part' exits 0 \
	git perf collect -c sample --json -- sh -c \
	'env -i ./short one 1 300; ./short one 1 100'
check 'the part that was seen is told as a number' \
	json '.profiles[0].seen | [.partial, .seen / .spent < 0.5]' '[true,true]'
check 'a warning says what was seen and what was spent' mentions err \
	'^warning: .*: 0\.[0-9]+ s of 0\.[0-9]+ s of processor time were seen \([0-9]+ %\): a program that is linked statically'
must git perf show 0@p >"$out"
check 'show says that a profile is partial' mentions out \
	'^Partial: 0\.[0-9]+ s of 0\.[0-9]+ s of processor time were seen'
must git perf show --json 0@p >"$out"
check 'the JSON of show says that a profile is partial' json .seen.partial true
check 'a program that can be sampled is sampled' exits 0 \
	git perf collect -c sample --json -- ./short one 1 300
check 'what is seen of a program as a whole is not partial' \
	json .profiles[0].seen.partial false
check 'nothing is said of a program that is seen as a whole' \
	not mentions err 'were seen'
check 'one thread of two is sampled' exits 0 git perf collect -c sample \
	-O threads=main --json -- ./short threads 1 300
check 'threads that nobody asked for are not missed' \
	json .profiles[0].seen.partial false

# What the sampler is not loaded into is no matter of time.
check 'nothing is seen of what has an emptied environment' exits 128 \
	git perf collect -c sample -- env -i true
check 'the error says why nothing was seen' mentions err \
	'sampler was not loaded \(static programs, an emptied environment\)'
