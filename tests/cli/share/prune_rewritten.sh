#!/bin/sh
# What a change point or an acceptance names stays where the commits were
# rewritten, too: their records are at the commits that they were.
. "$(dirname "$0")/../lib.sh"
need jq

must git init -q repo
cd repo || exit 1

# Figures: 14 commits of 1000, 16 of 1300, a day each.
time=1600000000
n=0
while [ $n -lt 30 ]; do
	n=$((n + 1))
	time=$((time + 86400))
	echo $n >f
	must git add f
	GIT_AUTHOR_DATE="$time +0000" GIT_COMMITTER_DATE="$time +0000" \
		must git commit -q -m "k$n"
	cost=$((1000 + n * 7 % 5))
	[ $n -lt 15 ] || cost=$((cost + 300))
	printf 'main;work %d\nmain;io %d\n' $cost $((100 + n % 3)) >"$scratch/p.folded"
	must git perf add -n job "$scratch/p.folded" 2>"$scratch/said"
done
all=$(git rev-parse refs/notes/perf)
measured=$(git rev-parse HEAD)
# The commits of which a body is left.
with_body()
{
	for n in $(seq 1 30); do
		git perf show --view=top "$measured~$((30 - n)):job" 2>"$scratch/said" |
			grep -q ' work$' && echo "k$n"
	done | tr '\n' ' '
}
# kept COMMITS: a prune of bodies leaves theirs
kept()
{
	must git perf prune --offline --bodies=0 2>"$scratch/said"
	is "$(with_body)" "$1"
}
check 'bodies on both sides of a change stay' kept 'k14 k15 '
must git update-ref refs/notes/perf "$all"
must git rebase -q --root --force-rebase
check 'the rebase made other commits' not is "$(git rev-parse HEAD)" "$measured"
check 'bodies on both sides of a change stay after a rebase' kept 'k14 k15 '
must git update-ref refs/notes/perf "$all"
must git perf accept -m known HEAD~22 2>"$scratch/said"
check 'the body of what was accepted after a rebase stays' kept 'k8 k14 k15 '

# What an acceptance names stays for the change point when that is taken back.
must git reset -q --hard "$measured"
must git update-ref refs/notes/perf "$all"
left()
{
	git perf log --json | jq -r '.commits[] | select(.profiles | length > 0).subject' | tr '\n' ' '
}
must git perf accept -m known HEAD~15 2>"$scratch/said"
check 'prune beside an accepted change point' exits 0 git perf prune --offline --keep=last:2
check 'both sides of an accepted change stay' is "$(left)" 'k30 k29 k15 k14 '
must git perf accept --revoke HEAD~15 2>"$scratch/said"
check 'prune when nothing is accepted any more' exits 0 git perf prune --offline --keep=last:2
check 'both sides of a change that was accepted once stay' is "$(left)" 'k30 k29 k15 k14 '
