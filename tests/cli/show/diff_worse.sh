#!/bin/sh
# diff --exit-code: 1 only when the second side is worse, by --min-effect at least;
# of profiles by their sums and which way is better, of commits by the verdicts.
. "$(dirname "$0")/../lib.sh"
need jq

printf 'main;f 60\nmain;g 40\n' >base.folded
printf 'main;f 63\nmain;g 41\n' >worse.folded
printf 'main;f 70\nmain;g 20\n' >better.folded
printf 'main;g 60\nmain;f 40\n' >same.folded
# worse SENTENCE CODE ARGUMENT...
worse()
{
	sentence=$1
	code=$2
	shift 2
	check "diff --exit-code: $sentence" exits "$code" git perf diff --exit-code "$@"
}
worse 'costs more' 1 base.folded worse.folded
worse 'costs less' 0 base.folded better.folded
worse 'costs the same of other functions' 0 base.folded same.folded
worse 'is equal' 0 base.folded base.folded
# 104 is 4 % more than 100.
worse 'costs 4 % more, and so much counts' 1 --min-effect=4% base.folded worse.folded
worse 'costs 4 % more, and less than 4.1 % counts for nothing' 0 --min-effect=4.1% base.folded worse.folded
worse 'a share may be a number' 0 --min-effect=0.05 base.folded worse.folded
worse '0 is any difference' 1 --min-effect=0 base.folded worse.folded
worse 'a least effect makes better no worse' 0 --min-effect=1% base.folded better.folded
# f alone: 70 are 17 % more than 60.
worse 'a filter is of what is compared: f costs more' 1 --focus=f base.folded better.folded
worse 'a filter and a least effect below the change' 1 --min-effect=16% --focus=f base.folded better.folded
worse 'a filter and a least effect above the change' 0 --min-effect=17% --focus=f base.folded better.folded
worse 'a filter is of what is compared: g costs less' 0 --focus=g base.folded better.folded
for view in tree traces raw tags flamegraph bars; do
	worse "view $view of what costs more" 1 --view=$view base.folded worse.folded
	worse "view $view of what costs less" 0 --view=$view base.folded better.folded
	worse "view $view of 4 % where 5 % count" 0 --view=$view --min-effect=5% base.folded worse.folded
	worse "view $view of f, which costs more" 1 --view=$view --focus=f base.folded better.folded
done
worse 'as JSON' 1 --json base.folded worse.folded
worse 'by the costs with callees' 1 --cum base.folded worse.folded
# Made equal in sum there is no more.
worse 'normalized sums are equal' 0 --normalize base.folded worse.folded
# 63 / 104 = .606, f had .6: 1 % more of its share.
worse 'of normalized costs a filter has a share' 1 --normalize --focus=f base.folded worse.folded
worse 'a share that is 1 % more where 1.1 % count' 0 --normalize --focus=f --min-effect=1.1% base.folded worse.folded
worse 'what was nothing before is worse' 1 --focus=h --min-effect=900% base.folded - <<'END'
main;h 1
END
worse 'rows that are left out count, too' 1 --nodecount=1 better.folded base.folded

# Which way is better is the metric's.
metric()
{
	printf '[{"name": "rate", "unit": "1/s", "value": %s}]' "$2" >"$1"
}
metric slow 80
metric fast 100
for way in Smaller:1:0 Bigger:0:1; do
	format=custom${way%%:*}IsBetter
	up=${way#*:}
	worse "100 after 80, format $format" "${up%:*}" --format=$format slow fast
	worse "80 after 100, format $format" "${way##*:}" --format=$format fast slow
done
# 20 of 100
worse 'a fifth less of what more is better of' 1 --min-effect=20% --format=customBiggerIsBetter fast slow
worse 'a fifth less where more counts' 0 --min-effect=21% --format=customBiggerIsBetter fast slow
# 3.3 is a tenth more than 3, though (3.3 - 3) / 3 of doubles is below .1
metric three 3
metric tenth 3.3
worse 'a tenth more where a tenth counts' 1 --min-effect=10% --format=customSmallerIsBetter three tenth
worse 'of two JSON files' 1 --json --format=customBiggerIsBetter fast slow
# Of several metrics the one that is named: size stays, speed is halved.
echo '[{"name": "speed", "unit": "1/s", "value": 8}, {"name": "size", "unit": "1", "value": 3}]' >two
echo '[{"name": "speed", "unit": "1/s", "value": 4}, {"name": "size", "unit": "1", "value": 3}]' >half
bigger=--format=customBiggerIsBetter
worse 'one of two metrics is worse' 1 $bigger two half
worse 'it is the one that is named' 1 $bigger --sample-index=speed two half
worse 'it is not the one that is named' 0 $bigger --sample-index=size --json two half
check 'no other metric is shown' json '[.rows[].name]' '["size"]'
worse 'no metric has the name' 128 $bigger --sample-index=sped -o none two half
check 'what metrics there are is said' says err \
	"fatal: no metric 'sped'; there are: speed, size; did you mean 'speed'?"
check 'no file is made of no metric' not test -e none

# Commits: for sure only, the first metric of each series.
runs()
{
	commit "$1"
	shift
	for value in "$@"; do
		metric ../figure "$value"
		must git perf add -n job --format=customSmallerIsBetter ../figure 2>"$err"
	done
}
runs base 100 101 99 100.5 99.5 100.2
runs more 105 106 104 105.5 104.5 105.2
runs noisy 105 101 109 104.4 103.3 107
runs one 300
worse 'all of six values 5 % higher' 1 HEAD~3 HEAD~2
worse 'commits as JSON' 1 --json HEAD~3 HEAD~2
worse 'all of six values 5 % lower' 0 HEAD~2 HEAD~3
# 105.1 after 100.1: 4.995 %
worse '5 % where 4.9 % count' 1 --min-effect=4.9% HEAD~3 HEAD~2
worse '5 % where 5.1 % count' 0 --min-effect=5.1% HEAD~3 HEAD~2
worse 'the same with more noise' 0 HEAD~2 HEAD~1
worse 'one value is not known to be worse' 0 HEAD~1 HEAD
worse 'no series has the metric' 125 --metric=wall HEAD~3 HEAD~2
check 'diff --exit-code says that no series has the metric' says err "no series of these commits has metric 'wall'"
worse 'no series has the metric, as JSON' 125 --json --metric=wall HEAD~3 HEAD~2
check 'JSON has no row then' json '.rows' '[]'
worse 'a metric that one has' 1 --metric=rate HEAD~3 HEAD~2
worse 'a value type is of profiles, not of commits' 128 --view=metrics --sample-index=rate HEAD~3 HEAD~2
check 'what the type is of is said' says err \
	"fatal: --sample-index is of profiles, 'HEAD~2' is a commit: a profile of it is 'HEAD~2:<name>'"
worse 'a series of one side only' 0 HEAD~2:job HEAD~2:job
commit none
printf 'main;f 60\n' >../other.folded
must git perf add -n other ../other.folded 2>"$err"
worse 'what one commit alone has is not worse' 0 HEAD~1 HEAD
check 'without --exit-code a worse profile is 0' exits 0 git perf diff base.folded worse.folded
check '--min-effect without --exit-code' exits 129 git perf diff --min-effect=2% HEAD~1 HEAD
check 'what --min-effect is for is said' says err 'error: --min-effect is for --exit-code'
check 'a least effect that is none' exits 129 git perf diff --exit-code --min-effect=x HEAD~1 HEAD
