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

# f stands at line 1; of its 4 hits 2 were in line 3 and 1 in line 5, which
# leaves 1 to the function as such.
node='"id":2,"callFrame":{"functionName":"f","url":"w.js","lineNumber":0,"columnNumber":0},"hitCount":4'
ticks='"positionTicks":[{"line":5,"ticks":1},{"line":3,"ticks":2}]'
root='{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":0,"children":[2]}'
printf '{"nodes":[%s,{%s,%s}]}\n' "$root" "$node" "$ticks" >hits.cpuprofile
printf '{"nodes":[%s,{%s,%s}],"samples":[2,2,2,2],"timeDeltas":[0,5,5,5]}\n' \
	"$root" "$node" "$ticks" >samples.cpuprofile
for file in hits samples; do
	git perf show --json --sample-index=samples --granularity=lines \
		$file.cpuprofile >lines.json
	check "ticks of $file are costs of lines" is \
		"$(jq -c '[.rows[] | [.name, .self]] | sort' lines.json)" \
		'[["f w.js:1",1],["f w.js:3",2],["f w.js:5",1]]'
	check "ticks of $file change no sum of the function" is \
		"$(git perf show --json --sample-index=samples $file.cpuprofile |
			jq -c '[.rows[] | [.name, .self]]')" '[["f",4]]'
done
