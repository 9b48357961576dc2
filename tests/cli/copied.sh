#!/bin/sh
# Lines that git copies from one commit's note to another's: notes.rewriteRef,
# `git notes copy`.
. "$(dirname "$0")/lib.sh"
need jq

cat >"$scratch/job" <<'END'
[job "size"]
	build = "test ! -e broken"
	cmd = "wc -c source"
	shell = true
	runs = 1
END
run()
{
	git perf run --config="$scratch/job" "$@"
}
lines()
{
	git notes --ref=perf show "$1" 2>"$err" | grep -c " $2 "
}
must git config notes.rewriteRef refs/notes/perf

echo a >source
must git add source
commit fast
check 'a measured commit' exits 0 run
first=$(git rev-parse HEAD)
must git commit -q --amend -m 'other words'
check 'its line goes along when only the message is amended' \
	is "$(lines HEAD profile)" 1
check 'and the tree is the same, so that nothing is to be measured' \
	exits 0 run
check 'which is said' mentions err '^nothing to do: all is measured'

echo aaaa >source
must git commit -q -a --amend -m 'other content'
check 'a line goes along when the content is amended, too' \
	is "$(lines HEAD profile)" 1
check 'log lists it' exits 0 git perf log
check 'with the commit and a word on its tree' mentions out \
	"(measured at $(git rev-parse --short=10 "$first"), another tree)"
check 'and shows no figure of another tree' not mentions out 'wall'
check 'status lists it' exits 0 git perf status
check 'with the commit, too' mentions out \
	"(measured at $(git rev-parse --short=10 "$first"))"
check 'the new content is measured' exits 0 run
check 'and stored' says err \
	"added 1 profile to $(git rev-parse --short=10 HEAD)"
check 'log counts only what was measured of this tree' exits 0 git perf log
check 'so that the figure is of one value' not mentions out '(n 2)'
check 'JSON of log' exits 0 git perf log --json
check 'names the commit where the copied one was measured' \
	json '[.commits[0].profiles[] | .origin // "here"]' \
	"[\"here\",\"$first\"]"
check 'over the history nothing is missing' exits 0 run HEAD
check 'of this tree' mentions err '^nothing to do: all is measured'

# A failure is of its tree, too.
: >broken
echo b >>source
must git add broken source
commit 'does not build'
check 'a commit that does not build' exits 125 run HEAD
check 'is remembered' is "$(lines HEAD skip)" 1
must git rm -q broken
must git commit -q --amend -m 'builds'
check 'a skip that was copied to another tree' is "$(lines HEAD skip)" 1
check 'does not keep a job from being measured' exits 0 run HEAD
check 'which stores a profile' is "$(lines HEAD profile)" 1
