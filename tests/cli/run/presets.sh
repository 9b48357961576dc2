#!/bin/sh
# The job files of contrib/gitperf with a small program each, as far as their
# tools are installed. PERF_PRESETS names those to try: go compiles its own
# library first, and haskell, java and lisp take long, too.
. "$(dirname "$0")/../lib.sh"
need jq
presets=$root/contrib/gitperf
commit first

# Whether the profile of job $1 knows a function $2.
knows()
{
	git perf show --json --view=top --nodecount=0 "$1-command" |
		jq -e --arg name "$2" 'any(.rows[].name; endswith($name))' \
			>"$scratch/known"
}

python()
{
	command -v python3 >/dev/null || return 0
	cat >bench.py <<'END'
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(15)
END
	check 'the preset of python runs' \
		exits 0 git perf run --job=python-calls \
		--config="$presets/python.gitperf"
	check 'the preset of python has functions' knows python-calls fib
	# fib(15) calls itself 1973 times: c(n) = 1 + c(n-1) + c(n-2), c(0) = 1
	check 'show reads the calls of the preset of python' \
		exits 0 git perf show --json \
		python-calls-command
	check 'the preset of python counts calls exactly' \
		json '[.rows[] | select(.name == "fib").calls]' '[1973]'
}

node_js()
{
	command -v node >/dev/null || return 0
	cat >bench.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
globalThis.kept = [];
function keep() { for (let i = 0; i < 3e5; i++) kept.push({ i, text: "" + i }); }
// so long that it is seen, whoever else is at work
do fib(30); while (process.cpuUsage().user < 5e5);
keep();
END
	check 'the preset of node runs' \
		exits 0 git perf run --config="$presets/node.gitperf"
	check 'the preset of node has functions' knows node-cpu fib
	check 'the preset of node says who allocated' knows node-memory keep
}

c()
{
	command -v valgrind >/dev/null || return 0
	git perf collect -c counters -r 1 true >said 2>&1 || {
		echo "SKIPPED c: $(grep '^fatal: ' said)"
		return 0
	}
	rm -f .git/perf/jobs/*
	cat >bench.c <<'END'
static int __attribute__((noinline)) square(int i) { return i * i; }
int main(void)
{
	volatile int sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += square(i);
	return 0;
}
END
	printf 'bench: bench.c\n\t%s -O1 -g -o bench bench.c\n' "${CC:-cc}" \
		>Makefile
	check 'the preset of c runs' \
		exits 0 git perf run --config="$presets/c.gitperf" --json
	check 'the preset of c has three collectors' \
		json '.profiles | map(.collector)' \
		'["time","counters","callgrind"]'
	check 'show reads the callgrind profile of the preset of c' \
		exits 0 git perf show --json --nodecount=0 \
		bench-callgrind
	check 'the preset of c counts calls exactly' json \
		'[.rows[] | select(.name == "square").calls]' '[1000]'
}

sizes()
{
	cat >sizes.c <<'END'
#include "git-perf.h"
static volatile unsigned sink;
void linear(unsigned n)
{
	pn_region_size(n);
	for (unsigned i = 0; i < 1000 * n; i++)
		sink += i;
}
void quadratic(unsigned n)
{
	pn_region_size(n);
	for (unsigned i = 0; i < n * n; i++)
		sink += i;
}
int main(void)
{
	for (unsigned n = 100; n <= 1500; n += 100) {
		linear(n);
		quadratic(n);
	}
	return 0;
}
END
	printf 'sizes: sizes.c\n\t%s -O1 -finstrument-functions -I%s %s\n' \
		"${CC:-cc}" "$root/libperfnotes/runtime" \
		'-o sizes sizes.c -ldl' >Makefile
	check 'the preset of sizes runs' \
		exits 0 git perf run --config="$presets/sizes.gitperf"
	check 'show reads the models of the preset of sizes' \
		exits 0 git perf show --json --view=models \
		sizes-trace
	check 'the preset of sizes models each function' \
		json '[.models[].uid] | unique' \
		'["linear","quadratic"]'
	# time is noisy, the fit to what was measured is not
	must git perf export --to=perun -o sizes.perf sizes-trace
	check 'the preset of sizes has a value at each of 15 sizes' \
		is "$(jq -c '[.resources[] |
		.["structure-unit-size"]] | unique' sizes.perf)" \
		"[[$(seq -s , 100 100 1500)]]"
	check 'an independent fit of the sizes can be made' \
		exits 0 jq -f "$root/tests/tools/fits.jq" \
		sizes.perf
	check 'the models of sizes agree with the independent fit' json \
		'[length, all(.[2] - .[3] | fabs < 1e-6)]' '[6,true]'
}

pytest()
{
	command pytest --version >/dev/null 2>&1 || return 0
	printf 'def test_a():\n    pass\ndef test_b():\n    pass\n' >test_it.py
	check 'the preset of pytest runs' \
		exits 0 git perf run --job=pytest-tests --json \
		--config="$presets/pytest.gitperf"
	check 'the preset of pytest has a time for each test' json \
		'[.profiles[0].metrics[].name | select(test("test_[ab]"))] |
			length' 2
	command pytest --help 2>&1 | grep -q benchmark-json || return 0
	cat >test_b.py <<'END'
def test_c(benchmark):
    benchmark.pedantic(sum, args=([1],), rounds=3)
END
	check 'the preset of pytest-benchmark runs' \
		exits 0 git perf run --job=pytest-benchmark \
		--config="$presets/pytest.gitperf"
}

google()
{
	echo '#include <benchmark/benchmark.h>' >bench.cc
	c++ -fsyntax-only -x c++ bench.cc 2>/dev/null || return 0
	cat >>bench.cc <<'END'
static void nothing(benchmark::State &state) { for (auto _ : state) {} }
BENCHMARK(nothing)->Iterations(1000);
BENCHMARK_MAIN();
END
	printf 'bench: bench.cc\n\tc++ -O1 -o bench bench.cc -lbenchmark\n' \
		>Makefile
	rm -f bench
	check 'the preset of google-benchmark runs' \
		exits 0 git perf run --json \
		--config="$presets/google-benchmark.gitperf"
	check 'the preset of google-benchmark has every repetition' json \
		'[.profiles[0].metrics[] | select(.name | test("nothing")).n] |
			max' 5
}

go()
{
	command -v go >/dev/null || return 0
	echo 'module example.com/bench' >go.mod
	cat >bench_test.go <<'END'
package bench

import "testing"

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

var kept [][]byte

func BenchmarkFib(b *testing.B) {
	for i := 0; i < b.N; i++ {
		fib(25)
		kept = append(kept[:0], make([]byte, 1<<20))
	}
}
END
	check 'the preset of go runs' \
		exits 0 env GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local \
		git perf run --config="$presets/go.gitperf"
	check 'the preset of go has functions' knows go-cpu fib
	check 'the preset of go says who allocated' knows go-memory BenchmarkFib
	check 'the benchmark of the preset of go runs' \
		exits 0 env GOFLAGS=-mod=mod GOPROXY=off \
		GOTOOLCHAIN=local git perf run --again --job=go-bench --json \
		--config="$presets/go.gitperf"
	check 'the preset of go has six values a benchmark' json \
		'[.profiles[0].metrics[] | select(.name | startswith("BenchmarkFib")).n] |
			unique' '[6]'
	check 'the preset of go leaves no program behind' \
		is "$(ls ./*.test 2>/dev/null)" ''
}

r()
{
	command -v Rscript >/dev/null || return 0
	cat >bench.R <<'END'
busy <- function() { s <- 0; for (i in 1:4e6) s <- s + sqrt(i); s }
Rprof(commandArgs(TRUE)[1])
busy()
Rprof(NULL)
END
	check 'the preset of r runs' \
		exits 0 git perf run --config="$presets/r.gitperf"
	check 'the preset of r has functions' knows r-profile busy
}

ruby_ips()
{
	ruby -e 'require "benchmark/ips"' 2>/dev/null || return 0
	cat >bench.rb <<'END'
require 'benchmark/ips'
Benchmark.ips(time: 0.05, warmup: 0.01, quiet: true) do |x|
  x.report('sort') { [3, 1, 2].sort }
  x.json! ARGV[0]
end
END
	check 'the preset of ruby runs' \
		exits 0 git perf run --json --config="$presets/ruby.gitperf"
	check 'the preset of ruby has its report, better when more' json \
		'.profiles[0].metrics[0] | [.name, .unit, .better]' \
		'["sort","i/s","more"]'
}

lua()
{
	command -v luajit >/dev/null || return 0
	cat >bench.lua <<'END'
local function busy() local s = 0 for i = 1, 2e8 do s = s + i % 7 end return s end
busy()
END
	check 'the preset of lua runs' \
		exits 0 git perf run --config="$presets/lua.gitperf"
	check 'the preset of lua has functions' knows lua-profile busy
}

heap()
{
	command -v valgrind >/dev/null || return 0
	cat >bench.c <<'END'
#include <stdlib.h>
int main(void) { return !malloc(1000) || !malloc(24); }
END
	printf 'bench: bench.c\n\t%s -g -o bench bench.c\n' "${CC:-cc}" >Makefile
	rm -f bench
	check 'the preset of heap runs' \
		exits 0 git perf run --json --config="$presets/heap.gitperf"
	check 'the preset of heap has every byte' exits 0 git perf show --json \
		heap-command
	check 'the bytes are those that the program asked for' \
		json .total 1024
}

java_jfr()
{
	command -v javac >/dev/null && command -v java >/dev/null || return 0
	cat >Bench.java <<'END'
public class Bench {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	static long[] kept;
	public static void main(String[] args)
	{
		// so long that it is seen, whoever else is at work
		while (ProcessHandle.current().info().totalCpuDuration().get()
				.toMillis() < 3000) {
			fib(30);
			kept = new long[100000];
		}
	}
}
END
	check 'the preset of java records' exits 0 git perf run --job=jfr \
		--config="$presets/java.gitperf"
	check 'the preset of java has methods' knows jfr Bench.main
}

erlang()
{
	command -v erlc >/dev/null || return 0
	cat >bench.erl <<'END'
-module(bench).
-export([main/0]).
fib(N) when N < 2 -> N;
fib(N) -> fib(N-1) + fib(N-2).
main() -> fib(12).
END
	check 'the preset of erlang runs' \
		exits 0 git perf run --config="$presets/erlang.gitperf"
	check 'show reads the profile of the preset of erlang' exits 0 \
		git perf show --json erlang-command
	# fib(12) is called 465 times: c(n) = 1 + c(n-1) + c(n-2), c(0) = 1
	check 'the preset of erlang counts calls exactly' json \
		'[.rows[] | select(.name == "bench:fib/1").calls]' '[465]'
}

lisp()
{
	command -v sbcl >/dev/null || return 0
	cat >bench.lisp <<'END'
(defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(defun bench ()
  (loop until (> (get-internal-run-time)
                 (* 3/2 internal-time-units-per-second))
        do (fib 25)))
END
	check 'the preset of lisp runs' \
		exits 0 git perf run --config="$presets/lisp.gitperf"
	check 'the preset of lisp has functions' knows lisp FIB
}

perl_calls()
{
	command -v nytprofcalls >/dev/null || return 0
	cat >bench.pl <<'END'
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
print fib(12), "\n";
END
	check 'the preset of perl runs' \
		exits 0 git perf run --config="$presets/perl.gitperf"
	check 'the preset of perl has functions' knows perl main::fib
}

disk()
{
	command -v fio >/dev/null || return 0
	printf '[job]\nrw=write\nsize=64k\nbs=4k\nfilename=fio.data\n' >bench.fio
	check 'the preset of disk runs' \
		exits 0 git perf run --json --config="$presets/disk.gitperf"
	check 'the preset of disk has rates and latency' json \
		'[.profiles[0].metrics[:5][].name]' \
		'["job write iops","job write bw","job write clat mean","job write clat p50","job write clat p99"]'
}

haskell()
{
	command -v ghc >/dev/null || return 0
	cat >bench.hs <<'END'
fib :: Int -> Integer
fib n = if n < 2 then toInteger n else fib (n - 1) + fib (n - 2)
main :: IO ()
main = print (fib 24)
END
	printf 'profiled: bench.hs\n\tghc -v0 -prof -fprof-auto -rtsopts -o profiled bench.hs\n' \
		>Makefile
	check 'the preset of haskell runs' exits 0 git perf run \
		--job=haskell-profile --config="$presets/haskell.gitperf"
	check 'show reads the profile of the preset of haskell' exits 0 \
		git perf show --json --sample-index=entries haskell-profile-command
	# fib(24) is called 150,049 times: c(n) = 1 + c(n-1) + c(n-2), c(0) = 1
	check 'the preset of haskell counts entries exactly' json \
		'[.rows[] | select(.name == "Main.fib").self]' '[150049]'
	ghc-pkg --simple-output list criterion 2>/dev/null | grep -q . ||
		return 0
	cat >bench.hs <<'END'
import Criterion.Main
main :: IO ()
main = defaultMain [bench "product" (whnf (\n -> product [1 .. n :: Integer]) 9)]
END
	printf 'bench: bench.hs\n\tghc -v0 -o bench bench.hs\n' >Makefile
	rm -f bench
	check 'the preset of criterion of Haskell runs' \
		exits 0 git perf run --json --job=haskell-bench \
		--config="$presets/haskell.gitperf"
	check 'the preset of criterion has its mean' json \
		'.profiles[0].metrics[0] | [.name, .unit, .better]' \
		'["product","seconds","less"]'
}

for preset in ${PERF_PRESETS:-python node_js c sizes pytest google r ruby_ips \
	lua heap disk erlang perl_calls}; do
	$preset
done
for file in "$presets"/*.gitperf; do
	check "$(basename "$file") is listed" exits 0 \
		git perf run --list --config="$file"
done
