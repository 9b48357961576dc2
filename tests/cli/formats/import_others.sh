#!/bin/sh
# What other tools measured at commits, taken over: kaihowl/git-perf's notes,
# results of asv, data.js of github-action-benchmark. Figures are those of the
# files (tests/data/README.md), which name commits that are put into them here.
. "$(dirname "$0")/../lib.sh"
need jq

for name in one two three; do
	commit $name
done
head=$(git rev-parse HEAD)
parent=$(git rev-parse HEAD^)

# FILTER [REV]: of all profiles of a commit's log.
log()
{
	git perf log --json -n 1 "${2-HEAD}" |
		jq -c "[.commits[].profiles[]] | $1"
}
forget()
{
	git update-ref -d refs/notes/perf
}
# What each import says when it is called again.
again()
{
	said=$1
	shift
	tip=$(git rev-parse refs/notes/perf)
	check "$1: a second import" exits "${code-0}" git perf import "$2"
	check "$1: a second import says what was here" mentions err "$said"
	check "$1: a second import stores nothing" \
		is "$(git rev-parse refs/notes/perf)" "$tip"
}

# kaihowl/git-perf: four values of one measurement and three of another, as the
# tool's own repository has them at 002bd19f935b.
sep=$(printf '\034')
must git notes --ref=perf-v3 add -F "$root/tests/data/git-perf-v3/note" HEAD
was=$(git rev-parse refs/notes/perf-v3)
check 'a dry run of notes' exits 0 git perf import -n refs/notes/perf-v3
check 'a dry run of notes counts' says err \
	'would import 2 profiles at 1 commit and 0 pending ones'
check 'a dry run stores nothing' \
	exits 1 git rev-parse --verify -q refs/notes/perf^0
check 'notes of the other git-perf' exits 0 git perf import refs/notes/perf-v3
check 'the import of notes says what it did' prints err <<'END'
imported 2 profiles at 1 commit and 0 pending ones
END
check 'the values of each measurement are there' is \
	"$(log 'map({(.metrics[0].name): (.metrics[0].values | sort)}) | add')" \
	'{"report":[8866811,8881502,9664886],"test-measure2":[10633054,10663152,10672389,10689876]}'
check 'keys are labels, and tell series apart' is \
	"$(log 'map([.labels.os, .labels.rust, .workload]) | unique')" \
	'[["ubuntu-22.04","beta","os=ubuntu-22.04 rust=beta"]]'
check 'the epoch is a label' is "$(log 'map(.labels.epoch) | sort')" \
	'["3052759431","4268556805"]'
check 'the time is the newest of the values' is \
	"$(log 'map(.time) | sort | .[0][:23]')" '"2025-09-29T15:55:38.651"'
again '^2 were here already$' notes refs/notes/perf-v3

# A value with a blank, which is no second key.
must git commit -q --allow-empty -m blanks
printf '0%sm%s1700000000%s1%sa=b c=d\n0%sm%s1700000000%s2%sa=b%sc=d\n' \
	"$sep" "$sep" "$sep" "$sep" "$sep" "$sep" "$sep" "$sep" "$sep" >"$scratch/blanks"
must git notes --ref=refs/notes/perf-v3 add -F "$scratch/blanks" HEAD
check 'keys with blanks' exits 0 git perf import refs/notes/perf-v3
check 'a blank within a value is no other key' is \
	"$(git perf log --json -n 1 | jq -c '[.commits[0].profiles[] | [.workload, .metrics[0].values[0]]] | sort')" \
	'[["a=b c=d",2],["a=b\\ c=d",1]]'
must git update-ref refs/notes/perf-v3 "$was"
must git reset -q --soft HEAD~1
check 'the other notes stay as they are' \
	is "$(git rev-parse refs/notes/perf-v3)" "$was"
check 'nothing is wrong behind it' exits 0 git perf fsck

# More values later, some in a ref that was not pushed: they take the place of
# what was imported.
printf '4268556805\034report\0341759161339.5\0349000000.0\034rust=beta\034os=ubuntu-22.04\n' \
	>"$scratch/more"
must git notes --ref=perf-v3-write-00000abc add -F "$scratch/more" HEAD
check 'an import of what has grown' exits 0 git perf import refs/notes/perf-v3
check 'what has grown is there once' is \
	"$(log 'map(select(.metrics[0].name == "report").metrics[0].values | length)')" \
	'[4]'
check 'what has not grown is there as before' is \
	"$(log 'map(select(.metrics[0].name != "report").metrics[0].values | length)')" \
	'[4]'

# Lines that are none are passed over, as that tool does, and counted.
forget
printf '0%sa%s1%s2\nno line\n5%sb%s1%snan\n0%sc%s1%s3%sodd\n0%sd%s1%s4%s=x\n' \
	"$sep" "$sep" "$sep" "$sep" "$sep" "$sep" "$sep" "$sep" "$sep" "$sep" \
	"$sep" "$sep" "$sep" "$sep" >"$scratch/odd"
must git notes --ref=odd add -F "$scratch/odd" HEAD
check 'notes with lines that are none' exits 1 git perf import refs/notes/odd
check 'lines that are none are counted' mentions err \
	'^warning: the note of commit [0-9a-f]* has 3 lines that are no measurements$'
check 'the other lines are there' \
	is "$(log 'map(.metrics[].name) | sort')" '["a","d"]'
forget

# 9.3e9 s are 9.3e18 ns, and 2^63 ns are 9.22e18 of them.
printf '0%sa%s9300000000%s2\n0%sb%s9100000000%s3\n' \
	"$sep" "$sep" "$sep" "$sep" "$sep" "$sep" >"$scratch/late"
must git notes --ref=late add -F "$scratch/late" HEAD
check 'notes of a time too late' exits 1 git perf import refs/notes/late
check 'a line of a time too late is none' mentions err \
	' has 1 line that is no measurement$'
check 'the other line has its time' is \
	"$(log '.[] | [.metrics[0].name, .time[:4]]')" '["b","2258"]'
forget

# A note whose blob is missing stops no other.
printf '0%sa%s1%s2\n' "$sep" "$sep" "$sep" >"$scratch/note"
must git notes --ref=gone add -F "$scratch/note" HEAD^
printf '0%sb%s1%s3\n' "$sep" "$sep" "$sep" >"$scratch/note"
must git notes --ref=gone add -F "$scratch/note" HEAD
blob=$(git notes --ref=gone list HEAD^)
must mv ".git/objects/$(echo "$blob" | cut -c 1-2)/$(echo "$blob" |
	cut -c 3-)" "$scratch/blob"
check 'notes of which one is missing' exits 1 git perf import refs/notes/gone
check 'the note that is missing is told, with why' mentions err \
	"^warning: the note of commit $(echo "$parent" | cut -c 1-10): .*[a-z]"
check 'one note is counted as broken' mentions err '^left out: 1 broken, 0 '
check 'the note beside a broken one is imported' is \
	"$(log '.[].metrics | map([.name, .values[0]])')" '[["b",3]]'
must git update-ref -d refs/notes/gone
forget
check 'a ref that is not there' exits 128 git perf import refs/notes/nope
check 'a ref that is not there says how to get it' mentions err \
	"^fatal: no notes at 'refs/notes/nope': 'git fetch <remote> refs/notes/nope:refs/notes/nope' gets them$"

# github-action-benchmark: three commits of its own history.
sed "s/45d78258e495044a551046f50604da3c893052ce/$parent/
	s/b840614fd88743f234aac0dc747a0a70616f450f/$head/" \
	"$root/tests/data/github-action-benchmark/data.js" >"$scratch/data.js"
code=1
check 'a data.js with a commit that is not here' \
	exits 1 git perf import "$scratch/data.js"
check 'a commit that is not here is told' prints err <<'END'
warning: commits that are not in this repository are left out: 1, the first is ba36beffce7ea6c4846a35832ed47d439f36b805
imported 2 profiles at 2 commits and 0 pending ones
left out: 0 broken, 1 of unknown commits
END
check 'figures of the first commit' is "$(log \
	'.[].metrics | map([.name, .values[0], .unit, .better])' HEAD^)" \
	'[["bench_fib_10",254,"ns/iter","less"],["bench_fib_20",34001,"ns/iter","less"]]'
check 'figures of the second commit' is \
	"$(log '.[].metrics | map(.values[0])')" '[242,35940]'
check 'suite, tool and time' is "$(log '.[] | [.cmd, .collector, .time]')" \
	'["Rust Benchmark","cargo","2019-11-09T15:11:41.293Z"]'
again '^2 were here already$' data.js "$scratch/data.js"
forget
printf '{"entries": {}}' >"$scratch/no.js"
check 'a file that is no data.js is refused' exits 128 git perf import "$scratch/no.js"
check 'another file is told what would be right' mentions err \
	"does not begin with 'window.BENCHMARK_DATA = '"
printf 'window.BENCHMARK_DATA = {"entries": {"a": [{"benches": 5}]}};\n' \
	>"$scratch/no.js"
check 'a data.js that is damaged' exits 128 git perf import "$scratch/no.js"
check 'a data.js that is damaged names the place' mentions err \
	'entries.a\[0\].benches: expected an array, have a number'
cat >"$scratch/yes.js" <<END
window.BENCHMARK_DATA = {"entries": {"a": [{"tool": "customBiggerIsBetter",
	"commit": {"id": "$head"}, "date": 1700000000000,
	"benches": [{"name": "n", "value": 5, "unit": "points"}]}]}};
END
check 'a data.js of one entry' exits 0 git perf import "$scratch/yes.js"
check 'the tool says what is better' is \
	"$(log '.[].metrics[] | [.values[0], .unit, .better]')" '[5,"points","more"]'
forget

# What names no commit is told as well.
sed "s/$head/v1.0/" "$scratch/yes.js" >"$scratch/tag.js"
check 'a data.js that names no commit' \
	exits 1 git perf import "$scratch/tag.js"
check 'what is no commit is named' mentions err \
	'^warning: commits that are not in this repository are left out: 1, the first is v1.0$'

# Many that nothing tells apart.
awk -v head="$head" 'BEGIN {
	printf "window.BENCHMARK_DATA = {\"entries\": {\"a\": ["
	for (i = 1; i <= 2000; i++)
		printf "%s{\"commit\": {\"id\": \"%s\"}, \"benches\": " \
			"[{\"name\": \"n\", \"value\": %d}]}", \
			(i > 1 ? "," : ""), head, i
	print "]}};"
}' >"$scratch/same.js"
check 'a data.js of many that nothing tells apart' \
	exits 0 git perf import -n "$scratch/same.js"
check '2,000 rows that nothing tells apart are as many profiles' says err \
	'would import 2000 profiles at 1 commit and 0 pending ones'

# What is no finite number is no figure: JSON.stringify writes NaN as null.
cat >"$scratch/null.js" <<END
window.BENCHMARK_DATA = {"entries": {"a": [{"tool": 5,
	"commit": {"id": "$head"}, "date": "no", "benches": [
	{"name": "nan", "value": null, "unit": "ns"},
	{"name": "text", "value": "6", "unit": "ns"},
	{"name": {"no": ["name"]}, "value": 8, "unit": "ns"},
	{"name": "n", "value": 7, "unit": null}]}]}};
END
check 'a data.js with figures that are none' \
	exits 1 git perf import "$scratch/null.js"
check 'figures that are none are counted' prints err <<END
warning: '$scratch/null.js': 3 figures without a name or a finite number
imported 1 profile at 1 commit and 0 pending ones
left out: 3 broken, 0 of unknown commits
END
check 'the others are there' is \
	"$(log '.[].metrics | map([.name, .values[0]])')" '[["n",7]]'
forget

sed 's/1700000000000/9300000000000/' "$scratch/yes.js" >"$scratch/late.js"
check 'a data.js of a date too late' \
	exits 0 git perf import "$scratch/late.js"
check 'a date too late is none: the figure has a time of this century' is \
	"$(log '.[] | [.metrics[0].values[0], .time[:2]]')" '[5,"20"]'
forget

# asv: the units of what a name does not tell are in another file.
code=0
mkdir -p results/m
echo '{"machine": "m", "version": 1}' >results/m/machine.json
sed "s/1a2b3c4d1a2b3c4d1a2b3c4d1a2b3c4d1a2b3c4d/$head/" \
	"$root/tests/data/asv/1a2b3c4d-virtualenv-py3.11.json" >results/m/x.json
echo '{"suite.track_size": {"unit": "pages"}, "version": 2}' \
	>results/benchmarks.json
echo '{"no": "results"}' >"$scratch/odd.json"
check 'a folder of asv' exits 0 git perf import results
check 'benchmarks by their parameters' is \
	"$(log '.[].metrics[:3] | map([.name, .unit, (.values | length)])')" \
	"$(cat <<'END'
[["suite.time_sort(10, 'up')","seconds",3],["suite.time_sort(10, 'down')","seconds",1],["suite.Memory.peakmem_list","bytes",1]]
END
)"
check 'a unit of benchmarks.json' is "$(log '.[].metrics[3] | [.name, .unit]')" \
	'["suite.track_size","pages"]'
check 'the machine and what was installed' mentions \
	"$(git notes --ref=perf show HEAD >"$out" && echo out)" \
	' workload=virtualenv-py3.11 env=m e.arch=x86_64 '
again '^1 was here already$' asv results
forget
sed 's/\[0.125, 0.25, 0.5\]/[0.125, NaN, 0.5, Infinity, 0.75]/' results/m/x.json >"$scratch/nan.json"
mv results/m/x.json "$scratch/x.json"
mv "$scratch/nan.json" results/m/x.json
check 'a file with samples that are no numbers' exits 1 git perf import results
check 'how many are no numbers' says err \
	"warning: 'results/m/x.json': 2 samples without a finite number are left out"
check 'the other samples are there, and all other benchmarks' is \
	"$(log '.[].metrics[:3] | map([.name, .values])')" "$(cat <<'END'
[["suite.time_sort(10, 'up')",[0.125,0.5,0.75]],["suite.time_sort(10, 'down')",[0.5]],["suite.Memory.peakmem_list",[123456789]]]
END
)"
check 'the same file by itself' exits 0 git perf show results/m/x.json
sed 's/\[0.125, 0.25, 0.5\]/[0.125, null, 0.5]/' "$scratch/x.json" >results/m/x.json
check 'a sample that is null is an error' exits 128 git perf show results/m/x.json
mv "$scratch/x.json" results/m/x.json
forget
cp "$scratch/odd.json" results/m/odd.json
check 'a file that is no result' exits 1 git perf import results
check 'a file that is no result is named' mentions err \
	"^warning: 'results/m/odd.json': "
mkdir empty
check 'a folder of nothing' exits 128 git perf import empty
check 'a folder of nothing is told what would be right' mentions err \
	"'empty' is no Perun store: .*; and no results of airspeed velocity: need '<machine>/machine.json'"

# Two clones that import the same and then exchange it have each figure once,
# as long as one of both records is there.
must git init -q --bare "$scratch/server.git"
must git init -q "$scratch/a"
cd "$scratch/a" || exit 1
must git remote add origin "$scratch/server.git"
must git commit -q --allow-empty -m measured
must git push -q origin HEAD
must git clone -q "$scratch/server.git" "$scratch/b"
# write VALUE: the second of two results that nothing else tells apart
write()
{
	cat >"$scratch/twice.js" <<END
window.BENCHMARK_DATA = {"entries": {"S": [{"commit": {"id": "$(git rev-parse HEAD)"},
 "date": 1700000000000, "tool": "go", "benches": [
 {"name": "n", "value": 5, "unit": "ns/op"}, {"name": "n", "value": $1, "unit": "ns/op"}]}]}}
END
}
values()
{
	git -C "$1" perf log --json | jq -c '[.commits[].series[].metrics[] | .n, .min, .max]'
}
records()
{
	git -C "$1" perf log --json | jq -c '[.commits[].profiles[]] | length'
}
write 7
for clone in a b; do
	must git -C "$scratch/$clone" perf import "$scratch/twice.js" 2>"$scratch/said"
done
check 'one clone has both results' is "$(values .)" '[2,5,7]'
once=$(records .)
must git perf push -q
must git -C "$scratch/b" perf pull -q
check 'records of both clones are there' is "$(records "$scratch/b")" $((2 * once))
check 'what two clones imported counts once' is "$(values "$scratch/b")" '[2,5,7]'
check 'show pools it once' is \
	"$(git -C "$scratch/b" perf show --json | jq -c '[.rows[].metrics[].n]')" '[2]'
check 'openmetrics have it once' is \
	"$(git -C "$scratch/b" perf export --to=openmetrics | grep -c '^git_perf_.* 6$')" 1
must git -C "$scratch/b" perf rm 0@i 2>"$scratch/said"
check 'when one of both is taken out the other one counts' is "$(values "$scratch/b")" '[2,5,7]'
must git -C "$scratch/b" perf push -q
must git perf pull -q
must git perf gc -q
must git perf push -q
must git -C "$scratch/b" perf pull -q
check 'a compaction leaves it' is "$(values "$scratch/b")" '[2,5,7]'
must git perf rm 0@i 2>"$scratch/said"
check 'who takes out both has none' is "$(values .)" '[]'
must git perf import "$scratch/twice.js" 2>"$scratch/said"
check 'what was taken out is imported again' is "$(values .)" '[2,5,7]'

# What is only called so is measured twice.
must git commit -q --allow-empty -m labelled
for i in 1 2; do
	echo "main $i" >"$scratch/p.folded"
	must git perf add -n p --label imported=nightly "$scratch/p.folded" 2>"$scratch/said"
done
check 'records with a label of somebody are two' is \
	"$(git perf log --json -n 1 | jq -c '[.commits[].series[].metrics[] | .n, .min, .max]')" '[2,1,2]'
