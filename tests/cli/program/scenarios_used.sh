#!/bin/sh
# The scenarios of kaihowl/git-perf (its folder test/) that are about use,
# restated for ours; each under its name there. Those about sharing are in
# share/scenarios.sh, those about judging in judge/scenarios_judged.sh. `study`,
# the noise of a machine before anything is judged, is --selfcheck in
# judge/duel.sh.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/judge/lib.sh"
need jq python3

# metrics of the commits that a log shows, newest first: VALUE...
values()
{
	jq -c '[.commits[].profiles[].metrics[].median]' "$out"
}

# ---- list_commits: a commit a line, none without measurements
fresh listed
commit unmeasured
check 'where nothing is measured no commit is listed' exits 0 \
	git perf log --measured --json
check 'the list of no commits is empty' json .commits '[]'
for n in 1 2; do
	commit "commit $n"
	figures timer=$n
done
commit 'unmeasured again'
check 'commits that were measured are listed' exits 0 git perf log --measured --json
check 'these are two of four' json '[.commits[].commit]' \
	"[\"$(git rev-parse HEAD~1)\",\"$(git rev-parse HEAD~2)\"]"
must git perf rm -m HEAD~1 0@i 2>"$scratch/said"
check 'a commit whose values were removed' exits 0 git perf log --measured --json
check 'a commit whose values were removed is not listed' json '[.commits[].commit]' "[\"$(git rev-parse HEAD~2)\"]"

# ---- flexible_range: by dates, numbers and revisions, alone and together. The
# commits are a minute apart, the first one is of 1700000060.
fresh range
for n in 1 2 3 4; do
	commit "commit $n"
	figures timer=$n
done
first=$(git log --format=%ct --reverse | head -n 1)
check 'since the third' exits 0 git perf log --json --since=$((first + 120))
check 'since the third there are two' is "$(values)" '[4,3]'
check 'since the second, one of them' exits 0 \
	git perf log --json --since=$((first + 60)) -n 1
check 'of several since a date -n takes the newest' is "$(values)" '[4]'
check 'until the second' exits 0 git perf log --json --until=$((first + 60))
check 'until the second there are two, too' is "$(values)" '[2,1]'
check 'before all of them' exits 0 git perf log --json --before=2000-01-01
check 'before all of them there is nothing' is "$(values)" '[]'
check 'a range of revisions' exits 0 git perf log --json HEAD~3..HEAD~1
check 'a range of revisions has what it has in git' is "$(values)" '[3,2]'

# ---- committish_read
for rev in HEAD~1 main~1 "$(git rev-parse --short HEAD~1)" ':/commit 3'; do
	check "log reads $rev" exits 0 git perf log --json -n 1 "$rev"
	check "log of $rev is that of the commit" is "$(values)" '[3]'
	check "show reads $rev" exits 0 git perf show "$rev"
	check "show of $rev has its figure" mentions out 'timer +3( |$)'
done

# ---- committish_import: figures of others go to the commit that is named
must git tag v1 HEAD~2
check 'figures are added to a tag' exits 0 git perf add -m v1 -n other \
	--format=customSmallerIsBetter "$scratch/figures.json"
check 'the commit of the tag has both' exits 0 git perf log --json -n 1 HEAD~2
check 'added figures stand beside those that the commit had' is \
	"$(jq -c '[.commits[].profiles[].name] | sort' "$out")" '["other","prog"]'

# ---- report_no_commits, operations_without_seed
must git init -q --bare "$scratch/upstream"
must git clone -q "$scratch/upstream" "$scratch/none" 2>"$scratch/said"
cd "$scratch/none" || exit 1
check 'a report of no commits' exits 128 git perf report -o "$scratch/none.html"
check 'a report of no commits names what there is not' mentions err "^fatal: .*'?HEAD'?.*(commit|none)"
check 'nothing is written' not test -e "$scratch/none.html"
commit seed
for command in prune gc size fsck status log push pull; do
	check "$command without any profile" exits 0 git perf $command
done
check 'a profile that is not there is not removed' exits 128 git perf rm deadbeef
check 'the profile that is not there is named' mentions err "deadbeef"

# ---- broken_pipe: who reads has gone
fresh pipe
for n in 1 2 3 4; do
	commit "commit $n"
	figures timer=$n
done
for command in 'log -v --json' report show 'check --json' fsck; do
	# shellcheck disable=SC2086
	{
		got=0
		git perf $command 2>"$err" || got=$?
		echo $got >"$scratch/status"
	} | true
	check "$command into a broken pipe says nothing" silent err
	check "$command into a broken pipe ends by it or was done" \
		grep -qE '^(0|141)$' "$scratch/status"
done

# ---- different_pwd: from a folder below, from elsewhere, into a file here
mkdir -p below/deep
check 'from a folder below' exits 0 git -C below/deep perf log --json
check 'the history is the same from there' is "$(values)" '[4,3,2,1]'
cd /
check 'from elsewhere' exits 0 git perf -C "$scratch/pipe" log --json
check 'the history is the same from elsewhere' is "$(values)" '[4,3,2,1]'
cd "$scratch/pipe/below" || exit 1
printf 'main 1\n' >here.folded
check 'a file is looked for where one stands' exits 0 git perf add -n here here.folded
check 'a report is written where one stands' exits 0 git perf report -o here.html
check 'the report is where one stood' test -s here.html

# ---- env_defaults_config: the option before the environment before the
# configuration
fresh machine
commit one
machine()
{
	must git perf add "$@" -f --format=customSmallerIsBetter --name=prog \
		"$scratch/figures.json" 2>"$scratch/said"
	git perf log --json -n 1 | jq -r '.commits[].series[].machine' |
		sort | tr '\n' ' '
}
must git config perf.machine of-config
check 'the machine is that of the configuration' is "$(machine)" 'of-config '
GIT_PERF_MACHINE=of-environment
export GIT_PERF_MACHINE
check 'the environment counts more' is "$(machine)" 'of-config of-environment '
check 'an option counts most' is "$(machine --machine=of-option)" \
	'of-config of-environment of-option '
unset GIT_PERF_MACHINE

# ---- multi_section_report, report_*: a part for each metric, or those asked for
fresh report
for n in 1 2 3; do
	commit "commit $n"
	figures test_one=$n test_two=$((2 * n)) bench_one=$((3 * n))
done
charts()
{
	python3 "$root/tests/peer/report_page.py" "$scratch/r.html" history |
		jq -c '[.charts[].name | split(" ") | last] | sort'
}
check 'a report' exits 0 git perf report -o "$scratch/r.html"
check 'each metric has a chart' is "$(charts)" '["bench_one","test_one","test_two"]'
check 'a report of some metrics' exits 0 git perf report --metric=^test_ -o "$scratch/r.html"
check 'these have a chart' is "$(charts)" '["test_one","test_two"]'
check 'a report of the last two commits' exits 0 git perf report -n 2 -o "$scratch/r.html"
check 'a report of the last two commits has two' is "$(python3 "$root/tests/peer/report_page.py" \
	"$scratch/r.html" history | jq '.commits | length')" 2
check 'a report of no metric' exits 128 git perf report --metric=^none -o "$scratch/n.html"
check 'nothing is written of it' not test -e "$scratch/n.html"

# ---- size: what there is grows with what is measured, by name
check 'size by series' exits 0 git perf size --by=series --json
before=$(jq '[.rows[].lines] | add' "$out")
check 'the series is named' json '[.rows[].name]' '["prog"]'
check 'a series of three records is counted' json '[.rows[].records]' '[3]'
commit more
figures test_one=4
check 'size by series of one more' exits 0 git perf size --by=series --json
check 'a fourth record is counted' json '[.rows[].records]' '[4]'
check 'four records are larger than three' test "$(jq '[.rows[].lines] | add' "$out")" -gt "$before"

# ---- shallow: as many commits as the clone has; what is beyond is said
must git clone -q --depth=2 "file://$scratch/report" "$scratch/shallow"
cd "$scratch/shallow" || exit 1
must git perf pull -q
check 'as many commits as there are' exits 0 git perf log --json -n 2
check 'these have their figures' is "$(values)" '[4,3,6,9]'
check 'a check has less of a past than there is' exits 125 git perf check
check 'a check of a short past says that the clone is shallow' mentions out \
	'beside its past of 1 measured commit in this shallow clone$'
check 'what gets the rest is told' says out \
	'"git fetch --unshallow" gets the past that this clone has not'

# ---- version
check 'without a command' exits 129 git perf
check 'without a command the commands are listed' mentions err '^ +log '
check 'the version' exits 0 git perf --version
check 'the version is three numbers' mentions out '^git-perf version [0-9]+\.[0-9]+\.[0-9]+'

# ---- remove_no_prune: removing takes what is named, prune what nothing leads to
fresh orphans
for n in 1 2; do
	echo $n >file
	must git add file
	commit "commit $n"
	figures timer=$n
done
must git reset -q --hard HEAD~1
must git reflog expire --expire=now --all
rm -f .git/ORIG_HEAD
must git prune --expire=now
records()
{
	git perf size --by=commit --json | jq '[.rows[].records] | add'
}
check 'the record of a commit that is gone stays' is "$(records)" 2
figures timer=3
must git perf rm 0@i 2>"$scratch/said"
check 'removing something else leaves it' is "$(records)" 2
must git perf prune -q --offline --expire=0 --absent
check 'prune takes it out' is "$(records)" 1
