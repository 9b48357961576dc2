#!/bin/sh
# git perf log: whose figures are whose where a commit has several jobs.
. "$(dirname "$0")/../lib.sh"

stacks()
{
	printf 'main;f %d\n' "$1" >a.folded
	must git perf collect -c command -O format=collapsed --add \
		-- cp a.folded '{output}'
}

commit first
stacks 3
check 'log of one job' exits 0 git perf log --oneline
check 'a single series stands on the line of the commit' \
	mentions out '^[0-9a-f]{10} first  +cp/command  samples  3$'
must git perf collect -r 1 --add -- true
check 'log of several series' exits 0 git perf log --oneline
check 'each of several series has a line' is "$(sed -n '2,$s/[0-9.]* [mun]*s$/T/p;s/ *3$/ 3/p' "$out")" \
	'    true/time   wall     T
    cp/command  samples 3'
check 'log of several series with chosen metrics' exits 0 \
	git perf log --oneline --metric='^(wall|user)$'
check 'a chosen metric is the one on the line' \
	mentions out '^    true/time   wall  [0-9.]+ [mun]?s$'
check 'log -v of chosen metrics' exits 0 \
	git perf log -v --metric='^(wall|user)$'
check 'log -v has the second of the chosen metrics' \
	mentions out '^ +user  [0-9.]+'
check 'log -v has no other metric' not mentions out 'max-rss'
must git perf collect -q -r 1 --add -- cp a.folded '{output}'
check 'log of two series of one command' exits 0 git perf log --oneline
check 'the command collector has a line of its own' \
	mentions out '^    cp/command  samples  3$'
check 'the time collector has a line of its own' \
	mentions out '^    cp/time     wall     '

# Filters.
check 'log --collector is accepted' \
	exits 0 git perf log --oneline --collector=command
check 'log --collector leaves out other collectors' \
	mentions out '^[0-9a-f]{10} first  +cp/command  samples  3$'
check 'log --job takes the name of a program' \
	exits 0 git perf log --oneline --job=true
check 'log --job leaves out other jobs' \
	mentions out '^[0-9a-f]{10} first  +true/time  wall  [0-9.]+ [mun]?s$'
check 'log --job takes a job with its collector' \
	exits 0 git perf log --oneline --job=cp/time --json
check 'log --json has the profiles of the job alone' \
	json '[.commits[0].profiles[] | .collector]' '["time"]'
check 'log --machine of another machine is accepted' \
	exits 0 git perf log --oneline --machine=nosuch
check 'what was measured on another machine is left out' \
	mentions out '^[0-9a-f]{10} first$'

# A change, by arithmetic: 5 is 2/3 more than 3; and what was not measured.
rm -f '{output}'
commit second
stacks 5
commit third
check 'log --oneline of a commit without profiles' exits 0 git perf log --oneline
check 'a commit without profiles is one line' \
	is "$(sed -n 1p "$out")" "$(git rev-parse --short=10 HEAD) third"
check 'the change to the last measured ancestor stands beside a figure' \
	mentions out '^[0-9a-f]{10} second  +cp/command  samples  5 +\+66\.7%$'
check 'log without --oneline of a commit without profiles' exits 0 git perf log
check 'a commit without profiles is one line of the long log' \
	is "$(sed -n 1p "$out")" "$(git rev-parse --short=10 HEAD) third"
check 'log --measured is accepted' exits 0 git perf log --oneline --measured
check 'log --measured leaves out commits without profiles' \
	is "$(grep -c third "$out")" 0
stacks 5
check 'log of an equal figure' exits 0 git perf log --oneline -n 1
check 'an equal figure is told as such' \
	mentions out '^[0-9a-f]{10} third  +cp/command  samples  5 +=$'
must git perf rm 0@i

# A second branch: what is compared is an ancestor, not what was printed last.
# Its tree is another one: a commit of an equal tree would stand for "third".
must git checkout -q -b side HEAD~2
echo side >side
must git add side
commit on-side
stacks 9
must git checkout -q main
check 'log over two branches' exits 0 git perf log --oneline --all
check 'the change is to the own ancestor: three times 3' \
	mentions out 'on-side  +cp/command  samples  9 +\+200%$'
check 'the change is not to the other branch' \
	mentions out 'second  +cp/command  samples  5 +\+66\.7%$'

# Courses share the columns of commits.
commit fourth
stacks 4
must git perf collect -q -r 1 --add -- true
check 'the course over commits of which some are not measured' \
	exits 0 git perf log --oneline --metric=samples --job=cp
check 'a commit without figures leaves a gap' \
	says out '▁█ ▅  cp/command samples  3 .. 5'
check 'wall of the program that not every commit has' \
	exits 0 git perf log --oneline --metric='^(samples|wall)$' -v
check 'the course of another metric has the same columns' \
	is "$(sed -n 's/  true.time wall .*//p' "$out" | sed 's/[^ ]\{3\}/x/g')" 'x  x'
i=0
while [ $i -lt 4 ]; do
	i=$((i + 1))
	commit "steady $i"
	stacks $((1000 + i % 2 * 2))
done
check 'the course of what moves by .2 %' exits 0 git perf log --oneline -n 4
check 'a change of .2 % is no cliff' \
	says out '▄▄▄▄  cp/command samples  1,000 .. 1,002'

# Eight series with long names and metrics: 80 columns a line.
commit 'a subject that is longer than it has any need to be, so that it is cut'
for i in 1 2 3 4 5 6 7 8; do
	printf 'Sampled by something with a long name;f 123456789\n' >long.folded
	must git perf add --machine=mill \
		--name="a-profile-whose-name-nobody-would-want-to-type-$i" long.folded
done
check 'log --oneline of eight series' exits 0 git perf log --oneline -n 1
check 'eight series have eight lines' is "$(grep -c '^    ' "$out")" 8
check 'no line of log is longer than 80 columns' \
	is "$(awk 'length > 80' "$out")" ''
check 'status of eight series' exits 0 git perf status
check 'no line of status is longer than 80 columns' \
	is "$(awk 'length > 80' "$out")" ''

# The machine, where there are several.
commit machines
must git perf add --machine=mill a.folded
check 'log of a single machine' exits 0 git perf log --oneline -n 1
check 'a single machine is not named' \
	mentions out 'machines  +a\.folded  samples  1,000$'
must git perf add --machine=dam a.folded
check 'log of two machines' exits 0 git perf log --oneline -n 1
check 'the first of two machines is named' \
	mentions out '^    a\.folded//mill  samples  1,000$'
check 'the second of two machines is named' \
	mentions out '^    a\.folded//dam   samples  1,000$'
check 'log --machine takes a name' \
	exits 0 git perf log --oneline -n 1 --machine=dam
check 'log --machine shows that machine alone' \
	mentions out 'machines  +a\.folded  samples  1,000$'

# Colour, as git has it.
check 'log in colour' exits 0 git perf --color=always log --oneline -n 1
check 'ids have the colour of git log' mentions out "^$(printf '\033')\[33m"
must git config color.perf.commit blue
check 'log in a configured colour' \
	exits 0 git perf --color=always log --oneline -n 1
check 'ids have the configured colour' mentions out "^$(printf '\033')\[34m"
check 'log without colour' exits 0 git perf --color=never log --oneline -n 1
check 'no colour means no escape sequences' \
	not mentions out "$(printf '\033')"

# What is neither ours nor git's.
check 'an option that git log has not either is refused' \
	exits 129 git perf log --metrics=wall
check 'log suggests the nearest option of its own' \
	mentions err "did you mean '--metric'[?]$"

# git's times go beyond 2262, where ns have no room in 64 bits.
must git init -q -b main "$scratch/late"
cd "$scratch/late" || exit 1
late=$(printf 'tree %s\nauthor A <a@x> 99999999999 +0000\ncommitter A <a@x> 99999999999 +0000\n\nlate\n' \
	"$(git mktree </dev/null)" | git hash-object -t commit -w --stdin)
must git update-ref refs/heads/main "$late"
printf 'main;f 1\n' >late.folded
must git perf add late.folded 2>"$err"
check 'a commit of a late time as JSON' exits 0 git perf log --json
check 'JSON has the date of year 5138' json '.commits[0].date' \
	"\"$(git log -1 --format=%as)T$(date -u -d @99999999999 +%T)Z\""
check 'a commit of a late time' exits 0 git perf log
check 'log has the date of year 5138' says out \
	"Date:   $(date -u -d @99999999999 '+%F %T') UTC"

# An author that git cannot read has no name, as by git's %an.
nobody=$(printf 'tree %s\nauthor nobody\ncommitter A <a@x> 1700000000 +0000\n\nodd\n' \
	"$(git mktree </dev/null)" |
	git hash-object -t commit -w --stdin --literally)
must git update-ref refs/heads/main "$nobody"
check 'a commit of an author that cannot be read' exits 0 git perf log --json
check 'an author that cannot be read has no name' json \
	'.commits[0] | [.author // "", .email // ""]' \
	"[\"$(git log -1 --format=%an)\",\"$(git log -1 --format=%ae)\"]"

# Where the parent of the last commit asked for is missing git shows what is
# before that one, and fails.
must git init -q -b main "$scratch/cut"
cd "$scratch/cut" || exit 1
for name in one two three; do
	commit $name
done
gone=$(git rev-parse HEAD~2)
rm -f ".git/objects/$(echo "$gone" | cut -c 1-2)/$(echo "$gone" | cut -c 3-)"
for count in 1 2; do
	status=0
	git log -n $count >"$scratch/said" 2>&1 || status=$?
	check "log -n $count beside a missing commit ends as git log" \
		exits $status git perf log -n $count
done
check 'git log fails, too' is "$status" 128
