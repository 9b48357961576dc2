#!/bin/sh
# git-perf-json(5) against what --json prints: each member that is printed is
# on the page, with its type; each that the page does not call absent is there;
# each on the page was printed by some command below.
. "$(dirname "$0")/../lib.sh"
need jq cc valgrind

here=$root/tests/cli/program
page=$root/cmd/man/files/git-perf-json.adoc
must awk -f "$here/json.awk" "$page" >../rows
must jq -R -n -f "$here/json_page.jq" ../rows >../page

# What the page calls the documents, by the numbers of their checks: one look at
# all of them at the end is much faster than one at each.
mkdir ../kept
# The faults of these documents, and what else json.jq prints.
faults()
{
	jq -r --slurpfile pages "$scratch/page" \
		--rawfile objects "$scratch/objects" \
		-f "$here/json.jq" "$@"
}
# fits CODE OBJECT COMMAND...: keeps what it prints for the look at the end.
fits()
{
	wanted_code=$1
	object=$2
	shift 2
	exits "$wanted_code" "$@" || return 1
	cp "$out" "$scratch/kept/$checks"
	printf '%s\t%s\n' "$checks" "$object" >>"$scratch/objects"
}

view()
{
	fits 0 "show --view=$1" git perf show --json --view="$@"
}

# That a fault is found.
check 'status before the first commit' fits 0 status git perf status --json
cp "$out" ../document
finds()
{
	jq "$1" ../document >../0
	is "$(faults ../0 | grep -Ev '^(seen|printed) ')" "$2"
}
printf '0\tstatus\n' >>../objects
check 'a member that the page lacks is found' finds \
	'.profiles = [] | .more = 1' '0: status.more is not on the page'
check 'a member that is missing is found' finds 'del(.queued)' '0: status.queued is missing'
check 'a member of another type is found' finds '.queued = "0"' '0: status.queued is no integer'
check 'a member of a member is looked at' finds \
	'.pending = [{"path": 1, "time": "2024-05-01T12:00:00.25Z"}]' \
	'0: status.pending[].path is no string'

# Profiles of all kinds, in files.
go=$measured/go
cat >was.folded <<'STACKS'
main;gone 7
main;parse_all;read 5
main;work 30
STACKS
cat >is.folded <<'STACKS'
main;fresh 9
main;parse_all.part.0;read 5
main;work 60
STACKS
must jq .profile "$root/tests/data/models/expected.json" >points.perf
cat >was.json <<'BENCH'
{"context": {}, "benchmarks": [
{"name": "same", "run_type": "iteration", "iterations": 1,
"real_time": 5, "cpu_time": 5, "time_unit": "ns"},
{"name": "gone", "run_type": "iteration", "iterations": 1,
"real_time": 5, "cpu_time": 5, "time_unit": "ns"}]}
BENCH
must sed 's/gone/new/' was.json >is.json
# A pprof with what few programs write: a label with a unit, and a function's
# name for the linker. Fields as in profile.proto.
{
	printf '\012\004\010\001\020\002' # sample_type cpu, ns
	printf '\022\014\010\001\020\005' # sample at 1: 5, ...
	printf '\032\006\010\003\030\007\040\004' # ... label size: 7 bytes
	printf '\042\010\010\001\042\004\010\001\020\003' # location 1: line 3
	printf '\052\006\010\001\020\005\030\006' # function 1: both names
	printf '\062\000\062\003cpu\062\002ns\062\004size\062\005bytes'
	printf '\062\004a::b\062\011_ZN1a1bEv'
} >rare.pb

# Collecting, on a machine of which all is known.
GIT_PERF_QUIET=others:0.5,idle:0.1,steal:0,switches:7,load:1,mhz:2000,nice:10
cat >.gitperf <<'JOBS'
[job "good"]
	cmd = true
	args = one
	workload = two
	runs = 2
	postprocess = normalizer
[job "bad"]
	cmd = false
	runs = 1
JOBS
must git add .
commit first
must git perf trust >"$out" 2>&1
check 'collect of a command' fits 0 collect \
	git perf collect --json -r 2 --workload=w -l key=text -- true argument
check 'collect with the sampler' fits 0 collect git perf collect --json -c sample -- \
	sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
check 'top of what was sampled' view top 0@p
must git perf rm 0@p 2>"$err"
check 'collect of a command that fails' fits 0 collect \
	git perf collect --json -r 2 --ignore-status --shell 'exit 3'
check 'the warnings of a command that fails are printed' json '.profiles[0].exit_status,
	[.profiles[0].warnings[] | select(.kind == "failed")]' \
	'3
[{"kind":"failed","value":2}]'
check 'collect with samples, listed at once' fits 0 collect \
	git perf collect --json --add --name=stacks -c command \
	-O format=collapsed -- cp is.folded '{output}'
must rm -f '{output}'
check 'costs of the call tracer' fits 0 'collect --calibrate' git perf collect --json --calibrate=100
check 'list of the collectors' fits 0 'collect --list-collectors' git perf collect --json --list-collectors
check 'a collector in the list has its options, a flag without an argument' \
	json '.collectors[] | select(.name == "sample").options[-1]' \
	'{"key":"by-thread","summary":"label each sample with its thread"}'
check 'list of one collector' fits 0 'collect --list-collectors' git perf collect --json --list-collectors -c counters
check 'the list of one collector has its option with the argument' \
	json '[.collectors[] | .name, .options[].argument]' \
	'["counters","<name>,..."]'
check 'list of the postprocessors' fits 0 'model --list-postprocessors' \
	git perf model --json --list-postprocessors
check 'list of jobs' fits 0 'run --list' git perf run --list --json
check 'run of the commit at hand' fits 128 run git perf run --json
check 'run prints the job that failed beside the other' json '[.profiles, .failed | length]' '[1,1]'
commit second
check 'run of a commit that is named' fits 0 'run <revision>' git perf run --json --again HEAD
check 'duels of two commits, one of a job that fails' fits 0 'check --run' \
	git perf check --run --json --max-runs=12 --metric=max-rss \
	--allow-unknown HEAD~1 HEAD
check 'duels of layouts' fits 0 'check --run' git perf check --run --json --relink=6 --metric=max-rss \
	--allow-unknown HEAD~1 HEAD
check 'a noise study of a commit' fits 0 'check --selfcheck' git perf check --selfcheck --json --max-runs=60 \
	--metric=max-rss HEAD~1

# The index.
check 'fsck without a problem' fits 0 fsck git perf fsck --json
check 'what takes space as a tree' fits 0 size git perf size --by=tree --json
must git notes --ref=perf copy -f HEAD~1 HEAD 2>"$err"
must git perf add "$go/heap.pb.gz" 2>"$err"
must git perf model -p normalizer "$go/cpu.pb.gz" 2>"$err"
must git perf add 0@p 2>"$err"
must git perf collect -q -r 2 -- true
check 'metrics of what was measured' view metrics 0@p
echo >>points.perf
check 'collect in a changed tree' fits 0 collect \
	git perf collect --json --add -r 2 -- true
must git checkout -q points.perf
echo nothing >.git/perf/jobs/odd.perf
check 'log of copied and dirty records' fits 0 log git perf log --json
bench()
{
	printf 'BenchmarkA 1 10 ns/op %s B/op 1 allocs/op\n' "$1" >../bench.txt
	must git perf add --name=bench ../bench.txt 2>"$err"
}
bench 64
commit third
bench 80
printf '[job "broken"]\n\tbuild = false\n\tcmd = true\n' >../broken
exits 0 git perf run --config=../broken HEAD
check 'log of a metric that got worse and of a build that failed' fits 0 log \
	git perf log --json -n 1
check 'a series in JSON has its change from the last measured ancestor' json \
	'.commits[0].series[0] | [.series, .distance] +
	 (.metrics[] | select(.unit == "bytes") |
	  [.old, .median, .delta, .relative, .change])' \
	'["bench",1,64,80,16,0.25,"worse"]'
check 'a series in JSON says that its build failed' json \
	'.commits[0].series[-1] | [.series, .failed, .metrics]' \
	'["broken/time","build",[]]'
check 'status has the series that log has' fits 0 status git perf status --json
check 'status has the change, too' json \
	'[.series[].metrics[].change] | map(select(.))' '["worse"]'
must git reset -q --hard HEAD~1
must git init -q --bare ../server
must git remote add origin ../server
must git push -q origin main
must git perf init 2>"$err"
must git push -q origin refs/notes/perf
must git fetch -q origin
must git bisect start >"$out"
must git perf hooks install 2>"$err"
must chmod -x .git/hooks/post-merge
printf '1 1 %s why\n' "$(git rev-parse HEAD)" >.git/perf/unmeasured
check 'status with a remote, in a bisection' fits 0 status \
	git perf status --json
check 'status has profiles and pending ones' json \
	'(.profiles | length > 0), (.pending | length > 0)' 'true
true'
must git bisect reset 2>"$err"
INPLACE_BUILD='kill -9 $PPID' inplace begin HEAD~1 >"$out" 2>&1
check 'status after a run that was killed' fits 0 status git perf status --json
must git perf recover 2>"$err"
check 'status of hooks' fits 1 'hooks status' git perf hooks status --json
printf '10 10.2 9.9 10.1\n11 11.3 10.9 11.1\n' >pair
pair()
{
	git perf detect pair --json <pair
}
seq 200 | awk '{
	x = (x * 16807 + 7) % 2147483647
	print ($1 <= 60 ? 100 : 130 + $1 / 20) + 2 * x / 2147483647 }' >course
course()
{
	git perf detect history --json <course
}
check 'changes of a history' fits 0 'detect history' course
check 'verdict on a pair' fits 0 'detect pair' pair
printf '%s\t%s\t%s\t%s\t%s\n' parse '9 9 9' '18 18 18' '1 1 1' '2 2 2' \
	gone '7 7 7' '' '' '' work.part.0 '5 5 5' '' '' '' \
	work.isra.0 '' '5 5 5' '' '' noise '5 6 5' '6 5 5' '' '' >functions
functions()
{
	git perf detect functions --json <functions
}
check 'verdicts on functions' fits 0 'detect functions' functions
printf '10 11\n10.1 11.2\n9.9 11\n10 11.1\n10 10.9\n10.2 11.2\n' >duel
duel()
{
	git perf detect duel --json <duel
}
check 'outcome of a duel' fits 0 'detect duel' duel

# A bisection with what explains a change: a function that is called more often
# and from elsewhere, one that is new, one with another name; in a merge, behind
# a commit that does not build.
mkdir ../bisected
(
	cd ../bisected || exit 1
	must git init -q -b main
	noinline='__attribute__((noinline))'
	printf '%s\n' 'volatile int sum;' \
		"$noinline void go(int n) { while (n--) sum += n; }" \
		"$noinline void old(void) { int i = 900; while (i--) sum += i; }" \
		"$noinline void a(void) { int i; for (i = 0; i < 50; i++) go(90); }" \
		"$noinline void b(void) { go(9); }" \
		'int main(void) { a(); b(); old(); return 0; }' >p.c
	printf '%s\n' '[job "p"]' 'build = cc -g -O1 -o p p.c' 'cmd = ./p' \
		'workload = w' 'collector = callgrind' >../bisect.job
	echo p >.gitignore
	must git add .
	commit one
	must git checkout -q -b side
	must cp p.c p
	echo 'int main(' >p.c
	must git commit -q -a -m broken
	sed -e 's/old(/renamed(/' -e 's/i < 50; i++) go(90)/i < 9; i++) go(90)/' \
		-e "s/void b(void) { go(9); }/void more(void) { int i = 9000; \
while (i--) sum += i; } $noinline void b(void) \
{ int i; for (i = 0; i < 95; i++) go(90); more(); }/" p >p.c
	must git commit -q -a -m changed
	must git checkout -q main
	: >beside
	must git add beside
	commit beside
	must git merge -q --no-ff -m merged side
)
for rev in main~2 main~2 side side side; do
	must git -C ../bisected perf run --config=../bisect.job --again "$rev" \
		2>/dev/null >&2
done
check 'commit that changed a metric' fits 0 bisect git -C ../bisected perf bisect --config=../bisect.job \
	--json main~2 main
check 'verdicts on functions' fits 1 check git -C ../bisected perf check --functions --json main~2 side
why()
{
	git -C ../bisected perf check --json main~2 side
}
check 'verdicts with what explains them' fits 1 check why
# Three times the costs of the same sizes.
for factor in 1 3; do
	jq -n --argjson factor $factor '{header: {type: "mixed", cmd: "sized",
		args: "", workload: "", units: {mixed: "ns"}},
		collector_info: {name: "complexity", params: {}},
		postprocessors: [], global: {time: 0, resources: [
		range(1; 21) as $n | {amount: ($factor * (10 + 2 * $n)), uid: "f",
		type: "mixed", "structure-unit-size": $n}]}}' >../sized.perf
	must git -C ../bisected perf add -f -m \
		"$([ $factor = 1 ] && echo main~2 || echo side)" \
		../sized.perf 2>/dev/null >&2
done
detector()
{
	git -C ../bisected perf check --json --detector=fast_check main~2 side
}
check 'verdicts of a detector' fits 1 'check --detector' detector
check 'list of formats' fits 0 formats git perf formats --json

# fsck: bodies that nobody needs, and a fault.
blob=$(echo nothing | git hash-object -w --stdin)
export GIT_INDEX_FILE=$scratch/index
must git read-tree refs/notes/perf
must git update-index --add --cacheinfo "100644,$blob,\
objects/$(echo "$blob" | cut -c 1-2)/$(echo "$blob" | cut -c 3-)"
must git update-ref refs/notes/perf "$(git commit-tree -m odd \
	-p refs/notes/perf "$(git write-tree)")"
unset GIT_INDEX_FILE
check 'fsck with faults and a body that nobody needs' fits 1 fsck git perf fsck --json
check 'the body that nobody needs is named' json .unused_bodies \
	"[\"$blob\"]"

# Views.
for file in "$go/cpu.pb.gz" "$go/heap.pb.gz" is.folded rare.pb \
	"$measured/callgrind/wordfreq.callgrind"; do
	name=${file##*/}
	check "top of $name" view top --nodecount=20 "$file"
	check "tree of $name" view tree --nodecount=20 "$file"
	[ "$name" != wordfreq.callgrind ] || continue
	check "traces of $name" view traces "$file"
	check "tags of $name" view tags "$file"
	check "raw of $name" view raw "$file"
done
must git perf collect -q -c command -O format=collapsed -r 2 -- \
	cp is.folded '{output}'
must git perf export --to=git-perf -o runs.perf 0@p
must git perf rm 0@p 2>"$err"
check 'top of two runs' view top runs.perf
check 'raw of two runs' view raw runs.perf
check 'diff of one run and two' fits 0 'diff --view=top' \
	git perf diff --json was.folded runs.perf
check 'raw with binaries' view raw "$root/tests/data/firefox/version75.json"
check 'top by lines' view top --granularity=lines --nodecount=20 "$go/cpu.pb.gz"
check 'peek at a function' fits 0 'show --view=tree' git perf show --json --view=peek \
	--function=main "$go/cpu.pb.gz"
must git perf export --to=pprof --add-comment='# said' -o said.pb.gz "$go/cpu.pb.gz"
check 'comments of a profile' view comments said.pb.gz
check 'diff of comments' fits 0 'show --view=comments' \
	git perf diff --json --view=comments said.pb.gz "$go/cpu2.pb.gz"
check 'dot of a profile' fits 0 'show --view=tree' git perf show --json --view=dot "$go/cpu.pb.gz"
for name in stats callers callees; do
	check "$name of a dump" fits 0 'show --view=stats' git perf show \
		--json --view=$name "$measured/python/recursion-pureprofile-py3.11.prof"
	check "diff --view=$name" fits 0 'show --view=stats' git perf diff --json \
		--view=$name "$measured/python/recursion-py3.8.18.prof" \
		"$measured/python/recursion-py3.11.7.prof"
done
check 'the view flamegraph has its documented JSON' view flamegraph "$go/cpu.pb.gz"
check 'the view sandwich has its documented JSON' view sandwich --function=main "$go/cpu.pb.gz"
check 'the view metrics has its documented JSON' view metrics was.json
for post in 'regression-analysis' 'regressogram' 'moving-average' \
	'moving-average method=ema' 'kernel-regression'; do
	check "model of $post" fits 0 model \
		git perf model --json -p "$post" points.perf
done
check 'model of a profile of the commit' fits 0 model \
	git perf model --json -p normalizer stacks
check 'the commit that has the profile is named' json .origin \
	"\"$(git rev-parse HEAD)\""
check 'model of a pending profile' fits 0 model \
	git perf model --json -p regressogram 1@p
check 'models that are kept' view models 0@p
check 'a table of resources' view table 0@p
check 'a table of models' view table --models 0@p
check 'bars of functions' view bars "$go/cpu.pb.gz"
check 'bars by a label' view bars --by=kind "$go/cpu.pb.gz"
check 'the JSON of a flow is documented' fits 0 'show --view=bars' git perf show --json --view=flow --per=line "$go/cpu.pb.gz"
check 'points with models' view scatter 0@p
cat >heap.perf <<'END'
{"header": {"type": "memory", "units": {"memory": "B"}, "cmd": "a", "workload": ""},
"collector_info": {"name": "memory", "params": {}}, "postprocessors": [], "snapshots": [{"time": "0.5", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 4, "address": 1000, "uid": "f"}]}]}
END
must sed 's/1000/2000/' heap.perf >far.perf
must cp "$go/heap.pb.gz" heap2.pb.gz
must git perf merge -t git-perf -o heaps.perf "$go/heap.pb.gz" heap2.pb.gz
for view in table bars alloclist; do
	check "$view of several runs" view $view heaps.perf
done
check 'a map of a heap' view heapmap heap.perf
check 'a list of allocations' view alloclist heap.perf
check 'places that allocate' view alloclist --mode=sum heap.perf
check 'allocations of a difference' fits 0 'show --view=alloclist' git perf diff --json \
	--view=alloclist "$go/heap.pb.gz" "$go/heap.pb.gz"
check 'a map of a difference' fits 0 'show --view=heapmap' git perf diff --json \
	--view=heapmap heap.perf far.perf

# Differences.
differ()
{
	fits 0 "$1" git perf diff --json --view="$2" --function=. "$3" "$4"
}
check 'a table of a difference' differ 'show --view=table' table "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
check 'bars of a difference' differ 'show --view=bars' bars "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
check 'a flow of a difference' fits 0 'show --view=bars' git perf diff --json --view=flow \
	--per=line "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
check 'points of a difference' fits 0 'show --view=scatter' git perf diff --json --view=scatter \
	--per=line "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
must awk 'NR < 4' was.folded >before.folded
check 'diff of stacks' fits 0 'diff --view=top' \
	git perf diff --json --normalize before.folded is.folded
check 'stacks and a call graph' view top "$root/tests/data/stackprof/raw.json"
check 'diff of call graphs' fits 0 'diff --view=top' git perf diff --json \
	--nodefraction=0 "$measured/callgrind/wordfreq.callgrind" \
	"$measured/callgrind/wordfreq-nocompress.callgrind"
check 'diff of profiles with lines' fits 0 'diff --view=top' git perf diff \
	--json --granularity=lines "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
for name in tree traces tags raw; do
	check "diff --view=$name prints what the page has" differ "show --view=$name" $name \
		"$go/cpu.pb.gz" "$go/cpu2.pb.gz"
done
for name in peek dot; do
	check "diff --view=$name prints what the page has" differ 'show --view=tree' $name \
		"$go/cpu.pb.gz" "$go/cpu2.pb.gz"
done
for name in flamegraph sandwich; do
	check "a $name of two profiles" differ "show --view=$name" $name "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
done
check 'costs of threads' view top "$measured/racket/threads.json"
printf '%s\n' '# callgrind format' 'pid: 7' 'events: Ir' 'thread: 1' fn=f '1 2' \
	'thread: 2' fn=g '1 3' >threads.callgrind
check 'costs of threads of a process' view top ./threads.callgrind
check 'a graph as Racket has it' view graph "$measured/racket/run.json"
check 'a graph of two profiles' differ 'show --view=graph' graph "$go/cpu.pb.gz" "$go/cpu2.pb.gz"
check 'a list of source of two profiles' differ 'show --view=list' list "$go/cpu.pb.gz" "$go/cpu2.pb.gz"

# The instructions of a program: 0x10 of spin, wherever it is in its file.
printf '%s\n' 'void spin(void)' '{' '	__asm__("nop; nop; nop");' '}' \
	'int main(void)' '{' '	spin();' '	return 0;' '}' >spin.c
must cc -O1 -g -no-pie -o spin spin.c
{
	printf '%s\n' '# callgrind format' 'positions: instr line' 'events: Ir' \
		"ob=$PWD/spin" "fl=$PWD/spin.c" fn=spin
	echo "0x$(nm spin | sed -n 's/ T spin$//p') 3 16"
} >spin.callgrind
sed "s/ 16\$/ 26/" spin.callgrind >spin2.callgrind
check 'instructions of a function' view disasm --function=spin --binary-path=spin spin.callgrind
check 'instructions of a difference' fits 0 'show --view=disasm' git perf diff --json \
	--view=disasm --function=spin --binary-path=spin spin.callgrind spin2.callgrind

# Source beside costs, in a repository of its own.
mkdir ../annotated
(
	cd ../annotated || exit 1
	must git init -q -b main
	printf '%s\n' 'int main(void)' '{' '	return 0;' '}' >../p.c
	cp ../p.c p.c
	must git add p.c
	commit source
	printf '%s\n' '# callgrind format' 'events: Ir' fl=p.c fn=main '3 4' '9 2' \
		fl=q.c fn=q '1 1' fl=??? 'fn=???' '0 1' >../p.callgrind
	must git perf add --name=lines ../p.callgrind 2>"$err"
	echo '/* new */' | cat - ../p.c | sed 's/0;/1;/' >p.c
	must git add p.c
	commit changed
	must git perf add --name=lines ../p.callgrind 2>"$err"
)
annotated()
{
	object=$1
	shift
	(cd ../annotated && fits 0 "$object" "$@")
}
check 'a list of source' annotated 'show --view=list' git perf show --json --view=list --function=. HEAD
check 'a file with costs' annotated annotate git perf annotate --json p.c
check 'a file of two commits' annotated annotate \
	git perf annotate --json --against=HEAD~ p.c
must git commit -qm 'one series' --allow-empty
must git perf add -l job=bench --name=bench was.json
must git perf collect -q --add -r 4 --workload=w -- true one
must git commit -qm 'the same series' --allow-empty
must git perf add -l job=bench --name=bench is.json
must git perf collect -q --add -r 4 --workload=w -- true one
printf 'main;f 1\n' >tracked.folded
must git add tracked.folded
must git perf collect -q --add -r 1 -- true two
must git perf collect -q -r 6 --name=six -- true
check 'show of six runs' fits 0 'show --view=metrics' git perf show --json six
check 'the series of a commit' fits 0 'show <revision>' \
	git perf show --json
check 'the series of two commits' fits 0 'diff <revision>' \
	git perf diff --json
check 'diff of benchmarks' differ 'diff --view=metrics' metrics \
	was.json is.json

# Verdicts: of nine commits of which one was measured on a busy machine and the
# last one is three times as slow, of a job by name.
# A busy machine makes them sure or not: no verdict fails here.
verdicts()
{
	git perf check --json --fail-on=NotInTarget
}
for n in 1 2 3 4 5 6 7 8 9; do
	must git commit -qm "commit $n" --allow-empty
	busy=
	[ $n != 4 ] || busy=others:0.9
	slow=1
	[ $n != 9 ] || slow=3
	echo "sleep 0.0$((slow * 2))" >gauge
	GIT_PERF_QUIET=$busy must git perf collect -q --add -r 3 \
		-l job=judged --workload=w -- sh gauge now 2>"$err"
done
check 'verdicts on a commit' fits 0 check verdicts
must git perf accept -m wanted HEAD 2>"$err"
check 'verdicts on a change that is accepted' fits 0 check verdicts
must git perf accept -m why --job=judged --metric=wall HEAD~3..HEAD 2>"$err"
for n in 100 100 100 120 130; do
	must git commit -qm "count $n" --allow-empty
	echo "[{\"name\": \"allocs\", \"unit\": \"count\", \"value\": $n}]" >count.json
	must git perf add --format=customSmallerIsBetter --name=counted count.json 2>"$err"
	[ $n != 120 ] || must git perf accept -m wanted HEAD 2>"$err"
done
check 'log of changes' fits 0 log git perf log --json --changes -n 5
check 'status after a regression' fits 0 status git perf status --json
must git tag v1
sed 's/130/140/' count.json >more.json
for n in 1 2 3 4; do
	must git commit -qm "more $n" --allow-empty
	must git perf add --format=customSmallerIsBetter --name=counted more.json 2>"$err"
done
check 'status after a regression since a tag' fits 0 status git perf status --json
check 'verdicts on a level that got worse before' fits 0 check verdicts
must git reset -q --soft HEAD~9
here_again=$PWD
must git init -q -b main ../functions
cd ../functions || exit 1
calls()
{
	commit "$1"
	printf 'events: Ir\nfl=a.c\nfn=%s\n1 %d\nfn=main\n2 9\n' "$1" "$2"
	printf 'cfn=%s\ncalls=3 1\n3 %d\n' "$1" "$2"
}
printf 'int old;\n' >a.c
must git add a.c
calls old 100 >../callgrind.old
must git perf add --name=f --format=callgrind ../callgrind.old 2>"$err"
calls new 110 >../callgrind.new
must git perf add --name=f --format=callgrind ../callgrind.new 2>"$err"
printf 'main;f 7\n' >../f.folded
must git perf add --format=collapsed ../f.folded 2>"$err"
check 'log of functions' fits 0 'log --function' git perf log --json --function=.
check 'blame of functions' fits 0 blame git perf blame --json new
printf 'int new;\n' >a.c
echo >other
must git add .
check 'impact of the index' fits 0 impact git perf impact --cached --json
must git commit -qm change
check 'impact of a commit' fits 0 impact git perf impact --json HEAD
printf 'int late;\n' >>a.c
check 'impact of no function' fits 0 impact git perf impact --json
must git checkout -q a.c
must git init -q -b main ../drifting
cd ../drifting || exit 1
for n in 100 107 106 114 113 121 119 128 127 136 134 144; do
	must git commit -qm "$n" --allow-empty
	printf 'main;f %d00\nmain;g %d\n' "$n" $((n < 144 ? 50000 : 70000)) >../f.folded
	must git perf add --format=collapsed ../f.folded 2>"$err"
done
check 'blame of a drift and of a newest commit in doubt' fits 0 blame git perf blame --json 'f|g'
cd "$here_again" || exit 1
check 'log of what is accepted' fits 0 log git perf log --json -n 1
check 'no verdict on a job that is new' fits 125 check git perf check --json HEAD~8

# Every document that was printed.
shapes()
{
	(cd ../kept && faults *) >../found || return 1
	grep -Ev '^(seen|printed) ' ../found | sort | uniq -c >../wrong
	cat ../wrong >&2
	[ ! -s ../wrong ]
}
check 'each document, by the number of its check, is as the page says' shapes
grep '^seen ' ../found >../marks
sed -n 's/^printed //p' ../found >../printed

# Nothing was passed over: commands, views, documents and members.
for command in $(git-perf --list-commands | cut -f 1); do
	! git-perf "$command" --list-options | grep -q '^--json' ||
		echo "$command"
done | sort >../commands
check 'every command with --json was run' is \
	"$(cut -f 1 ../printed | sort -u)" "$(cat ../commands)"
git-perf show --list-options |
	awk -F '\t' '$1 == "--view=" { gsub(" ", "\n", $3); print $3 }' |
	sort >../views
check 'every view was shown' is "$(awk -F '\t' '$1 == "show" && $2 { print $2 }' \
	../printed | sort -u)" "$(cat ../views)"
check 'every view but models, which has none, was a difference' is \
	"$(awk -F '\t' '$1 == "diff" && $2 { print $2 }' ../printed | sort -u)" \
	"$(grep -v models ../views)"
check 'every object of the page has a name of its own' is \
	"$(grep '^===* ' "$page" | sort | uniq -d)" ''
awk '/^== / { on = /DOCUMENTS/ } on && sub(/^=== /, "")' "$page" | sort >../documents
check 'every document of the page was printed' is \
	"$(cut -f 3 ../printed | sort -u)" "$(cat ../documents)"

awk -F '\t' '$2 != "@" { print $1 "." $2 }' ../rows | sort >../documented
sort -u ../marks | sed 's/^seen //' >../seen
check 'every member of the page was printed' is \
	"$(comm -23 ../documented ../seen)" ''
