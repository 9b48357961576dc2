#!/bin/sh
# git perf run over the history: which commits, what is stored and remembered,
# what becomes of work trees.
. "$(dirname "$0")/../lib.sh"
need jq flock

# The command copies the figure that the build made of the commit's file.
cat >job <<'END'
[job "size"]
	build = "echo $(pwd) >>$LOG; cat source | tr a b >made.o && test ! -e broken"
	cmd = "test ! -e bad && wc -c made.o"
	shell = true
	runs = 1
END
cp job "$scratch/job"
rm job
LOG=$scratch/log
export LOG
echo '*.o' >.gitignore
echo a >source
must git add .
commit c1
for n in 2 3 4 5 6; do
	echo "line $n" >>source
	[ $n -ne 3 ] || : >broken
	[ $n -ne 4 ] || rm broken
	[ $n -ne 5 ] || : >bad
	[ $n -ne 6 ] || rm bad
	must git add -A .
	commit "c$n"
done
first=$(git rev-list --max-parents=0 HEAD)
run()
{
	git perf run --config="$scratch/job" "$@"
}
profiles()
{
	git perf log --json | jq -r '[.commits[] | .profiles | length] | join(" ")'
}

# Which commits.
check 'run of one past commit works' exits 0 run "$first"
check 'the past commit is measured' is "$(profiles)" '0 0 0 0 0 1'
check 'a past commit is measured below the git directory' \
	is "$(cat "$LOG")" "$(pwd -P)/.git/perf/worktrees/perf-1"
check 'the worktree of a run is gone afterwards' \
	is "$(git worktree list | wc -l)" 1
check 'the files of the worktree are gone afterwards' \
	is "$(ls .git/perf/worktrees)" perf-1.lock
check 'a run over a range works' exits 0 run "$first..HEAD"
check 'each commit of a range that builds and runs is measured' \
	is "$(profiles)" '1 0 1 0 1 1'
check 'a run over a range says what it added' \
	says err 'added 3 profiles to 5 commits'
check 'a run over a range says how many jobs failed' says err \
	'2 jobs failed; run does not try them again without --again'
check 'each commit of a range is stored at once' \
	is "$(git rev-list --count refs/notes/perf)" 6
builds=$(wc -l <"$LOG")
check 'run over a measured range works' exits 0 run "$first" "$first..HEAD"
check 'run over a measured range says that nothing is missing' says err \
	'nothing to do: nothing is missing at 6 commits (--again measures once more)'
check 'jobs that failed before are left out and counted' says err \
	'2 jobs failed before and are left out (--again tries once more)'
check 'nothing is built over a measured range' is "$(wc -l <"$LOG")" "$builds"
check 'the reason is kept' is "$(git notes --ref=perf show HEAD~3 |
	sed -n 's/.* skip .* state=\([a-z]*\) .*/\1/p')" build
check 'the reason of a failed job is kept' \
	is "$(git notes --ref=perf show HEAD~1 |
	sed -n 's/.* skip .* state=\([a-z]*\) .*/\1/p')" run
check 'fsck is content' exits 0 git perf fsck
check 'run --again over a range works' exits 0 run --again HEAD~1..HEAD
check 'run --again measures again' is "$(profiles)" '2 0 1 0 1 1'
check 'run --again of a failing commit gives no verdict' \
	exits 125 run --again HEAD~1
check 'a failing job without verdict is counted' \
	mentions err '1 job failed; run does not try it again'
check 'a failing job that is left out gives no verdict' exits 125 run HEAD~3
check 'a failing job that is left out is counted' says err \
	'1 job failed before and is left out (--again tries once more)'
check 'a failing commit beside a measured one is no failure' \
	exits 0 run HEAD~3 HEAD
# A job that is not asked for is no figure of the commit.
cat >"$scratch/two" <<'END'
[job "good"]
	cmd = true
	runs = 1
[job "failing"]
	cmd = false
	runs = 1
END
check 'a job asked for that fails gives no verdict' \
	exits 125 git perf run --config="$scratch/two" --job=failing HEAD
check 'a job asked for that is left out gives no verdict' \
	exits 125 git perf run --config="$scratch/two" --job=failing HEAD
check 'a run with both jobs has a figure' \
	exits 0 git perf run --config="$scratch/two" HEAD
must git notes --ref=perf remove HEAD 2>"$err"
check 'run with --steps works' exits 0 run --again --steps=2 --json "$first..HEAD~1"
check '--steps measures first and last commit' json '[.commits[].commit]' \
	"$(printf '["%s","%s"]' "$(git rev-parse HEAD~4)" "$(git rev-parse HEAD~1)")"
check 'steps without commits' exits 129 run --steps=2
check 'a revision that is none' exits 128 run nowhere
check 'a revision that does not exist is named' \
	says err "fatal: no such commit 'nowhere'"
check 'a list with commits' exits 129 run --list HEAD

# Artefacts: what is ignored stays, what is not goes.
cat >"$scratch/job" <<'END'
[job "kept"]
	build = "ls kept.o rest source2 2>/dev/null | tr '\n' ' ' >>$LOG; date >kept.o; date >rest; echo x >>source"
	cmd = true
	runs = 1
END
: >"$LOG"
check 'a run over three commits works' exits 0 run HEAD~5 HEAD~4 HEAD~3
check 'builds of three commits share what is ignored' is "$(cat "$LOG")" 'kept.o kept.o '

# In place, over a dirty tree.
echo changed >>source
echo new >new
echo staged >staged
must git add staged
echo o >own.o
state()
{
	cat source new staged own.o
	git status --porcelain
	cat .git/HEAD
	git stash list
	ls
}
state >"$scratch/before"
cat >"$scratch/job" <<'END'
[job "place"]
	build = "pwd >>$LOG; git rev-parse HEAD >>$LOG; echo left >left; rm -f own.o; echo y >>source"
	cmd = cat
	args = source
	runs = 1
END
: >"$LOG"
check 'run --in-place works' exits 0 run --in-place HEAD~2 HEAD~1
check 'run --in-place measures the commits' is "$(grep -v / "$LOG")" \
	"$(git rev-parse HEAD~2 HEAD~1)"
check 'run --in-place measures in the work tree' \
	is "$(grep / "$LOG" | sort -u)" "$(pwd -P)"
state >"$scratch/after"
check 'a work tree comes back as it was before run --in-place' same "$scratch/before" "$scratch/after"
check 'run --in-place says where leftovers are' mentions err 'perf/leftovers/'
check 'leftovers of a build are kept' \
	is "$(cat .git/perf/leftovers/*/*/left)" left

# Ctrl-C, SIGTERM and kill -9.
mkfifo "$scratch/pipe"
cat >"$scratch/job" <<'END'
[job "slow"]
	build = "echo in >left; echo $$ >$PIPE; exec sleep 100"
	cmd = true
	runs = 1
END
PIPE=$scratch/pipe
export PIPE
# A dead process may wait for somebody to look: it has no command line.
lives()
{
	[ -n "$(tr -d '\0' <"/proc/$1/cmdline")" ]
}
begin()
{
	env --default-signal=INT git-perf run $how --config="$scratch/job" \
		HEAD~1..HEAD >"$out" 2>"$err" &
	pid=$!
	read -r line <"$PIPE"
}
for how in '' --in-place; do
	for signal in INT TERM; do
		begin
		kill -$signal $pid
		code=0
		wait $pid || code=$?
		check "a run ends by SIG$signal $how" is $code 130
		check "SIG$signal $how is said" \
			mentions err '^interrupted: 0 commits are stored'
		state >"$scratch/after"
		check "SIG$signal $how leaves nothing" \
			same "$scratch/before" "$scratch/after"
		check "SIG$signal $how leaves no worktree" \
			is "$(git worktree list | wc -l)" 1
	done
done
how=
begin
kill -9 $pid
wait $pid 2>/dev/null
# the lock is free when nothing of it is left that works in the worktree
flock .git/perf/worktrees/perf-1.lock true
check 'a build of a killed run ends with it' not lives "$line"
check 'status works after a run was killed' exits 0 git perf status
check 'status tells of worktrees of interrupted runs' \
	mentions out '^1 worktree of interrupted runs'
check 'recover works after a run was killed' exits 0 git perf recover
check 'recover removes the worktree of a killed run' says err 'removed 1 worktree of interrupted runs'
check 'git does not know the recovered worktree' \
	is "$(git worktree list | wc -l)" 1

how=--in-place
begin
kill -9 $pid
wait $pid 2>/dev/null
check 'recover while a build of a dead run is at work' \
	exits 0 git perf recover
check 'recover ends the build of a dead run' not lives "$line"
state >"$scratch/after"
check 'recover ends a build before it brings all back' \
	same "$scratch/before" "$scratch/after"

# Two at once.
cat >"$scratch/job" <<'END'
[job "both"]
	build = cat source >made.o
	cmd = cat made.o
	runs = 1
END
run --again "$first..HEAD" >/dev/null 2>"$scratch/err1" &
check 'two runs at once' exits 0 run --again "$first..HEAD"
wait
check 'the second of two runs ends well' \
	says err 'added 5 profiles to 5 commits'
check 'the first of two runs ends well' \
	is "$(grep '^added' "$scratch/err1")" 'added 5 profiles to 5 commits'
check 'two runs leave no worktree' is "$(git worktree list | wc -l)" 1
check 'fsck is still content' exits 0 git perf fsck

# Submodules come from the copy that is here.
must git init -q "$scratch/sub"
echo inner >"$scratch/sub/file"
must git -C "$scratch/sub" add .
must git -C "$scratch/sub" commit -q -m sub
must git stash -q -u
must git -c protocol.file.allow=always submodule -q add "$scratch/sub" sub
commit 'with a submodule'
mv "$scratch/sub" "$scratch/gone"
cat >"$scratch/job" <<'END'
[job "sub"]
	cmd = cat
	args = sub/file
	runs = 1
END
check 'a commit with a submodule' exits 0 run HEAD
check 'a commit with a submodule is measured' \
	says err 'added 1 profile to 1 commit'

# A commit chooses the name of its submodule: one that would be another setting
# than its URL is left alone, and nothing is asked where the commit says.
must git -c protocol.file.allow=always submodule -q add --name 'a=b' \
	"$scratch/gone" odd
commit 'with an odd submodule'
mv "$scratch/gone" "$scratch/away"
check 'a commit with an odd submodule' exits 0 run HEAD
check 'a commit with an odd submodule is measured' \
	says err 'added 1 profile to 1 commit'
