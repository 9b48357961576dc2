#!/bin/sh
# git perf check --detector: Perun's checks of two commits, by arithmetic.
. "$(dirname "$0")/../lib.sh"
need jq

# A Perun profile of one function: costs over sizes n from 1 to 20.
profile()
{
	jq -n "{header: {type: \"mixed\", cmd: \"prog\", args: \"\",
		workload: \"\", units: {mixed: \"ns\"}},
		collector_info: {name: \"complexity\", params: {}},
		postprocessors: [], global: {time: 0, resources: [
		range(1; 21) as \$n | {amount: ($1), uid: \"f\",
		type: \"mixed\", \"structure-unit-size\": \$n}]}}" \
		>../profile.perf
	must git perf add ../profile.perf 2>../added
}
commit line
profile '10 + 2 * $n'
must git tag line
commit thrice
profile '30 + 6 * $n'
must git tag thrice
commit square
profile '10 + 2 * $n * $n'
must git tag square
detector()
{
	name=$1
	shift
	git perf check --json --detector="$name" "$@"
}
said='.series[0].verdicts[] | select(.uid == "f") |'

check 'three times as much is a degradation' exits 1 \
	detector average_amount_threshold line thrice
check 'the rate of an average is the ratio of means' json \
	"$said [.verdict, (.rate - 3 | fabs < 1e-9)]" '["Degradation",true]'
check 'a third is an optimization' exits 0 \
	detector average_amount_threshold thrice line
check 'the same is no change' exits 0 \
	detector average_amount_threshold line line
# quadratic is one order above linear
check 'a model of another order is a degradation' exits 1 \
	detector best_model_order_equality line square
check 'the rate of an order is how many lie between' json \
	"$said [.verdict, .rate]" '["Degradation",1]'
check 'by AICc the order is a degradation, too' exits 1 \
	detector model_order_aicc line square
check 'a line of another slope is of the same order' exits 0 \
	detector best_model_order_equality line thrice
# 30 + 6 n is thrice 10 + 2 n everywhere: 200 % more
check 'integrals of models are compared' exits 1 \
	detector integral_comparison line thrice
check 'the rate of integrals is their relative difference' json \
	"$said (.rate - 2 | fabs < 1e-6)" true
for name in polynomial_regression linear_regression fast_check; do
	check "the difference of two lines is seen by $name" exits 1 \
		detector "$name" line thrice
	check "the difference of two lines is a line to $name" json \
		"$said .change" '"linear"'
done
check 'statistics of parts are compared' exits 1 \
	detector local_statistics line thrice
check 'the rate of statistics is their mean difference' json \
	"$said (.rate - 2 | fabs < 1e-6)" true

# Counts of real commits: which function was changed is told by the series.
series=$measured/series
must git perf add -f -m line "$series/callgrind/17-5b2a3cc62a.callgrind" 2>../added
must git perf add -f -m thrice "$series/callgrind/18-6e48626c1f.callgrind" 2>../added
check 'outliers of real functions fail' exits 1 \
	detector exclusive_time_outliers line thrice --job=wordfreq
check 'the function that was changed is an outlier' json \
	'.series[0].verdicts[] | select(.uid == "sort_entries").verdict |
	test("Degradation")' true
check 'a series without sizes has no verdict on models' exits 125 \
	detector fast_check line thrice --job=wordfreq
check 'a series that cannot be compared says why' json \
	'.series[0].reason | test("structure-unit-size")' true

check 'an unknown detector is a usage error' exits 129 \
	git perf check --detector=magic line thrice
check 'an unknown detector is named' mentions err \
	"^error: .*'magic'"
check 'a detector needs two commits' exits 129 \
	git perf check --detector=fast_check line

# Which of them judge which series is for .gitperf to say, trusted or not.
check 'a detector by rules without rules has no verdict' exits 125 detector rules line thrice
check 'a call without rules says what it lacks' says err \
	"fatal: nothing to compare: no [detector] section of '.gitperf' fits a series of both commits"
cat >.gitperf <<'END'
[detector "average_amount_threshold"]
	job = prog
[detector "best_model_order_equality"]
	job = nothing*
	job = p*
	collector = complexity
[detector "integral_comparison"]
	collector = trace
END
check 'rules that fit decide' exits 1 detector rules line thrice
check 'each rule that fits is asked, and no other' json \
	'[.series[] | [.detector, (.verdicts[] | select(.uid == "f") | .verdict)]]' \
	'[["average_amount_threshold","Degradation"],["best_model_order_equality","NoChange"]]'
check 'text names the detector of each rule' exits 1 git perf check --detector=rules line thrice
check 'the series stands beside its detector' mentions out '^prog.*, average_amount_threshold$'
must git config -f .gitperf detector.nothing.job prog
check 'a rule of no detector is refused' exits 128 detector rules line thrice
check 'the refused rule names what there is' mentions err \
	"^fatal: '\.gitperf': detector\.nothing\.job: no such detector, there are average_amount_threshold, "
must git config -f .gitperf --remove-section detector.nothing
must git config -f .gitperf detector.fast_check.when never
check 'an unknown key of a rule is refused' exits 128 detector rules line thrice
check 'the unknown key of a rule is named' mentions err \
	"detector\.fast_check\.when: no such key, there are job, collector$"
must git config -f .gitperf --remove-section detector.fast_check
must git config -f .gitperf detector.fast_check.job '****'
check 'a pattern that would take long is refused' exits 128 detector rules line thrice
