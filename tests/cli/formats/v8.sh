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

# Ticks count samples, so that of the 15 us of all four line 1 has a quarter,
# line 3 a half, and line 5 a quarter, rounded down one after the other: 15/4,
# 45/4 and 60/4 are 3, 11 and 15.
shares='[["f w.js:1",3],["f w.js:3",8],["f w.js:5",4]]'
check 'lines share the time of their function' is \
	"$(git perf show --json --sample-index=cpu --granularity=lines \
		samples.cpuprofile | jq -c '[.rows[] | [.name, .self]] | sort')" \
	"$shares"
check 'ticks go into our own format' exits 0 \
	git perf export --to=git-perf -o own.perf samples.cpuprofile
check 'ticks come back from it' is \
	"$(git perf show --json --sample-index=samples --granularity=lines \
		own.perf | jq -c '[.rows[] | [.name, .self]] | sort')" \
	'[["f w.js:1",1],["f w.js:3",2],["f w.js:5",1]]'
check 'ticks are merged' exits 0 \
	git perf merge --to=git-perf -o twice.perf samples.cpuprofile own.perf
check 'ticks of two equal runs are, per run, those of one' is \
	"$(git perf show --json --sample-index=samples --granularity=lines \
		twice.perf | jq -c '[.rows[] | [.name, .self]] | sort')" \
	'[["f w.js:1",1],["f w.js:3",2],["f w.js:5",1]]'
check 'what has lines and no ticks gets lines' exits 0 \
	git perf export --to=pprof -o lines.pb.gz samples.cpuprofile
check 'lines of the export are those of the ticks' is \
	"$(git perf show --json --sample-index=samples --granularity=lines \
		lines.pb.gz | jq -c '[.rows[] | [.name, .self]] | sort')" \
	'[["f w.js:1",1],["f w.js:3",2],["f w.js:5",1]]'
check 'a filter leaves the lines of what stays' is \
	"$(git perf show --json --sample-index=samples --granularity=lines \
		--focus=f samples.cpuprofile | jq -c '[.rows[] | .self] | sort')" \
	'[1,1,2]'
# The other way round line 5 had 2 and line 3 had 1.
sed 's/"line":5/"line":6/; s/"line":3/"line":5/; s/"line":6/"line":3/' \
	samples.cpuprofile >other.cpuprofile
git perf diff --json --sample-index=samples --granularity=lines \
	samples.cpuprofile other.cpuprofile >diff.json
check 'lines are compared' is \
	"$(jq -c '[.rows[] | [.name, .old_self, .new_self]] | sort' diff.json)" \
	'[["f w.js:3",2,1],["f w.js:5",1,2]]'
git perf diff --json --sample-index=samples --granularity=lines --view=tree \
	samples.cpuprofile other.cpuprofile >tree.json
check 'a difference as a tree has lines' \
	grep -q 'f w.js:3' tree.json

# What V8 itself says of its lines.
if command -v node >/dev/null 2>&1; then
	cat >work.js <<-'END'
	function work(n) {
		let s = 0;
		for (let i = 0; i < n; i++)
			s += Math.sqrt(i) * (i % 7);
		for (let i = 0; i < n; i++)
			s += Math.sin(i);
		return s;
	}
	for (let k = 0; k < 20; k++)
		work(1000000);
	END
	must node --cpu-prof --cpu-prof-name=own.cpuprofile work.js
	git perf show --json --sample-index=samples --granularity=lines \
		--nodecount=0 --nodefraction=0 own.cpuprofile >lines.json
	check 'ticks of node are costs of lines' is \
		"$(jq -c '[.rows[] | select(.name | test("^work .*:[46]$")) |
			[(.name | sub(".*:"; "")), .self]] | sort' lines.json)" \
		"$(jq -c '[.nodes[] | select(.callFrame.functionName == "work") |
			.positionTicks[] | select(.line == 4 or .line == 6)] |
			group_by(.line) | map([(.[0].line | tostring),
			(map(.ticks) | add)])' own.cpuprofile)"
fi
