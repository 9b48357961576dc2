#!/bin/sh
# Lambdas of C++ that were inlined everywhere: DWARF calls each of them
# operator(), what is around it says which one it is.
. "$(dirname "$0")/../lib.sh"
need c++
git init -q repo && cd repo || exit 1
git commit -q --allow-empty -m first

cat >lambdas.cc <<'END'
#include <time.h>

namespace app
{
static volatile long sink;

static double cpu()
{
	timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

struct Work {
	__attribute__((noinline)) void run(double until)
	{
		auto one = [&]() __attribute__((always_inline)) {
			for (int i = 0; i < 1000; i++)
				sink += i;
		};
		auto two = [&]() __attribute__((always_inline)) {
			for (int i = 0; i < 1000; i++)
				sink -= i;
		};

		while (cpu() < until)
			one();
		while (cpu() < 2 * until)
			two();
	}
};
}

int main()
{
	app::Work().run(.15);
}
END
for compiler in c++ clang++; do
	command -v $compiler >/dev/null || continue
	c="$compiler -gdwarf-5 -O2"
	must $c -o lambdas lambdas.cc
	must git perf collect -c sample ./lambdas
	git perf show --granularity=lines --nodecount=0 --nodefraction=0 0@p |
		grep 'operator()' >rows
	check "$compiler: two lambdas of one function are two" is \
		"$(sed 's/.*%  \(.*operator()\).*/\1/' rows | sort -u | wc -l)" 2
	check "$compiler: the function and its class name a lambda" is \
		"$(grep -vc 'app::Work::run' rows)" 0
	check "$compiler: a lambda has its file" is \
		"$(grep -vc 'lambdas\.cc:' rows)" 0
done
