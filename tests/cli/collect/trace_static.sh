#!/bin/sh
# libgit-perf-trace.a: the call tracer in programs that nothing can be loaded
# into, because they are static.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:=cc}"

echo one >file
git add file
commit first
archive=$PERF_BUILD/lib/libgit-perf-trace.a
cat >../empty.c <<'E'
int main(void)
{
	return 0;
}
E
"$CC" -static -o ../empty ../empty.c 2>/dev/null ||
	skip 'there is no static C library'

must "$CC" -static -g -O1 -finstrument-functions -o ../calls \
	"$root/tests/tools/calls.c" "$archive" -pthread
# counts MODE: functions as "name calls"
counts()
{
	exits 0 git perf collect -c trace --ignore-status -- ../calls "$1" ||
		return
	git perf show --view=top --nodefraction=0 \
		--sample-index=calls --json 0@p >../top
	jq -r '.rows | sort_by(.name) | .[] |
		select(.name != "main" and .name != "mode_'"$1"'") |
		"\(.name) \(.self)"' ../top | tr '\n' ';'
}
check 'a static program runs without git perf' exits 0 ../calls recursion
check 'a static program leaves a profile with git perf' \
	is "$(counts recursion)" \
	'fib 21891;is_even 5;is_odd 5;leaf 1000;'
check 'functions of a static program have names and times' \
	is "$(jq -c '[.rows[] | select(.name == "fib" or
	.name == "mode_recursion") | .total] | sort' ../top)" '[21891,22902]'
check 'longjmp ends what it leaves' is "$(counts longjmp)" \
	'jumper 50;lands 10;leaf 20;'
check 'calls of threads of a static program are counted' is "$(counts threads)" 'leaf 3232;quit 32;work 32;'
check 'calls around fork, vfork and exec are counted' is "$(counts fork)" \
	'in_child 1;leaf 2;mode_leaf 1;'
check 'a static program that crashes leaves a profile' \
	is "$(counts crash)" 'dies 1;leaf 1;'

# A dynamic program that is linked with it: one profile, not two.
must "$CC" -g -O1 -finstrument-functions -o ../calls \
	"$root/tests/tools/calls.c" "$archive" -pthread
check 'in a dynamic program every call counts once' \
	is "$(counts recursion)" 'fib 21891;is_even 5;is_odd 5;leaf 1000;'

cat >../regions.c <<'E'
#define PN_RUNTIME_LINKED
#include "runtime/git-perf.h"
int main(void)
{
	for (int i = 0; i < 10; i++) {
		pn_region_begin("round");
		pn_region_size((uint64_t)i % 2);
		pn_region_end("round");
	}
	return pn_sampler_pause() != -1;
}
E
must "$CC" -static -O1 -I"$root/libperfnotes" -o ../regions ../regions.c \
	"$archive"
check 'regions of a static program' exits 0 git perf collect -c trace \
	-- ../regions
check 'regions of a static program are counted' \
	is "$(git perf show --view=top --nodefraction=0 \
	--sample-index=calls --json 0@p | jq -c '[.rows[] | [.name, .self]]')" \
	'[["round",10]]'
check 'sizes of a static program are measured' \
	exits 0 git perf collect -c trace -O sizes \
	-- ../regions
