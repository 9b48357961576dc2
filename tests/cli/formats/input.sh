#!/bin/sh
# What a profile may come from: pipes, standard input, lists of names.
. "$(dirname "$0")/../lib.sh"
need mkfifo jq
commit one
printf 'main;work 3\n' >a.folded
count()
{
	git perf log --json | jq '[.commits[].profiles[]]|length'
}

mkfifo pipe
cat a.folded >pipe &
check 'add reads a pipe' exits 0 git perf add pipe
wait
cat a.folded >pipe &
check 'export shows what came through the pipe' \
	exits 0 git perf export --to=collapsed ./pipe
wait
check 'the profile of the pipe is whole' says out 'main;work 3'
from_stdin()
{
	git perf add /dev/stdin <a.folded
}
through_a_pipe()
{
	cat a.folded | git perf add /dev/stdin
}
check 'standard input by its path' exits 0 from_stdin
check 'a pipe by its path' exits 0 through_a_pipe
check 'profiles of pipes and standard input are all stored' is "$(count)" 3

tip=$(git rev-parse refs/notes/perf)
listed()
{
	printf "$1" | git perf add --stdin
}
check '--stdin fails at a line in the middle' exits 128 \
	listed 'HEAD\ta.folded\nHEAD\tnope\nHEAD\ta.folded\n'
check 'the bad line is named by its number' mentions err \
	"^fatal: standard input, line 2: cannot read 'nope'"
check '--stdin fails at a line without a tab' \
	exits 128 listed 'HEAD\ta.folded\nHEAD a.folded\n'
check 'the line without a tab is named by its number' says err \
	"fatal: standard input, line 2: need '<rev> TAB <path>'"
check '--stdin fails at a line with a NUL' \
	exits 128 listed 'HEAD\ta.folded\000b\n'
check 'a NUL does not cut the line' says err \
	"fatal: standard input, line 1: need '<rev> TAB <path>'"
check 'no failed --stdin has stored anything' \
	is "$(git rev-parse refs/notes/perf)" "$tip"
check 'the last line may lack its end' exits 0 \
	listed 'HEAD\ta.folded\nHEAD\ta.folded'
check 'each line of a good --stdin is stored' is "$(count)" 5

# A number that no double holds makes no figure, and no line that nobody reads.
cat >huge.perf <<'END'
{"header": {"type": "time", "cmd": "a", "args": "", "workload": "",
 "units": {"time": "s"}}, "collector_info": {"name": "trace", "params": {}},
 "postprocessors": [], "global": {"time": "1", "resources":
 [{"amount": 1e999, "uid": "f", "type": "time"}]}}
END
check 'a profile with infinite sums is stored' exits 0 git perf add huge.perf
check 'a profile with infinite sums is shown' exits 0 git perf show 0@i
check 'status reads a profile with infinite sums' exits 0 git perf status
check 'status shows no figure for an infinite sum' \
	mentions out '^ *0@i  a/trace$'
check 'fsck reads the line of a profile with infinite sums' \
	exits 0 git perf fsck
