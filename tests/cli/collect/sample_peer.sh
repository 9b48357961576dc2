#!/bin/sh
# The sampler beside Linux perf on the same program: the same functions on top,
# with shares that differ by no more than chance explains.
. "$(dirname "$0")/../lib.sh"
need jq perf "${CC:=cc}"
[ "$(uname -m)" = x86_64 ] || skip "the sampler knows x86-64 only"

cat >../work.c <<'E'
#include <time.h>
static volatile unsigned long sink;
#define CALL __attribute__((noinline))
/* Another amount each time, so that no tick is in step with what is done. */
static int some_of(int n)
{
	static unsigned state = 1;

	state = state * 1103515245 + 12345;
	return (int)((double)n * (state >> 16 & 0x7fff) / 16384);
}
CALL static void most(int n)
{
	for (int i = 0; i < n; i++)
		sink += (unsigned long)i * i;
}
CALL static void some(int n)
{
	for (int i = 0; i < n; i++)
		sink += (unsigned long)i;
}
CALL static void few(int n)
{
	for (int i = 0; i < n; i++)
		sink ^= (unsigned long)i;
}
/* A second of processor time has a hundred ticks at least. */
int main(void)
{
	for (int i = 0; i < 100 || clock() < CLOCKS_PER_SEC; i++) {
		most(some_of(900000));
		some(some_of(300000));
		few(some_of(100000));
	}
	return 0;
}
E
git commit -q --allow-empty -m first
for pointers in -fomit-frame-pointer -fno-omit-frame-pointer; do
	must "$CC" -g -O1 $pointers -o ../work ../work.c
	perf record -q -e cpu-clock -F 997 -o ../perf.data ../work \
		>/dev/null 2>&1 || skip 'perf may not sample here'
	perf script -i ../perf.data -F ip,sym 2>/dev/null | awk '
		$2 ~ /^(most|some|few)$/ { n[$2]++ }
		END { for (name in n) print name, n[name] }' >../theirs
	check "the program of the peer is sampled: $pointers" \
		exits 0 git perf collect -c sample \
		-O frequency=250 -- ../work
	check "the sampled profile is shown: $pointers" \
		exits 0 git perf show --json \
		--nodefraction=0 --sample-index=samples 0@p
	jq -r '.rows[] | select(.self > 0) | "\(.name) \(.self)"' "$out" |
		grep -E '^(most|some|few) ' >../ours
	check "the same function is first as for the peer: $pointers" \
		is "$(sort -k 2 -nr ../ours | head -n 1 | cut -d ' ' -f 1)" \
		"$(sort -k 2 -nr ../theirs | head -n 1 | cut -d ' ' -f 1)"
	# Shares a and b of n and m samples: the difference has the standard
	# error sqrt(p (1 - p) (1/n + 1/m)) with p their common share. Four of
	# them leave one in 5,000 to chance. One sample of ours may stand for
	# several ticks, and two runs of a program are not quite equal: 3 % more.
	check "shares of functions are those of the peer: $pointers" awk '
		FNR == NR { theirs[$1] = $2; m += $2; next }
		{ ours[$1] = $2; n += $2 }
		END {
			if (n < 30 || m < 30) {
				print "too few samples:", n, m
				exit 1
			}
			split("most some few", names, " ")
			for (i in names) {
				a = ours[names[i]] / n
				b = theirs[names[i]] / m
				p = (a * n + b * m) / (n + m)
				e = sqrt(p * (1 - p) * (1 / n + 1 / m))
				d = a > b ? a - b : b - a
				print names[i], a, b, e
				bad += d > 4 * e + 0.03
			}
			exit bad > 0
		}' ../theirs ../ours
done
