#!/bin/sh
# git perf collect -c trace: calls of programs whose numbers are known
# (tools/calls.c says them), odd programs, and gprof's figures. Times are
# checked where they must agree with each other, not against a clock.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:=cc}"

echo one >file
git add file
commit first
source=$root/tests/tools/calls.c
must "$CC" -g -O1 -finstrument-functions -o ../calls "$source" -pthread
jobs=.git/perf/jobs

# trace MODE [OPTION...]: traces it, then lists its functions as "name calls"
trace()
{
	mode=$1
	shift
	rm -rf "$jobs"
	exits 0 git perf collect -c trace -r 1 --ignore-status "$@" \
		-- ../calls "$mode" || return
	git perf show --view=top --nodefraction=0 \
		--sample-index=calls --json 0@p >../top
	jq -r '.rows | sort_by(.name) | .[] |
		select(.name != "main" and .name != "mode_'"$mode"'") |
		"\(.name) \(.self)"' ../top | tr '\n' ';'
}

# calls: who called whom how often, recursive calls aside behind the slash
calls()
{
	git perf export --to=pstats -o ../pstats 0@p && python3 -c '
import pstats
for f, (cc, nc, tt, ct, callers) in sorted(
        pstats.Stats("../pstats").stats.items(), key=lambda x: x[0][2]):
    for c, (n, p, t, u) in sorted(callers.items(), key=lambda x: x[0][2]):
        print("%s>%s %d/%d" % (c[2], f[2], n, p))'
}

check 'every call of a recursion is counted' is "$(trace recursion)" \
	'fib 21891;is_even 5;is_odd 5;leaf 1000;'
check 'functions have the calls below them' is \
	"$(jq -c '[.rows[] | select(.name == "fib" or .name == "is_even" or
		.name == "mode_recursion") | .total] | sort' ../top)" \
	'[10,21891,22902]'
check 'show works with the times of a trace' exits 0 git perf show \
	--view=top --nodefraction=0 --json 0@p
# What tracing costs is taken off each call and can leave less than nothing, so
# that main, though all is below it, need not have the greatest total.
check 'self times add up to the total' json \
	'([.rows[] | .self] | add) -
		(.rows[] | select(.name == "main") | .total) |
		fabs <= 5' true
command -v python3 >/dev/null &&
	check 'each call is counted with its caller' is "$(calls | grep -v mode_)" \
		"$(printf '%s\n' 'fib>fib 21890/2' 'is_odd>is_even 4/1' \
			'is_even>is_odd 5/1')"

check 'longjmp ends what it leaves' is "$(trace longjmp)" \
	'jumper 50;lands 10;leaf 20;'
command -v python3 >/dev/null &&
	check 'longjmp ends only what it leaves' \
		is "$(calls)" "$(printf '%s\n' \
		'jumper>jumper 40/10' 'mode_longjmp>jumper 10/10' \
		'mode_longjmp>lands 10/10' 'jumper>leaf 10/10' \
		'lands>leaf 10/10' 'main>mode_longjmp 1/1')"
check '64 threads, half of them leave early' is "$(trace threads)" \
	'leaf 3232;quit 32;work 32;'
check 'fork, vfork and exec' is "$(trace fork)" \
	'in_child 1;leaf 2;mode_leaf 1;'
for mode in crash kill exit; do
	check "the profile survives $mode" is "$(trace $mode)" \
		'dies 1;leaf 1;'
	check "functions that did not return have times: $mode" is \
		"$(jq -c '[.rows[] | select(.name == "main") | .self, .total]' \
			../top)" '[1,4]'
done
check 'calls in handlers of signals are counted' is "$(trace signal)" 'handle 100;leaf 100;'
check 'handlers with a stack of their own are counted' is "$(trace altstack)" \
	'handle 10;interrupted 1;leaf 20;run_aside 1;'
check 'handlers end nothing of what they interrupt' is "$(jq -c '[.rows[] |
	select(.name == "interrupted" or .name == "run_aside") | .total] |
	sort' ../top)" '[31,32]'
check 'threads that begin at once in a child' is "$(trace rush)" 'leaf 160;'
check 'a deep recursion is counted' is "$(trace deep)" 'deep 20001;'
check 'calls of inlined functions are counted' is "$(trace inline)" 'inlined 2;leaf 2;'
command -v python3 >/dev/null &&
	check 'inlined functions are called from where they are' is "$(calls)" \
		"$(printf '%s\n' 'mode_inline>inlined 2/2' \
			'inlined>leaf 2/2' 'main>mode_inline 1/1')"

# Clocks, the lighter mode, calibration.
for clock in tsc wall cpu none; do
	check "clock $clock counts the same calls" is \
		"$(trace recursion -O clock=$clock)" \
		'fib 21891;is_even 5;is_odd 5;leaf 1000;'
done
check 'without a clock there is no time' is "$(git perf show --view=top 0@p |
	sed -n 's/^Type: //p')" calls
check 'an unknown clock is refused' exits 128 git perf collect -c trace \
	-O clock=sun -- ../calls leaf
check 'the refusal of a clock lists those there are' says err \
	"fatal: bad clock 'sun', need tsc, wall, cpu or none"
check 'flat counts the same' is "$(trace recursion -O flat)" \
	'fib 21891;is_even 5;is_odd 5;leaf 1000;'
check 'a calibration that is no number is refused' exits 128 git perf collect \
	-c trace -O calibration=few -- ../calls leaf
check 'the refusal of a calibration says what is one' says err \
	"fatal: bad calibration 'few', need none or two numbers of ns, as in 21.5,20"
trace recursion -O calibration=none >../out1
before=$(git perf show --view=top --json 0@p | jq .total)
check 'nothing is taken off without calibration' test "$before" -gt 0
# A millisecond of each of 22,903 calls is more than they take, unless somebody
# stops the machine: what is left with these 22.903 s is a time of this run.
read -r begin rest </proc/uptime
trace recursion -O calibration=1000000,0 >../out1
read -r end rest </proc/uptime
after=$(git perf show --view=top --json 0@p | jq '[.rows[].total] | min')
check 'calibration is taken off, and negative numbers stay' \
	awk -v after="$after" -v begin="$begin" -v end="$end" 'BEGIN {
		real = after / 1e9 + 22.903
		exit !(real > 0 && real < end - begin + .02) }'
check 'several runs have a value each' exits 0 git perf collect -c trace \
	-r 3 --json -- ../calls recursion
check 'each run has the same calls' json \
	'[.profiles[0].metrics[] | select(.name == "calls") | .values] | flatten' \
	'[22903,22903,22903]'

check '--calibrate prints what tracing costs' exits 0 git perf collect --calibrate=100 \
	--json
check 'the cost of tracing is given for each clock' \
	json '[.calibration[].clock]' '["tsc","wall","cpu"]'
check 'no clock is free' json \
	'[.calibration[] | .inside > 0 and .inside + .outside > 1] | unique' \
	'[true]'
check 'the cost of tracing is printed for people' \
	exits 0 git perf collect --calibrate
check 'the printed cost can be used as options' \
	mentions out '-O clock=tsc -O calibration=[0-9.]+,[-0-9.]+$'
check 'too many calls of --calibrate are refused' exits 128 git perf collect \
	--calibrate=1000001
check 'the refusal names the most calls of --calibrate' says err \
	'fatal: cannot trace 1000001 calls at once, need at most 1000000'

# Programs without calls to see.
must "$CC" -O1 -o ../plain "$source" -pthread
check 'a program without instrumentation is refused' exits 128 \
	git perf collect -c trace -- ../plain leaf
check 'the refusal says how to instrument' mentions err \
	'^fatal: no call was traced: .* -finstrument-functions'

# Regions that a program marks itself.
cat >../regions.c <<'E'
#define _GNU_SOURCE
#include "runtime/git-perf.h"
static void outer(int n)
{
	pn_region_begin("outer");
	if (n)
		outer(n - 1);
	pn_region_begin("in" "ner");
	pn_region_end("in" "ner");
	pn_region_end("outer");
}
int main(void)
{
	outer(9);
	return 0;
}
E
must "$CC" -O1 -I"$root/libperfnotes" -o ../regions ../regions.c -ldl
check 'regions run without a tracer' exits 0 ../regions
check 'regions are traced' exits 0 git perf collect -c trace \
	-- ../regions
git perf show --view=top --nodefraction=0 \
		--sample-index=calls --json 0@p >../top
check 'regions have their names' \
	is "$(jq -c '[.rows[] | [.name, .self, .total]] |
	sort' ../top)" '[["inner",10,10],["outer",10,20]]'

# C++: exceptions leave functions, too.
cat >../throws.cc <<'E'
static volatile int sink;
extern "C" __attribute__((noinline)) void leaf() { sink = sink + 1; }
extern "C" __attribute__((noinline)) void thrower(int n)
{
	leaf();
	if (!n)
		throw 1;
	thrower(n - 1);
	leaf();
}
extern "C" __attribute__((noinline)) void after() { leaf(); }
int main()
{
	for (int i = 0; i < 10; i++) {
		try {
			thrower(4);
		} catch (int) {
		}
		after();
	}
}
E
if command -v c++ >/dev/null &&
	c++ -g -O1 -finstrument-functions -o ../throws ../throws.cc 2>/dev/null
then
	check 'a program with exceptions is traced' exits 0 git perf collect -c trace -- ../throws
	git perf show --view=top --nodefraction=0 \
		--sample-index=calls --json 0@p >../top
	check 'exceptions end the calls that they leave' is "$(jq -c '[.rows[] |
		select(.name != "main") | [.name, .self, .total]] | sort' \
		../top)" '[["after",10,20],["leaf",60,60],["thrower",50,100]]'
fi

# The peer: gprof counts the same. It does not see what was called by code that
# it does not know: main, threads.
command -v gprof >/dev/null || exit 0
must "$CC" -g -O0 -finstrument-functions -o ../calls "$source" -pthread
"$CC" -g -O0 -pg -no-pie -o ../peer "$source" -pthread 2>/dev/null || exit 0
for mode in recursion longjmp; do
	rm -f gmon.out
	../peer $mode
	theirs=$(gprof -b -q ../peer gmon.out | awk '/^\[/ && !/as a whole/ {
			split($5, n, "+")
			print $6, n[1] + n[2]
		}' | LC_ALL=C sort | grep -v "^mode_" | tr '\n' ';')
	check "gprof counts the same: $mode" is "$(trace $mode)" "$theirs"
done

# ---- what tracing cannot see

check 'calls that tracing costs more than they take are traced' \
	exits 0 git perf collect -c trace -O calibration=500,500 -- ../calls recursion
check 'functions too short to be traced are named, those called most first' \
	mentions err '^warning: .*: [0-9]+ functions? takes? less a call than tracing one costs \(1000\.0 ns\), .*: fib'
must git perf show 0@p >"$out"
check 'show names functions that are too short to be traced' mentions out \
	'^Too short: .*\(1000\.0 ns\).*: fib'
check 'nothing taken off leaves nothing to doubt' \
	exits 0 git perf collect -c trace -O calibration=none -- ../calls recursion
check 'no function is called too short where nothing was taken off' \
	not mentions err 'than tracing one costs'

check 'three runs are traced' exits 0 git perf collect -c trace -r 3 \
	-O calibration=none -- ../calls recursion
must git perf show --view=top --nodefraction=0 --json --sample-index=calls 0@p >"$out"
check 'calls of three runs are told per run' json \
	'[.rows[] | select(.name == "fib") | .self]' '[21891]'

# ---- how many runs

check 'what takes a moment is traced' \
	exits 0 git perf collect -c trace --json -- ../calls recursion
check 'a short program is run five times, so that one disturbance does not show' json \
	'[.profiles[0].metrics[] | select(.name == "calls").n]' '[5]'
check 'calls alone are traced' exits 0 git perf collect -c trace \
	-O clock=none --json -- ../calls recursion
check 'calls alone are counted once' json \
	'[.profiles[0].metrics[] | select(.name == "calls").n]' '[1]'
printf '#include <unistd.h>\nint main(void)\n{\n\treturn usleep(1600000);\n}\n' \
	>../long.c
must "$CC" -finstrument-functions -o ../long ../long.c
check 'what takes longer is traced' \
	exits 0 git perf collect -c trace --json -- ../long
check 'runs end with the second when they took three seconds' json \
	'[.profiles[0].metrics[] | select(.name == "calls").n]' '[2]'

command -v c++ >/dev/null || exit 0
echo 'static volatile int x; void tiny() { x++; } int main() { for (int i = 0; i < 1000; i++) tiny(); }' >../tiny.cc
must c++ -g -O0 -finstrument-functions -o ../tiny ../tiny.cc
check 'a short function of C++ is traced quietly' exits 0 \
	git perf collect -q -c trace -O calibration=500,500 -- ../tiny
check 'the warning of a quiet run has its name as show has it' mentions err \
	'^warning: .*: 2 functions take less a call than tracing one costs .*: tiny, main$'
