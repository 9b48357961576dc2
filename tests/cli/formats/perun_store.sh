# A whole Perun store in and out. The stores are written and read back by
# tests/peer/perun_store.py, which knows Perun's bytes and nothing of ours.
. "$(dirname "$0")/../lib.sh"

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
sed 's/"cmd": "ls"/"cmd": "other"/' ../a.json >../c.json

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
	check "$layout: a dry run counts what it would import" says err \
		'would import 4 profiles at 2 commits and 0 pending ones'
	check "$layout: a dry run stores nothing" \
		not git rev-parse -q --verify refs/notes/perf
	check "$layout: the store is imported" exits 0 git perf import ../$layout
	check "$layout: the import says what it did" prints err <<-END
	imported 4 profiles at 2 commits and 0 pending ones
	END
	check "$layout: the import is one commit of the notes" \
		is "$(git rev-list --count refs/notes/perf)" 1
	git perf log --json --all >"$out"
	check "$layout: names, times and objects are imported" \
		json "[.commits[] | .commit as \$c | .profiles[] |
		[\$c, (.time | fromdate | tostring), .labels.perun, .name] | join(\" \")] | sort" \
		"$(jq -cRn '[inputs] | sort' ../listed)"
	check "$layout: commands, arguments and workloads are imported" \
		json '[.commits[].profiles[] |
		[.name, .type, .cmd, .args, .workload, .collector, .labels.label]] | sort' \
		"$(jq -c . ../measured)"
	check "$layout: a second import is accepted" \
		exits 0 git perf import ../$layout/.perun
	check "$layout: a second import finds nothing new" prints err <<-END
	imported 0 profiles at 0 commits and 0 pending ones
	4 were here already
	END
	check "$layout: a second import makes no commit" \
		is "$(git rev-list --count refs/notes/perf)" 1
	check "$layout: goes out again" exits 0 git perf export-perun --index=$layout ../out-$layout
	case $layout in
	v1) readers='up to 0.16.5' ;;
	v2a) readers='0.16.6 to 0.21.8' ;;
	v2b) readers='after 0.21.8, up to 0.23.7' ;;
	v2c) readers='0.23.8 and later' ;;
	esac
	check "$layout: the export says what it did, and who can read it" \
		prints err <<-END
	exported 4 profiles of 2 commits and 0 pending ones
	its indexes are read by Perun $readers (--index=$layout)
	END
	check "$layout: an independent reader lists the exported store" \
		exits 0 peer list ../out-$layout/.perun $layout
	sort "$out" >../got
	check "$layout: the exported store has the same objects" \
		same ../got ../listed.sorted
	for c in $first $second; do
		index=objects/$(echo $c | sed 's,^..,&/,')
		check "$layout: the exported index has the same bytes" \
			same ../$layout/.perun/$index ../out-$layout/.perun/$index
	done
	check "$layout: the exported store names its repository" \
		same ../out-$layout/.perun/local.yml - <<-END
	vcs:
	  type: git
	  url: "$scratch/repo"
	END
	check "$layout: the export writes nothing beside .perun" \
		is "$(ls -A ../out-$layout)" .perun
done

# The current layout without being asked; into a folder that has one: no.
check 'v2c is the default' exits 0 git perf export-perun ../default
check 'the default layout is read as v2c' \
	exits 0 peer list ../default/.perun v2c
check 'a folder called .perun is the store itself' \
	exits 0 git perf export-perun ../itself/.perun/
check 'the store of that name is read by itself' \
	exits 0 peer list ../itself/.perun v2c
check 'import takes the folder that export was given' \
	exits 0 git perf import ../itself/.perun
check 'a store that exists is not written over' \
	exits 128 git perf export-perun ../default
check 'the store that exists is named' \
	mentions err "^fatal: there is '../default/.perun' already"
check 'a refused export leaves nothing beside the store' \
	is "$(ls -A ../default)" .perun
check 'an unknown layout is a usage error' \
	exits 129 git perf export-perun --index=v3 ../x
check 'the error lists the layouts, and the nearest' mentions err \
	"there are v1, v2a, v2b, v2c; did you mean 'v1'\\?\$"
check 'an export to a folder without rights fails' \
	exits 128 git perf export-perun /proc/nowhere
check 'an import of a folder that is no store fails' \
	exits 128 git perf import .git
check 'the error says what a store would have' \
	mentions err "'.git' is no Perun store: need a folder '.perun', or 'objects' and 'jobs' in it"
check 'an import of a missing folder fails' exits 128 git perf import ../nowhere
check 'an import of two folders is a usage error' \
	exits 129 git perf import ../v1 ../v2a

# What is missing here is no reason to look for another tool's results.
forget
must git perf import ../v1
ls .git/objects/pack/*.pack >/dev/null 2>&1 && loosen
blob=$(git notes --ref=perf list | awk '{ print $1; exit }')
must rm -f ".git/objects/$(echo "$blob" | cut -c 1-2)/$(echo "$blob" |
	cut -c 3-)"
check 'an import beside a note that is missing fails' \
	exits 128 git perf import ../v2a
check 'what is missing is named' mentions err "$blob"
check 'no other tool is spoken of' not mentions err velocity

# Two at once: what one has stored the other does not store again.
forget
git perf import ../v2c 2>../one &
git perf import ../v2c 2>../two
wait
check 'two imports at once' is "$(entries)" 4
check 'one of two simultaneous imports does all the work' \
	is "$(cat ../one ../two | grep -c 'imported 4 ')" 1

# The same name again, which only the newest Perun forbids.
forget
store=../same/.perun
for time in 1700000000 1700000001 1700000001; do
	jq -c ".header.workload = \"$time\"" ../a.json >../d.json
	[ ! -f ../same/.perun/1 ] || jq -c '.header.cmd = "twin"' ../a.json >../d.json
	must peer add $store v2b "$first" $time same.perf ../d.json >"$scratch/object"
	[ $time = 1700000000 ] || : >../same/.perun/1
done
check 'profiles of one name at one commit are imported' \
	exits 0 git perf import ../same
check 'profiles of one name stay three profiles' is "$(entries)" 3
check 'profiles of one name are exported to v2b' \
	exits 0 git perf export-perun --index=v2b ../same-v2b
check 'one of the equal names gets a number in v2b' \
	is "$(peer list ../same-v2b/.perun v2b | cut -d' ' -f2,4 | sort | tr '\n' ' ')" \
	'1700000000 same.perf 1700000001 same(1).perf 1700000001 same.perf '
check 'profiles of one name are exported to v2c' \
	exits 0 git perf export-perun ../same-v2c
check 'two of the equal names get numbers in v2c' \
	is "$(peer list ../same-v2c/.perun v2c | cut -d' ' -f4 | sort | tr '\n' ' ')" \
	'same(1).perf same(2).perf same.perf '

# What the model does not hold goes through as bytes.
forget
jq -c '.chunks = {"#1": "ls"} | .resource_type_map["ls#0"].uid = "#1"' ../a.json >../d.json
chunked=$(peer add ../chunks/.perun v2c "$first" 1700000000 chunks.perf ../d.json)
check 'a profile with chunks is imported' exits 0 git perf import ../chunks
check 'a profile with chunks keeps its bytes' \
	is "$(git perf export --raw 0@i -m "$first" | jq -cs '. == $d' --slurpfile d ../d.json)" true
check 'a profile with chunks is exported' \
	exits 0 git perf export-perun ../chunks-out
check 'a profile with chunks is the same object again' \
	is "$(peer list ../chunks-out/.perun v2c | cut -d' ' -f3)" "$chunked"

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

check 'a store with broken objects is imported in part' \
	exits 1 timeout 600 git perf import ../broken
check 'the sound profiles of a broken store are imported' says err 'imported 2 profiles at 2 commits and 0 pending ones'
check 'the summary of an import counts what was left out' says err 'left out: 15 broken, 1 of unknown commits'
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
check 'an index with too many entries is told' \
	mentions err '^warning: index of commit 1100.*: 2147483647 entries cannot be in 12 bytes'
check 'an object folder that is a link is told' \
	mentions err "^warning: 'objects/ff': it is a symbolic link"
check 'a jobs folder that is a link is told' \
	mentions err "^warning: '.perun/jobs': it is a symbolic link"
check 'a commit that is not here is told' says err \
	"warning: no commit $unknown in this repository: 1 profile is left out"
check 'a broken link in place of an index is told' \
	mentions err '^warning: object or index 44000.*: it is a symbolic link'
check 'each broken thing is one warning' is "$(grep -c '^warning: ' "$err")" 16
check 'fsck finds nothing' exits 0 git perf fsck

# Names are names, not paths.
forget
must peer add ../paths/.perun v1 "$first" 1700000000 ../../../../etc/passwd ../a.json >"$out"
must peer add ../paths/.perun v1 "$first" 1700000000 'o
dd.perf' ../c.json >"$out"
check 'a name that is a path is imported' exits 0 git perf import ../paths
check 'a profile whose name is a path is exported' \
	exits 0 git perf export-perun --index=v1 ../paths-out
check 'a name that is a path becomes the name of one file' \
	is "$(peer list ../paths-out/.perun v1 | cut -d' ' -f4 | sort | tr '\n' ' ')" \
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
check 'a store with pending profiles is imported in part' \
	exits 1 git perf import ../v2c
check 'a broken pending profile is told' \
	mentions err "^warning: pending 'bad.perf': .*line 2"
sed 1d "$err" >../rest
cp ../rest "$err"
check 'the import says what it took of pending profiles' prints err <<END
2 changes that Perun found at 1 commit are not kept: verdicts are computed anew
imported 4 profiles at 2 commits and 2 pending ones
left out: 1 broken, 0 of unknown commits
END
git perf status --json >"$out"
check 'imported pending profiles have their origin' \
	json '[.pending[] | [.name, .origin, .cmd]] | sort_by(.[2])' \
	"[[\"pending.perf\",\"$second\",\"ls\"],[\"lost.perf\",\"$unknown\",\"other\"]]"
check 'an imported pending profile has the time of its file' \
	json '.pending[] | select(.name == "pending.perf") | .time' '"2023-12-01T10:00:00Z"'
rm $store/jobs/bad.perf
check 'an import of pending profiles can be repeated' \
	exits 0 git perf import ../v2c
check 'a repeated import takes no pending profile twice' \
	says err 'imported 0 profiles at 0 commits and 0 pending ones'
check 'a repeated import counts what was there' says err '6 were here already'
must git perf add 1@p 2>"$err"
check 'an import can be repeated after a pending profile was added' \
	exits 0 git perf import ../v2c
check 'an added pending profile counts as there' says err '6 were here already'
check 'a pending profile is exported' \
	exits 0 git perf export-perun ../with-pending
check 'the export counts the pending profile' \
	says err 'exported 5 profiles of 2 commits and 1 pending one'
check 'an exported pending profile has its origin' \
	is "$(jq -r .origin ../with-pending/.perun/jobs/*.perf)" $unknown
check 'an exported pending profile equals the one of Perun' is \
	"$(jq -cs 'map(del(.origin)) == $c' --slurpfile c ../c.json ../with-pending/.perun/jobs/*.perf)" true

# A clone gets the same from the exported store.
must git clone -q . ../clone
cd ../clone || exit 1
check 'another clone imports the exported store' \
	exits 0 git perf import ../with-pending
check 'the other clone imports every profile' \
	says err 'imported 5 profiles at 2 commits and 1 pending one'
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
check 'an export with measurements without samples is partial' \
	exits 1 git perf export-perun ../mixed
check 'a measurement without samples is left out with a warning' \
	mentions err "^warning: 'bench.txt' of ${second%??????????????????????????????}: measurements without samples"
check 'the export writes all but that measurement' says err 'exported 6 profiles of 2 commits and 1 pending one'
check 'stacks of another format are in the exported store' \
	exits 0 peer list ../mixed/.perun v2c
check 'stacks of another format have their values' \
	is "$(peer list ../mixed/.perun v2c | grep -c ' stacks.folded')" 1

# Several for one reason are one line, unless each is asked for.
printf 'BenchmarkB-2 \t 100\t 13.5 ns/op\n' >../bench2.txt
must git perf add --format=go-bench ../bench2.txt 2>"$err"
check 'an export with two measurements without samples is partial' \
	exits 1 git perf export-perun ../mixed2
check 'several left out profiles share a warning' \
	says err "warning: 2 profiles, the first is 'bench2.txt' \
of $(git rev-parse --short=10 HEAD): measurements without samples have no \
place in a Perun profile"
check 'the summary says how to name each left out profile' \
	says err 'left out: 2 (-v names each)'
check 'export-perun -v works' exits 1 git perf export-perun -v ../mixed3
check 'export-perun -v names each left out profile' \
	is "$(grep -c "^warning: 'bench2*.txt' of" "$err")" 2

# Two clones that take over one store and then exchange it.
must git init -q --bare "$scratch/server.git"
must git init -q "$scratch/here"
cd "$scratch/here" || exit 1
must git remote add origin "$scratch/server.git"
commit measured
must git push -q origin HEAD
must git clone -q "$scratch/server.git" "$scratch/there"
store=../shared/.perun
must mkdir -p $store/jobs
measured=$(git rev-parse HEAD)
must peer add $store v2c "$measured" 1700000000 a.perf ../a.json >"$out"
must peer add $store v2c "$measured" 1700000100 later.perf ../a.json >"$out"
must git perf import $store 2>"$err"
must git -C ../there perf import "$scratch/shared" 2>"$err"
must git perf push -q
must git -C ../there perf pull -q

# Values of all figures of the commit.
figures()
{
	git -C "$1" perf log --json | jq -c '[.commits[].series[].metrics[].n] | unique'
}
check 'records of both clones that took a store over are there' \
	is "$(git -C ../there perf log --json | jq '[.commits[].profiles[]] | length')" 4
check 'what both clones took over counts once, what was listed twice twice' \
	is "$(figures ../there)" "$(figures .)"
check 'OpenMetrics are those of one clone' is \
	"$(git -C ../there perf export --to=openmetrics | sort)" \
	"$(git perf export --to=openmetrics | sort)"
must git -C ../there perf rm 0@i 2>"$err"
check 'what is taken out in one clone counts by the other' \
	is "$(figures ../there)" "$(figures .)"
