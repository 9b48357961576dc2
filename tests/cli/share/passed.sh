#!/bin/sh
# Anybody who may push may leave an inbox: a bad one is passed over with one
# warning, the others are taken, and the notes of the remote still have to be
# good.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
base=$(git rev-parse base)
must add "$one" mine
must git perf push -q
E="git --git-dir=$server"
blob()
{
	printf '%s' "$1" | $E hash-object -w --stdin
}
# inbox NAME TREE: an inbox with this tree
inbox()
{
	must $E update-ref "refs/perf/inbox/$1" "$($E commit-tree -m x "$2")"
}

# Between a good one on each side: a blob, a later format, a note that is too
# large, folders that stand for 2^48 notes.
must add "$two" first
must git -C "$two" push -q origin refs/notes/perf:refs/perf/inbox/0
must $E update-ref refs/perf/inbox/1 "$(blob x)"
check 'a pull beside a blob' exits 0 git perf pull
check 'a blob is told' mentions err \
	"refs/perf/inbox/1' of 'origin' is passed over: .* is a blob, not a commit"
check 'the way to be rid of a blob is told' mentions err \
	'; it goes by: git push origin :refs/perf/inbox/1$'
check 'a blob is one warning' is "$(grep -c '^warning: ' "$err")" 1
check 'the inbox before a blob is taken' is "$(names "$one")" 'first mine '
inbox 2 "$(printf '100644 blob %s\tformat\n' "$(blob 'perf-notes 9
')" | $E mktree)"
large=$(head -c 17000000 /dev/zero | $E hash-object -w --stdin)
inbox 3 "$(printf '100644 blob %s\t%s\n' "$large" "$base" | $E mktree)"
# Four million folders take a sanitized program a minute, each time.
id=$(printf '100644 blob %s\tformat\n' "$(blob 'perf-notes 8
')" | $E mktree)
if [ -z "${ASAN_OPTIONS:-}" ]; then
	other=$(git commit-tree -m other 'base^{tree}')
	id=$(printf '100644 blob %s\t%s\n' "$(blob x)" \
		"$(echo "$other" | cut -c 13-)" | $E mktree)
	for level in 1 2 3 4 5 6; do
		id=$(awk -v id="$id" 'BEGIN { for (i = 0; i < 256; i++)
			printf "040000 tree %s\t%02x\n", id, i }' | $E mktree)
	done
fi
inbox 4 "$id"
must add "$two" last
must git -C "$two" push -q origin refs/notes/perf:refs/perf/inbox/5
check 'a pull beside all of them' exits 0 git perf pull -q
check 'all are told in one line' is \
	"$(grep -c . "$err")$(grep -c "^warning: 4 inboxes of 'origin' are passed over" "$err")" 11
check 'the inbox behind them is taken' is "$(names "$one")" 'first last mine '
check 'what was fetched and cannot be read is told' \
	exits 1 git perf fsck
check 'a fetched blob is told' mentions out \
	"^what was fetched cannot be read: .*/inbox/1': .* is a blob, not a commit"
check 'the way to be rid of it is that which a pull tells' mentions out \
	'^  to mend: git push origin :refs/perf/inbox/1, then git perf pull$'
check 'a fetched later format is told' mentions out \
	"^what was fetched cannot be read: .*/inbox/2' has format 9"
check 'nothing is wrong beside them' mentions out \
	", 3 bodies: $(grep -c '^what was fetched' "$out") problems\$"
check 'git finds nothing wrong' exits 0 git fsck --strict

# A push that has to catch up.
must git -C "$two" perf pull -q 2>"$err"
must add "$two" ahead
must git -C "$two" push -q origin refs/notes/perf
must add "$one" behind
check 'a push that catches up beside them' exits 0 git perf push
check 'a push that catches up tells them' mentions err '^warning: 4 inboxes'
check 'a push that catches up takes the good ones away, and no bad one' is \
	"$($E for-each-ref --format='%(refname:lstrip=-1)' refs/perf/inbox |
		tr '\n' ' ')" '1 2 3 4 '
must git push -q origin :refs/perf/inbox/1 :refs/perf/inbox/2 \
	:refs/perf/inbox/3 :refs/perf/inbox/4
check 'a pull without them' exits 0 git perf pull
check 'a pull without them says nothing of it' not mentions err warning
check 'nothing is wrong without them' sound "$one"

# The notes themselves.
must $E update-ref refs/notes/perf "$(blob x)"
check 'a pull of notes that are a blob fails' exits 128 git perf pull
check 'the blob is named' mentions err '^fatal: cannot unite .* is a blob'
