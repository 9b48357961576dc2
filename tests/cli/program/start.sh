#!/bin/sh
# What a start reads and opens: seen by strace, so without any time.
. "$(dirname "$0")/../lib.sh"
need strace
strace -o "$scratch/probe" true 2>/dev/null || skip 'strace may not trace here'
commit one
printf 'main;a 1\n' >a.folded

# opened REGEX COMMAND...: how many files with such a name
opened()
{
	regex=$1
	shift
	strace -f -e trace=open,openat -o "$scratch/trace" "$@" \
		>/dev/null 2>&1 || true
	grep -c -E "\"[^\"]*($regex)" "$scratch/trace" || true
}
certificates='/certs?/|ca-bundle|ca-certificates|\.crt"|\.pem"'
check 'the trace sees what is opened' not is \
	"$(opened 'a\.folded' git-perf add --keep a.folded)" 0
check 'status reads no certificate' is \
	"$(opened "$certificates" git-perf status)" 0
check 'log reads no certificate' is \
	"$(opened "$certificates" git-perf log)" 0
check 'add reads no certificate' is \
	"$(opened "$certificates" git-perf add a.folded)" 0

# started COMMAND...: programs that a command runs, itself not counted. As at
# home: with these variables git has to be asked for configuration and names.
must git config --global user.name Me
must git config --global user.email me@example.com
started()
(
	unset GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_CEILING_DIRECTORIES
	unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE
	unset GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
	strace -f -e trace=execve -o "$scratch/trace" "$@" >/dev/null 2>&1 ||
		true
	grep -c 'execve(.*= 0$' "$scratch/trace" | awk '{ print $1 - 1 }'
)
check 'log runs nothing' is "$(started git-perf log)" 0
check 'log of what git has to find runs git log' \
	is "$(started git-perf log --no-merges)" 1
check 'status runs nothing' is "$(started git-perf status)" 0
check 'add runs nothing' is "$(started git-perf add a.folded)" 0
