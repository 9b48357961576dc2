#!/bin/sh
# [metric] of the job file: what is better, what is too small, what fails a check.
. "$(dirname "$0")/../lib.sh"
need jq

# Two counts at HEAD.
count()
{
	printf '[{"name": "allocs", "unit": "count", "value": %s}, {"name": "hits", "unit": "count", "value": %s}]' \
		"$1" "$2" >"$scratch/count.json"
	must git perf add --format=customSmallerIsBetter --name=prog "$scratch/count.json" 2>"$err"
}
rules()
{
	printf '%s\n' "$@" >.gitperf
}
for n in 1 2 3 4; do
	commit $n
	count 1000 500
done
commit five
count 1020 510

check 'without a section 2 % more of a count fails' exits 1 git perf check --json
check 'both metrics are judged' json '[.verdicts[] | [.metric, .verdict]]' \
	'[["allocs","TotalDegradation"],["hits","Degradation"]]'
rules '[metric "hits"]' 'better = more'
check 'a metric of which more is better is judged' exits 1 git perf check --json
check 'more is an improvement' json \
	'.verdicts[] | select(.metric == "hits") | [.verdict, .better, .ratio]' \
	'["Optimization","more",1.02]'
rules '[metric "*"]' 'minEffect = 2.5%' '[metric "hits"]' 'minEffect = 0.01'
check 'a pattern sets the least effect of all, a later name its own' exits 1 \
	git perf check --json
check 'what is too small is no change' json '[.verdicts[] | [.metric, .verdict, .min_effect]]' \
	'[["hits","Degradation",0.01],["allocs","NoChange",0.025]]'
rules '[metric "*"]' 'minDelta = 20.5'
check 'a least amount is in the unit of the metric' exits 0 git perf check --json
check 'a least amount of 20.5 leaves neither 20 more nor 10 more' json '[.verdicts[].verdict]' \
	'["NoChange","NoChange"]'
rules '[metric "*"]' 'minDelta = 15' 'minEffect = 1%'
check 'a change has to be larger than both' exits 1 git perf check --json
check '20 of 1000 is, 10 of 500 is not' json \
	'[.verdicts[] | [.metric, .verdict, .min_effect]]' \
	'[["allocs","TotalDegradation",0.015],["hits","NoChange",0.03]]'
rules '[metric "*"]' 'minDelta = 15' 'minEffect = 3%'
check '20 of 1000 is less than a share of 3 %' exits 0 git perf check
rules '[metric "*"]' 'minDelta = 100kB'
check 'an amount of bytes says nothing of counts' exits 1 git perf check
check 'an option wins over the file' exits 0 git perf check --min-effect=2.1%
rules '[metric "*"]' 'minEffect = 3%' 'minDelta = 100'
check 'a smaller share by option wins, too, and over an amount' exits 1 \
	git perf check --min-effect=0
rm .gitperf
must git config perf.minEffect 0.03
check 'the configuration says it for all metrics' exits 0 git perf check
rules '[metric "hits"]' 'minEffect = 1%'
check 'the file wins over the configuration' exits 1 git perf check --json
check 'the other metric has that of the configuration' json \
	'[.verdicts[] | [.metric, .min_effect]] | sort' '[["allocs",0.03],["hits",0.01]]'
must git config perf.minEffect few
check 'a share that is none in the configuration' exits 128 git perf check
check 'the key is named' says err \
	"fatal: perf.minEffect: bad share 'few', need one as 0.05 or 5%"
must git config --unset perf.minEffect
check 'a share that is none as an option' exits 129 git perf check --min-effect=few
check 'the option is named' says err \
	"error: --min-effect: bad share 'few', need one as 0.05 or 5%"
check 'what runs both sides has its own' exits 129 git perf check --run --min-effect=1%
check 'a detector of Perun has its own, too' exits 129 \
	git perf check --detector=fast_check --min-effect=1% HEAD~1 HEAD
rules '[metric "*"]' 'gate = false'
check 'what does not gate never fails' exits 0 git perf check --json
check 'what does not gate is judged all the same' json '.verdicts[0].verdict' '"TotalDegradation"'
rules '[metric "*"]' 'gate = 2%'
check 'a degradation of the gate'\''s size fails' exits 1 git perf check
rules '[metric "*"]' 'gate = 0.021'
check 'a smaller one does not' exits 0 git perf check
rules '[metric "wall"]' 'gate = true'
check 'a section of a metric that is nowhere changes nothing' exits 1 git perf check
rules '[metric "time"]' 'gate = true'
commit six
count 1020 510
printf '[{"name": "time", "unit": "count", "value": 7}]' >"$scratch/new.json"
must git perf add --format=customSmallerIsBetter --name=new "$scratch/new.json" 2>"$err"
check 'a gate without a verdict is none at all' exits 125 git perf check
rm .gitperf
check 'without the gate what has a verdict decides' exits 0 git perf check

# Each wrong line is named.
wrong()
{
	rules "$@"
	exits 128 git perf check
}
check 'a key that is none' wrong '[metric "a"]' 'minEfect = 1%'
check 'a wrong key is named with those that there are' says err \
	"fatal: '.gitperf': metric.a.minefect: no such key, there are better, minEffect, minDelta, gate"
check 'an amount that is none' wrong '[metric "a"]' 'minDelta = 5 parsecs'
check 'a wrong amount is named' says err \
	"fatal: '.gitperf': metric.a.mindelta: bad amount '5 parsecs', need one in the metric's unit, or as 5ms or 256kB"
check 'a negative amount' wrong '[metric "a"]' 'minDelta = -1'
check 'a share that is none' wrong '[metric "a"]' 'minEffect = -1'
check 'a wrong share is named' says err \
	"fatal: '.gitperf': metric.a.mineffect: bad share '-1', need one as 0.05 or 5%"
check 'a gate that is none' wrong '[metric "a"]' 'gate = maybe'
check 'a wrong gate is named' says err \
	"fatal: '.gitperf': metric.a.gate: bad value 'maybe', need true, false, or a share as 0.05 or 5%"
check 'a direction that is none' wrong '[metric "a"]' 'better = up'
check 'a section without a name' wrong '[metric]' 'better = less'
check 'a section without a name is told what it needs' says err \
	"fatal: '.gitperf': metric.better: needs a name: [metric \"<name>\"]"
check 'a pattern of many stars' wrong '[metric "a*a*a*a*b"]' 'gate = true'
check 'a file that git does not read' wrong '[metric "a'

# Amounts in a unit: 4096 bytes more.
must git checkout -q --orphan sized
must rm -f .gitperf
size()
{
	commit "$1"
	printf '[{"name": "size", "unit": "bytes", "value": %s}]' "$1" \
		>"$scratch/size.json"
	must git perf add --format=customSmallerIsBetter --name=size \
		"$scratch/size.json" 2>"$err"
}
for n in 0 0 0 0 4096; do
	size $((1000000 + n))
done
check '4 kB more fail by themselves' exits 1 git perf check
rules '[metric "size"]' 'minDelta = 3kB'
check '4 kB are more than 3' exits 1 git perf check
rules '[metric "size"]' 'minDelta = 5 kB'
check '4 kB are less than 5' exits 0 git perf check

# What is asked to be no change is none that would have been seen.
must git init -q -b main ../times
cd ../times || exit 1
for n in 100 101 99 100 102 100 130; do
	commit "$n"
	printf '[{"name": "wall", "unit": "ms", "value": %s}]' "$n" >"$scratch/time.json"
	must git perf add --format=customSmallerIsBetter --name=timed "$scratch/time.json" 2>"$err"
done
rules '[metric "wall"]' 'minDelta = 31ms'
check '30 ms more are less than 31' exits 0 git perf check
check 'a sentence never names less than what a metric grew by' \
	mentions out '^timed did not change by more than 31\.0%$'
check '30 % more are less than a share of 50 %' exits 0 git perf check --min-effect=50% --json
check 'the share that is asked for is what would be seen' json '.verdicts[] | [.verdict, .mde]' '["NoChange",0.5]'

# Amounts beside 0 and below it.
must git init -q -b main ../zeros
cd ../zeros || exit 1
for n in 0 0 0 0 4; do
	commit "$n"
	printf '[{"name": "lost", "unit": "count", "value": %s}, {"name": "left", "unit": "count", "value": %s}]' \
		"$n" $((n - 16)) >"$scratch/zero.json"
	must git perf add --format=customSmallerIsBetter --name=zero "$scratch/zero.json" 2>"$err"
done
rules '[metric "*"]' 'minDelta = 5'
check '4 more are less than 5, of 0 and of -16' exits 0 git perf check --verbose
check '4 are not said to be less than a share of 0' says out 'zero: lost did not change'
check 'of -16 they are less than 5 of 16' mentions out '^NoChange +zero +left +31\.2% '

# Any change counts: what begins a level is found there, too.
must git init -q -b main ../any
cd ../any || exit 1
for n in 10000 10000 10000 10010 10010 10010; do
	commit "$n"
	printf '[{"name": "allocs", "unit": "count", "value": %s}]' "$n" >"$scratch/any.json"
	must git perf add --format=customSmallerIsBetter --name=any "$scratch/any.json" 2>"$err"
done
rules '[metric "allocs"]' 'minEffect = 0'
check 'a level is judged where any change counts' exits 0 git perf check --json
check 'a share of 0 is told as 0, and what the level began with' json \
	'.verdicts[] | [.verdict, .min_effect, .mde, .stands.ratio]' '["NoChange",0,0,1.001]'
check 'status has the same regression' is "$(git perf status --json | jq .regressions)" 1
rm .gitperf
check 'an option of 0 is the same' exits 0 git perf check --json --min-effect=0
check 'the share of an option is told as 0, too' json \
	'.verdicts[] | [.verdict, .min_effect, .mde, .stands.ratio]' '["NoChange",0,0,1.001]'

# Shares are of what was before, up as well as down, and as they are shown: 9520 of
# 10000 are 4.8 % less, 7800 22 %. 3.3 is a tenth more than 3, though not as doubles.
must git init -q -b main ../shares
cd ../shares || exit 1
# shares BEFORE NOW FORMAT: three commits and one
shares()
{
	for value in "$1" "$1" "$1" "$2"; do
		commit "$value"
		printf '[{"name": "first", "unit": "count", "value": 1}, {"name": "second", "unit": "count", "value": %s}]' \
			"$value" >"$scratch/share.json"
		for run in 1 2; do
			must git perf add --format="$3" --name=share "$scratch/share.json" 2>"$err"
		done
	done
}
shares 10000 9520 customBiggerIsBetter
rules '[metric "*"]' 'gate = 5%'
check '4.8 % less are no 5 %' exits 0 git perf check
rules '[metric "*"]' 'gate = 4.8%'
check '4.8 % less are 4.8 %' exits 1 git perf check
rm .gitperf
shares 10000 7800 customBiggerIsBetter
exits 1 git perf check --json
check '22 % less are not severe' json '.verdicts[] | select(.metric == "second") | .verdict' '"Degradation"'
shares 10000 7500 customBiggerIsBetter
exits 1 git perf check --json
check '25 % less are severe' json '.verdicts[] | select(.metric == "second") | .verdict' '"SevereDegradation"'
shares 3.0000 3.3 customSmallerIsBetter
check 'a tenth more where a tenth counts' exits 1 git perf check --min-effect=10%
check 'a tenth more of two commits' exits 1 git perf check --min-effect=10% HEAD~1 HEAD
check 'a tenth more where more counts' exits 0 git perf check --min-effect=10.1%

# An amount is one of what was measured, where more is better, too.
must git init -q -b main ../amounts
cd ../amounts || exit 1
for value in 1000 1000 1000 500 500 500; do
	commit "$value"
	printf '[{"name": "rate", "unit": "1/s", "value": %s}]' "$value" >"$scratch/rate.json"
	must git perf add --format=customBiggerIsBetter --name=rate "$scratch/rate.json" 2>"$err"
done
rules '[metric "*"]' 'minDelta = 10'
check 'a throughput that is halved is a regression by an amount' is \
	"$(git perf status --json | jq '.regressions // 0')" 1
rules '[metric "*"]' 'minDelta = 501'
check 'a throughput that is halved is none by a larger amount' is \
	"$(git perf status --json | jq '.regressions // 0')" 0
