#!/bin/sh
# What was measured of commits that were rebased stays: however many they are,
# and of merges and empty commits, which have no change to be known by.
. "$(dirname "$0")/../lib.sh"

add()
{
	printf 'main;%s 5\nmain 3\n' "$1" >"$scratch/p.folded"
	must git perf add -n "$1" -m "$2" "$scratch/p.folded" 2>"$scratch/said"
}
# No reflog, nothing but refs.
forget()
{
	must git reflog expire --expire=now --all
	rm -f .git/ORIG_HEAD
}

# More commits than changes are read at once: a topic, and the same upon main.
count=1020
must git init -q -b main "$scratch/many"
cd "$scratch/many" || exit 1
awk -v count=$count '
function commit(ref, time, file) {
	printf "commit refs/heads/%s\nauthor A <a@x> %d +0000\n", ref, time
	printf "committer C <c@x> %d +0000\ndata 2\nm\n", time
	printf "M 100644 inline %s\ndata 2\nx\n\n", file
}
BEGIN {
	for (i = 1; i <= count; i++) commit("topic", 1700000000 + i, "f" i)
	commit("main", 1600000000, "base")
	for (i = 1; i <= count; i++) commit("main", 1700000000 + i, "f" i)
}' >"$scratch/import"
must git fast-import --quiet <"$scratch/import"
printf 'main;a 5\n' >"$scratch/p.folded"
must git rev-list topic >"$scratch/topic"
sed "s,\$,	$scratch/p.folded," "$scratch/topic" >"$scratch/list"
must git perf add --stdin <"$scratch/list" 2>"$scratch/said"
must git branch -q -D topic
must git reset -q --hard main
forget
check 'prune of a long branch that was rebased' \
	exits 0 git perf prune --expire=0 --offline
check 'prune keeps what was measured of rebased commits' says err \
	"pruned nothing; $count rewritten commits stay for what became of them"

# A merge and an empty commit that were rebased.
must git init -q -b main "$scratch/merge"
cd "$scratch/merge" || exit 1
commit base
must git checkout -q -b topic
echo g >g
must git add g
commit g
must git checkout -q -b side HEAD^
echo h >h
must git add h
commit h
change=$(git rev-parse HEAD)
must git checkout -q topic
must git merge -q --no-edit side
merge=$(git rev-parse HEAD)
commit empty
add empty HEAD
add merge "$merge"
add change "$change"
must git checkout -q main
echo other >f
must git add f
commit other
must git checkout -q topic
must git rebase -q --rebase-merges main
must git branch -q -D side
forget
check 'prune of a merge that was rebased' \
	exits 0 git perf prune --expire=0 --offline
check 'the merge stays, and the empty commit' says err \
	'pruned nothing; 3 rewritten commits stay for what became of them'

# One that was rebased elsewhere is not here: it stays until it is asked for.
must git clone -q --no-local "$scratch/merge" "$scratch/clone"
must git -C "$scratch/clone" fetch -q origin refs/notes/perf:refs/notes/perf
check 'prune where the commits are not here' \
	exits 0 git -C "$scratch/clone" perf prune --expire=0 --offline
check 'what is not here stays' prints err <<'END'
pruned nothing; 3 vanished commits that are not here stay ('--absent' takes them out)
END
check 'prune of what is absent' \
	exits 0 git -C "$scratch/clone" perf prune --expire=0 --offline --absent
check 'what is absent goes when it is asked for' mentions err \
	'^pruned 3 records \(3 vanished commits\)'

# The time alone does not do where there is a change.
echo one >i
must git add i
commit one
add one HEAD
echo two >i
must git commit -q -a --amend -m two
forget
check 'prune of a change that was amended away' \
	exits 0 git perf prune --expire=0 --offline
check 'what is nowhere goes' mentions err \
	'^pruned 1 record \(1 vanished commit\)'
