#!/bin/sh
# git perf log --graph, beside git log --graph: histories of 30 commits, drawn
# from a seed, with merges of up to four parents and several roots.
. "$(dirname "$0")/../lib.sh"

# awk's own rand differs from one awk to another
history()
{
	awk -v seed="$1" '
	function below(n) { seed = (seed * 1103515245 + 12345) % 2147483648
		return int(seed / 65536) % n }
	BEGIN {
		for (i = 1; i <= 30; i++) {
			printf "commit refs/heads/x\nmark :%d\n", i
			printf "committer B <b@x> %d +0000\n", 1500000000 + 60 * i
			printf "data %d\nc%d\n", length(i) + 1, i
			n = i == 1 || !below(12) ? 0 : below(3) ? 1 : 2 + below(3)
			for (p = 0; p < n; p++)
				printf "%s :%d\n", p ? "merge" : "from", 1 + below(i - 1)
			printf "M 100644 inline %s\ndata 3\n%02d\n", below(3) ? "f" : "g", i
			printf "reset refs/heads/b%d\nfrom :%d\n\n", i, i
			print "reset refs/heads/x\nfrom 0000000000000000000000000000000000000000\n"
		}
	}'
}
# What git draws, of a format of so many lines: blanks at the end mean nothing.
drawn()
{
	lines=$1
	shift
	format=$(awk -v n="$lines" 'BEGIN { while (n--) printf "%s", n ? "X%n" : "X" }')
	git log --graph --branches --format="$format" "$@" | sed 's/X$//; s/ *$//'
}
for seed in 1 2 3 4 5 6 7 8; do
	must git init -q "../drawn$seed"
	cd "../drawn$seed" || exit 1
	history "$seed" | must git fast-import --quiet --force
	git log --graph --branches --abbrev=10 --format='%h %s' | sed 's/ *$//' \
		>"$scratch/expected"
	check "a graph of lines, seed $seed" exits 0 git perf log --graph --branches --oneline
	check "the graph is git's, seed $seed" prints out <"$scratch/expected"
	git rev-list --branches | awk '{ print $1 "\t../p.folded" }' >../batch
	echo 'main;a 1' >../p.folded
	must git perf add --stdin <../batch 2>"$err"
	check "a graph of figures, seed $seed" exits 0 git perf log --graph --branches
	# id, author, date, nothing, subject, nothing, figures, nothing
	sed "s#[^ |*/\\\\_.-].*##; s/ *\$//" "$out" >"$scratch/ours"
	drawn 8 >"$scratch/expected"
	check "beside figures it is git's, too, seed $seed" \
		diff "$scratch/expected" "$scratch/ours"
done

# Of a merge of 14 whose lines all cross those of 14 others: git draws more
# lines of it than are asked for, and where the text has as many it goes on so.
must git init -q ../crossing
cd ../crossing || exit 1
awk 'BEGIN {
	for (i = 1; i <= 29; i++) {
		printf "commit refs/heads/x\nmark :%d\n", i
		printf "committer B <b@x> %d +0000\ndata 1\nc\n", \
			1500000000 + (i == 29 ? 14.5 : i) * 60
		for (p = 1; i == 29 && p <= 14; p++)
			printf "%s :%d\n", (p > 1 ? "merge" : "from"), p
		if (i > 14 && i < 29)
			printf "from :%d\n", i - 14
		printf "M 100644 inline f\ndata 3\n%02d\n", i
		printf "reset refs/heads/b%d\nfrom :%d\n\n", i, i
		print "reset refs/heads/x\nfrom 0000000000000000000000000000000000000000\n"
	}
}' | must git fast-import --quiet --force
awk 'BEGIN { for (i = 10; i < 50; i++) printf "Benchmark%d 1 %d ns/op\n", i, i }' >../many.txt
git rev-list --branches | awk '{ print $1 "\t../many.txt" }' >../batch
must git perf add --stdin <../batch 2>"$err"
# how long a text is depends on the columns that are left: what goes straight
# down counts once
for limit in --max-count=99 --max-count=15; do
	check "a graph of crossing lines, $limit" exits 0 git perf log -v --graph --branches $limit
	sed "s#[^ |*/\\\\_.-].*##; s/ *\$//" "$out" | uniq >"$scratch/ours"
	drawn 50 $limit | uniq >"$scratch/expected"
	check 'a merge has more lines than 16' test "$(grep -c '_|.*/' "$scratch/expected")" -gt 10
	check "crossing lines are git's, $limit" diff "$scratch/expected" "$scratch/ours"
done

# With paths git draws lines past commits: what a commit is compared with does
# not change by that.
must git init -q ../paths
cd ../paths || exit 1
for value in 100 150 300; do
	echo $value >"$([ $value = 150 ] && echo g || echo f)"
	must git add .
	must git commit -q -m "v$value"
	printf 'BenchmarkA 1 %s ns/op\n' "$value" >../bench.txt
	must git perf add --name=bench ../bench.txt 2>"$err"
done
check 'a history of a path' exits 0 git perf log --oneline -- f
check '300 is compared with 150, which is not shown' mentions out ' v300 .*\+100%'
check 'a graph of a path' exits 0 git perf log --graph --oneline -- f
check 'a graph of a path has the figures of the history' is "$(grep '^\*' "$out" | grep -c 'v300 .*+100%')" 1
check 'a graph is no wider than the terminal' exits 0 env COLUMNS=60 git perf log --graph
check 'no line has more than 60 columns' test "$(grep -v 'commit\|Author' "$out" | wc -L)" -le 60

# merged N: 1 is the root, 2 to N - 1 are upon it, N merges all of these.
merged()
{
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++) {
			printf "commit refs/heads/main\nmark :%d\n", i
			printf "committer B <b@x> %d +0000\n", 1500000000 + i * 60
			printf "data 23\nA subject of 22 letters\n"
			if (i != 1)
				printf "from :%d\n", (i == n ? n - 1 : 1)
			for (p = 2; i == n && p < n - 1; p++)
				printf "merge :%d\n", p
			printf "M 100644 inline f\ndata 1\n%d\n\n", i
		}
	}' | must git fast-import --quiet --force
}

# Eight: graphs of 2 to 12 columns. What is behind the subject stands below each other.
must git init -q -b main ../columns
cd ../columns || exit 1
merged 8
for id in $(git rev-list HEAD); do
	printf 'BenchmarkA 1 100 ns/op\n' >../bench.txt
	must git perf add --name=bench --commit="$id" ../bench.txt 2>"$err"
done
check 'a graph of lines with a series each' exits 0 env COLUMNS=100 git perf log --graph --oneline
check 'all eight have theirs' is "$(grep -c 'bench  Bench' "$out")" 8
# starts: how many columns a series begins in
starts()
{
	sed -n 's/bench  *Bench.*/x/p' "$out" | awk '{ print length }' | sort -u | wc -l
}
check 'a series begins in one column' is "$(starts)" 1
printf 'main;a 1\n' >../p.folded
must git perf add --name=stacks ../p.folded 2>"$err"
for id in $(git rev-list HEAD~1 --branches); do
	must git perf add --name=stacks --commit="$id" ../p.folded 2>"$err"
done
check 'a graph of lines with two series each' exits 0 env COLUMNS=100 git perf log --graph --oneline
# the first of them is of the merge, and a graph is no narrower before it ends
check 'two series begin in one column each' is "$(starts)" 1
check 'no line is longer than the terminal' test "$(wc -L <"$out")" -le 100
for words in '' --graph; do
	check "lines in 40 columns $words" exits 0 env COLUMNS=40 git perf log --oneline $words
	check "what is in them, $words" is "$(grep -c '100 ns' "$out") $(grep -c 'Benchmark' "$out")" '8 8'
	check "none is longer than 40 columns $words" test "$(wc -L <"$out")" -le 40
done
must git reset -q --hard
must git commit -q --amend -m amended
check 'lines with marks in 36 columns' exits 0 env COLUMNS=36 git perf log --oneline -n 1
check 'the marks are there' mentions out '^ *measured at [0-9a-f]{10}$'
check 'no line with marks is longer' test "$(wc -L <"$out")" -le 36

# A graph of 14 columns leaves 26 of 40: the ids of commits, authors and dates are
# as git writes them, all else has to do with what is left.
must git init -q -b main ../narrow
cd ../narrow || exit 1
merged 9
value=100
for id in $(git rev-list HEAD); do
	printf 'BenchmarkOfALongName 1 %s ns/op\n' $value >../bench.txt
	must git perf add --name=a.long.name --commit="$id" ../bench.txt 2>"$err"
	value=$((25100 - value))
done
for words in '' -v --oneline '-v --oneline'; do
	check "a wide graph in 40 columns $words" exits 0 env COLUMNS=40 git perf log --graph $words
	check "the graph has 14 columns $words" mentions out '^\| \| \| \| \| \| \* '
	check "none of its lines is longer $words" test \
		"$(grep -v 'commit \|Author: \|Date: ' "$out" | wc -L)" -le 40
done
check 'a subject that is too long goes on' exits 0 env COLUMNS=40 git perf log --graph
check 'in the next line' mentions out '^\| \| \| \| \| \| \|     letters$'
check 'a pipe has it whole' exits 0 env -u COLUMNS git perf log --graph
check 'in one line' mentions out '^\| \| \| \| \| \| \|     A subject of 22 letters$'

cd ../columns || exit 1
while read -r words; do
	check "log $words is a usage error" exits 129 git perf log $words
	check "log $words is told in a line" says err \
		"error: --graph draws each commit: it takes no ${words#--graph }"
done <<'END'
--graph --json
--graph --chart
--graph --measured
END
for option in --color --color=always --color-words --word-diff=color; do
	check "$option is git's output, which is read" exits 129 git perf log --graph "$option"
done
check 'no colours are asked for' exits 0 git perf log --graph --no-color
check 'functions have no graph' exits 129 git perf log --graph --function=x
check 'git refuses what it cannot draw' exits 129 git perf log --graph --reverse
check 'git says itself what it cannot draw' mentions err "reverse.*graph|graph.*reverse"
must git init -q ../unborn
cd ../unborn || exit 1
check 'no commits are no graph' exits 0 git perf log --graph
