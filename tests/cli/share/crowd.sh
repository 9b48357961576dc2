#!/bin/sh
# USERS A6, testslow_concurrency_push_add: adders, pushers, removers and pruners in
# one clone at once; afterwards there is exactly what was added and not removed.
# PERF_ADDS is how many profiles each of four adders adds, PERF_ROUNDS how often
# each of two pushers and two removers comes, PERF_PRUNES each of two pruners, of
# whom every tenth time one compacts.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
adds=${PERF_ADDS:-15}
rounds=${PERF_ROUNDS:-10}
prunes=${PERF_PRUNES:-7}
removers=2

# For each removal a profile of its own that is there at first.
i=0
while [ $i -lt $rounds ]; do
	i=$((i + 1))
	for r in 1 2; do
		printf 'main;gone%s_%s 1\n' $r $i >"$scratch/gone${r}_$i"
	done
done
must git perf add -m base "$scratch"/gone*_* 2>"$err"
must add "$one" stays
must git perf push -q

pids=
for a in 1 2 3 4; do
	(
		i=0
		while [ $i -lt $adds ]; do
			i=$((i + 1))
			printf 'main;add%s_%s 1\n' $a $i >"$scratch/add${a}_$i"
			git-perf add -m base "$scratch/add${a}_$i" || exit 1
		done
	) 2>"$scratch/adder$a" &
	pids="$pids $!"
done
for p in 1 2; do
	(
		i=0
		while [ $i -lt $rounds ]; do
			i=$((i + 1))
			git-perf push -q || exit 1
		done
	) 2>"$scratch/pusher$p" &
	pids="$pids $!"
done
for r in 1 2; do
	(
		i=0
		while [ $i -lt $rounds ]; do
			i=$((i + 1))
			git-perf rm -m base "gone${r}_$i" || exit 1
		done
	) 2>"$scratch/remover$r" &
	pids="$pids $!"
done
for p in 1 2; do
	(
		i=0
		while [ $i -lt $prunes ]; do
			i=$((i + 1))
			git-perf prune -q --offline --expire=0 || exit 1
			[ $p = 1 ] || [ $((i % 10)) -ne 5 ] ||
				git-perf gc -q || exit 1
		done
	) 2>"$scratch/pruner$p" &
	pids="$pids $!"
done
bad=0
for pid in $pids; do
	wait $pid || bad=$((bad + 1))
done
check 'all adds, pushes and removals end well' is "$bad$(grep -h fatal "$scratch"/adder? \
	"$scratch"/pusher? "$scratch"/remover?)" 0
count()
{
	git -C "$1" perf log --json base | jq '[.commits[].profiles[]] | length'
}
check 'the clone has exactly what was added' is "$(count "$one")" $((4 * adds + 1))
check 'no removed profile is in the clone' is "$(names "$one" | grep -c gone)" 0
check 'the last push' exits 0 git perf push
must git -C "$two" perf pull -q
check 'exactly that is in the other clone' \
	is "$(count "$two")" $((4 * adds + 1))
check 'nothing is wrong in the crowd' sound "$one"
check 'nothing is wrong at its remote' \
	exits 0 git -C "$server" fsck --strict --no-dangling
