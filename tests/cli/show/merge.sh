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
check 'an unknown format is fatal for merge' \
	exits 128 git perf merge --to=nope a.folded

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
