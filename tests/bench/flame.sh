#!/bin/sh
# Flame graphs: 50 MB of folded stacks to SVG, beside awk that adds up each
# prefix of a stack and writes a rectangle for those that can be seen (what
# flamegraph.pl does, without its sorting and titles); a pprof profile; zooming and
# scrolling 100,000 frames in Chromium.
. "$(dirname "$0")/lib.sh"
need python3 awk
runs=${BENCH_RUNS:-5}
cd "$scratch"
python3 - >big.folded <<'END'
import random
random.seed(1)
names = ['function_number_%d_with_a_long_name' % i for i in range(2000)]
size = 0
while size < 50e6:
    k, depth = random.randrange(40), random.randint(20, 55)
    line = ';'.join(names[(k * 7 + j * 13 + (random.randrange(6) if j > 3 else 0)) % 2000]
                    for j in range(depth)) + ' %d' % random.randint(1, 100)
    print(line)
    size += len(line) + 1
END
cat >peer.awk <<'END'
{
	n = split($1, name, ";")
	key = ""
	for (i = 1; i <= n; i++) {
		key = key ";" name[i]
		sum[key] += $2
		level[key] = i
		last[key] = name[i]
	}
	total += $2
}
END {
	print "<svg xmlns=\"http://www.w3.org/2000/svg\">"
	for (key in sum)
		if (sum[key] / total * 1180 >= 0.1)
			printf "<rect y=\"%d\" width=\"%.2f\"/><text>%s</text>\n",
				18 * level[key], sum[key] / total * 1180, last[key]
	print "</svg>"
}
END
printf '#!/bin/sh\nexec awk -f peer.awk big.folded\n' >peer
chmod +x peer
head_row
compare 'folded, 50 MB, to SVG | awk' '<= 450 ms' \
	'git-perf show -o big.svg big.folded' ./peer
memory 'folded, 50 MB, to SVG, memory' '' git-perf show -o big.svg big.folded
if command -v go >/dev/null; then
	cp -r "$measured/genbig" genbig
	chmod -R u+w genbig
	export GOCACHE="$scratch/gocache" GOPATH="$scratch/gopath" GOFLAGS=-mod=mod
	(cd genbig && go build -o ../gen .)
	./gen 1m.pb.gz 33000 5000 40 1
	for view in flamegraph 'sandwich --function=.'; do
		alone "pprof, 1.2 MB, $view" '<= 60 ms' \
			"git-perf show --view=$view 1m.pb.gz"
	done
	alone 'pprof, 1.2 MB, page' '<= 60 ms' 'git-perf show -o 1m.html 1m.pb.gz'
fi
if command -v chromium >/dev/null && command -v node >/dev/null; then
	# As heavy as random stacks make them, and 330 rows of which each is wide.
	python3 - <<'END'
import random
random.seed(3)
with open('large.folded', 'w') as out:
    for i in range(40000):
        frames = ['f%d' % random.randrange(30)
                  for _ in range(random.randint(3, 14))]
        print('main;%s %d' % (';'.join(frames), random.randint(1, 9)), file=out)
with open('tall.folded', 'w') as out:
    for i in range(300):
        frames = ['f%d' % random.randrange(300)
                  for _ in range(random.randint(300, 360))]
        print('main;s%d;%s %d' % (i, ';'.join(frames), random.randint(5, 9)),
              file=out)
END
	for graph in large tall; do
		git-perf show -o $graph.svg $graph.folded
		node "$root/tests/tools/browser.js" \
			"$root/tests/bench/flame_zoom.js" $graph.svg >rates
		for what in zoom scroll; do
			row "$what, 100,000 frames ($graph), frames a second" \
				"$(sed -n "s/^$what: //p" rates)" - - '>= 30'
		done
	done
fi
