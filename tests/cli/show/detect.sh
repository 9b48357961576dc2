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

# 3. What is wrong is one line on standard error, and nothing comes out.
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

check 'the answer goes into a file' exits 0 detects pair pair -o answer
check 'a file of -o has what would have been printed' is "$(cat answer)" "$(detects pair pair)"
