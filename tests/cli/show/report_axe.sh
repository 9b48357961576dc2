#!/bin/sh
# A report by axe-core's rules of accessibility: `npm install -g axe-core`, or
# AXE_CORE names its axe.min.js.
. "$(dirname "$0")/../lib.sh"
need chromium node npm
axe=${AXE_CORE:-$(npm root -g 2>/dev/null)/axe-core/axe.min.js}
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
check 'pages are looked at' exits 0 node "$root/tests/tools/browser.js" \
	"$root/tests/cli/show/report_axe.js" "$axe" $pages
check 'nothing is found in nine of them, each in two ways' is "$(grep -c '^found: \[\]$' "$out")" 18
