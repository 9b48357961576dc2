#!/bin/sh
# The sampler at 100 Hz: what it costs (user + sys of a program with and without
# it, in turns; the median of the pairs is what counts), and whether its
# functions have the shares that `perf record` sees on the same program.
# BENCH_PAIRS sets the number of pairs (40).
. "$(dirname "$0")/lib.sh"
need jq "${CC:-cc}"

git init -q "$scratch/r"
cd "$scratch/r"
git commit -q --allow-empty -m start

cat >work.c <<'END'
#include <stdlib.h>
#include <string.h>
static volatile unsigned long sink;
static int numbers[200000];
static char block[1 << 22];
__attribute__((noinline)) void hot(int n)
{
	for (int i = 0; i < n; i++)
		sink += (unsigned long)i * i;
}
__attribute__((noinline)) void warm(int n)
{
	for (int i = 0; i < n; i++)
		sink ^= i;
}
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
int main(int argc, char **argv)
{
	for (int round = 0; round < atoi(argv[argc - 1]); round++) {
		hot(10000000);
		warm(5000000);
		for (int i = 0; i < 200000; i++)
			numbers[i] = rand();
		qsort(numbers, 200000, sizeof(int), compare);
		memset(block, round, sizeof(block));
	}
	return 0;
}
END
"${CC:-cc}" -O2 -g -o tables work.c
"${CC:-cc}" -O2 -g -fno-omit-frame-pointer -o pointers work.c

# user + sys of one run, in ns.
cost()
{
	git-perf collect -r 1 --json "$@" 2>/dev/null |
		jq '.profiles[0].metrics | map({(.name): .median}) | add |
			.user + .sys'
}

# column FILE SHARE: a quantile
column()
{
	awk -v q="$2" '{ v[NR] = $1 } END { print v[int((NR - 1) * q) + 1] }' "$1"
}

head_row
for program in pointers tables; do
	pair=0
	while [ $((pair += 1)) -le "${BENCH_PAIRS:-40}" ]; do
		if [ $((pair % 2)) -eq 0 ]; then
			without=$(cost -- ./$program 10)
			with=$(cost -c sample -- ./$program 10)
		else
			with=$(cost -c sample -- ./$program 10)
			without=$(cost -- ./$program 10)
		fi
		echo "$with $without" | awk '{ print $1 / $2 }'
	done | sort -n >ratios
	row "user + sys at 100 Hz, frame $program" "$(column ratios 0.5)" 1 \
		"$(column ratios 0.25) .. $(column ratios 0.75)" '<= 1.01'
done

command -v perf >/dev/null || exit 0
git-perf collect -c sample -O frequency=250 -- ./tables 100 >/dev/null 2>&1
perf record -q -e cpu-clock -F 249 -o perf.data ./tables 100 >/dev/null 2>&1 ||
	exit 0
git-perf show --json --noinlines 0@p |
	jq -r '.total as $t | .rows[] | [.name, 100 * .self / $t] | @tsv' |
	sort >ours
perf report -i perf.data --no-inline --stdio --sort symbol 2>/dev/null |
	awk '/^ +[0-9.]+%/ { sub("\\..*", "", $3); print $3 "\t" $1 + 0 }' |
	sort >theirs
join -t "$(printf '\t')" ours theirs | sort -t "$(printf '\t')" -k 2 -nr |
	head -n 6 | while IFS="$(printf '\t')" read -r name a b; do
	row "self time of $name, %" "$(printf %.1f "$a")" \
		"$(printf %.1f "$b") (perf)" \
		"$(awk "BEGIN { printf \"%.2f\", $a / $b }")" 1
done
