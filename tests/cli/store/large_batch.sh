#!/bin/sh
# Batches of which the lines or the bodies are more than is kept in memory:
# parts of them are written before the commit, which is one, or none.
. "$(dirname "$0")/../lib.sh"

# 300 commits by fast-import
awk 'BEGIN {
	for (i = 1; i <= 300; i++) {
		print "commit refs/heads/main"
		printf "committer A U Thor <author@example.com> %d +0000\n",
			1500000000 + 60 * i
		printf "data 2\nc\nM 100644 inline f\ndata %d\n%d\n",
			length(i), i
	}
}' | git fast-import --quiet
git rev-list main >"$scratch/revs"

packs()
{
	find .git/objects/pack -type f | wc -l
}

left()
{
	find .git -name 'tmp_*' -o -name '*.keep' | wc -l
}

# 44 MB of lines: 300 commits, ten lines of 15 kB each, in ten rounds; the
# first commit has a note before that
value=$(awk 'BEGIN { for (i = 0; i < 14600; i++) printf "v" }')
printf 'main;a 1\n' >a.folded
must git perf add -m "$(sed -n 1p "$scratch/revs")" a.folded
for round in 0 1 2 3 4 5 6 7 8 9; do
	sed "s/\$/	a.folded/" "$scratch/revs"
done >"$scratch/lines"
count=$(git rev-list --count refs/notes/perf)
check 'a batch of 44 MB of lines is added' \
	exits 0 git perf add --stdin --label="long=$value" <"$scratch/lines"
check 'add says how many lines it took' says err 'added 3000 profiles'
check '44 MB of lines are one commit' is \
	"$(git rev-list --count refs/notes/perf)" $((count + 1))
check 'nothing is left beside it' is "$(left)" 0
check 'each commit has its ten lines, and what it had' is \
	"$(git perf log --json | jq -c '[.commits[].profiles | length] |
		group_by(.) | map([.[0], length])')" '[[10,299],[11,1]]'
check 'git finds no fault' exits 0 git fsck --strict
check 'git perf fsck finds no fault' exits 0 git perf fsck

# 75 MB of bodies, kept as they are; the last line of the list is wrong
awk 'BEGIN {
	for (file = 0; file < 80; file++) {
		name = sprintf("big%02d.folded", file)
		for (i = 0; i < 22000; i++)
			printf "main;function_%d_%d;leaf_of_it_%d %d\n", file,
				i, i * 7919 % 10007, i + 1 >name
		close(name)
	}
}'
head -n 80 "$scratch/revs" | awk '{
	printf "%s\tbig%02d.folded\n", $1, NR - 1
}' >"$scratch/big"
{
	cat "$scratch/big"
	echo 'nothing	big00.folded'
} >"$scratch/wrong"
tip=$(git rev-parse refs/notes/perf)
before=$(packs)
check 'a batch of 75 MB of bodies fails with its last line' \
	exits 128 git perf add --stdin --verbatim <"$scratch/wrong"
check 'the line is named' mentions err 'standard input, line 81'
check 'the notes are what they were' is "$(git rev-parse refs/notes/perf)" "$tip"
check 'no pack is left of it' is "$(packs)" "$before"
check 'no other file is left of it' is "$(left)" 0
check 'without that line it is added' \
	exits 0 git perf add --stdin --verbatim <"$scratch/big"
check '75 MB of bodies are one commit, on the one before' is \
	"$(git rev-parse refs/notes/perf~1)" "$tip"
check 'nothing is left beside that, either' is "$(left)" 0
check 'a body of it is as it came' is \
	"$(git perf export "$(sed -n 80p "$scratch/revs"):big79.folded" |
		cksum)" "$(cksum <big79.folded)"
check 'git finds no fault in bodies' exits 0 git fsck --strict
must git gc -q --prune=now
check 'git gc keeps all of them' exits 0 git perf fsck
