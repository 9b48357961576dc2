#!/bin/sh
# Notes that were fetched without their history, as CI services fetch: what is
# measured on top of them comes to others by every way.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

# shallow CLONE: of the notes the newest commit alone, as `git perf init` and
# `git fetch --depth=1` leave it, and a profile of the clone's name on top
shallow()
{
	must git clone -q --depth=1 "file://$server" "$scratch/$1"
	must git -C "$scratch/$1" fetch -q --tags --depth=1
	must git -C "$scratch/$1" perf init >"$out" 2>"$err"
	must git -C "$scratch/$1" fetch -q --depth=1
	must git -C "$scratch/$1" perf pull -q
	must is "$(git -C "$scratch/$1" rev-list --count refs/notes/perf)" 1
	must add "$scratch/$1" "$1"
}
# The server has nothing of what was before.
compact()
{
	must git perf gc -q
	must git perf push -q
	must git -C "$server" gc -q --prune=now
}
inboxes()
{
	git -C "$server" for-each-ref refs/perf/inbox | wc -l
}

must add "$one" first
must add "$one" second
must git perf push -q
shallow worker
shallow other
shallow file
must git perf rm -m base first 2>"$err"
compact

check 'a worker with shallow notes pushes behind a gc of others' \
	exits 0 env CI=true git -C "$scratch/worker" perf push
check 'such a push is an inbox' mentions err "into an inbox"
check 'once more sends nothing' \
	exits 0 env CI=true git -C "$scratch/worker" perf push
check 'once more says so' says err "'origin' has all profiles that are here"
check 'there is one inbox of the worker' is "$(inboxes)" 1
check 'the server has all of the inbox' \
	exits 0 git -C "$server" fsck --strict --connectivity-only
check 'the notes of the worker are whole' sound "$scratch/worker"
check 'without an inbox it goes, too' \
	exits 0 git -C "$scratch/other" perf push --no-inbox
check 'a pull takes the records of both in' exits 0 git perf pull
check 'nothing lacks, and what was removed stays out' \
	is "$(names "$one")" 'other second worker '
check 'all is sound behind it' sound "$one"
check 'the next push empties the inbox' exits 0 git perf push
check 'no inbox is left' is "$(inboxes)" 0
check 'the worker goes on' exits 0 git -C "$scratch/worker" perf pull
check 'the worker has what the others have' \
	is "$(names "$scratch/worker")" 'other second worker '

# A server that lost the notes altogether.
shallow late
must git push -q origin :refs/notes/perf
must git -C "$server" gc -q --prune=now
check 'shallow notes go to a server that has none' \
	exits 0 git -C "$scratch/late" perf push --no-inbox
check 'all that was there is there again' \
	is "$(git clone -q "$server" "$scratch/look" &&
		git -C "$scratch/look" perf pull -q &&
		names "$scratch/look")" 'late other second worker '

# A file is of use to who has none of that history.
cd "$scratch/file" || exit 1
check 'shallow notes are written as a file of all' \
	exits 0 git perf bundle create --all "$scratch/all.bundle"
check 'git finds the file whole' exits 0 git bundle verify "$scratch/all.bundle"
check 'the file builds on nothing' mentions out 'records a complete history'
must git clone -q "$server" "$scratch/taker"
check 'a clone without notes takes the file' \
	exits 0 git -C "$scratch/taker" perf bundle apply "$scratch/all.bundle"
check 'the file has all that was there' \
	is "$(names "$scratch/taker")" 'file first second '
check 'nothing is wrong behind the file' sound "$scratch/taker"
check 'nothing is wrong where the file was written' sound "$scratch/file"

# A commit that is behind the end of what was fetched.
first=$(git rev-list --max-parents=0 HEAD)
commit newer
must git push -q origin HEAD
must git clone -q --depth=1 "file://$server" "$scratch/cut"
cd "$scratch/cut" || exit 1
printf 'main;f 1\n' >"$scratch/p"
check 'an add to a commit behind the end' exits 128 \
	git perf add -m "$first" "$scratch/p"
check 'what gets that commit is told' says err \
	"fatal: no such commit '$first' in this shallow clone ('git fetch --unshallow' gets all)"
must git fetch -q --unshallow
check 'behind git fetch --unshallow it can be added to' exits 0 \
	git perf add -m "$first" "$scratch/p"
absent=0123456789012345678901234567890123456789
check 'an add to a commit that is nowhere' exits 128 \
	git perf add -m $absent "$scratch/p"
check 'a whole id that is nowhere is named' says err "fatal: no such commit '$absent'"

# A file that builds on what a clone has of notes without their history.
cd "$one" || exit 1
must git perf pull -q
must git perf push -q
for name in takes whole; do
	must git clone -q "file://$server" "$scratch/$name"
	must git -C "$scratch/$name" fetch -q --depth=1 origin \
		refs/notes/perf:refs/notes/perf
	must git -C "$scratch/$name" perf pull -q
done
check 'the notes have a history' test "$(git rev-list --count refs/notes/perf)" -gt 1
must add "$one" later
must git perf bundle create -q "$scratch/later.bundle"
must git perf bundle create -q --all "$scratch/whole.bundle"
check 'shallow notes take in a file that builds on them' \
	exits 0 git -C "$scratch/takes" perf bundle apply "$scratch/later.bundle"
check 'shallow notes take in a file that builds on nothing' \
	exits 0 git -C "$scratch/whole" perf bundle apply "$scratch/whole.bundle"
for name in takes whole; do
	check "nothing lacks behind a file, $name" \
		is "$(names "$scratch/$name")" "$(names "$one")"
	check "all is sound behind a file, $name" sound "$scratch/$name"
	check "what came with a file is pushed, $name" \
		exits 0 git -C "$scratch/$name" perf push --no-inbox
done
check 'the server has all of the files' exits 0 git -C "$server" fsck --strict
