#!/bin/sh
# `git perf check --run`: two commits built and run in turns. What a run costs is
# what its commit says, by the collector `command`, so that each verdict follows
# from numbers written here.
. "$(dirname "$0")/../lib.sh"
need jq awk flock

# A run of a commit costs the next line of `costs` there, or the last one;
# "fail" is a run that fails. Which side ran is noted in $log.
log=$scratch/log
export log
cat >run.sh <<'END'
[ ! -e built ] && exit 9
echo "$(cat side)" >>"$log"
n=$(cat "count" 2>/dev/null || echo 0)
n=$((n + 1))
echo $n >count
cost=$(sed -n "${n}p" costs)
[ -n "$cost" ] || cost=$(tail -n 1 costs)
[ "$cost" != fail ] || exit 7
[ "$cost" != wait ] || { : >"$waiting"; exec sleep 60; }
echo "main $cost" >"$1"
END
cat >.gitperf <<'END'
[job "fake"]
	build = "sh build.sh"
	cmd = "sh run.sh {output}"
	collector = command
	option = format=collapsed
END
printf '%s\n' built count >.gitignore
echo ': >built' >build.sh

# side NAME COSTS...: a commit whose runs cost this; the first warms up.
side()
{
	echo "$1" >side
	name=$1
	shift
	printf '%s\n' "$@" >costs
	must git add -A
	commit "$name"
}

side base 1000
must git tag base
check 'a job file that nobody trusts is not run' \
	exits 128 git perf check --run base HEAD
check 'a job file that nobody trusts is named' mentions err "'.*\.gitperf' is not trusted"
must git perf trust
check 'the first commit has none before it' exits 128 git perf check --run
check 'a first commit without one before it is told what to name' \
	says err 'fatal: HEAD has no commit before it here: name the one to compare it with'

side slower 1050
must git tag slower
: >"$log"
# All pairs differ by the same: a sign is worth half as much each pair. Before 12
# pairs 1.8 * 2^(1-n) * 11 is .077 at 8 and .019 at 10, above .01; at 12 the
# ranks give 2 * 2^-12 * 11 = .0054.
check 'what is slower in each of 12 pairs is slower' \
	exits 1 git perf check --run
check 'what is slower is so by 5 %' says out \
	'  more by 5.0 % [+5.0, +5.0]'
check 'what judged and how many runs there were stand below' mentions out \
	'^  by samples, 24 runs, [0-9.]+ s$'
grep -v warm "$log" | tail -n +3 >"$scratch/runs"
check 'runs are in quads of ABBA or BAAB' test -z "$(paste -d ' ' - - - - \
	<"$scratch/runs" | grep -vx -e 'base slower slower base' \
	-e 'slower base base slower')"
check 'each side warms up once' is "$(wc -l <"$log")" 26
check 'no worktree is left' is "$(git worktree list | wc -l)" 1
check 'no folder of a worktree is left' is "$(ls .git/perf/worktrees | grep -v lock)" ''
check 'both commits have a record of the series that run stores' \
	exits 0 git perf run base slower
check 'run has nothing to do after a duel' mentions err \
	'nothing to do: all is measured at 2 commits'

# stored REV: the values of its record, one a line
stored()
{
	git notes --ref=perf show "$1" | sed -n 's/.* m=samples;[^ ;]*;[a-z-]*;[0-9]*;\([^ ]*\).*/\1/p' |
		tail -n 1 | tr , '\n'
}
stored base >"$scratch/a"
stored slower >"$scratch/b"
check 'what is stored are the runs of the pairs' is "$(wc -l <"$scratch/a")" 12
paste "$scratch/a" "$scratch/b" >"$scratch/pairs"
check 'the filter says the same of the stored numbers' \
	exits 0 git perf detect duel --tolerance=2% --margin=1% -o "$scratch/again" <"$scratch/pairs"
git perf detect duel --margin=1% <"$scratch/pairs" >"$out"
check 'the verdict on the stored numbers is the same to the last digit' says out "$(printf 'slower\t1.05\t1.05\t1.05\t12')"
check 'both records name the duel' is "$(for rev in base slower; do
	git notes --ref=perf show $rev | tr ' ' '\n' | grep '^l\.duel='
done | sort -u | wc -l)" 1
check 'a record names the other commit of its duel' is "$(git notes --ref=perf show base | tr ' ' '\n' |
	sed -n 's/^l.duel-head=//p')" "$(git rev-parse slower)"

check 'a duel as JSON ends with the same status' \
	exits 1 git perf check --run --json base slower
check 'the JSON of a duel has result and pairs' json \
	'[.result, .verdicts[0].verdict, .verdicts[0].n, .verdicts[0].pairs[0]]' \
	'["fail","Degradation",[12,12],[1000,1050]]'
check 'commits the other way round are faster' \
	exits 0 git perf check --run slower base
check 'what is faster is so by 1 - 1/1.05' mentions out 'less by 4.8 %'
check 'a range compares its ends' exits 1 git perf check --run base..slower
check 'a commit with itself does not differ' \
	exits 0 git perf check --run slower slower
check 'a duel of equals ends after six pairs with the tolerance' mentions out \
	'no change larger than 2 %'
check 'six pairs are twelve runs' mentions out ' 12 runs, '
check 'what is within the margin is no change' \
	exits 0 git perf check --run --tolerance=10% --margin=6% base slower
check 'a margin above the tolerance is refused' \
	exits 128 git perf check --run --tolerance=1% --margin=2% base slower
check 'a margin above the tolerance is refused before anything is built' says err \
	'fatal: a margin has to be at least 0 and below the tolerance'
check 'a tolerance that is no share is refused' exits 128 git perf check --run --tolerance=x
check 'options of a duel need one' exits 129 git perf check --time=5
check 'three commits are too many' exits 129 git perf check --run a b c
check 'a job that is not there is named' \
	exits 128 git perf check --run --job=none base slower
check 'the jobs that there are stand beside one that is not' says err \
	"fatal: no job 'none', there are: fake"
check 'a metric that is not there is no verdict' \
	exits 125 git perf check --run --metric=none base slower
check 'the metrics that there are stand beside one that is not' mentions err \
	"no metric 'none', there are: samples"

echo changed >>run.sh
check 'a dirty tree is measured as committed' \
	exits 1 git perf check --run base
check 'changes of a dirty tree are said not to be measured' says err \
	'the work tree differs from HEAD: HEAD is measured as it was committed'
must git checkout -q run.sh

# 1000 to 1500 and back: no rule tells anything of six such pairs.
side noisy 1000 1000 1500 900 1400 1000 1450 1000
check 'noise over the budget is no verdict' \
	exits 125 git perf check --run --max-runs=12 base HEAD
check 'noise over the budget is told with what is known' mentions out 'cannot tell: [-+]'
check 'no verdict may be allowed' \
	exits 0 git perf check --run --max-runs=12 --allow-unknown base HEAD

# d is ln 10 or -ln 10 in turns: at six pairs its standard error is 2.302 *
# sqrt(6/5) / sqrt(6) = 1.03, and no t of 5 degrees at .003 is below 4: the ends
# are beyond e^4 times.
side wild 1000 10000 100 10000 100 10000 100
check 'a duel that tells nothing is no verdict' \
	exits 125 git perf check --run --max-runs=12 base HEAD
check 'what a duel that tells nothing leaves open is said in words' mentions out \
	'^  twice as much or half is possible, too'

# Its second run that counts fails: 11 pairs of 12 are whole, so that the look at
# 12 needs a 13th.
side once 1050 1050 fail 1050
check 'a run that fails takes its pair with it' \
	exits 1 git perf check --run base HEAD
check 'the run that failed is counted' mentions out \
	'  1 run of head failed, and its pairs do not count'
check 'a run that fails leaves 12 pairs at the head' is "$(stored HEAD | wc -l)" 12
check 'a run that fails leaves 12 pairs at the base' is "$(stored base | wc -l)" 12
git perf detect duel --margin=1% -o "$scratch/again" <<END
$(stored base >"$scratch/a"; stored HEAD | paste "$scratch/a" -)
END
check 'the pairs that are left replay to the same verdict' is "$(cut -f 1,5 "$scratch/again")" \
	"$(printf 'slower\t12')"
side often 1050 1050 fail 1050 fail 1050 fail 1050 fail
check 'a side that fails too often has no verdict' \
	exits 125 git perf check --run base HEAD
check 'a side that fails too often is named' mentions err '^error: head [0-9a-f]{10}: job .fake.: .sh. exited with status 7'
side never fail
must git tag never
check 'a side that never runs has no verdict' exits 125 git perf check --run base HEAD
check 'a side that never runs is told with its status' mentions out 'head fails: .sh. exited with status 7'

echo 'echo the compiler speaks; exit 3' >build.sh
side unbuilt 1000
check 'a side that does not build has no verdict' \
	exits 125 git perf check --run base HEAD
check 'one line says which and why' mentions err \
	"^error: head [0-9a-f]{10}: job 'fake': build 'sh build.sh' exited with status 3"
check 'what a build said stands below its failure' mentions err 'the compiler speaks'
check 'a base that does not build has no verdict' exits 125 git perf check --run HEAD base
check 'a base that does not build is named' mentions err '^error: base [0-9a-f]{10}: job'
must git checkout -q HEAD~1 -- build.sh

# Another run that measures is waited for.
waiting=$scratch/waiting
export waiting
flock -o .git/perf/measuring sh -c ': >"$waiting"; exec sleep 60' \
	>"$scratch/held" 2>&1 &
holder=$!
until [ -e "$waiting" ]; do sleep 0.1; done
: >"$err"
git-perf check --run base slower >"$out" 2>"$err" &
second=$!
until [ -s "$err" ]; do sleep 0.1; done
check 'another run of the repository is waited for' \
	says err 'waiting for another run of this repository to end'
kill $holder
wait $holder 2>/dev/null
got=0
wait $second || got=$?
check 'the duel that waited has its verdict in the end' is $got 1

side stays 1000 1000 wait
rm -f "$waiting"
git notes --ref=perf list >"$scratch/before"
git-perf check --run base HEAD >"$out" 2>"$err" &
run=$!
until [ -e "$waiting" ]; do sleep 0.1; done
kill -TERM $run
got=0
wait $run || got=$?
check 'a signal ends a duel' is $got 130
check 'the end by a signal is said' says err 'interrupted: nothing is kept'
check 'a signal leaves no folder' is "$(ls .git/perf/worktrees | grep -v lock)" ''
rm -f "$waiting"
git-perf check --run base HEAD >"$out" 2>"$err" &
run=$!
until [ -e "$waiting" ]; do sleep 0.1; done
kill -KILL $run
wait $run 2>/dev/null
git notes --ref=perf list >"$scratch/after"
check 'a duel that is killed stores nothing' same "$scratch/before" "$scratch/after"
check 'a duel after a killed one has its verdict' exits 1 git perf check --run base slower
# A worktree is in use as long as something lives that a killed duel started.
tries=0
until [ -z "$(ls .git/perf/worktrees | grep -v lock)" ] ||
	[ $((tries += 1)) -gt 600 ]; do
	sleep 0.1
	git perf recover 2>"$err"
done
check 'the duel after a killed one removes what that left' \
	is "$(ls .git/perf/worktrees | grep -v lock)" ''

# Two jobs are judged together, and share one budget.
cat >>.gitperf <<'END'
[job "other"]
	build = "sh build.sh"
	cmd = "echo 'main 10' >$1"
	shell = true
	collector = command
	option = format=collapsed
[job "where"]
	cmd = true
	collector = sample
END
sed -i 's/>\$1/>{output}/' .gitperf
must git perf trust
check 'one of several jobs is slower' exits 1 git perf check --run --json base slower
check 'each job has its own verdict, what cannot be told apart is left out' json \
	'[.duels[] | [.job, .state, .verdict]]' \
	'[["fake","done","Degradation"],["other","done","NoChange"],["where","left out","Unknown"]]'
check 'no run of what is left out is made' json '.verdicts | map(.job) | unique' \
	'["fake","other"]'

# A commit with itself.
check 'a commit in turns with itself may gate' \
	exits 0 git perf check --selfcheck --job=fake --max-runs=12 base
check 'what never varies is told as such' says out \
	'  samples: the same in all of 12 runs; it may gate'
check 'what of the machine disturbs is told' mentions out '^machine$'
check 'both sides are stored with the commit' is \
	"$(stored base | wc -l) $(git notes --ref=perf show base | tail -n 2 |
	grep -c 'l.duel-.*='"$(git rev-parse base)")" '6 2'
check 'a study takes one commit' exits 129 git perf check --selfcheck base slower
check 'a study of many runs has its document' \
	exits 0 git perf check --selfcheck --json --job=fake --max-runs=80 slower
# One value in 40 pairs: 6 pairs decide each "no change", so that six duels end.
check 'duels of the same runs are counted' json \
	'.jobs[0].metrics[0] | [.runs, .duels, .wrong, .duel_runs, .sessions.pairs]' \
	'[80,6,0,12,8]'
check 'a study of a job that does not run is no verdict' \
	exits 125 git perf check --selfcheck --job=fake never
