#!/bin/sh
# git perf detect: numbers in, judgements out, outside of any repository; what
# is no number, and what is too much.
. "$(dirname "$0")/../lib.sh"
need jq
mkdir "$scratch/outside" && cd "$scratch/outside" || exit 1

# git perf detect ARGUMENT... < FILE
detects()
{
	file=$1
	shift
	git perf detect "$@" <"$file"
}

# 1. Pairs. Differences of the two are 1 +- .4: their median is 1, of their
# ratios 1.1005 (11/9.9, ..., sorted by hand: 1.1, 1.101 in the middle). Of 70
# orders one has no value on the other's side: p is 2/70.
cat >pair <<'NUMBERS'
10 10.2 9.9 10.1

11 11.3 10.9 11.1
NUMBERS
check 'values that do not overlap are a degradation' exits 0 detects pair pair
check 'the verdict is the first word of the line' is "$(cut -d ' ' -f 1 "$out")" Degradation
must detects pair pair --json >pair.json
check 'p of the ranks is that of one order in seventy, on both sides' exits 0 \
	jq -e '(.p_rank - 2 / 70 | fabs) < 1e-12 and .n == [4, 4]' pair.json
check 'the interval goes from the least quotient to the greatest' exits 0 \
	jq -e '(.low - 10.9 / 10.2 | fabs) < 1e-9 and (.high - 11.3 / 9.9 | fabs) < 1e-9' pair.json
echo '{"target": [10, 10.2, null, 9.9, 10.1], "baseline": [11, 11.3, 10.9, 11.1]}' >pair.list
check 'an object with two lists is a pair' exits 0 detects pair.list pair
check 'less is better' is "$(cut -d ' ' -f 1 "$out")" Optimization
printf '1 2\n3 4 5\n' >few
check 'two values on a side are too few' exits 0 detects few pair
check 'what is not known is a dash' is "$(cat "$out")" 'Unknown - - - - -'
check 'what is not known is absent from JSON' is \
	"$(detects few pair --json | jq -c 'keys')" '["command","n","verdict","version"]'

# 1b. Histories: a step of 1 % in a course whose noise is known.
seq 20 | awk '{ print ($1 <= 12 ? 100 : 101) + $1 % 3 / 10 }' >course
check 'the place of a step is printed' exits 0 detects course history
check 'a place is that of the first number of the new level, from 0' is "$(cat "$out")" 12
must detects course history --json >course.json
check 'the effect of a step is one percent, and in its interval' exits 0 jq -e '.points[0] |
	(.effect - 0.01 | fabs) < 0.001 and .low <= .effect and .effect <= .high and
	.from <= 12 and .to >= 12 and (.p + .confidence == 1)' course.json
{
	seq 10
	echo '-'
} | awk '{ print $1 == "-" || $1 <= 5 ? $1 : $1 + 20 }' | sed 's/^5$/nan/' >gaps
check 'what was not measured is left out' is "$(detects gaps history --json | jq .n)" 9
tr '\n' ' ' <course >line
check 'histories are one a line, and so are their answers' is \
	"$({ cat line && echo && echo && cat line; } | git perf detect history --stdin-series)" "12

12"
check 'a JSON list is a history' is "$(jq -cs . course | git perf detect history)" 12

# 1c. Values that are no multiples of each other: 1e300 is 1e600 times 1e-300.
echo '0 1e300 1e-300 1e-300 1e-300 1e-300 1e-300 1e-300 1e-300 1e-300 1e300 1e-300' >far
check 'a history whose quotients overflow has an answer' exits 0 detects far history
check 'two values that are far off are no change' is "$(cat "$out")" ''
awk 'BEGIN { for (i = 0; i < 36; i++) print i < 12 ? 1 : i == 12 ? 0 : 1e200 }' >huge
check 'a step from 1 to 1e200 is found though its square overflows' is \
	"$(detects huge history --json | jq -c '[.points[] | .index >= 12 and .index <= 13]')" '[true]'
awk 'BEGIN {
	print "0 1e200"
	for (i = 0; i < 48; i++)
		print (i < 24 ? 1 : 2) + i % 3 / 100
}' >begin
check 'one value of 1e200 at the begin hides no step from 1 to 2' is "$(detects begin history)" 26
printf '1e-300 1e-300 1.1e-300\n1e300 1e300 1.1e300\n' >far
check 'the ratio of a pair that overflows is a dash' is \
	"$(detects far pair | cut -d ' ' -f 1-4)" 'Degradation - - -'

# 2. Many at once: an answer to each, the same as alone.
cat pair few pair >series
check 'pairs one below the other are answered one by one' is \
	"$(detects series pair --stdin-series)" \
	"$(detects pair pair; detects few pair; detects pair pair)"
check 'documents of pairs are one a line' is \
	"$(detects series pair --stdin-series --json | jq -r .verdict | tr '\n' ' ')" \
	'Degradation Unknown Degradation '
: >empty
check 'no pairs have no answer' is "$(detects empty pair --stdin-series)" ''

# 3. Functions. Counts of two runs: 3000 to 3030 is 1 %, 100 to 220 too large;
# of 3 times as many calls each costs the same.
printf '%s\t%s\t%s\n' same '3000 3000' '3000 3000' more '3000 3000' '3030 3030' \
	large '100 100' '220 220' new '' '10 10' gone '10 10' '' \
	old.part.0 '50 50' '' old.isra.3 '' '50 50' '[unknown]' '7 7' '7 7' >counts
check 'verdicts on functions are one a line' exits 0 detects counts functions
printf '%s\t%s\t%s\t%s\n' same NoChange 1 1 more Degradation 1.01 0 \
	large SevereDegradation 2.2 0 new NotInBaseline - - gone NotInTarget - - \
	old.part.0 NoChange 1 1 old.isra.3 NoChange 1 1 '[unknown]' NoChange 1 1 >want
check 'each function has its verdict, ratio and q' is "$(cat "$out")" "$(cat want)"
must detects counts functions --json >functions.json
check 'a function that has another name is told by both' exits 0 jq -e \
	'.functions | map(select(.uid == "old.part.0"))[0].new_name == "old.isra.3"' functions.json
check 'what was added explains most of the difference' exits 0 jq -e \
	'.target - .baseline == 150 and .explained == ["large", "more"]' functions.json
printf 'f\t30 30\t90 90\t2 2\t6 6\ng\t30 30\t90 90\t2 2\t2 2\n' >calls
check 'called more often and costs more each are told apart' is \
	"$(detects calls functions --json | jq -r '.functions[].cause' | tr '\n' ' ')" 'calls cost '
printf 'f\t30\t31\n' >once
check 'one run a side is not enough' is "$(detects once functions)" "$(printf 'f\tUnknown\t1.03333\t-')"
check 'one run a side is enough for counts' is \
	"$(detects once functions --counts | cut -f 2)" Degradation
echo '{"functions": [{"uid": "f", "baseline": [30], "target": [31]}, {"uid": "g", "baseline": null, "target": [3]}]}' >once.json
check 'an object with functions is a table' is \
	"$(detects once.json functions --counts | cut -f 1,2 | tr '\t\n' '  ')" 'f Degradation g NotInBaseline '

# Three equal runs do not make a counter where the other functions vary: their
# variance is 2 (.03 to .05) ^ 2 on each side. 2 % is then no change.
printf '%s\t%s\t%s\n' f '100 100 100' '102 102 102' g '100 130 90' '101 120 95' \
	h '100 130 95' '101 125 95' >few_functions
check 'equal runs among noisy functions are no counts' is \
	"$(detects few_functions functions | cut -f 1-3 | head -n 1)" "$(printf 'f\tNoChange\t1.02')"
check 'equal runs among noisy functions are counts where that is said' is \
	"$(detects few_functions functions --counts | head -n 1)" "$(printf 'f\tDegradation\t1.02\t0')"
sed 's/102 102 102/300 300 300/' few_functions >thrice
check 'three times the cost is more than what noisy functions vary by' is \
	"$(detects thrice functions | cut -f 2 | tr '\n' ' ')" 'SevereDegradation NoChange NoChange '
printf 'f\t30 30 30\t31\n' >unequal
check 'a single run beside equal ones has no noise that is known' is \
	"$(detects unequal functions | cut -f 2)" Unknown
# All functions times all runs were 720 GB.
awk 'BEGIN {
	printf "a\t"
	for (i = 0; i < 300000; i++)
		printf "1 "
	print "\t1"
	for (i = 0; i < 300000; i++)
		printf "f%d\t\t1\n", i
}' >many
check 'many functions of one side cost no memory for the runs of the other' exits 0 \
	detects many functions
check 'each of many functions of one side has its verdict' is \
	"$(cut -f 2 "$out" | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" \
	'300000 NotInBaseline 1 Unknown '

# 4. Duels: six pairs of which each has B 8 to 11 % above A; equal counts.
printf '10 11\n10.1 11.2\n9.9 11\n10 11.1\n10 10.9\n10.2 11.2\n1 1\n' >pairs
check 'pairs that agree decide at the first look' exits 0 detects pairs duel
check 'what comes behind the decision is not looked at' is "$(cut -f 1,5 "$out")" "$(printf 'slower\t6')"
awk '{ print $2, $1 }' pairs >swapped
check 'swapped sides are faster' is "$(detects swapped duel | cut -f 1,5)" "$(printf 'faster\t6')"
check 'a difference below the tolerance is no change' is \
	"$(detects pairs duel --tolerance=20% | cut -f 1)" 'no change'
check 'a share needs no percent sign' is \
	"$(detects pairs duel --tolerance 0.2)" "$(detects pairs duel --tolerance=20%)"
check 'a change below the margin is not decided at once' is \
	"$(detects pairs duel --tolerance=12% --margin=11% | cut -f 1)" 'undecided'
printf '10 11\n10 11\n' >two
check 'two pairs decide nothing' is "$(detects two duel | cut -f 1,3,5)" "$(printf 'undecided\t-\t2')"
check 'two pairs of counts are enough' is "$(detects two duel --counts | cut -f 1,3,5)" \
	"$(printf 'slower\t1.1\t2')"
yes '1e-300 1e300' | head -n 8 >far
check 'a ratio of a duel that overflows is a dash' is "$(detects far duel | cut -f 2-)" \
	"$(printf -- '-\t-\t-\t8')"
check 'a ratio of a duel that overflows is absent from JSON' is \
	"$(detects far duel --json | jq -c '[has("ratio", "low", "high")]')" '[false,false,false]'
(echo '- 5' && echo '5 nan' && cat pairs) >failures
check 'a run that failed takes its pair with it' is \
	"$(detects failures duel --json | jq -c '[.decision, .pairs, .failed]')" '["slower",6,[1,1]]'
jq -R -s '{pairs: [split("\n")[:-1][] | split(" ") | map(tonumber)]}' pairs >pairs.json
check 'an object with pairs is a duel' is "$(detects pairs.json duel)" "$(detects pairs duel)"

# 5. What is wrong is one line on standard error, and nothing comes out.
refuses()
{
	exits 128 detects "$@" && silent out && [ "$(wc -l <"$err")" -eq 1 ]
}
printf '1 2 3\n1 x 3\n' >bad
check 'a word that is no number is refused' refuses bad pair
check 'a word that is no number is named with its line' \
	says err "fatal: line 2: 'x' is not a finite number"
check 'a bad pair among pairs is refused' refuses bad pair --stdin-series
check 'a lone line is refused' refuses empty pair
printf '1 2 3\n' >lone
check 'half a pair at the end is refused' refuses lone pair --stdin-series
printf '\033[31m 2\n3\n' >evil
check 'a control sequence is refused' refuses evil pair
check 'a control sequence is escaped' says err \
	"fatal: line 1: '\\x1b[31m' is not a finite number"
check 'a detector that does not exist is a usage error' exits 129 detects pair guess
check 'no detector is a usage error' exits 129 detects pair
printf '{"baseline": [1, 2, 3]' >cut
check 'JSON that is cut off is refused' refuses cut pair
check 'JSON of a table that is cut off is refused' refuses cut functions
check 'JSON of pairs without a list is refused' refuses once.json duel
printf 'f\t1 2\t1 2\nf\t1 2\t1 2\n' >twice
check 'a function that is there twice is refused' refuses twice functions
check 'a function that is there twice is named with its line' says err \
	"fatal: line 2: 'f' is there twice"
printf 'f\t1 2\t1 2\ng\t1 2 3\t1 2\n' >uneven
check 'another number of runs is refused' refuses uneven functions
printf 'f\t1 2\n' >short
check 'a function without a target is refused' refuses short functions
printf '1 2\n1 2 3\n' >three
check 'three numbers are no pair' refuses three duel
check 'a line that is no pair is named' says err 'fatal: line 2: need two numbers, have 3'
check 'a duel without pairs is refused' refuses empty duel
check 'a tolerance that is no share is a usage error' exits 129 detects pairs duel --tolerance=x
check 'a tolerance of 0 is refused' refuses pairs duel --tolerance=0
check 'a margin above the tolerance is refused' refuses pairs duel --margin=3%
check 'more pairs than there can be are refused' refuses pairs duel --max-pairs=201
check 'options of a duel are not for a pair' exits 129 detects pair pair --tolerance=1%
check 'counts are not for a history' exits 129 detects course history --counts

check 'the answer goes into a file' exits 0 detects pair pair -o answer
check 'a file of -o has what would have been printed' is "$(cat answer)" "$(detects pair pair)"
