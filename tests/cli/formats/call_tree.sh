#!/bin/sh
# export --call-tree: a function for each path of calls, as pprof has it.
. "$(dirname "$0")/../lib.sh"

cat >a.folded <<'EOF'
main;left;f;g 3
main;right;f;g 5
main;right;f 7
main;g 11
EOF
check 'stacks are written as a call tree' exits 0 \
	git perf export --call-tree --to=collapsed a.folded
sort "$out" >got
check 'a function of several paths has a name for each, as long as it differs' \
	is "$(tr '\n' '|' <got)" \
	'main;g [3/3] 11|main;left;f [1/2];g [1/3] 3|main;right;f [2/2] 7|main;right;f [2/2];g [2/3] 5|'
check 'as a call graph it is a tree' exits 0 \
	git perf export --call-tree --to=callgrind -o tree a.folded
check 'the tree is read' exits 0 git perf show --view=peek --json tree \
	--function='^f'
check 'functions with one caller each make a tree' exits 0 sh -c \
	'git perf show --view=tree --json tree >tree.json'
if command -v jq >/dev/null; then
	check 'no function of a call tree has two callers' is "$(jq '[.rows[] |
		.callers | length] | max' tree.json)" 1
fi
check 'a call graph has no stacks to make a tree of' exits 128 \
	git perf export --call-tree --to=callgrind tree
check 'what a call tree needs is said' says err \
	'fatal: a call tree needs stacks: the profile has none'
check '--raw excludes --call-tree' exits 129 \
	git perf export --raw --call-tree a.folded
if command -v go >/dev/null && go tool pprof -h >/dev/null 2>&1; then
	must git perf export -o a.pb.gz a.folded
	must git perf export --call-tree -o tree.pb.gz a.folded
	# pprof's own tree of the first is its graph of the second, by cost
	costs()
	{
		go tool pprof -symbolize=none -callgrind "$@" 2>/dev/null |
			grep -E '^[0-9x+*-]+ [0-9+*-]+ [0-9]+$' |
			cut -d ' ' -f 3 | sort -n | tr '\n' ' '
	}
	check 'pprof finds costs in a call tree' [ -n "$(costs tree.pb.gz)" ]
	check 'costs and calls are those of pprof -call_tree' \
		is "$(costs tree.pb.gz)" "$(costs -call_tree a.pb.gz)"
	check 'costs and calls of a call tree are not those of a call graph' \
		not is "$(costs tree.pb.gz)" "$(costs a.pb.gz)"
fi
