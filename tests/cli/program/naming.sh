#!/bin/sh
# Tags, ids, names, paths, pending profiles: the order of the look-up.
. "$(dirname "$0")/../lib.sh"
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
check 'the profile that was added before the newest is 1' is "$(top 1@i)" 'main;a 1'
check 'a name finds a stored profile' is "$(top a.folded)" 'main;a 1'
check 'an id finds a stored profile' is "$(top "$(id HEAD 0)")" 'main;b 2'
check 'four digits of an id find a stored profile' \
	is "$(top "$(id HEAD 1 | cut -c1-4)")" 'main;a 1'
check '<rev>:<tag> finds a profile of another commit' \
	is "$(top HEAD~1:0@i)" 'main;a 1'
check '-m finds a profile of another commit' \
	is "$(top -m HEAD~1 a.folded)" 'main;a 1'
body=$(git perf log --json -n 1 | jq -r '.commits[0].profiles[0].body // empty')
[ -z "$body" ] || check 'a profile is named by the id of its body' is "$(top "$body")" 'main;b 2'
printf 'main;file 9\n' >a.folded
check "the list comes before a file" is "$(top a.folded)" 'main;a 1'
check 'a path is a file' is "$(top ./a.folded)" 'main;file 9'
check 'add takes the file' exits 0 git perf add a.folded
check 'a name that a file and a stored profile have is refused' exits 128 git perf export a.folded
check 'an ambiguous name gets the hint at the file' \
	mentions err ', or \./ before the name for the file$'
check 'an ambiguous name is an error with both ids' \
	mentions err "'a.folded' names [0-9a-f]{16} and [0-9a-f]{16}"
check 'rm of a range works' exits 0 git perf rm 0@i-1@i
check 'rm of a range counts what it removed' says err \
	"removed 2 profiles from $(git rev-parse --short=10 HEAD)"
check 'a removed range is gone from the list' is "$(top 0@i)" 'main;a 1'
check 'a range backwards' exits 128 git perf rm 1@i-0@i
check 'a range that runs backwards is refused' mentions err 'runs backwards'
last=$(id HEAD 0)
check 'export of a range' exits 0 git perf rm 0@i
check 'rm of one profile names the profile' says err \
	"removed $last from $(git rev-parse --short=10 HEAD)"
check 'no profile is left after rm' exits 128 git perf show 0@i
check 'the error says that the commit has no profile' \
	mentions err "no profile '0@i': the commit has none"
check 'show of an unknown revision fails' exits 128 git perf show nosuch:0@i
check 'an unknown revision is named' says err "fatal: no such commit 'nosuch'"
check 'show of what is neither fails' exits 128 git perf show nosuch
printf 'x\n' >no-profile
check 'show of a file that is no profile fails' exits 128 \
	git perf show no-profile
check 'the file is named' mentions err "^fatal: cannot read 'no-profile': "

mkdir -p .git/perf/jobs
printf 'main;waits 5\n' >.git/perf/jobs/waiting.folded
check 'a pending file is seen' is \
	"$(git perf status --json | jq -r '.pending[0].path' | xargs basename)" \
	waiting.folded
check 'a tag finds a pending profile' is "$(top 0@p)" 'main;waits 5'
check 'a part of its name finds a pending profile' \
	is "$(top wait)" 'main;waits 5'
check 'add takes a pending profile by its tag' exits 0 git perf add --keep 0@p
check 'add --keep leaves the pending file' exits 0 test -e .git/perf/jobs/waiting.folded
check 'add takes a pending profile by a part of its name' exits 0 git perf add waiting
check 'add removes the pending file' \
	exits 1 test -e .git/perf/jobs/waiting.folded
printf 'main;waits 5\n' >.git/perf/jobs/w1.folded
printf 'main;waits 5\n' >.git/perf/jobs/w2.folded
check 'a part that fits two names is refused' exits 128 git perf show w
check 'two pending names that fit are both listed' \
	mentions err "'w[12].folded' \(pending\), 'w[12].folded' "
check 'rm takes no part of a pending name' exits 128 git perf rm w1
check 'rm says which names it takes' \
	says err "fatal: no profile 'w1': not a tag, \
an id or whole name in the commit's list, a file or a pending profile by its \
whole name"
check 'rm of a part leaves the pending files' \
	exits 0 test -e .git/perf/jobs/w1.folded
check 'rm deletes a pending one by its whole name' \
	exits 0 git perf rm w1.folded
check 'rm names the pending profile that it deleted' \
	says err 'deleted pending w1.folded'
check 'rm deletes only the pending profile of that name' \
	exits 0 test -e .git/perf/jobs/w2.folded

# A part of a name is looked for in both lists alike.
printf 'main;s 3\n' >stored-one.folded
printf 'main;s 4\n' >stored-two.folded
must git perf add stored-one.folded stored-two.folded
rm stored-one.folded stored-two.folded
check 'a stored one by a part of its name' is "$(top d-one)" 'main;s 3'
check '<rev>:<part> finds a stored profile by a part of its name' \
	is "$(top HEAD:d-two)" 'main;s 4'
check 'a part of two stored names is refused' exits 128 git perf show stored
check 'stored profiles that fit are listed with ids' \
	says err "fatal: 'stored' fits 2 profiles, \
need more of a name or an id: 'stored-two.folded' ($(id HEAD 0)), \
'stored-one.folded' ($(id HEAD 1))"
check 'pending and stored ones' exits 128 git perf show w
check 'pending and stored profiles that fit are listed together' mentions err \
	"'w' fits 4 .*: 'w2.folded' \(pending\), 'stored-two.folded' \([0-9a-f]{16}\), 'waiting"
check 'rm takes no stored one by a part' exits 128 git perf rm d-one
check 'the refusal of rm by a part asks for an id or whole name' \
	mentions err "^fatal: no profile 'd-one': .* an id or whole name in the commit's list"
check 'rm of <rev>:<part> is refused' exits 128 git perf rm HEAD:d-two
check 'stored profiles stay after a refused rm' \
	is "$(top d-one) $(top d-two)" 'main;s 3 main;s 4'
check 'a part that nothing has' exits 128 git perf show HEAD:nothing
check 'a part of a name that nothing has is not found' \
	mentions err "no profile 'nothing' in the list of commit"
check 'add asks for the pending ones only' exits 0 git perf add --keep w
check 'an exact name comes before parts' is "$(top w2.folded)" 'main;waits 5'
check "rm leaves the user's files alone" exits 128 git perf rm ./a.folded
check "the refusal of a file says that it is the user's" mentions err "is a file of yours"

check 'formats of a file that is not there fails' exits 128 git perf formats nosuch ./a.folded
check 'formats names the file that it cannot read' \
	mentions err "^fatal: cannot read 'nosuch'"
check 'formats tells the format of the other file' \
	says out './a.folded	collapsed'
check 'formats of a stored profile by its tag' exits 0 git perf formats 0@i
check 'formats tells what a stored profile was added in' \
	says out '0@i	collapsed'
check 'formats of a series' exits 0 git perf formats HEAD:w2.folded
check 'formats tells what a series was added in' \
	says out 'HEAD:w2.folded	collapsed'
check 'formats of a series that is not there' exits 128 \
	git perf formats HEAD:nothing
check 'formats says that there is no such series' \
	mentions err "^fatal: no profile 'nothing'"
check 'a measured one is pending' exits 0 git perf collect -r 2 true
check 'status says what was measured' exits 0 git perf status
check 'status says how long a pending run took' \
	mentions out '0@p .*\.perf  wall [0-9.]+ '
check 'status -v is accepted' exits 0 git perf status -v
check 'status -v has all metrics of a pending profile' \
	mentions out '0@p .*  \[true\]  wall [0-9].*, involuntary-switches '
must git perf collect -q -r 2 --name=nightly/one -- true
must git perf collect -q -r 2 --name=nightly/two -- true
check 'status lists a pending profile with a name of its own' \
	exits 0 git perf status
check 'status shows the name of a pending profile' \
	mentions out '1@p .*\.perf  as nightly/one  wall '
check 'add takes a pending profile by its given name' exits 0 git perf add --keep nightly/one
must git perf rm 0@i
check 'show takes a pending profile by a part of its given name' exits 0 git perf show y/two
check 'a part of several given names is refused' exits 128 git perf show nightly
must git perf rm nightly/two nightly/one
check 'rm of several that fit deletes nothing' \
	is "$(git perf status --json | jq '.pending | length')" 2
check 'a commit of several series is no profile' exits 128 git perf export HEAD
check 'the error names the series of the commit' \
	mentions err "^fatal: 'HEAD' has 4 series, type one of: HEAD:stored-one.folded, "
check 'a measurement without a name is added' \
	exits 0 git perf collect --add -r 2 true
check 'log shows no empty name' is "$(git perf log | grep -c ' $')" 0
check 'status shows no empty name' is \
	"$(git perf status | grep -c '^  0@i  true/time  *wall ')" 1
check 'rm takes it out again' exits 0 git perf rm 0@i

# A pipe gives its bytes once, whatever looks at them first.
mkfifo pipe
printf 'main;piped 7\n' >pipe &
check 'a pipe can be added' exits 0 git perf add pipe
check 'a profile through a pipe has what came through it' \
	is "$(top 0@i)" 'main;piped 7'
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "main;f%d 1\n", i }' >pipe &
check 'a long one too' exits 0 git perf add pipe
check 'a long profile through a pipe is whole' \
	is "$(top 0@i | wc -l | tr -d ' ')" 4000

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
check 'add of a range works' exits 0 git perf add 0@p-2@p
check 'a range is added in the order of its tags' is "$(names profiles name)" \
	'r4.folded r3.folded r2.folded '

# A name is meant before the first digits of another one's id.
printf 'main;digits 3\n' >digits.folded
must git perf add digits.folded
digits=$(id HEAD 0 | cut -c1-4)
printf 'main;named 4\n' >digits.folded
must git perf add --name="$digits" digits.folded
check 'a registered name comes before the digits of an id' \
	is "$(top "$digits") $(top "HEAD:$digits")" 'main;named 4 main;named 4'

# Of one time the later one had its name numbered.
rm -f .git/perf/jobs/*
for n in '' -1 -2 -10; do
	printf 'main;n 1\n' >".git/perf/jobs/time-x$n.folded"
done
must touch -d '2024-05-01 12:00:00' .git/perf/jobs/*
check 'the newest of one second is first' is "$(names pending path)" \
	'time-x-10.folded time-x-2.folded time-x-1.folded '

# What one types is said.
check 'add without a profile is a usage error' exits 129 git perf add
check 'add lists what is pending, as one types it' says err \
	'  git perf add 0@p  # time-x-10.folded'
check 'add says how to add all of it' says err \
	'  git perf add 0@p-3@p  # all of them'
rm -f .git/perf/jobs/*
check 'add without anything pending is a usage error' exits 129 git perf add
check 'add says how to get something' says err \
	'none is pending: "git perf collect -- <command>" makes one'

# Above the figures stands what was measured.
git config perf.machine bench-1
must git perf collect -q -r 6 --workload=big -- true one
check 'show of a pending measurement' exits 0 git perf show 0@p
check 'the command stands above' says out 'Command: true one'
check 'the workload stands above' says out 'Workload: big'
check 'the commit stands above' says out "Commit: $(git rev-parse HEAD)"
check 'the machine stands above' mentions out '^Machine: bench-1'
check 'the time stands above' mentions out \
	'^Time: 20[0-9-]* [0-9:]{8} UTC$'
must git perf add 0@p
check 'show of a stored measurement' exits 0 git perf show 0@i
check 'the commit of a stored one stands above' \
	says out "Commit: $(git rev-parse HEAD)"
check 'show --json of six runs' exits 0 git perf show --json 0@i
check 'of six values the interval of the median is all of them' json \
	'.rows[0] | [.low == .min, .high == .max]' '[true,true]'

# Formats go by the names that people use.
printf 'main;f 7\n' >stacks.txt
check 'folded is collapsed' \
	is "$(git perf export --format=folded --to=folded ./stacks.txt)" \
	'main;f 7'
