#!/bin/sh
# Every kind of fault of the notes themselves that fsck names, one at a time:
# its words, its advice, and that --repair takes nothing away. Those of chains
# and of bodies in other bytes are in fsck.sh, those of refs, locks and epochs in
# share/around.sh, those of long notes in union.sh.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/store/lib.sh"
need sha256sum

# Two versions of one large profile: the second builds on the first. And one of
# another commit whose body is its own bytes.
add_version 1
add_version 2
tip=$(git rev-parse refs/notes/perf)
body=$(line HEAD | cut -d ' ' -f 5)
old=$(line HEAD | cut -d ' ' -f 3)
base=$(line HEAD~1 | cut -d ' ' -f 5)
size=$(line HEAD | cut -d ' ' -f 6)
commit=$(git rev-parse HEAD)
short=$(echo "$commit" | cut -c 1-10)

path_of()
{
	git ls-tree -r --name-only "$tip" | grep "^$(echo "$1" | cut -c 1-2)"
}
# HEAD's note is standard input, with $id for its line.
note()
{
	printf '100644 blob %s\t%s\n' "$(git hash-object -w --stdin)" \
		"$(path_of "$commit")" | change
}
# SCRIPT: HEAD's line without its id, by sed; the id fits again.
relate()
{
	text=$(line HEAD | sed "s/ $old / /; $1")
	id=$(printf %s "$text" | sha256sum | cut -c 1-16)
	echo "$text" | sed "s/^\\(perf1 [^ ]*\\)/\\1 $id/" | note
}
# All that the notes and their history lead to.
reached()
{
	git rev-list --objects --missing=print refs/notes/perf |
		cut -d ' ' -f 1 | sort
}
# KIND WORDS ADVICE: fsck names it with its commit where it has one, and a repair
# takes nothing away, neither a line nor a body.
fault()
{
	reached >"$scratch/before"
	check "$1 is a fault" exits 1 git perf fsck
	check "$1 is named" mentions out "$2"
	check "$1: what to do is said" mentions out "^  to mend: $3"
	code=0
	git perf fsck --repair >"$out" 2>"$err" || code=$?
	check "$1: a repair ends with 0 or 1" test $code -le 1
	reached >"$scratch/after"
	check "$1: a repair takes nothing away" \
		is "$(comm -23 "$scratch/before" "$scratch/after")" ''
	must git update-ref refs/notes/perf "$tip"
}

check 'the notes are sound' exits 0 git perf fsck

(
	git notes --ref=perf show HEAD
	echo 'perf1 no record'
) | note
fault 'a line that is no record' "^commit $short: line [0-9]+ is ignored: " \
	'git notes --ref=perf edit <commit>$'
(
	echo 'perf1 no record'
	git notes --ref=perf show HEAD
	echo 'perf1 nor this'
) | note
fault 'lines that are no records' \
	"^commit $short: 2 lines are ignored, the first is line [0-9]+: " \
	'git notes --ref=perf edit <commit>$'

line HEAD | sed "s/ $old / 0123456789abcdef /" | note
fault 'a line that was changed' "^commit $short: line [0-9]+ is ignored: " \
	'git notes --ref=perf edit <commit>$'

relate "s/ $size / $((size + 1)) /"
fault 'another size' \
	"^commit $short: profile $id: the line says $((size + 1)) bytes, the body has $size\$" \
	'.*remove'

relate "s/ base=$base/ base=$(git rev-parse HEAD)/"
fault 'another base' \
	"^commit $short: profile $id: the line says base '.*', the body '$base'\$" \
	'.*remove'

relate "s/ $commit / $(git rev-parse HEAD~1) /"
fault 'a copied note' \
	"^commit $short: profile $id: measured at another commit\$" \
	'a copied note: remove it there'

printf '0 %040d\t%s\n' 0 "$(place "$body")" | change
fault 'a body that a plain merge left out' \
	"^commit $short: profile $old: its body is not below objects/" \
	'git perf fsck --repair$'

blob=$(echo other | git hash-object -w --stdin)
printf '100644 blob %s\t%s\n' "$blob" "$(place "$body")" | change
fault 'another blob under the name of a body' \
	"objects/ has another blob under the name $body\$" 'remove it and add it anew$'

# A later format is not looked into.
blob=$(echo 'perf-notes 9' | git hash-object -w --stdin)
printf '100644 blob %s\tformat\n' "$blob" | change
for call in fsck 'fsck --repair'; do
	check "a later format: $call" exits 128 git perf $call
	check "a later format is told in one line by $call" says err \
		"fatal: 'refs/notes/perf' has format 9, this git-perf knows format 1: use a newer one"
done
must git update-ref refs/notes/perf "$tip"

# A body that is gone, or whose file has other bytes.
loosen
file=.git/$(place "$body")
must cp "$file" "$scratch/kept"
must rm -f "$file"
fault 'a body that is gone' "^commit $short: profile $old: body $body cannot be read: " \
	'git fetch --refetch <remote> refs/notes/perf, of a clone that has it'
must mkdir -p "$(dirname "$file")"
must cp ".git/$(place "$base")" "$file"
fault 'a body of other bytes' "^commit $short: profile $old: .*(not have its name|cannot be read)" \
	'.*(git fsck|fetch refs)'
must chmod u+w "$file"
must cp "$scratch/kept" "$file"
check 'the notes are sound again' exits 0 git perf fsck
