#!/bin/sh
# V8's profiles: self times are those that were counted from the file by hand,
# sizes add up to the sum of all "selfSize" in it.
. "$(dirname "$0")/../lib.sh"
need jq
data=$measured/node

git perf show --json --nodecount=0 --nodefraction=0 --unit=us "$data/work.cpuprofile" >top.json
check 'self times are the expected ones' exits 0 jq -e --slurpfile key "$data/work.cpuprofile.key.json" '
	(if .unit == "microseconds" then 1 else 1e6 end) as $scale |
	(.rows | group_by(.name) | map({key: .[0].name, value: (map(.self) | add)}) | from_entries) as $self |
	[$key[0].self_us_top[] | . as [$name, $us] | $self[$name] * $scale - $us | fabs | select(. > 0.5)] == []' top.json

git perf show --json --unit=B "$data/h.heapprofile" >top.json
sum=$(jq '[.. | .selfSize? // empty] | add' "$data/h.heapprofile")
check 'the heap has all bytes' exits 0 jq -e --argjson sum "$sum" '.total == $sum' top.json
check 'node may call it by another name' exits 0 sh -c 'cp "$1" x && git perf show x' - "$data/h.heapprofile"
