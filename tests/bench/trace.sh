#!/bin/sh
# The call tracer beside uftrace, in turns: what a call costs by being traced
# (processor time of the traced program less that of the same program built
# without hooks, over its calls), and how far from the truth the time of all
# calls is that each shows in the end. gcc's -pg, which counts calls and reads
# no clock, is shown as well.
#
# A clock has to be read twice for a call: that alone, in a loop, is the floor
# of the machine. Where it leaves no room below the goal of 25 ns (50 with
# CLOCK_MONOTONIC), the goal is 10 ns above the floor; the row of our share says
# whether it is reached. The same hooks that read the clock, keep what it says
# and do nothing else show how much of that is the compiler's.
#
# BENCH_ROUNDS sets the number of turns (5), BENCH_CALLS the calls of
# the loop (10000000).
. "$(dirname "$0")/lib.sh"
need uftrace cc

calls=${BENCH_CALLS:-10000000}
git init -q "$scratch/r"
cd "$scratch/r"
cat >calls.c <<'END2'
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline)) void leaf(int x)
{
	for (int i = 0; i < 10; i++)
		sink += x;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < n; i++)
		leaf(i);
	return 0;
}
END2
cat >clock.c <<'END2'
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static int64_t now(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int main(void)
{
	int64_t best[2] = {INT64_MAX, INT64_MAX}, begin, took;
	volatile uint64_t sink = 0;

	for (int r = 0; r < 50; r++) {
		begin = now(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < 100000; i++)
			sink += __builtin_ia32_rdtsc();
		took = now(CLOCK_THREAD_CPUTIME_ID) - begin;
		best[0] = took < best[0] ? took : best[0];
		begin = now(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < 100000; i++)
			sink += (uint64_t)now(CLOCK_MONOTONIC);
		took = now(CLOCK_THREAD_CPUTIME_ID) - begin;
		best[1] = took < best[1] ? took : best[1];
	}
	printf("%.1f %.1f\n", best[0] * 2e-5, best[1] * 2e-5);
}
END2
cat >empty.c <<'END2'
static __thread unsigned long last[2] __attribute__((tls_model("initial-exec")));

void __cyg_profile_func_enter(void *function, void *site)
{
	last[0] = __builtin_ia32_rdtsc();
}

void __cyg_profile_func_exit(void *function, void *site)
{
	last[1] += __builtin_ia32_rdtsc() - last[0];
}
END2
cat >empty_wall.c <<'END2'
#include <time.h>

static __thread unsigned long last[2] __attribute__((tls_model("initial-exec")));

static unsigned long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long)t.tv_sec * 1000000000 + (unsigned long)t.tv_nsec;
}

void __cyg_profile_func_enter(void *function, void *site)
{
	last[0] = now();
}

void __cyg_profile_func_exit(void *function, void *site)
{
	last[1] += now() - last[0];
}
END2
cc -O2 -g -o plain calls.c
cc -O2 -shared -fPIC -o empty_wall.so empty_wall.c
cc -O2 -g -pg -o counts calls.c
cc -O2 -shared -fPIC -o empty.so empty.c 2>/dev/null || :
cc -O2 -g -finstrument-functions -o hooks calls.c
cc -O2 -o clock clock.c 2>/dev/null || echo 'echo - -' >clock
object=$(find "$(dirname "$(command -v git-perf)")/.." -path '*/git-perf/trace.so' | head -n 1)

# took FILE COMMAND...: appends its processor time in ns for a call
took()
{
	to=$1
	shift
	mkdir -p records
	rm -rf records/*
	/usr/bin/time -f '%U %S' -o t "$@" >/dev/null 2>&1
	awk -v n="$calls" 'END { print ($1 + $2) * 1e9 / n }' t >>"$to"
}

least()
{
	sort -g "$1" | head -n 1
}

ours()
{
	took "$1" env LD_PRELOAD="$object" GIT_PERF_RUNTIME_FOLDER="$PWD/records" \
		"$2" ./hooks "$calls"
}

for round in $(seq "${BENCH_ROUNDS:-5}"); do
	took plain.t ./plain "$calls"
	ours tsc.t GIT_PERF_TRACE_CLOCK=tsc
	ours wall.t GIT_PERF_TRACE_CLOCK=wall
	ours none.t GIT_PERF_TRACE_CLOCK=none
	ours flat.t GIT_PERF_TRACE_FLAT=1
	[ -f empty.so ] && took empty.t env LD_PRELOAD="$PWD/empty.so" \
		./hooks "$calls"
	took empty_wall.t env LD_PRELOAD="$PWD/empty_wall.so" ./hooks "$calls"
	took pg.t ./counts "$calls"
	took peer.t uftrace record --no-libcall -d u ./hooks "$calls"
done

# less FILE: its least without the program's own
less()
{
	awk -v a="$(least "$1")" -v b="$(least plain.t)" \
		'BEGIN { printf "%.1f", a - b }'
}

read -r tsc wall <<END2
$(sh -c ./clock)
END2
peer=$(less peer.t)
line()
{
	row "$1" "$2 ns" "$3 ns" \
		"$(awk "BEGIN { printf \"%.2f\", $2 / $3 }")" "$4"
}

# goal FLOOR NS: NS, or what the machine allows
goal()
{
	awk -v floor="$1" -v ns="$2" 'BEGIN { g = floor + 10
		if (floor == "-" || g < ns) g = ns
		printf "<= %.1f ns", g }'
}

# share WHAT NS FLOOR
share()
{
	[ "$3" = - ] || row "$1" "$(awk "BEGIN { printf \"%.1f\", $2 - $3 }") ns" \
		"$3 ns" "$(awk "BEGIN { printf \"%.2f\", $2 / $3 }")" '<= 10 ns'
}

head_row
line 'a call, time-stamp counter' "$(less tsc.t)" "$peer" "$(goal "$tsc" 25)"
line 'a call, flat' "$(less flat.t)" "$peer" "$(goal "$tsc" 25)"
line 'a call, CLOCK_MONOTONIC' "$(less wall.t)" "$peer" "$(goal "$wall" 50)"
line 'a call, no clock' "$(less none.t)" "$peer" '<= 25 ns'
row 'a call, no clock (peer: gcc -pg)' "$(less none.t) ns" \
	"$(less pg.t) ns" - -
share 'our share (peer: floor, 2 x rdtsc)' "$(less tsc.t)" "$tsc"
share 'our share (peer: floor, 2 x CLOCK_MONOTONIC)' "$(less wall.t)" "$wall"
[ -f empty.so ] && share 'our share (peer: hooks that read the clock)' \
	"$(less tsc.t)" "$(less empty.t)"
share 'our share (peer: hooks, CLOCK_MONOTONIC)' \
	"$(less wall.t)" "$(less empty_wall.t)"

# What is shown: the total of main over the calls, beside the program's own.
# Of few calls, and the least of many runs, so that nothing else runs between.
few=20000
truth=$(least plain.t)
git-perf collect -c trace -r 30 --json -- ./hooks $few >j 2>/dev/null
a=$(jq "[.profiles[0].metrics[] | select(.name == \"wall\").values[]] |
	min / $few" j)
for round in 1 2 3 4 5 6 7 8 9 10; do
	uftrace record --no-libcall -d u ./hooks $few >/dev/null 2>&1
	uftrace report -d u -f total --no-pager 2>/dev/null |
		awk -v n=$few '$NF == "main" {
			f = $2 == "s" ? 1e9 : $2 == "ms" ? 1e6 : 1e3
			print $1 * f / n }'
done >b
line "shown for a call that takes $(printf %.1f "$truth") ns" \
	"$(printf %.1f "$a")" "$(printf %.1f "$(least b)")" \
	"$(printf %.1f "$truth")"
