#!/bin/sh
# What check, log, status and report say of one figure is of one judge: a level
# that got worse before, as much of the past as there is, and the least effect
# that the project has named.
. "$(dirname "$0")/../lib.sh"
need jq

# 60 commits: wall with noise of 1 % is 100 ms, from commit 50 on 115; a count
# is 1000, from commit 40 on 1100. Worse by 15 % and by 10 %.
git init -q "$scratch/one" && cd "$scratch/one" || exit 1
must git config user.name a
awk 'BEGIN { srand(11); for (i = 0; i < 60; i++)
	printf "%d %.6f %d\n", i, (i < 50 ? 100 : 115) * (1 + 0.02 * (rand() - 0.5)), i < 40 ? 1000 : 1100 }' \
	>"$scratch/values"
while read -r i wall count; do
	must git commit -q --allow-empty -m "commit $i"
	echo "[{\"name\": \"wall\", \"unit\": \"ms\", \"value\": $wall}]" >"$scratch/$i.wall"
	echo "[{\"name\": \"count\", \"unit\": \"count\", \"value\": $count}]" >"$scratch/$i.count"
	printf '%s\t%s\n' "$(git rev-parse HEAD)" "$scratch/$i.wall" >>"$scratch/walls"
	printf '%s\t%s\n' "$(git rev-parse HEAD)" "$scratch/$i.count" >>"$scratch/counts"
done <"$scratch/values"
must git perf add --stdin --format=customSmallerIsBetter --name=slow <"$scratch/walls" 2>"$err"
must git perf add --stdin --format=customSmallerIsBetter --name=counts <"$scratch/counts" 2>"$err"
slow=$(git rev-parse HEAD~9)
more=$(git rev-parse HEAD~19)

# standing JOB: what check says that this job's level began with
standing()
{
	git perf check --json | jq -c ".verdicts[] | select(.cmd == \"$1\") |
		[.verdict, .stands.commit, ((.stands.ratio // 0) * 100 | round)]"
}
# jumps [RANGE]: commits and changes that a report begins with
jumps()
{
	must git perf report "$@" -o "$scratch/page.html" 2>"$err"
	sed -n '/id="jumps"/,/<\/ul>/p' "$scratch/page.html" |
		sed -n 's/.*got worse by \([^ ]*\) at <code>\([0-9a-f]*\)<.*/\2 \1/p'
}
marks()
{
	git perf log --json --changes "$@" |
		jq -r '.commits[] | .commit as $c | (.changes // [])[] | $c'
}

check 'a commit on the new level did not change, and stands on it' is "$(standing slow)" \
	"[\"NoChange\",\"$slow\",115]"
check 'a count did not change either, and stands on its level' is "$(standing counts)" "[\"NoChange\",\"$more\",110]"
check 'check says so in words' exits 0 git perf check
check 'check says by how much a level changed, and where' mentions out \
	"slow wall got worse by \+1[45]\.[0-9]% at $(echo "$slow" | cut -c 1-10), 9 commits before"
check 'log marks the same' is "$(marks | sort)" "$(printf '%s\n' "$slow" "$more" | sort)"
jumps >"$scratch/whole"
check 'a report begins with the same' is "$(cut -d ' ' -f 1 "$scratch/whole")" \
	"$(printf '%.10s\n' "$slow" "$more")"
jumps HEAD~12..HEAD >"$scratch/week"
check 'a report of a week has the past that check has' is "$(cat "$scratch/week")" \
	"$(head -n 1 "$scratch/whole")"
jumps HEAD~5..HEAD >"$scratch/short"
check 'what was before the week is not of it' is "$(cat "$scratch/short")" ''

# The least effect that counts is the project's for all of them.
cat >.gitperf <<'END'
[metric "wall"]
	minEffect = 20%
[metric "count"]
	minEffect = 20%
END
check 'a smaller effect is none for check' is "$(standing slow)$(standing counts)" \
	'["NoChange",null,0]["NoChange",null,0]'
check 'log marks no smaller effect' is "$(marks)" ''
jumps >"$scratch/none"
check 'a report begins with no smaller effect' is "$(cat "$scratch/none")" ''
rm .gitperf

# What somebody has accepted is nothing to be said.
must git perf accept -m wanted "$slow" 2>"$err"
must git perf accept -m wanted "$more" 2>"$err"
check 'what was accepted does not stand' is "$(standing slow)$(standing counts)" \
	'["NoChange",null,0]["NoChange",null,0]'
jumps >"$scratch/none"
check 'a report does not begin with what was accepted' is "$(cat "$scratch/none")" ''

