#!/bin/sh
# Workers of a CI system that push at once: each into an inbox of its own, none
# waits; any pull takes all of it in, and the next push clears the inboxes.
# PERF_WORKERS is how many there are.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
workers=${PERF_WORKERS:-8}

# Each adds a profile to each of five commits.
for n in 1 2 3 4 5; do
	must git commit -q --allow-empty -m "commit $n"
	must git tag "c$n"
done
must git push -q origin HEAD:main c1 c2 c3 c4 c5
must add "$one" before 1 c1
must git perf push -q
i=0
while [ $i -lt "$workers" ]; do
	i=$((i + 1))
	must git clone -q "$server" "$scratch/w$i" 2>"$err"
	must git -C "$scratch/w$i" perf pull -q
	for n in 1 2 3 4 5; do
		must add "$scratch/w$i" "w$i-c$n" "$i$n" "c$n"
	done
done
# all SENTENCE ARGUMENT...: every worker pushes at once
all()
{
	begun=$(date +%s%N)
	i=0
	pids=
	while [ $i -lt "$workers" ]; do
		i=$((i + 1))
		CI=true git -C "$scratch/w$i" perf push -q "$@" \
			2>"$scratch/said$i" &
		pids="$pids $!"
	done
	bad=0
	for pid in $pids; do
		wait "$pid" || bad=$((bad + 1))
	done
	echo "# $workers pushes at once: $((($(date +%s%N) - begun) / 1000000)) ms"
}
inboxes()
{
	git -C "$server" for-each-ref refs/perf/inbox | wc -l
}
count()
{
	git -C "$1" perf log --json c5 | jq '[.commits[].profiles[]] | length'
}

tip=$(git -C "$server" rev-parse refs/notes/perf)
all
check 'every worker of a CI system pushes' is "$bad" 0
check 'each push is an inbox' is "$(inboxes)" "$workers"
check 'no worker moves the notes of the remote' \
	is "$(git -C "$server" rev-parse refs/notes/perf)" "$tip"
must env CI=true git -C "$scratch/w1" perf push
check 'what is in an inbox is not sent again' is "$(inboxes)" "$workers"
check 'a pull takes the inboxes in' exits 0 git perf pull
check 'all profiles of all workers are there' \
	is "$(count "$one")" $((5 * workers + 1))
check 'the inboxes are one commit' \
	is "$(git rev-list --merges --count refs/notes/perf)" 1
check 'the commit of the inboxes has each of them as a parent' \
	is "$(git show -s --format=%P refs/notes/perf | wc -w)" $((workers + 1))
before=$(git rev-parse refs/notes/perf)
must git -C "$two" perf pull -q
must git perf pull -q
check 'a second pull of the same inboxes makes nothing new' \
	is "$(git rev-parse refs/notes/perf)" "$before"
must add "$one" behind
check 'the next push clears the inboxes' exits 0 git perf push
check 'the push says how many it cleared' mentions err \
	"^$workers inboxes of 'origin' emptied$"
check 'no inbox is left' is "$(inboxes)" 0
check 'a clone that knew the inboxes, too, pushes' \
	exits 0 git -C "$two" perf push
check 'no inbox is known any more' is \
	"$(git -C "$two" for-each-ref refs/perf/remotes/origin/inbox)" ''
must git clone -q "$server" "$scratch/last"
must git -C "$scratch/last" perf pull -q
check 'the remote has all of it' \
	is "$(count "$scratch/last")" $((5 * workers + 2))
check 'nothing is wrong behind the inboxes' sound "$scratch/last"
check 'nothing is wrong at the remote' \
	exits 0 git -C "$server" fsck --strict --no-dangling
bodies()
{
	git -C "$1" ls-tree -r --name-only refs/notes/perf objects/ | wc -l
}
check 'every body is in the tree' is "$(bodies "$scratch/last")" \
	"$(git -C "$scratch/last" perf fsck |
		sed 's/.* profiles, \([0-9]*\) bod.*/\1/')"

# The same without inboxes: slower, and nothing is lost; who loses four times
# leaves an inbox after all.
i=0
while [ $i -lt "$workers" ]; do
	i=$((i + 1))
	must add "$scratch/w$i" "again$i" "7$i"
done
all --no-inbox
check 'every worker that contends pushes' is "$bad" 0
must git perf pull -q
check 'what contends arrives' \
	is "$(count "$one")" $((6 * workers + 2))
must git perf push -q --no-inbox
check 'no inbox is left behind contention' is "$(inboxes)" 0
check 'nothing is wrong behind contention' sound "$one"

# Inboxes where the remote has no notes at all, and no worker knows another.
must git init -q --bare "$scratch/new.git"
for i in 1 2; do
	must git -C "$scratch/w$i" update-ref -d refs/notes/perf
	must git -C "$scratch/w$i" remote add new "$scratch/new.git"
	must add "$scratch/w$i" "new$i" "8$i"
	must env CI=1 git -C "$scratch/w$i" perf push -q new
done
must git init -q "$scratch/empty"
must git -C "$scratch/empty" remote add origin "$scratch/new.git"
check 'a pull of inboxes only' exits 0 git -C "$scratch/empty" perf pull
must git -C "$scratch/empty" fetch -q "$server" main
check 'inboxes alone are enough' is "$(git -C "$scratch/empty" perf log --json \
	"$(git rev-parse base)" | jq -c '[.commits[].profiles[].name] | sort')" \
	'["new1","new2"]'

check 'CI=false is no CI system' exits 0 env CI=false git perf push
