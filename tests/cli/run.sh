#!/bin/sh
# git perf run and git perf trust: what runs, what never does, what is kept.
. "$(dirname "$0")/lib.sh"
need jq setsid

cat >.gitperf <<'END'
[job "count"]
	build = echo built >>../built
	cmd = wc -c
	args = one
	args = two
	workload = three
	workload = sizes
	runs = 2
[job "echo"]
	build = echo built >>../built
	cmd = "echo $GIT_PERF_JOB $GIT_PERF_WORKLOAD $GIT_DIR >>../echoed"
	shell = true
	workload = small
	collector = time
	runs = 1
[workload "sizes"]
	type = text
	min = 10
	max = 30
	step = 10
[unknown "section"]
	key = is passed over
END
echo 1 >one
echo 22 >two
echo 333 >three

# Trust.
check 'refuses where nothing is committed' exits 128 \
	git perf run --config=.gitperf
check 'and says why' says err \
	'fatal: there is no commit yet to measure: commit first'
git add .
commit first
top=$(pwd -P)
check 'runs nothing untrusted' exits 128 git perf run
check 'and says what to do' says err \
	"fatal: '$top/.gitperf' is not trusted on this machine: look at it and run 'git perf trust'"
check 'nothing at all' not test -e ../built
check 'not even when the environment says so' exits 128 env \
	GIT_PERF_CONFIG=.gitperf GIT_PERF_TRUST=1 GIT_CONFIG_COUNT=1 \
	GIT_CONFIG_KEY_0=perf.config GIT_CONFIG_VALUE_0=.gitperf git perf run
check 'lists what it is told without trust' exits 0 git perf run --list
check 'a line for each job' is "$(wc -l <"$out" | tr -d ' ')" 9
check 'shows the commands that trust is for' exits 0 git perf trust
check 'all of them' prints out <<'END'
job "count"
    build = echo built >>../built
    cmd = wc -c
    args = one
    args = two
    workload = three
    workload = sizes
job "echo"
    build = echo built >>../built
    cmd = echo $GIT_PERF_JOB $GIT_PERF_WORKLOAD $GIT_DIR >>../echoed
    workload = small
    shell = true
    collector = time
END
check 'and says what is trusted' says err "trusted: '$top/.gitperf'"
check 'for its owner only' is "$(stat -c %a .git/perf/trust)" 600
check 'runs what is trusted' exits 0 env GIT_DIR="$top/.git" \
	git perf run --json
check 'all of it' json '[(.profiles | length), (.failed | length)]' \
	'[9,0]'
check 'a build line once' is "$(wc -l <../built | tr -d ' ')" 1
check 'with the variables of the job' is "$(cat ../echoed)" 'echo small small'
check 'one commit of the notes' is "$(git rev-list --count refs/notes/perf)" 1
check 'at HEAD' says err "added 9 profiles to $(git rev-parse --short=10 HEAD)"
check 'workloads carry their size' json \
	'[.profiles[].labels.sizes] | map(select(.)) | unique' '["10","20","30"]'
check 'and have names' json \
	'[.profiles[] | select(.cmd == "wc") | [.args, .workload] | join(" ")]' \
	"$(for file in one two; do
		for work in three sizes/10 sizes/20 sizes/30; do
			echo "-c $file $work"
		done
	done | jq -R . | jq -sc .)"
check 'has as many values as runs' json \
	'[.profiles[] | .metrics[0].n] | unique' '[1,2]'
check 'knows what is measured' exits 0 git perf run
check 'and says so' mentions err '^nothing to do: all is measured'
check 'builds nothing then' is "$(wc -l <../built | tr -d ' ')" 1
check 'unless told' exits 0 git perf run --again --job=echo --json
check 'of one job' json '.profiles | map(.labels.job)' '["echo"]'
id=$(git perf run --list | sed -n 's/ .*echo .*//p')
check 'by its id, too' exits 0 git perf run --list --job="${id%????}"
check 'that one' is "$(cut -d ' ' -f 1 <"$out")" "$id"
check 'names the jobs when there is no such' exits 128 git perf run --job=none
check 'all' says err "fatal: no job 'none', there are: count, echo"

# A changed file needs trust again; so do another path and a revoked one.
echo '# changed' >>.gitperf
check 'a changed file is refused' exits 128 git perf run --again
check 'as such' mentions err "has changed since it was trusted"
git checkout -q .gitperf
check 'the old bytes are still trusted' exits 0 git perf run
must git worktree add -q ../other HEAD
check 'another path is not' exits 128 git -C ../other perf run
check 'a file named by hand is' exits 0 git -C ../other perf run --again \
	--job=echo --config="$top/.gitperf"
check 'in its own tree' test -e ../echoed
check 'trust is revoked' exits 0 git perf trust --revoke
check 'at once' exits 128 git perf run --again
check 'revoking twice is no error' exits 0 git perf trust --revoke
check 'and told' says err "was not trusted: '$top/.gitperf'"
must git perf trust >../said
chmod 666 .git/perf/trust
check 'a list that others can write is no trust' exits 128 \
	git perf run --again
check 'and says so' mentions err 'is not a file that only you can write'
chmod 600 .git/perf/trust
rm .gitperf
ln -s three .gitperf
check 'a symbolic link is no job file' exits 128 git perf run
check 'and named' mentions err "/.gitperf' is no regular file"
rm .gitperf
check 'without a file there is nothing to run' exits 128 git perf run
check 'and it says where to read' mentions err 'see gitperf\(5\)$'
git checkout -q .gitperf
must git clone -q . ../clone
check 'trust is not cloned' exits 128 git -C ../clone perf run
must git clone -q --bare . ../bare
check 'a bare repository is refused' exits 128 git -C ../bare perf run
check 'and told why' mentions err '^fatal: a bare repository has no files'

# Shards: each job in exactly one.
for k in 1 2 3; do
	git perf run --list --shard=$k/3
done | sort >../shards
git perf run --list | sort >../all
check 'shards make up the whole' same ../shards ../all
check 'a shard runs its part' exits 0 git perf run --again --shard=2/3 --json
check 'only that' json '.profiles | length' \
	"$(git perf run --list --shard=2/3 | wc -l | tr -d ' ')"
check 'refuses a shard that is none' exits 129 git perf run --shard=4/3
check 'and says what is right' says err \
	"error: option '--shard' needs <k>/<n> with k from 1 to n, not '4/3'"

# Failures.
all_gone()
{
	must test -s ../left
	gone "$(cat ../left)"
}
cat >../jobs <<'END'
[job "good"]
	cmd = true
	runs = 1
[job "unbuilt"]
	build = "echo one; echo two >&2; exit 3"
	build = touch ../never
	cmd = true
[job "failing"]
	cmd = false
[job "slow"]
	cmd = sh -c 'sleep 100'
	timeout = 50ms
[job "elsewhere"]
	machine = nowhere
	cmd = true
END
check 'some failures are told in the end' exits 128 \
	git perf run --config=../jobs --json
check 'the good is kept' json '.profiles | map(.labels.job)' '["good"]'
check 'the bad has a reason' json '.failed | map([.job, .reason])' \
	"$(printf '%s,' \
		"[[\"unbuilt\",\"build 'echo one; echo two >&2; exit 3'" \
		"[\"failing\",\"'false' exited with status 1\"]" \
		"[\"slow\",\"'sh' was still running after 0.05 s\"]]" |
		sed "s/3',/3' exited with status 3\"],/; s/,\$//")"
check 'and what the build said' mentions err '^    two$'
check 'a line behind a failed one does not run' not test -e ../never
# On a busy machine it takes its time to start what is to be ended.
for limit in 50ms 1s 60s; do
	cat >../slow <<-END
	[job "slow"]
		cmd = "sh -c 'sleep 100 & echo \$! >../left; wait'"
		timeout = $limit
	END
	check "no verdict when the only one takes longer than $limit" \
		exits 125 git perf run --config=../slow
	[ ! -s ../left ] || break
done
check 'nothing is left of what was too slow' all_gone
rm -f ../left
check 'no verdict without any profile' exits 125 \
	git perf run --config=../jobs --job=unbuilt
check 'nor when all jobs fail' exits 125 \
	git perf run --config=../jobs --job=failing
check 'a job for other machines is left out' exits 0 \
	git perf run --config=../jobs --job=elsewhere
check 'and it says so' mentions err '^nothing to do: no job is for this machine'
check 'but not on that machine' exits 0 git perf run --config=../jobs \
	--job=elsewhere --machine=nowhere

# What a line cannot hold is still known.
printf '[job "long"]\n\tcmd = true\n\targs = %05000d\n\truns = 1\n' 0 \
	>../long
check 'measures a job of long arguments' exits 0 git perf run --config=../long
check 'and knows it again' exits 0 git perf run --config=../long
check 'as measured' mentions err '^nothing to do: all is measured'

# A dirty tree.
echo 1111 >one
check 'measures a dirty tree' exits 0 git perf run --config=../jobs --job=good \
	--json
check 'marks it' json '.profiles[0].dirty' true
check 'and says so' mentions err 'the tree was dirty'
git checkout -q one

# Told to end.
cat >../stop <<'END'
[job "stop"]
	cmd = sh ../stop.sh
	cleanup = touch ../cleaned
END
cat >../stop.sh <<'END'
sleep 100 & echo $! >../left
read -r _ _ _ parent _ </proc/$PPID/stat
kill -TERM $parent
wait
END
tip=$(git rev-parse refs/notes/perf)
mkdir ../tmp
check 'ends when it is told to' exits 130 env TMPDIR="$scratch/tmp" \
	setsid -w git-perf run --config=../stop
check 'with what it had started' all_gone
check 'cleans up' test -e ../cleaned
check 'leaves no temporary file' is "$(ls ../tmp)" ''
check 'keeps nothing' is "$(git rev-parse refs/notes/perf)" "$tip"

# One after the other: both append to one file, and never in between.
cat >../turns <<'END'
[job "turns"]
	cmd = "sh -c 'echo begin >>../turn; echo end >>../turn'"
	runs = 20
END
git perf run --again --config=../turns 2>../first &
check 'a second run waits' exits 0 git perf run --again --config=../turns
wait
check 'for the first to end' is "$(uniq -c ../turn | awk '$1 != 1')" ''
check 'and both run' is "$(wc -l <../turn | tr -d ' ')" 80

# What a file gets wrong is named.
wrong()
{
	printf '%b' "$2" >../bad
	check "refuses $1" exits 128 git perf run --list --config=../bad
	check "and says what is wrong with $1" says err \
		"fatal: '../bad': $3"
}
wrong 'an unknown key' '[job "a"]\n\tcomand = x\n' \
	"$(echo 'line 2: job.a.comand: no such key, there are build, cmd, args,' \
		'workload, collector, option, machine, setup, prepare,' \
		'conclude, cleanup, stdin, shell, ignoreStatus, timeout,' \
		'buildTimeout, runs, warmup, minRuns, maxRuns, minTime,' \
		'maxTime, precision, postprocess')"
wrong 'a job without a name' '[job]\n\tcmd = x\n' \
	'line 2: job.cmd: needs a name: [job "<name>"]'
wrong 'a job without a command' '[job "a"]\n\truns = 3\n' \
	'job.a: has no cmd to measure'
wrong 'a bad number' '[job "a"]\n\tcmd = x\n\truns = many\n' \
	"line 3: job.a.runs: bad number 'many', need a whole one of at least 1"
wrong 'a bad time' '[job "a"]\n\tcmd = x\n\ttimeout = 5 years\n' \
	"line 3: job.a.timeout: bad time '5 years', need one as 90, 1.5s, 250ms, 5m or 2h"
wrong 'an unknown type' '[job "a"]\n\tcmd = x\n[workload "w"]\n\ttype = y\n' \
	"line 4: workload.w.type: no type 'y', there are integer, string, text, files, command"
wrong 'a quote without an end' '[job "a"]\n\tcmd = "a '\''b"\n' \
	"job.a: bad command line 'a 'b': a quote has no end"
wrong 'the same twice' '[job "a"]\n\tcmd = x\n\tcmd = x\n' \
	'job.a has the same command, args, workload and collector twice'
printf '[a]\n\tb = c\n' >../bad
check 'refuses a file without a job' exits 128 git perf run --list \
	--config=../bad
check 'and says what it needs' says err \
	"fatal: '../bad' has no job, need [job \"<name>\"] with cmd"
printf '[job\n' >../bad
check 'refuses what git cannot read' exits 128 git perf run --list \
	--config=../bad
check 'with the line' says err "fatal: cannot read '../bad': bad config line 1"
printf '[include]\n\tpath = jobs\n[job "a"]\n\tcmd = true\n' >../bad
check 'reads no file that another includes' exits 0 git perf run --list \
	--config=../bad
check 'but the file itself' is "$(wc -l <"$out" | tr -d ' ')" 1

# A command that makes workloads has the environment of all the others, and a
# value of several lines cannot be taken for several keys.
must git init -q ../made
cd ../made || exit 1
cat >.gitperf <<'END'
[job "made"]
	cmd = true
	workload = made
	prepare = "true\n    : = harmless"
	runs = 1
[workload "made"]
	type = command
	command = "echo ${GIT_DIR-none} $GIT_PERF_RUNNING >$GIT_PERF_OUTPUT/one; cp $GIT_PERF_OUTPUT/one ../seen"
END
must git add .gitperf
commit made
check 'shows each line of a value as one of it' exits 0 git perf trust
check 'behind a bar' prints out <<'END'
job "made"
    prepare = true
        |     : = harmless
    cmd = true
    workload = made
workload "made"
    command = echo ${GIT_DIR-none} $GIT_PERF_RUNNING >$GIT_PERF_OUTPUT/one; cp $GIT_PERF_OUTPUT/one ../seen
END
check 'makes workloads' exits 0 env GIT_DIR="$PWD/.git" GIT_WORK_TREE="$PWD" \
	git perf run
check 'without GIT_DIR, and told what runs' is "$(cat ../seen)" 'none 1'
