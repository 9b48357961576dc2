#!/bin/sh
# Collectors that drive something else: what they count, what they refuse,
# what they leave.
. "$(dirname "$0")/lib.sh"
need jq
# The values of a metric; ":u" says that the kernel's part may not be counted.
value()
{
	jq -r ".profiles[0].metrics[] | select(.name | sub(\":u$\"; \"\") == \"$1\") |
		.values[]" "$out"
}
mkdir ../tmp ../bin
ln -s "$(command -v git)" ../bin/git
TMPDIR=$scratch/tmp
export TMPDIR

# command: by {output}, by standard output, by a file of a fixed name.
collect='git perf collect -c command'
check 'takes what a command writes to {output}' exits 0 $collect --json -- \
	sh -c 'echo "main;f 3" >"$1"; echo noise' sh '{output}'
check 'as weights' json '.profiles[0].top | [.total, .rows[0].name]' '[3,"f"]'
check 'with the metrics of the run behind the total' json \
	'.profiles[0].metrics | map(.name)' \
	'["samples","wall","user","sys","max-rss"]'
check 'and the command as it was given' json '.profiles[0] | [.cmd, .args]' \
	"[\"sh\",\"-c 'echo \\\"main;f 3\\\" >\\\"\$1\\\"; echo noise' sh '{output}'\"]"
check 'in a line of a shell, too' exits 0 $collect --json --shell \
	'echo "main;f 4" >{output}'
check 'likewise' json '.profiles[0].top.total' 4
check 'takes standard output' exits 0 $collect --json -O stdout \
	-O format=collapsed echo 'main;f 5'
check 'as the profile' json '.profiles[0].top.total' 5
check 'but not twice' exits 128 $collect -O stdout --stdout=inherit true
check 'and says so' mentions err "option 'stdout' takes the standard output"
echo 'stale 1' >left.folded
check 'takes a file that it knows by name' exits 0 $collect --json -w 1 \
	-O output=left.folded -- sh -c 'echo "main;f 6" >>left.folded'
check 'as this run left it' json '.profiles[0].top.total' 6
check 'and away' not test -e left.folded
check 'takes the one file of a folder' exits 0 $collect --json -- \
	sh -c 'mkdir "$1" && echo "main;f 7" >"$1/x"' sh '{output}'
check 'that one' json '.profiles[0].top.total' 7
check 'refuses two' exits 128 $collect -- \
	sh -c 'mkdir "$1" && touch "$1/x" "$1/y"' sh '{output}'
check 'and counts them' mentions err 'the command left 2 files in the folder'
check 'needs to know where the profile is' exits 128 $collect true
check 'and says how' mentions err \
	'need one of \{output\} in the command, -O stdout, and -O output=<file>$'
check 'refuses a run that leaves nothing' exits 128 $collect true '{output}'
check 'and says so' says err \
	"fatal: collector 'command': 'true' left no profile"
check 'refuses what is no profile' exits 128 $collect -O format=pprof -- \
	sh -c 'echo x >"$1"' sh '{output}'
check 'keeps the last of several runs' exits 0 $collect -r 3 --json -- sh -c \
	'echo "main;f $GIT_PERF_ITERATION" >"$1"' sh '{output}'
check 'with the times of all' json \
	'.profiles[0] | [.top.total, (.metrics[] | select(.name == "wall").n)]' \
	'[2,3]'
check 'shows the heaviest functions' exits 0 $collect -- \
	sh -c 'echo "main;f 3" >"$1"' sh '{output}'
check 'and the time of the run' mentions out '^  Time: '
check 'in the view of show' mentions out '^ +3 +100% +100% +3 +100% +f$'
check 'no temporary file is left' is "$(ls "$TMPDIR")" ''

# counters: a block of 64 MB is 16384 pages of 4 kB or 32 huge ones.
if git perf collect -c counters -r 1 -O events=page-faults true >../said 2>&1; then
	check 'counts in the kernel' exits 0 git perf collect -c counters -r 2 \
		--json -O events=page-faults,minor-faults,major-faults,task-clock \
		-- dd if=/dev/zero of=/dev/null bs=67108864 count=1
	check 'the faults of the command, in every run' test \
		"$(value page-faults | sort -n | head -n 1)" -ge 32
	value page-faults >../all
	value minor-faults >../minor
	value major-faults >../major
	check 'of which some read the disk, all others do not' is \
		"$(paste ../minor ../major | awk '{ print $1 + $2 }')" \
		"$(cat ../all)"
	check 'and its time' test \
		"$(value task-clock | sort -n | head -n 1)" -gt 0
	check 'in every run' json \
		'[.profiles[0].metrics[].n] | unique' '[2]'
	check 'counts the children' exits 0 git perf collect -c counters -r 1 \
		--json -O events=page-faults -- sh -c \
		'dd if=/dev/zero of=/dev/null bs=67108864 count=1; :'
	check 'and theirs' test "$(value page-faults)" -ge 32
else
	check 'says why it cannot count' grep -Eq \
		'not permitted|no perf_event_open' ../said
fi
check 'refuses an event that is none' exits 128 git perf collect -c counters \
	-O events=task-clock,none true
check 'and lists those that are' mentions err \
	"^fatal: collector 'counters': no event 'none'; there are: instructions"
git perf collect -c counters -r 1 -O events=cycles true 2>../said ||
	check 'says what the machine does not count' grep -Eq \
		"not count 'cycles'|not permitted|no perf_event_open" ../said

# perf: a program that does one thing is seen doing it.
check 'refuses what perf does not know' exits 128 \
	git perf collect -c perf -O call-graph=x true
check 'and says what there is' says err \
	"fatal: collector 'perf': no call-graph 'x', there are fp, dwarf, lbr, none"
check 'says that perf is missing' exits 128 env PATH="$scratch/bin" \
	"$(command -v git-perf)" collect -c perf /bin/true
check 'by name' mentions err \
	"^fatal: collector 'perf': cannot run 'perf': command not found"
if perf record -q -o ../probe -- true 2>../said; then
	check 'samples with perf' exits 0 git perf collect -c perf --json -- \
		sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
	check 'the command' json '.profiles[0].top | .total > 0' true
	# perf itself may take ten times as long as the command
	check 'without what the run took' json \
		'.profiles[0].metrics | map(.name) |
			map(select(IN("wall", "user", "sys", "max-rss")))' '[]'
else
	check 'says why perf cannot record' exits 128 \
		git perf collect -c perf true
	check 'in a line' mentions err \
		"^fatal: collector 'perf': (perf cannot record here|cannot run)"
fi

# callgrind and cachegrind: 1000 calls are 1000 calls, and nothing is noise.
need valgrind "${CC:-cc}"
cat >prog.c <<'END'
static int __attribute__((noinline)) once(int i) { return i ^ 5; }
int main(void)
{
	volatile int sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += once(i);
	return 0;
}
END
must ${CC:-cc} -O1 -g -o prog prog.c
for tool in callgrind cachegrind; do
	check "$tool counts instructions" exits 0 git perf collect -c $tool \
		--json ./prog
	first=$(value Ir)
	check 'all of them' test "${first:-0}" -gt 5000
	check 'as the only metric' json '.profiles[0].metrics | map(.name)' \
		'["Ir"]'
	check 'and again' exits 0 git perf collect -c $tool --json ./prog
	check 'the same' is "$(value Ir)" "$first"
	check 'by a shell as well' exits 0 git perf collect -c $tool --json \
		--shell ': && ./prog'
	check 'that of the program' json '.profiles[0].collector' "\"$tool\""
done
# The folder of the command may be anybody's.
echo '--callgrind:instr-atstart=no --cachegrind:branch-sim=yes' >.valgrindrc
for tool in callgrind cachegrind; do
	check "$tool without what a .valgrindrc says" exits 0 env \
		VALGRIND_OPTS='--instr-atstart=no --branch-sim=yes' \
		git perf collect -c $tool --json ./prog
	check 'counts all' test "$(value Ir)" -gt 5000
	check 'and nothing else' json '.profiles[0].metrics | map(.name)' \
		'["Ir"]'
done
rm .valgrindrc
check 'knows the calls' exits 0 git perf collect -c callgrind \
	-O toggle=once ./prog
check 'each of them' exits 0 git perf show --json 0@p
check 'exactly' json '[.rows[] | select(.name == "once").calls]' '[1000]'
check 'refuses options of another' exits 128 git perf collect -c cachegrind \
	-O toggle=once ./prog
check 'a program that is not there is refused' exits 128 \
	git perf collect -c callgrind ./none
