#!/bin/sh
# A large profile of many different stacks, added in little memory. PERF_STACKS
# is how many.
. "$(dirname "$0")/../lib.sh"
need python3
stacks=${PERF_STACKS:-60000}
python3 - "$stacks" >"$scratch/large.folded" <<'END'
import random, sys
random.seed(1)
for i in range(int(sys.argv[1])):
    frames = ["f%d" % random.randrange(4000) for _ in range(32)]
    print(";".join(frames), random.randrange(1, 1000))
END
commit first
must git perf export --to=pprof -o "$scratch/large.pb.gz" "$scratch/large.folded"

# peak COMMAND...: its resident memory in kB
peak()
{
	python3 - "$@" <<'END'
import os, sys
pid = os.fork()
if not pid:
    os.dup2(2, 1)
    os.execvp(sys.argv[1], sys.argv[1:])
pid, status, used = os.wait4(pid, 0)
print(used.ru_maxrss if not status else 0)
END
}
# comes_back <what> <file>: the newest profile has the stacks of the file.
comes_back()
{
	must git perf export --to=collapsed -o "$scratch/back" 0@i
	must git perf export --to=collapsed -o "$scratch/there" "$2"
	sort "$scratch/back" >"$scratch/back.sorted"
	sort "$scratch/there" >"$scratch/there.sorted"
	check "$1 has all of its stacks" exits 0 \
		cmp "$scratch/back.sorted" "$scratch/there.sorted"
}

used=$(peak git-perf add "$scratch/large.pb.gz" 2>"$err")
check 'a large profile is added' test "$used" -gt 0
# The profile has four bytes a frame, its body four or five a path: 32 frames
# make 300, besides some 100 for a stack, and the program itself takes 12 MB.
[ -n "${ASAN_OPTIONS:-}" ] ||
	check "the add of a large profile takes little memory ($used kB)" \
		test "$used" -le $((12288 + stacks * 450 / 1024))
check 'a large profile is stored as a canonical body' \
	test "$(git notes --ref=perf show | grep -c ' body=canonical ')" -eq 1
check 'a large profile is sound' exits 0 git perf fsck
comes_back 'a large profile' "$scratch/large.pb.gz"

# The next one of the job, with one function renamed, builds on it. The base is
# there, too, with two bytes a path: 32 frames make 64 of them, besides as much
# as above for a stack. As columns a stack took 2,200 in all.
sed 's/;f17;/;g17;/g' "$scratch/large.folded" >"$scratch/next.folded"
must git perf export --to=pprof -o "$scratch/next.pb.gz" "$scratch/next.folded"
rm "$scratch/large.folded" "$scratch/next.folded"
commit second
used=$(peak git-perf add "$scratch/next.pb.gz" 2>"$err")
check 'the next one of the job is added' test "$used" -gt 0
[ -n "${ASAN_OPTIONS:-}" ] ||
	check "the add of the next one takes little memory ($used kB)" \
		test "$used" -le $((12288 + stacks * 650 / 1024))
size=$(git notes --ref=perf show | awk '{ print $6 }')
check "the next one is stored as a delta on the one before ($size bytes)" \
	test "$size" -le $((stacks * 10))
check 'two large profiles are sound' exits 0 git perf fsck
comes_back 'the next one' "$scratch/next.pb.gz"

commit third
check 'the first one is added again' exits 0 git perf add "$scratch/large.pb.gz"
check 'three large profiles are sound' exits 0 git perf fsck
