#!/bin/sh
# pprof's own test profiles in the formats before profile.proto: each report
# equals the one of go tool pprof (1.19), which lies beside the profile.
. "$(dirname "$0")/../lib.sh"
data=$root/tests/data/pprof-legacy

# reports <profile>: top, tree and traces of all; later versions of pprof
# write the time in another way, so that line stays out
reports()
{
	for view in top tree traces; do
		echo "== -$view"
		git perf show --view=$view --nodecount=0 "$1" | sed '/^Time: /d'
	done
}

for file in "$data"/*.txt; do
	profile=${file%.txt}
	name=$(basename "$profile")
	case $name in
	LICENSE) continue ;;
	*.thread*) continue ;; # pprof leaves their names out
	esac
	reports "$profile" >got 2>&1
	check "reports of $name are pprof's" cmp "$file" got
done

# Of /threadz pprof takes the addresses alone, so that only its first lines,
# the program and the total, can be the same.
for name in cppbench.thread cppbench.thread.all cppbench.thread.none \
	go.godoc.thread; do
	git perf show "$data/$name" | sed -n 1,3p >got
	sed -n 2,4p "$data/$name.txt" >expected
	check "program and total of $name are pprof's" cmp expected got
done

# main, thread1 and thread2 stand in helper, nanosleep and Wait; thread3 is
# "same as previous", so that Wait has two.
git perf show --json "$data/cppbench.thread" >top.json
check "each thread counts once, where it stands" exits 0 jq -e '
	[.rows[] | select(.self > 0) | [.name, .self]] | sort ==
	[["Wait(int)", 2], ["helper(arg *)", 1], ["nanosleep", 1]]' top.json

# Java's frames are numbers, named behind the samples, which Go's reader of
# locks does not know.
printf -- '--- contentionz 1 ---\nformat = java\nresolution = microseconds\n' \
	>java
printf '   12   3 @ 0x1 0x2\n 0x1 com.f (F.java:7)\n 0x2 VM\n' >>java
git perf show java >"$out"
check "the unit is the file's resolution" grep -q '^ *12us .*com\.f$' "$out"
printf -- '--- heapz 1 ---\nformat = java\n' >java
check "a heap without its resolution is refused" exits 128 \
	git perf show java
check "what is missing is named" grep -q "expected 'resolution = <unit>'" \
	"$err"
printf 'resolution = bytes\nsize = 5\n' >>java
check "a setting that nobody knows is refused" exits 128 git perf show java
check "the line of the setting is named" grep -q "line 4: expected 'format" \
	"$err"
printf -- '--- heapz 1 ---\nformat = java\nresolution = bytes\n 7 0 @ 0x1\n' \
	>java
check "bytes of no object are refused" exits 128 git perf show java
printf -- '--- threadz 1 ---\n\n--- Thrad 7 ---\n' >threads
check "a head that is none is refused" exits 128 git perf show threads
check "the line of the head is named" grep -q "line 3: expected '--- Thread" \
	"$err"


# Addresses are those of the map behind the threads, which may follow a thread or,
# as pprof reads it, those without a stack: three of prog, one of libc.
for end in '' '---- no stack trace for thread 9\n\n'; do
	printf -- '--- threadz 1 ---\n\n--- Thread 7e (name: a/1) stack: ---\n' >threads
	printf -- '  0x400010 0x400020\n--- Thread 7f (name: b/2) stack: ---\n' >>threads
	printf '  0x7f0000000010 0x400030\n%bMAPPED_LIBRARIES:\n' "$end" >>threads
	printf '00400000-00500000 r-xp 00000000 08:01 1 /bin/prog\n' >>threads
	printf '7f0000000000-7f0000100000 r-xp 00000000 08:01 2 /lib/libc.so\n' >>threads
	git perf show --json threads >top.json
	check "threads stand in what is mapped there, behind '$end'" exits 0 jq -e '
		[.rows[] | [.name, .self, .total]] | sort ==
		[["[libc.so]", 1, 1], ["[prog]", 1, 2]]' top.json
done

# Growth and fragmentation have one pair of columns, the first, whatever the
# totals are, as pprof has it.
for kind in growthz fragmentationz; do
	printf 'heap profile: 3: 300 [9: 900] @ %s\n 3: 300 [9: 900] @ 0x11\n' $kind >heap
	git perf show --json heap >top.json
	check "$kind is what is in use" exits 0 jq -e '
		[.type, .rows[0].self] == ["space", 300]' top.json
done

# Of jemalloc's dumps pprof's own golden file (profile/testdata/jemalloc.heap)
# has 330 objects of 21633910 bytes for thread 1 and 264 of 17307128 for thread
# 2 of its first stack, scaled up from these: 594 and 38941038.
cat >jemalloc <<'END'
heap_v2/1048576
  t*: 36: 2360016 [0: 0]
  t1: 20: 1311120 [0: 0]
  t2: 16: 1048896 [0: 0]
@ 0x55c282d19bbc 0x55c282d0b3c5 0x55c282ca6459
  t*: 36: 2360016 [0: 0]
  t1: 20: 1311120 [0: 0]
  t2: 16: 1048896 [0: 0]
END
check "jemalloc's bytes are read" exits 0 git perf show --json jemalloc
check "jemalloc's bytes are scaled as pprof does" json .total 38941038
check "jemalloc's objects are read" exits 0 \
	git perf show --json --sample-index=objects jemalloc
check "jemalloc's objects are scaled as pprof does" json .total 594
check "jemalloc's threads are a label" exits 0 \
	git perf show --json --tagfocus='thread=^2$' jemalloc
check "jemalloc's thread has its own bytes" json '.rows[0].total' 17307128
