#!/bin/sh
# The options before a command, help, suggestions, and failing output.
. "$(dirname "$0")/lib.sh"

version=$(sed -n 's/^project(git-perf VERSION \([0-9.]*\).*/\1/p' \
	"$root/CMakeLists.txt")

check 'git finds the program' exits 0 git perf --version
check 'and it says its version' says out "git-perf version $version"
check 'nothing else' silent err

check 'no command is a usage error' exits 129 git-perf
check 'which lists the commands' mentions err '^    help  '
check 'on standard error' silent out
check '-h lists them, too' exits 0 git-perf -h
check 'on standard output' mentions out '^    help  '
check 'help does the same' exits 0 git-perf help
check 'with the same text' mentions out '^usage: git perf '

check 'a mistyped command is a usage error' exits 129 git-perf hlep
check 'and the near one is named' says err \
	"error: 'hlep' is not a git perf command; did you mean 'help'?"
check 'a command like no other' exits 129 git-perf frobnicate
check 'has no suggestion' says err \
	"error: 'frobnicate' is not a git perf command"
check 'an empty command is refused' exits 129 git-perf ''

check 'an unknown option is named' exits 129 git-perf --frob help
check 'as typed' says err "error: unknown option '--frob'"
check 'a wrong colour setting is refused' exits 129 git-perf --color=red help
check 'with the right ones' says err \
	"error: 'red' is no colour setting; need auto, always or never"

check '-C needs a folder' exits 129 git-perf -C
check '-C into nothing fails' exits 128 git-perf -C nowhere help
check 'with the reason' says err \
	"fatal: cannot change to 'nowhere': No such file or directory"
mkdir sub
check '-C may be repeated' exits 0 git-perf -C sub -C .. -C sub help

check '-h of a command' exits 0 git-perf help -h
check 'shows how to call it' says out 'usage: git perf help [<command> | gitperf]'
check 'an unknown option of a command' exits 129 git-perf help --frob
check 'points at its -h' says err "see 'git perf help -h'"
check 'too many arguments' exits 129 git-perf help help help
check 'are counted' says err 'error: need one command, have 2'

printf 'x\033]0;y\007' >name
check 'controls in a name do not reach the terminal' \
	exits 129 git-perf "$(cat name)"
check 'but are shown' mentions err 'x\\x1b\]0;y\\x07'

if [ -c /dev/full ]; then
	to_full_disk()
	{
		git-perf help >/dev/full
	}
	check 'a full disk is noticed' exits 128 to_full_disk
	check 'and said' says err "fatal: cannot write to standard output:\
 No space left on device"
fi
closed_output()
{
	git-perf help >&-
}
check 'closed standard output does no harm' exits 0 closed_output
