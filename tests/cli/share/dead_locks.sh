#!/bin/sh
# git leaves "<ref>.lock" where it is killed while it moves a ref, and is stopped
# by it from then on. For what is known of a remote that must not be the end.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
known=.git/refs/perf/remotes/origin

add "$one" first
must git perf push -q
must git -C "$two" perf pull -q
cd "$two" || exit 1

# The other clone is ahead, so that a fetch moves the ref.
ahead()
{
	add "$one" "$1"
	must git -C "$one" perf push -q
}

ahead second
must touch "$known/notes.lock"
check 'git itself is stopped by the lock of a dead fetch' exits 1 \
	git fetch -q origin '+refs/notes/perf:refs/perf/remotes/origin/notes'
check 'a dry run moves no ref, so that it needs no lock' exits 0 \
	git perf fetch -n -q
check 'the lock is there after a dry run' test -e "$known/notes.lock"
check 'a pull goes on behind the lock of a dead fetch' exits 0 git perf pull -q
check 'the lock is gone after the pull' test ! -e "$known/notes.lock"
check 'the pull has brought what the other clone has' \
	is "$(names "$two")" 'first second '

add "$two" third
must touch "$known/notes.lock"
check 'a push goes on behind a dead lock' exits 0 git perf push -q
check 'the push has moved what is known of the remote' \
	is "$(git rev-parse refs/perf/remotes/origin/notes)" \
	"$(git -C "$server" rev-parse refs/notes/perf)"

add "$one" fourth
must git -C "$one" perf push -q --inbox
inbox=$(git -C "$server" for-each-ref --format='%(refname)' refs/perf/inbox)
must mkdir -p "$known/inbox"
must touch "$known/inbox/${inbox##*/}.lock"
check 'a pull goes on behind the dead lock of an inbox' exits 0 git perf pull -q
check 'the profile of the inbox is here' is "$(names "$two")" \
	'first fourth second third '

# At the remote, which nobody can clear from here.
add "$two" elsewhere
must touch "$server/refs/notes/perf.lock"
check 'a push goes on behind a dead lock of the remote' exits 0 git perf push -q
check 'a dead lock of the remote is named' mentions err \
	"^warning: 'origin' does not move its ref: .*/refs/notes/perf.lock'; remove that there"
must rm "$server/refs/notes/perf.lock"
must git perf pull -q
check 'the next push tells of nothing' exits 0 git perf push -q
check 'nothing is said without a lock' silent err

# Nor is each lock that cannot be made one that somebody left.
add "$two" forbidden
undo='chmod u+w'
must chmod a-w "$server/refs/notes"
[ ! -w "$server/refs/notes" ] || {
	undo='chattr -i'
	chattr +i "$server/refs/notes" 2>&-
} && {
	check 'a push goes on where refs may not be written' \
		exits 0 git perf push -q
	check 'why they may not is told' mentions err \
		"does not move its ref: .*/refs/notes/perf.lock': [OP].*ed"
	check 'nothing is there to remove' not mentions err 'remove that'
	must $undo "$server/refs/notes"
}
must git perf pull -q

# Alive: it has the lock for longer than git waits (0.1 s), and ends as git does.
must git perf push -q
must git -C "$one" perf pull -q
ahead fifth
git rev-parse refs/perf/remotes/origin/notes >"$scratch/id"
must cp "$scratch/id" "$known/notes.lock"
(sleep 1 && mv "$known/notes.lock" "$known/notes") &
check 'a pull waits for who is alive' exits 0 git perf pull -q
wait
check 'what came after the wait is here' is "$(names "$two")" \
	'elsewhere fifth first forbidden fourth second third '
check 'nothing is wrong in the clone' sound "$two"
