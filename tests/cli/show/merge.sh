#!/bin/sh
# git perf merge: one profile out of many, of files, stored and pending ones.
. "$(dirname "$0")/../lib.sh"

printf 'main;f 3\nmain;g 5\n' >a.folded
printf 'main;f 4\nmain;h 1\n' >b.folded
printf 'x\n' >file
must git add file
commit first

check 'merge of two files works' exits 0 git perf merge --to=collapsed a.folded b.folded
check 'two files are added up' prints out <<-END
	main;f 7
	main;g 5
	main;h 1
END
must git perf add a.folded
must git perf add b.folded
check 'merge takes a range of stored profiles' exits 0 \
	git perf merge --to=collapsed 0@i-1@i
check 'stored profiles are added up as files are' mentions out '^main;f 7$'
check 'merge takes stored profiles between files' \
	exits 0 git perf merge --to=collapsed \
	a.folded b.folded 0@i a.folded b.folded 1@i a.folded b.folded \
	a.folded b.folded 0@i a.folded b.folded 1@i
check 'stored profiles between files are added up' prints out <<-END
	main;f 49
	main;g 35
	main;h 7
END
printf 'main;f\n' >bad.folded
check 'a bad and a missing file among many are fatal' \
	exits 128 git perf merge -o no.pb.gz \
	--format=collapsed a.folded a.folded a.folded a.folded a.folded \
	bad.folded a.folded a.folded a.folded a.folded a.folded none
check 'the missing file is named before the bad one' mentions err "'none'"
check 'the first bad file is named where none is missing' exits 128 git perf merge -o no.pb.gz \
	--format=collapsed a.folded a.folded a.folded a.folded a.folded \
	bad.folded a.folded a.folded a.folded a.folded a.folded
check 'the first bad file is named' \
	mentions err "^fatal: cannot read 'bad.folded': line 1"
check 'a failed merge leaves no file' not test -e no.pb.gz
check 'merge writes pprof without --to' exits 0 \
	git perf merge -o m.pb.gz a.folded b.folded
check 'formats recognises the merged file' exits 0 git perf formats m.pb.gz
check 'the merged file is pprof' mentions out 'pprof'
check 'merge of one profile is accepted' \
	exits 0 git perf merge -t collapsed ./a.folded
check 'merge of one profile has the same stacks' same a.folded "$out"

# main takes 10, and f 30 in two calls.
must cp "$root/tests/data/callgrind/two_functions.callgrind" one.callgrind
check 'call graphs keep their format' exits 0 \
	git perf merge -o two.callgrind one.callgrind one.callgrind
check 'show reads merged call graphs' exits 0 git perf show --json two.callgrind
check 'costs and calls of merged call graphs are added up' \
	json '.rows[] | select(.name == "f") | [.self, .calls]' '[60,4]'

check 'a call graph and stacks cannot be merged' exits 128 \
	git perf merge -o no.pb.gz a.folded one.callgrind
check 'the refusal names the call graph' mentions err \
	"^fatal: cannot merge 'one.callgrind': "
check 'a refused merge writes nothing' not test -e no.pb.gz
check 'a missing file is fatal for merge' \
	exits 128 git perf merge -o no.pb.gz a.folded none
check 'a missing file leaves no merged file' not test -e no.pb.gz
check 'merge without a profile is a usage error' \
	exits 129 git perf merge -o no.pb.gz
check 'merge of standard input twice is a usage error' \
	exits 129 git perf merge - - </dev/null
check 'the usage error says that standard input is read once' \
	mentions err 'can be read only once'
check 'an unknown format is a usage error of merge' \
	exits 129 git perf merge --to=nope a.folded

go=$measured/go
check 'profiles of go are merged as pprof' \
	exits 0 git perf merge -o merged.pb.gz \
	"$go/cpu.pb.gz" "$go/cpu2.pb.gz"
must same_profile merged.pb.gz "$go/merged-cpu-cpu2.pb.gz"
gzip -dc merged.pb.gz >ours
gzip -dc "$go/merged-cpu-cpu2.pb.gz" >theirs
check 'the merged message equals that of pprof to the byte' \
	same ours theirs

# What pstats itself makes of two dumps, function by function.
one=$measured/python/recursion-py3.11.7.prof
two=$measured/python/compileall-stdlib.prof
check 'merge of two pstats dumps works' exits 0 git perf merge -o m.prof "$one" "$two"
if command -v python3 >/dev/null; then
	check 'pstats adds up the same from both dumps' \
		exits 0 python3 -c '
import pstats, sys
want = pstats.Stats(sys.argv[1])
want.add(sys.argv[2])
have = pstats.Stats("m.prof")
def equal(a, b):
    return tuple(a)[:2] == tuple(b)[:2] and all(
        abs(x - y) < 1e-9 for x, y in zip(a[2:4], b[2:4]))
assert want.stats.keys() == have.stats.keys()
for name, row in want.stats.items():
    other = have.stats[name]
    assert equal(row, other), name
    assert row[4].keys() == other[4].keys(), name
    assert all(equal(row[4][c], other[4][c]) for c in row[4]), name
' "$one" "$two"
fi

# valgrind --separate-threads=yes leaves a file for each thread of one run, whose
# costs are 5 and 320; a further run is one of its own.
thread()
{
	printf 'version: 1\npid: %d\ncmd: a\npart: 1\nthread: %d\n' "$1" "$2"
	printf 'events: Ir\nsummary: %d\nfn=f\n1 %d\ntotals: %d\n' "$3" "$3" "$3"
}
thread 7 1 5 >one.out
thread 7 2 320 >two.out
thread 8 1 15 >other.out
check 'dumps of two threads are merged' exits 0 \
	git perf merge one.out two.out --to=git-perf -o both.perf
check 'the merged dumps are shown' exits 0 git perf show --json both.perf
check 'dumps of two threads are one run' json '[.total, .runs]' '[325,null]'
check 'threads are told apart' json \
	'.threads | map([.process, .thread, .cost])' '[["7","1",5],["7","2",320]]'
check 'the text names them' exits 0 git perf show both.perf
check 'each thread has its cost' says out 'Threads: 1 5, 2 320'
check 'metrics of threads are shown' exits 0 \
	git perf show --view=metrics --json both.perf
check 'metrics of threads add up' json '[.rows[] | [.name, .median, .n]]' \
	'[["Ir",325,1]]'
check 'dumps of two processes are merged' exits 0 \
	git perf merge one.out other.out --to=git-perf -o runs.perf
check 'the merged runs are shown' exits 0 git perf show --json runs.perf
check 'dumps of two processes are two runs' json '[.total, .runs]' '[10,2]'
check 'one dump twice is two runs' exits 0 \
	git perf merge one.out one.out --to=git-perf -o same.perf
check 'the dump that was merged twice is shown' exits 0 git perf show --json same.perf
check 'two runs of one dump cost what it does' json '[.total, .runs]' '[5,2]'

# Recorded one by one they are one value all the same: 5 + 320, and 15.
must git init -q threads
cd threads || exit 1
commit first
must git perf add ../one.out
must git perf add ../two.out
check 'a commit with the dumps of two threads is shown' \
	exits 0 git perf status --json
check 'the dumps of two threads are one value' json \
	'[.series[].metrics[] | [.name, .n, .median]]' '[["Ir",1,325]]'
must git perf add ../other.out
check 'a commit with a run of two threads and one of one is shown' \
	exits 0 git perf status --json
check 'runs are told apart by their processes' json \
	'[.series[].metrics[] | [.name, .n, .median]]' '[["Ir",2,170]]'
cd .. || exit 1

# The name of the output says the format, as of export.
printf 'main;f 3\nmain;g 4\n' >one.folded
check 'merge to a name of collapsed stacks works' \
	exits 0 git perf merge -o both.folded one.folded one.folded
check 'what is in it are collapsed stacks' is "$(cat both.folded)" \
	"$(printf 'main;f 6\nmain;g 8')"
check 'call graphs have no place in a file of pprof' \
	exits 128 git perf merge -o both.pb.gz one.out other.out
check 'a file that pprof cannot hold is not callgrind then' not test -e both.pb.gz
check 'merge to a name of pictures is refused' \
	exits 128 git perf merge -o both.svg one.folded one.folded
