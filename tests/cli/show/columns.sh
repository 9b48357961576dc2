#!/bin/sh
# A line of log --oneline and of status fits 80 columns, with eight collectors,
# long names and long numbers, too.
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
