#!/bin/sh
# git perf run and git perf trust: what runs, what never does, what is kept.
. "$(dirname "$0")/../lib.sh"
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
check 'run without any commit is refused' exits 128 \
	git perf run --config=.gitperf
check 'the refusal says that there is no commit' says err \
	'fatal: there is no commit yet to measure: commit first'
git add .
commit first
top=$(pwd -P)
check 'an untrusted job file is refused' exits 128 git perf run
check 'the refusal says how to trust the job file' says err \
	"fatal: '$top/.gitperf' is not trusted on this machine: look at it and run 'git perf trust'"
check 'no line of an untrusted file is run' not test -e ../built
check 'no variable makes a job file trusted' exits 128 env \
	GIT_PERF_CONFIG=.gitperf GIT_PERF_TRUST=1 GIT_CONFIG_COUNT=1 \
	GIT_CONFIG_KEY_0=perf.config GIT_CONFIG_VALUE_0=.gitperf git perf run
check '--list works without trust' exits 0 git perf run --list
check '--list has a line for each job' is "$(wc -l <"$out" | tr -d ' ')" 9
check 'a job file is trusted' exits 0 git perf trust
check 'trust prints every command of the job file' prints out <<'END'
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
check 'trust says which file is trusted' says err "trusted: '$top/.gitperf'"
check 'the list of trust is for its owner only' \
	is "$(stat -c %a .git/perf/trust)" 600
check 'a trusted job file is run' exits 0 env GIT_DIR="$top/.git" \
	git perf run --json
check 'all jobs of the file are measured' \
	json '[(.profiles | length), (.failed | length)]' \
	'[9,0]'
check 'each build line runs once' is "$(wc -l <../built | tr -d ' ')" 1
check 'a job has its variables' is "$(cat ../echoed)" 'echo small small'
check 'the profiles of a run are one commit of the notes' \
	is "$(git rev-list --count refs/notes/perf)" 1
check 'a run says what it added to HEAD' \
	says err "added 9 profiles to $(git rev-parse --short=10 HEAD)"
check 'workloads carry their labels' json \
	'[.profiles[].labels.sizes] | map(select(.)) | unique' '["10","20","30"]'
check 'workloads have names' json \
	'[.profiles[] | select(.cmd == "wc") | [.args, .workload] | join(" ")]' \
	"$(for file in one two; do
		for work in three sizes/10 sizes/20 sizes/30; do
			echo "-c $file $work"
		done
	done | jq -R . | jq -sc .)"
check 'each job has as many values as runs' json \
	'[.profiles[] | .metrics[0].n] | unique' '[1,2]'
check 'run again is accepted' exits 0 git perf run
check 'run again says that all is measured' \
	mentions err '^nothing to do: all is measured'
check 'nothing is built where all is measured' \
	is "$(wc -l <../built | tr -d ' ')" 1
check '--again measures a job once more' \
	exits 0 git perf run --again --job=echo --json
check '--again with --job measures that job only' \
	json '.profiles | map(.labels.job)' '["echo"]'
id=$(git perf run --list | sed -n 's/ .*echo .*//p')
check '--job takes the beginning of an id' \
	exits 0 git perf run --list --job="${id%????}"
check '--job with an id selects that job' is "$(cut -d ' ' -f 1 <"$out")" "$id"
check '--job without a match is fatal' exits 128 git perf run --job=none
check 'the error about --job lists the jobs' \
	says err "fatal: no job 'none', there are: count, echo"

# A changed file needs trust again; so do another path and a revoked one.
echo '# changed' >>.gitperf
check 'a changed job file is refused' exits 128 git perf run --again
check 'the refusal says that the file has changed' \
	mentions err "has changed since it was trusted"
git checkout -q .gitperf
check 'a job file changed back is trusted' exits 0 git perf run
must git worktree add -q ../other HEAD
check 'trust does not hold for another path' exits 128 git -C ../other perf run
check 'a job file named by hand needs no trust' \
	exits 0 git -C ../other perf run --again \
	--job=echo --config="$top/.gitperf"
check 'a job file named by hand runs in the tree of its repository' \
	test -e ../echoed
check 'trust --revoke works' exits 0 git perf trust --revoke
check 'a revoked job file is refused at once' exits 128 git perf run --again
check 'trust --revoke works twice' exits 0 git perf trust --revoke
check 'the second --revoke says that nothing was trusted' \
	says err "was not trusted: '$top/.gitperf'"
must git perf trust >../said
chmod 666 .git/perf/trust
check 'a list of trust that others can write is refused' exits 128 \
	git perf run --again
check 'the refusal says who may write the list' \
	mentions err 'is not a file that only you can write'
chmod 600 .git/perf/trust
rm .gitperf
ln -s three .gitperf
check 'a symbolic link is refused as a job file' exits 128 git perf run
check 'the symbolic link is named' mentions err "/.gitperf' is no regular file"
rm .gitperf
check 'run without a job file is fatal' exits 128 git perf run
check 'the error about a missing job file names the manual page' \
	mentions err 'see gitperf\(5\)$'
git checkout -q .gitperf
must git clone -q . ../clone
check 'trust is not cloned' exits 128 git -C ../clone perf run
must git clone -q --bare . ../bare
check 'run in a bare repository is refused' exits 128 git -C ../bare perf run
check 'the refusal says that a bare repository has no files' \
	mentions err '^fatal: a bare repository has no files'

# Shards: each job in exactly one.
for k in 1 2 3; do
	git perf run --list --shard=$k/3
done | sort >../shards
git perf run --list | sort >../all
check 'shards make up the whole' same ../shards ../all
check '--shard measures a part' exits 0 git perf run --again --shard=2/3 --json
check 'a shard measures its part only' json '.profiles | length' \
	"$(git perf run --list --shard=2/3 | wc -l | tr -d ' ')"
check 'an impossible shard is a usage error' exits 129 git perf run --shard=4/3
check 'the error about a shard says what is right' says err \
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
check 'failed jobs make the run fail' exits 128 \
	git perf run --config=../jobs --json
check 'good jobs of a failed run are kept' \
	json '.profiles | map(.labels.job)' '["good"]'
check 'failed jobs have their reasons' json '.failed | map([.job, .reason])' \
	"$(printf '%s,' \
		"[[\"unbuilt\",\"build 'echo one; echo two >&2; exit 3'" \
		"[\"failing\",\"'false' exited with status 1\"]" \
		"[\"slow\",\"'sh' was still running after 0.05 s\"]]" |
		sed "s/3',/3' exited with status 3\"],/; s/,\$//")"
check 'the last lines of a failed build are printed' mentions err '^    two$'
check 'a build line behind a failed one does not run' not test -e ../never
# On a busy machine it takes its time to start what is to be ended.
for limit in 50ms 1s 60s; do
	cat >../slow <<-END
	[job "slow"]
		cmd = "sh -c 'sleep 100 & echo \$! >../left; wait'"
		timeout = $limit
	END
	check "a job that takes longer than $limit gives no verdict" \
		exits 125 git perf run --config=../slow
	[ ! -s ../left ] || break
done
check 'no process is left of a job that was too slow' all_gone
rm -f ../left
check 'a run without any profile gives no verdict' exits 125 \
	git perf run --config=../jobs --job=unbuilt
check 'a run whose jobs all fail gives no verdict' exits 125 \
	git perf run --config=../jobs --job=failing

printf '[job "dirty"]\n\tcmd = false\n' >../dirty_jobs
# In one's own tree failures are told, and tried again; dirty ones are nobody's.
skips() {
	git notes --ref=perf show | awk '$4 == "skip"' | grep "l.job=$1 "
}
echo '# changed' >>.gitperf
check 'a job fails in a dirty tree' exits 125 \
	git perf run --config=../dirty_jobs
must git checkout -q .gitperf
check 'a failure in a dirty tree is not told' is "$(skips dirty)" ''
check 'a failed build here gives no verdict' exits 125 \
	git perf run --config=../jobs --job=unbuilt --job=failing
check 'a failed build is tried again' exits 125 \
	git perf run --config=../jobs --job=unbuilt --job=failing
check 'a failure that repeats is noted once' \
	is "$(skips unbuilt | wc -l | tr -d ' ')" 1
check 'status is printed' exits 0 git perf status
check 'status says which build failed' mentions out \
	'^ *unbuilt +build failed: .echo one'
check 'status says which job failed' mentions out \
	"^ *failing/time +failed: 'false' exited"
check 'log is printed' exits 0 git perf log --oneline
check 'log --oneline says which build failed' mentions out 'unbuilt +build failed'
check 'a run over the history tries a job that failed here' exits 125 \
	git perf run --config=../jobs --job=failing HEAD
check 'the history settles it by what was found there' exits 125 \
	git perf run --config=../jobs --job=failing HEAD
check 'a failure there adds one line' is "$(skips failing | wc -l | tr -d ' ')" 2
sed 's/cmd = false/cmd = true/' ../jobs >../mended
check 'what was mended is measured' exits 0 \
	git perf run --config=../mended --job=failing
check 'status is printed again' exits 0 git perf status
check 'a profile takes the place of the failure' \
	not mentions out 'failing.* failed'

# What the tool of a collector leaves may be the machine's fault: it is told
# once, settles nothing, and is tried again.
printf '[job "nothing-left"]\n\tcollector = command\n' >../leaves
printf '\tcmd = "sh -c \\"cp ../prepared.folded ../left.folded || :\\""\n' >>../leaves
printf '\toption = format=collapsed\n\toption = output=../left.folded\n' >>../leaves
rm -f ../left.folded
for again in once twice; do
	check "a job whose profile is not there fails $again" exits 125 \
		git perf run --config=../leaves
done
check 'status of a profile that is not there' exits 0 git perf status
check 'status says that there was no profile' mentions out \
	"^ *nothing-left/command +failed: cannot read '"
for again in once twice; do
	check "a profile that is not there fails a run of the history $again" exits 125 \
		git perf run --config=../leaves HEAD
done
check 'a profile that is not there is told once' is "$(skips nothing-left | wc -l | tr -d ' ')" 1
printf 'main;f 1\n' >../prepared.folded
check 'what leaves a profile after all is measured' exits 0 \
	git perf run --config=../leaves
check 'status after the profile' exits 0 git perf status
check 'a profile takes the place of the one that was not there' \
	not mentions out 'nothing-left/command +failed'

check 'a job for other machines is left out' exits 0 \
	git perf run --config=../jobs --job=elsewhere
check 'the run says that no job is for this machine' \
	mentions err '^nothing to do: no job is for this machine'
check 'a job for another machine runs on that machine' \
	exits 0 git perf run --config=../jobs \
	--job=elsewhere --machine=nowhere

# What a line cannot hold is still known.
printf '[job "long"]\n\tcmd = true\n\targs = %05000d\n\truns = 1\n' 0 \
	>../long
check 'a job of long arguments is measured' exits 0 git perf run --config=../long
check 'a job of long arguments can be run again' \
	exits 0 git perf run --config=../long
check 'a job of long arguments counts as measured' \
	mentions err '^nothing to do: all is measured'

# A dirty tree.
echo 1111 >one
check 'a dirty tree is measured' \
	exits 0 git perf run --config=../jobs --job=good \
	--json
check 'a profile of a dirty tree is marked' json '.profiles[0].dirty' true
check 'the run says that the tree was dirty' mentions err 'the tree was dirty'
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
check 'a run ends by a signal' exits 130 env TMPDIR="$scratch/tmp" \
	setsid -w git-perf run --config=../stop
check 'no process is left after the signal' all_gone
check 'cleanup runs after the signal' test -e ../cleaned
check 'no temporary file is left after the signal' is "$(ls ../tmp)" ''
check 'the notes are unchanged after the signal' \
	is "$(git rev-parse refs/notes/perf)" "$tip"

# One after the other: both append to one file, and never in between.
cat >../turns <<'END'
[job "turns"]
	cmd = "sh -c 'echo begin >>../turn; echo end >>../turn'"
	runs = 20
END
git perf run --again --config=../turns 2>../first &
check 'a second run waits for the first' \
	exits 0 git perf run --again --config=../turns
wait
check 'the two runs do not measure at once' \
	is "$(uniq -c ../turn | awk '$1 != 1')" ''
check 'both runs measure all of their values' \
	is "$(wc -l <../turn | tr -d ' ')" 80

# What a file gets wrong is named.
wrong()
{
	printf '%b' "$2" >../bad
	check "a job file with $1 is refused" exits 128 git perf run --list --config=../bad
	check "the refusal of $1 names the file and what is wrong" says err \
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
check 'a file without a job is refused' exits 128 git perf run --list \
	--config=../bad
check 'the refusal of a file without a job says what it needs' says err \
	"fatal: '../bad' has no job, need [job \"<name>\"] with cmd"
printf '[job\n' >../bad
check 'a file that git cannot read is refused' exits 128 git perf run --list \
	--config=../bad
check 'the refusal of a broken file names its line' \
	says err "fatal: cannot read '../bad': bad config line 1"
printf '[include]\n\tpath = jobs\n[job "a"]\n\tcmd = true\n' >../bad
check 'no file that another includes is read' exits 0 git perf run --list \
	--config=../bad
check 'only the jobs of the named file are listed' \
	is "$(wc -l <"$out" | tr -d ' ')" 1

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
check 'trust prints a value of several lines' exits 0 git perf trust
check 'further lines of a value stand behind a bar' prints out <<'END'
job "made"
    prepare = true
        |     : = harmless
    cmd = true
    workload = made
workload "made"
    command = echo ${GIT_DIR-none} $GIT_PERF_RUNNING >$GIT_PERF_OUTPUT/one; cp $GIT_PERF_OUTPUT/one ../seen
END
check 'run generates workloads' \
	exits 0 env GIT_DIR="$PWD/.git" GIT_WORK_TREE="$PWD" \
	git perf run
check 'a generator sees no GIT_DIR and is told that a run goes on' \
	is "$(cat ../seen)" 'none 1'

# git's config syntax takes the quotes away, and the shell gets "echo" alone.
must git init -q ../quotes
cd ../quotes || exit 1
cat >.gitperf <<'END'
[job "plain"]
	cmd = sh -c "false && true"
	runs = 1
[job "kept"]
	cmd = "sh -c 'true && true'"
	runs = 1
[job "shell"]
	cmd = "true && true"
	shell = true
	runs = 1
END
must git add .gitperf
commit quotes
check 'trust of a command that lost its quotes works' exits 0 git perf trust
doubt="warning: job 'plain': '&&' of cmd is a plain word to the command, git's \
config syntax takes quotes away: write cmd = \"sh -c '...'\", or shell = true"
check 'trust says that an operator is a plain word' says err "$doubt"
check 'trust says nothing of operators in quotes or for a shell' \
	is "$(grep -c 'plain word' "$err")" 1
check 'a job whose command lost its quotes fails' not git perf run --job=plain
must not git perf run --job=plain 2>"$err"
check 'the failure says that an operator is a plain word' says err "$doubt"
check 'an operator in quotes runs' exits 0 git perf run --job=kept
check 'an operator for a shell runs' exits 0 git perf run --job=shell
printf '[job "fails"]\n\tcmd = sh -c '"'exit 1; true'"'\n[job "b"]\n\tcmd = true\n' \
	>.gitperf
check 'trust of a command that ends at a comment works' exits 0 git perf trust
check 'trust says that the rest is a comment' says err \
	"warning: job 'fails': cmd ends within a quote: ';' and '#' begin a \
comment in git's config syntax, write cmd = \"...\""
must git checkout -q .gitperf
