#!/bin/sh
# kill -9 at so many points of runs in place (the program, a git process of it,
# or all of them), then git perf recover: every dirty state is as it was. So it
# is after a system call failed, and nothing is lost that an editor saves.
# In memory where there is such a folder: disks make the same kills slow.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || TMPDIR=/dev/shm
export TMPDIR
. "$(dirname "$0")/../lib.sh"
need bash
case ${ASAN_OPTIONS:-} in
?*) skip 'the address sanitizer wants to be the first library, so is what kills' ;;
esac
states=$root/tests/data/dirty-states
bin=${PERF_BIN:-$root/build/bin}
kills=${PERF_KILLS:-50}
# the same ones each time, but for --long: what only some find refuses no change
# of somebody else's
seed=${PERF_SEED:-1}
[ "$seed" != date ] || seed=$(date +%s)
errors=${PERF_ERRORS:-50}
saves=${PERF_SAVES:-50}
# What the dead leave for others to sweep goes with this folder.
TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
git config --global gc.auto 0
git config --global maintenance.auto false

names=$(sed -n 's/^\([a-z_0-9]*\)).*/\1/p' "$states/cases.sh" | grep -vx unborn)

# The state $1 in a repository of its own, where we then stand.
state()
{
	sub=
	autocrlf=
	case $1 in
	sub*) sub=1 ;;
	crlf*) autocrlf=input ;;
	esac
	mkdir -p "$scratch/states/$1"
	cd "$scratch/states/$1" || return
	SUB=$sub AUTOCRLF=$autocrlf bash "$states/base.sh" "$PWD/repo" \
		>/dev/null 2>&1
	cd repo || return
	TMPDIR=.. bash "$states/cases.sh" "$1" >/dev/null 2>&1
	git status >/dev/null
}

# try WHAT STATE N: prints what is wrong and how many kills there were of each
# kind; the N-th state has other points than the others
try()
{
	kills "$1" $((seed + $3)) "$bin/killpoint.so" inplace \
		inplace begin master~1 master ||
		echo "FAILED $2, seed $seed"
}

# The same beside a gc that prunes what nothing refers to.
try_beside_gc()
{
	while git -c gc.packRefs=false -c gc.pruneExpire=now gc -q; do
		git prune
	done 2>/dev/null &
	beside=$!
	try "$@"
	kill "$beside" 2>/dev/null
}

# As many rounds of a kind as asked for are made in all states together. After
# each of them a state is as it was, so that the next kind begins there, too.
count=$(echo $names | wc -w)
each()
{
	echo $((($1 + count - 1) / count))
}
half()
{
	n=0
	for name in $names; do
		n=$((n + 1))
		[ $((n % 2)) -eq "$1" ] || continue
		state "$name"
		ended=kill=$(each "$kills"),fail=$(each "$errors")
		saved=save=$(each "$saves")
		if [ -n "${PERF_GC:-}" ]; then
			try "$ended" "$name" $n
			try_beside_gc "$saved" "$name" $n
		else
			try "$ended,$saved" "$name" $n
		fi
	done
}

# Of the numbers behind $1 and before $2, each in a line of its own.
sum()
{
	sed -n "s/^$1\([0-9]*\) $2.*/\1/p" "$out" | awk '{ n += $1 } END { print n + 0 }'
}

half 0 >"$scratch/half0" 2>&1 &
half 1 >"$scratch/half1" 2>&1
wait $!
cat "$scratch/half0" "$scratch/half1" >"$out"
check "as many kills were made as asked for ($(sum 'kill: ' kills))" \
	[ "$(sum 'kill: ' kills)" -ge "$kills" ]
check "as many errors were injected as asked for ($(sum 'fail: ' kills))" \
	[ "$(sum 'fail: ' kills)" -ge "$errors" ]
check "as many saves were made as asked for ($(sum '' saves))" \
	[ "$(sum '' saves)" -ge "$saves" ]
sed -i '/ kills, of/d; / saves$/d' "$out"
check 'all states are as they were after each kill and each error' \
	not mentions out '^(FAILED|not as|nothing was said)'
check 'nothing is lost that was saved during runs that were killed' \
	not mentions out '^LOST'

# a folder in the place of the commit's file, which comes back once more when
# it was not certain to be on the disk
(cd "$scratch/states/file_to_dir/repo" && try fsync=200 file_to_dir 0) \
	>"$out" 2>&1
check 'a folder in the place of a file is back after each failure of fsync' \
	not mentions out '^(FAILED|not as)'
check 'fsync failed at more than 20 places' [ "$(sum 'fsync: ' kills)" -gt 20 ]
