#!/bin/sh
# Several runs of one command: a profile knows how many it holds, what is shown
# of it is what one run cost, and each run's costs by function are kept.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:=cc}"

echo one >file
git add file
commit first
jobs=.git/perf/jobs
collect='git perf collect -q'

# 1. What is known exactly: run number i (0, 1, 2) leaves f i + 1 and g 2.
must $collect -c command -r 3 -- sh -c \
	'printf "main;f %d\nmain;g 2\n" $((GIT_PERF_ITERATION + 1)) >"$1"' \
	sh '{output}'
check 'show takes three runs' exits 0 git perf show --json 0@p
check 'f costs (1 + 2 + 3) / 3 a run, g 2, and all of it 4' json \
	'[.runs, .total, (.rows[] | select(.name != "main") | [.name, .self])]' \
	'[3,4,["f",2],["g",2]]'
check 'what f cost in each run is kept' json \
	'.rows[] | select(.name == "f") | .self_by_run' '[1,2,3]'
check 'show prints the number of runs' exits 0 git perf show 0@p
check 'the number of runs stands above the figures' mentions out \
	'^Runs: 3, figures are per run$'
check 'the metric of three runs has three values' exits 0 \
	git perf show --view=metrics --json 0@p
check 'the values of the metric are 3, 4 and 5' json \
	'.rows[] | select(.name == "samples") | [.n, .min, .median, .max]' \
	'[3,3,4,5]'
must git perf export --to=git-perf -o ../three.perf 0@p
check 'one run can be looked at by its label' exits 0 \
	git perf show --json --tagfocus=perf::run=2:2 0@p
check 'in the second run f costs 2, a third of it by run' json \
	'.rows[] | select(.name == "f") | .self * 3' 2

# 2. The same program in one run and in three: a run of f 2 and g 2.
rm -rf "$jobs"
must $collect -c command -- sh -c 'printf "main;f 2\nmain;g 2\n" >"$1"' \
	sh '{output}'
must git perf export --to=git-perf -o ../one.perf 0@p
check 'three runs against one that costs the same differ in nothing' \
	exits 0 git perf diff --exit-code ../one.perf ../three.perf
check 'the difference says how many runs both sides are' mentions out \
	'^Runs: 1 old, 3 new, figures are per run$'
check 'the difference of both has no row' exits 0 \
	git perf diff --json ../one.perf ../three.perf
check 'totals of the difference are per run' json \
	'[.old_total, .new_total, .delta, .old_runs, .new_runs, .rows]' \
	'[4,4,0,1,3,[]]'
check 'another view of the difference is empty, too' exits 0 \
	git perf diff --view=tree --exit-code ../one.perf ../three.perf
check 'the one run is subtracted from what one of three costs' exits 0 \
	git perf show --json --diff-base ../one.perf ../three.perf
check 'nothing is left of three runs without one' json '.rows' '[]'

# 3. Merging adds runs up: 6 + 2 of f and 6 + 2 of g in 3 + 1 runs.
check 'profiles of three runs and of one are merged' exits 0 \
	git perf merge --to=git-perf -o ../four.perf ../three.perf ../one.perf
check 'the merged profile is shown' exits 0 git perf show --json ../four.perf
check 'the merged profile is of four runs, each known' json \
	'[.runs, .total, (.rows | sort_by(.name)[] | select(.name != "main") |
		[.name, .self, .self_by_run])]' \
	'[4,4,["f",2,[1,2,3,2]],["g",2,[2,2,2,2]]]'
check 'one file twice is two runs' exits 0 \
	git perf merge --to=git-perf -o ../two.perf ../one.perf ../one.perf
check 'two equal runs are shown' exits 0 git perf show --json ../two.perf
check 'two equal runs cost what one does' json '[.runs, .total]' '[2,4]'

# 4. Other formats carry the runs, or are told to have no place for them.
for format in pprof perun; do
	check "$format takes three runs" exits 0 git perf export \
		--to=$format -o ../three.$format ../three.perf
	check "$format has a place for runs" is "$(grep 'number of runs' "$err")" ''
	check "three runs are shown of $format" exits 0 \
		git perf show --json ../three.$format
	check "three runs of $format read back equal" json \
		'[.runs, .total, (.rows[] | select(.name == "f") |
			.self_by_run)]' '[3,4,[1,2,3]]'
done
check 'collapsed stacks take three runs' exits 0 \
	git perf export --to=collapsed ../three.perf
check 'collapsed stacks hold sums' prints out <<-END
	main;f 6
	main;g 6
END
check 'a warning says that collapsed stacks hold sums' says err \
	'warning: collapsed has no place for the number of runs: its figures are sums over 3 runs'
check 'a merge says what its format has no place for' exits 0 \
	git perf merge -o ../two.pb.gz ../one.perf ../one.perf
check 'the merge names runs, too' says err \
	'warning: pprof has no place for the number of runs: its figures are sums over 2 runs'

# 5. The sampler: main burns .2 s in one function and .1 s in another, by the
# process's own clock. Ticks are 10 ms.
cat >../burn.c <<'END'
#include <time.h>
static volatile unsigned long x;
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
__attribute__((noinline)) void heavy(void)
{
	double end = now() + .2;
	while (now() < end)
		for (int i = 0; i < 1000; i++)
			x += (unsigned)i;
}
__attribute__((noinline)) void light(void)
{
	double end = now() + .1;
	while (now() < end)
		for (int i = 0; i < 1000; i++)
			x += (unsigned)i;
}
int main(void)
{
	heavy();
	light();
	return 0;
}
END
must "$CC" -g -O1 -o ../burn ../burn.c
if [ "$(uname -m)" = x86_64 ]; then
	for runs in 1 3; do
		# where the machine let the sampler miss a third of its
		# ticks, nobody saw heavy: then once more
		tries=0 missed=99
		until [ "${missed:-0}" -le $((10 * runs)) ] ||
			[ $((tries += 1)) -gt 5 ]; do
			rm -rf "$jobs"
			must $collect -c sample -r $runs -- ../burn
			missed=$(git perf show 0@p |
				sed -n 's/.*missed ticks \([0-9]*\).*/\1/p')
		done
		must git perf export --to=git-perf -o ../burn$runs.perf 0@p
	done
	check 'one run and three of the sampler are compared' exits 0 \
		git perf diff --json ../burn1.perf ../burn3.perf
	# the sum of three would be 2 more; of its .3 s a busy machine lost .04
	check 'three runs of the sampler cost what one does' json \
		'[(.relative | fabs) < .5, .new_runs]' '[true,3]'
	check 'three runs of the sampler are shown' exits 0 \
		git perf show --json --nodefraction=0 ../burn3.perf
	# what nobody saw may have been in heavy
	check 'heavy takes two thirds of a run' json \
		'.total as $all | [("heavy", "[not sampled]") as $name |
		[.rows[] | select(.name == $name) | .total / $all] | add // 0] |
		.[0] < .85 and add > .5' true
	# .3 s; a machine that is busy loses ticks, two runs as one had .6
	check 'each run of the sampler adds up to what it burns' json \
		'[.rows[] | select(.self_by_run) | .self_by_run] |
		transpose | map(add / 1e9 | . > .1 and . < .4)' \
		'[true,true,true]'
fi

# 6. Tracing: 3 runs of 5 calls each.
cat >../calls.c <<'END'
static volatile int x;
__attribute__((noinline)) void leaf(void)
{
	x++;
}
int main(void)
{
	for (int i = 0; i < 5; i++)
		leaf();
	return 0;
}
END
must "$CC" -g -O0 -finstrument-functions -o ../calls ../calls.c
rm -rf "$jobs"
must $collect -c trace -r 3 -- ../calls
check 'three traced runs are shown' exits 0 \
	git perf show --json --sample-index=calls 0@p
check 'a traced run has five calls of leaf, in each run' json \
	'[.runs, (.rows[] | select(.name == "leaf") |
		[.self, .calls, .self_by_run])]' '[3,[5,5,[5,5,5]]]'
check 'three traced runs are shown by time' exits 0 \
	git perf show --json --nodefraction=0 --sample-index=wall 0@p
check 'the time of a traced function is the least of its runs' json \
	'[.rows[] | .self - (.self_by_run | min) | fabs < 2] | all' true
check 'the total of main is still all own times' json \
	'([.rows[] | .self] | add) -
		(.rows[] | select(.name == "main") | .total) | fabs < 5' true
check 'a call graph of three runs has no place in callgrind' exits 0 \
	git perf export --to=callgrind -o ../calls.out 0@p
check 'callgrind is told to be sums' mentions err \
	'^warning: callgrind has no place for the number of runs'

# 7. Memory: each run allocates 3 blocks of 1000 bytes.
cat >../blocks.c <<'END'
#include <stdlib.h>
void *volatile kept[3];
int main(void)
{
	for (int i = 0; i < 3; i++)
		kept[i] = malloc(1000);
	return 0;
}
END
must "$CC" -g -O0 -o ../blocks ../blocks.c
rm -rf "$jobs"
must $collect -c memory -r 4 -- ../blocks
check 'four runs of memory are shown' exits 0 \
	git perf show --json --sample-index=alloc_space 0@p
check 'each of four runs allocates 3000 bytes' json \
	'[.runs, (.rows[] | select(.name == "main") |
		[.total, .self_by_run])]' '[4,[3000,[3000,3000,3000,3000]]]'

# 8. Run number i (0, 1, 2) allocates i + 1 kB and keeps it.
cat >../grow.c <<'END'
#include <stdlib.h>
void *volatile kept;
int main(int argc, char **argv)
{
	char *run = argc > 1 ? argv[1] : getenv("GIT_PERF_ITERATION");
	kept = malloc(1000 * (size_t)(atoi(run) + 1));
	return 0;
}
END
must "$CC" -g -O0 -o ../grow ../grow.c
rm -rf "$jobs"
must $collect -c memory -r 3 -- ../grow
must git perf export --to=git-perf -o ../grow3.perf 0@p
# shows FILE: what main allocated, has at the end, and had at the peak
shows()
{
	for type in alloc_space inuse_space peak_space; do
		git perf show --json --sample-index=$type "$1" | jq .total
	done | tr '\n' ' '
}
check 'runs have means of costs and levels, and the largest peak' is \
	"$(shows ../grow3.perf)" '2000 2000 3000 '
must git perf export --to=pprof -o ../grow3.pb.gz ../grow3.perf
check 'pprof reads back what is a peak' is \
	"$(shows ../grow3.pb.gz)" '2000 2000 3000 '
for i in 0 1 2; do
	rm -rf "$jobs"
	must $collect -c memory -- ../grow $i
	must git perf export --to=git-perf -o ../grow-$i.perf 0@p
done
must git perf merge --to=git-perf -o ../grown.perf ../grow-2.perf \
	../grow-0.perf ../grow-1.perf
check 'a merge has means of costs and levels, and the largest peak' is \
	"$(shows ../grown.perf)" '2000 2000 3000 '
check 'the metric of peaks has each of them' is "$(git perf show \
	--view=metrics --json ../grow3.perf | jq -c '.rows[] |
		select(.name == "peak_space") | [.n, .min, .median, .max]')" \
	'[3,1000,2000,3000]'

# 9. What counts alike is counted once, unless it is asked for.
command -v valgrind >/dev/null || exit 0
count()
{
	rm -rf "$jobs"
	must "$@" -- ../calls
	git perf show --json --nodefraction=0 0@p >../counted
	jq -c '[.total, .runs // 1, (.rows[] | select(.name == "leaf") |
		[.self, .self_by_run // []])]' ../counted
}
git config perf.runs 5
once=$(count $collect -c callgrind)
check 'perf.runs does not make callgrind count again' is \
	"$(echo "$once" | jq '.[1]')" 1
git config --unset perf.runs
thrice=$(count $collect -c callgrind -r 3)
check 'three equal counts are shown as one, and each of them is kept' is \
	"$thrice" \
	"$(echo "$once" | jq -c '.[1] = 3 | .[2][1] = [.[2][0], .[2][0], .[2][0]]')"
check 'the option runs of callgrind asks for two' is \
	"$(count $collect -c callgrind -O runs=2 | jq '.[1]')" 2
check 'runs that are no number are refused' exits 128 \
	$collect -c callgrind -O runs=many -- ../calls
check 'the refusal names the runs' says err \
	"fatal: collector 'callgrind': bad runs 'many', need a whole number of 1 to 1000"

# 9. Records of one run each at one commit: a series tells them apart as runs.
git rm -q --cached file
commit pooled
for cost in 4 8; do
	printf "main;f $cost\nmain;g 10\n" >../pool.folded
	must $collect --add -r 1 -l job=pool -c command -- \
		cp ../pool.folded "{output}"
done
check 'a series of two records is shown' exits 0 \
	git perf show --json HEAD:pool
check 'a series tells what each of its records cost' json \
	'[.runs, (.rows[] | select(.name != "main") | [.name, .self_by_run])]' \
	'[2,["g",[10,10]],["f",[4,8]]]'
check 'a series goes to a format without runs' exits 0 \
	git perf export --to=collapsed HEAD:pool
check 'what a format without runs gets of a series is a sum, which is said' \
	says err \
	'warning: collapsed has no place for the number of runs: its figures are sums over 2 runs'
check 'the sums over both records are written' \
	says out 'main;f 12'
