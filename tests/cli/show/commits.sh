#!/bin/sh
# git perf show and diff of commits: a line for each series.
. "$(dirname "$0")/../lib.sh"
need jq

# A benchmark with these seconds, of the job $1.
bench()
{
	job=$1
	shift
	echo "$@" | jq -Rc '{results: [{command: "bench", times: split(" ") |
		map(tonumber)} | . + {mean: (.times | add / length)}]}' >b.json
	must git perf add --no-environment --name=b -l job="$job" b.json
}
folded()
{
	printf "$1" >a.folded
	must git perf collect -q --add -c command -O format=collapsed \
		-l job=fib -- cp a.folded '{output}'
}

check 'show before the first commit is refused' exits 128 git perf show
check 'show says that there is no commit' says err \
	'fatal: nothing to show: there is no commit yet'
check 'diff before the first commit has no verdict' exits 125 git perf diff
check 'diff says that there is no commit' says err \
	'fatal: nothing to compare: there is no commit yet'
commit first
first=$(git rev-parse --short=10 HEAD)
check 'show without any profile is refused' exits 128 git perf show
check 'show says that nothing was measured' says err \
	'fatal: nothing to show: neither HEAD nor a first-parent ancestor has profiles'
bench sort 4 1 3 2
bench only-old 1
folded 'main;f 10\nmain;g 5\n'
check 'diff without an ancestor has no verdict' exits 125 git perf diff
check 'diff says that no ancestor was measured' says err \
	"fatal: nothing to compare: no first-parent ancestor of 'HEAD' has profiles"
commit second
check 'diff of an unmeasured HEAD has no verdict' exits 125 git perf diff
check 'diff says that HEAD was not measured' says err \
	"fatal: nothing to compare: 'HEAD' has no profiles, its nearest \
measured ancestor is $first"
check 'show of an unmeasured HEAD shows an ancestor' exits 0 git perf show
check 'show names the ancestor' mentions out \
	"^commit $first 2023-11-14 22:14:20 first$"
check 'the series of an ancestor are named by its id' mentions out "^$first:fib/command "

# A side branch is no first parent.
must git checkout -q -b side HEAD~1
commit aside
bench sort 7 7 7 7
must git checkout -q main
must git merge -q -m third side
bench sort 10 40 20 30
bench only-new 1
folded 'main;f 15\nmain;g 5\n'

# 4 1 3 2 has the median 2.5 s, 10 40 20 30 25 s; of 16 ratios the least is
# 10 / 4, the greatest 40 / 1. Both deviations are 1.29 and 12.9.
check 'diff compares HEAD with its nearest measured ancestor' \
	exits 0 git perf diff
check 'the old commit is a first parent' mentions out "^old $first .* first$"
check 'the new commit is HEAD' mentions out '^new [0-9a-f]{10} .* third$'
check 'a series of both has medians, delta, interval and counts' mentions out \
	'^sort +wall  +2.5 s ± 1.3  +25 s ± 13  +x10.0  +\+150% .. x40.0  4, 4 +worse\?$'
check 'a series of the old side is named' mentions out \
	"^$first:only-old +.* gone  .* 1$"
check 'a series of the new side is named' mentions out \
	'^HEAD:only-new +.* new  .* 1$'
check 'a series without an interval has none' mentions out \
	'^fib/command +samples +15 +20 +\+33.3%  +1, 1 +\?$'
cp "$out" ../no-names
check 'diff of one commit compares it with HEAD' \
	exits 0 git perf diff HEAD~2
check 'diff of an unmeasured commit has no verdict' exits 125 \
	git perf diff HEAD~1 HEAD
check 'diff of two commits' exits 0 git perf diff "$first" HEAD
check 'diff of the same two commits prints the same' same "$out" ../no-names
check 'diff the other way round' exits 0 git perf diff HEAD "$first"
check 'the ratio is the other way round' mentions out \
	'^sort +.* 25 s ± 13  +2.5 s ± 1.3  +-90.0%  +-97.5% .. -60.0%  4, 4 +better\?$'
check 'diff --json of commits' exits 0 git perf diff --json
check 'JSON has the interval as relative changes' json '[.rows[] |
	select(.series == "sort") | .metrics[0] |
	.old.median, .new.median, .delta, .relative,
	(.low, .high | . * 1e6 | round / 1e6), .old.n]' \
	'[2500000000,25000000000,22500000000,9,1.5,39,4]'
check 'JSON has series of one side without the other' json \
	'[.rows[] | select(.metrics[0] | .old == null or .new == null) | .series]' \
	'["only-new","only-old"]'
check 'diff of a part of names' exits 0 git perf diff HEAD:/command
check 'only its series are compared' is "$(sed -n '5,$p' "$out" | cut -c1-11)" \
	fib/command
check 'diff --exit-code of commits of which nothing is sure' exits 0 \
	git perf diff --exit-code
check 'diff --exit-code of one commit' exits 0 \
	git perf diff --exit-code HEAD HEAD
check 'equal values have no change' mentions out '^sort .* =  +'

# One series: its functions.
check 'diff of a series of HEAD' exits 0 git perf diff HEAD:fib
check 'the functions of one series are compared' mentions out \
	'^ +10 +15 +\+5 +\+50.00% +\+33.33% +10 +15  f$'
cp "$out" ../functions
check 'diff of a series of an old commit' exits 0 git perf diff "$first:fib"
check 'a series of an old commit is compared with that of HEAD' same "$out" ../functions
check 'diff of a series and a commit' exits 0 git perf diff "$first" HEAD:fib
check 'the commit stands for its own series' same "$out" ../functions
check 'diff of two series' exits 0 git perf diff "$first:fib" HEAD:fib/command
check 'diff of two series compares their functions' same "$out" ../functions
check 'diff of a series without a base has no verdict' exits 125 \
	git perf diff HEAD:only-new
check 'the missing series is named' says err "fatal: nothing to compare: \
no first-parent ancestor of 'HEAD' has series 'only-new'"
check 'diff of one profile is a usage error' exits 129 git perf diff 0@i
check 'the error says what diff needs' says err \
	'error: need two profiles or commits, have one profile'
check 'diff of a tag of one commit is refused' exits 128 git perf diff HEAD:0@i
check 'a profile alone is no side' says err \
	"fatal: need two profiles or commits, have the profile 'HEAD:0@i'"

# A command that changed, and what was run by hand, go on.
commit fourth
must git perf collect -q --add -r 1 -l job=new -- true old
must git perf collect -q --add -r 1 -l job=same -- true same
commit fifth
must git perf collect -q --add -r 1 -l job=new -- true new
must git perf collect -q --add -r 1 -- true same
check 'diff after a command was changed' exits 0 git perf diff --json
check 'the job is one series' json \
	'[.rows[] | select(.metrics[0] | .old and .new) | .args]' '["new","same"]'

# The overview.
commit sixth
bench sort 10 40 20 30
bench sort 10 40 20 30
echo 1 >file
must git add file
must git perf collect -q --add -r 1 -- true dirty
dirty=$(git perf log --json -n 1 | jq -r '.commits[0].profiles[0].id')
check 'show without a name' exits 0 git perf show
# Quartiles 17.5 and 32.5: 15 / 1.349 = 11.1, less than sd, 11.95.
check 'the overview has a line for each series' mentions out \
	'^HEAD:sort +.* 25 s ± 11  8$'
check 'what a dirty tree showed goes by its id' mentions out \
	"^$dirty +wall .* 1  dirty tree, true/time$"
check 'the overview of dirty trees for 60 columns' exits 0 env COLUMNS=60 git perf show
check 'an id stays whole in 60 columns' mentions out "^$dirty +wall .* 1  dirty tree.*\.\.\.$"
check 'show of a revision' exits 0 git perf show HEAD~1
check 'names begin with the revision' mentions out '^HEAD~1:new/time '
check 'show -m takes a revision' exits 0 git perf show -m HEAD~1
check 'show --view=metrics of a revision' exits 0 \
	git perf show --view=metrics HEAD~1
check 'the view metrics of a revision has all metrics' mentions out '^ +max-rss '
check 'show --json of HEAD' exits 0 git perf show --json
check 'JSON has pooled figures' json '.rows[] | select(.series == "sort") |
	.metrics[0] | [.records, .n, .median]' '[2,8,25000000000]'
check 'a name of the overview can be typed' exits 0 git perf show HEAD:sort

check 'diff of a commit that is not there' exits 128 git perf diff -m nosuchrev
check 'the commit that is not there is named' mentions err \
	"^fatal: .*'?nosuchrev"
mkdir "$scratch/elsewhere"
check 'diff outside of a repository' exits 128 \
	git-perf -C "$scratch/elsewhere" diff

# Five values each, of 25 pairs two the other way round: by chance at
# .032, which is below .05 and above .01. Welch's t is 7 / 2.43, 8 degrees, .021.
must git checkout -q --orphan doubt && must git rm -q -r -f --cached .
commit before
bench slow 100 102 104 106 110
commit after
bench slow 107 108 112 114 116
check 'diff of what two rules do not agree upon' exits 0 git perf diff
check 'what is not sure has a question mark' mentions out \
	'^slow +wall .* \+7.7% .* 5, 5 +same\?$'
check 'a row that is not sure is told why below' mentions out \
	'^same\? not sure at 1 %, more runs tell$'

# Metrics by their names, not the first of a series alone.
for cost in 100 200; do
	commit "$cost ns"
	printf 'BenchmarkA 1 %d ns/op 8 B/op 3 allocs/op\n' $cost >../bench.txt
	must git perf add --name=bench ../bench.txt
done
check 'diff of one metric of two commits' exits 0 git perf diff --metric=allocs
check 'the metric that was asked for is the only one' is \
	"$(sed 1,4d "$out" | tr -s ' ')" 'bench BenchmarkA allocs/op 3 3 = 1, 1 ?'
check 'diff of several metrics' exits 0 git perf diff --metric='ns|B/'
check 'all metrics that match are compared' is \
	"$(sed 1,4d "$out" | grep -o 'BenchmarkA [^ ]*' | tr '\n' ' ')" \
	'BenchmarkA ns/op BenchmarkA B/op '
check 'diff of a metric as JSON' exits 0 git perf diff --json --metric=allocs
check 'JSON has the metric that was asked for alone' json \
	'.rows[].metrics[] | [.name, .old.median, .relative]' \
	'["BenchmarkA allocs/op",3,0]'
check 'diff of a metric that nothing has' exits 0 git perf diff --metric=wall
check 'diff says that nothing has the metric' says err \
	"no series of these commits has metric 'wall'"
check 'diff of a metric that is no expression' exits 128 git perf diff --metric='('
check 'the bad expression is named' mentions err \
	"^fatal: bad regular expression '\('"
check 'a metric of two profiles is refused' exits 129 \
	git perf diff --metric=ns HEAD~1:bench HEAD:bench
check 'what profiles have instead is told' mentions err \
	'^error: --metric is of commits, --view=metrics or --sample-index of profiles$'

# A file that was added is a record and a series of its name.
commit named
printf 'main;f 10\n' >own.folded
must git perf add own.folded
commit 'named again'
printf 'main;f 12\n' >own.folded
must git perf add own.folded
check 'diff of a series that is called as its only record' \
	exits 0 git perf diff --json HEAD:own.folded
check 'the series is compared with that of the nearest commit' \
	json '.rows[0] | [.old_self, .new_self]' '[10,12]'
check 'diff of a series that is mistyped is refused' \
	exits 128 git perf diff HEAD:own.foldd
check 'the series that there are are named' mentions err \
	"^fatal: no profile 'own.foldd' in .*: HEAD:own.folded"

# The metrics of a profile are shown by name; a commit has no value types.
printf '[{"name": "speed", "unit": "1/s", "value": 8}, {"name": "size", "unit": "1", "value": 3}]' >two.json
check 'show of one metric' exits 0 \
	git perf show --json --format=customBiggerIsBetter --sample-index=size two.json
check 'the one metric is shown' json '[.rows[].name]' '["size"]'
check 'show of a metric that is not there' exits 128 git perf show --view=metrics \
	--format=customBiggerIsBetter --sample-index=sped -o none two.json
check 'what metrics there are to show is said' says err \
	"fatal: no metric 'sped'; there are: speed, size; did you mean 'speed'?"
check 'no file is made of no metric' not test -e none
check 'a value type of a commit is refused' exits 128 \
	git perf show --view=metrics --sample-index=size HEAD
check 'a profile of the commit is asked for' says err \
	"fatal: --sample-index is of profiles, 'HEAD' is a commit: a profile of it is 'HEAD:<name>'"

# Two equal values of each are rounded: the next one is no proof, ten more are.
score()
{
	commit "score $1"
	printf '[{"name": "score", "unit": "1", "value": %s}]' "$1" >score.json
	for run in 1 2; do
		must git perf add --format=customSmallerIsBetter -n score score.json 2>"$err"
	done
}
score 12
score 13
check 'diff is not sure of the next of two values that are rounded' exits 0 \
	git perf diff --exit-code HEAD~1 HEAD
check 'check of two commits is not sure of rounded values' exits 0 git perf check HEAD~1 HEAD
score 23
check 'diff is sure of ten more' exits 1 git perf diff --exit-code HEAD~1 HEAD

# A clone brings no notes: what reads them says how to get them.
here=$PWD
must git clone -q . ../cloned
cd ../cloned || exit 1
for call in diff 'diff HEAD~1 HEAD' 'diff HEAD~1:b HEAD:b' 'export HEAD' 'merge HEAD~1 HEAD' \
	'model HEAD' 'annotate a.c' impact 'check --detector=fast_check HEAD~1 HEAD'; do
	git perf $call >"$out" 2>"$err" </dev/null
	check "$call says how to get profiles" says err \
		'no profiles in this clone ("git perf pull origin" gets what others pushed)'
done
printf 'main;f 1\n' >one.folded
check 'files are compared without them' exits 0 git perf diff one.folded one.folded
check 'nothing is said of profiles then' not mentions err 'pull'
cd "$here" || exit 1

# A shallow one, as CI has it, brings no past.
must git clone -q --depth=1 "file://$here" ../shallow
must git -C ../shallow perf pull -q
check 'diff in a shallow clone has no verdict' exits 125 git -C ../shallow perf diff
check 'diff says that the clone is shallow' says err \
	"fatal: nothing to compare: no first-parent ancestor of 'HEAD' in this \
shallow clone ('git fetch --unshallow' gets all) has profiles"
