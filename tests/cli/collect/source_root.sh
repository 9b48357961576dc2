#!/bin/sh
# Source files are named by where they lie in the repository, so that every
# clone and worktree has the same functions, and no name is of a folder that
# is gone.
. "$(dirname "$0")/../lib.sh"
need jq "${CC:=cc}"

mkdir -p src/include
cat >src/work.c <<'END'
#include "include/burn.h"
__attribute__((noinline)) void work(void)
{
	burn();
}
int main(void)
{
	work();
	return 0;
}
END
cat >src/include/burn.h <<'END'
static volatile int x;
static __attribute__((noinline)) void burn(void)
{
	x++;
}
END
cat >.gitperf <<END
[job "calls"]
	build = $CC -g -O0 -finstrument-functions -o prog "\$PWD/src/../src/work.c"
	cmd = ./prog
	collector = trace
END
printf '/prog\n' >.gitignore
must git add src .gitperf .gitignore
commit first
must git perf trust

# files PROFILE: its functions and where they are
files()
{
	git perf show --json --nodefraction=0 "$1" |
		jq -r '.rows[] | select(.file) | "\(.name) \(.file)"' | sort
}
build()
{
	(cd "$1" && must "$CC" -g -O0 -finstrument-functions -o prog \
		"$PWD/src/work.c")
}
want='burn src/include/burn.h
main src/work.c
work src/work.c'

build .
must git perf collect -q -c trace -- ./prog
check 'files are told from the top of the repository' is "$(files 0@p)" "$want"
(cd src && must git perf collect -q -c trace -- ../prog)
check 'files are told from there in a folder of it, too' is \
	"$(files 0@p)" "$want"

must git clone -q . ../elsewhere
build ../elsewhere
(cd ../elsewhere && must git perf collect -q -c trace -- ./prog)
check 'another clone has the same files' is \
	"$(cd ../elsewhere && files 0@p)" "$want"

must git perf run HEAD 2>../chatter
must git perf export --to=git-perf -o ../stored.perf 0@i
check 'a measuring worktree has the same files' is "$(files 0@i)" "$want"
check 'no path of the measuring worktree is stored' not \
	grep -q worktrees ../stored.perf

must git init -q ../other
(cd ../other && must git perf collect -q -c trace -- "$OLDPWD/prog")
check 'a source outside of the repository keeps its path' is \
	"$(cd ../other && files 0@p | sed -n 's/^work //p')" "$PWD/src/work.c"

command -v valgrind >/dev/null || exit 0
rm -rf .git/perf/jobs
must git perf collect -q -c callgrind -- ./prog
check 'costs by line of callgrind are told from the top' exits 0 \
	git perf show --json --granularity=lines --nodefraction=0 0@p
check 'the lines of burn are in its header' json \
	'[.rows[] | select(.file == "src/include/burn.h")] | length > 0' true
check 'no line has the path of the work tree' not grep -q "$PWD/src" "$out"
