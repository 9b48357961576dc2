#!/bin/sh
# Collectors that drive something else: what they count, what they refuse,
# what they leave.
. "$(dirname "$0")/../lib.sh"
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
check 'collector command takes what a command writes to {output}' \
	exits 0 $collect --json -- \
	sh -c 'echo "main;f 3" >"$1"; echo noise' sh '{output}'
check 'the file of {output} becomes weights' \
	json '.profiles[0].top | [.total, .rows[0].name]' '[3,"f"]'
check 'metrics of the run stand behind the total' json \
	'.profiles[0].metrics | map(.name)' \
	'["samples","wall","user","sys","max-rss"]'
check 'the profile has the command with {output} as it was given' \
	json '.profiles[0] | [.cmd, .args]' \
	"[\"sh\",\"-c 'echo \\\"main;f 3\\\" >\\\"\$1\\\"; echo noise' sh '{output}'\"]"
check '{output} works in a line of a shell' exits 0 $collect --json --shell \
	'echo "main;f 4" >{output}'
check 'the file of a shell line becomes weights' json '.profiles[0].top.total' 4
check '-O stdout takes standard output as the profile' \
	exits 0 $collect --json -O stdout \
	-O format=collapsed echo 'main;f 5'
check 'the weights of standard output are read' json '.profiles[0].top.total' 5
check '-O stdout and --stdout together are refused' \
	exits 128 $collect -O stdout --stdout=inherit true
check 'the refusal says that standard output is taken twice' \
	mentions err "option 'stdout' takes the standard output"
echo 'stale 1' >left.folded
check '-O output takes a file by its name' exits 0 $collect --json -w 1 \
	-O output=left.folded -- sh -c 'echo "main;f 6" >>left.folded'
check 'the file of -O output is that of the measured run' \
	json '.profiles[0].top.total' 6
check 'the file of -O output is removed afterwards' not test -e left.folded
check '{output} may become a folder with one file' exits 0 $collect --json -- \
	sh -c 'mkdir "$1" && echo "main;f 7" >"$1/x"' sh '{output}'
check 'the one file of the folder becomes weights' \
	json '.profiles[0].top.total' 7
check 'a folder with two files is refused' exits 128 $collect -- \
	sh -c 'mkdir "$1" && touch "$1/x" "$1/y"' sh '{output}'
check 'the refusal counts the files of the folder' \
	mentions err 'the command left 2 files in the folder'
check 'collector command needs to know where the profile is' \
	exits 128 $collect true
check 'the error says how to name the profile' mentions err \
	'need one of \{output\} in the command, -O stdout, and -O output=<file>$'
check 'a run that leaves no profile is refused' \
	exits 128 $collect true '{output}'
check 'the refusal says that the command left no profile' says err \
	"fatal: collector 'command': 'true' left no profile"
check 'a file that is no profile is refused' \
	exits 128 $collect -O format=pprof -- \
	sh -c 'echo x >"$1"' sh '{output}'
check 'several runs with {output} are made' \
	exits 0 $collect -r 3 --json -- sh -c \
	'echo "main;f $GIT_PERF_ITERATION" >"$1"' sh '{output}'
# The runs left 0, 1 and 2 samples of f.
check 'several runs have the weights of one and the times of all' json \
	'.profiles[0] | [.top.total, .top.runs, .top.rows[0].self_by_run,
		(.metrics[] | select(.name == "wall").n)]' \
	'[1,3,[0,1,2],3]'
check 'collect shows the heaviest functions' exits 0 $collect -- \
	sh -c 'echo "main;f 3" >"$1"' sh '{output}'
check 'collect shows the time of the run beside the functions' \
	mentions out '^  Time: '
check 'collect shows functions as view top does' \
	mentions out '^ +3 +100% +100% +3 +100% +f$'
check 'collector command leaves no temporary file' is "$(ls "$TMPDIR")" ''

# counters: a block of 64 MB is 16384 pages of 4 kB or 32 huge ones.
if git perf collect -c counters -r 1 -O events=page-faults true >../said 2>&1; then
	check 'collector counters counts in the kernel' \
		exits 0 git perf collect -c counters -r 2 \
		--json -O events=page-faults,minor-faults,major-faults,task-clock \
		-- dd if=/dev/zero of=/dev/null bs=67108864 count=1
	check 'counters have the faults of the command in every run' test \
		"$(value page-faults | sort -n | head -n 1)" -ge 32
	value page-faults >../all
	value minor-faults >../minor
	value major-faults >../major
	check 'faults that read the disk are counted apart from the others' is \
		"$(paste ../minor ../major | awk '{ print $1 + $2 }')" \
		"$(cat ../all)"
	check 'task-clock is counted' test \
		"$(value task-clock | sort -n | head -n 1)" -gt 0
	check 'counters have a value for every run' json \
		'[.profiles[0].metrics[].n] | unique' '[2]'
	check 'counters count children' \
		exits 0 git perf collect -c counters -r 1 \
		--json -O events=page-faults -- sh -c \
		'dd if=/dev/zero of=/dev/null bs=67108864 count=1; :'
	check 'counters have the faults of children' \
		test "$(value page-faults)" -ge 32
else
	check 'a machine that cannot count is told with the reason' grep -Eq \
		'not permitted|no perf_event_open' ../said
fi
check 'an unknown event is refused' exits 128 git perf collect -c counters \
	-O events=task-clock,none true
check 'the refusal lists the events there are' mentions err \
	"^fatal: collector 'counters': no event 'none'; there are: instructions"
git perf collect -c counters -r 1 -O events=cycles true 2>../said ||
	check 'an event that the machine lacks is told' grep -Eq \
		"not count 'cycles'|not permitted|no perf_event_open" ../said

# perf: a program that does one thing is seen doing it.
check 'a call-graph mode that perf lacks is refused' exits 128 \
	git perf collect -c perf -O call-graph=x true
check 'the refusal lists the call-graph modes' says err \
	"fatal: collector 'perf': no call-graph 'x', there are fp, dwarf, lbr, none"
check 'a missing perf is fatal' exits 128 env PATH="$scratch/bin" \
	"$(command -v git-perf)" collect -c perf /bin/true
check 'a missing perf is named' mentions err \
	"^fatal: collector 'perf': cannot run 'perf': command not found"
if perf record -q -N -o ../probe -- true 2>../said; then
	check 'collector perf samples a command' \
		exits 0 git perf collect -c perf --json -- \
		sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
	check 'collector perf leaves nothing in the home folder' \
		not test -e "$HOME/.debug"
	check 'collector perf gives weights' \
		json '.profiles[0].top | .total > 0' true
	# perf itself may take ten times as long as the command
	check 'collector perf leaves out times of the run' json \
		'.profiles[0].metrics | map(.name) |
			map(select(IN("wall", "user", "sys", "max-rss")))' '[]'
	# a hertz is a second, and few machines take that long for nothing
	check 'a command without a sample is refused' exits 128 \
		git perf collect -c perf -O frequency=1 true
	check 'a command without a sample is told how to get one' says err "fatal: no sample was taken of \
'true': it computed for less than one tick of 1 Hz; a higher one would see more (-O frequency=<hz>)"
else
	check 'a perf that cannot record is fatal' exits 128 \
		git perf collect -c perf true
	check 'the reason why perf cannot record is one line' mentions err \
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
	check "$tool counts the instructions of the whole program" \
		test "${first:-0}" -gt 5000
	check "Ir is the only metric of $tool" \
		json '.profiles[0].metrics | map(.name)' \
		'["Ir"]'
	check "$tool measures the same program once more" \
		exits 0 git perf collect -c $tool --json ./prog
	check "$tool counts the same in both measurements" \
		is "$(value Ir)" "$first"
	check "$tool measures a line of a shell" \
		exits 0 git perf collect -c $tool --json \
		--shell ': && ./prog'
	check "the profile of a shell line names $tool" \
		json '.profiles[0].collector' "\"$tool\""
done
# The folder of the command may be anybody's.
echo '--callgrind:instr-atstart=no --cachegrind:branch-sim=yes' >.valgrindrc
for tool in callgrind cachegrind; do
	check "$tool takes no options from VALGRIND_OPTS" exits 0 env \
		VALGRIND_OPTS='--instr-atstart=no --branch-sim=yes' \
		git perf collect -c $tool --json ./prog
	check "$tool counts the whole program whatever VALGRIND_OPTS says" \
		test "$(value Ir)" -gt 5000
	check "Ir stays the only metric of $tool whatever VALGRIND_OPTS says" \
		json '.profiles[0].metrics | map(.name)' \
		'["Ir"]'
done
rm .valgrindrc
check 'callgrind takes -O toggle' exits 0 git perf collect -c callgrind \
	-O toggle=once ./prog
check 'show reads the toggled profile' exits 0 git perf show --json 0@p
check 'callgrind has the number of calls' \
	json '[.rows[] | select(.name == "once").calls]' '[1000]'
check 'an option of another collector is refused' \
	exits 129 git perf collect -c cachegrind \
	-O toggle=once ./prog
check 'callgrind of a program that is not there is refused' exits 128 \
	git perf collect -c callgrind ./none
