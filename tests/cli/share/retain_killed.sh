#!/bin/sh
# kill -9 at any moment of gc, prune, push, pull and of taking in: what was
# acknowledged is there afterwards, what was taken out is not, and the next call
# finishes. PERF_KILLS is how many.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
kills=${PERF_KILLS:-20}
n=0
live=
removed=
add "$one" first
must git perf push -q
live=first

# killed COMMAND...: run it and kill it after up to 63 ms, or a bit later where
# the machine is slow; whether it came to its end does not matter.
killed()
{
	n=$((n + 1))
	timeout -s KILL 0.0$(($(od -An -N1 -tu1 /dev/urandom) / 4 + 10)) "$@" \
		>"$scratch/ignored" 2>&1
}

expected()
{
	echo "$live" | tr ' ' '\n' | grep . | sort | tr '\n' ' '
}

i=0
while [ $n -lt "$kills" ]; do
	i=$((i + 1))
	add "$one" "a$i"
	add "$two" "b$i"
	live="$live a$i b$i"
	killed git perf push
	killed git -C "$two" perf pull
	if [ $((i % 3)) -eq 0 ]; then
		must git perf rm -m base "a$i" 2>"$scratch/ignored"
		live=$(echo "$live" | sed "s/ a$i\\>//")
		removed="$removed a$i"
	fi
	killed git perf gc
	killed git -C "$two" perf push
	killed git -C "$two" perf gc
	killed git perf pull
	killed git perf prune --expire=0
	killed git -C "$two" perf push --inbox
	# only what nobody is at work on: each of these was killed
	git -C "$server" for-each-ref --format='%(refname)' refs/perf |
		while read -r ref; do
			rm -f "$server/$ref.lock"
		done
	rm -f "$server"/refs/notes/perf.lock "$server"/packed-refs.lock \
		"$server"/packed-refs.new
done
for round in 1 2 3; do
	check "round $round: a pull finishes" exits 0 git perf pull -q
	check "round $round: a push finishes" exits 0 git perf push -q
	check "round $round: the other pulls" exits 0 git -C "$two" perf pull -q
	check "round $round: the other pushes" exits 0 git -C "$two" perf push -q
done
check 'all that was acknowledged is there, nothing that was taken out' \
	is "$(names "$one")" "$(expected)"
check 'all that was acknowledged is in the other clone' \
	is "$(names "$two")" "$(expected)"
check 'gc behind all of it' exits 0 git perf gc -q
check 'gc keeps all of it' is "$(names "$one")" "$(expected)"
check 'nothing is wrong in the first clone' sound "$one"
check 'nothing is wrong in the second clone' sound "$two"
check 'git finds nothing wrong at the server' \
	exits 0 git -C "$server" fsck --strict
