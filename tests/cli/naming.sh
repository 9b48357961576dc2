#!/bin/sh
# Tags, ids, names, paths, pending profiles: the order of the look-up.
. "$(dirname "$0")/lib.sh"
need jq
commit one
printf 'main;a 1\n' >a.folded
printf 'main;b 2\n' >b.folded
must git perf add a.folded
commit two
must git perf add a.folded b.folded
id()
{
	git perf log --json -n 1 "$1" | jq -r ".commits[0].profiles[$2].id"
}
top()
{
	git perf export --to=collapsed "$@"
}
rm a.folded b.folded
check 'the newest is 0' is "$(top 0@i)" 'main;b 2'
check 'the one before is 1' is "$(top 1@i)" 'main;a 1'
check 'by name' is "$(top a.folded)" 'main;a 1'
check 'by id' is "$(top "$(id HEAD 0)")" 'main;b 2'
check 'by four digits' is "$(top "$(id HEAD 1 | cut -c1-4)")" 'main;a 1'
check 'of another commit' is "$(top HEAD~1:0@i)" 'main;a 1'
check 'by -m' is "$(top -m HEAD~1 a.folded)" 'main;a 1'
body=$(git perf log --json -n 1 | jq -r '.commits[0].profiles[0].body // empty')
[ -z "$body" ] || check 'by body' is "$(top "$body")" 'main;b 2'
printf 'main;file 9\n' >a.folded
check "the list comes before a file" is "$(top a.folded)" 'main;a 1'
check 'a path is a file' is "$(top ./a.folded)" 'main;file 9'
check 'add takes the file' exits 0 git perf add a.folded
check 'two of one name' exits 128 git perf export a.folded
check 'with the way to the file' mentions err ', or \./ before the name for the file$'
check 'are both listed' mentions err "'a.folded' names [0-9a-f]{16} and [0-9a-f]{16}"
check 'a range' exits 0 git perf rm 0@i-1@i
check 'that is counted' says err \
	"removed 2 profiles from $(git rev-parse --short=10 HEAD)"
check 'is taken out' is "$(top 0@i)" 'main;a 1'
check 'a range backwards' exits 128 git perf rm 1@i-0@i
check 'is refused' mentions err 'runs backwards'
last=$(id HEAD 0)
check 'export of a range' exits 0 git perf rm 0@i
check 'one is named' says err \
	"removed $last from $(git rev-parse --short=10 HEAD)"
check 'nothing is left' exits 128 git perf show 0@i
check 'and that is said' mentions err "no profile '0@i': the commit has none"
check 'an unknown revision' exits 128 git perf show nosuch:0@i
check 'is named' says err "fatal: no such commit 'nosuch'"

mkdir -p .git/perf/jobs
printf 'main;waits 5\n' >.git/perf/jobs/waiting.folded
check 'a pending file is seen' is \
	"$(git perf status --json | jq -r '.pending[0].path' | xargs basename)" \
	waiting.folded
check 'by tag' is "$(top 0@p)" 'main;waits 5'
check 'by a part of its name' is "$(top wait)" 'main;waits 5'
check 'add takes it' exits 0 git perf add --keep 0@p
check 'keeping it' exits 0 test -e .git/perf/jobs/waiting.folded
check 'or not' exits 0 git perf add waiting
check 'then it is gone' exits 1 test -e .git/perf/jobs/waiting.folded
printf 'main;waits 5\n' >.git/perf/jobs/w1.folded
printf 'main;waits 5\n' >.git/perf/jobs/w2.folded
check 'two that fit' exits 128 git perf show w
check 'are both named' mentions err "'w[12].folded' \(pending\), 'w[12].folded' "
check 'rm takes no part of a pending name' exits 128 git perf rm w1
check 'and says what it takes' says err "fatal: no profile 'w1': not a tag, \
an id or whole name in the commit's list, a file or a pending profile by its \
whole name"
check 'both pending files stay' exits 0 test -e .git/perf/jobs/w1.folded
check 'rm deletes a pending one by its whole name' \
	exits 0 git perf rm w1.folded
check 'and names it' says err 'deleted pending w1.folded'
check 'and only that' exits 0 test -e .git/perf/jobs/w2.folded

# A part of a name is looked for in both lists alike.
printf 'main;s 3\n' >stored-one.folded
printf 'main;s 4\n' >stored-two.folded
must git perf add stored-one.folded stored-two.folded
rm stored-one.folded stored-two.folded
check 'a stored one by a part of its name' is "$(top d-one)" 'main;s 3'
check 'in the list of a commit that is named' is "$(top HEAD:d-two)" 'main;s 4'
check 'two stored ones that fit' exits 128 git perf show stored
check 'are listed with their ids' says err "fatal: 'stored' fits 2 profiles, \
need more of a name or an id: 'stored-two.folded' ($(id HEAD 0)), \
'stored-one.folded' ($(id HEAD 1))"
check 'pending and stored ones' exits 128 git perf show w
check 'are listed together' mentions err \
	"'w' fits 4 .*: 'w2.folded' \(pending\), 'stored-two.folded' \([0-9a-f]{16}\), 'waiting"
check 'rm takes no stored one by a part' exits 128 git perf rm d-one
check 'saying so' mentions err "^fatal: no profile 'd-one': .* an id or whole name in the commit's list"
check 'nor in the list of a commit' exits 128 git perf rm HEAD:d-two
check 'which are there yet' is "$(top d-one) $(top d-two)" 'main;s 3 main;s 4'
check 'a part that nothing has' exits 128 git perf show HEAD:nothing
check 'is not found' mentions err "no profile 'nothing' in the list of commit"
check 'add asks for the pending ones only' exits 0 git perf add --keep w
check 'an exact name comes before parts' is "$(top w2.folded)" 'main;waits 5'
check "rm leaves the user's files alone" exits 128 git perf rm ./a.folded
check 'saying so' mentions err "is a file of yours"

check 'formats of files' exits 128 git perf formats nosuch ./a.folded
check 'names the bad one' mentions err "^fatal: cannot read 'nosuch'"
check 'and tells the good one' says out './a.folded	collapsed'
check 'a measured one is pending' exits 0 git perf collect -r 2 true
check 'status says what was measured' exits 0 git perf status
check 'and how long it took' mentions out '0@p .*  \[true\]  wall [0-9]'
check 'and that more was measured' mentions out '0@p .*sys [^,]*, and 5 more$'
must git perf collect -q -r 2 --name=nightly/one -- true
must git perf collect -q -r 2 --name=nightly/two -- true
check 'one that was named' exits 0 git perf status
check 'is shown so' mentions out '1@p .*\.perf  as nightly/one  of HEAD'
check 'goes by that name' exits 0 git perf add --keep nightly/one
must git perf rm 0@i
check 'or a part of it' exits 0 git perf show y/two
check 'unless it is of several' exits 128 git perf show nightly
must git perf rm nightly/two nightly/one
check 'as for rm' is "$(git perf status --json | jq '.pending | length')" 2
check 'a commit is no profile' exits 128 git perf diff HEAD 0@i
check 'and its profiles have names' says err "fatal: no profile 'HEAD': it is \
a commit, whose newest profile is 'HEAD:0@i'"
check 'without a name it can be added' exits 0 git perf collect --add -r 2 true
check 'nothing stands for the name in log' is "$(git perf log | grep -c ' $')" 0
check 'nor in status' is \
	"$(git perf status | grep -c '^    0@i  [0-9a-f]*  [^ ]* [^ ]*  \[true\]')" 1
check 'rm takes it out again' exits 0 git perf rm 0@i

# A pipe gives its bytes once, whatever looks at them first.
mkfifo pipe
printf 'main;piped 7\n' >pipe &
check 'a pipe can be added' exits 0 git perf add pipe
check 'with what came through it' is "$(top 0@i)" 'main;piped 7'
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "main;f%d 1\n", i }' >pipe &
check 'a long one too' exits 0 git perf add pipe
check 'with all of it' is "$(top 0@i | wc -l | tr -d ' ')" 4000

# A range of pending ones stands in the list as it stood there.
rm -f .git/perf/jobs/*
for n in 1 2 3 4; do
	printf 'main;r %s\n' $n >.git/perf/jobs/r$n.folded
	must touch -d "2026-01-01 00:00:0$n" .git/perf/jobs/r$n.folded
done
names()
{
	git perf status --json | jq -r ".$1[:3][].$2" | sed 's|.*/||' | tr '\n' ' '
}
check 'the newest pending one is first' is "$(names pending path)" \
	'r4.folded r3.folded r2.folded '
check 'adding a range' exits 0 git perf add 0@p-2@p
check 'keeps its order' is "$(names profiles name)" \
	'r4.folded r3.folded r2.folded '
