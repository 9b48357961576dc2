#!/bin/sh
# A merge of notes takes one side's bodies out of the tree. A writer in a shallow
# clone cannot bring them back; the next one that sees the whole history does.
. "$(dirname "$0")/../lib.sh"
stacks()
{
	awk -v seed="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++)
		print "main;f" i % 7 ";g" i, (i * 7919 + seed * 104729) % 1000 + 1
	}'
}
subject()
{
	git log -1 --format=%s refs/notes/perf
}
commit one
stacks 1 400 >p1.folded
must git perf add p1.folded
must git clone -q . ../other
cd ../other || exit 1
must git fetch -q origin refs/notes/perf:refs/notes/perf
commit two
stacks 2 3 >p2.folded
must git perf add p2.folded
lost=$(git notes --ref=perf show HEAD | cut -d ' ' -f 5)
cd ../repo || exit 1
stacks 7 400 >p3.folded
must git perf add p3.folded
must git fetch -q ../other refs/notes/perf:refs/theirs
must git notes --ref=perf merge -q -s cat_sort_uniq refs/theirs
place="objects/$(echo "$lost" | cut -c 1-2)/$(echo "$lost" | cut -c 3-)"
check "the merge takes the other side's body out of the tree" \
	not git cat-file -e "refs/notes/perf:$place"

must git clone -q --depth 1 "file://$PWD" ../shallow
must git clone -q "file://$PWD" ../whole
cd ../shallow || exit 1
must git fetch -q --depth 1 origin refs/notes/perf:refs/notes/perf
stacks 4 3 >p4.folded
check 'a writer in a shallow clone adds' exits 0 git perf add p4.folded
check 'a write in a cut history says so in its subject' \
	is "$(subject)" 'perf (cut history): add 1'
check 'another add in a cut history works' \
	exits 0 git perf add -n again p4.folded
check 'the second write in a cut history says so in its subject' \
	is "$(subject)" 'perf (cut history): add 1'
check 'fsck says that the body is absent' exits 1 git perf fsck
check 'fsck in a shallow clone says how to get the history' mentions out \
	'to mend: git fetch --unshallow <remote> refs/notes/perf, '
must git push -q origin refs/notes/perf:refs/notes/shallow

# A whole clone: one add brings the body back, behind two commits of ours.
cd ../whole || exit 1
must git fetch -q origin refs/notes/shallow:refs/notes/perf
check 'fsck in a whole clone finds what is not anchored' exits 1 git perf fsck
check 'fsck in a whole clone says what mends it' \
	mentions out '^  to mend: git perf fsck --repair$'
tip=$(git rev-parse refs/notes/perf)
check 'an add in a whole clone works' exits 0 git perf add ../shallow/p4.folded
check 'an add in a whole clone anchors the body again' exits 0 \
	git cat-file -e "refs/notes/perf:$place"
check 'the next add in a whole clone has the usual subject' \
	is "$(subject)" 'perf: add 1'
check 'the next add in a whole clone anchors what lacked' exits 0 git perf fsck
must git update-ref refs/notes/perf "$tip"
check 'fsck --repair in a whole clone works' exits 0 git perf fsck --repair
check 'fsck --repair anchors the same body as an add' \
	exits 0 git cat-file -e "refs/notes/perf:$place"

# The shallow clone, once it has the history.
cd ../shallow || exit 1
must git fetch -q --unshallow origin refs/notes/perf:refs/theirs
check 'fsck finds the body that came with the history not anchored' \
	exits 1 git perf fsck
check 'the next add in a clone that deepened works' exits 0 git perf add -n third p4.folded
check 'the next add in a clone that deepened anchors the body' exits 0 git cat-file -e "refs/notes/perf:$place"
check 'fsck finds nothing wrong behind the repair' exits 0 git perf fsck
check 'git fsck finds nothing wrong behind the repair' exits 0 git fsck --strict

# Where nothing lacks behind a cut, nothing is said: this merge took no body.
must git update-ref refs/notes/perf "$(git commit-tree -m 'notes: merge' \
	-p refs/notes/perf -p "$(git commit-tree -m 'notes: x' \
		'refs/notes/perf^{tree}')" 'refs/notes/perf^{tree}')"
must git clone -q --depth 1 "file://$PWD" ../again
cd ../again || exit 1
must git fetch -q --depth 1 origin refs/notes/perf:refs/notes/perf
check 'an add behind a cut where no body lacks works' \
	exits 0 git perf add ../shallow/p4.folded
check 'an add where no body lacks has the usual subject' \
	is "$(subject)" 'perf: add 1'
