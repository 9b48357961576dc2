#!/bin/sh
# `git perf run` over the history in its worktree, killed with all of its group,
# alone, or by one of its children, at a random moment, while git gc and prune
# run and the user makes worktrees: the user's work tree is never touched,
# nothing that was stored is lost, and recover leaves nothing behind. PERF_KILLS
# says how often, PERF_SEED which moments.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || TMPDIR=/dev/shm
export TMPDIR
. "$(dirname "$0")/../lib.sh"
need jq setsid awk
# What the dead leave for others to sweep goes with this folder.
TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
kills=${PERF_KILLS:-5}
seed=${PERF_SEED:-$(date +%s)}
git config --global gc.auto 0
# The leak sanitizer waits for ever for a child of its own that is killed.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

echo '*.o' >.gitignore
mkdir d
for n in 1 2 3 4; do
	echo $n >d/$n
	echo "line $n" >>file
	must git add .
	commit $n
done
cat >"$scratch/jobs" <<'END'
[job "leave"]
	build = "echo made >made.o; echo new >new; echo more >>file; rm -f d/1"
	build = "[ $(date +%N | tail -c 2) -gt 5 ] || rm -f .git"
	cmd = "cat file; git log --oneline | sort >late"
	shell = true
	runs = 2
END
# What is the user's: staged, changed, untracked, ignored, a branch, a worktree.
echo staged >d/2
must git add d/2
echo changed >>file
rm d/3
echo untracked >untracked
echo ignored >own.o
must git branch side HEAD~2
must git worktree add -q ../linked side
look()
{
	git rev-parse HEAD
	git symbolic-ref HEAD
	git ls-files --stage
	git status --porcelain=v2 --ignored
	find . ../linked -name .git -prune -o -type f -print | sort | xargs cksum
	git -C ../linked status --porcelain=v2 --branch
	git for-each-ref | grep -v refs/notes/perf
	git worktree list --porcelain | grep ^worktree | grep -v /perf/worktrees/
}
lines()
{
	git notes --ref=perf list 2>"$scratch/why" | cut -d ' ' -f 1 |
		git cat-file --batch | grep '^perf1 ' | sort
}
# A number from 0 to below $1; the next one of the seed.
random()
{
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	number=$((seed / 65536 % $1))
}
run_it()
{
	setsid git-perf run --again --config="$scratch/jobs" \
		HEAD~3 HEAD~1 HEAD >"$out" 2>"$err" &
	pid=$!
}
kill_some()
{
	random 3
	killed=0
	case $number in
	0) kill -9 -"$pid" 2>"$scratch/why" && killed=1 ;;
	1) kill -9 "$pid" 2>"$scratch/why" && killed=1 ;;
	*)
		victim=$(cat "/proc/$pid/task/$pid/children" 2>"$scratch/why")
		victim=${victim%% *}
		[ -z "$victim" ] || ! kill -9 "$victim" 2>"$scratch/why" ||
			killed=1
		;;
	esac
}
# Beside it, one of several things that others do.
beside()
{
	random 4
	case $number in
	0) git gc -q --prune=2.weeks.ago ;;
	1) git worktree prune ;;
	2) git worktree add -q --detach ../perf-1 HEAD~1 &&
		git worktree remove --force ../perf-1 ;;
	*) git -C ../linked status ;;
	esac >"$scratch/beside" 2>&1 || cat "$scratch/beside"
}
# Nothing that was listed before is gone, and the notes are whole.
compare()
{
	look >../after
	diff ../before ../after ||
		echo "not as it was: kill $total, seed $seed"
	lines >../lines.now
	comm -23 ../lines ../lines.now | sed "s/^/lost by kill $total: /"
	mv ../lines.now ../lines
}
try_once()
{
	run_it
	random 1000
	sleep "$(awk -v t="$took" -v n=$number \
		'BEGIN { printf "%.3f", t * n / 1e6 }')"
	beside
	late=1
	! kill -0 "$pid" 2>"$scratch/why" || late=0
	kill_some
	wait $pid 2>"$scratch/why"
	# it took less than the one that was timed
	[ $late -eq 0 ] || took=$((took * 3 / 4 + 1))
	total=$((total + killed))
	echo $total >../kills
	random 3
	[ $number -ne 0 ] || git perf recover 2>"$err" ||
		echo "recover failed: $(cat "$err")"
	compare
}

look >../before
begin=$(date +%s%N)
run_it
check 'a run that nobody kills' wait $pid
took=$((($(date +%s%N) - begin) / 1000000))
lines >../lines
check 'a whole run stores a profile for each commit' is "$(wc -l <../lines | tr -d ' ')" 3
look >../after
check "an isolated run leaves the user's files as they were" \
	same ../before ../after
total=0
tries=0
while [ $total -lt "$kills" ] && [ $((tries += 1)) -le $((kills * 10)) ]; do
	try_once
done >../faults
check 'kills of isolated runs touch nothing of the user' \
	is "$(cat ../faults)" ''
echo "# $total kills in $tries runs"
check 'as many isolated kills were made as asked for' test "$total" -ge "$kills"
check 'a run after all kills works' exits 0 git perf run --again \
	--config="$scratch/jobs" HEAD
check 'a run after all kills stores its profile' says err 'added 1 profile to 1 commit'
check 'recover works after all kills' exits 0 git perf recover
# A worktree is in use as long as something lives that a killed run started.
tries=0
until [ -z "$(ls .git/perf/worktrees | grep -v lock)" ] ||
	[ $((tries += 1)) -gt 600 ]; do
	sleep 0.1
	git perf recover 2>"$err"
done
check 'recover leaves no worktree of ours' is "$(git worktree list | wc -l)" 2
check 'recover leaves no folder of a worktree' \
	is "$(ls .git/perf/worktrees | grep -v lock)" ''
check 'recover leaves no admin folder of git' is "$(ls .git/worktrees)" linked
check 'the store has no fault' exits 0 git perf fsck
check 'git is content' exits 0 git fsck --strict
