#!/bin/sh
# git perf collect -c trace -O sizes: what calls take by the size that the
# program states. Numbers of calls are exact; times are those that the program
# itself takes with its thread's clock around the calls.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:=cc}"

echo one >file
git add file
commit first

cat >../sizes.c <<'E'
#define _GNU_SOURCE
#include "runtime/git-perf.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CALL __attribute__((noinline))
static volatile unsigned sink;

CALL void quadratic(int n)
{
	pn_region_size((uint64_t)n);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			sink += (unsigned)i;
}
CALL void unsized(void)
{
	sink++;
}
/* Its own size is n; each call is one of that size, with those below. */
CALL void halve(int n)
{
	pn_region_size((uint64_t)n);
	if (n > 1)
		halve(n / 2);
	unsized();
}
CALL void many(int n)
{
	pn_region_size((uint64_t)n);
}
/* The last word counts. */
CALL void twice(void)
{
	pn_region_size(1);
	unsized();
	pn_region_size(2);
}
CALL void dies(int n)
{
	pn_region_size((uint64_t)n);
	exit(0);
}
static __attribute__((no_instrument_function)) double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
int main(void)
{
	double spent[4] = {0};

	if (pn_region_size(0) > 0)
		return 1;
	for (int round = 0; round < 5; round++)
		for (int i = 0; i < 4; i++) {
			spent[i] -= now_ns();
			quadratic(200 << i);
			spent[i] += now_ns();
		}
	for (int i = 0; i < 4; i++)
		printf("%d %.0f\n", 200 << i, spent[i] / 5);
	for (int round = 0; round < 3; round++)
		halve(64);
	for (int n = 1; n <= 10000; n++)
		many(n);
	twice();
	pn_region_begin("loop");
	pn_region_size(UINT64_C(1) << 40);
	pn_region_end("loop");
	dies(7);
}
E
must "$CC" -g -O1 -finstrument-functions -I"$root/libperfnotes" \
	-o ../sizes ../sizes.c -ldl
check 'runs without a tracer' exits 0 ../sizes
check 'calls are measured by size' \
	exits 0 git perf collect -c trace -O sizes -O clock=cpu \
	--stdout ../own -- ../sizes
check 'sizes are exported to the format of Perun' \
	exits 0 git perf export --to=perun \
	-o ../p.perf 0@p

# Points as function, size, calls, ns of a call; Perun's layout is columns by
# type of resource.
jq -r '. as $p | .resources | to_entries[] | .key as $k | .value |
	[.["structure-unit-size"], .calls, .amount] | transpose[] |
	[($p.resource_type_map[$k].uid | if type == "object" then .function
		else . end)] + . | @tsv' ../p.perf >../points
points()
{
	awk -v f="$1" '$1 == f { print $2 " " $3 }' ../points | sort -n |
		tr '\n' ';'
}
check 'each size is a point' is "$(points quadratic)" \
	'200 5;400 5;800 5;1600 5;'
check 'the words that Perun has' is "$(jq -c '.resource_type_map |
	[.[] | [.type, .subtype]] | unique' ../p.perf)" \
	'[["mixed","time delta"]]'
# The program's times have those of the calls in them and little more: of the
# longest calls less than as much again.
check 'points have the times of the calls' awk '
	FNR == NR { own[$1] = $2; next }
	$1 == "quadratic" { n++; bad += !($4 > 0 && $4 <= own[$2]) }
	$1 == "quadratic" && $2 == 1600 { bad += $4 < own[$2] / 2 }
	END { exit n != 4 || bad }' ../own ../points
check 'model finds how a call depends on its size' exits 0 git perf model --json 0@p
must git perf export --to=perun -o ../modelled.perf "$(jq -r .path "$out")"
jq -f "$root/tests/tools/fits.jq" ../modelled.perf >../fits
check 'the model is that of the points' \
	jq -e '[.[] | select(.[0] == "quadratic")] |
	length == 3 and all(.[2] - .[3] | fabs < 1e-6)' ../fits
check 'recursion counts each call' is "$(points halve)" \
	'1 3;2 3;4 3;8 3;16 3;32 3;64 3;'
check 'the last word counts' is "$(points twice)" '2 1;'
check 'a region has a size' is "$(points loop)" '1099511627776 1;'
check 'a call that did not return has a size' is "$(points dies)" '7 1;'
check 'functions without a size are left out' is "$(points unsized)" ''
# 256 sizes, then 16 for each power of two from 256 to 8192 and the next one
check 'sizes are bounded' awk '$1 == "many" { n++; calls += $3; sum += $2 * $3 }
	END { print n, calls, sum
		exit n > 256 + 6 * 16 + 1 || calls != 10000 ||
			sum / 50005000 < 0.99 || sum / 50005000 > 1.01 }' \
	../points
# 256 is what 257 to 263 are rounded to
check 'the first ones are exact' is "$(awk '$1 == "many" && $2 < 256 &&
	$3 == 1' ../points | wc -l | tr -d ' ')" 255

# A program without sizes, and what cannot be.
must "$CC" -g -O1 -finstrument-functions -o ../calls \
	"$root/tests/tools/calls.c" -pthread
check 'a program that states no size is refused' exits 128 git perf collect \
	-c trace -O sizes -- ../calls leaf
check 'the refusal says how to state a size' \
	mentions err '^fatal: no call stated a size: .*pn_region_size'
for option in flat clock=none; do
	check "sizes beside $option are refused" exits 128 git perf collect -c trace -O sizes \
		-O $option -- ../sizes
	check "the refusal says why: $option" says err \
		'fatal: cannot tell times by size from calls alone, need no flat and no clock=none'
done

# What the header brings along is not traced: regions stay what they are.
check 'a program with sizes is traced as a call graph' \
	exits 0 git perf collect -c trace \
	-- ../sizes
git perf show --view=top --nodefraction=0 --sample-index=calls --json 0@p \
	>../top
check 'the call graph has the functions of the program only' \
	is "$(jq -r '.rows[] | "\(.name) \(.self)"' \
	../top | LC_ALL=C sort | tr '\n' ';')" \
	'dies 1;halve 21;loop 1;main 1;many 10000;quadratic 20;twice 1;unsized 22;'
