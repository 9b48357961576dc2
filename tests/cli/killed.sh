#!/bin/sh
# kill -9 at any moment of an add: the old state or the new one, and the next
# add works.
. "$(dirname "$0")/lib.sh"
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
while [ $i -lt "${PERF_KILLS:-60}" ]; do
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
	rm -f .git/refs/notes/perf.lock
done
check 'each kill left the old state or the new one' is $torn 0
check 'the store has no fault' exits 0 git perf fsck
check 'git is content' exits 0 git fsck --strict
check 'the next add works' exits 0 git perf add p.folded
check 'and is there' is "$(count)" $((before + 1))
