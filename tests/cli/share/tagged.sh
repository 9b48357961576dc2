#!/bin/sh
# prune --keep=tagged: a tag of a tag, a tag that the remote alone has, no tag.
. "$(dirname "$0")/../lib.sh"

must git init -q --bare -b main "$scratch/server.git"
must git clone -q "$scratch/server.git" "$scratch/one" 2>"$err"
cd "$scratch/one" || exit 1
for n in 1 2 3 4; do
	commit "$n"
	printf 'main;c%s 5\nmain 3\n' "$n" >"$scratch/p.folded"
	must git perf add -n "c$n" "$scratch/p.folded" 2>"$scratch/said"
done
all=$(git rev-parse refs/notes/perf)
# How many of commits 1 to 4 have their record.
left()
{
	for back in 3 2 1 0; do
		git notes --ref=perf show "HEAD~$back" |
			grep -q ' del ' || echo $((4 - back))
	done | tr '\n' ' '
}
must git push -q origin HEAD:main
check 'no tag at all' exits 128 git perf prune --keep=tagged
check 'no tag at all is told' says err "fatal: --keep=tagged names no measured commit of HEAD's past: nothing would be kept"
# A tag whose commit says only why it was not measured keeps nothing.
must git commit -q --allow-empty -m unbuilt
printf '[job "j"]\n\tcmd = false\n' >.gitperf
must git perf trust >"$scratch/said" 2>&1
git perf run HEAD >"$scratch/said" 2>&1
must git tag failed
check 'the tagged commit was skipped' is \
	"$(git notes --ref=perf show | cut -d ' ' -f 4)" skip
check 'a tag of what was not measured' exits 128 git perf prune --keep=tagged
check 'a tag of what was not measured keeps all' is \
	"$(git notes --ref=perf list | cut -d ' ' -f 1 | while read -r note; do
		git cat-file -p "$note"
	done | grep -c ' del ')" 0
must git tag -d failed >"$scratch/said"
must git reset -q --hard HEAD^
must git update-ref refs/notes/perf "$all"
must git tag -a -m inner inner HEAD~3
must git tag -a -m outer outer inner
must git tag -d inner >"$scratch/said"
must git tag blob "$(echo text | git hash-object -w --stdin)"
check 'prune beside a tag of a tag' exits 0 git perf prune --keep=tagged
check 'what a tag of a tag names stays' is "$(left)" '1 '
must git update-ref refs/notes/perf "$all"
must git push -q origin HEAD~2:refs/tags/theirs outer
must git tag -d outer >"$scratch/said"
must git tag simple
check 'prune beside a tag of the remote' exits 0 git perf prune --keep=tagged
check 'what a tag of the remote names stays' is "$(left)" '1 2 4 '
