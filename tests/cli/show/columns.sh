#!/bin/sh
# A line of log --oneline, status, diff and formats fits 80 columns, with eight
# collectors, long names and long numbers, too.
. "$(dirname "$0")/../lib.sh"
need jq

# A profile of Perun's by this collector.
perun()
{
	jq -n --arg collector "$1" --arg cmd "$2" --argjson amount "$3" '{
		origin: "", header: {type: "mixed", cmd: $cmd, params: "",
			workload: "", units: {mixed: "ns"}},
		collector_info: {name: $collector, params: {}},
		postprocessors: [],
		global: {timestamp: 1, resources: [
			{amount: $amount, type: "mixed", uid: "main"}]}}' \
		>"../$1.perf"
	must git perf add --format=perun "../$1.perf" 2>"$err"
}
widest()
{
	awk '{ if (length($0) > most) most = length($0) } END { print most }' \
		"$out"
}
amount=1234567890123
for message in first 'second, with a subject that alone is as long as a whole line of a terminal is'; do
	commit "$message"
	for collector in time memory trace sample callgrind cachegrind \
		counters a-collector-of-ones-own; do
		perun "$collector" ./a-program-of-some-length $amount
		amount=$((amount * 7 / 5))
	done
done
check 'log of eight collectors' exits 0 git perf log --oneline -n 1
check 'log has a line for each of eight collectors' \
	is "$(grep -c '^    [a-z]' "$out")" 8
check 'a line of log is at most 80 columns wide' test "$(widest)" -le 80
check 'status of eight collectors' exits 0 git perf status
check 'status has a line for each of eight collectors' \
	is "$(grep -c '@i  ' "$out")" 8
check 'a line of status is at most 80 columns wide' test "$(widest)" -le 80

# Figures of all commits stand below each other, be they longer or shorter.
for amount in 700 1234567 1300000 999000000000; do
	commit "a commit of $amount nanoseconds"
	perun time ./sort $amount
done
check 'log of one collector' exits 0 \
	git perf log --oneline --collector=time -n 4
check 'names begin in one column' is \
	"$(awk 'index($0, "nanos") { print index($0, "sort/") }' "$out" |
		sort -u | wc -l | tr -d ' ')" 1
check 'changes begin in one column' is \
	"$(awk 'match($0, /  [-+=x][^ ]*$/) { print RSTART }' "$out" | sort -u |
		wc -l | tr -d ' ')" 1

# The tables of diff and formats on a terminal of 80 columns; a pipe has all.
long='a_function(std::vector<int> const&, std::vector<std::string> const&)'
printf 'main;%s 39041765\n' "$long" >../old.folded
printf 'main;%s 121296\n' "$long" >../new.folded
check 'diff for a narrow terminal' exits 0 env COLUMNS=80 \
	git perf diff ../old.folded ../new.folded
check 'a line of diff is at most 80 columns wide' test "$(widest)" -le 80
check 'the cut is seen' mentions out ' a_fun.*\.\.\.$'
check 'a short name is whole' mentions out '0\.00%.*  main$'
check 'diff for a pipe' exits 0 env -u COLUMNS \
	git perf diff ../old.folded ../new.folded
check 'a pipe has whole names' is "$(grep -cF "$long" "$out")" 1
check 'formats for a narrow terminal' exits 0 env COLUMNS=80 \
	git perf formats java
check 'a line of formats is at most 80 columns wide' test "$(widest)" -le 80
