#!/bin/sh
# git notes merge -s union doubles what both sides have: git-perf writes each
# line once, and reads a note that has grown far above the limit.
. "$(dirname "$0")/lib.sh"
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
check 'and nothing was lost by uniting' is "$(names .)" "$expected""last "

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
check 'for there is nothing to say' silent err
check 'status of it is read' exits 0 git perf status
check 'an add to it is taken' exits 0 git perf add -n after p.folded
check 'which writes each line once' is "$(lines .)" 13
check 'and loses none' is "$(names .)" \
	"$(echo "$before" | sed 's/a5 /a5 after /')"
grow 17000000
check 'rm from such a note works' exits 0 git perf rm after
check 'and loses nothing else' is "$(names .)" "$before"
