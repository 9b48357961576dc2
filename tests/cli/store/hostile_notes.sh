#!/bin/sh
# A few kilobytes of objects that stand for millions of notes or lines: clear
# lines, in memory that does not grow with them.
. "$(dirname "$0")/../lib.sh"
need jq
commit one
printf 'main;f 1\n' >p.folded

# 64 MB of folders, as much again while they are sorted, and what the program
# is itself; the address sanitizer needs all addresses.
limited()
{
	(
		[ -n "${ASAN_OPTIONS:-}" ] || ulimit -v 400000
		exec "$@"
	)
}

# One folder of 2000 entries, 256 times in one that is 256 times in one that is
# 15 times in the root: 1,966,080,000 notes. The sixteenth first digit has none,
# so that a writer has to bring all up into the root (fantree.h).
blob=$(echo x | git hash-object -w --stdin)
tree=$(awk -v blob="$blob" 'BEGIN { for (i = 0; i < 2000; i++)
	printf "100644 blob %s\t%034x\n", blob, i }' | git mktree)
for level in 2 1; do
	tree=$(awk -v tree="$tree" 'BEGIN { for (i = 0; i < 256; i++)
		printf "040000 tree %s\t%02x\n", tree, i }' | git mktree)
done
tree=$(awk -v tree="$tree" 'BEGIN { for (i = 0; i < 15; i++)
	printf "040000 tree %s\t%x0\n", tree, i }' | git mktree)
must git update-ref refs/notes/perf "$(git commit-tree -m 'perf: add' "$tree")"
check 'log passes by two thousand million notes' exits 0 limited git-perf log
check 'status finds none of them at this commit' \
	exits 0 limited git-perf status
check 'an add that would hold all of them is refused' \
	exits 128 limited git-perf add p.folded
check 'a tree that is too large gives one line' is "$(wc -l <"$err")" 1
check 'the line says how much memory is the limit' \
	mentions err '^fatal: .*more than 64 MB$'
check 'fsck of two thousand million notes ends' exits 128 limited git-perf fsck
check 'a tree with too many entries is told with the limit' \
	says err "fatal: cannot read \
'refs/notes/perf': the notes tree has more than 4194304 folders and entries"
check 'the ref stays where it was' is \
	"$(git rev-parse 'refs/notes/perf^{tree}')" "$tree"

# Of bodies, too: rm looks at all notes, and an add behind a foreign merge at
# all bodies of the other side.
must git update-ref -d refs/notes/perf
must git perf add p.folded
good=$(git rev-parse refs/notes/perf)
bomb=$(git ls-tree "$good" | sed "s/tree [0-9a-f]*	objects/tree $tree	objects/" |
	git mktree)
side=$(git commit-tree -m 'perf: side' "$bomb")
must git update-ref refs/notes/perf \
	"$(git commit-tree -m 'notes: merge' -p "$good" -p "$side" "$good^{tree}")"
check 'a merge with two thousand million bodies does not stop an add' \
	exits 0 limited git-perf add -n more p.folded
check 'bodies that lead nowhere are left out of the tree' is \
	"$(git ls-tree -r refs/notes/perf objects/ | wc -l)" 1
must git update-ref -d refs/notes/perf

# Eight million lines that are no records: they are counted, not listed.
yes x | head -c 16000000 >../lines
must git notes --ref=perf add -F ../lines
check 'eight million lines that are no records are no hindrance' \
	exits 0 limited git-perf status
check 'fsck says so once' exits 1 limited git-perf fsck
check 'ignored lines are told with their number and the first' mentions out \
	': 8000000 lines are ignored, the first is line 1: no time$'
check 'ignored lines of a note are one problem' mentions out ': 1 problem$'
check 'an add to that note is taken' exits 0 limited git-perf add p.folded
check 'an add writes an ignored line once' is \
	"$(git notes --ref=perf show | grep -c '^x$')" 1

# More faults than anybody reads, and none of what this writes over.
must git config core.logAllRefUpdates false
must rm .git/logs/refs/notes/perf
tree=$(awk -v blob="$blob" 'BEGIN { for (i = 1; i <= 12000; i++)
	printf "100644 blob %s\t%040x\n", blob, i }' | git mktree)
must git update-ref refs/notes/perf "$(git commit-tree -m 'perf: add' "$tree")"
check 'twelve thousand notes with a fault each' exits 1 git perf fsck
check 'problems are counted to the last' mentions out ': 12000 problems$'
check 'problems are listed up to ten thousand' says out '... and 2000 more'
check 'fsck --json works with 12000 problems' exits 1 git perf fsck --json
check 'JSON has the count and the list of problems' \
	json '[.problem_count, (.problems | length)]' \
	'[12000,10000]'
