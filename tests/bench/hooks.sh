#!/bin/sh
# What a commit costs with hooks: pairs of `git commit` in two equal
# repositories, one of them with hooks. Each pair gives a difference; the
# median of these is what counts. A worker that waits is there, as after any
# first commit; `first` has to start it each time.
. "$(dirname "$0")/lib.sh"
unset CI
pairs=${BENCH_PAIRS:-60}

for name in plain hooks first; do
	history "$scratch/$name" 50
	git -C "$scratch/$name" read-tree HEAD
done
for name in hooks first; do
	(cd "$scratch/$name" && git perf hooks install 2>/dev/null)
done
git config --global perf.hookDelay 3600
git -C "$scratch/first" config perf.hookDelay 0

# nanoseconds of a commit in one of them
cost()
{
	cd "$scratch/$1"
	from=$(date +%s%N)
	git commit -q --allow-empty -m x
	to=$(date +%s%N)
	echo $((to - from))
}

median()
{
	sort -n | awk '{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

# pairs NAME: "<plain> <with hooks>" a line, in turns
pairs()
{
	i=0
	while [ $i -lt "$pairs" ]; do
		i=$((i + 1))
		if [ $((i % 2)) -eq 0 ]; then
			a=$(cost plain)
			b=$(cost "$1")
		else
			b=$(cost "$1")
			a=$(cost plain)
		fi
		[ "$1" != first ] || wait_for_worker
		echo "$a $b"
	done
}

# Until the queue is empty, so that the next commit starts a worker again.
wait_for_worker()
{
	while git -C "$scratch/first" perf worker --status |
		grep -q 'a worker runs'; do
		sleep 0.02
	done
}

report()
{
	plain=$(cut -d ' ' -f 1 "$scratch/$2.pairs" | median)
	with=$(cut -d ' ' -f 2 "$scratch/$2.pairs" | median)
	more=$(awk '{ print $2 - $1 }' "$scratch/$2.pairs" | median)
	row "$1" "$(awk "BEGIN { printf \"%.2f ms\", $with / 1e6 }")" \
		"$(awk "BEGIN { printf \"%.2f ms\", $plain / 1e6 }")" \
		"$(awk "BEGIN { printf \"%.2f\", $with / $plain }")" \
		"$(awk "BEGIN { printf \"%+.2f ms\", $more / 1e6 }") (<= +5 ms)"
}

head_row
cost hooks >/dev/null
cost plain >/dev/null
pairs hooks >"$scratch/hooks.pairs"
report 'commit with hooks, a worker waits | without' hooks
pairs first >"$scratch/first.pairs"
report 'commit with hooks, worker started | without' first
kill "$(cat "$scratch/hooks/.git/perf/worker.lock")"
