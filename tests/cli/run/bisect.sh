#!/bin/sh
# git perf bisect: which commit it finds, what it runs for that, and what
# becomes of it when it is killed.
. "$(dirname "$0")/../lib.sh"
need jq cc valgrind

# Calls of work(), and by whom: a step of the metric is another number. The
# first two lines are what commits change.
program()
{
	cat >"$1" <<END
#define CALLS $2
#define LOOPS $3
#define NOINLINE __attribute__((noinline))
volatile int sum;
NOINLINE void $4(void) { int i; for (i = 0; i < LOOPS; i++) sum += i; }
NOINLINE void first(void) { int i; for (i = 0; i < CALLS; i++) $4(); }
NOINLINE void other(void) { int i; for (i = 0; i < 100; i++) $4(); }
int main(void) { ${5:-first(); other();} return 0; }
END
}
cat >"$scratch/job" <<'END'
[job "calls"]
	build = "echo $GIT_PERF_COMMIT built >>$LOG; cc -g -O1 -o calls calls.c"
	cmd = ./calls
	workload = twice
	collector = callgrind
[job "size"]
	build = "cc -g -O1 -o calls calls.c"
	cmd = ./calls
	collector = time
END
LOG=$scratch/log
export LOG
: >"$LOG"
echo calls >.gitignore
must git add .gitignore
commit_program()
{
	program calls.c "$@"
	must git add calls.c
	commit "$*"
}
document()
{
	echo "$1" >"$1.md"
	must git add "$1.md"
	commit "$1"
}
commit_program 1000 100 work
good=$(git rev-parse HEAD)
document one
document two
commit_program 3000 100 work
culprit=$(git rev-parse HEAD)
document three
echo 'int also;' >also.c
must git add also.c
commit also
bad=$(git rev-parse HEAD)
bisect()
{
	git perf bisect --config="$scratch/job" "$@"
}

check 'a bisection finds the commit' exits 0 bisect "$good" "$bad" calls
check 'a bisection names the commit with its subject' \
	mentions out "^$(echo "$culprit" | cut -c 1-10) 3000 100 work\$"
check 'a bisection says by how much the metric changed' mentions out '^Ir of calls/callgrind@twice 2\.[0-9]+ x: .* \(2 and 2 runs\)'
check 'a bisection says which function explains the change' \
	mentions out '^why: work \+.* M, called 2\.8 x as often, 2,000 more from first; '
check 'a bisection says how far it is after each run' mentions err \
	'^[0-9a-f]{10} [0-9.,]+( M)?; .* 1 build, '
# The two ends, the culprit, which touches the program, and what is before it.
check 'four builds are enough for six commits' is "$(wc -l <"$LOG")" 4
check 'the runs of a bisection are stored' is "$(git perf log --json |
	jq '[.commits[].profiles[]] | length')" 4
check 'a bisection leaves no worktree' is "$(git worktree list | wc -l)" 1
check 'a bisection that has ended is forgotten' test ! -e .git/perf/bisect

check 'a second bisection runs nothing' exits 0 bisect --json "$good" "$bad" \
	calls
check 'the second bisection has the runs of the first' json '[.runs, .builds, .stored_runs]' \
	'[0,0,4]'
check 'the answer of the second bisection is the same' json '[.state, .commit, .candidates]' \
	"[\"found\",\"$culprit\",[\"$culprit\"]]"
# 100 more calls by other(): 1100, then 3100 calls.
check 'calls and cost of a call are told apart' json '.why.rows[0] |
	[.function, .state, .old_calls, .new_calls, .cause, .caller,
	.caller_old_calls, .caller_new_calls]' \
	'["work","changed",1100,3100,"calls","first",1000,3000]'
check 'documents weigh less' json '[.commits[].weight < 1]' \
	'[false,true,true,false,true,false]'
check 'a bisection that runs nothing says what it found' exits 0 bisect "$good" "$bad" calls
check 'no time is told where nothing was run' mentions out '; 0 runs, 0 builds; 4 runs of before$'

# What does not differ, and what cannot be asked.
check 'ends that do not differ are refused' exits 125 \
	bisect "$good" "$(git rev-parse "$good~0" "$culprit~1" | sed -n 2p)" calls
check 'ends that do not differ are told' mentions out \
	'^no change of Ir of calls/callgrind@twice is seen between '
check 'one end is not enough' exits 129 bisect "$good"
check 'the same end twice is refused' exits 128 bisect "$good" "$good" calls
check 'the error says that both ends are one' says err "fatal: both ends are \
$(echo "$good" | cut -c 1-10): need two commits"
check 'ends the wrong way round are refused' exits 128 \
	bisect "$bad" "$good" calls
check 'the right way round is told' mentions err 'the good commit stands first$'
check 'one of several jobs has to be named' exits 128 bisect "$good" "$bad"
check 'several jobs are listed' mentions err \
	'^fatal: there are [0-9] jobs, name one: calls/callgrind, size/time'
check 'an unknown job is refused' exits 128 bisect "$good" "$bad" nothing
check 'of an unknown job the known ones are listed' mentions err \
	"^fatal: no job 'nothing', there are: calls/callgrind, "
check 'a job may be named by an option, and not by one that is none' \
	exits 128 bisect --job=calls/time "$good" "$bad"
check 'a job by an option is refused as one behind the commits' mentions err \
	"^fatal: no job 'calls/time', there are: calls/callgrind, "
check 'an unknown metric is refused' exits 128 \
	bisect --metric=none "$good" "$bad" calls
check 'an unknown metric is named' says err "fatal: job 'calls' has no metric 'none'"
must git perf bisect --abort
check 'without arguments there is nothing to go on with' exits 128 \
	git perf bisect
check 'a bisection that was not begun is said to be none' says err \
	'fatal: no bisection was begun: need a good and a bad commit'

# What does not build, inside of a merge.
must git checkout -q -b side
document side
echo 'int main(' >calls.c
must git add calls.c
commit 'broken'
commit_program 3000 400 work
inside=$(git rev-parse HEAD)
document 'side two'
must git checkout -q main
document main
must git merge -q --no-ff -m merged side
merge=$(git rev-parse HEAD)
document last
check 'of a merge the commit inside is found' exits 0 \
	bisect --json "$bad" HEAD calls
check 'the commit inside comes with what cannot be told from it' json \
	'[.commit, .merge, .candidates[-1], (.candidates | length)]' \
	"[\"$inside\",\"$merge\",\"$inside\",2]"
check 'a commit that does not build is skipped' json \
	'[.commits[] | select(.state == "skipped") | .subject]' '["broken"]'
check 'a call that costs more is told from more calls' json '.why.rows[0] | [.function, .cause]' \
	'["work","cost"]'

# Limits, and who is killed goes on.
commit_program 100 400 work
for n in 1 2 3 4 5 6 7 8; do
	echo "int v$n;" >>also.c
	must git add also.c
	commit "v$n"
done
from=$(git rev-parse HEAD~9)
check 'a limit of runs ends without an answer' exits 125 \
	bisect --max-runs=1 "$from" HEAD calls
check 'a limited bisection says how far it came' mentions out '^not decided: likeliest '
check 'a limited bisection is kept' test -s .git/perf/bisect
check 'a limited bisection can be allowed more' exits 125 git perf bisect --max-runs=2
check 'a limited bisection goes on from where it was' mentions out '^2 runs of 2, 2 builds, '
: >"$LOG"
git-perf bisect --config="$scratch/job" --max-runs=90 "$from" HEAD calls \
	>"$scratch/killed" 2>&1 &
pid=$!
until [ -s "$LOG" ] || ! kill -0 "$pid" 2>/dev/null; do :; done
check 'a second bisection beside one that runs is refused' exits 128 \
	git perf bisect
check 'a second bisection says why it is refused' says err "fatal: another \
'git perf bisect' runs in this repository: wait until it has ended"
check 'a bisection that runs is not forgotten' exits 128 \
	git perf bisect --abort
kill -9 "$pid" 2>/dev/null
wait "$pid" 2>/dev/null
check 'a killed bisection goes on' exits 0 bisect "$from" HEAD calls
check 'a killed bisection finds the commit' mentions out '^[0-9a-f]{10} 100 400 work$'
# A worktree is in use as long as something lives that a killed run started.
tries=0
until [ "$(git worktree list | wc -l)" = 1 ] || [ $((tries += 1)) -gt 600 ]; do
	sleep 0.1
	git perf recover 2>"$err"
done
check 'a killed bisection leaves no worktree in the end' is "$(git worktree list | wc -l)" 1

# Who goes on runs the file that was named and no other, from wherever.
cp "$scratch/job" j.cfg
mkdir sub
sed "s|build = \"cc|build = \"touch $scratch/other; cc|" j.cfg >sub/j.cfg
check 'a bisection of a relative job file begins' exits 125 \
	git perf bisect --config=j.cfg --max-runs=1 "$from" HEAD size
cd sub || exit 1
check 'a bisection goes on where another file has that name' exits 125 \
	git perf bisect --max-runs=2
check 'a bisection made its run in another folder' mentions out '^2 runs of 2, '
check 'a file that nobody named runs nothing' not test -e "$scratch/other"
check 'a bisection goes on with no other job file' exits 128 \
	git perf bisect --config=j.cfg --max-runs=3
check 'the other job file is told from the one of the beginning' says err \
	"fatal: the bisection was begun with '${PWD%/sub}/j.cfg', not '$PWD/j.cfg': name \
the commits to begin another"
cd .. || exit 1
cp sub/j.cfg j.cfg
check 'a job file that has changed is refused' exits 128 \
	git perf bisect --max-runs=3
check 'a job file that has changed is told' says err "fatal: '$PWD/j.cfg' has \
changed since the bisection was begun: look at it and name it with the commits"
check 'a job file that has changed runs nothing' not test -e "$scratch/other"
check 'a changed job file that is named again is run' exits 125 \
	git perf bisect --config=j.cfg --max-runs=3 "$from" HEAD size
check 'the build of the changed job file was run' test -e "$scratch/other"
must git perf bisect --abort

# Calls 1,100, 1,300, 800, 1,200 and 1,400 with those of other(): each step of
# their ratios is smaller than that down from 1,300 to 800, whatever all else
# costs; there is none that falls between the ends.
commit_program 1000 100 work
from=$(git rev-parse HEAD)
commit_program 1200 100 work
commit_program 700 100 work
down=$(git rev-parse HEAD)
commit_program 1100 100 work
commit_program 1300 100 work
must git perf run --config="$scratch/job" --job=calls "$from^..HEAD"
check 'of several changes that were measured one is found' exits 0 \
	bisect "$from" HEAD calls
check 'of several changes it is the largest' mentions out \
	"^$(echo "$down" | cut -c 1-10) 700 100 work\$"
check 'the answer says how many changes there are' mentions out \
	"^the runs show 4 changes: this is the largest, between "
check 'no run was needed for what was measured' mentions out \
	'; 0 runs, 0 builds; 5 runs of before$'

# An answer that nobody got is no end.
check 'an answer that cannot be written is an error' exits 128 \
	bisect -o "$scratch/none/answer" "$good" "$bad" calls
check 'the answer that could not be written is told in one line' says err \
	"fatal: cannot write '$scratch/none/answer': No such file or directory"
check 'a bisection whose answer was not written is kept' \
	test -s .git/perf/bisect
check 'a bisection whose answer was not written gives it again' \
	exits 0 git perf bisect -o "$scratch/answer"
check 'the answer that is given again is whole' grep -q \
	"^$(echo "$culprit" | cut -c 1-10) 3000 100 work\$" "$scratch/answer"
check 'a bisection whose answer was written has ended' \
	test ! -e .git/perf/bisect
