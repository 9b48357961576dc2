#!/bin/sh
# What a running sampler is told from outside has an effect: a program that
# does as it is told works in one function, then in another, and says when.
. "$(dirname "$0")/../lib.sh"
need jq python3 "${CC:=cc}"
[ "$(uname -m)" = x86_64 ] || skip "the sampler knows x86-64 only"
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR
git commit -q --allow-empty -m first

# Functions named on standard input work for 100 ms of processor time each, "aside"
# in a second thread; a line of standard output says that one is done.
cat >../obeys.c <<'E'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline __attribute__((always_inline)) void burn(void)
{
	struct timespec t;
	long end, n;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	end = t.tv_sec * 1000L + t.tv_nsec / 1000000 + 100;
	do {
		for (n = 0; n < 20000; n++)
			__asm__ volatile("" : "+r"(n));
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000L + t.tv_nsec / 1000000 < end);
}
#define WORK(name) __attribute__((noinline)) static void name(void) { burn(); }
WORK(before) WORK(hidden) WORK(between) WORK(again) WORK(slow) WORK(fast)
WORK(aside) WORK(tracked) WORK(untracked) WORK(after)

static int orders[2], done[2];
static void *help(void *unused)
{
	char c;

	while (read(orders[0], &c, 1) == 1) {
		if (c == 'a')
			aside();
		else
			untracked();
		if (write(done[1], &c, 1) != 1)
			break;
	}
	return unused;
}

static void wait_for(char c)
{
	if (write(orders[1], &c, 1) != 1 || read(done[0], &c, 1) != 1)
		_exit(1);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} work[] = {{"before", before}, {"hidden", hidden},
		    {"between", between}, {"again", again}, {"slow", slow},
		    {"fast", fast}, {"tracked", tracked}, {"after", after}};
	char line[64];
	pthread_t thread;

	if (pipe(orders) || pipe(done) ||
	    pthread_create(&thread, NULL, help, NULL))
		return 1;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%d\n", (int)getpid());
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		for (size_t i = 0; i < sizeof(work) / sizeof(*work); i++)
			if (!strcmp(line, work[i].name))
				work[i].run();
		if (!strcmp(line, "aside") || !strcmp(line, "untracked"))
			wait_for(*line);
		puts("done");
	}
	return 0;
}
E
must "$CC" -g -O1 -pthread -o ../obeys ../obeys.c
mkfifo ../orders ../answers
git perf collect -c sample -O clock=wall -O delay=0.005 --stdin=../orders \
	--stdout=../answers -- ../obeys 2>../err &
collector=$!
exec 3>../orders 4<../answers
read -r pid <&4
works()
{
	echo "$1" >&3
	read -r line <&4
}
tell()
{
	must git perf collect --send="$1" "$collector"
}

works before
tell pause
tell pause
works hidden
tell resume
works hidden
tell resume
works between
tell pause
tell resume
works again
# An hour: nothing is seen, but a change back is heard within half a second.
tell delay=3600
works between
works slow
tell delay=0.005
works between
works between
works between
works between
works between
works between
works between
works fast
works aside
tell threads="$pid"
works tracked
works untracked
tell threads=all
tell snapshot
tries=0
until grep -q '^snapshot: ' ../err || [ $((tries += 1)) -gt 1000 ]; do
	works between
done
works after
tell stop
works hidden
exec 3>&-
while read -r line <&4; do
	:
done
exec 4<&-
wait "$collector"
check 'the run ends well after all messages' is $? 0

# Pending profiles: the whole one is the newest.
seen()
{
	git perf show --json --nodecount=0 --nodefraction=0 "$1" |
		jq --arg f "$2" '[.rows[] | select(.name == $f) | .total] |
			add // 0 | . / 1e6 | round'
}
for name in before between again fast aside tracked after; do
	check "$name is sampled" test "$(seen 0@p $name)" -ge 20
done
check 'nothing is sampled during one pause of two, nor after the stop' \
	is "$(seen 0@p hidden)" 0
# one time in 5,000 the sample of that hour falls into this second: it is an hour
check 'samples after a longer delay weigh as much more' \
	is $(($(seen 0@p slow) % 3600000)) 0
check 'threads that are not tracked are not seen' \
	is "$(seen 0@p untracked)" 0
check 'a snapshot has what was sampled until then' \
	test "$(seen 1@p tracked)" -ge 20
check 'a snapshot has nothing of what came later' is "$(seen 1@p after)" 0
# What the snapshot saw, read from the body by other means.
total=$(git perf show --json 1@p | jq .total)
must git perf export --to=git-perf -o ../whole.perf 0@p
check 'the snapshot is a point of the curve of the whole run' is "$(python3 -B -c '
import sys
sys.path.insert(0, sys.argv[1])
import body_reader
data = open("../whole.perf", "rb").read()
for name, unit, along, points in body_reader.profile(
        body_reader.Body(data, None)).curves:
    print(*(x.decode() for x in (name, unit, along)),
          [value for _, value, _ in points])
' "$root/tests/peer" 2>&1)" "real nanoseconds ms [$total.0]"
check 'the whole weighs what it stands for' test \
	"$(git perf show --json 0@p |
		jq '.total / 1e6 | floor % 3600000 < 600000')" = true
