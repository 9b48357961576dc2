# A whole Perun store in and out. The stores are written and read back by
# tests/peer/perun_store.py, which knows Perun's bytes and nothing of ours.
. "$(dirname "$0")/lib.sh"

need python3 jq

peer()
{
	python3 "$root/tests/peer/perun_store.py" "$@"
}

# Nothing stored, nothing pending.
forget()
{
	git update-ref -d refs/notes/perf
	rm -rf .git/perf/jobs
}

entries()
{
	git perf log --json --all | jq '[.commits[].profiles[]] | length'
}

# The profile that Perun itself was run on: its object is 49e3749c...
cat >../a.json <<'END'
{"resources": {"ls#0": {"amount": [0.25], "order": [1]}},
 "resource_type_map": {"ls#0": {"subtype": "real", "time": "0.5", "type": "time", "uid": "ls"}},
 "models": [],
 "header": {"type": "time", "units": {"time": "s"}, "cmd": "ls", "workload": "/"},
 "collector_info": {"name": "time", "params": {}}, "postprocessors": []}
END
ls_object=49e3749c083aa4e051c1ba25cfe6a0720b3e8f29
cat >../b.json <<'END'
{"resources": {"main:f#0": {"amount": [100, 28], "address": [16, 32]}},
 "resource_type_map": {"main:f#0": {"subtype": "malloc", "type": "memory", "uid": {"function": "f", "source": "main"}}},
 "models": [],
 "header": {"type": "memory", "units": {"memory": "B"}, "cmd": "./prog", "args": "-x 1", "workload": "in.txt", "label": "nightly"},
 "collector_info": {"name": "memory", "params": {"all": true}},
 "postprocessors": [{"name": "regression_analysis", "params": {"method": "full"}}, {"name": "moving_average", "params": {}}],
 "machine": {"host": "bern\u00fcll", "cpu": {"total": 4}}}
END
jq -c '.header.cmd = "other"' ../a.json >../c.json

commit one
first=$(git rev-parse HEAD)
commit two
second=$(git rev-parse HEAD)

# One store of each layout: two profiles at the first commit, two at the
# second, one of which is listed twice.
for layout in v1 v2a v2b v2c; do
	store=../$layout/.perun
	must mkdir -p "$store/jobs"
	check "$layout: the object is Perun's own" is \
		"$(peer add "$store" $layout "$first" 1700000000 a.perf ../a.json)" $ls_object
	must peer add "$store" $layout "$first" 1700000100 b.perf ../b.json >../b.object
	must peer add "$store" $layout "$second" 1700000200 c.perf ../c.json >../c.object
	must peer add "$store" $layout "$second" 1700000300 again.perf ../a.json >../again
done
b_object=$(cat ../b.object)
c_object=$(cat ../c.object)

cat >../listed <<END
$first 1700000000 $ls_object a.perf
$first 1700000100 $b_object b.perf
$second 1700000200 $c_object c.perf
$second 1700000300 $ls_object again.perf
END
sort ../listed >../listed.sorted
cat >../measured <<END
[["a.perf", "time", "ls", null, "/", "time", null],
 ["again.perf", "time", "ls", null, "/", "time", null],
 ["b.perf", "memory", "./prog", "-x 1", "in.txt", "memory", "nightly"],
 ["c.perf", "time", "other", null, "/", "time", null]]
END

for layout in v1 v2a v2b v2c; do
	forget
	check "$layout: a dry run reads all" exits 0 git perf import -n ../$layout
	check 'and says so' says err \
		'would import 4 profiles at 2 commits and 0 pending ones'
	check 'and stores nothing' not git rev-parse -q --verify refs/notes/perf
	check "$layout: the store is imported" exits 0 git perf import ../$layout
	check 'with a word on it' prints err <<-END
	imported 4 profiles at 2 commits and 0 pending ones
	END
	check 'as one commit' is "$(git rev-list --count refs/notes/perf)" 1
	git perf log --json --all >"$out"
	check 'names, times, objects' json "[.commits[] | .commit as \$c | .profiles[] |
		[\$c, (.time | fromdate | tostring), .labels.perun, .name] | join(\" \")] | sort" \
		"$(jq -cRn '[inputs] | sort' ../listed)"
	check 'what was measured' json '[.commits[].profiles[] |
		[.name, .type, .cmd, .args, .workload, .collector, .labels.label]] | sort' \
		"$(jq -c . ../measured)"
	check 'is there already when it comes again' exits 0 git perf import ../$layout/.perun
	check 'and nothing is new' prints err <<-END
	imported 0 profiles at 0 commits and 0 pending ones
	4 were here already
	END
	check 'nor stored' is "$(git rev-list --count refs/notes/perf)" 1
	check "$layout: goes out again" exits 0 git perf export-perun --index=$layout ../out-$layout
	check 'with a word on it' prints err <<-END
	exported 4 profiles of 2 commits and 0 pending ones
	END
	check 'as a store that Perun reads' exits 0 peer list ../out-$layout/.perun $layout
	sort "$out" >../got
	check 'which lists the same objects' same ../got ../listed.sorted
	for c in $first $second; do
		index=objects/$(echo $c | sed 's,^..,&/,')
		check 'by the same index' same ../$layout/.perun/$index ../out-$layout/.perun/$index
	done
	check 'and says where the repository is' same ../out-$layout/.perun/local.yml - <<-END
	vcs:
	  type: git
	  url: "$scratch/repo"
	END
	check 'nothing else is left' is "$(ls -A ../out-$layout)" .perun
done

# The current layout without being asked; into a folder that has one: no.
check 'v2c is the default' exits 0 git perf export-perun ../default
check 'indeed' exits 0 peer list ../default/.perun v2c
check 'a store is not written over' exits 128 git perf export-perun ../default
check 'but named' mentions err "^fatal: there is '../default/.perun' already"
check 'nor is anything beside it' is "$(ls -A ../default)" .perun
check 'an unknown layout is a usage error' exits 129 git perf export-perun --index=v3 ../x
check 'a folder without rights' exits 128 git perf export-perun /proc/nowhere
check 'no store' exits 128 git perf import .git
check 'says what it looked for' mentions err "'.git' is no Perun store: need a folder '.perun', or 'objects' and 'jobs' in it"
check 'no folder' exits 128 git perf import ../nowhere
check 'two folders' exits 129 git perf import ../v1 ../v2a

# Two at once: what one has stored the other does not store again.
forget
git perf import ../v2c 2>../one &
git perf import ../v2c 2>../two
wait
check 'two imports at once' is "$(entries)" 4
check 'of which one had it all to do' is "$(cat ../one ../two | grep -c 'imported 4 ')" 1

# The same name again, which only the newest Perun forbids.
forget
store=../same/.perun
for time in 1700000000 1700000001 1700000001; do
	jq -c ".header.workload = \"$time\"" ../a.json >../d.json
	[ ! -f ../same/.perun/1 ] || jq -c '.header.cmd = "twin"' ../a.json >../d.json
	must peer add $store v2b "$first" $time same.perf ../d.json >"$scratch/object"
	[ $time = 1700000000 ] || : >../same/.perun/1
done
check 'names that stand more than once' exits 0 git perf import ../same
check 'are three profiles' is "$(entries)" 3
check 'in v2b' exits 0 git perf export-perun --index=v2b ../same-v2b
check 'one is numbered' is "$(peer list ../same-v2b/.perun v2b | cut -d' ' -f2,4 | sort | tr '\n' ' ')" \
	'1700000000 same.perf 1700000001 same(1).perf 1700000001 same.perf '
check 'in v2c' exits 0 git perf export-perun ../same-v2c
check 'two are' is "$(peer list ../same-v2c/.perun v2c | cut -d' ' -f4 | sort | tr '\n' ' ')" \
	'same(1).perf same(2).perf same.perf '

# What the model does not hold goes through as bytes.
forget
jq -c '.chunks = {"#1": "ls"} | .resource_type_map["ls#0"].uid = "#1"' ../a.json >../d.json
chunked=$(peer add ../chunks/.perun v2c "$first" 1700000000 chunks.perf ../d.json)
check 'a profile with chunks' exits 0 git perf import ../chunks
check 'is kept as it is' is "$(git perf export --raw 0@i -m "$first" | jq -cS .)" "$(jq -cS . ../d.json)"
check 'goes out' exits 0 git perf export-perun ../chunks-out
check 'as the same object' is "$(peer list ../chunks-out/.perun v2c | cut -d' ' -f3)" "$chunked"

# Broken things, one by one; the rest is imported.
forget
store=../broken/.perun
must peer add $store v2b "$first" 1700000000 good.perf ../b.json >"$out"
break_object()
{
	jq -c ".header.workload = \"$1\"" ../a.json >../d.json
	broken=$(peer add $store v2b "$first" 1700000000 $1.perf ../d.json)
	file=$store/objects/$(echo $broken | sed 's,^..,&/,')
}
break_object zlib
zlib=$broken
printf 'x\234garbage' >$file
break_object cut
cut=$broken
head -c 40 $file >../cut && cp ../cut $file
break_object header
header=$broken
peer object $store 'blob time %d' ../d.json $broken >"$out"
break_object type
type=$broken
peer object $store 'profile fast %d' ../d.json $broken >"$out"
break_object length
length=$broken
peer object $store 'profile time 7' ../d.json $broken >"$out"
break_object sha
sha=$broken
peer object $store 'profile time %d' ../c.json $broken >"$out"
break_object absent
absent=$broken
rm $file
break_object link
link=$broken
mv $file ../elsewhere
ln -s "$scratch/elsewhere" $file
break_object fifo
fifo=$broken
rm $file
mkfifo $file
json=$(jq -c '.resources = 7' ../a.json >../d.json && peer add $store v2b "$second" 1700000000 json.perf ../d.json)
must peer add $store v2b "$second" 1700000000 fine.perf ../a.json >"$out"
unlisted=$store/objects/44/00000000000000000000000000000000000000
must mkdir -p "${unlisted%/*}"
ln -s "$scratch/elsewhere" "$unlisted"
printf 'pidx\002\000\000\000\377\377\377\177' >../index
for id in 11 22; do
	mkdir -p $store/objects/$id
	cp ../index $store/objects/$id/00000000000000000000000000000000000000
done
ln -s "$scratch/v1/.perun/objects/$(echo $first | cut -c1-2)" $store/objects/ff
ln -s "$scratch/v1/.perun/jobs" $store/jobs
unknown=3333333333333333333333333333333333333333
must peer add $store v2b $unknown 1700000000 other.perf ../a.json >"$out"

check 'a store with much that is broken' exits 1 timeout 600 git perf import ../broken
check 'two are imported' says err 'imported 2 profiles at 2 commits and 0 pending ones'
check 'the summary counts' says err 'left out: 15 broken, 1 of unknown commits'
said()
{
	check "$1 is told" mentions err "^warning: object $2 \\('$1\\.perf' of [0-9a-f]{10}\\): $3"
}
said zlib $zlib 'corrupt compressed data'
said cut $cut 'corrupt compressed data'
said header $header "wrong header: it is no profile's"
said type $type 'wrong header: the type is none of'
said length $length 'wrong length: the header says 7 bytes, there are [0-9]+$'
said sha $sha "wrong name: the SHA-1 of what it holds is $c_object\$"
said absent $absent 'it is not there$'
said link $link 'it is a symbolic link, which is not followed$'
said fifo $fifo 'it is no regular file$'
said json $json "cannot read 'json.perf': .*resources"
check 'an index of too many entries' mentions err '^warning: index of commit 1100.*: 2147483647 entries cannot be in 12 bytes'
check 'a folder that is a link' mentions err "^warning: 'objects/ff': it is a symbolic link"
check 'also that of the jobs' mentions err "^warning: '.perun/jobs': it is a symbolic link"
check 'a commit that is not here' says err \
	"warning: no commit $unknown in this repository: 1 profile is left out"
check 'what may have been an index' mentions err '^warning: object or index 44000.*: it is a symbolic link'
check 'as one line each' is "$(grep -c '^warning: ' "$err")" 16
check 'fsck finds nothing' exits 0 git perf fsck

# Names are names, not paths.
forget
must peer add ../paths/.perun v1 "$first" 1700000000 ../../../../etc/passwd ../a.json >"$out"
must peer add ../paths/.perun v1 "$first" 1700000000 'o
dd.perf' ../c.json >"$out"
check 'a path in place of a name' exits 0 git perf import ../paths
check 'is only a name' exits 0 git perf export-perun --index=v1 ../paths-out
check 'of one file, in ASCII' is "$(peer list ../paths-out/.perun v1 | cut -d' ' -f4 | sort | tr '\n' ' ')" \
	'o%0Add.perf passwd '

# Changes are told, pending profiles are pending.
forget
store=../v2c/.perun
folder=$store/objects/$(echo $first | cut -c1-2)
changes=$folder/$(echo $first | cut -c3-).changes
echo "f PerformanceChange.Degradation amount 1 2 2 model 0.9 0 $second cmd" >"$changes"
printf 'g PerformanceChange.Optimization amount 2 1 0.5 model 0.9 0 %s cmd' $second >>"$changes"
jq -c "{origin: \"$second\"} + ." ../a.json >$store/jobs/pending.perf
jq -c "{origin: \"$unknown\"} + ." ../c.json >$store/jobs/lost.perf
echo '{' >$store/jobs/bad.perf
echo '{}' >$store/jobs/notes.txt
touch -d '2023-12-01 10:00:00 UTC' $store/jobs/pending.perf
check 'a store with pending profiles' exits 1 git perf import ../v2c
check 'one of which is broken' mentions err "^warning: pending 'bad.perf': .*line 2"
sed 1d "$err" >../rest
cp ../rest "$err"
check 'and changes' prints err <<END
2 changes that Perun found at 1 commit are not kept: verdicts are computed anew
imported 4 profiles at 2 commits and 2 pending ones
left out: 1 broken, 0 of unknown commits
END
git perf status --json >"$out"
check 'which are pending with their origin' json '[.pending[] | [.name, .origin, .cmd]] | sort_by(.[2])' \
	"[[\"pending.perf\",\"$second\",\"ls\"],[\"lost.perf\",\"$unknown\",\"other\"]]"
check 'and the time of the file' json '.pending[] | select(.name == "pending.perf") | .time' '"2023-12-01T10:00:00Z"'
rm $store/jobs/bad.perf
check 'once' exits 0 git perf import ../v2c
check 'only' says err 'imported 0 profiles at 0 commits and 0 pending ones'
check 'all six are here' says err '6 were here already'
must git perf add 1@p 2>"$err"
check 'also when one was added meanwhile' exits 0 git perf import ../v2c
check 'indeed' says err '6 were here already'
check 'a pending one goes out' exits 0 git perf export-perun ../with-pending
check 'and is told' says err 'exported 5 profiles of 2 commits and 1 pending one'
check 'with its origin' is "$(jq -r .origin ../with-pending/.perun/jobs/*.perf)" $unknown
check 'as Perun wrote it' is \
	"$(jq -cS 'del(.origin)' ../with-pending/.perun/jobs/*.perf)" "$(jq -cS . ../c.json)"

# A clone gets the same from the exported store.
must git clone -q . ../clone
cd ../clone || exit 1
check 'another clone imports what was exported' exits 0 git perf import ../with-pending
check 'all of it' says err 'imported 5 profiles at 2 commits and 1 pending one'
for n in 0@i 1@i; do
	check "$n is equal" is "$(git perf export --to=perun $n | git hash-object --stdin)" \
		"$(cd ../repo && git perf export --to=perun $n | git hash-object --stdin)"
done
cd ../repo || exit 1

# What has no place in a Perun profile stays here, and is named.
printf 'BenchmarkA-2 \t 100\t 12.5 ns/op\n' >../bench.txt
must git perf add --format=go-bench ../bench.txt 2>"$err"
printf 'main;f 3\nmain;g 4\n' >../stacks.folded
must git perf add -l os=linux ../stacks.folded 2>"$err"
check 'measurements without samples' exits 1 git perf export-perun ../mixed
check 'are left out' mentions err "^warning: 'bench.txt' of ${second%??????????????????????????????}: measurements without samples"
check 'the rest is written' says err 'exported 6 profiles of 2 commits and 1 pending one'
check 'stacks of another format, too' exits 0 peer list ../mixed/.perun v2c
check 'with their values' is "$(peer list ../mixed/.perun v2c | grep -c ' stacks.folded')" 1

# Several for one reason are one line, unless each is asked for.
printf 'BenchmarkB-2 \t 100\t 13.5 ns/op\n' >../bench2.txt
must git perf add --format=go-bench ../bench2.txt 2>"$err"
check 'two of them' exits 1 git perf export-perun ../mixed2
check 'are one line' says err "warning: 2 profiles, the first is 'bench2.txt' \
of $(git rev-parse --short=10 HEAD): measurements without samples have no \
place in a Perun profile"
check 'with the way to all' says err 'left out: 2 (-v names each)'
check 'which names them' exits 1 git perf export-perun -v ../mixed3
check 'one line each' is "$(grep -c "^warning: 'bench2*.txt' of" "$err")" 2
