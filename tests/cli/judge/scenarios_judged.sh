#!/bin/sh
# The scenarios of kaihowl/git-perf (its folder test/) that are about judging,
# restated for ours; each under its name there. Those about sharing are in
# share/scenarios.sh, the others in program/scenarios_used.sh.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/judge/lib.sh"
need jq

# past VALUE...: a commit each
past()
{
	for value in "$@"; do
		commit "timer $value"
		figures "timer=$value"
	done
}

# ---- audit_basic: mean 2, standard deviation 1, then 4 (2 deviations away)
fresh basic
past 1 2 3 4
check 'two deviations from three values are nothing' exits 0 git perf check --strict
check 'two deviations from three values have the verdict NoChange' mentions out '^NoChange'
# The same distance of a past that varies by 1 %: log(200 / 100) / .01 = 69.
fresh far
past 100 101 99 100 200
check '69 deviations may be something' exits 1 git perf check --strict
fresh twice
past 100 101
figures timer=101
past 99 100
check 'a second value of a commit is no further commit' exits 0 git perf check --json
check 'three commits are counted of four values' json \
	'.verdicts[] | [.n[0], .past]' '[3,3]'
# zero-sd
fresh constant
past 3 3 3 4
check 'the next of values that are rounded may be something' exits 1 git perf check --strict
check 'what fails is said in the last line' is "$(tail -n 1 "$out")" \
	'1 metric: 1 not sure; 1 metric fails: 1 MaybeDegradation'
check 'the next of values that are rounded is not sure' exits 0 git perf check
check 'why it is not sure is said' mentions out \
	'^prog timer: rounded, and a few of the last digit apart'
check 'status counts no regression that is not sure' is "$(git perf status --json | jq '.regressions // 0')" 0
fresh hundreds
past 300 300 300 400
check 'what never varies fails by any difference that counts' exits 1 git perf check
printf '[metric "timer"]\n\tgate = 33.3%%\n' >.gitperf
check 'a third more is 33.3 % and more' exits 1 git perf check
printf '[metric "timer"]\n\tgate = 33.4%%\n' >.gitperf
check 'a third more is less than 33.4 %' exits 0 git perf check

# ---- limited_history, insufficient_measurements_header
fresh limited
commit one
check 'nothing that is measured is no pass' exits 125 git perf check
figures timer=3
check 'a first value is no pass' exits 125 git perf check
past 30
check 'one value before is no pass' exits 125 git perf check
check 'the metric and how many commits there are is said' mentions out \
	'^prog timer: 1 measured commit before'
check 'no pass may be asked for as one' exits 0 git perf check --allow-unknown
commit other
figures other=3
check 'values of another metric are no past' exits 125 git perf check --metric=other
check 'a metric that is gone is told' exits 125 git perf check --json
check 'the metric that is gone has a verdict' json \
	'[.verdicts[] | [.metric, .verdict]] | sort' \
	'[["other","NotInBaseline"],["timer","NotInTarget"]]'

# ---- threshold, absolute_threshold, config_per_measurement
fresh threshold
for value in 1000 1000 1000 1050; do
	commit "$value"
	figures "build=$value" "size=$value"
done
check '5 % more of what does not vary fails' exits 1 git perf check
printf '[metric "*"]\n\tminEffect = 10%%\n' >.gitperf
check 'less than 10 % is nothing' exits 0 git perf check
printf '[metric "*"]\n\tminDelta = 51\n' >.gitperf
check 'less than 51 is nothing' exits 0 git perf check
printf '[metric "*"]\n\tminDelta = 50\n' >.gitperf
check '50 is not less than 50' exits 1 git perf check
printf '[metric "*"]\n\tminEffect = 10%%\n[metric "size"]\n\tminEffect = 1%%\n' >.gitperf
check 'one metric may have a threshold of its own' exits 1 git perf check --json
check 'the other one keeps that of all' json '[.verdicts[] | [.metric, .verdict]] | sort' \
	'[["build","NoChange"],["size","Degradation"]]'
rm .gitperf

# ---- dispersion_method: one value far off does not widen what is usual. Of 20
# logarithms of 99 and 101 and one of 200 the standard deviation is .15, so that
# 120 would be 1.2 of them away; without that one it is .01, and 120 is 18 away.
fresh outlier
past 99 101 99 101 99 101 99 101 99 101 200 99 101 99 101 99 101 99 101 99 120
check 'an outlier hides nothing' exits 1 git perf check --strict

# ---- selectors, separate_by: machines are series of their own
fresh machines
for value in 10 10 10 50; do
	commit "$value"
	GIT_PERF_MACHINE=linux figures "timer=$value"
	GIT_PERF_MACHINE=macos figures timer=20
done
check 'one machine of two that fails is a failure' exits 1 git perf check --json
check 'each machine is judged beside its own past' json \
	'[.verdicts[] | [.machine, .verdict]] | sort' \
	'[["linux","TotalDegradation"],["macos","NoChange"]]'
check 'of several machines there is no environment' json '.environment' null
check 'the machine that is as before passes' exits 0 \
	git perf check --machine=macos --json
check 'one machine is the environment' json '.environment' '"macos"'
check 'the machine that is not fails' exits 1 git perf check --machine=linux
check 'a machine that measured nothing is no pass' exits 125 \
	git perf check --machine=windows
commit new
GIT_PERF_MACHINE=windows figures timer=20
check 'a machine without a past has none of another one' exits 125 git perf check

# ---- filter, filter_only, multiple_metrics
fresh filter
for value in 100 100 100 130; do
	commit "$value"
	figures "perf_cpu=$value" "perf_memory=$((2 * value))" bench_latency=25
done
check 'the metrics are chosen by a pattern' exits 0 git perf check --metric=^bench_
check 'only these are judged' mentions out '^1 metric: 1 unchanged'
check 'a pattern may fit several' exits 1 git perf check --json --metric=^perf_
check 'all that fail are told' json '[.verdicts[] | [.metric, .verdict]] | sort' \
	'[["perf_cpu","TotalDegradation"],["perf_memory","SevereDegradation"]]'
check 'one that fails is enough' exits 1 git perf check
check 'a pattern that fits nothing is no pass' exits 125 git perf check --metric=^none

# ---- perf_accept; bump_epoch_multiple is in accept.sh
fresh accepted
for value in 2 2 2 5000; do
	commit "$value"
	figures "test=$value" "other=$value"
done
check 'the change fails' exits 1 git perf check
must git perf accept -m wanted --metric=other HEAD >"$scratch/said" 2>&1
check 'what was accepted of another metric is not accepted of this one' exits 1 \
	git perf check
must git perf accept -m wanted --metric=test HEAD >"$scratch/said" 2>&1
check 'both metrics are accepted' exits 0 git perf check
commit next
figures test=5000 other=5000
check 'the next commit is judged beside the new level' exits 0 git perf check
commit worse
figures test=6000 other=5000
check 'a further change is none that was accepted' exits 1 git perf check
must git perf accept -m again HEAD >"$scratch/said" 2>&1
must git perf accept -m again HEAD >"$scratch/said" 2>&1
check 'a change may be accepted twice' exits 0 git perf check
must git perf accept --revoke HEAD >"$scratch/said" 2>&1
check 'what was accepted twice is revoked at once' exits 1 git perf check

# ---- pr_merge: values on a branch are not of main's past
fresh merged
past 10 10 10
must git checkout -q -b feature
past 50 10
must git checkout -q main
must git merge -q --no-ff -m merged feature
figures timer=10
past 20
check 'a change on main fails, whatever a merged branch had' exits 1 git perf check --json
check 'the past is that of first parents' json '.past' 4

# ---- separator_change_within_epoch: a label that is missing drops nothing
fresh labels
for value in 1 2; do
	commit "$value"
	printf 'main %s\n' $value >"$scratch/p.folded"
	must git perf add -n p -l os=ubuntu "$scratch/p.folded" 2>"$scratch/said"
done
for value in 3 4; do
	commit "$value"
	printf 'main %s\n' $value >"$scratch/p.folded"
	must git perf add -n p "$scratch/p.folded" 2>"$scratch/said"
done
check 'the history has what has the label and what has not' exits 0 git perf log --json
check 'all four values are there' json \
	'[.commits[].profiles[].metrics[0].median] | sort' '[1,2,3,4]'
