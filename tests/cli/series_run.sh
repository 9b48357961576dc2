#!/bin/sh
# git perf run with callgrind on a commit before and after a known regression
# of shared/data/series: counts are the same in every run, and the change is
# what the peer's own figures say (KEYFIGURES.tsv, valgrind on another build).
. "$(dirname "$0")/lib.sh"
need jq valgrind make "${CC:-cc}"
shared data/series/wordfreq.bundle
cd ..
must git clone -q "$path" clone -b main
cd clone || exit 1
cat >../jobs <<'END'
[job "words"]
	build = make -s CC="${CC:-cc}" wordfreq
	cmd = ./wordfreq 200000 1
	collector = callgrind
	timeout = 100s
END
sed -i 's/= make.*/= "make -s CC=\\"${CC:-cc}\\" wordfreq"/' ../jobs
figure()
{
	awk -v n="$1" -v column="$2" '$1 == n { print $column }' FS='\t' \
		"$shared_data/data/series/KEYFIGURES.tsv"
}
count()
{
	jq '.profiles[0].metrics[] | select(.name == "Ir").median' \
		"$out"
}
for n in 07 08; do
	must git checkout -q "$(figure $n 2)"
	check "measures commit $n" exits 0 git perf run --config=../jobs --json
	first=$(count)
	check 'and again' exits 0 git perf run --config=../jobs --json --again
	check 'with the same count' is "$(count)" "$first"
	eval "count_$n=$first"
done
ratio()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", b / a }'
}
check 'the regression is the one that is known' is \
	"$(ratio "$count_07" "$count_08")" \
	"$(ratio "$(figure 07 5)" "$(figure 08 5)")"
check 'log shows both' exits 0 git perf log --oneline --metric=Ir
check 'with their figures' is "$(grep -c '| Ir ' "$out")" 2
