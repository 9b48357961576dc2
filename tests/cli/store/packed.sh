#!/bin/sh
# What a history takes in a clone: profiles that are added one at a time are
# told by each other when git packs them, as if git had packed all at once.
. "$(dirname "$0")/../lib.sh"

# stacks <n>: 150 stacks; from one commit to the next 15 of them change
stacks()
{
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < 150; i++)
			printf "main;handle_%d;parse_%d;read_value_%d %d\n",
				i % 7, i % 31, i,
				100 + i * 37 % 1000 + (i % 10 == n % 10 ? n : 0)
	}'
}

# of all packs; what is in no pack is not counted, and there is none
packed()
{
	cat .git/objects/pack/*.pack | wc -c
}

# measured <from> <to>: a commit and what was measured of it, so many times
measured()
{
	n=$1
	while [ "$n" -le "$2" ]; do
		commit "$n"
		stacks "$n" >"$scratch/stacks.folded"
		must git perf add "$scratch/stacks.folded" 2>"$scratch/said"
		n=$((n + 1))
	done
}

measured 1 25
check "small packs become few" [ "$(ls .git/objects/pack/*.pack | wc -l)" -lt 12 ]
check "git finds no fault in them" exits 0 git fsck --full --strict
must git gc -q --prune=now
as_added=$(packed)
must git repack -adFq
anew=$(packed)
echo "# $as_added bytes after gc, $anew packed anew"
check "packed as they came they take little more than packed anew" \
	[ $((as_added * 100)) -le $((anew * 120)) ]

# Where git writes what is not read here, packs are joined as they are.
must git config pack.indexVersion 1
measured 26 37
check "packs become few without git's deltas, too" \
	[ "$(ls .git/objects/pack/*.pack | wc -l)" -lt 12 ]
check "git finds no fault in those" exits 0 git fsck --full --strict
check "nothing of the packing is left" \
	[ -z "$(ls .git/objects | grep tmp_objdir)" ]
check "what was packed is read" exits 0 git perf show HEAD~12:stacks.folded
total=$(stacks 25 | awk '{ n += $2 } END { print n }')
check "joined packs hold all that was counted" mentions out " of $total total"
