#!/bin/sh
# More metrics than an index line holds: they stand in the body, and log reads
# them there. 40 value types with long names are more than 16 kB of line.
. "$(dirname "$0")/../lib.sh"
need jq awk
commit one
# pprof in raw bytes: value types are fields 1 {type 1, unit 2}, a sample is
# field 2 with its values in 2, strings are fields 6.
awk '
function number(n) {
	for (; n > 127; n = int(n / 128))
		printf "\\%03o", n % 128 + 128
	printf "\\%03o", n
}
function bytes(n) { # how many a number takes
	return n < 128 ? 1 : 2
}
BEGIN {
	types = 60
	for (i = 1; i <= types; i++) {
		printf "\\012"; number(3 + bytes(i))
		printf "\\010"; number(i)
		printf "\\020\\%03o", types + 1
	}
	printf "\\022"; number(2 + types)
	printf "\\022"; number(types)
	for (i = 1; i <= types; i++)
		printf "\\%03o", i
	printf "\\062\\000"
	for (i = 1; i <= types + 1; i++) {
		name = i > types ? "count" : "metric_" i "_"
		while (i <= types && length(name) < 500)
			name = name "x"
		printf "\\062"; number(length(name)); printf "%s", name
	}
}' >text
printf "$(cat text)" >many.pb
check 'a pprof profile with many value types is added' \
	exits 0 git perf add many.pb
check 'the line points to the body' is "$(git notes --ref=perf show HEAD |
	grep -c ' metrics=body')" 1
check 'the note of a profile with many metrics is short' \
	test "$(git notes --ref=perf show HEAD | wc -c)" -lt 1024
check 'log works with many metrics' exits 0 git perf log --json
check 'log has each metric once by name' \
	json '[.commits[0].profiles[0].metrics[].name | length] |
	[length, min, max]' '[60,500,500]'
check 'log has the values of all metrics, the default one first' \
	json '[.commits[0].profiles[0].metrics[].median] | [.[0], .[1], .[59]]' \
	'[60,1,59]'
check 'log --oneline works with many metrics' exits 0 git perf log --oneline
check 'log --oneline shows the default metric only' \
	mentions out ' many\.pb  metric_60_xxxxxxx\.\.\.  60$'
check 'log --metric works with many metrics' \
	exits 0 git perf log --oneline --metric=metric_7_
check 'log --metric shows the chosen metric' mentions out ' many\.pb  metric_7_xxxxxxxx\.\.\.  7$'
must git perf add many.pb
must git perf export --to=git-perf -o many.perf 0@i
check 'a profile of many metrics is added in the own format' exits 0 git perf add many.perf
check 'the profile in the own format has as many metrics in log' \
	is "$(git perf log --json |
	jq -c '[.commits[0].profiles[].metrics | length]')" '[60,60,60]'
check 'the store has no fault' exits 0 git perf fsck
