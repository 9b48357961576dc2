#!/bin/sh
# FORMAT.md is enough: a reader and a writer that were written from its text
# alone (tests/peer) agree with the program on every kind of body that it
# writes, keys and deltas of every table. PERF_FILES=all adds every file of
# tests/data's formats, else two of each, and changes every profile, else each
# second one.
. "$(dirname "$0")/../lib.sh"
need python3 same_profile jq
export PYTHONDONTWRITEBYTECODE=1

reads()
{
	exits 0 python3 "$root/tests/peer/second_reader.py" . "$scratch" "$@" &&
		sed 's/^/#   /' "$out"
}

# has TABLE LEAST: so many of the bodies that were read have it.
has()
{
	count=$(sed -n "s/^.*\<$1 \([0-9]*\).*/\1/p" "$out" | head -n 1)
	[ "${count:-0}" -ge "$2" ] || {
		echo "$1: ${count:-0}, expected at least $2" >&2
		return 1
	}
}

add()
{
	must git perf add "$@" 2>../chatter
}

# Whatever its own bytes are stored as, as a canonical body.
own()
{
	must git perf export --to=git-perf -o ../own.perf "$2"
	add -n "$1" ../own.perf
}
commit one

# 1. Every codec: what drops nothing is a canonical body, the rest becomes one.
for format in cachegrind callgrind chrome-trace criterion firefox go-text \
	gperftools-cpu gperftools-heap gprof heaptrack junit massif \
	perf-script stackprof; do
	ls "$root/tests/data/$format"/* |
		if [ "${PERF_FILES:-}" = all ]; then cat; else head -n 2; fi
done >../files
while read -r file; do
	add "$file"
	own "own $(basename "$file")" "$file"
done <../files

# 2. Stacks, values that are multiples of each other, and deltas in a chain.
for i in 1 2 3 4 5 6 7; do
	awk -v s=$i 'BEGIN { for (i = 0; i < 400; i++)
		printf "main;f%d;g%d %d\n", i % 7, i,
			(i * 7919 + s * 104729) % 1000 + 1 }' >../stacks.folded
	add -n stacks ../stacks.folded
	commit "stacks $i"
done

# The test can fail: a reader that passes over what is gone is noticed.
mkdir ../other
cp "$root"/tests/peer/*.py ../other
sed -i 's/view(1, t) + 1/view(1, t) + 2/' ../other/body_reader.py
check 'a reader that takes a factor for another is found out' \
	exits 1 python3 ../other/second_reader.py . "$scratch"
check 'the wrong reader is found by its samples' mentions out ': samples: read '

# 3. A graph with costs by line, and calls from inlined code, in three events.
for i in 1 2 3; do
	awk -v s=$i 'BEGIN {
		print "# callgrind format\nevents: Ir Dr Dw"
		for (i = 1; i <= 150; i++) {
			printf "\nfl=(%d) dir/file%d.c\nfn=(%d) f%d\n", i, i,
				i, i
			for (k = 0; k < 3; k++)
				printf "%d %d %d %d\n", 10 + k, i * s + k, i,
					(i * k) % 5
			if (i == 150) continue
			if (i % 5 == 0) print "fi=(999) inlined.h"
			printf "cfi=(%d) dir/file%d.c\ncfn=(%d) f%d\n", i + 1,
				i + 1, i + 1, i + 1
			printf "calls=%d 10\n14 %d %d %d\n", i % 9 + 1,
				i * 100 * s, i * 10, i
		} }' >../graph.callgrind
	own graph ../graph.callgrind
	commit "graph $i"
done

# 4. Python's own dumps, which have times as doubles.
cat >../calls.py <<'END'
import cProfile
import sys

for i in range(120):
    exec("def f%d(n):\n    return n and f%d(n - 1) + 1" % (i, i * 7 % 120))
profile = cProfile.Profile()
for i in range(120):
    profile.runcall(globals()["f%d" % i], int(sys.argv[1]) + i % 3)
profile.dump_stats(sys.argv[2])
END
for i in 2 3 4; do
	must python3 ../calls.py $i ../calls.prof
	add -n calls ../calls.prof
	commit "calls $i"
done

# 5. Labels of all kinds, values that are absent, and doubles.
for i in 1 2 3; do
	awk -v s=$i 'BEGIN {
		printf "{\"header\": {\"type\": \"mixed\", \"cmd\": \"p\", "
		printf "\"units\": {\"mixed(time)\": \"us\"}}, "
		printf "\"collector_info\": {\"name\": \"c\", \"params\": "
		printf "{\"a\": [1, 2.5]}}, \"note\": {\"x\": 1}, "
		printf "\"global\": {\"resources\": ["
		for (i = 0; i < 90; i++) {
			if (i) printf ","
			printf "{\"amount\": %.2f, \"uid\": \"f%d\", ",
				(i * 37 % 101) / 4 + s, i % 30
			printf "\"type\": \"mixed\", \"subtype\": \"time\", "
			if (i % 2) printf "\"exclusive\": %d, ", i * s
			printf "\"size\": %d, \"share\": %d.5, \"where\": ",
				i, i % 8
			printf "{\"file\": \"a%d.c\", \"line\": %d}, ", i % 4, i
			printf "\"thread\": \"t%d\"}", i % 3
		}
		print "]}}" }' >../mixed.perf
	own mixed ../mixed.perf
	commit "mixed $i"
done

for i in 1 2 3; do
	printf '{"cpu_time": %d.5, "sample_number": 1%d, "thread_times": [
		{"id": 0, "time": %d}, {"id": 3, "time": 0.25}],
		"total_time": %d.25, "nodes": [{"id": false, "src": false,
		"self": 0, "total": %d.25, "thread_ids": [0, 3]}]}\n' \
		$i $i $i $i $i >../racket.json
	add -n racket --format=racket ../racket.json
	commit "racket $i"
done

# Lines of functions beside the samples.
for i in 1 2 3; do
	jq -n --argjson s $i '{nodes: ([{id: 1, callFrame: {functionName: "(root)"},
		hitCount: 0, children: [range(2; 62)]}] + [range(2; 62) | {id: .,
		callFrame: {functionName: "f\(.)", url: "w.js", lineNumber: .,
		columnNumber: 0}, hitCount: (. % 5 + 2 + $s), positionTicks: [
		{line: (. + 3), ticks: 1}, {line: (. + 4), ticks: $s}]}])}' \
		>../lines.cpuprofile
	own lines ../lines.cpuprofile
	commit "lines $i"
done

# 6. Models, and the postprocessor that made them.
jq .profile "$root/tests/data/models/expected.json" >../points.perf
must git perf model -O models=linear,constant ../points.perf >../table \
	2>../chatter
add -n models 0@p
add -n models ../points.perf

# 7. Figures only, in the line and, where they are many, in a body.
for n in 5 40; do
	jq -n --argjson n $n '{results: [range(0; 3) | {command: "c\(.)",
		times: [range(0; $n) | . * 0.125 + 1], mean: 1, min: 1,
		max: 2, user: 1, system: 0}]}' >../runs$n.json
	own "runs $n" ../runs$n.json
done
add -n told -l where=here ../stacks.folded

check 'the second reader agrees with the program' reads --least 8
for table in samples:25 labels:8 nodes:8 edges:8 sites:3 costs:6 curves:2 events:3 threads:3 facts:3 ticks:3 metrics:1 models:1 \
	posts:1 extras:3 comments:1 verbatim:15; do
	check "bodies with $table are among those that are read" \
		has ${table%:*} ${table#*:}
done

# 8. Changed profiles.
check 'the second reader reads its own changes as deltas' \
	reads --change "$([ "${PERF_FILES:-}" = all ] && echo 1 || echo 2)" --least 25
check 'chains are among the changed profiles' has depth 4
for table in samples nodes edges costs; do
	check "deltas of $table are among the changed profiles" has $table-delta 4
done

# 9. Lines at the edges of the grammar: the same ones are records.
must git init -q -b main ../odd-lines
cd ../odd-lines || exit 1
commit odd
must python3 "$root/tests/peer/odd_lines.py" "$(git rev-parse HEAD)" \
	"$(git rev-parse 'HEAD^{tree}')" >../odd
must git notes --ref=perf add -F ../odd
check 'the second reader takes the same lines for records' reads
check 'some of the odd lines are records' is "$(git perf log --json -n1 |
	jq '.commits[0].profiles | length > 30 and length < 60')" true

# 10. What 0.1.0 wrote stays readable, and is built on.
must git clone -q "$root/tests/data/notes/0.1.0.bundle" ../old 2>../chatter
cd ../old || exit 1
must git fetch -q origin refs/notes/perf:refs/notes/perf
check 'fsck finds no fault in what 0.1.0 wrote' exits 0 git perf fsck
check 'fsck counts the records that 0.1.0 wrote' mentions out \
	'^10 commits, 21 profiles, 20 bodies: 0 problems'
check 'the second reader agrees on what 0.1.0 wrote' reads --least 7
awk 'BEGIN { for (i = 0; i < 120; i++)
	printf "main;f%d;g%d %d\n", i % 7, i, (i % 3 ? 1 : 7) * i + 1 }' \
	>../stacks.folded
must git checkout -q origin/main~4
commit seventh
add -n stacks ../stacks.folded
base=$(git notes --ref=perf show | sed -n 's/.* base=\([0-9a-f]*\) .*/\1/p')
check 'a body builds on one of 0.1.0' exits 0 sh -c \
	"[ '$base' ] && git ls-tree -r FETCH_HEAD objects | grep -q ' $base'"
check 'the repository of 0.1.0 and today is read as one' reads --least 8
