#!/bin/sh
# Flame graphs: text, SVG and pages of profiles and differences, whatever their
# names are. Widths stand beside the stacks, or are those of a peer in Python.
. "$(dirname "$0")/../lib.sh"
need jq python3

must cp "$root"/tests/data/flame/*.folded .
svg=$root/tests/peer/flame_svg.py
COLUMNS=80
export COLUMNS

# 80 columns for 100: parse has 50, so 40 columns; lex 40, so 32; eval 40.
check 'a profile is drawn as text' exits 0 git perf show --view=flamegraph old.folded
check 'widths of text follow from the weights' prints out <<'END'
old.folded: samples 100
|all 100.0%
|main 100.0%
|parse 50.0%                            |eval 40.0%                     |gc
|lex 40.0%                      |       |apply 40.0%                    |
                                        |eval 30.0%             |
                                        |lookup 30.0%           |
END
check 'UTF-8 draws lines' exits 0 env LC_ALL=C.UTF-8 git perf show --view=flamegraph old.folded
check 'lines are those of boxes' says out '│main 100.0%'
check 'nothing is wider than asked for' exits 0 env COLUMNS=20 git perf show --view=flamegraph old.folded
check 'a narrow line is cut' is "$(awk 'length > 20' "$out" | sed 1d)" ''
check 'reversed, leaves are first' exits 0 git perf show --view=flamegraph --flame=reverse old.folded
check 'of 100, lex alone costs 40' mentions out '^\|lex 40\.0%'
check 'JSON has the frames' exits 0 git perf show --view=flamegraph --json old.folded
check 'frames have depth, self and total' json \
	'[.frames[] | select(.name == "parse") | .depth, .self, .total]' '[2,10,50]'

# 100 became 110; eval 40 became 70: + 75 %.
check 'a difference is drawn as text' exits 0 git perf diff --view=flamegraph old.folded new.folded
check 'a changed function has the relative change' mentions out '^\|eval \+75\.0% '
check 'a function that is gone is listed' mentions out '^ +10  gc$'
check 'gone ones are wide where the old width is asked for' exits 0 \
	git perf diff --view=flamegraph --flame=old old.folded new.folded
check 'a function that is gone is as wide as it was' mentions out '\|gc gon?'
check 'JSON of a difference has both sides' exits 0 \
	git perf diff --view=flamegraph --json old.folded new.folded
check 'the four figures' json \
	'[.frames[] | select(.name == "jit") | .old_self, .new_self, .old_total, .new_total]' '[0,0,0,10]'

check 'a sandwich is drawn as text' exits 0 git perf show --view=sandwich --function=^apply old.folded
check 'callers above, callees below' prints out <<'END'
old.folded: samples 40
|main 100.0%
|eval 100.0%
|apply 100.0%
|eval 75.0%                                                 |
|lookup 75.0%                                               |
END
check 'without a function there is no sandwich' exits 129 git perf show --view=sandwich old.folded
check 'a function that is not there makes no sandwich' exits 128 git perf show --view=sandwich --function=nope old.folded
check 'the missing one is named' says err "fatal: no function matches 'nope'"
printf '%s\n' '# callgrind format' 'events: Ir' fl=a.c fn=main '1 8' fl=b.c fn=main '1 2' >twice.callgrind
check 'a name of two functions matches without their files' \
	exits 0 git perf show --view=sandwich --function='^main$' ./twice.callgrind

# The suffix chooses.
check 'the suffix .svg is a picture' exits 0 git perf show -o out.svg old.folded
check 'capitals are the same suffix' exits 0 git perf show -o OUT.SVG old.folded
check 'capitals are the same picture' same out.svg OUT.SVG
check 'a peer finds each frame in it' exits 0 python3 "$svg" out.svg old.folded
check 'the peer finds 9 frames' says out '9 frames'
check 'a real profile is drawn' exits 0 git perf show -o real.svg "$measured/perf/git-log-p.folded"
check 'a peer finds each frame of the real profile' exits 0 python3 "$svg" real.svg "$measured/perf/git-log-p.folded"
check 'the suffix .html is a page' exits 0 git perf show --view=flamegraph -o out.html old.folded
check 'the page forbids the network' grep -q "default-src 'none'" out.html
check 'the table of a page is there without a script' grep -q '<td>lookup</td>' out.html
check 'a difference is a page, too' exits 0 git perf diff --view=flamegraph -o diff.html old.folded new.folded
check 'gone functions are in its table' grep -q '<td>gone</td><td>gc</td>' diff.html
check 'other views are no pictures' exits 128 git perf show --view=tree -o tree.svg old.folded
check 'views that are pictures are listed' says err \
	"fatal: the view 'tree' is no SVG: there are graph, dot, flamegraph, sandwich, bars, flow, scatter, heapmap"
check 'a refused picture leaves no file' not test -e tree.svg
check 'a wrong way to draw is refused' exits 129 git perf show --flame=blue old.folded
check 'the ways are listed' mentions err "'blue'.* icicle, reverse, time, old, name, module, change"
check 'without times there is no order by time' exits 128 \
	git perf show --view=flamegraph --flame=time old.folded
check 'means do not add up' exits 128 git perf show --view=flamegraph --mean old.folded

# By time: three samples, one of work between two of wait.
cat >timed.json <<'END'
{"traceEvents":[
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"wait"},
{"ph":"X","pid":1,"tid":1,"ts":10,"dur":20,"name":"work"},
{"ph":"X","pid":1,"tid":1,"ts":30,"dur":10,"name":"wait"}]}
END
check 'samples are drawn in the order of time' exits 0 \
	git perf show --view=flamegraph --flame=time --json timed.json
check 'neighbours only are one' json '[.frames[] | select(.name | test("w[ao]")) | .name]' \
	'["wait","work","wait"]'

# Call graphs: an estimate that says so.
check 'a call graph is drawn' exits 0 git perf show --view=flamegraph "$measured/callgrind/wordfreq.callgrind"
check 'an estimate says so' says out 'an estimate: the profile is a call graph without stacks'
# Two functions of one name: top calls f of a.c, that g, and g f of b.c, which
# calls leaf. What leaf costs, 100 of 103, has one way down to it.
cat >twice.callgrind <<'END'
events: Ir
fl=a.c
fn=top
1 1
cfn=f
calls=1 1
1 102
fn=f
2 1
cfn=g
calls=1 1
2 101
fn=g
3 1
cfl=b.c
cfn=f
calls=1 1
3 100
fl=b.c
fn=f
4 0
cfn=leaf
calls=1 1
4 100
fn=leaf
5 100
END
check 'functions of one name are drawn' exits 0 git perf show --view=flamegraph --json twice.callgrind
check 'functions of one name in two files are two' json \
	'[.frames[] | [(.name | split(" ")[0]), .total]]' \
	'[["all",103],["top",103],["f",102],["g",101],["f",100],["leaf",100]]'
# Where leaf costs 100 more, so does all above it.
sed 's/^5 100/5 200/; s/^1 102/1 202/; s/^2 101/2 201/; s/^\([34]\) 100/\1 200/' \
	twice.callgrind >dearer.callgrind
check 'the difference of two call graphs is drawn' exits 0 \
	git perf diff --view=flamegraph --json twice.callgrind dearer.callgrind
check 'functions of one name are two in a difference' json \
	'[.frames[] | [(.name | split(" ")[0]), .old_total, .new_total]]' \
	'[["all",103,203],["top",103,203],["f",102,202],["g",101,201],["f",100,200],["leaf",100,200]]'
check 'a call graph is drawn as a picture, too' exits 0 git perf show -o graph.svg "$measured/callgrind/wordfreq.callgrind"
check 'a picture of an estimate says so, too' grep -q 'an estimate: the profile' graph.svg

# Names that would do harm.
python3 - >hostile.folded <<'END'
names = ['<script>alert(1)</script>', '</script><script>alert(2)//', ']]>',
         '"\'onload=alert(3)', '\x1b[31mred', '\u202egnp.exe', '\ufffe\uffff',
         '&lt;&amp;', '\\u003cb', 'x' * 100000, '\U0001f525' * 400]
import sys
for i, name in enumerate(names):
    line = 'main;%s;leaf%d %d\n' % (name, i, 10 + i)
    sys.stdout.buffer.write(line.encode())
END
for file in hostile.svg hostile.html; do
	check "hostile names end in $file" exits 0 git perf show --format=collapsed -o $file hostile.folded
	check "no tag of a name is in $file" not grep -aqi '<script>alert\|<script>.*//;leaf\|onload="' $file
	check "no control and no turning character is in $file" is \
		"$(LC_ALL=C tr -d '\11\12\40-\176\200-\377' <$file | wc -c) $(grep -ac "$(printf '\342\200\256')" $file)" '0 0'
	check "$file holds no symbol of 100 kB" not grep -aq 'x\{2000\}' $file
done
check 'hostile names are XML' exits 0 python3 -c \
	'import xml.dom.minidom, sys; xml.dom.minidom.parse("hostile.svg")'
check 'hostile names are text on a terminal' exits 0 git perf show --view=flamegraph --format=collapsed hostile.folded
check 'no escape sequence is printed' not grep -q "$(printf '\33')" "$out"

# A hundred thousand frames, of which the heaviest are kept.
must python3 -c '
for i in range(120000):
    print("main;f%d %d" % (i, 2 if i < 60000 else 1))' >many.folded
check '120,000 frames are drawn' exits 0 git perf show -o many.svg many.folded
check 'a limit is told' grep -q 'the heaviest 100000 frames' many.svg
