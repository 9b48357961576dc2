#!/bin/sh
# log --function and blame: on a real series whose changes are known, and on
# profiles whose costs are written here.
. "$(dirname "$0")/../lib.sh"
need jq

series=$measured/series
must git clone -q -b main "$series/wordfreq.bundle" ../words
cd ../words || exit 1
tab=$(printf '\t')
sed 1d "$series/series.tsv" | while IFS=$tab read -r n commit rest; do
	short=$(echo "$commit" | cut -c1-10)
	printf '%s\t%s\n' "$commit" "$series/callgrind/$n-$short.callgrind"
done >../lines
must git perf add --stdin <../lines 2>"$err"

# The commit that series.tsv numbers so.
numbered()
{
	awk -F '\t' -v n="$1" '$1 == n { print $2 }' "$series/series.tsv"
}
# last NUMBER FUNCTION: what blame says of it up to that commit.
blames()
{
	exits 0 git perf blame --json --range="$(numbered "$1")" "^$2\$" &&
		json '.series[0].functions[0].changes[0] |
		[.commit, .commits, .change]' \
			"[\"$(numbered "$1")\",1,\"$3\"]"
}

# Each change that series.tsv knows, with the function that made it.
while read -r n function change; do
	check "blame names commit $n for $function" \
		blames "$n" "$function" "$change"
done <<'KNOWN'
08 table_get worse
13 table_get better
18 sort_entries worse
20 sort_entries better
24 next_token better
29 fold_case worse
31 checksum worse
32 checksum worse
33 checksum worse
34 checksum worse
35 checksum worse
37 checksum better
38 table_lookup worse
KNOWN
check 'blame before the first change of a function' exits 0 git perf blame \
	--json --range="$(numbered 07)" '^table_get$'
check 'a function that never changed has no change' json \
	'.series[0].functions[0] | .changes, .doubt' '[]
null'
check 'all functions above a share are blamed' exits 0 git perf blame
check 'a line has share, cost, change and name' mentions out \
	'^ +6\.6% +3\.381 M +\+100%  table_lookup$'
check 'the line below it has who and why' mentions out \
	'^ +1ea1035efa [0-9-]+ [^ ]+.*  Use fewer buckets$'
check 'a library that nobody touched did not change' mentions out \
	'^ +no change in 38 measured commits$'
check 'no line is wider than a terminal' \
	test "$(LC_ALL=C.UTF-8 wc -L <"$out")" -le 80
check 'blame by costs with callees' exits 0 git perf blame --cum --json '^main$'
check 'main changes with what it calls' json \
	'.series[0].functions[0].changes[0].subject' '"Use fewer buckets"'
check 'small changes are passed over' exits 0 git perf blame --json \
	--min-effect=1.2 '^table_lookup$'
check 'the last change beyond the least effect is named' json \
	'.series[0].functions[0].changes[0].commit' "\"$(numbered 08)\""

check 'log of a function by its new name' exits 0 git perf log --json \
	--function='^table_lookup$'
must cp "$out" ../new.json
check 'a renamed function is followed to its old name' json \
	'.series[0].functions[0].earlier | map([.function, .until])' \
	"[[\"table_get\",\"$(numbered 20)\"]]"
check 'log of a function by its old name' exits 0 git perf log --json \
	--function='^table_get$'
check 'the old and the new name find one history' is \
	"$(jq -c 'del(.function)' "$out")" "$(jq -c 'del(.function)' ../new.json)"
check 'log has a figure for each commit of the first parents' json \
	'.series[0].functions[0].points | length' \
	"$(git rev-list --count --first-parent HEAD)"

# Ir_table of KEYFIGURES.tsv is of callgrind_annotate, with what is called.
jq -r '.series[0].functions[0].points[] | [.commit, .total] | @tsv' \
	../new.json | sort >../totals
git rev-list --first-parent HEAD | sort >../line
sed 1d "$series/KEYFIGURES.tsv" | cut -f 2,6 | sort |
	join -t "$tab" - ../line >../expected
check 'figures are those of callgrind_annotate' same ../totals ../expected
check 'log --function with changes only' exits 0 git perf log \
	--changes --function=table_lookup
check 'the old name is told with the commit of the rename' mentions out \
	'^  table_get before bfa0246a7f$'
check 'the log of a renamed function has three changes' is "$(grep -cE '^  [0-9a-f]{10} ' "$out")" 3
check 'no line of a log is wider than a terminal' \
	test "$(LC_ALL=C.UTF-8 wc -L <"$out")" -le 80
check 'what nothing matches is said' exits 0 git perf log --function='^none$'
check 'the expression that nothing matches is named' says err \
	"no function of these commits matches '^none\$'"
check 'a bad expression is an error' exits 128 git perf blame '('
check 'two expressions are none' exits 129 git perf blame a b

# Counts by arithmetic, where commits were not measured: f costs 100 at the
# first commit, 120 at the fourth.
must git init -q -b main ../counts
cd ../counts || exit 1
counted()
{
	printf 'version: 1\ncmd: ./f\nevents: Ir\nfl=%s\nfn=%s\n1 %d\nfn=main\n2 50\n' \
		"$1" "$2" "$3" >"$scratch/callgrind.out"
	must git perf add --name=f --format=callgrind "$scratch/callgrind.out" 2>"$err"
}
commit first
counted a.c f 100
commit second
commit third
commit fourth
counted a.c f 120
check 'blame between measured commits' exits 0 git perf blame --json f
check 'the commits that may have made it are told' json \
	'.series[0].functions[0].changes[0] |
	[.before, .after, .commits, .subject]' '[100,120,3,"fourth"]'
check 'shares are of all functions' json \
	'.series[0].functions[0].self_share * 170 | round' 120
check 'blame between measured commits as text' exits 0 git perf blame f
check 'blame says how many commits may have made a change' mentions out 'by one of 3 commits:$'
check 'each commit that may have made it is named' is "$(grep -cE ' (second|third|fourth)$' "$out")" 3
commit fifth
counted b.c f 120
check 'blame of a function that went to another file' exits 0 git perf blame --json f
check 'a function in another file goes on as one' json \
	'.series[0].functions | map([.file, .earlier[0].file,
	(.changes[0] | .before, .after)])' '[["b.c","a.c",100,120]]'

# Ten more at each commit: counts of callgrind from 10 to 50.
must git init -q -b main ../rising
cd ../rising || exit 1
for value in 10 20 30 40 50; do
	commit "to $value"
	counted a.c f $value
done
check 'blame of a count that rises at each commit' exits 0 git perf blame --json '^f$'
check 'the newest commit changed it last' json '.series[0].functions[0].changes[0] |
	[.subject, .before, .after, .commits]' '["to 50",40,50,1]'

# Two commits on another level are too few: 150 by 350 is 42.9 %.
must git init -q -b main ../newest
cd ../newest || exit 1
for value in 350 350 350 350 350 350 150 150; do
	commit "to $value"
	printf 'main;f %d\nmain;g 1000\n' $value >"$scratch/s.folded"
	must git perf add --name=s --format=collapsed "$scratch/s.folded" 2>"$err"
done
check 'blame of two commits on a new level' exits 0 git perf blame '^f$'
check 'blame says that two are too few' says out \
	'          cannot tell: the newest 2 commits differ by -57.1%, and are too few'
check 'log of two commits on a new level' exits 0 git perf log --function='^f$'
check 'log says that two are too few' says out \
	'  cannot tell: the newest 2 commits differ by -57.1%, and are too few'
check 'two commits on a new level as JSON' exits 0 git perf blame --json
check 'what is apart is told as numbers' json '.series[0].functions |
	map([.function, .doubt, .apart, ((.apart_ratio // 0) * 7 | round)])' \
	'[["g",null,null,0],["f","newest",2,3]]'

# A function that the two oldest of six have not, and one that only the newest has.
must git init -q -b main ../came
cd ../came || exit 1
for n in 1 2 3 4 5 6; do
	commit "commit $n"
	printf 'main;g 1000\n' >"$scratch/s.folded"
	[ $n -lt 3 ] || printf 'main;f %d\n' $((300 + n)) >>"$scratch/s.folded"
	[ $n -lt 6 ] || printf 'main;h 300\n' >>"$scratch/s.folded"
	must git perf add --name=s --format=collapsed "$scratch/s.folded" 2>"$err"
done
check 'blame of what came lately' exits 0 git perf blame '^[fh]$'
check 'the oldest two lack it' says out \
	'          cannot tell: it cost nothing at the oldest 2 commits, too few'
check 'the newest one alone has it' says out \
	'          cannot tell: it cost something at the newest commit alone'
check 'what came lately as JSON' exits 0 git perf blame --json '^[fh]$'
check 'by nothing there is no ratio' json '.series[0].functions |
	map([.function, .doubt, .apart, .apart_ratio])' \
	'[["f","oldest",2,0],["h","newest",1,null]]'

# The same as samples, which six commits are needed for, to 80 by the eighth.
must git init -q -b main ../rising_samples
cd ../rising_samples || exit 1
for value in 10 20 30 40 50 60 70 80; do
	commit "to $value"
	printf 'main;f %d\nmain;g 500\n' $value >"$scratch/s.folded"
	must git perf add --name=s --format=collapsed "$scratch/s.folded" 2>"$err"
done
check 'blame of samples that rise at each commit' exits 0 git perf blame --json '^f$'
check 'the newest commit raised samples last' json '.series[0].functions[0].changes[0] |
	[.subject, .before, .after, .commits]' '["to 80",70,80,1]'

# 3 % more at each commit, and one in two 4 % off.
for value in 100 107 106 114 113 121 119 128 127 136 134 144; do
	commit "noisy $value"
	printf 'main;h %d00\nmain;g 50000\n' $value >"$scratch/s.folded"
	must git perf add --name=h --format=collapsed "$scratch/s.folded" 2>"$err"
done
check 'blame of samples that drift' exits 0 git perf blame '^h$'
check 'a drift is told, and no commit' mentions out \
	'^ +drifts by \+[0-9.]+% over 12 commits, and none of them stands out$'
check 'blame of samples that drift as JSON' exits 0 git perf blame --json '^h$'
check 'a drift is told as JSON' json '.series[0].functions[0] |
	[.doubt, .changes, .drift > .2, .drift < .5]' '["steady",[],true,true]'

# Samples: five commits tell nothing, twelve tell a step of the half.
must git init -q -b main ../samples
cd ../samples || exit 1
hostile=$(printf 'a<script>\033[31m"\342\200\256b')
sampled()
{
	commit "$1"
	printf 'main;f %d\nmain;%s 500\nmain;rare%d 9\n' \
		"$2" "$hostile" $(($1 % 4)) >"$scratch/s.folded"
	must git perf add --name=s --format=collapsed "$scratch/s.folded" 2>"$err"
}
n=0
for value in 1000 1010 990 1005 995; do
	sampled $((n += 1)) $value
done
check 'log of a function without costs of its own' exits 0 git perf log \
	--function='^main$'
check 'log says that what it calls can be counted' says err \
	"functions match '^main\$', but have no such share of the costs themselves: --cum counts what they call, too"
check 'blame of a function with too small a share' exits 0 git perf blame \
	--cum --min-share=.9 rare
check 'blame says that the share is small' says err \
	"functions match 'rare', but have no such share of the costs"
check 'blame of five commits' exits 0 git perf blame f
check 'blame says that five commits are too few' mentions out \
	'^ +cannot tell: 5 commits were measured, 6 needed$'
for value in 1003 1500 1515 1485 1508 1492 1505; do
	sampled $((n += 1)) $value
done
check 'blame of twelve commits' exits 0 git perf blame --json '^f$'
check 'the seventh commit made it slower' json \
	'.series[0].functions[0].changes[0] |
	[.subject, .kind, .change, (.effect * 10 | round)]' \
	'["7","changed","worse",5]'
check 'blame of a function that samples hit now and then' \
	exits 0 git perf blame --json 'rare1'
check 'nothing is told of a function by chance' json '.series[0].functions[0].doubt' '"rarely"'
check 'a name with escapes is harmless on a terminal' \
	exits 0 git perf log --function='a<script>'
check 'an escape sequence in a name is escaped' not mentions out "$(printf '\033\\[31m')"
check 'a direction mark in a name is escaped' mentions out 'u\{202e\}'
check 'a name with escapes is JSON' exits 0 git perf blame --json 'script'
check 'a name with escapes stays what it is in JSON' is \
	"$(jq -r '.series[0].functions[0].function' "$out")" "$hostile"

# Figures alone are no functions.
must git init -q -b main ../figures
cd ../figures || exit 1
commit first
printf 'BenchmarkA 1 10 ns/op\n' >../bench.txt
must git perf add --name=bench ../bench.txt 2>"$err"
check 'blame without profiles is no answer' exits 125 git perf blame
check 'blame without profiles says why' says err 'no profile of these commits (1) has functions'
check 'log --function without profiles is none either' \
	exits 125 git perf log --function=f
check 'log --function without profiles says why' \
	says err 'no profile of these commits (1) has functions'
check 'neither is one of a job without profiles' \
	exits 125 git perf log --function=f --job=bench
