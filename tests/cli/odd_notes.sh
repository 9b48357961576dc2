#!/bin/sh
# Notes trees that other tools leave: the same commit at several depths.
. "$(dirname "$0")/lib.sh"
need jq
commit one
id=$(git rev-parse HEAD)
two=$(echo "$id" | cut -c1-2)
four=$(echo "$id" | cut -c3-4)
for n in 1 2 3; do
	printf 'main;n%d %d\n' $n $n >n$n.folded
	must git perf add n$n.folded
	git show "refs/notes/perf:$id" >line$n
	must git update-ref -d refs/notes/perf
	eval "blob$n=\$(git hash-object -w line$n)"
done
bodies=$(for n in 1 2 3; do
	awk '{ print $5 }' line$n
done)
tree=$(printf '100644 blob %s\t%s\n' "$blob3" "$(echo "$id" | cut -c5-)" |
	git mktree)
tree=$(printf '100644 blob %s\t%s\n040000 tree %s\t%s\n' "$blob2" \
	"$(echo "$id" | cut -c3-)" "$tree" "$four" | git mktree)
tree=$(printf '100644 blob %s\t%s\n040000 tree %s\t%s\n' "$blob1" "$id" \
	"$tree" "$two" | git mktree)
must git update-ref refs/notes/perf "$(git commit-tree -m odd "$tree")"
names()
{
	git perf log --json | jq -r '.commits[0].profiles[].name' | sort |
		tr '\n' ' '
}
check 'all three are read' is "$(names)" 'n1.folded n2.folded n3.folded '
check 'an add unites them' exits 0 git perf add n1.folded
check 'in one note' is \
	"$(git ls-tree -r --name-only refs/notes/perf | grep -cv '^objects\|^format')" 1
check 'nothing is lost' is "$(names)" \
	'n1.folded n1.folded n2.folded n3.folded '
check 'bodies can be anchored' exits 0 git perf fsck --repair
check 'git reads the note' is \
	"$(git notes --ref=perf show HEAD | grep -c '^perf1 ')" 4
check 'and finds no fault' exits 0 git fsck --strict
for body in $bodies; do
	check "body $body is in the tree" exits 0 git cat-file -e \
		"refs/notes/perf:objects/$(echo "$body" | cut -c1-2)/$(echo "$body" | cut -c3-)"
done

# A file 'format' that nobody can write beside, and a ref that is a branch.
with_format()
{
	tree=$(git ls-tree refs/notes/perf | grep -v '	format$' |
		{ cat; printf '%s\tformat\n' "$1"; } | git mktree)
	must git update-ref refs/notes/perf "$(git commit-tree -m odd "$tree")"
}
for odd in "040000 tree $(git mktree </dev/null)" \
	"100644 blob $(echo 'perf-notes 2' | git hash-object -w --stdin)"; do
	with_format "$odd"
	check "fsck says of '$odd'" exits 1 git perf fsck
	check 'what add would' mentions out "refs/notes/perf'"
	check 'which refuses' exits 128 git perf add n1.folded
done
must git update-ref -d refs/notes/perf
must git symbolic-ref refs/notes/perf refs/heads/main
check 'a branch under the name is not written to' \
	exits 128 git perf add n1.folded
check 'for that is what it is' says err "fatal: 'refs/notes/perf' is a symbolic \
ref to 'refs/heads/main', which is not below refs/notes/"
check 'and it stays' is "$(git rev-parse main)" "$id"
