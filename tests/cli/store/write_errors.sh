#!/bin/sh
# Every call of an add that puts something on the disk fails once, in git-perf
# and in the git that it runs: what is said to be added is there, what was there
# before stays, and nothing is left in the way of the next one.
# PERF_STEP is 1 where no call is left out.
. "$(dirname "$0")/../lib.sh"
bin=$(dirname "$(command -v git-perf)")
[ -f "$bin/errorpoint.so" ] || skip 'errorpoint.so is not built'
commit one
printf 'main;first 1\n' >p.folded
must git perf add p.folded
tip=$(git rev-parse refs/notes/perf)

# What `fsck` counts, or what it says.
count()
{
	git perf fsck 2>&1 | tail -n 1 |
		sed -n 's/.* \([0-9]*\) profiles*, .* 0 problems$/\1/p'
}
left_over()
{
	find .git -name '*.lock' -o -name 'tmp_*' -o -name '*.keep'
}
# adds MODE N: one add whose Nth call fails, its faults to ../faults
adds()
{
	rm -f ../saw
	printf 'main;work_%s_%d %d\n' "$1" "$2" "$2" >"$1-$2.folded"
	before=$(count)
	status=0
	ERRORPOINT=$2:$1 ERRORPOINT_SAW=$scratch/saw \
		LD_PRELOAD=$bin/errorpoint.so \
		ASAN_OPTIONS=verify_asan_link_order=0 \
		git-perf add "$1-$2.folded" 2>../said >/dev/null || status=$?
	after=$(count)
	if [ $status -eq 0 ]; then
		want=$((before + 1))
	elif grep -q 'has moved, but cannot be synced' ../said; then
		want=$((before + 1))
	else
		want=$before
		grep -q '^fatal: ' ../said ||
			echo "$1 $2: says no reason: $(tail -n 1 ../said)"
	fi
	[ "$after" = "$want" ] ||
		echo "$1 $2: status $status, $before before, $after behind: $(
			cat ../saw ../said | tr '\n' ' ')"
	[ -z "$(left_over)" ] ||
		echo "$1 $2: left $(left_over | tr '\n' ' ')"
} >>../faults

# all SENTENCE: every call, in each of the modes
all()
{
	: >../faults
	tried=0
	for mode in eio eintr enospc short; do
		n=1
		while adds $mode $n && [ -s ../saw ]; do
			tried=$((tried + 1))
			n=$((n + ${PERF_STEP:-4}))
			[ "$1" = later ] || must git update-ref -d refs/notes/perf
		done
	done
	check "$1: the calls were met" \
		test $((tried * ${PERF_STEP:-4})) -ge 60
	check "$1: no add lost or promised anything" is "$(cat ../faults)" ''
	check "$1: the next one" exits 0 git perf add p.folded
	check "$1: finds all in order" exits 0 git perf fsck
	check "$1: so does git" exits 0 git fsck --strict --no-dangling
}
all later
check 'the ref keeps what was there before the errors' \
	exits 0 git merge-base --is-ancestor "$tip" refs/notes/perf
check 'the reflog has whole lines' not \
	grep -vE '^[0-9a-f]{40} [0-9a-f]{40} .*	' .git/logs/refs/notes/perf
must git update-ref -d refs/notes/perf
all first
