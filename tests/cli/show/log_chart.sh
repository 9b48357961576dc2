#!/bin/sh
# git perf log --chart. Three commits cost 100, 200 and 150 us: of 30 columns
# the scale takes 6 and what parts it 3, so that the commits stand in columns 0,
# 10 and 20 of the picture, and in rows 7, 0 and 3.5, rounded up, of its eight.
. "$(dirname "$0")/../lib.sh"

measure()
{
	git commit -q --allow-empty -m "$1"
	printf 'BenchmarkA 1 %s ns/op\n' "$1" >../bench.txt
	git perf add --name=bench ../bench.txt 2>"$err"
}
must measure 100000
check 'one commit is no course' exits 0 git perf log --chart
check 'one commit is said to be none' mentions err 'nothing to draw: no series has two different values$'
must measure 200000
must measure 150000
check 'a course is drawn' exits 0 env COLUMNS=30 git perf log --chart
check 'the chart has its commits' prints out <<'END'
bench BenchmarkA..., 3 commits
200 us |           *
       |
       |
       |
       |                     *
       |
       |
100 us | *
END
check 'no line is wider than 30 columns' test "$(wc -L <"$out")" -le 30
check 'a course is drawn in lines' exits 0 env COLUMNS=30 LC_ALL=C.UTF-8 git perf log --chart
# dots 8 and 1 of U+2800: the last one of 100 us, the first one below 200 us
check 'the first commit is at the bottom' mentions out '^100 us ... [^ ]'
check 'the second commit is at the top' mentions out '^200 us ...  +[^ ]'
must git commit -q --allow-empty -m nothing
check 'a commit that was not measured is passed over' exits 0 env COLUMNS=30 git perf log --chart
check 'stars are as many' is "$(grep -c '\*' "$out")" 3
check 'colours are those of a list' exits 0 git perf --color=always log --chart
check 'the name is in bold' mentions out "$(printf '^\033\\[1mbench ')"
check 'a metric is chosen' exits 0 git perf log --chart --metric=nothing
check 'without a metric there is no chart' silent out
check 'no commits are fine' exits 0 git perf log --chart -n 0
