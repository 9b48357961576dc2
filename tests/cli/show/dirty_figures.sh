#!/bin/sh
# What was measured in a dirty tree is no figure of the commit: it is pooled
# with nothing, is on a row of its own, and stays out of the course.
. "$(dirname "$0")/../lib.sh"

collect()
{
	printf 'main;f %d\n' "$1" >a.folded
	git perf collect -c command -O format=collapsed $2 -- cp a.folded '{output}'
}

line()
{
	sed -n "/ $1  |/s/.*  | //p" "$out"
}

echo one >file
must git add file
commit first
must collect 1 --add
commit second
must collect 4 --add
echo two >file
check 'collect --add works in a dirty tree' exits 0 collect 30 --add
check 'collect --add says that the tree was dirty' \
	mentions err '^added [0-9a-f]{16} to [0-9a-f]{10} \(the tree was dirty\)$'
thirty=$(sed -n 's/^added \([0-9a-f]*\) .*/\1/p' "$err")
must git checkout -q file
must collect 6 --add
echo three >file
must collect 50
check 'add works on a pending profile of a dirty tree' exits 0 git perf add 0@p
check 'add says that the tree of a pending profile was dirty' \
	mentions err '^added [0-9a-f]{16} to [0-9a-f]{10} \(the tree was dirty\)$'
fifty=$(sed -n 's/^added \([0-9a-f]*\) .*/\1/p' "$err")
must git checkout -q file

# 4 and 6: median 5, deviation sqrt(2). All four would have the median 18.
check 'log of a commit with clean and dirty records' \
	exits 0 git perf log --oneline --metric=samples
check 'only clean records are pooled, dirty ones have rows of their own' \
	is "$(sed -n '2,4p' "$out")" \
	"    cp/command  samples  50  dirty tree
    cp/command  samples  5.0 ± 1.4  +400%
    cp/command  samples  30  dirty tree"
check 'the course is of clean records' \
	mentions out '^[^ ]+ +cp/command samples  1 \.\. 5$'
check 'log without --oneline of clean and dirty records' \
	exits 0 git perf log -n 1 --metric=samples
check 'the long log has a marked row of each dirty record' \
	is "$(sed -n 's/^ *[012]@i  cp.command  samples  //p' "$out")" \
	"50  dirty tree
5.0 ± 1.4  +400%
30  dirty tree"
check 'log -v of dirty records' exits 0 git perf log -v -n 1
check 'log -v names the newer dirty record' mentions out "^ +0@i  $fifty  "
check 'log -v names the older dirty record' mentions out "^ +2@i  $thirty  "
check 'log --json of dirty records' exits 0 git perf log -n 1 --json
check 'log --json marks the profiles of dirty trees' \
	json '[.commits[0].profiles[].dirty]' '[true,null,true,null]'
check 'status of dirty records' exits 0 git perf status
check 'status marks the row of each dirty record' \
	is "$(sed -n '/dirty tree$/s/.*samples  \([0-9]*\).*/\1/p' "$out" | tr '\n' ' ')" \
	'50 30 '
check 'status --json of dirty records' exits 0 git perf status --json
check 'status --json marks the profiles of dirty trees' \
	json '[.profiles[].dirty]' '[true,null,true,null]'

# Merged by tag they are one profile, as somebody asked for, and it is said.
check 'merge takes clean and dirty records' \
	exits 0 git perf merge --to=collapsed 0@i-2@i
check 'the merge is the sum of all, 50 + 6 + 30' says out 'main;f 86'
check 'merge says which records are of a dirty tree' mentions err \
	"^warning: 2 of the 3 profiles, the first of them '[^']+', were measured in a dirty tree: "
check 'merge takes dirty records alone' \
	exits 0 git perf merge --to=collapsed 0@i 2@i
check 'nothing is mixed when all are dirty' not mentions err 'dirty'

# A commit of which nothing clean is known.
commit third
echo four >file
must collect 70
must collect 90
check 'add works on several of which the tree was dirty' \
	exits 0 git perf add 0@p-1@p
check 'add says of how many profiles the tree was dirty' \
	mentions err '^added 2 profiles to .* \(the tree was dirty for 2 of them\)$'
check 'a commit with dirty records alone is compared with nothing' \
	exits 125 git perf diff
check 'diff says that the commit has dirty records' mentions err \
	"^fatal: nothing to compare: 'HEAD' has, beside those of a dirty tree, no profiles, "
check 'log of a commit with dirty records alone' \
	exits 0 git perf log --oneline --metric=samples
check 'the course leaves out a commit with dirty records alone' \
	mentions out '^[^ ]+ +cp/command samples  1 \.\. 5$'
must git notes --ref=perf remove HEAD
must git perf add -f --no-environment a.folded
check 'a file that says nothing of its tree is not called dirty' \
	exits 0 git perf log -n 1 --oneline
check 'the only clean record of a commit has no mark' \
	mentions out 'third  +a\.folded  samples  90$'
finish
