#!/bin/sh
# git perf collect -c memory: bytes and blocks of programs whose numbers are
# known (tools/allocate.c says them), odd programs, and heaptrack's figures.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:=cc}"

echo one >file
git add file
commit first
must "$CC" -g -O1 -fno-builtin-malloc -o ../allocate \
	"$root/tests/tools/allocate.c" -pthread -ldl
jobs=.git/perf/jobs

# memory MODE...: the figures of a run, in the order of the columns
memory()
{
	rm -rf "$jobs"
	exits 0 git perf collect -c memory --ignore-status --json \
		-- ../allocate "$@" || return
	jq -c '.profiles[0].metrics | map({(.name): .median}) | add |
		[.alloc_objects, .alloc_space, .inuse_objects, .inuse_space,
			.peak_space]' "$out"
}

# stacks COLUMN [UNIT]: the traces view
stacks()
{
	git perf show --view=traces --sample-index="$1" ${2:+--unit="$2"} 0@p
}

check 'every allocation function of the family is counted' \
	is "$(memory family)" \
	'[12,11500,1,0,10000]'
check 'each metric of memory has its unit' json \
	'[.profiles[0].metrics[] | [.name, .unit] | join(" ")] | sort' \
	'["alloc_objects count","alloc_space bytes","inuse_objects count","inuse_space bytes","peak_space bytes"]'
check 'the profile is of type memory' json '.profiles[0].type' '"memory"'
check 'the peak is that of the whole' is "$(memory peak)" \
	'[3,8000,1,1000,6000]'
stacks peak_space B >../stacks
check 'stacks have the bytes live at the peak' is \
	"$(sed -n 's/^ *\([0-9]*\)B  *\([a-z_]*\)$/\1 \2/p' ../stacks |
		sort -n | tr '\n' ';')" '1000 mode_peak;5000 take_five;'
check 'stacks of allocations reach main' grep -q '^ *main$' ../stacks

memory threads >../all
stacks alloc_space B >../stacks
check '64 threads lose nothing' is \
	"$(grep -c '640000B   allocate_and_free$' ../stacks)" 1
stacks inuse_objects >../stacks
check 'what threads do not free is counted as live' is \
	"$(grep -Ec '^ *64 +allocate_and_free$' ../stacks)" 1

check 'children of fork and exec are counted' is "$(memory fork)" \
	'[3,666666,3,666666,666666]'
git perf show --view=tags 0@p >../tags
check 'a child is told by its process name' grep -q 'process: Total' ../tags
for mode in crash kill exit; do
	check "the profile survives $mode" is "$(memory $mode)" \
		'[1,444444,1,444444,444444]'
done
memory kill >../all
check "the exit status of $mode is kept" json '.profiles[0].exit_status' 137
for mode in coroutine signal deep frames; do
	check "allocates: $mode" is "$(memory $mode)" '[1,555,1,555,555]'
	stacks alloc_space B >../stacks
	check "the allocation of $mode has its stack" \
		grep -q '555B   take_on' ../stacks
done
check 'the stack goes on behind odd frames' grep -q '^ *main$' ../stacks
memory signal >../all
stacks alloc_space B >../stacks
check 'the stack goes on behind a signal handler' grep -q '^ *main$' ../stacks

# An object that is gone at the end still gives names.
cat >../plugin.c <<'END'
#include <stdlib.h>
void *plugged(void);
void *plugged(void)
{
	return malloc(777);
}
END
must "$CC" -g -O0 -shared -fPIC -o ../plugin.so ../plugin.c
memory plugin ../plugin.so >../all
stacks alloc_space B >../stacks
check 'code of an unloaded library has names' grep -q '777B   plugged' ../stacks

# Depth, runs.
exits 0 git perf collect -c memory -O depth=1 -- ../allocate peak
stacks alloc_space B >../stacks
check 'stacks end at -O depth' not grep -q ' main$' ../stacks
check '-O depth above 256 is refused' exits 128 git perf collect -c memory \
	-O depth=257 -- ../allocate peak
check 'the refusal names the range of depth' says err \
	"fatal: bad depth '257', need a whole number of 1 to 256"
check 'several runs of memory work' exits 0 git perf collect -c memory -r 3 -w 1 --json \
	-- ../allocate peak
check 'each metric has a value for every run' json \
	'[.profiles[0].metrics[] | select(.name == "alloc_space") | .n, .values]' \
	'[3,[8000,8000,8000]]'
check 'the stacks are those of one run' json '.profiles[0].top.total' 8000
check 'a command that fails is fatal' exits 128 git perf collect \
	-c memory -- ../allocate nothing
check 'the failed command is named with its status' \
	says err "fatal: '../allocate' exited with status 2"

# Nothing can be loaded into a static program.
if echo 'int main(void) { return 0; }' >../static.c &&
	"$CC" -static -o ../static ../static.c 2>/dev/null; then
	check 'a static program is refused' exits 128 git perf collect \
		-c memory -- ../static
	check 'the refusal says that the program is static' mentions err \
		"^fatal: '../static' left no record: .* linked statically"
fi

# A program with an allocator of its own runs, and its blocks are not ours.
cat >../own.c <<'END'
#include <stddef.h>
#include <string.h>
static char pool[1 << 20];
static size_t used;
void *malloc(size_t size)
{
	void *p = pool + used;

	used += (size + 31) & ~(size_t)15;
	return p;
}
void *calloc(size_t n, size_t size)
{
	return memset(malloc(n * size), 0, n * size);
}
void *realloc(void *p, size_t size)
{
	return p ? memmove(malloc(size), p, size) : malloc(size);
}
void free(void *p)
{
	(void)p;
}
int main(void)
{
	return !malloc(10);
}
END
must "$CC" -O0 -w -fno-builtin -o ../own ../own.c
check 'a program with its own allocator runs' exits 0 git perf collect \
	-c memory --json -- ../own
check 'a private allocator is not seen' json '.profiles[0].metrics[0].median' 0

# A peer that needs no library in the program: massif's peak, and what memcheck
# says is allocated and left.
if command -v valgrind >/dev/null; then
	valgrind --tool=massif --heap-admin=0 --peak-inaccuracy=0.0 \
		--massif-out-file=../massif ../allocate peak 2>/dev/null
	valgrind ../allocate peak 2>&1 | tr -d , >../memcheck
	theirs=$(sed -n 's/.*in use at exit: \([0-9]*\) bytes in \([0-9]*\) .*/\2,\1/p' \
		../memcheck)
	check 'valgrind sees the same blocks, leaks and peak' \
		is "$(memory peak)" \
		"[$(sed -n 's/.*usage: \([0-9]*\) allocs.* \([0-9]*\) bytes .*/\1,\2/p' \
			../memcheck),$theirs,$(sed -n 's/^mem_heap_B=//p' ../massif |
			sort -n | tail -n 1)]"
fi

# The peer: heaptrack counts the same. It brings libstdc++ with it, whose pool
# is one block more: have that in the program, too.
command -v heaptrack >/dev/null && command -v heaptrack_print >/dev/null &&
	command -v zstd >/dev/null && command -v python3 >/dev/null || exit 0
"$CC" -g -O1 -fno-builtin-malloc -o ../allocate "$root/tests/tools/allocate.c" \
	-pthread -ldl -Wl,--no-as-needed -lstdc++ 2>/dev/null || exit 0

# calls, bytes, and bytes at the peak, of heaptrack's own record: "a SIZE
# TRACE" describes an allocation, "+ INDEX" and "- INDEX" make and free it.
theirs()
{
	zstd -dc ../peer.zst | python3 -c '
import sys
sizes, calls, bytes, live, peak = [], 0, 0, 0, 0
for line in sys.stdin:
    word = line.split() or [""]
    if word[0] == "a":
        sizes.append(int(word[1], 16))
    elif word[0] == "+":
        size = sizes[int(word[1], 16)]
        calls, bytes, live = calls + 1, bytes + size, live + size
        peak = max(peak, live)
    elif word[0] == "-":
        live -= sizes[int(word[1], 16)]
print("[%d,%d,%d]" % (calls, bytes, peak))'
}

for mode in peak threads; do
	rm -f ../peer.zst
	heaptrack -o ../peer ../allocate $mode >/dev/null 2>&1
	filter='[.[0], .[1], .[4]]'
	# the loader's table of a thread has 16 bytes for each object that is
	# loaded, and how threads overlap is another at each run
	[ $mode != threads ] || filter='[.[0]]'
	memory $mode >../all
	check "heaptrack counts the same: $mode" is \
		"$(jq -c "$filter" ../all)" "$(theirs | jq -c "$(echo "$filter" |
			sed 's/4/2/')")"
done
