#!/bin/sh
# Inboxes at the edge: git's own check refuses one, more bad ones than a pull
# begins anew for, so many that they go in more than one step; with PERF_INBOXES
# above 10000 more of them than are looked at.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
inboxes=${PERF_INBOXES:-300}
E="git --git-dir=$server"
base=$(git rev-parse base)
must add "$one" mine
must git perf push -q

# Between good ones: trees that git fsck refuses.
blob=$(echo text | $E hash-object -w --stdin)
bad=$(
	python3 -c 'import sys
sys.stdout.buffer.write(b"100644 ..\0" + bytes.fromhex(sys.argv[1]))' "$blob" |
	$E hash-object -t tree -w --stdin --literally)
for i in 2 5; do
	must $E update-ref "refs/perf/inbox/$i" "$($E commit-tree -m "$i" "$bad")"
done
for i in 1 3 4 6; do
	must add "$two" "of$i"
	must git -C "$two" push -q origin "refs/notes/perf:refs/perf/inbox/$i"
	must git -C "$two" update-ref -d refs/notes/perf
done
check 'a pull beside trees that git refuses' exits 0 git perf pull
check 'trees that git refuses are told in one line' is \
	"$(grep -c '^warning: ' "$err")" 1
check 'how many, which, why and the way to be rid of it are told' mentions err \
	"^warning: 2 inboxes of 'origin' are set aside, among them \
'refs/perf/inbox/[25]': .*hasDotdot.*; it goes by: git push origin \
:refs/perf/inbox/[25]$"
check 'the others are taken' is "$(names "$one")" 'mine of1 of3 of4 of6 '
check 'nothing is wrong beside them' sound "$one"
check 'the bad tree is not here' exits 1 git cat-file -e "$bad"
check 'a push beside them' exits 0 git perf push
check 'a push takes the good ones away' is \
	"$($E for-each-ref --format='%(refname:lstrip=-1)' refs/perf/inbox |
		tr '\n' ' ')" '2 5 '
check 'a fetch tells them, too' exits 0 git perf fetch
check 'a fetch tells them with a warning' mentions err '^warning: 2 inboxes'
must add "$two" other
must git -C "$two" perf pull -q 2>"$scratch/ignored"
must git -C "$two" perf push -q
must add "$one" more
check 'a push that catches up beside them' exits 0 git perf push
check 'a push that catches up tells them' mentions err '^warning: 2 inboxes'
must $E update-ref -d refs/perf/inbox/2
must $E update-ref -d refs/perf/inbox/5

# More that fail when they are half taken than a pull begins anew for: the good
# one behind them waits.
large=$(head -c 17000000 /dev/zero | $E hash-object -w --stdin)
tree=$(printf '100644 blob %s\t%s\n' "$large" "$base" | $E mktree)
i=10
while [ $i -lt 35 ]; do
	must $E update-ref "refs/perf/inbox/$i" "$($E commit-tree -m $i "$tree")"
	i=$((i + 1))
done
must add "$two" behind
must git -C "$two" push -q origin refs/notes/perf:refs/perf/inbox/99
check 'a pull beside 25 of them' exits 0 git perf pull
check '25 of them are told' mentions err '^warning: 26 inboxes .* passed over'
check 'what is here stays' is "$(names "$one" | tr ' ' '\n' | grep -c .)" 7
i=10
while [ $i -lt 35 ]; do
	must $E update-ref -d refs/perf/inbox/$i
	i=$((i + 1))
done
check 'a pull without them' exits 0 git perf pull
check 'a pull without them takes the one behind them' \
	is "$(names "$one" | tr ' ' '\n' | grep -c .)" 8

# More of them than are looked at in one pull, or than go in one push.
must git perf push -q
must add "$two" crowd
tip=$(git -C "$two" rev-parse refs/notes/perf)
must $E fetch -q "$two" refs/notes/perf
must $E pack-refs --all
awk -v id="$tip" -v count="$inboxes" 'BEGIN { for (i = 0; i < count; i++)
	printf "%s refs/perf/inbox/x%05d\n", id, i }' >"$scratch/more"
{
	echo '# pack-refs with: peeled fully-peeled sorted '
	grep -v '^#' "$server/packed-refs" | sort -k 2 - "$scratch/more"
} >"$scratch/packed-refs"
must mv "$scratch/packed-refs" "$server/packed-refs"
if [ "$inboxes" -gt 10000 ]; then
	check 'a pull of more than are looked at' exits 0 git perf pull
	check 'a pull tells of inboxes beyond 10,000' mentions err \
		"^warning: 'origin' has more than 10000 inboxes, the first are taken"
	check 'what is in them is here' mentions err '^took in what'
fi
sed -i '/ refs.perf.inbox.x00[3-9]/d; / refs.perf.inbox.x0[1-9]/d; / refs.perf.inbox.x10/d' \
	"$server/packed-refs"
check 'a pull of 300 of them' exits 0 git perf pull
check 'a pull of 300 tells of no more' not mentions err warning
check 'a push takes them away, in more than one step' exits 0 git perf push
check 'the push says how many' mentions err "^300 inboxes of 'origin' emptied"
check 'the remote has no inbox left' is "$($E for-each-ref refs/perf/inbox)" ''
check 'the clone has no inbox left' is "$(git for-each-ref refs/perf/remotes/origin/inbox)" ''
