#!/bin/sh
# <rev>:<job>, /<collector>, /<machine>, @<workload>: names that do not shift,
# each for all that a commit has of one series.
. "$(dirname "$0")/../lib.sh"
need jq

# A profile of `main;f` with this cost, by the collector `command`.
measure()
{
	printf 'main;f %d\n' "$1" >a.folded
	shift
	must git perf collect -q --add -c command -O format=collapsed "$@" \
		-- cp a.folded '{output}'
}
folded()
{
	git perf export --to=collapsed "$@"
}
id()
{
	git perf log --json -n 1 | jq -r ".commits[0].profiles[$1].id"
}

echo one >file
must git add file
commit first
hex=$(git rev-parse --short=10 HEAD)
measure 4 -l job=fib
commit second
measure 6 -l job=fib
check 'a commit with one series is that series' is "$(folded HEAD)" 'main;f 6'
check 'a job names a series' is "$(folded HEAD:fib)" 'main;f 6'
check 'job and collector name a series' \
	is "$(folded HEAD:fib/command)" 'main;f 6'
check 'a collector alone names a series' is "$(folded HEAD:/command)" 'main;f 6'
check 'the program names a job, too' is "$(folded HEAD:cp)" 'main;f 6'
check 'a command line names a series' \
	is "$(folded "HEAD:cp a.folded '{output}'/command")" 'main;f 6'
check 'an option of a view with one series is of that' exits 0 \
	git perf show HEAD --nodecount=3
check 'the one series is shown as a profile' mentions out '^Showing nodes '
check 'another commit has its own' is "$(folded HEAD~1:fib)" 'main;f 4'

# Two records of one series are 6 and 8: together 14, the median 7.
measure 8 -l job=fib
check 'records of one series are merged' is "$(folded HEAD:fib)" 'main;f 14'
check 'show of a series' exits 0 git perf show --json HEAD:fib
check 'show speaks of one run: 14 of two is 7 each' \
	json '[.total, (.rows[] | select(.name == "f") | .self)]' '[7,7]'
check 'metrics of a series' exits 0 \
	git perf show --view=metrics --json HEAD:fib
check 'values of one series are pooled' json \
	'.rows[] | select(.name == "samples") | [.median, .n]' '[7,2]'
echo dirty >file
measure 100 -l job=fib
must git checkout -q file
check 'a dirty tree is in no series' is "$(folded HEAD:fib)" 'main;f 14'
must git perf rm 0@i
measure 1
check 'what was run by hand is of the one job that runs the same' \
	is "$(folded HEAD:fib)" 'main;f 15'
must git perf rm 0@i

# Several.
measure 20 -l job=other
measure 30 -l job=fib --workload=big/1
measure 40 -l job=fib --workload=small
check 'a name of several series is refused' exits 128 git perf show HEAD:fib
check 'what fits is listed as one types it' says err \
	"fatal: 'HEAD:fib' fits 3 series, type one of: HEAD:fib/command, \
HEAD:fib/command@big/1, HEAD:fib/command@small"
check 'diff of a name of several series is refused' exits 128 git perf diff HEAD:fib
check 'diff lists what fits in HEAD, not in its ancestor' mentions err \
	"^fatal: 'HEAD:fib' fits 3 series, type one of: HEAD:fib/command, "
check 'the workload tells them apart' is "$(folded HEAD:fib@small)" 'main;f 40'
check 'a workload may hold a slash' is "$(folded HEAD:fib@big/1)" 'main;f 30'
check 'the workload may stand before the collector' \
	is "$(folded HEAD:fib@big/1/command)" 'main;f 30'
check 'a workload alone names a series' is "$(folded HEAD:@small)" 'main;f 40'
check 'a series of another job is shown' is "$(folded HEAD:other)" 'main;f 20'
check 'merge takes all that fit' is \
	"$(git perf merge --to=collapsed HEAD:/command)" 'main;f 104'
check 'a commit with several series is refused where one is wanted' \
	exits 128 git perf export HEAD
check 'the series of a commit are listed' mentions err \
	"^fatal: 'HEAD' has 4 series, type one of: HEAD:fib/command, HEAD:"
# Options of a view are of one profile.
check 'an option of a view with several series is refused' exits 128 \
	git perf show HEAD --nodecount=3
check 'the series that the view may be of are listed' mentions err \
	"^fatal: 'HEAD' has [0-9]* series, type one of: HEAD:"
check 'diff of commits with a filter is refused' exits 128 \
	git perf diff HEAD~1 HEAD --focus=f
check 'diff names the commit that has several series' mentions err \
	"^fatal: 'HEAD' has [0-9]* series, type one of: HEAD:"
must git perf rm 0@i 1@i
git config perf.machine ci-1
measure 50 -l job=fib
check 'two machines are two series' exits 128 git perf export HEAD:fib
# The other is a fingerprint in hex: ci-1 is the first or the last of the two.
check 'machines are listed by name' mentions err ' HEAD:fib/command/ci-1(,|$)'
check 'the machine names a series' is "$(folded HEAD:fib/command/ci-1)" \
	'main;f 50'
check 'the collector before it may be left out' \
	is "$(folded HEAD:fib//ci-1)" 'main;f 50'
must git perf rm 0@i 1@i
git config --unset perf.machine

# What is missing is said.
check 'nothing behind the colon is refused' exits 128 git perf show HEAD:
check 'what may stand behind the colon is listed' says err \
	"fatal: the name of a series is missing behind 'HEAD:', type one of: \
HEAD:fib/command"
check 'nothing behind the slash is refused' exits 128 git perf show HEAD:fib/
check 'collectors are listed' says err \
	"fatal: a collector is missing behind 'HEAD:fib/', type one of: \
HEAD:fib/command"
check 'nothing behind the at is refused' exits 128 git perf show HEAD:fib@
check 'a missing workload is named' mentions err \
	"^fatal: a workload is missing behind 'HEAD:fib@', "
check 'nothing before the colon is refused' exits 128 git perf show :fib
check 'a missing revision is named' says err \
	"fatal: a revision is missing before ':fib': HEAD:fib is that of HEAD"
check 'a text that no commit has is refused' exits 128 git perf show :/nobody
check 'a text of no commit is not called a series that lacks its revision' says err "fatal: no such commit ':/nobody'"
check 'a text that no commit has is refused by diff' exits 128 git perf diff HEAD :/nobody
check 'diff names the text that no commit has' says err "fatal: no such commit ':/nobody'"
check 'an unknown series is refused' exits 128 git perf show HEAD:fob
check 'the series of the commit are named instead' says err \
	"fatal: no profile 'fob' in the list of commit \
$(git rev-parse --short=10 HEAD), its series are: HEAD:fib/command"
check 'a commit without series is refused' exits 128 \
	git perf show "$(git commit-tree -m x "$(git mktree </dev/null)")":fib
check 'the refusal says that the commit has no series' mentions err ', which has no series'

# Tags, ids and names stay.
check 'a tag is of records' is "$(folded HEAD:0@i)" 'main;f 8'
check 'an id is of a record' is "$(folded "HEAD:$(id 1)")" 'main;f 6'
printf 'main;named 1\n' >fib
must git perf add fib
check 'a registered name comes before a job' is "$(folded HEAD:fib)" \
	'main;named 1'
must git perf rm fib

# rm is careful.
check 'rm takes no series of several records' exits 128 git perf rm HEAD:fib
check 'rm says how to remove the profiles of a series' mentions err \
	"^fatal: 'HEAD:fib/command' is 2 profiles: remove them by their ids, $(id 0) "
check 'nothing was removed' is "$(folded HEAD:fib)" 'main;f 14'
check 'rm of a commit removes nothing' exits 128 git perf rm HEAD
check 'rm takes a series of one record' exits 0 git perf rm HEAD~1:fib
check 'rm names what it removed' mentions err "^removed [0-9a-f]{16} from $hex$"

# export, model
check 'export --raw wants one record' exits 128 git perf export --raw HEAD:fib
check 'export --raw says how many there are' mentions err 'is 2 profiles, need'
check 'model takes a series' exits 0 git perf model -p normalizer HEAD:fib
must git perf add 0@p
check 'what was made of a series is no sample of it' \
	is "$(folded HEAD:fib)" 'main;f 14'

# Branches and files.
printf 'main;file 1\n' >topic
must git branch topic HEAD
check 'a branch comes before a file of its name' is "$(folded topic)" \
	'main;f 14'
check './ is the file' is "$(folded ./topic)" 'main;file 1'
printf 'main;file 2\n' >v1.0
must git tag v1.0
check 'a file with a dot comes before a tag of its name' \
	is "$(folded v1.0)" 'main;file 2'

# Arguments are asked for where two differ in them alone.
commit third
must git perf collect -q --add -r 1 -- true one
check 'a program is enough for the only one' exits 0 git perf show HEAD:true
must git perf collect -q --add -r 1 -- true two
check 'arguments tell two of one program apart' exits 128 git perf show HEAD:true
check 'arguments are listed in quotes' says err \
	"fatal: 'HEAD:true' fits 2 series, type one of: 'HEAD:true one/time', \
'HEAD:true two/time'"
check 'arguments name a series' exits 0 git perf show 'HEAD:true one/time'
check 'a series of figures has no stacks' exits 128 git perf export --to=collapsed 'HEAD:true one/time'
check 'a name is quoted once' mentions err "^fatal: cannot write 'HEAD:true one/time' as collapsed"
must git perf rm 0@i 1@i
echo dirty >file
must git perf collect -q --add -r 1 -- true one
check 'a series of dirty records only is refused' exits 128 \
	git perf show HEAD:true
check 'a dirty record is told by its id' says err \
	"fatal: no series 'true' at commit $(git rev-parse --short=10 HEAD): it \
was measured in a dirty tree only, which $(id 0) shows"

# Names without a revision, and filters that nothing passes.
rm -f lone
git add -A
commit named
echo 'main;f 7' >../lone.folded
must git perf collect -q --add -c command -O format=collapsed -l job=lone \
	-- cp ../lone.folded '{output}'
rm -f '{output}'
check 'a series without a revision is no profile' exits 128 \
	git perf show lone/command
check 'the refusal of a series without a revision says its name' mentions err \
	"; 'HEAD:lone/command' names what was measured\$"
cp "$(command -v env)" lone
check 'a file of the name of a job comes first' exits 128 git perf show lone
check 'the refusal of a file of the name of a job says how it is named' \
	mentions err "; 'HEAD:lone' names what was measured\$"
check 'the refusal of what nothing is called suggests nothing' exits 128 \
	git perf show nosuch
check 'what nothing is called has no name with a revision' \
	not mentions err 'names what was measured'
check 'log of a collector that measured nothing' exits 0 \
	git perf log --oneline --collector=comand
check 'log says that no series has the collector, and which there are' \
	mentions err "^no series of these commits has collector 'comand'; there are: .*; did you mean 'command'\\?\$"
check 'log of a job that was not measured' exits 0 \
	git perf log --oneline --job=loen
check 'log suggests the job that is meant' mentions err \
	"has job 'loen'; there are: .*; did you mean 'lone'\\?\$"
check 'log of a metric that was not measured' exits 0 \
	git perf log --oneline --metric=walk
check 'log says that no series has the metric, and which there are' mentions err \
	"has metric 'walk'; there are: .*wall.*; did you mean 'wall'\\?\$"
check 'check of a job that was not measured has no verdict' exits 125 \
	git perf check --job=loen
check 'check suggests the job that is meant' mentions err \
	"^fatal: nothing to compare: no series has job 'loen'; there are: .*; did you mean 'lone'\\?\$"
check 'check of a metric that was not measured has no verdict' exits 125 \
	git perf check --metric=walk
check 'check suggests the metric that is meant' mentions err \
	"no series has metric 'walk'; there are: .*wall.*; did you mean 'wall'\\?\$"
check 'show of a job of a revision that is mistyped' exits 128 \
	git perf show HEAD:loen/command
check 'show suggests the series of the revision' mentions err \
	"did you mean 'HEAD:lone/command'\\?\$"
check 'log of a job and a metric that do not meet' exits 0 \
	git perf log --oneline --job=lone --metric=wal+x
check 'log says which job and metric no series has' says err \
	"no series of these commits has job 'lone', metric 'wal+x'"
check 'log of a job that was measured' exits 0 git perf log --job=lone
check 'log says nothing where a series fits' silent err
check 'diff of an empty name is refused' exits 128 git perf diff HEAD:
check 'the error says what is missing behind the colon' mentions err \
	"^fatal: the name of a series is missing behind 'HEAD:'"

# A job of blanks that was run, and a file that was added to it: the latter has
# no collector, which a slash says. Jobs may begin with marks.
must git init -q -b main ../marks
cd ../marks || exit 1
commit marks
printf 'main;f 1\n' >../f.folded
printf '[job "my fib"]\n\tcmd = true\n' >.gitperf
must git perf add --label 'job=my fib' ../f.folded 2>"$err"
must git perf add --label job=/lead ../f.folded 2>"$err"
must git perf trust 2>"$err"
must git perf run --again 2>"$err"
check 'a job with and without a collector fits two series' exits 128 \
	git perf show 'HEAD:my fib'
check 'both are listed as one types them' says err \
	"fatal: 'HEAD:my fib' fits 2 series, type one of: 'HEAD:my fib/', 'HEAD:my fib/time'"
check 'a slash is the one without a collector' is \
	"$(git perf export -t collapsed 'HEAD:my fib/')" 'main;f 1'
check 'a job may begin with a slash' is \
	"$(git perf export -t collapsed HEAD:/lead/)" 'main;f 1'
check 'the list of the commit has these names' exits 0 git perf show HEAD
check 'a name of the list has its slash' mentions out "^'HEAD:my fib/' "

# One series without a machine beside one of a machine: its name fits both.
must git init -q -b main ../machines
cd ../machines || exit 1
commit machines
printf 'main;f 1\n' >../f.folded
must git perf add --label job=fit ../f.folded 2>"$err"
must git perf export-perun ../store 2>"$err"
must git perf import ../store 2>"$err"
check 'a name of two machines is refused' exits 128 git perf export HEAD:fit
check 'what has no machine goes by its id' mentions err \
	'fits 2 series, type one of: HEAD:[0-9a-f]{16} \(of no machine\), HEAD:fit/'
check 'what is listed can be typed' exits 0 git perf export \
	"$(sed -n 's/.*of: \(HEAD:[0-9a-f]*\) .*/\1/p' "$err")"
