#!/bin/sh
# Pages by axe-core's rules of accessibility: `tests/run --long` gets it from
# npm, else `npm install -g axe-core`, or AXE_CORE names its axe.min.js.
. "$(dirname "$0")/../lib.sh"
need chromium node npm
axe=${AXE_CORE:-${PERF_BUILD:-$root/build}/npm/node_modules/axe-core/axe.min.js}
[ -f "$axe" ] || axe=$(npm root -g 2>/dev/null)/axe-core/axe.min.js
[ -f "$axe" ] || skip "axe-core is not installed: npm install -g axe-core"

wordfreq "$scratch/history"
cd "$scratch/history" || exit 1
must git perf report -o report.html
must git perf show -o one.html HEAD:wordfreq
must git perf diff -o two.html HEAD~2:wordfreq HEAD:wordfreq
pages='report.html one.html two.html'
for view in flamegraph sandwich table bars flow alloclist; do
	must git perf show --view=$view --function=. -o $view.html "$measured/massif/wordfreq.massif"
	pages="$pages $view.html"
done
must git perf show --view=scatter --through=line -o scatter.html "$measured/massif/wordfreq.massif"
cat >heap.perf <<'END'
{"origin": "", "header": {"type": "memory", "units": {"memory": "B"}, "cmd": "./a", "workload": ""},
"collector_info": {"name": "memory", "params": {}}, "postprocessors": [], "snapshots": [
{"time": "0.025", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 4, "address": 1000, "uid": {"source": "a.c", "function": "main", "line": 22}},
{"type": "memory", "subtype": "calloc", "amount": 99, "address": 2000, "uid": {"source": "b.c", "function": "grow", "line": 7}}]},
{"time": "0.050", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 50, "address": 1200, "uid": {"source": "a.c", "function": "main", "line": 22}}]}]}
END
must git perf show --view=heapmap -o heapmap.html heap.perf
pages="$pages scatter.html heapmap.html"
check 'pages are looked at' exits 0 node "$root/tests/tools/browser.js" \
	"$root/tests/cli/show/report_axe.js" "$axe" $pages
check 'nothing is found in any of them, each in two ways' is "$(grep -c '^found: \[\]$' "$out")" 22
