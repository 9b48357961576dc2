#!/bin/sh
# A writer that was stopped keeps its lock: who waits says so, for a limited
# time, and ends when it is told to.
. "$(dirname "$0")/../lib.sh"
need flock
commit one
printf 'main;work 1\n' >p.folded
must git perf add p.folded
printf '[job "j"]\n\tcmd = true\n\truns = 1\n' >"$scratch/job"
lock=$(pwd -P)/.git/perf/lock
mkfifo "$scratch/held" "$scratch/go"

# In the background until `release`; `hold` returns when it has the lock.
hold()
{
	flock "$1" sh -c 'echo held >"$1"; read -r line <"$2"' sh \
		"$scratch/held" "$scratch/go" &
	holder=$!
	read -r line <"$scratch/held"
}
release()
{
	echo go >"$scratch/go"
	wait $holder
}
# The error text of the program in the background has such a line.
await()
{
	until grep -q "$1" "$err"; do
		kill -0 $pid 2>/dev/null || return 1
	done
}
begin()
{
	: >"$err" # what an earlier one said is not awaited
	env --default-signal=INT git-perf "$@" >"$out" 2>"$err" &
	pid=$!
}
ended()
{
	code=0
	wait $pid || code=$?
	is $code "$1"
}

hold .git/perf/lock
must git config perf.lockTimeout 0.75
check 'an add that waits for a stopped writer' exits 128 git perf add p.folded
check 'waiting for a lock is said with its limit' says err \
	"waiting for '$lock', which another process holds, at most 0.75 s"
check 'giving up is said with the time waited' \
	says err "fatal: cannot lock '$lock': another \
process has held it for 0.75 s (perf.lockTimeout); fuser(1) names it"
check 'an add with a limit of nothing is refused' exits 128 git -c perf.lockTimeout=0 perf add p.folded
check 'an add with a limit of nothing does not wait' not mentions err waiting
check 'an add with a limit that is no number is refused' exits 128 git -c perf.lockTimeout=soon perf add p.folded
check 'a bad perf.lockTimeout is refused' says err \
	"fatal: bad perf.lockTimeout 'soon', need seconds, at most 86400"

printf '[job "k"]\n\tcmd = true\n\truns = 1\n' >>"$scratch/job"
there=$(git rev-parse HEAD | cut -c 1-10)
check 'a run at HEAD that cannot store what it measured' \
	exits 128 git perf run --config="$scratch/job"
check 'what the run has measured is kept as pending' says err \
	"kept as pending: 'git perf add -m $there \
0@p-1@p' adds all 2 later"
check 'a run over the history that cannot store what it measured' \
	exits 128 git perf run --config="$scratch/job" --job=j --again HEAD
check 'what was measured over the history is kept as pending' says err \
	"kept as pending: 'git perf add -m $there \
0@p' adds it later"
git config --unset perf.lockTimeout
for signal in INT TERM; do
	begin run --config="$scratch/job"
	check "a run that has measured waits for the lock before SIG$signal" \
		await '^waiting for '
	kill -$signal $pid
	check 'a waiting command ends by a signal' ended 130
	check 'an interrupted collect says what is lost' \
		says err 'interrupted: nothing is kept'
	begin run --config="$scratch/job" HEAD
	check "a run over the history before SIG$signal" await '^waiting for '
	kill -$signal $pid
	check "a run that waits ends by SIG$signal" ended 130
	check 'an interrupted run says what is stored' says err \
		'interrupted: 0 commits are stored, nothing is left behind'
	check 'an interrupted run leaves no worktree' \
		is "$(git worktree list | wc -l)" 1
	begin add p.folded
	check "an add before SIG$signal" await '^waiting for '
	kill -$signal $pid
	code=0
	wait $pid || code=$?
	check "an add that waits ends by SIG$signal" test $code -gt 128
done
must git commit -q --allow-empty --amend -m two
must git config perf.hookMode queue
printf '%s %s\n' "$(git rev-parse 'HEAD@{1}')" "$(git rev-parse HEAD)" |
	must git perf hooks run post-rewrite amend
begin worker --once
check 'a worker says that it waits for the lock' await '^waiting for '
kill -TERM $pid
check 'a worker that waits ends by SIGTERM' ended 130

begin add p.folded
check 'an add whose lock comes free' await '^waiting for '
release
check 'a writer that waited for the lock is done' ended 0
check 'fsck finds nothing wrong after waiting' exits 0 git perf fsck

# The ref is locked by a file, as git does it.
must touch .git/refs/notes/perf.lock
must git config core.filesRefLockTimeout 60000
begin run --config="$scratch/job"
check 'a run waits for the lock file of the ref' \
	await "^waiting for '.*refs/notes/perf.lock', .* at most 60 s$"
kill -INT $pid
check 'waiting for the ref ends by a signal' ended 130
check 'the lock file of somebody else stays' \
	exits 0 rm .git/refs/notes/perf.lock
git config --unset core.filesRefLockTimeout

# Two runs do not measure at once.
hold .git/perf/measuring
begin run --config="$scratch/job"
check 'a run waits for another to end' await '^waiting for another run'
check 'waiting is said once where there is no terminal' \
	is "$(grep -c waiting "$err")" 1
kill -TERM $pid
check 'a command that waits for a run ends by a signal' ended 130
release

listed()
{
	git notes --ref=perf show "$there" | grep -c '^perf1 '
}
before=$(listed)
check 'the command that adds one that was kept' \
	exits 0 git perf add -m "$there" 0@p
check 'the command that adds all that were kept' \
	exits 0 git perf add -m "$there" 0@p-1@p
check 'the three that were kept are listed where they were measured' \
	is "$(listed)" $((before + 3))
