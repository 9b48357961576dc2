#!/bin/sh
# The view dot is the picture that go tool pprof draws, of profiles of tools
# and of made-up ones (PERF_PICTURES: how many, and of how many sets of options);
# Graphviz takes whatever it prints.
. "$(dirname "$0")/../lib.sh"
go=$measured/go

if command -v go >/dev/null; then
	check 'the pictures are those of pprof' exits 0 python3 \
		"$root/tests/peer/pprof_pictures.py" 1 ${PERF_PICTURES:-8 5} \
		"$go/allocs.pb.gz" "$go/block.pb.gz" "$go/cpu.pb.gz" \
		"$go/heap.pb.gz" "$go/mutex.pb.gz" "$measured/gperftools/gzip.pb.gz"
fi
check 'a difference is drawn' exits 0 git perf diff --view=dot "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
check 'what became less is green' mentions out '^N[0-9]+ .* color="#[0-9a-f]{2}b2'
check 'JSON has the nodes' exits 0 git perf show --json --view=dot --nodecount=3 "$go/cpu.pb.gz"
check 'no more nodes than were asked for' json '.rows | length <= 3' true

# Each dot file that a profile may lead to is one for Graphviz.
must python3 - <<'END'
names = ['a"b', 'a\\', 'a\\"', "<b>&amp;", "x\x1b[31m", "y\u202ez", "e\\nd",
         "[...]", "}{|", "s" * 100000, "\u00e9" * 70000, "a.b::c", "\t", "]"]
with open("odd.folded", "w") as f:
    for i, name in enumerate(names):
        f.write("main;%s;%s %d\n" % (name, names[i - 1], i + 1))
END
printf 'main;\377\376x;leaf 3\nmain;leaf 4\n' >>odd.folded
must git perf export --format=collapsed --to=git-perf -o odd.perf odd.folded
git perf show --view=dot ./odd.perf >odd.dot
check 'no control byte is printed' is \
	"$(LC_ALL=C tr -d '\n\40-\377' <odd.dot | wc -c)" 0
need dot
for profile in ./odd.perf "$measured/callgrind/wordfreq.callgrind" \
	"$go/cpu.pb.gz" "$go/heap.pb.gz" "$measured/racket/run.json" \
	"$measured/python/recursion-py3.11.7.prof"; do
	name=$(basename "$profile")
	for options in --nodecount=0 --granularity=lines --noinlines; do
		must git perf show --view=dot $options -o "$name.dot" "$profile"
		check "Graphviz reads $name $options" exits 0 dot -Tcanon "$name.dot"
		check 'Graphviz warns of nothing' silent err
	done
done
check 'a picture is made' exits 0 git perf show --view=dot -o cpu.svg "$go/cpu.pb.gz"
check 'an .svg is SVG' exits 0 grep -q '<svg ' cpu.svg
check 'the picture has all nodes' is "$(grep -c 'class="node"' cpu.svg)" \
	"$(git perf show --view=dot "$go/cpu.pb.gz" | grep -c '^N[0-9_]* \[\|cluster_L')"
mkdir bin
ln -s "$(command -v git-perf)" "$(command -v git)" bin
check 'a picture without Graphviz is refused' exits 128 env PATH="$PWD/bin" git-perf show --view=dot \
	-o no.svg "$go/cpu.pb.gz"
check 'what is missing is named' says err \
	"fatal: cannot draw 'no.svg': Graphviz's dot is not installed; a file with suffix .dot needs none"
check 'no file is made' not test -e no.svg
