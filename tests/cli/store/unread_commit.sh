#!/bin/sh
# A commit that cannot be read, in a clone that is shallow besides: what cannot
# be told for it is said, and is not taken for the end of the clone.
. "$(dirname "$0")/../lib.sh"
for i in 1 2 3 4 5 6 7 8; do
	commit "$i"
	printf 'main;a %d\nmain;b 2\n' $((100 + i)) >p.folded
	must git perf add p.folded
done
must git clone -q --depth 6 "file://$PWD" ../shallow
cd ../shallow
must git perf pull
loosen
check 'the past of a shallow clone is judged' exits 0 git perf status
check 'status of a shallow clone warns of nothing' silent err
commit=$(git rev-parse HEAD~2)
file=.git/objects/$(echo "$commit" | cut -c 1-2)/$(echo "$commit" | cut -c 3-)
must test -f "$file"
chmod u+w "$file"
: >"$file"
rm -rf .git/perf/cache
check 'status beside a commit that cannot be read' exits 0 git perf status
check 'status says that it tells no regressions, and why' mentions err \
	"^warning: regressions are not told: .*$(echo "$commit" | cut -c 3-)"
check 'check beside a commit that cannot be read fails' exits 128 git perf check
check 'diff beside a commit that cannot be read fails' exits 128 git perf diff
