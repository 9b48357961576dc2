#!/bin/sh
# The main job on a real history: 40 commits, one pprof profile each; through
# gc, a bare repository and another clone by plain git.
. "$(dirname "$0")/../lib.sh"
need jq
path=$measured/series
series=$path

must git clone -q -b main "$series/wordfreq.bundle" ../src
cd ../src || exit 1
must git remote rename origin bundle 2>/dev/null
tab=$(printf '\t')
sed 1d "$series/series.tsv" | while IFS=$tab read -r n commit rest; do
	short=$(echo "$commit" | cut -c1-10)
	printf '%s\t%s\n' "$commit" "$series/pprof/$n-$short.pb.gz"
done >../lines

check 'all 40 profiles are added as one batch' \
	exits 0 git perf add --stdin <../lines
check 'the batch is one commit of the notes' \
	is "$(git rev-list --count refs/notes/perf)" 1
check 'each commit has its profile' \
	is "$(git perf log --json --all | jq '[.commits[].profiles[]]|length')" 40

# KEYFIGURES.tsv has the samples and the CPU time of each profile.
git perf log --json --all >../log.json
jq -r '.commits[] | .commit as $c | .profiles[].metrics |
	[$c, (.[] | select(.name == "samples") | .median),
	 (.[] | select(.name == "cpu") | .median / 1e6)] | @tsv' \
	../log.json | sort >../figures
sed 1d "$series/KEYFIGURES.tsv" |
	awk -F '\t' '{printf "%s\t%d\t%d\n", $2, $12, $11}' | sort >../expected
check "figures are those of the profiler's own report" \
	same ../figures ../expected

check 'log --oneline of one commit works' \
	exits 0 git perf log -n 1 --oneline
check 'log --oneline shows cpu as the profiler reports it' \
	mentions out ' wordfreq  cpu  [0-9.]+ m?s +[-+][0-9.]+%$'

check 'gc keeps the bodies' exits 0 git gc -q --prune=now
must git init -q --bare -b main ../server.git
must git remote add origin ../server.git
must git push -q origin main
check 'plain push sends the profiles' exits 0 git push -q origin refs/notes/perf
must git clone -q ../server.git ../other
cd ../other || exit 1
check 'before the fetch a clone lists no profile' \
	is "$(git perf log --json | jq '[.commits[].profiles[]]|length')" 0
must git fetch -q origin refs/notes/perf:refs/notes/perf
git perf log --json >../b.json
git -C ../src perf log --json HEAD >../a.json
check 'both clones list the same' same ../a.json ../b.json
check 'git-perf finds no fault' exits 0 git perf fsck
check 'git finds no fault' exits 0 git fsck --strict
check 'git log shows readable lines' exits 0 git log --notes=perf -n 1
check 'the line in git log begins with the version' \
	mentions out '^    perf1 [0-9TZ:.-]+ '
check 'the line in git log is printable ASCII' not mentions out '[^ -~]'

# One profile of each clone to the same commit, one to different ones.
clone_add()
{
	printf 'main;%s %s\n' "$2" "$3" >"$2.folded"
	git perf add -m "$1" "$2.folded"
}
must clone_add HEAD one 1
must clone_add HEAD~1 two 2
cd ../src || exit 1
must git checkout -q main
must clone_add HEAD three 3
must clone_add HEAD~2 four 4
git perf log --json HEAD | jq -r '.commits[].profiles[].id' >../ids
git -C ../other perf log --json HEAD | jq -r '.commits[].profiles[].id' >>../ids
sort -u -o ../ids ../ids
must git fetch -q ../other refs/notes/perf:refs/notes/theirs
check 'git notes merge unites the notes of two clones' exits 0 \
	git notes --ref=perf merge -s cat_sort_uniq refs/notes/theirs
git perf log --json HEAD | jq -r '.commits[].profiles[].id' | sort >../united
check 'no line is lost in the merge' same ../ids ../united
check 'bodies of both sides are read after the merge' \
	exits 0 git perf show HEAD~1:two.folded
check 'fsck says which body left the tree' exits 1 git perf fsck
check 'fsck says how to anchor bodies again' \
	mentions out 'git perf fsck --repair'
must clone_add HEAD five 5
check 'fsck finds no fault after the next write' exits 0 git perf fsck
must git reflog expire --expire=now --all
must git gc -q --prune=now
check 'fsck finds no fault after gc' exits 0 git perf fsck
check 'git fsck finds no fault after gc' exits 0 git fsck --strict
