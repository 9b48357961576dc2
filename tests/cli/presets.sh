#!/bin/sh
# The job files of contrib/gitperf with a small program each, as far as their
# tools are installed. PERF_PRESETS names those to try: go compiles its own
# library first, which takes long.
. "$(dirname "$0")/lib.sh"
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
	check 'python' exits 0 git perf run --job=python-calls \
		--config="$presets/python.gitperf"
	check 'has its functions' knows python-calls fib
	# fib(15) calls itself 1973 times: c(n) = 1 + c(n-1) + c(n-2), c(0) = 1
	check 'and how often each was called' exits 0 git perf show --json \
		python-calls-command
	check 'exactly' json '[.rows[] | select(.name == "fib").calls]' '[1973]'
}

node()
{
	command -v node >/dev/null || return 0
	cat >bench.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
globalThis.kept = [];
function keep() { for (let i = 0; i < 3e5; i++) kept.push({ i, text: "" + i }); }
fib(30);
keep();
END
	check 'node' exits 0 git perf run --config="$presets/node.gitperf"
	check 'has its functions' knows node-cpu fib
	check 'and who allocated' knows node-memory keep
}

c()
{
	command -v valgrind >/dev/null || return 0
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
	check 'c' exits 0 git perf run --config="$presets/c.gitperf" --json
	check 'by three collectors' json '.profiles | map(.collector)' \
		'["time","counters","callgrind"]'
	check 'has its functions' exits 0 git perf show --json --nodecount=0 \
		bench-callgrind
	check 'with their calls' json \
		'[.rows[] | select(.name == "square").calls]' '[1000]'
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
	check 'go' exits 0 env GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local \
		git perf run --config="$presets/go.gitperf"
	check 'has its functions' knows go-cpu fib
	check 'and who allocated' knows go-memory BenchmarkFib
	check 'leaves no program behind' is "$(ls ./*.test 2>/dev/null)" ''
}

for preset in ${PERF_PRESETS:-python node c}; do
	$preset
done
for file in "$presets"/*.gitperf; do
	check "$(basename "$file") is listed" exits 0 \
		git perf run --list --config="$file"
done
