#!/bin/sh
# git perf export --to=openmetrics: the newest figures of all series, for
# dashboards; git perf add --format=openmetrics reads the same numbers.
. "$(dirname "$0")/../lib.sh"
need jq
must git init -q repo && cd repo

# what is measured, in ms and kB, and a rate
results()
{
	printf 'name,value,unit,better\nparse "x\\y",%s,ms,\nheap,%s,kB,less\n' \
		"$1" "$2"
	printf 'rate,%s,ops/s,\nscore,%s,,\n' "$3" "$4"
}

must git commit -q --allow-empty -m one
results 12.5 2 100 7 >first.csv
check 'results are added' exits 0 git perf add --format=csv --name=suite first.csv
printf 'name,value,unit\nold,3,s\n' >old.csv
check 'a figure that is not measured again is added' exits 0 \
	git perf add --format=csv --name=suite old.csv
must git commit -q --allow-empty -m two
results 10 4 120.5 8 >second.csv
check 'results of the next commit are added' exits 0 \
	git perf add --format=csv --name=suite second.csv

check 'the newest figures are written' exits 0 \
	git perf export --to=openmetrics -o out.txt
grep -v '^#' out.txt | sed 's/machine="[^"]*"/machine="m"/' >got
cat >expected <<'END'
git_perf_heap_bytes{metric="heap",command="suite",machine="m",better="less"} 4096
git_perf_old_seconds{metric="old",command="suite",machine="m",better="less"} 3
git_perf_parse__x_y__seconds{metric="parse \"x\\y\"",command="suite",machine="m",better="less"} 0.01
git_perf_rate_ops_per_s{metric="rate",command="suite",machine="m",better="more"} 120.5
git_perf_score{metric="score",command="suite",machine="m"} 8
END
check 'each metric is a gauge of its newest figure, in seconds and bytes' \
	same expected got
check 'families say their type' is "$(grep -c '^# TYPE git_perf_[a-z_]* gauge$' \
	out.txt)" 5
check 'families say the unit where OpenMetrics has one' is \
	"$(grep '^# UNIT' out.txt | cut -d ' ' -f 3-)" "$(printf '%s\n' \
	'git_perf_heap_bytes bytes' 'git_perf_old_seconds seconds' \
	'git_perf_parse__x_y__seconds seconds')"
check 'the end is marked' is "$(tail -n 1 out.txt)" '# EOF'

check 'an older commit has its own figures' is "$(git perf export \
	--to=openmetrics -m HEAD^ | sed -n 's/^git_perf_rate.*} //p')" 100
# the reader takes them for metrics of their own
check 'what is written is read' exits 0 git perf show --json out.txt
check 'what is read has the same numbers' is \
	"$(git perf show --json out.txt | jq -c '[.rows[].median]')" \
	'[4096,3,0.01,120.5,8]'

# values NAME,VALUE,UNIT...: git_perf_<name> value, of HEAD's history
values()
{
	printf 'name,value,unit\n' >v.csv
	printf '%b\n' "$@" >>v.csv
	git perf add --format=csv --name=v v.csv >/dev/null 2>&1 &&
		git perf export --to=openmetrics |
		sed -n 's/^git_perf_\([a-z_]*\){.*} /\1 /p'
}

# old is 3 s, then 4000 ms; dup is of 1 s and of 2 kB
must git checkout -q --orphan units
must git commit -q --allow-empty -m 'units in s'
must values old,3,s dup,5,s >/dev/null
must git commit -q --allow-empty -m 'units in ms'
values old,4000,ms dup,1,s dup,2,kB >got
printf '%s\n' 'dup_bytes 2048' 'dup_seconds 1' 'old_seconds 4' >expected
check 'a name of a time and of a size is two metrics, ms and s are one' \
	same expected got

# microseconds by both of Unicode's letters, and sizes that say they are binary
values 'greek,4000,\0316\0274s' 'micro,5000,\0302\0265s' mebi,3,MiB kibi,2,KiB |
	LC_ALL=C sort >got
check 'micro has two letters, MiB is 2^20 bytes' is \
	"$(grep -E '^(greek|kibi|mebi|micro)_' got | tr '\n' ' ')" \
	'greek_seconds 0.004 kibi_bytes 2048 mebi_bytes 3145728 micro_seconds 0.005 '
cat >bench.json <<'END'
{"context": {"num_cpus": 1}, "benchmarks": [{"name": "two\nlines",
 "run_type": "iteration", "iterations": 1, "real_time": 1, "cpu_time": 1,
 "time_unit": "ns"}]}
END
must git perf add --name=b bench.json 2>"$err"
git perf export --to=openmetrics >out.txt
check 'the end of a line in a name is escaped as OpenMetrics has it' \
	is "$(grep -c '{metric="two\\nlines' out.txt | sed 's/[1-9]/some/')" some

must values 'lat\0377,1,s' 'lat\0376,2,s' >/dev/null
printf '%s\n' 'lat\\xfe 2' 'lat\\xff 1' >expected
git perf export --to=openmetrics >out.txt
sed -n 's/^git_perf_lat.*{metric="\([^"]*\)".*}/\1/p' out.txt | LC_ALL=C sort >got
check 'bytes that are no UTF-8 are escaped, and told apart' same expected got

# A carriage return, and the four characters that stand for it; U+2028, and the
# eight that do. Folders of Windows are left alone.
must values '"cr\ra",1,s' 'cr\\x0da,2,s' 'cr\0342\0200\0250,3,s' 'cr\\u{2028},4,s' \
	'cr\\users\\xa,5,s' >/dev/null
printf '%s\n' 'cr\\u{2028} 3' 'cr\\users\\xa 5' 'cr\\x0da 1' 'cr\\x5cu{2028} 4' \
	'cr\\x5cx0da 2' | LC_ALL=C sort >expected
git perf export --to=openmetrics >out.txt
sed -n 's/^git_perf_cr.*{metric="\([^"]*\)".*}/\1/p' out.txt | LC_ALL=C sort >got
check 'a control and what stands for it are told apart' same expected got

must values foo_seconds,1, foo,2,s 'foo seconds,3,B' a,4,bytes/bytes >/dev/null
git perf export --to=openmetrics >out.txt
sed -n 's/^git_perf_\(foo[a-z_]*\|a_[a-z_]*\){.*} /\1 /p' out.txt >got
printf '%s\n' 'a_bytes_per_bytes_value 4' 'foo_seconds 2' \
	'foo_seconds_bytes 3' 'foo_seconds_value 1' >expected
check 'a name that ends like a unit is not of that unit' same expected got
check 'a name that ends like a unit has no UNIT line' exits 1 grep '^# UNIT.*_value' out.txt

# The same words for no unit, and for a hundredth, are one metric of dashboards,
# which may have one sample of one set of labels.
must git checkout -q -b words
must values nothing,10, hundredth,50,% >/dev/null
must git commit -q --allow-empty -m counted
must values nothing,20,count hundredth,60,percent >/dev/null
git perf export --to=openmetrics >out.txt
sed -n 's/^git_perf_\(nothing\|hundredth_percent\){.*} /\1 /p' out.txt >got
printf '%s\n' 'hundredth_percent 60' 'nothing 20' >expected
check 'of one set of labels the newest is the only sample' same expected got

check 'a profile is refused' exits 129 git perf export --to=openmetrics 0@i
check 'the refusal of a profile says why' mentions err 'is of all newest figures'
must git checkout -q --orphan empty && must git add v.csv && must git commit -q -m e
check 'a history without figures is refused' exits 128 \
	git perf export --to=openmetrics
check 'the refusal of the history names it' mentions err "no figure in the history of 'HEAD'"
