#!/bin/sh
# A report in headless Chromium: what is seen after each thing that somebody
# does with it. The steps are in report_browser.js.
. "$(dirname "$0")/../lib.sh"
need chromium node python3

wordfreq "$scratch/history"
cd "$scratch/history" || exit 1
must git perf report -o report.html

must git init -q -b main "$scratch/hostile"
cd "$scratch/hostile" || exit 1
cat >hostile.folded <<'END'
main;<script>window.harm=1</script> 3
main;</script><script>window.harm=2</script> 2
main;<img src=http://localhost:1/x onerror=window.harm=3> 1
END
GIT_AUTHOR_NAME='img src=x onerror=window.harm=4 </script>' must git commit -q --allow-empty -m \
	'</script><script>window.harm=5</script>'
must git perf add --format=collapsed --name='"><script>window.harm=6</script>' hostile.folded 2>"$err"
must git perf report -o hostile.html

check 'a browser opens them' exits 0 node "$root/tests/tools/browser.js" \
	"$root/tests/cli/show/report_browser.js" ../history/report.html hostile.html

check 'verdicts fit a window of 1,400 pixels, reasons included' says out 'verdicts fit: true'
check 'a column sorts, largest first' says out 'sorted down: true'
check 'a column sorts, smallest first' says out 'sorted up: true'
check 'a screen reader is told' says out 'said: ascending'
check 'verdicts are filtered by text' says out 'filtered: ["wall"]'
check 'verdicts are filtered by significance' says out 'changed only: true'
check 'verdicts are filtered by size' says out 'large ones: true'
check 'how many are listed is said' mentions out '^listed: ([0-9]+) of \1$'
check 'a click on a change draws its figure' says out 'chosen: wordfreq Ir'
check 'the address has it' says out 'address: true'
[ "$(sed -n 's/^drawn: //p' "$out")" = 'a picture' ] || {
	check 'a chart has all commits' says out "drawn: $(git -C ../history rev-list --first-parent --count main)"
	check 'dragging in a chart zooms' says out 'zoomed: 5-20'
	check 'a button shows all of it' says out "whole: 0-$(($(git -C ../history rev-list --first-parent --count main) - 1))"
	check 'two clicks compare' says out 'compared: 3-9'
}
# Commits 4 and 10 of the series' own list: 54.48 and 65.71 million.
check 'both figures and the change are shown' mentions out '^with: \["wordfreq Ir","54\.[0-9]* M","65\.[0-9]* M","\+20\.6%"\]$'
check 'Escape gives up' says out 'given up: true'
check 'arrows walk over commits' says out "walked: $(git -C ../history rev-parse --short=10 main~1)"
check 'Enter picks two' says out 'by keys: true'
check 'Enter on a small picture draws it' says out 'another: true'
check 'the dearest function is first' mentions out '^first: __vfprintf_internal '
check 'a column of the table sorts' says out 'by total: 100.00%'
check 'functions are searched' says out 'found: 1'
check 'a click shows callers and callees' says out 'sandwich: true'
# What the loop of the series' own program is.
check 'the source is that of the commit' says out 'source: wordfreq.c'
check 'costs stand beside its lines' mentions out '^dearest line: for \(size_t i = 0; i < n; i\+\+\)'
check 'two profiles make a difference' mentions out '^difference: \[1,5[0-9.]*,5[0-9.]*\]$'
check 'the table of a difference has both sides' mentions out \
	'^two columns of it: old self new self delta relative points old total new total function$'
check 'own costs add up to the whole on both sides' says out 'sums agree: true'
check 'the browser goes back' says out 'back: 0'
check 'a cell of the heat map opens both commits' says out 'a cell opens both: 1'
check 'the heat map marks its function' says out 'and finds the function: true'
check 'a link leads to the same view' says out 'a link opens the same: true'
check 'a page is light' says out 'light: rgb(255, 255, 255)'
check 'a button makes it dark' says out 'dark: rgb(22, 24, 27)'
check 'the flame graph as well' says out 'the graph, too: rgb(22, 24, 27)'
check 'dark as the system has it' says out 'dark by itself: rgb(22, 24, 27)'
check 'names, headings, landmarks, contrast' says out 'faults: []'
check 'names, headings, landmarks, contrast in the dark' says out 'faults in the dark: []'
check 'a report fits a narrow window' says out 'no wider than a telephone: true'
check 'a narrow window has changes beside their functions' says out 'a change and its function: true'
check 'a narrow window has the newest commit of the heat map' says out 'the newest commit: true'
check 'names do no harm' says out 'harm: none'
check 'the browser complains about nothing' says out 'complaints: []'
check 'nothing is asked of the network' says out 'requests: []'
