#!/bin/sh
# Flame graphs in headless Chromium: what is drawn after each thing that somebody
# does, from the stacks below; no complaint of the browser, no request. The steps
# are in flame_browser.js.
. "$(dirname "$0")/../lib.sh"
need chromium node python3

must cp "$root"/tests/data/flame/*.folded .
must python3 - >hostile.folded <<'END'
for i, name in enumerate(['<script>window.harm=1</script>',
                          '</script><script>window.harm=2</script>',
                          '<img src=http://localhost:1/x onerror=window.harm=3>']):
    print('main;%s;leaf%d %d' % (name, i, 10 + i))
END
must python3 - >large.folded <<'END'
import random
random.seed(3)
for i in range(40000):
    frames = ['f%d' % random.randrange(30) for _ in range(random.randint(3, 14))]
    print('main;%s %d' % (';'.join(frames), random.randint(1, 9)))
END
must python3 - >deep.folded <<'END'
for i in range(290):
    print('main;' + ';'.join('s%d_%d' % (i, j) for j in range(338)) + ' 3')
END
must git perf show -o deep.svg deep.folded
must git perf show -o old.svg old.folded
must git perf show --view=flamegraph -o old.html old.folded
must git perf diff --view=flamegraph -o change.html old.folded new.folded
must git perf show --view=flamegraph --format=collapsed -o hostile.html hostile.folded
must git perf show -o large.svg large.folded
must grep -q 'the heaviest 100000 frames' large.svg

check 'a browser opens all of them' exits 0 node "$root/tests/tools/browser.js" \
	"$root/tests/cli/show/flame_browser.js" old.svg old.html change.html hostile.html large.svg deep.svg

# Rows from the top, root below: parse 50, eval 40, gc 10 from left to right.
graph='lookup | eval | lex apply | parse eval gc | main | all'
zoomed='lookup | eval | apply | eval | main | all'
check 'the graph is drawn' says out "drawn: $graph"
check 'a click zooms, ancestors stay' says out "zoomed: $zoomed"
check 'the address has the zoom' says out 'address: #zoom=0.5'
check 'Escape shows all' says out "reset: $graph"
check 'the browser goes back' says out "back: $zoomed"
check 'a tip has figures' says out 'tip: gc; 10, 10.00%; self 10'
# Both eval are found, the inner one within the outer: 40 of 100.
check 'nested matches count once' says out 'found: found: 40.00%'
check 'each match is marked' says out 'marked: 2'
check 'the search is given up' says out 'unmarked: 0'
check 'the root is at the other end' says out \
	'flipped: all | main | parse eval gc | lex apply | eval | lookup'
# lex 40, lookup 30, then gc, apply and parse with 10 each by name.
check 'reversed, leaves come first' mentions out '^reversed: .* \| lex lookup apply gc parse \| all$'
check 'arrows walk to the second child' says out 'walked: eval 40, 40.00%'
check 'Enter zooms to it' says out "entered: $zoomed"
check 'Backspace zooms out' says out "out: $graph"
check 'an address opens what it says' says out "from the address: $zoomed"
check 'a title that has no room is cut, all of it is its tip' says out 'narrow: true'
check 'in a wide window it is whole' says out 'wide again: whole'
check 'callers, the function, callees' says out 'sandwich: main | eval | apply | eval | lookup'
check 'light and dark by a key' says out 'dark: rgb(22, 24, 27)'
check 'light as the system has it' says out 'light: rgb(255, 255, 255)'
check 'dark as the system has it' says out 'dark by itself: rgb(22, 24, 27)'

# By their own cost: 40, 30, then 10 each.
check 'the table has all functions' mentions out '^rows: lex lookup (apply|gc|parse| ){5} eval main$'
check 'a column sorts: 100, 50, 40 three times' mentions out '^sorted: main parse (lex|apply|eval| ){5} lookup gc$'
check 'twice the other way' mentions out '^turned: gc lookup (lex|apply|eval| ){5} parse main$'
check 'a text filters' says out 'filtered: lex eval parse'
check 'a click on a function shows its sandwich' says out 'chosen: main | parse | lex'
check 'no other script runs in a page' says out 'injected: not run'
check 'the policy is why' says out 'refused: true'

# (new - old) / larger: all and main 10 of 110, parse -20 of 50, eval 30 of 70,
# lookup 30 of 60, lex -20 of 40, jit 1; eighths of those, from 8 on.
check 'colours are those of changes' says out 'changes: d11 d12 d16 d4 d5 d9'
check 'frames are as wide as they are now' says out \
	'difference: lookup | eval | apply lex emit | eval parse jit | main | all'
check 'frames are as wide as they were' says out \
	'old width: lookup | eval | apply lex | eval parse gc | main | all'
check 'all figures of a change are told' says out \
	'figures: eval; new 70, 63.64%; old 40, 40.00%; delta +30, +75.00%, +30.00 points of the old total'
check 'names do no harm' says out 'harm: none'
check 'of a hundred thousand frames what can be seen is drawn' says out 'elements: true'
check 'what changes again at once has no elements, but their colours' says out 'sketch: [true,true,true]'
check 'of many rows those near the window are drawn' says out 'a part of it: true'
check 'scrolled down, the root is drawn' says out 'its root: true'
check 'what went out of sight is not drawn' says out 'nor there: true'
check 'a sheet of paper has all of it' says out 'on paper: true'
check 'the window has its part again' says out 'after that: true'
check 'what stays on the screen is not drawn anew' says out 'what stays: true'
check 'rows that come are drawn' says out 'rows on the screen: all'
check 'those that come from above, too' says out 'and upwards: all'
check 'what is far goes' says out 'what goes: false'
check 'a long way leaves half as much on each side' says out 'at most twice as much: true'
check 'the address has the last of many zooms' says out 'the last of many: #zoom=0.5'
check 'the browser complains about nothing' says out 'complaints: []'
check 'nothing is asked of the network' says out 'requests: []'
