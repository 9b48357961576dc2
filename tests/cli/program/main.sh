#!/bin/sh
# The options before a command, help, suggestions, and failing output.
. "$(dirname "$0")/../lib.sh"

version=$(sed -n 's/^project(git-perf VERSION \([0-9.]*\).*/\1/p' \
	"$root/CMakeLists.txt")

check 'git finds the program' exits 0 git perf --version
check '--version prints the version' says out "git-perf version $version"
check '--version writes nothing to standard error' silent err

check 'the program without a command is a usage error' exits 129 git-perf
check 'commands are listed on standard error without a command' \
	mentions err '^    help  '
check 'standard output is empty without a command' silent out
check '-h lists the commands' exits 0 git-perf -h
check '-h lists them on standard output' mentions out '^    help  '
check 'help without an argument lists the commands' exits 0 git-perf help
check 'help begins with the usage line' mentions out '^usage: git perf '

check 'a mistyped command is a usage error' exits 129 git-perf hlep
check 'the nearest command is suggested' says err \
	"error: 'hlep' is not a git perf command; did you mean 'help'?"
check 'a command like no other is a usage error' exits 129 git-perf frobnicate
check 'no command is suggested where none is near' says err \
	"error: 'frobnicate' is not a git perf command"
check 'an empty command is refused' exits 129 git-perf ''
while read -r word meant; do
	check "'$word' is no command" exits 129 git-perf "$word"
	check "who types '$word' is told of '$meant'" says err \
		"error: '$word' is not a git perf command; did you mean '$meant'?"
done <<'END'
remove rm
list log
compare diff
record collect
stauts status
lgo log
send push
sync pull
flamegraph show
remov rm
annot annotate
END
check 'help of a word of other tools is refused' exits 129 git-perf help record
check 'help suggests what the word means here' says err \
	"error: 'record' is not a git perf command; did you mean 'collect'?"

check 'an unknown option before the command is a usage error' \
	exits 129 git-perf --frob help
check 'the unknown option is named as typed' \
	says err "error: unknown option '--frob'"
check 'a mistyped option before the command is a usage error' \
	exits 129 git-perf --verison
check 'the nearest option before the command is suggested' says err \
	"error: unknown option '--verison'; did you mean '--version'?"
check 'a wrong colour setting is refused' exits 129 git-perf --color=red help
check 'the refusal of a colour setting names the right ones' says err \
	"error: 'red' is no colour setting; need auto, always or never"

check '-C needs a folder' exits 129 git-perf -C
check '-C into nothing fails' exits 128 git-perf -C nowhere help
check 'the folder of -C that is absent is named' says err \
	"fatal: cannot change to 'nowhere': No such file or directory"
mkdir sub
check '-C may be repeated' exits 0 git-perf -C sub -C .. -C sub help

check '-h of a command is accepted' exits 0 git-perf help -h
check '-h of a command prints its usage line' \
	says out 'usage: git perf help [<command> | gitperf]'
check 'an unknown option of a command is a usage error' \
	exits 129 git-perf help --frob
check 'an unknown order is a usage error' exits 129 git-perf status --sort=age
check 'the error about an order names those that there are' mentions err \
	"^error: cannot sort by 'age', need one of time, name, collector, type, size$"
check 'a mistyped option is a usage error' exits 129 git-perf status --jsno
check 'the nearest option is suggested' says err \
	"error: unknown option '--jsno'; did you mean '--json'?"
check 'a mistyped option with a value is a usage error' \
	exits 129 git-perf collect --collecter=time true
check 'the nearest option that takes a value is suggested' says err \
	"error: unknown option '--collecter'; did you mean '--collector'?"
check 'an option like no other is a usage error' exits 129 git-perf help --frob
check 'the usage error of a command points at its -h' \
	says err "see 'git perf help -h'"
check 'too many arguments are a usage error' exits 129 git-perf help help help
check 'the usage error counts the arguments' \
	says err 'error: need one command, have 2'

printf 'x\033]0;y\007' >name
check 'controls in a name do not reach the terminal' \
	exits 129 git-perf "$(cat name)"
check 'controls in a name are printed escaped' mentions err 'x\\x1b\]0;y\\x07'

if [ -c /dev/full ]; then
	to_full_disk()
	{
		git-perf help >/dev/full
	}
	check 'a full disk behind standard output is noticed' \
		exits 128 to_full_disk
	check 'the full disk behind standard output is named' \
		says err "fatal: cannot write to standard output:\
 No space left on device"
fi
closed_output()
{
	git-perf help >&-
}
check 'closed standard output does no harm' exits 0 closed_output
