#!/bin/sh
# The allocation tracer beside heaptrack, on one program in turns: what each
# makes of the program's time and of the processor's, all processes together,
# and what both say was allocated. BENCH_ROUNDS sets the number of turns (7).
. "$(dirname "$0")/lib.sh"
need heaptrack c++

git init -q "$scratch/r"
cd "$scratch/r"
cat >words.cc <<'END2'
#include <cstdio>
#include <map>
#include <string>
#include <vector>
int main()
{
	std::map<std::string, std::vector<int>> words;
	size_t sum = 0;

	for (int i = 0; i < 1000000; i++)
		words["a word of some length " + std::to_string(i % 5000)]
			.push_back(i);
	for (auto &word : words)
		sum += word.second.size();
	printf("%zu\n", sum);
}
END2
c++ -O2 -g -o words words.cc

# took FILE COMMAND...: appends wall and user + sys in ms
took()
{
	to=$1
	shift
	/usr/bin/time -f '%e %U %S' -o t "$@" >/dev/null 2>&1
	awk 'END { print $1 * 1000, ($2 + $3) * 1000 }' t >>"$to"
}

# column FILE N: its median
column()
{
	awk -v n="$2" '{ print $n }' "$1" | sort -g |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

runs='git-perf collect -c memory'
for round in $(seq "${BENCH_ROUNDS:-7}"); do
	took alone ./words
	took ours $runs -- ./words
	rm -f h.*
	took theirs heaptrack -o h ./words
done
head_row
n=0
for what in 'wall, whole' 'processor, whole'; do
	n=$((n + 1))
	base=$(column alone $n)
	a=$(column ours $n)
	b=$(column theirs $n)
	row "$what" "$a ms" "$b ms" "$(awk "BEGIN { printf \"%.2f\", $a / $b }")" '< 1'
	a=$(awk "BEGIN { print $a - $base }")
	b=$(awk "BEGIN { print $b - $base }")
	row "$what, above the program's" "$a ms" "$b ms" \
		"$(awk "BEGIN { printf \"%.2f\", $a / $b }")" '< 1'
done
$runs --json -- ./words 2>/dev/null >j
a=$(jq '.profiles[0].metrics[] | select(.name == "alloc_objects").median' j)
b=$(heaptrack_print h.* 2>/dev/null |
	sed -n 's/^calls to allocation functions: \([0-9]*\).*/\1/p')
row 'allocations' "$a" "$b" "$(awk "BEGIN { printf \"%.6f\", $a / $b }")" 1
