#!/bin/sh
# git notes merge -s union doubles what both sides have: git-perf writes each
# line once, and reads a note that has grown far above the limit.
. "$(dirname "$0")/../lib.sh"
need jq
commit one
id=$(git rev-parse HEAD)
printf 'main;f 1\n' >p.folded
must git perf add -n first p.folded
must git clone -q . ../other
must git -C ../other fetch -q origin refs/notes/perf:refs/notes/perf
names()
{
	git -C "$1" perf log --json -n 1 "$id" |
		jq -r '.commits[0].profiles[].name' | sort | tr '\n' ' '
}
lines()
{
	git -C "$1" notes --ref=perf show "$id" | grep -c '^perf1 '
}

# Each side adds and takes the other's note; 2^n lines after n rounds of git
# alone, 2 n + 1 of git-perf, whose adds write what the merges doubled.
expected='first '
for round in 1 2 3 4 5; do
	must git perf add -n "a$round" p.folded
	must git -C ../other perf add -n "b$round" "$PWD/p.folded"
	must git fetch -q ../other refs/notes/perf:refs/notes/theirs
	must git notes --ref=perf merge -q -s union theirs
	must git -C ../other fetch -q origin refs/notes/perf:refs/notes/theirs
	must git -C ../other notes --ref=perf merge -q -s union theirs
done 2>../said
for round in 1 2 3 4 5; do
	expected="$expected""a$round b$round "
done
expected=$(echo "$expected" | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/^ //')
must git perf add -n last p.folded
check 'after five rounds of union merges the note has each line once' \
	is "$(lines .)" 12
check 'uniting loses no profile' is "$(names .)" "$expected""last "

# A text that git doubled until it was above what one note may have.
grow()
{
	git notes --ref=perf show "$id" >../note
	while [ "$(wc -c <../note)" -lt "$1" ]; do
		cat ../note ../note >../twice
		mv ../twice ../note
	done
	must git notes --ref=perf add -f -F ../note "$id"
}
before=$(names .)
grow 17000000
check 'a note of more than 16 MB of equal lines is listed' \
	is "$(names .)" "$before"
check 'log of it says nothing else' exits 0 git perf log -n 1
check 'fsck is silent about a united note' silent err
check 'status of it is read' exits 0 git perf status
check 'an add to it is taken' exits 0 git perf add -n after p.folded
check 'an add writes each line once' is "$(lines .)" 13
check 'an add loses no profile' is "$(names .)" \
	"$(echo "$before" | sed 's/a5 /a5 after /')"
grow 17000000
check 'rm from such a note works' exits 0 git perf rm after
check 'rm loses no other profile' is "$(names .)" "$before"

# fsck: such a note is told, and mended without losing a line.
grow 17000000
size=$(git notes --ref=perf show "$id" | wc -c)
check 'fsck tells a note that other programs cannot read' exits 1 git perf fsck
check 'fsck says both sizes of a long note' \
	mentions out "the note has $size bytes, and [0-9]+ with \
each line once\$"
check 'fsck advises nothing that loses the note' \
	not mentions out 'notes .*remove'
check 'fsck --repair works on a note that grew by unions' exits 0 git perf fsck --repair
check 'fsck --repair says what it did' says err 'wrote each line once in 1 note'
check 'fsck --repair leaves no problem' mentions out ': 0 problems$'
check 'repair loses no profile' is "$(names .)" "$before"
small=$(git notes --ref=perf show "$id" | wc -c)

# Above what is read at all (64 MB).
grow 68000000
check 'a note of more than 64 MB is passed over by log' exits 0 git perf log -n 1
check 'log of a note that is too long warns' \
	mentions err '^warning: the note of commit .* is passed over'
check 'an add to it is refused' exits 128 git perf add p.folded
commit two
must git update-ref refs/perf/remotes/origin/notes "$(git commit-tree -m x \
	"$(git mktree </dev/null)")"
must git config remote.origin.url ../other
check 'status of another commit works beside a note that is too long' exits 0 git perf status
check 'status counts records to be pushed beside a note that is too long' \
	says out '1 record not pushed ("git perf push origin")'
check 'fsck finds a note that is too long' exits 1 git perf fsck
check 'fsck says what mends a note that is too long' \
	mentions out 'to mend: git perf fsck --repair, which'
check 'fsck --repair reads a note that is too long' exits 0 git perf fsck --repair
check 'a refused add leaves all profiles' is "$(names .)" "$before"
check 'a refused add leaves the bytes of the note' \
	is "$(git notes --ref=perf show "$id" | wc -c)" "$small"

# More different lines than fit: nothing is written, nothing is lost.
awk 'BEGIN { for (i = 0; i < 1100000; i++) printf "line %012d\n", i }' >../note
must git notes --ref=perf add -f -F ../note "$id"
tip=$(git rev-parse refs/notes/perf)
check 'a note of too many different lines is told' exits 1 git perf fsck
check 'fsck says how to keep the text of a note beyond repair' mentions out \
	'to mend: git notes --ref=perf show <commit> >file keeps its text'
check 'an add to a note of too many lines is refused' \
	exits 128 git perf add -m "$id" p.folded
check 'fsck --repair fails at a note beyond repair' \
	exits 1 git perf fsck --repair
check 'fsck --repair leaves a note beyond repair' \
	is "$(git rev-parse refs/notes/perf)" "$tip"
