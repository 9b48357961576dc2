#!/bin/sh
# A report of a large cProfile dump, beside Python's own pstats.
. "$(dirname "$0")/lib.sh"
need python3
cat >"$scratch/dump.py" <<-'END'
	# What cProfile writes: marshal of {function: (primitive calls, calls,
	# own time, total time, {caller: the same four})}.
	import marshal, random, sys
	rnd = random.Random(1)
	count = 100000
	files = ['/usr/lib/python3/site-packages/package%d/module%d.py'
	         % (i % 97, i) for i in range(1009)]
	functions = [(files[i % 1009], 10 + i // 7, 'function_%d' % i)
	             for i in range(count)]
	stats = {}
	for i, function in enumerate(functions):
	    callers = {}
	    for _ in range(rnd.randrange(1, 9)):
	        calls = rnd.randrange(1, 5000)
	        own = rnd.random() / 64
	        callers[functions[int(rnd.random() ** 2 * count)]] = (
	            calls, calls, own, own * (1 + rnd.random()))
	    sums = [sum(column) for column in zip(*callers.values())]
	    stats[function] = (*sums, callers)
	marshal.dump(stats, open(sys.argv[1], 'wb'))
END
cat >"$scratch/report.py" <<-'END'
	import pstats, sys
	pstats.Stats(sys.argv[1]).sort_stats('tottime').print_stats(20)
END
cd "$scratch"
python3 dump.py large.prof
printf 'the dump has %s bytes\n' "$(wc -c <large.prof)"
# They say the same, or there is nothing to compare.
ours=$(git-perf show --json --nodecount=20 --nodefraction=0 large.prof |
	jq -r '.rows[].name')
theirs=$(python3 report.py large.prof |
	sed -n 's/.*(\(function_[0-9]*\))$/\1/p')
[ -n "$ours" ] && [ "$ours" = "$theirs" ] || {
	echo 'the 20 functions differ' >&2
	exit 1
}
head_row
runs=${BENCH_RUNS:-5}
compare 'report of a dump of 21.6 MB | pstats' '<= 0.08' \
	'git-perf show large.prof' 'python3 report.py large.prof'
memory 'the same, memory' '' git-perf show large.prof
memory 'pstats, memory' '' python3 report.py large.prof
