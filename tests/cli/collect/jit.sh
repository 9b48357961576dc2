#!/bin/sh
# Names of code that a program makes while it runs: /tmp/perf-<pid>.map.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:-cc}"
[ "$(uname -m)" = x86_64 ] || skip 'the program knows x86-64 only'

# Two functions of machine code that count down: the second counts three times
# as far. The name of the map is added to a file, to be removed.
cat >jit.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* push rbp; mov rbp, rsp; mov ecx, n; dec ecx; jnz; pop rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb9, 0, 0, 0,
				     0x08, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3};

int main(int argc, char **argv)
{
	unsigned char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*first)(void), (*second)(void);
	char name[64];
	FILE *map;

	if (at == MAP_FAILED || argc != 2)
		return 1;
	memcpy(at, code, sizeof(code));
	memcpy(at + 64, code, sizeof(code));
	at[64 + 8] *= 3;
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(name, "w");
	fprintf(map, "%lx %x script:first\n%lx %x script:second\n",
		(unsigned long)at, 64, (unsigned long)at + 64, 64);
	fclose(map);
	map = fopen(argv[1], "a");
	fprintf(map, "%s\n", name);
	fclose(map);
	memcpy(&first, &at, sizeof(first));
	at += 64;
	memcpy(&second, &at, sizeof(second));
	first();
	second();
	return 0;
}
END
must ${CC:-cc} -O1 jit.c -o jit
if ! ./jit "$scratch/maps"; then
	skip 'this system forbids code that was written'
fi
rm -f $(cat "$scratch/maps")

check 'a program with code of its own making is sampled' exits 0 \
	git perf collect -c sample -r 2 --json -- ./jit "$scratch/maps"
cp "$out" result
rm -f $(cat "$scratch/maps")
check 'generated functions have the names that the program gave' eval \
	'jq -e "[.profiles[0].top.rows[].name] |
	index(\"script:first\") and index(\"script:second\")" result >/dev/null'
# 1 and 3 of 4
check 'each function has the share that it counts' eval \
	'jq -e ".profiles[0].top | .total as \$t | .rows[] |
	select(.name == \"script:second\").self / \$t |
	. > 0.6 and . < 0.9" result >/dev/null'
must git perf show --view=raw 0@p >"$out"
check 'one function is one location, whatever its address was in each run' \
	is "$(grep -c 'script:second' "$out")" 1
check 'functions of the map are called from main' mentions out 'main'
if perf record -q -o probe -- true 2>"$err"; then
	check 'a program with code of its own making is sampled by perf' exits 0 \
		git perf collect -c perf --json -- ./jit "$scratch/maps"
	check 'perf finds the names of the map, too' eval \
		'jq -e "[.profiles[0].top.rows[].name] |
		index(\"script:second\")" "$out" >/dev/null'
	rm -f $(cat "$scratch/maps")
fi
