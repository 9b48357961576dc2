#!/bin/sh
# Every dirty state comes back as it was after a run in place over two commits
# with a build that leaves, changes and deletes files. PERF_STATES=all tries
# all of them, else every third.
. "$(dirname "$0")/../lib.sh"
need bash
states=$root/tests/data/dirty-states

INPLACE_BUILD='
echo made >made.new; echo o >made.o; mkdir -p made.d/sub; echo x >made.d/sub/x
echo rewritten >>b; rm -f d/2 x.o; git status --short >/dev/null
git describe --always --dirty >/dev/null'
export INPLACE_BUILD

# prints what the state's repository holds; the index file to the byte, before
# git status brings it up to date
look()
{
	cksum <.git/index
	bash "$states/snapshot.sh" 2>&1
	git stash list
	git for-each-ref
}

# NAME [SUB] [AUTOCRLF]
try()
{
	work=$scratch/states/$1
	mkdir -p "$work"
	cd "$work" || exit 1
	must env SUB="$2" AUTOCRLF="$3" bash "$states/base.sh" "$work/repo" \
		>/dev/null 2>&1
	cd repo || exit 1
	bash "$states/cases.sh" "$1" >/dev/null 2>&1
	git status >../before
	look >../before
	if [ "$1" = unborn ]; then
		check "$1: is refused" exits 128 inplace begin master master~1
		check "$1: and says why" mentions err 'no commit yet'
	else
		git rev-parse HEAD >/dev/null
		check "$1: a run over two commits" \
			exits 0 inplace begin HEAD~1 HEAD
		check "$1: tells that all is restored" says out restored
	fi
	look >../after
	check "$1: is as it was" same ../before ../after
	check "$1: has no state left" is \
		"$(ls .git/perf 2>/dev/null | grep ^state)" ''
	[ "$1" = unborn ] || check "$1: what builds left is kept" is \
		"$(cat .git/perf/leftovers/*/*/made.new | sort -u)" made
}

names=$(sed -n 's/^\([a-z_0-9]*\)).*/\1/p' "$states/cases.sh")
tried=$names
[ "${PERF_STATES:-}" = all ] ||
	tried=$(echo "$names" | awk '/^(unborn|sub|crlf)/ || NR % 3 == 1')
for name in $tried; do
	case $name in
	sub*) try "$name" 1 '' ;;
	crlf*) try "$name" '' input ;;
	*) try "$name" '' '' ;;
	esac
done
check '51 states are known' is "$(echo $names | wc -w)" 51
