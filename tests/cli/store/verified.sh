#!/bin/sh
# The ids of lines that this clone wrote are not computed again by who reads
# them here. Nothing but the very bytes that it wrote is taken so.
. "$(dirname "$0")/../lib.sh"

good=.git/perf/cache/good

# The first of so many commits that their log asks for the list.
n=0
while [ "$n" -lt 30 ]; do
	n=$((n + 1))
	commit "$n"
done
first=$(git rev-list HEAD | tail -n 1)

# records: how many the log shows, from the notes and not from what an earlier
# log kept
records()
{
	rm -f .git/perf/cache/history
	must git perf log --oneline >"$scratch/log"
	grep -c folded "$scratch/log"
}

# changed FROM TO: somebody's edit of the note
changed()
{
	git notes --ref=perf show "$first" | sed "s/$1/$2/" >"$scratch/note"
	must git notes --ref=perf add -f -F "$scratch/note" "$first" \
		2>"$scratch/said"
}

# of the one note
blob()
{
	git ls-tree -r refs/notes/perf |
		awk '$4 !~ /^(objects|format)/ { print $3 }'
}

# id NAME: of its line
id()
{
	git notes --ref=perf show "$first" | awk "/$1/ { print \$3 }"
}

printf 'main;a 7\n' >seven.folded
printf 'main;b 5\n' >five.folded
must git perf add -m "$first" seven.folded
check 'the blob that an add wrote is in the list' is \
	"$(od -An -v -tx1 "$good" | tr -d ' \n')" "$(blob)"
check 'what it says is shown' is "$(records)" 1

changed ';7$' ';8'
check 'a line that somebody changed is none' is "$(records)" 0
cp "$good" "$scratch/good"
perl -e 'print pack "H*", shift' "$(blob)" >>"$good"
check 'who writes to the list is believed, as who writes to all of .git' is "$(records)" 1
cp "$scratch/good" "$good"
must git perf add -m "$first" five.folded
check 'one behind it is one' is "$(id five | wc -w)" 1
check 'the note of both is not in the list' is "$(wc -c <"$good")" 20
rm -f .git/perf/cache/history
check 'the log shows the one alone' exits 0 git perf log
check 'the figure of the added one is shown' mentions out 'five.folded  samples  5'
check 'of the changed one nothing is shown' not mentions out 'seven.folded'
check 'fsck says which is wrong' exits 1 git perf fsck
check 'fsck names the changed one' mentions out "$(id seven)"

# two lines that say they are one record: the one that is
seven=$(id seven)
changed ';8$' ';7'
changed "$(id five)" "$seven"
rm -f .git/perf/cache/history
check 'a line with the id of another one hides nothing' \
	exits 0 git perf log
check 'the record of that id is shown' mentions out 'seven.folded  samples  7'
check 'the one with that id is none' not mentions out 'five.folded'
must git perf rm -m "$first" seven.folded
check 'no record is left' is "$(records)" 0

# whatever becomes of the list
must git perf add seven.folded
printf 'cut' >>"$good"
must git perf add -m HEAD~1 seven.folded
check 'a list that was cut goes on behind its last whole id' is \
	"$(($(wc -c <"$good") % 20))" 0
check 'a list that was cut hides nothing' is "$(records)" 2
rm -f "$good"
check 'without a list the ids are computed' is "$(records)" 2
mkdir "$good"
must git perf add -m HEAD~2 seven.folded
check 'a folder in its place is in nobody'\''s way' is "$(records)" 3
rmdir "$good"
echo mine >"$scratch/mine"
ln -s "$scratch/mine" "$good"
must git perf add -m HEAD~3 seven.folded
check 'a link is not followed' is "$(cat "$scratch/mine")" mine
check 'nothing is lost where a link is in its place' is "$(records)" 4

# What is kept as it was written is read in place of packs, by the first who
# asks for enough of it; and hides nothing, whatever becomes of it.
rm "$good"
recent=.git/perf/cache/recent
git rev-list HEAD~4 | sed 's/$/\tseven.folded/' >"$scratch/batch"
must git perf add --stdin <"$scratch/batch" 2>"$err"
texts()
{
	rm -f .git/perf/cache/history
	must git perf log --json >"$scratch/texts"
	cat "$scratch/texts"
}
must cp "$recent" "$scratch/recent"
texts=$(texts)
check 'each commit has one' is "$(records)" 30
must rm "$recent"
check 'the same without what was kept' is "$(texts)" "$texts"
must perl -0777 -pe 's/;7(?=\x00|\n)/;8/g' "$scratch/recent" >"$recent"
check 'what is changed in it is not shown' is "$(texts)" "$texts"
must head -c 5001 "$scratch/recent" >"$recent"
check 'a cut one hides nothing' is "$(texts)" "$texts"
for damage in 'head -c 9000 /dev/zero' 'head -c 9000 /dev/urandom'; do
	$damage >"$recent"
	check "$damage hides nothing" is "$(texts)" "$texts"
done
must rm "$recent"
must git gc -q --prune=now
must cp "$scratch/recent" "$recent"
must git perf rm -m "$first" seven.folded
must git perf log --oneline >"$scratch/log"
check 'what was taken out does not come back' is "$(grep -c folded "$scratch/log")" 29
must git gc -q
must mv .git/objects/pack "$scratch/packs"
for pack in "$scratch"/packs/*.pack; do
	must git unpack-objects -q <"$pack"
done
note=$(git notes --ref=perf list HEAD~20)
must rm -f ".git/objects/$(printf %s "$note" | sed 's|^..|&/|')"
check 'a note that was kept is read from there' is "$(records)" 29
must rm -f "$recent" .git/perf/cache/history
check 'without it what lacks is missed' exits 128 git perf log --oneline
