#!/bin/sh
# size: what git itself says of the same blobs, and rows that add up to it.
. "$(dirname "$0")/../lib.sh"
need jq

# What cat-file says of the blobs whose ids come in, each once: number, bytes
# of content, bytes on the disk.
git_says()
{
	sort -u | git cat-file --batch-check='%(objectsize) %(objectsize:disk)' |
		awk '{ n++; a += $1; b += $2 } END { print n + 0, a + 0, b + 0 }'
}
notes()
{
	git notes --ref=perf list | cut -d ' ' -f 1 | git_says
}
bodies()
{
	git ls-tree -r refs/notes/perf objects/ | cut -d ' ' -f 3 |
		cut -f 1 | git_says
}
size_says()
{
	jq -r "$1 | [.count, .bytes, .disk] | map(tostring) | join(\" \")" "$out"
}
# How many of these blobs are files of their own, how many are not.
files()
{
	{
		git notes --ref=perf list | cut -d ' ' -f 1
		git ls-tree -r refs/notes/perf objects/ | cut -d ' ' -f 3 |
			cut -f 1
	} | sort -u | while read -r id; do
		test -e ".git/objects/$(echo "$id" | cut -c 1-2)/$(
			echo "$id" | cut -c 3-)" && echo loose || echo packed
	done | awk '{ n[$1]++ } END { print n["loose"] + 0, n["packed"] + 0 }'
}
agrees()
{
	check "$1: size --by=$2" exits 0 git perf size --json --by="$2"
	check "$1: notes as git says" is "$(size_says .notes)" "$(notes)"
	check "$1: bodies as git says" is "$(size_says .bodies)" "$(bodies)"
	check "$1: history as git says" is "$(jq .history "$out")" \
		"$(git rev-list --objects --disk-usage refs/notes/perf)"
	check "$1: nothing is absent" json '.notes.absent + .bodies.absent' 0
	check "$1: loose and packed as the files are" is \
		"$(jq -r '"\(.loose.count) \(.packed.count)"' "$out")" "$(files)"
	check "$1: both take what notes and bodies take" json \
		'.loose.disk + .packed.disk - .notes.disk - .bodies.disk' 0
	test "$2" = tree && return
	check "$1: rows by $2 add up" json \
		'[([.rows[].lines] | add) - .notes.bytes,
		([.rows[].bodies.count] | add) - .bodies.count,
		([.rows[].bodies.disk] | add) - .bodies.disk]' '[0,0,0]'
}
narrow()
{
	awk 'length($0) > 80 { print; wide = 1 } END { exit wide }' "$out" >&2
}
add()
{
	printf 'main;a %s\n' "$2" >"$scratch/$1.folded"
	must git perf add -n "$1" "$scratch/$1.folded" 2>"$err"
}

check 'size before the first commit' exits 0 git perf size
check 'size says that there is nothing' says out 'no profiles are stored'
check 'size of nothing as JSON' exits 0 git perf size --json
check 'JSON of nothing has counts of 0' json '[.notes.count, .bodies.count, .history, .rows]' \
	'[0,0,0,[]]'

commit one
one=$(git rev-parse HEAD)
add small 1
add large 2222
commit two
add small 1
add gone 3
agrees loose kind
check 'two records share a body: three of four' is \
	"$(jq -c '[.bodies.count, (.rows[] | .records)]' "$out")" '[3,4]'
agrees loose commit
check 'a row for each commit' is "$(jq -r '.rows[].name' "$out" | sort)" \
	"$(git notes --ref=perf list | cut -d ' ' -f 2 | sort)"
check 'the lines of a commit are its note' is "$(jq --arg id "$one" \
	'.rows[] | select(.name == $id).lines' "$out")" \
	"$(git notes --ref=perf show "$one" | wc -c)"
agrees loose series
check 'a row for each series' is "$(jq -r '.rows[] |
	"\(.name) \(.records)"' "$out" | sort | tr '\n' ',')" \
	'gone 1,large 1,small 2,'

loosen
agrees apart kind
check 'what lies in files of its own is loose' json '.packed.count' 0
must git repack -aq
check 'each object is loose and packed' is "$(git count-objects -v |
	awk '/^(count|prune-packable): / { print $2 }' | uniq | wc -l)" 1
check 'size of what is loose and packed' exits 0 git perf size --json
check 'what git reads from a pack is packed, by what it takes there' json \
	'.loose.count, .packed.disk - .notes.disk - .bodies.disk' '0
0'
check 'notes in two places are as git says' is "$(size_says .notes)" "$(notes)"
must git gc -q
agrees packed kind
check 'behind a git gc nothing is loose' json '.loose.count' 0
must git perf rm gone
agrees removed kind
check 'what was taken out is no record, its lines are still there' is \
	"$(jq -c '[.rows[] | [(.name | startswith("(")), .records]] | sort' \
		"$out")" '[[false,3],[true,0]]'
check 'removed lines are a line and its tombstone' is \
	"$(jq '.rows[] | select(.name == "(removed)").lines' "$out")" \
	"$(git notes --ref=perf show HEAD | awk '/ del / || / name=gone / {
		n += length($0) + 1 } END { print n }')"
must git perf accept HEAD -m wanted 2>"$err"
agrees accepted series
check 'what is no profile is in brackets' json \
	'[.rows[] | select(.name == "(accept)").records]' '[1]'

add "$(printf 'evil\033[31m\nname %090d' 7)" 5
# A tree of what was run, by what and with what, and the kind of record: each
# branch is the sum of its parts.
must git perf collect -q -r 1 --add --workload=few -- true 2>"$err"
must git perf collect -q -r 1 --add --workload=many -- true 2>"$err"
agrees branches tree
check 'the top of the tree adds up' json '[.rows[] | select(.path | length == 1)] |
	[map(.lines) | add] + [map(.bodies.count) | add] + [map(.bodies.disk) | add]' \
	"$(jq -c '[.notes.bytes, .bodies.count, .bodies.disk]' "$out")"
check 'a branch is the sum of its parts' json '[.rows as $all | $all[] | .path as $p |
	($p | length) as $n | . as $row |
	[$all[] | select((.path | length) == $n + 1 and .path[:$n] == $p)] |
	select(length > 0) | [(map(.records) | add) - $row.records,
	(map(.lines) | add) - $row.lines,
	(map(.bodies.disk) | add) - $row.bodies.disk]] | unique' '[[0,0,0]]'
check 'one program has a branch for each workload' json \
	'[.rows[] | select(.path[0] == "true") | .path[1:] | join(" > ")] | sort' \
	'["","time@few","time@few > profile","time@many","time@many > profile"]'
check 'text of a tree' exits 0 git perf size --by=tree
check 'text has what was run' mentions out '^ +2 .*  true$'
check 'text has its parts behind it, further right' mentions out \
	'^ +1 .*    time@many$'

tip=$(git rev-parse refs/notes/perf)
for by in kind series commit tree; do
	check "text by $by" exits 0 git perf size --by=$by
	check "80 columns by $by" narrow
	check "no controls by $by" not grep -q "$(printf '\033')" "$out"
done
agrees hostile series
check 'JSON has the whole name' json \
	'[.rows[].name | select(startswith("evil")) | length]' '[105]'

check 'size by an unknown word fails' exits 129 git perf size --by=colour
check 'the error lists what size can be by' says err \
	"error: no rows by 'colour': there are kind, series, commit, tree"
check 'size takes no word' exits 129 git perf size word
check 'size moves no ref' is "$(git rev-parse refs/notes/perf)" "$tip"
cd "$scratch" || exit 1
check 'outside of a repository' exits 128 git perf size
cd - >/dev/null || exit 1

# Clones that lack something, and get nothing by being looked at.
must git config uploadpack.allowFilter true
refs='refs/notes/perf:refs/notes/perf'
bodies >../whole
must git init -q ../shallow
must git -C ../shallow fetch -q --depth=1 "file://$PWD" "$refs"
awk '{ srand(1); for (i = 0; i < 9000; i++) print "main;" rand() * 1e9, i + 1 }' \
	../small.folded >../heavy.folded 2>/dev/null || exit 1
must git perf add -n heavy "$scratch/heavy.folded" 2>"$err"
heavy=$(git ls-tree -r -l refs/notes/perf objects/ | awk '$4 > 20000' | wc -l)
check 'one body is large' is "$heavy" 1
here=$(bodies | cut -d ' ' -f 1)
must git init -q ../partial
must git -C ../partial remote add origin "file://$PWD"
must git -C ../partial fetch -q --filter=blob:limit=20000 origin "$refs"
cd ../shallow || exit 1
agrees shallow kind
cd ../partial || exit 1
check 'size of a partial clone' exits 0 git perf size --json
check 'the large body is absent' json '[.bodies.count, .bodies.absent]' \
	"[$((here - 1)),1]"
check 'an absent body is not fetched' is \
	"$(git rev-list --objects --missing=print refs/notes/perf | grep -c '^?')" 1
check 'text of a partial clone' exits 0 git perf size
check 'text says that a body is not here' mentions out '^bodies .*  1 more is not here$'
check '80 columns with an absent body' narrow
