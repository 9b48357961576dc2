#!/bin/sh
# The rules of sharing in every order of some steps, and that each broken rule
# is seen; see sharing.pml. sharing.sh [<steps>]
. "$(dirname "$0")/../cli/lib.sh"
need spin gcc
steps=${1-5}

# holds DEFINITION...: whether the model finds nothing
holds()
{
	(
		cd "$scratch" || exit 1
		must spin -a "$@" "$root/tests/model/sharing.pml" >said
		must gcc -O0 -w -DSAFETY -DCOLLAPSE -DMEMLIM=2000 -o pan pan.c
		must ./pan -m10000 >"$out"
		must grep -q '^State-vector.*errors: [0-9]*$' "$out"
		grep -E '^State-vector|states, stored' "$out" | sed 's/^/# /'
		grep -q 'errors: 0$' "$out"
	)
}
breaks()
{
	! holds "$@"
}

check "nothing is lost, nothing returns in $steps steps" \
	holds -DSTEPS="$steps"
check "nothing is lost where a plain git forces old states" \
	holds -DSTEPS="$steps" -DHARM
check 'gc that drops tombstones brings back what was removed' \
	breaks -DSTEPS=6 -DFAULT=1
check 'a push that does not compare loses' breaks -DSTEPS=6 -DFAULT=2
check 'an epoch that takes the place of what is here loses' \
	breaks -DSTEPS=6 -DFAULT=3
check 'an inbox that is emptied by another one loses' \
	breaks -DSTEPS=6 -DFAULT=4
check 'to drop what the other side has not loses' breaks -DSTEPS=6 -DFAULT=5
