#!/bin/sh
# `git perf check --run` of a commit that its own past lets suspect: it ends as
# soon as a slowdown of that size is not likely any more. What a run costs is what
# its commit says, so that each verdict follows from numbers written here.
. "$(dirname "$0")/../lib.sh"
need jq awk flock

# The runs of a commit cost the next lines of `costs` there, in whatever
# worktree, and from its end on the last two in turns.
counts=$scratch/counts
export counts
mkdir "$counts"
cat >run.sh <<'END'
side=$(cat side)
n=$(($(cat "$counts/$side" 2>/dev/null || echo 0) + 1))
echo $n >"$counts/$side"
lines=$(wc -l <costs)
[ $n -le $lines ] || n=$((lines - (n + lines) % 2))
printf '[{"name": "t", "unit": "ms", "value": %s}]\n' "$(sed -n "${n}p" costs)" >"$1"
END
cat >.gitperf <<'END'
[job "fake"]
	cmd = "sh run.sh {output}"
	runs = 5
	collector = command
	option = format=customSmallerIsBetter
END
# commit_of NAME LEVEL SESSION: runs cost LEVEL and SESSION % more in the session
# that the history has of it, with +-.3 % by run; then 100.3 and 99.7 % of it.
commit_of()
{
	echo "$1" >side
	awk -v level="$2" -v more="$3" 'BEGIN {
		split("1 1.003 .997 1.002 .998", by)
		for (i = 0; i < 6; i++)
			printf "%.4f\n", level * (1 + more / 100) * by[i % 5 + 1]
		printf "%.4f\n%.4f\n", level * 1.003, level * .997
	}' >costs
	must git add -A
	commit "$1"
}
n=0
for session in .6 -.4 .2 -.8 .5 -.1 .9 -.6 .1 -.3 .7 -.5; do
	n=$((n + 1))
	commit_of c$n 100 $session
done
must git tag base
commit_of unlucky 100 4
must git tag unlucky
must git perf trust >"$out" 2>"$err"
must git perf run HEAD~12 HEAD~12..HEAD >"$out" 2>"$err"

# Medians of the past are 100 and those per cents, 100 in the mean; the last one
# is 4 % above, more than four times as far as any other.
check 'a commit that lies far off its past may be slower' exits 0 \
	git perf check --metric='^t$' --json unlucky
check 'what lies far off its past is worth a comparison of builds' json \
	'.verdicts[0] | [.verdict, .flagged]' '["MaybeDegradation",true]'

# Its runs are now those of the base. With v = 20 vw + ... below 1e-4 each pair
# speaks against delta >= .005 by delta^2/2/v > .1 and, from delta = 1.2 % on, by
# .7 and more; the start is 2.5 * 3 - 3.125 = 4.4 at most.
check 'a suspicion that was none is no change' exits 0 git perf check --run base unlucky
check 'what was suspected is said not to be' mentions out \
	'^  not slower by [0-9.]+ %, as its past let suspect \(\+0\.0 %'
check 'a suspicion that was none takes fewer than six pairs' test \
	"$(sed -n 's/^  by t, \([0-9]*\) runs.*/\1/p' "$out")" -lt 12
check 'the record says what was suspected' is "$(git notes --ref=perf show unlucky |
	grep -c 'l\.duel-rule=[^ ]*suspected')" 1
check 'somebody who says what is to be asked is answered that' \
	exits 0 git perf check --run --tolerance=2% base unlucky
check 'a tolerance is answered by what is not larger' mentions out \
	'^  no change larger than 2 % '

# ln 1.04 = .0392 less or more than .006 in each pair: t is above 10 at six pairs.
must git checkout -q -b other base
commit_of slower 104 0
must git perf run HEAD >"$out" 2>"$err"
check 'a suspicion that is right is a degradation' exits 1 git perf check --run --json base HEAD
check 'a suspicion that is right is decided by its rule' json \
	'.verdicts[0] | [.verdict, .decision, .rule.max_pairs]' '["Degradation","slower",64]'
check 'what is slower than a base that is not the last one measured is asked for all' \
	exits 1 git perf check --run --json base~ HEAD
check 'all has the usual number of pairs' json '.verdicts[0].rule.max_pairs' 100
