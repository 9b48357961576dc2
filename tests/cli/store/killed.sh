#!/bin/sh
# kill -9 at any moment of an add: the old state or the new one, and the next
# add works.
. "$(dirname "$0")/../lib.sh"
need jq
commit one
printf 'main;work 1\n' >p.folded
must git perf add p.folded
count()
{
	git perf log --json | jq '[.commits[].profiles[]]|length'
}
before=$(count)
i=0
torn=0
while [ $i -lt "${PERF_KILLS:-30}" ]; do
	i=$((i + 1))
	git-perf add p.folded 2>/dev/null &
	pid=$!
	# a different moment each time: so many steps of a loop that no sleep
	# could be as short as
	n=0
	while [ $n -lt $((i * 97 % 4000)) ]; do n=$((n + 1)); done
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	now=$(count)
	[ "$now" -eq "$before" ] || [ "$now" -eq $((before + 1)) ] || torn=1
	before=$now
done
check 'each kill left the old state or the new one' is $torn 0
check 'the store has no fault' exits 0 git perf fsck
check 'git fsck is content after all kills' exits 0 git fsck --strict
check 'the next add works' exits 0 git perf add p.folded
check 'the add after the kills is listed' is "$(count)" $((before + 1))

# What a process leaves that dies while it moves the ref: its announcement and
# git's lock file with the new id, or still empty.
died_moving()
{
	printf '%040d refs/notes/perf %s' 7 "$(uname -n)" >.git/perf/lock
	printf '%s' "$1" >.git/refs/notes/perf.lock
}
died_moving "$(printf '%040d' 7)"
check 'a lock file that the dead one filled' exits 0 git perf add p.folded
died_moving ''
check 'a lock file that it had just made' exits 0 git perf add p.folded
died_moving ''
git-perf add p.folded 2>/dev/null &
sleep .2
kill -9 $!
wait $! 2>/dev/null
check 'a lock whose waiter died is taken' exits 0 git perf add p.folded
# The first note of a repository is git's to move: it is killed alone.
must mkdir "$scratch/deadly"
cat >"$scratch/deadly/git" <<'END'
#!/bin/sh
case " $* " in
*" update-ref "*)
	for word; do id=$next next=$word; done
	mkdir -p .git/refs/notes
	printf '%s\n' "$id" >.git/refs/notes/perf.lock
	kill -9 $$
esac
PATH=${PATH#*:}
exec git "$@"
END
chmod +x "$scratch/deadly/git"
must git update-ref -d refs/notes/perf
check 'an add whose git is killed fails' exits 128 \
	env PATH="$scratch/deadly:$PATH" git-perf add p.folded
check 'an add after one whose git was killed works' exits 0 git perf add p.folded
must git config core.filesRefLockTimeout 50
died_moving "$(printf '%040d' 8)"
check 'a lock file of somebody else' exits 128 git perf add p.folded
check 'a lock of somebody else is named' \
	mentions err "refs/notes/perf.lock' is in the way"
check 'a lock of somebody else stays where it is' \
	exits 0 rm .git/refs/notes/perf.lock
