#!/bin/sh
# The README's tour: each of its lines is run, in its order, in the repository
# that it begins with.
. "$(dirname "$0")/../lib.sh"
need valgrind "${CC:-cc}"

# The tour of the README, and the lines of it that are typed.
awk '/^## / { on = /^## A tour/ } on' "$root/README.md" >"$scratch/tour"
awk '/^\[job "fib"\]/ { on = 1 } /^```/ { on = 0 } on' "$scratch/tour" >.gitperf
{
	sed -n 's/^\$ //p' "$scratch/tour"
	awk '/^```/ { on = !on; next } on' "$scratch/tour" |
		sed -n 's/ *#.*//; /^git /p'
} >"$scratch/typed"
check 'the tour has a job' is "$(grep -c '^	collector' .gitperf)" 2
check 'the tour has lines to type' test "$(wc -l <"$scratch/typed")" -gt 15

# What is printed and typed there, a byte a column.
check 'no line of the tour is wider than a terminal' is "$(
	awk '/^```/ { on = !on; next } on' "$scratch/tour" |
		sed 's/[\xc0-\xf7][\x80-\xbf]*/x/g' | awk 'length($0) > 80'
)" ''

cat >fib.c <<'END'
#include <stdio.h>
#include <stdlib.h>

static unsigned long fib(unsigned long n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
	printf("%lu\n", fib(argc > 1 ? strtoul(argv[1], NULL, 10) : 20));
	return 0;
}
END
printf 'main;parse;next_token 71\nmain;parse 17\nmain;read_input 12\n' >p.folded
printf 'fib\n*.folded\n' >.gitignore
must git init -q --bare "$scratch/origin"
must git remote add origin "$scratch/origin"
must git add .
commit 'Compute by recursion'
must git push -q origin main

by_iteration()
{
	sed 's/return n < 2.*/unsigned long a = 0, b = 1, c;\
	for (; n > 0; n--) {\
		c = a + b;\
		a = b;\
		b = c;\
	}\
	return a;/' fib.c >new.c && mv new.c fib.c
}

# What other tools have left of HEAD, as they write it.
left_by_others()
{
	head=$(git rev-parse HEAD)
	must git notes --ref=perf-v3 add -F "$root/tests/data/git-perf-v3/note" \
		"$head"
	mkdir -p .asv/results/m
	echo '{"machine": "m", "version": 1}' >.asv/results/m/machine.json
	sed "s/1a2b3c4d1a2b3c4d1a2b3c4d1a2b3c4d1a2b3c4d/$head/" \
		"$root/tests/data/asv/1a2b3c4d-virtualenv-py3.11.json" \
		>.asv/results/m/x.json
	cat >data.js <<-END
		window.BENCHMARK_DATA = {"entries": {"a": [{"tool": "cargo",
			"commit": {"id": "$head"}, "date": 1700000000000,
			"benches": [{"name": "n", "value": 5, "unit": "ns/iter"}]}]}};
	END
	git perf export-perun . 2>"$err" # what has no samples stays here
	must test -d .perun
}

while read -r line; do
	case $line in
	'git commit'*) by_iteration ;;
	'git perf import refs/'*) left_by_others ;;
	esac
	check "the README's line works: $line" exits 0 sh -c "$line"
	case $line in
	'git perf diff')
		cp "$out" ../diff
		check 'diff fits a terminal of 80 columns' is "$(COLUMNS=80 \
			git perf diff | sed 's/±/+/g' | awk 'length($0) > 80')" ''
		;;
	'git perf show') cp "$out" ../show ;;
	'git perf log --oneline'*) cp "$out" ../log ;;
	esac
done <"$scratch/typed"

check 'diff has a line for each series, as the README shows it' is \
	"$(sed -n 's/^\(fib[^ ]*\) .*/\1/p' ../diff | tr '\n' ' ')" \
	'fib/callgrind fib/time '
check 'the instructions are less than a tenth' is \
	"$(grep -c '^fib/callgrind .* -9[0-9]\.[0-9]% ' ../diff)" 1
check 'fewer instructions are better, of one run each' is \
	"$(grep -c '^fib/callgrind .*  1, 1  better$' ../diff)" 1
check 'show names what the README names' is \
	"$(sed -n 's/^\(HEAD:[^ ]*\) .*/\1/p' ../show | sort | tr '\n' ' ')" \
	"$(sed -n 's/^\(HEAD:[^ ]*\)  .*/\1/p' "$scratch/tour" | sort |
		tr '\n' ' ')"
check 'log has both commits' is "$(grep -c 'fib/callgrind  Ir' ../log)" 2
