#!/bin/sh
# What fsck says of bodies: those that others build on, and those that nobody
# needs.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/store/lib.sh"
need jq sha256sum
# The notes are moved by hand below: without a log nothing of before is missed.
must git config core.logAllRefUpdates false

# Three versions of one large profile: the third builds on the second, that on
# the first (storage/FORMAT.md, "Chains").
for n in 1 2 3; do
	add_version $n
done
field()
{
	line "$2" | sed -n "s/.* $1=\\([^ ]*\\).*/\\1/p"
}
first=$(line HEAD~2 | cut -d ' ' -f 5)
second=$(line HEAD~1 | cut -d ' ' -f 5)
check 'the third builds on the second' is "$(field base HEAD)" "$second"
check 'the second body builds on the first' is "$(field base HEAD~1)" "$first"
must git perf rm -m HEAD~1 0@i
must git perf rm -m HEAD~2 0@i
check 'bases of bases are no fault' exits 0 git perf fsck
check 'fsck calls no base of a base unused' not mentions out 'needed by no'
tip=$(git rev-parse refs/notes/perf)

printf '0 %040d\t%s\n' 0 "$(place "$first")" | change
check 'a base that left the tree' exits 1 git perf fsck
check 'a base outside of objects/ is told' mentions out \
	'profile .*: a body that it builds on is not below objects/'
check 'a base outside of objects/ is told once' \
	is "$(grep -c 'not below' "$out")" 1
check 'fsck --repair anchors the base' exits 0 git perf fsck --repair
check 'the anchored base stays in the tree' \
	exits 0 git cat-file -e "refs/notes/perf:$(place "$first")"

blob=$(echo nothing | git hash-object -w --stdin)
printf '100644 blob %s\t%s\n' "$blob" "$(place "$blob")" | change
check 'a body that nobody needs is no fault' exits 0 git perf fsck
check 'a body that nobody needs is named' says out "unused: $blob"
check 'a body that nobody needs is counted' \
	says out '1 body is needed by no profile (space only)'
must git perf fsck --json -o ../fsck.json
check 'JSON names unused bodies' \
	is "$(jq -c '[.ok, .unused, .unused_bodies]' ../fsck.json)" \
	"[true,1,[\"$blob\"]]"

# A body that says it is five steps from its key, where its base is one.
octal()
{
	echo "$1" | sed 's/../0x& /g' | xargs printf ' %03o'
}
printf "$(git cat-file blob "$(line HEAD | cut -d ' ' -f 5)" |
	od -An -v -to1 | tr -d '\n' |
	sed "s/ 002$(octal "$second")/ 005$(octal "$second")/; s/ /\\\\/g")" >liar
liar=$(git hash-object -w liar)
# BODY SIZE: HEAD's profile has them, and $id fits its line.
refer()
{
	text=$(line HEAD | awk -v body="$1" -v size="$2" '{
		$5 = body; $6 = size; $3 = ""; sub(/  /, " "); print }')
	id=$(printf %s "$text" | sha256sum | cut -c 1-16)
	note=$(echo "$text" | sed "s/^\\(perf1 [^ ]*\\)/\\1 $id/" |
		git hash-object -w --stdin)
	path=$(git ls-tree -r --name-only "$tip" |
		grep "^$(git rev-parse HEAD | cut -c 1-2)")
	printf '100644 blob %s\t%s\n' "$note" "$path" "$1" "$(place "$1")" |
		change
}
refer "$liar" "$(line HEAD | cut -d ' ' -f 6)"
check 'a chain that does not end' exits 1 git perf fsck
check 'a chain that does not end is told in one clear line' mentions out \
	"profile $id: .* not end .*: $second should be 4 steps .* and says 1\$"
check 'a chain that does not end is told of one profile' \
	is "$(grep -c ': profile ' "$out")" 1
check 'show does not loop either' exits 128 git perf show 0@i

# A body with a section that is skipped says the same in other bytes.
must git update-ref refs/notes/perf "$tip"
git cat-file blob "$(line HEAD | cut -d ' ' -f 5)" >whole
size=$(($(wc -c <whole) - 8))
{
	head -c "$size" whole
	printf '\203\011\001\000'
	tail -c 8 whole
} >other
other=$(git hash-object -w other)
refer "$other" $((size + 12))
check 'a body in other bytes can be shown' exits 0 git perf show 0@i
check 'a body in other bytes is a fault' exits 1 git perf fsck
check 'a body in other bytes is named' mentions out \
	"profile $id: body $other: it can be read, but written again it has other bytes"
check 'a body in other bytes is the only fault' mentions out ': 1 problem$'

must git update-ref refs/notes/perf "$tip"
loosen
rm -f ".git/objects/$(echo "$first" | cut -c 1-2)/$(echo "$first" | cut -c 3-)"
check 'a base that is gone' exits 1 git perf fsck
check 'a base that is gone is told' \
	mentions out "body $first, on which it builds: "
check 'a base that is gone is told with the profile' \
	mentions out "^commit .*: profile $(line HEAD | cut -d ' ' -f 3)"

# Twenty bodies on one key, read in the order of their commits' names: each is
# decoded once, and a fault in the middle is one of all that build on it.
must git update-ref -d refs/notes/perf
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	awk -v n=$n 'BEGIN { for (i = 0; i < 300; i++)
		printf "main;f_%d;leaf_%d %d\n", i, i * 7, i % 20 < n ? n : 3
	}' >p.folded
	commit "step $n"
	must git perf add p.folded 2>../said
done
loosen
check 'fsck counts twenty bodies in chains' exits 0 git perf fsck
check 'profiles and bodies in chains are counted' \
	mentions out '^20 commits, 20 profiles, 20 bodies: 0 '
builds_on()
{
	for id in $(git notes --ref=perf list | cut -d ' ' -f 2); do
		echo "$(field base "$id") $(line "$id" | cut -d ' ' -f 5)"
	done | awk -v body="$1" '
		{ base[$2] = $1 }
		END {
			for (b in base)
				for (at = b; at in base; at = base[at])
					if (at == body)
						n++
			print n
		}'
}
if strace -o ../trace true 2>/dev/null; then
	must traced -f -e trace=openat -o ../trace git-perf fsck >../said
	check 'each body is read twice at most, whatever builds on it' is "$(
		for commit in $(git rev-list -n 20 HEAD); do
			line "$commit" | cut -d ' ' -f 5 | cut -c 3-
		done | sort -u | while read -r rest; do
			grep -c "/$rest\"" ../trace
		done | sort -u)" 2
fi
middle=$(line HEAD~15 | cut -d ' ' -f 5)
file=.git/objects/$(echo "$middle" | cut -c 1-2)/$(echo "$middle" | cut -c 3-)
head -c 30 "$file" >../cut
rm -f "$file"
cp ../cut "$file"
check 'a body that was cut is a fault' exits 1 git perf fsck
check 'a cut body is a fault of all that build on it' \
	is "$(grep -c "body $middle" "$out")" "$(builds_on "$middle")"
check 'several bodies build on the cut one' test "$(builds_on "$middle")" -gt 1
check 'a cut body is a fault of no other' mentions out \
	": $(builds_on "$middle") problems\$"
