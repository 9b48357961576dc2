#!/bin/sh
# Many writers at once, in linked worktrees too: what was acknowledged is there.
# PERF_ADDS, PERF_WRITERS and PERF_EACH set the size: two writers of so many
# adds, then so many writers of so many each.
. "$(dirname "$0")/../lib.sh"
need jq
commit one
commit two
must git worktree add -q --detach ../linked HEAD~1

# writer <folder> <name> <count>
writer()
{
	cd "$1" || exit 1
	i=0
	while [ $i -lt "$3" ]; do
		i=$((i + 1))
		printf 'main;%s %d\n' "$2" $i >"$scratch/$2-$i.folded"
		git perf add "$scratch/$2-$i.folded" 2>>"$scratch/errors" &&
			echo "$2-$i.folded" >>"$scratch/done-$2"
	done
}
ids()
{
	git perf log --json --all |
		jq -r '.commits[].profiles[].name' | sort
}

(writer "$scratch/repo" left "${PERF_ADDS:-50}") &
(writer "$scratch/linked" right "${PERF_ADDS:-50}") &
wait
w=0
while [ $w -lt "${PERF_WRITERS:-20}" ]; do
	w=$((w + 1))
	(writer "$scratch/repo" "w$w" "${PERF_EACH:-3}") &
done
wait
sort "$scratch"/done-* >"$scratch/acknowledged"
ids >"$scratch/stored"
check 'every add was acknowledged' \
	is "$(wc -l <"$scratch/acknowledged")" \
	$((2 * ${PERF_ADDS:-50} + ${PERF_EACH:-3} * ${PERF_WRITERS:-20}))
check 'every acknowledged add is stored' \
	same "$scratch/acknowledged" "$scratch/stored"
check 'fsck finds nothing wrong after concurrent adds' exits 0 git perf fsck
check 'git fsck is content after all writers' exits 0 git fsck --strict
