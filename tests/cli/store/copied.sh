#!/bin/sh
# Lines that git copies from one commit's note to another's: notes.rewriteRef,
# `git notes copy`.
. "$(dirname "$0")/../lib.sh"
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
check 'a commit is measured before it is amended' exits 0 run
first=$(git rev-parse HEAD)
must git commit -q --amend -m 'other words'
check 'the line of a measured commit goes along when only the message is amended' \
	is "$(lines HEAD profile)" 1
check 'a commit with the tree of a measured one needs no measuring' \
	exits 0 run
check 'run says that all is measured after an amend of the message' \
	mentions err '^nothing to do: all is measured'

echo aaaa >source
must git commit -q -a --amend -m 'other content'
check 'the line goes along when the content is amended' \
	is "$(lines HEAD profile)" 1
check 'log works with a copied line' exits 0 git perf log
check 'log names the commit of a copied line and says that its tree is another' \
	mentions out \
	"(measured at $(git rev-parse --short=10 "$first"), another tree)"
check 'log shows no figure that was measured of another tree' \
	not mentions out 'wall'
check 'status works with a copied line' exits 0 git perf status
check 'status names the commit of a copied line' mentions out \
	"(measured at $(git rev-parse --short=10 "$first"))"
check 'the new content is measured' exits 0 run
check 'the profile of the new content is stored' says err \
	"added 1 profile to $(git rev-parse --short=10 HEAD)"
check 'log counts only what was measured of this tree' exits 0 git perf log
check 'a copied line is not pooled with the figure of the new tree' \
	not mentions out '(n 2)'
check 'log --json works with a copied line' exits 0 git perf log --json
check 'log --json names the commit where a copied line was measured' \
	json '[.commits[0].profiles[] | .origin // "here"]' \
	"[\"here\",\"$first\"]"
check 'run over the history after an amend is accepted' exits 0 run HEAD
check 'run over the history finds nothing missing of the new tree' \
	mentions err '^nothing to do: all is measured'

# A failure is of its tree, too.
: >broken
echo b >>source
must git add broken source
commit 'does not build'
check 'a commit that does not build' exits 125 run HEAD
check 'a commit that does not build is remembered' is "$(lines HEAD skip)" 1
must git rm -q broken
must git commit -q --amend -m 'builds'
check 'a skip that was copied to another tree' is "$(lines HEAD skip)" 1
check 'a copied skip does not keep a job from being measured' exits 0 run HEAD
check 'a job whose skip was copied is measured and stored' \
	is "$(lines HEAD profile)" 1
