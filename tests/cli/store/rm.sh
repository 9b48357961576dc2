#!/bin/sh
# rm: tombstones, and bodies that go when nothing needs them.
. "$(dirname "$0")/../lib.sh"
need jq sha256sum
bodies()
{
	git ls-tree -r refs/notes/perf objects/ | wc -l
}
stacks()
{
	awk -v seed="$1" 'BEGIN { for (i = 0; i < 400; i++) print \
		"main;f" i % 7 ";g" i, (i + 1) * 10 + (i % 5 ? 0 : seed) }'
}
sum_of()
{
	git perf export --to=collapsed -m "$1" 0@i | sort | cksum
}

# Tombstones are the newest lines, and stand before what they name.
commit several
for i in 0 1 2 3 4; do
	echo "main;a $i" >$i.folded
	must git perf add $i.folded
done
must git perf rm 1.folded 3.folded
check 'rm takes the profile in the middle and no other' is \
	"$(git perf status --json | jq -r '.profiles[].name' | tr '\n' ' ')" \
	'4.folded 2.folded 0.folded '
check 'a removed profile is not found' exits 128 git perf rm 1.folded
must git perf rm 0@i-2@i

# Too few stacks for a delta: equal profiles have equal bodies.
commit one
printf 'main;a 1\n' >small.folded
must git perf add small.folded
commit two
must git perf add small.folded
check 'equal profiles of two commits have one body' is "$(bodies)" 1
must git perf rm 0@i
check 'a body that another commit needs stays' is "$(bodies)" 1
check 'a shared body is shown after rm' exits 0 git perf show -m HEAD~1 0@i
must git perf rm -m HEAD~1 0@i
check 'a body goes with the last profile that needs it' is "$(bodies)" 0

for i in 1 2 3 4 5 6; do
	commit "chain $i"
	stacks $i >p.folded
	must git perf add p.folded
	sort p.folded | cksum >"$scratch/sum.$i"
done
git notes --ref=perf list | cut -d' ' -f1 | git cat-file --batch >"$scratch/notes"
check 'bodies of a series build on each other' \
	is "$(grep -c ' base=' "$scratch/notes")" 5
must git perf rm -m HEAD~3 0@i
check 'the middle one is a base' is "$(bodies)" 6
must git gc -q --prune=now
for i in 1 2 4 5 6; do
	check "profile $i is whole" is "$(sum_of HEAD~$((6 - i)))" \
		"$(cat "$scratch/sum.$i")"
done
check 'fsck finds nothing' exits 0 git perf fsck
check 'git fsck finds nothing wrong after rm' exits 0 git fsck --strict
for i in 2 1 0; do
	must git perf rm -m HEAD~$i 0@i
done
check 'a dead chain goes, whatever was removed first' is "$(bodies)" 2
check 'what rm was not asked for stays' is "$(sum_of HEAD~5) $(sum_of HEAD~4)" \
	"$(cat "$scratch/sum.1") $(cat "$scratch/sum.2")"

# A pending one first, then two commits.
must git perf collect -r 1 -- true
commit more
must git perf add small.folded
check 'profiles of two commits' exits 128 \
	git perf rm 0@p 0@i HEAD~5:0@i
check 'profiles of two commits in one rm are refused' \
	mentions err '^fatal: profiles of two commits'
check 'a refused rm removes nothing' exits 0 git perf show 0@i

# The other side of a plain merge adds while this one removes.
must git clone -q . ../other
must git -C ../other fetch -q origin refs/notes/perf:refs/notes/perf
before=$(bodies)
must git perf rm 0@i
gone=$(bodies)
stacks 70 >../other/q.folded
must git -C ../other perf add q.folded
must git fetch -q ../other refs/notes/perf:refs/notes/theirs
must git notes --ref=perf merge -q -s cat_sort_uniq theirs
must git perf add -f p.folded
check 'a merge does not bring back what was removed' \
	is "$(bodies)" $((gone + 2))
check 'what was added beside rm is there' \
	exits 0 git perf export --to=collapsed q.folded
must git -C ../other fetch -q origin refs/notes/perf:refs/notes/theirs
must git -C ../other notes --ref=perf merge -q -s cat_sort_uniq theirs
check 'both sides list the same after the merge' is \
	"$(git -C ../other perf log --json)" "$(git perf log --json)"
must git -C ../other perf add -f q.folded
check 'fsck finds nothing wrong on the other side' \
	exits 0 git -C ../other perf fsck
check 'fsck finds nothing wrong on this side' exits 0 git perf fsck

# The bodies themselves say what they build on: a line that names another base
# for one, in its own note or in another, takes none from it.
lies_about()
{
	set -- "$1" "$(echo wrong | git hash-object --stdin)"
	text=$(echo "$1" | sed "s/ base=[0-9a-f]*/ base=$2/; s/ n=/ n=ff/")
	text=$(echo "$text" | cut -d ' ' -f 1,2,4-)
	id=$(printf %s "$text" | sha256sum | cut -c 1-16)
	echo "$text" | sed "s/^\\(perf1 [^ ]*\\)/\\1 $id/"
}
for where in 'its own note' 'another note' 'its own note, the true line gone'; do
	must git update-ref -d refs/notes/perf
	commit "base $where"
	stacks 100 >p.folded
	must git perf add p.folded
	commit "delta $where"
	stacks 101 >p.folded
	must git perf add p.folded
	sum=$(sum_of HEAD)
	true_line=$(git notes --ref=perf show HEAD)
	base=$(echo "$true_line" | sed -n 's/.* base=\([0-9a-f]*\).*/\1/p')
	lies_about "$true_line" >../lie
	case $where in
	another*)
		must git notes --ref=perf add -F ../lie HEAD~2
		;;
	*gone)
		must git notes --ref=perf add -f -F ../lie HEAD
		;;
	*)
		must git notes --ref=perf append -F ../lie HEAD
		;;
	esac
	must git perf rm -m HEAD~1 0@i
	check "a wrong base in $where drops no live one" exits 0 \
		git cat-file -e "refs/notes/perf:objects/$(echo "$base" |
			cut -c 1-2)/$(echo "$base" | cut -c 3-)"
	check "a delta is read in spite of a wrong base in $where" \
		is "$(sum_of HEAD)" "$sum"
done
check 'base and delta are in the tree' \
	is "$(bodies)" 2
lost=$(echo lost | git hash-object --stdin)
text=$(echo "$true_line" | sed "s/ profile [0-9a-f]* / profile $lost /" |
	cut -d ' ' -f 1,2,4-)
id=$(printf %s "$text" | sha256sum | cut -c 1-16)
echo "$text" | sed "s/^\\(perf1 [^ ]*\\)/\\1 $id/" >../lie
must git notes --ref=perf append -F ../lie HEAD~2
must git perf rm -m HEAD 0@i
check 'a lost body keeps bodies of others in the tree' \
	is "$(bodies)" 2

# A line or a body of a later git-perf may build on any body.
for later in 'a line of version 2' 'a body whose base has a SHA-256'; do
	must git update-ref -d refs/notes/perf
	commit "base of $later"
	stacks 100 >p.folded
	must git perf add p.folded
	commit "$later"
	stacks 101 >p.folded
	must git perf add p.folded
	text=$(git notes --ref=perf show HEAD)
	case $later in
	*line*)
		echo "$text" | sed 's/^perf1 /perf2 /' >../later
		;;
	*)
		body=$(printf '\261pnb\1\2\1\1\1%064d' 0 |
			git hash-object -w --stdin)
		text=$(echo "$text" |
			sed "s/ profile [0-9a-f]* / profile $body /" |
			cut -d ' ' -f 1,2,4-)
		id=$(printf %s "$text" | sha256sum | cut -c 1-16)
		echo "$text" | sed "s/^\\(perf1 [^ ]*\\)/\\1 $id/" >../later
		;;
	esac
	must git notes --ref=perf add -f -F ../later HEAD
	before=$(bodies)
	must git perf rm -m HEAD~1 0@i
	check "$later keeps the bodies in the tree" is "$(bodies)" "$before"
done
must git update-ref -d refs/notes/perf
