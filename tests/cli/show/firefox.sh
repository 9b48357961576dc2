#!/bin/sh
# Pages in headless Firefox: the steps of flame_browser.js and report_browser.js
# say there what they say in Chromium.
. "$(dirname "$0")/../lib.sh"
need chromium firefox-esr node

# Firefox has no command for the system's theme yet, and without a screen its
# window has no focus: Enter presses no button there, of no page.
both_say_the_same()
{
	what=$1
	shift
	for browser in chromium firefox; do
		BROWSER=$browser must node "$root/tests/tools/browser.js" "$@" >$browser.all
		grep -v -e '^dark by itself: ' -e '^another: ' $browser.all >$browser.said
	done
	check "$what: Firefox says as much" exits 0 diff chromium.said firefox.said
	check "$what: it complains about nothing" is "$(grep '^complaints: ' firefox.said)" 'complaints: []'
	check "$what: nothing is asked of the network" is "$(grep '^requests: ' firefox.said)" 'requests: []'
	check "$what: it is said" is "$([ "$(wc -l <firefox.said)" -gt 20 ] && echo more)" more
}

must cp "$root"/tests/data/flame/*.folded .
must git perf show -o old.svg old.folded
must git perf show --view=flamegraph -o old.html old.folded
must git perf diff --view=flamegraph -o change.html old.folded new.folded
echo 'main;<script>window.harm=1</script> 3' >hostile.folded
must git perf show --view=flamegraph --format=collapsed -o hostile.html hostile.folded
must awk 'BEGIN {
	for (i = 0; i < 300; i++) {
		stack = "main"
		for (depth = 0; depth < 40; depth++)
			stack = stack ";f" (7 * i + depth * i) % 97
		print stack, 1 + i % 5
	}
}' >many.folded
must git perf show -o many.svg many.folded
both_say_the_same 'flame graphs' "$root/tests/cli/show/flame_browser.js" \
	old.svg old.html change.html hostile.html many.svg old.svg
check 'both sketch what changes again at once' exits 0 grep -qx 'sketch: \[true,true,true\]' chromium.said

must git commit -q --allow-empty -m one
must git perf add --format=collapsed hostile.folded 2>"$err"
must git perf report -o harm.html
wordfreq "$scratch/history"
must git -C "$scratch/history" perf report -o "$PWD/report.html"
both_say_the_same 'a report' "$root/tests/cli/show/report_browser.js" report.html harm.html
