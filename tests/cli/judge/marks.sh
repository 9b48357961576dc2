#!/bin/sh
# The marks of log --changes and the line of status: the counts of 40 commits
# whose changes are known, a drift, and what was accepted.
. "$(dirname "$0")/../lib.sh"
need jq
series=$measured/series

cd "$scratch" || exit 1
must git clone -q "$series/wordfreq.bundle" -b main history 2>"$err"
cd history || exit 1
tail -n +2 "$series/series.tsv" | while IFS="$(printf '\t')" read -r n id rest; do
	printf '%s\t%s\n' "$id" "$series/callgrind/$n-$(echo "$id" | cut -c 1-10).callgrind"
done >"$scratch/lines"
must git perf add --stdin <"$scratch/lines" 2>"$err"

# What its own list calls a change, of the commits of main.
git rev-list --first-parent main >"$scratch/main"
awk -F '\t' '
	FILENAME != ARGV[2] { main[$1] = 1; next }
	$2 in main && /\t(REGRESSION|DRIFT)/ { print $2, "worse" }
	$2 in main && /\tIMPROVEMENT/ { print $2, "better" }' \
	"$scratch/main" "$series/series.tsv" | sort >"$scratch/known"
check 'changes of 40 commits' exits 0 git perf log --json --changes
jq -r '.commits[] | .commit as $c | (.changes // [])[] | "\($c) \(.change)"' "$out" |
	sort >"$scratch/marked"
check 'the marks are the changes that are known, and no others' same "$scratch/known" "$scratch/marked"
check 'nothing is marked unless that is asked for' is \
	"$(git perf log --json | jq '[.commits[] | select(.changes)] | length')" 0
check 'marks are told in words, too' exits 0 git perf log --oneline --changes
check 'a mark says by how much' says out '    ! wordfreq: Ir +20.6%'

# Since a tag: commit 12 of the list, after the first regression.
regressions()
{
	git perf status | sed -n 's/^\([0-9]* confirmed regressions*.*\) (.*/\1/p'
}
must git tag -d v1.0 >"$out"
count=$(grep -c worse "$scratch/known")
check 'without a tag status counts all regressions' is "$(regressions)" "$count confirmed regressions"
must git config perf.minEffect 50%
check 'status judges by the least effect of the configuration, as log does' is "$(regressions)" ''
must git config --unset perf.minEffect
check 'without it they count again' is "$(regressions)" "$count confirmed regressions"
must git tag v0.5 "$(sed -n 13p "$series/series.tsv" | cut -f 2)"
check 'status counts the regressions since a tag' is "$(regressions)" "$((count - 1)) confirmed regressions since v0.5"
check 'JSON has the number of regressions' is "$(git perf status --json | jq -c '[.regressions, .since_tag]')" \
	"[$((count - 1)),\"v0.5\"]"
must git perf accept -m 'fewer libraries' "$(sed -n 19p "$series/series.tsv" | cut -f 2)" 2>"$err"
check 'an accepted one is none' is "$(regressions)" "$((count - 2)) confirmed regressions since v0.5"
# The drift of commits 31 to 35, as a range.
must git perf accept -m 'more passes' \
	"$(sed -n 31p "$series/series.tsv" | cut -f 2)..$(sed -n 36p "$series/series.tsv" | cut -f 2)" 2>"$err"
check 'a range of accepted ones are none' is "$(regressions)" \
	"$((count - 7)) confirmed regressions since v0.5"
check 'log tells who accepted a change' exits 0 git perf log --oneline --changes
check 'who accepted a change stands beside its mark' mentions out \
	'^    ! wordfreq: Ir \+3\.1% \(accepted by C O Mitter <committer@example.com>: more passes\)$'
must git tag v0.9
check 'what is behind the newest tag is not counted' is "$(regressions)" ''

# A broken job file is check's to tell.
echo '[metric "a"]' >.gitperf
echo 'gate = maybe' >>.gitperf
check 'status goes on beside a broken section' exits 0 git perf status

# A course that drifts: .3 % a commit for 60 commits, noise of .5 %.
git init -q "$scratch/drift" && cd "$scratch/drift" || exit 1
must git config user.name a
awk 'BEGIN { srand(3); for (i = 0; i < 60; i++)
	printf "%.6f\n", 100 * (1 + 0.003 * i) * (1 + 0.005 * (rand() + rand() - 1)) }' >"$scratch/values"
while read -r value; do
	must git commit -q --allow-empty -m "$value"
	echo "[{\"name\": \"wall\", \"unit\": \"ms\", \"value\": $value}]" >"$scratch/$value.json"
	printf '%s\t%s\n' "$(git rev-parse HEAD)" "$scratch/$value.json"
done <"$scratch/values" >"$scratch/lines"
must git perf add --stdin --format=customSmallerIsBetter --name=slow <"$scratch/lines" 2>"$err"
check 'a drift is told' exits 0 git perf log --oneline --changes -n 1
check 'a drift is told at HEAD' mentions out '^    ~ slow: wall drifts by \+1[0-9]\.[0-9]+% since the last jump$'

# Values that have no ratio: a level that falls below 0, and a count that begins.
git init -q "$scratch/below" && cd "$scratch/below" || exit 1
must git config user.name a
awk 'BEGIN { srand(5); for (i = 0; i < 40; i++)
	printf "%d %.4f %d\n", i, (i < 20 ? 12 : -7) + 0.2 * (rand() - 0.5), i < 30 ? 0 : 4 }' >"$scratch/values"
while read -r n value count; do
	must git commit -q --allow-empty -m "$n"
	echo "[{\"name\": \"clock\", \"unit\": \"ms\", \"value\": $value}]" >"$scratch/$n.offset"
	echo "[{\"name\": \"tests\", \"unit\": \"count\", \"value\": $count}]" >"$scratch/$n.failures"
	printf '%s\t%s\n' "$(git rev-parse HEAD)" "$scratch/$n.offset" >>"$scratch/offset"
	printf '%s\t%s\n' "$(git rev-parse HEAD)" "$scratch/$n.failures" >>"$scratch/failures"
done <"$scratch/values"
for name in offset failures; do
	must git perf add --stdin --format=customSmallerIsBetter --name=$name <"$scratch/$name" 2>"$err"
done
check 'jumps without a ratio are told' exits 0 git perf log --json --changes
jq -r '.commits[] | .subject as $c | (.changes // [])[] |
	"\($c) \(.kind) \(.change) \(.before | round) \(.after | round) \(.effect)"' "$out" >"$scratch/told"
printf '30 jump worse 0 4 null\n20 jump better 12 -7 null\n' >"$scratch/wanted"
check 'a jump without a ratio has its commit and both levels' same "$scratch/wanted" "$scratch/told"
check 'a jump without a ratio is told in words' exits 0 git perf log --oneline --changes
check 'the words have both levels' mentions out '^    ! failures: tests 4, was 0$'
check 'the words have the unit of levels' mentions out '^    ! offset: clock -[67]\.[0-9]+ ms, was 1[12]\.[0-9]+ ms$'

# -5 ms and 7 ms have a difference, and no ratio.
git init -q "$scratch/sign" && cd "$scratch/sign" || exit 1
for value in -5 7; do
	must git commit -q --allow-empty -m "$value"
	printf 'name,value,unit\nclock,%s,ms\n' "$value" >"$scratch/sign.csv"
	must git perf add --format=csv --name=offset "$scratch/sign.csv"
done
check 'log has a figure that crosses 0' exits 0 git perf log -n 1
check 'log has no percentage of it' is "$(grep -c 'clock  *7 ms$' "$out")" 1
check 'diff has a figure that crosses 0' exits 0 git perf diff HEAD~ HEAD
check 'diff has no percentage of it' is "$(grep -c 'clock  *-5 ms  *7 ms  *1, 1  *?$' "$out")" 1
check 'check has no verdict of a figure that crosses 0' exits 125 git perf check
check 'check says that it has no ratio' mentions out 'clock: values of 0 or less have no ratio$'

# What counts for nothing in a verdict is no mark: 100 kB of max-rss (256 kB are
# a change of 4 MB), and what minEffect says, of counters and of times.
cd "$scratch" && must git init -q -b main peak && cd peak || exit 1
peak()
{
	commit "$1 kB"
	sed "s/resident set size (kbytes): 1864/resident set size (kbytes): $1/" \
		"$root/tests/data/time/gzip.txt" >"$scratch/time.txt"
	cat "$scratch/time.txt" "$scratch/time.txt" >"$scratch/twice.txt"
	must git perf add -n gzip "$scratch/twice.txt" 2>"$err"
}
for kb in 4096 4096 4096 4196 4196 4196 4796 4796; do
	peak "$kb"
done
check 'marks of a peak of memory' exits 0 git perf log --oneline --changes --metric=max-rss
check 'only what is more than 256 kB is marked' is \
	"$(grep '!' "$out")" '    ! gzip -9: max-rss +14.3%'
printf '[metric "max-rss"]\n\tminEffect = 1%%\n' >.gitperf
check 'marks of what the job file says' exits 0 git perf log --oneline --changes --metric=max-rss
check 'minEffect says another for a metric' is "$(grep -c '!' "$out")" 2

cd "$scratch" && must git init -q -b main times && cd times || exit 1
for ms in 1000 1002 999 1001 1000 998 1050 1052 1049 1051 1050 1048; do
	commit "$ms ms"
	jq -n --argjson ms "$ms" '[0, 1, 2, -1, -2 | ($ms + .) / 1000] |
		{results: [{command: "prog", times: ., mean: (add / 5), stddev: 0,
		median: .[0], min: min, max: max, user: 1, system: 0}]}' >"$scratch/times.json"
	must git perf add "$scratch/times.json" 2>"$err"
done
check 'a time that rose by 5 % has a mark' is "$(git perf log --oneline --changes | grep -c '!')" 1
printf '[metric "wall"]\n\tminEffect = 10%%\n' >.gitperf
check 'where 10 % are asked for it has none' is "$(git perf log --oneline --changes | grep -c '!')" 0
