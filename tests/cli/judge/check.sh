#!/bin/sh
# git perf check on what is stored: a history of 40 commits whose changes are
# known, what is missing, foreign, dirty or few, and what it exits with.
. "$(dirname "$0")/../lib.sh"
need jq
series=$measured/series

# The seconds of some runs of a command, as hyperfine writes them, at HEAD.
measure()
{
	name=$1
	shift
	jq -n --arg name "$name" '[$ARGS.positional[] | tonumber] | {results: [
		{command: $name, times: ., mean: (add / length), stddev: 0,
		median: .[0], min: min, max: max, user: 1, system: 0}]}' \
		--args "$@" >"$scratch/times.json"
	must git perf add "$scratch/times.json" 2>"$scratch/added"
}

# 1. What cannot be judged is said, with what to type, and never passes.
check 'a repository without a commit is no commit' exits 128 git perf check
commit one
check 'a commit that was not measured has no verdict' exits 125 git perf check
check 'a commit without figures is said with what to type' says err \
	"fatal: nothing to compare: 'HEAD' has no figures (\"git perf run HEAD\" measures the jobs of .gitperf)"
check 'a check of a commit without figures prints nothing' silent out
check 'unless that is to pass' exits 0 git perf check --allow-unknown
check 'JSON of nothing to compare is no verdict, too' exits 125 git perf check --json
check 'JSON of nothing to compare is empty' silent out
measure prog 1.00 1.01 1.02 0.99 1.00
check 'a first measurement has nothing beside it' exits 125 git perf check
check 'a first measurement is told that it is one' says err \
	"fatal: nothing to compare: 'HEAD' is the first commit"
check 'a revision that is none' exits 128 git perf check nowhere
check 'an unknown revision is named' says err "fatal: no such commit 'nowhere'"
check 'a range without commits' exits 128 git perf check main..main
check 'a range without commits is told as such' says err \
	"fatal: 'main' has no commit that 'main' has not: nothing to judge"
check 'three commits are too many' exits 129 git perf check a b c
check 'an unknown verdict is a usage error' exits 129 git perf check --fail-on=Bad
check 'the verdicts are listed' mentions err \
	"^error: no verdict 'Bad': there are .*MaybeDegradation"
check 'an unknown format is a usage error' exits 129 git perf check --format=yaml
check 'the formats are listed' says err \
	"error: no format 'yaml': there are text, json, junit, markdown, github"
check 'an unknown detector is a usage error' exits 129 git perf check --detector=foo
check 'the detectors are listed' mentions err \
	"^error: no detector 'foo': there are .*, rules\$"

# 2. Young histories: twice as slow is no proof after one commit. The interval
# of five values each, by hand: 1.99 / 1.02 and 2.02 / .99 are its farthest ends.
commit between
commit two
must git perf add "$scratch/times.json" 2>"$err"
must git perf rm -m HEAD~2 0@i 2>"$err"
check 'a past without figures is no verdict' exits 125 git perf check
check 'as many commits are named as there are' says err \
	"fatal: nothing to compare: no commit before 'HEAD' has figures (\"git perf run --steps=20 HEAD~2..HEAD\" measures some)"
must git reset -q --hard HEAD~2
must git perf add "$scratch/times.json" 2>"$err"
commit two
measure prog 2.00 2.01 2.02 1.99 2.00
check 'after one commit nothing is sure' exits 0 git perf check
check 'what may be a degradation is said in words' mentions out \
	'^prog may have got slower by 100% \[9[0-9.]*, 10[0-9]\]: 2\.000 s, was 1\.0000 s$'
check 'check --strict fails on what may be a degradation' exits 1 git perf check --strict
check 'a verdict to fail on is named in any case' exits 1 \
	git perf check --fail-on=nochange,maybedegradation
check 'two commits are compared by their runs' exits 1 git perf check --json HEAD~1 HEAD
check 'the verdict on two commits is that of the pair' json \
	'[.result, (.verdicts[] | select(.metric == "wall") |
	[.verdict, .method, .reason, .n, (.ratio - 2 | fabs < 1e-9)])]' \
	'["fail",["TotalDegradation","pair","two sessions",[5,5],true]]'
check 'the other way round it is an improvement' exits 0 \
	git perf check --json HEAD HEAD~1
check 'the ratio of an improvement is below one' json \
	'.verdicts[] | select(.metric == "wall") | [.verdict, (.ratio - 0.5 | fabs < 1e-9)]' \
	'["TotalOptimization",true]'
must git checkout -q -b topic HEAD~1
commit 'on a branch'
measure prog 1.01 1.00 1.00 1.02 0.99
check 'a branch is judged beside where it left' exits 125 \
	git perf check --json main..topic
check 'the base of a branch is where it left' json .base "\"$(git rev-parse main~1)\""
check 'a check of a range with three dots' exits 125 git perf check --json main...topic
check 'three dots have the same base as two' json .base "\"$(git rev-parse main~1)\""
check 'a check against another base' exits 0 git perf check --json --against=main
check 'the past of another base is taken' json '[.base, .past]' \
	"[\"$(git rev-parse main)\",2]"

# 3. Machines are never mixed, dirty trees are nobody's commit.
must git checkout -q main
commit three
export GIT_PERF_MACHINE=other
measure prog 9 9 9 9 9
unset GIT_PERF_MACHINE
check 'another machine is nothing to compare with' exits 125 git perf check
check 'a machine that was measured on before is named' mentions out \
	"measured before on other machines only, last on '"
commit four
echo a >file && must git add file && must git commit -q -m file
echo b >file
must git perf collect -q --add -r 3 -- true 2>"$err"
check 'a dirty record is no verdict' exits 125 git perf check
check 'a dirty record is not counted for the commit' mentions err "'HEAD' has no figures"

# 4. The history of 40 commits, counted and timed. Which commits changed what is
# told by its own list.
cd "$scratch" || exit 1
must git clone -q "$series/wordfreq.bundle" -b main history 2>"$err"
cd history || exit 1
tail -n +2 "$series/series.tsv" | while IFS="$(printf '\t')" read -r n id rest; do
	short=$(echo "$id" | cut -c 1-10)
	printf '%s\t%s\n' "$id" "$series/callgrind/$n-$short.callgrind" \
		"$id" "$series/hyperfine/$n-$short.json"
done >"$scratch/lines"
must git perf add --stdin <"$scratch/lines" 2>"$err"

# Number, exit status, verdict on the instructions and, of degradations of times,
# the commits that may have made them.
tail -n +2 "$series/series.tsv" | while IFS="$(printf '\t')" read -r n id subject expected; do
	git perf check --json "$id" >"$scratch/verdict" 2>"$scratch/said"
	code=$?
	[ "$n" != 01 ] || {
		[ $code -eq 125 ] || echo "01 exits with $code"
		continue
	}
	case $expected in
	REGRESSION* | DRIFT*) want=TotalDegradation ;;
	IMPROVEMENT*) want=TotalOptimization ;;
	*) want=NoChange ;;
	esac
	have=$(jq -r '.verdicts[] | select(.metric == "Ir").verdict' "$scratch/verdict")
	[ "$have" = "$want" ] || echo "$n: Ir: $have instead of $want"
	name=$(echo "$expected" | grep -oE \
		'table_get|table_lookup|sort_entries|next_token|fold_case|checksum' |
		sed -n 1p)
	[ "$want" = NoChange ] || jq -e --arg name "$name" '.verdicts[] |
		select(.metric == "Ir").why | .explained > .9 and
		any(.rows[]; .function == $name)' "$scratch/verdict" >/dev/null ||
		echo "$n: $name does not explain it"
	jq -r '.verdicts[] | select(.unit == "ns" and
		(.verdict | test("^(Total|Severe|)Degradation"))) |
		[.metric, .range.good, .range.bad] | @tsv' "$scratch/verdict" |
		while read -r metric good bad; do
			git rev-list --first-parent "$good..$bad" >"$scratch/may"
			grep -E 'REGRESSION' "$series/series.tsv" | cut -f 2 |
				grep -Fqf - "$scratch/may" ||
				echo "$n: $metric: a false alarm"
		done
done >"$scratch/wrong"
cp "$scratch/wrong" "$err"
check 'each known change of a counter is named, and no other; times raise no false alarm' \
	silent err
check 'a counter says from what to what' exits 1 \
	git perf check --metric=Ir "$(sed -n 9p "$series/series.tsv" | cut -f 2)"
check 'a check says in words from what to what' says out 'wordfreq: Ir grew by 20.6%: 65.76 M, was 54.51 M'
check 'a check fits a screen of 80 columns' is \
	"$(awk 'length > 80 || NR > 24' "$out")" ''
check '-v shows all numbers' exits 1 git perf check -v --metric=Ir \
	"$(sed -n 9p "$series/series.tsv" | cut -f 2)"
check 'what decided is told' mentions out \
	'^TotalDegradation +wordfreq +Ir +\+20\.6% .* 1, 1 +0% +exact$'
check 'JSON of a counter fails as well' exits 1 git perf check --json --metric=Ir \
	"$(sed -n 9p "$series/series.tsv" | cut -f 2)"
check 'JSON has no interval of what never varies, as the text has none' json \
	'[.verdicts[0] | has("ratio", "low", "high")]' '[true,false,false]'

# 5. Two metrics of one series, the first of which is its headline, whatever is
# asked for.
cd "$scratch" || exit 1
must git init -q -b main two
cd two || exit 1
for value in 100 100 100 100 200; do
	commit "$value"
	printf 'events: Ir Dr\nfn=main\n1 %s %s\n' "$value" "$value" \
		>"$scratch/callgrind.out.1"
	must git perf add "$scratch/callgrind.out.1" 2>"$scratch/added"
done
check 'a metric that doubled fails' exits 1 git perf check --json
check 'the first one is the whole program' json \
	'[.verdicts[] | [.metric, .verdict]] | sort' \
	'[["Dr","SevereDegradation"],["Ir","TotalDegradation"]]'
check 'a metric alone fails, too' exits 1 git perf check --json --metric=Dr
check 'a metric alone has the verdict that it has among others' json '[.verdicts[] | [.metric, .verdict]]' \
	'[["Dr","SevereDegradation"]]'
check 'what is asked for alone passes, too' exits 0 \
	git perf check --metric=Dr HEAD~1

# 6. What is asked for changes no verdict and no q of what is shown.
cd "$scratch" || exit 1
must git clone -q "$series/wordfreq.bundle" -b main timed 2>"$err"
cd timed || exit 1
tail -n +2 "$series/series.tsv" | while IFS="$(printf '\t')" read -r n id rest; do
	for file in "$series/hyperfine/$n-"*; do
		printf '%s\t%s\n' "$id" "$file"
	done
done >"$scratch/timed.list"
must git perf add --stdin <"$scratch/timed.list" 2>"$err"
git perf check --json >"$scratch/whole"
check 'several metrics are judged' is "$(jq -c '[.verdicts[].metric] | sort' "$scratch/whole")" '["sys","user","wall"]'
for metric in wall user sys; do
	git perf check --json --metric=$metric >"$out"
	check "$metric alone has the verdict and the q of all" is "$(jq -c --arg m $metric --slurpfile all "$scratch/whole" '
		def facts: map(del(.headline, .first));
		(.verdicts | facts) == ($all[0].verdicts | map(select(.metric == $m)) | facts) and
			(.verdicts | length) == 1' "$out")" true
done

# 7. A range is judged by the level of its base. The program takes 1 s at eight
# commits, 1.5 s from the ninth on; the base is the tenth.
cd "$scratch" || exit 1
must git init -q -b main ranged
cd ranged || exit 1
for value in 100 101 100 99 100 101 99 100 150 151 150 180; do
	commit "$value"
	measure prog "$value.1" "$value.4" "$value.2" "$value.3" "$value.5"
done
check 'the step before it is no change of a range' exits 0 \
	git perf check --json --metric=wall HEAD~2..HEAD~1
check 'the level of the base is what was before' json \
	'.verdicts[] | [.verdict, (.before / 1e9 > 149), (.before / 1e9 < 152)]' \
	'["NoChange",true,true]'
check 'a commit alone is told the step before it' exits 1 \
	git perf check --metric=wall HEAD~1
git perf check --json --metric=wall HEAD~2..HEAD >"$out"
check 'a change in the range is told by the level of the base' json \
	'.verdicts[] | [(.verdict != "NoChange"), (.before / 1e9 > 149), (.before / 1e9 < 152)]' \
	'[true,true,true]'

# 8. A commit that cannot be read is no end of the past: fewer commits would be
# another verdict. What is in the cache need not be read.
git perf check --json >"$scratch/whole"
lost=$(git rev-parse HEAD~5)
must mv ".git/objects/$(echo "$lost" | sed 's|^..|&/|')" "$scratch/lost"
check 'a past with a hole that is in the cache is judged' \
	exits 0 git perf check --json
check 'a past with a hole has the verdict of the whole past' \
	is "$(cat "$out")" "$(cat "$scratch/whole")"
must rm -r .git/perf/cache
check 'a past with a hole is no verdict' exits 128 git perf check
check 'a past with a hole names the commit' mentions err "^fatal: .*$lost"
check 'nothing is judged by half a past' silent out

# 9. A name that has another kind of unit from here on: one sentence says so.
must git init -q -b main ../units
cd ../units || exit 1
for n in 1 2 3; do
	commit "$n"
	printf 'name,value,unit\nm,%d,%s\n' "$n" "$([ $n = 3 ] && echo kB || echo s)" \
		>"$scratch/u.csv"
	must git perf add --format=csv --name=u "$scratch/u.csv" 2>"$err"
done
check 'check of a metric with another unit' exits 125 git perf check
check 'both units are said' mentions out "^u m: measured in 'kB', before in 's'\$"
check 'nothing says that it is new or gone' not mentions out 'not measured'
check 'JSON has the reason' is \
	"$(git perf check --json | jq -c '[.verdicts[] | [.verdict, .reason]]')" \
	'[["NotInTarget",null],["NotInBaseline","other unit"]]'

# 9b. Two steps behind three commits each are a machine that is slow for a while to
# the models: they did not hide that the next one is 19 % above all of them.
must git init -q -b main ../stairs
cd ../stairs || exit 1
for value in 100.1 99.8 100.3 130.2 129.7 130.1 160.3 160.1 159.8 190.4; do
	commit "$value"
	printf '[{"name": "wall", "unit": "ms", "value": %s}]' $value >"$scratch/stairs.json"
	must git perf add --format=customSmallerIsBetter --name=stairs "$scratch/stairs.json" 2>"$err"
done
check 'a commit behind levels of three commits' exits 0 git perf check
# 190.4 by what lies between 159.8 and 160.3: from 18.8 to 19.1 %
check 'the level of such a commit is that of the last three' mentions out \
	'^stairs may have got slower by (18\.[89]|19\.[01])% \[.*\]: 190\.40? ms, was (159\.[89]|160\.[0-3])'

# 9c. What is rounded to whole numbers of a hundred was 101 and 99 before: that it is
# 101 now is neither a change of what never varies, nor far off what it varies by.
must git init -q -b main ../rounded
cd ../rounded || exit 1
for value in 100 100 100 101 100 100 100 99 100 100 100 100 101; do
	commit "$value"
	printf '[{"name": "score", "unit": "points", "value": %s}, {"name": "wall", "unit": "s", "value": %s}]' \
		$value $value >"$scratch/rounded.json"
	must git perf add --format=customSmallerIsBetter --name=rounded "$scratch/rounded.json" 2>"$err"
done
check 'a value that was there before' exits 0 git perf check --json
check 'what is rounded has noise, whatever its unit' json \
	'[.verdicts[] | [.metric, .verdict, .method]] | sort' \
	'[["score","NoChange","past"],["wall","NoChange","past"]]'

# 10. Three commits that have nothing in common: no sentence says what tells
# nothing.
must git init -q -b main ../wild
cd ../wild || exit 1
for n in 10 3 22 800; do
	commit "$n"
	printf '[{"name": "wall", "unit": "ms", "value": %s}]' $n >"$scratch/wild.json"
	must git perf add --format=customSmallerIsBetter --name=wild "$scratch/wild.json" 2>"$err"
done
check 'a past of all sizes is judged' exits 0 git perf check
check 'a sentence says that such a past varies too much' mentions out \
	'^wild varies too much to tell a change by less than x[0-9]+$'
check 'nothing says that 80 times as much is no change' not mentions out 'did not change'
check 'what would be seen is told as a change is' mentions out '^NoChange .* x89 .* x[0-9]+$'

# A series of several benchmarks is not what got slower: one of them is.
must git init -q -b main ../benches
cd ../benches || exit 1
for value in 100 100 100 100 200; do
	commit "of $value"
	printf 'BenchmarkFib20 1 %s ns/op\nBenchmarkFib10 1 7 ns/op\n' $value >"$scratch/b.txt"
	must git perf add --name=all "$scratch/b.txt" 2>"$err"
done
check 'a benchmark that may have got slower' exits 0 git perf check
check 'the benchmark is named, not the file of both' mentions out \
	'^all: BenchmarkFib20 ns/op may have got slower by 100%: 200 ns, was 100 ns$'
check 'a benchmark alone' exits 0 git perf check --metric='BenchmarkFib20 ns/op'
check 'what is asked for alone needs no name' mentions out '^all may have got slower by 100%: '

# 11. How many commits may have made a change, behind a base as behind the past: those
# of git rev-list, measured or not; a merged branch is one.
must git init -q -b main ../behind
cd ../behind || exit 1
measured()
{
	commit "value $1"
	printf '[{"name": "size", "unit": "bytes", "value": %s}]' "$1" >"$scratch/behind.json"
	must git perf add --format=customSmallerIsBetter --name=behind "$scratch/behind.json" 2>"$err"
}
for value in 1000 1000 1000 1000; do
	measured $value
done
base=$(git rev-parse HEAD)
commit 'not measured'
must git checkout -q -b side
commit one
commit two
must git checkout -q main
must git merge -q --no-ff -m merged side
measured 2000
count=$(git rev-list --count --first-parent "$base..HEAD")
for call in '' "$base..HEAD" "--against=$base"; do
	exits 1 git perf check --json $call
	check "the number of commits that may have made a change: ${call:-HEAD}" json '.verdicts[0].range.commits' "$count"
done
# The other way round no commit is between them, the root's neither.
root=$(git rev-list --max-parents=0 HEAD)
for call in "HEAD $base" "--against=HEAD $base" "HEAD $root"; do
	check "what was before is better: check $call" exits 0 git perf check --json $call
	check "the change from newer to older is told: $call" json '.verdicts[0].ratio < 1' true
	check "no commit has made what is older: $call" json '.verdicts[0].range' null
done
check 'the older one beside the newer' is "$(git rev-list --count "HEAD..$base")" 0
check 'a range with a change' exits 1 git perf check "$base..HEAD"
check 'the sentence has their number' mentions out \
	"^behind: size grew by 100%: .*, by one of $count commits up to $(git rev-parse HEAD | cut -c 1-10)\$"
