#!/bin/sh
# Notes trees that other tools leave: the same commit at several depths.
. "$(dirname "$0")/../lib.sh"
need jq
# The notes are moved by hand below: without a log nothing of before is missed.
must git config core.logAllRefUpdates false
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
check 'notes at three depths are all read' \
	is "$(names)" 'n1.folded n2.folded n3.folded '
check 'an add unites notes of three depths' exits 0 git perf add n1.folded
check 'an add leaves one note of the commit' is \
	"$(git ls-tree -r --name-only refs/notes/perf | grep -cv '^objects\|^format')" 1
check 'an add loses no line of the three notes' is "$(names)" \
	'n1.folded n1.folded n2.folded n3.folded '
check 'bodies can be anchored' exits 0 git perf fsck --repair
check 'git reads the note' is \
	"$(git notes --ref=perf show HEAD | grep -c '^perf1 ')" 4
check 'git fsck finds no fault in the united note' exits 0 git fsck --strict
for body in $bodies; do
	check "body $body is in the tree" exits 0 git cat-file -e \
		"refs/notes/perf:objects/$(echo "$body" | cut -c1-2)/$(echo "$body" | cut -c3-)"
done

# Notes of other modes: git reads them, so they are read, and an add keeps them.
# The tree's bytes are written out, because git mktree makes 100644 of 100664.
octal()
{
	echo "$1" | sed 's/../0x& /g' | xargs printf '\\%03o'
}
kept=$(names)
note=$(git rev-parse "refs/notes/perf:$id")
tip=$(git rev-parse refs/notes/perf)
for mode in 100755 100664 100600; do
	{
		printf "$mode $id\\000$(octal "$note")"
		printf "040755 objects\\000$(octal "$(git rev-parse "$tip:objects")")"
	} >../tree
	tree=$(git hash-object -t tree -w --literally ../tree)
	must git update-ref refs/notes/perf \
		"$(git commit-tree -m odd -p "$tip" "$tree")"
	check "a note of mode $mode is read" is "$(names)" "$kept"
	check "fsck looks at the note of mode $mode" exits 0 git perf fsck
	check "fsck finds the profiles of a note of mode $mode" \
		mentions out '^1 commit, 4 profiles, 3 bodies: 0 problems$'
	must git perf add -n more n2.folded
	check "an add to the note of mode $mode keeps its lines" \
		is "$(names)" "more $kept"
	check "an add writes mode 100644 where $mode was" is \
		"$(git ls-tree refs/notes/perf "$id" objects | cut -c 1-6 |
			tr '\n' ' ')" '100644 040000 '
done
must git update-ref refs/notes/perf "$tip"

# A second note of a commit that is the folder of the bodies, which an add has
# at hand, but not as a text.
entry()
{
	printf "$1 $2\\000$(octal "$3")"
}
entry 100644 "$(echo "$id" | cut -c3-)" "$(git rev-parse "$tip:objects")" >../tree
below=$(must git hash-object -t tree -w --literally ../tree)
{
	git cat-file tree "$tip^{tree}"
	entry 40000 "$two" "$below"
} >../tree
tree=$(must git hash-object -t tree -w --literally ../tree)
must git update-ref refs/notes/perf \
	"$(git commit-tree -m odd -p "$tip" "$tree")"
commit two
check 'the folder of the bodies is not taken for the text of a note' \
	exits 128 git perf add n1.folded
check 'the commit whose note is a folder is named' \
	mentions err "^fatal: .*'$id'.* is a tree, not a blob\$"
must git reset -q --hard "$id"
must git update-ref refs/notes/perf "$tip"

# A file 'format' that nobody can write beside, and a ref that is a branch.
with_format()
{
	tree=$(git ls-tree refs/notes/perf | grep -v '	format$' |
		{ cat; printf '%s\tformat\n' "$1"; } | git mktree)
	must git update-ref refs/notes/perf "$(git commit-tree -m odd "$tree")"
}
with_text()
{
	with_format "100644 blob $(printf "$1" | git hash-object -w --stdin)"
	tip=$(git rev-parse refs/notes/perf)
}
writes_nothing()
{
	exits 128 git perf add n1.folded && says err "fatal: $1" &&
		exits 128 git perf rm 0@i && says err "fatal: $1" &&
		is "$(git rev-parse refs/notes/perf)" "$tip"
}
names >before
with_format "040000 tree $(git mktree </dev/null)"
check 'fsck tells of a folder that is called format' exits 1 git perf fsck
check 'fsck tells what add would say of such a folder' mentions out "refs/notes/perf'"
check 'nothing is added beside a folder that is called format' \
	exits 128 git perf add n1.folded

with_text 'perf-notes 2\nepoch 0\n'
newer="'refs/notes/perf' has format 2, this git-perf knows format 1: use a \
newer one"
for command in log fsck status 'show 0@i'; do
	check "$command does not read a later format" \
		exits 128 git perf $command
	check "$command says which git-perf would" says err "fatal: $newer"
done
check 'nothing is written in a later format' writes_nothing "$newer"
with_text 'perf-notes 1\ncompacted-from 0123\nepoch 7\n'
check 'records of a later epoch are read' is "$(names)" "$(cat before)"
check 'records are added in a later epoch' exits 0 git perf add n1.folded
check 'fsck finds nothing wrong in a later epoch' exits 0 git perf fsck
check 'an epoch stays as it is' \
	is "$(git show refs/notes/perf:format | tail -n 1)" 'epoch 7'
with_text 'perf-notes 1\nepoch 4294967297\n'
later="'refs/notes/perf' has epoch 4294967297, at most 4294967296 can be"
check 'records of too late an epoch are read' is "$(names)" \
	"n1.folded $(cat before)"
check 'nothing is written to too late an epoch' writes_nothing "$later"
check 'fsck fails at records of too late an epoch' exits 1 git perf fsck
check 'fsck says of too late an epoch what add says' \
	mentions out "has epoch 4294967297, at most"
with_text 'perf-notes 1\nepoch seven\n'
check 'an epoch that is no number is not written to' \
	exits 128 git perf add n1.folded
with_text 'perf-notes 1\nsome-later-word 3\n'
check 'lines of format that nobody knows do no harm' \
	exits 0 git perf add n1.folded
check 'unknown lines of format stay as they are' \
	is "$(git show refs/notes/perf:format | tail -n 1)" 'some-later-word 3'
must git update-ref -d refs/notes/perf
must git symbolic-ref refs/notes/perf refs/heads/main
check 'a branch under the name is not written to' \
	exits 128 git perf add n1.folded
check 'the refusal says that the ref is symbolic' \
	says err "fatal: 'refs/notes/perf' is a symbolic \
ref to 'refs/heads/main', which is not below refs/notes/"
check 'the branch that a symbolic ref leads to stays' \
	is "$(git rev-parse main)" "$id"
