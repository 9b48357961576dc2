#!/bin/sh
# A long history whose notes nobody here has read: a second thread begins with
# them, and what is shown is what each commit has. Commit k was measured at 10k.
. "$(dirname "$0")/../lib.sh"
need jq

n=700
awk -v n=$n 'BEGIN {
	for (i = 1; i <= n; i++)
		printf "commit refs/heads/main\ncommitter A <a@b> %d +0000\n" \
			"data <<.\nc%d\n.\n\n", 1700000000 + i, i
}' | must git fast-import --quiet
{
	echo 'window.BENCHMARK_DATA = {"entries": {"a": ['
	git rev-list --reverse main | awk '{
		printf "%s{\"tool\": \"customBiggerIsBetter\", ", (NR > 1 ? "," : "")
		printf "\"commit\": {\"id\": \"%s\"}, ", $1
		printf "\"date\": %d000, \"benches\": [", 1700000000 + NR
		printf "{\"name\": \"n\", \"value\": %d, ", 10 * NR
		printf "\"unit\": \"points\"}]}\n"
	}'
	echo ']}};'
} >data.js
must git perf import data.js

# VALUES [OPTION...]: of a log for which nothing is cached.
first()
{
	seq $1 >want
	shift
	rm -rf .git/perf/cache
	again "$@"
}
again()
{
	git perf log --json "$@" >log.json || return 1
	jq '.commits[].profiles[].metrics[].values[0]' log.json >have
	cmp have want
}
all="$((10 * n)) -10 10"

check 'notes in the pack that the import wrote' first "$all"
check 'notes that are cached' again
must git gc -q
check 'notes in chains of deltas' first "$all"
check 'a log of the oldest first' first "10 10 $((10 * n))" --reverse
check 'a log of the newest 300' first '7000 -10 4010' -n 300
rm -rf .git/perf/cache
git perf log --graph --oneline |
	sed -n 's/,//; s/.* \([0-9]*\) points.*/\1/p' |
	head -n $n >have
seq $all >want
check 'a log that is drawn' cmp have want
git perf log >whole
rm -rf .git/perf/cache
check 'a reader that leaves' is "$(git perf log | head -n 3)" \
	"$(head -n 3 whole)"
mkdir aside && mv .git/objects/pack/pack-* aside
must sh -c 'for p in aside/*.pack; do git unpack-objects -q <"$p"; done'
check 'notes in files' first "$all"

# A partial clone without a fifth of the notes' folders, whose remote is away:
# a fetch that fails takes long, so that it is not tried for all that come.
git rev-list main | head -n 400 | cut -c 1-2 | sort -u >kept
git ls-tree refs/notes/perf | awk '$2 == "tree" { print $4, $3 }' | sort |
	join -v 2 kept - |
	while read -r _ tree; do
		rm -f ".git/objects/$(echo "$tree" | cut -c 1-2)/$(
			echo "$tree" | cut -c 3-
		)"
	done
git config core.repositoryformatversion 1
git config extensions.partialClone origin
git config remote.origin.promisor true
git config remote.origin.url "$scratch/away"
rm -rf .git/perf/cache
check 'a folder that cannot be fetched is told of' \
	exits 128 env GIT_TRACE2_EVENT="$scratch/trace" git perf log
tries=$(grep -c '"argv":\["git","cat-file","tree"' "$scratch/trace")
check 'a fetch of such folders is tried a few times' test "$tries" -ge 1 -a "$tries" -lt 8
