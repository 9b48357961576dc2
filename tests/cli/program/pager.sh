#!/bin/sh
# Pager and colours are git's own choice; script(1) provides the terminal.
. "$(dirname "$0")/../lib.sh"
need script

commit first
TERM=xterm
COLUMNS=80
SHELL=/bin/sh
export SHELL

# Run a shell line on a terminal; what it shows is the output. script ends 10 ms
# after the line, even when the kernel still has some of what that wrote: so
# the line ends when all of it has come.
terminal()
{
	typed "$1" </dev/null
}
typed()
{
	: >"$scratch/typescript"
	code=0
	script -qefc "$1
		code=\$?
		printf '\\nshown %s\\n' all
		until grep -q '^shown all' '$scratch/typescript'; do
			sleep 0.01
		done
		exit \$code" "$scratch/typescript" >"$scratch/shown" || code=$?
	tr -d '\r' <"$scratch/shown" | sed '/^shown all$/d'
	return $code
}

check 'log runs on a terminal with a pager' exits 0 terminal \
	"GIT_PAGER='sed s/^/paged:/' git-perf log"
check 'a long result goes through GIT_PAGER' mentions out '^paged:'
check 'log runs on a terminal with --no-pager' exits 0 terminal \
	"GIT_PAGER='sed s/^/paged:/' git-perf --no-pager log"
check '--no-pager keeps the pager away' not mentions out '^paged:'
check 'log runs on a terminal with git --no-pager' \
	exits 0 terminal 'git --no-pager perf log'
check 'git --no-pager keeps the pager away' not mentions out '^paged:'
must git config core.pager 'sed s/^/configured:/'
check 'log runs on a terminal with core.pager' exits 0 terminal 'git-perf log'
check 'core.pager is used as git uses it' mentions out '^configured:'
check 'log runs through git with core.pager' exits 0 terminal 'git perf log'
check 'core.pager is used through git' mentions out '^configured:'
check 'log runs with GIT_PAGER beside core.pager' \
	exits 0 terminal "GIT_PAGER='sed s/^/env:/' git-perf log"
check 'GIT_PAGER goes before core.pager' mentions out '^env:'
must git config pager.perf false
check 'log runs through git with pager.perf=false' \
	exits 0 terminal 'git perf log'
check 'pager.perf=false keeps the pager away' not mentions out '^configured:'
must git config pager.perf true
check 'log runs through git with pager.perf set' exits 0 terminal 'git perf log'
check 'the pager of pager.perf is started once' \
	not mentions out '^configured:configured:'
must git config --unset pager.perf
check 'log runs without a terminal' exits 0 git-perf log
check 'no pager is started without a terminal' not mentions out '^configured:'
check 'log runs with a pager that prints LESS' exits 0 terminal \
	"GIT_PAGER='cat >/dev/null; echo \$LESS' git-perf log"
check "LESS has the value that git gives it" says out FRX
check 'log runs with LESS in the environment' exits 0 terminal \
	"LESS=X GIT_PAGER='cat >/dev/null; echo \$LESS' git-perf log"
check 'LESS of the environment is left alone' says out X

escape=$(printf '\033')
must git config core.pager cat
check 'log runs on a terminal without colour settings' \
	exits 0 terminal 'git-perf log'
check 'a terminal gets colours by default' mentions out "$escape\\["
check 'log runs on a terminal with --color=never' \
	exits 0 terminal 'git-perf --color=never log'
check '--color=never turns colours off' not mentions out "$escape"
check 'log runs on a terminal with NO_COLOR' \
	exits 0 terminal 'NO_COLOR=1 git-perf log'
check 'NO_COLOR turns colours off' not mentions out "$escape"
check 'log runs on a terminal with TERM=dumb' \
	exits 0 terminal 'TERM=dumb git-perf log'
check 'TERM=dumb turns colours off' not mentions out "$escape"
must git config color.ui false
check 'log runs on a terminal with color.ui=false' \
	exits 0 terminal 'git-perf log'
check 'color.ui=false turns colours off' not mentions out "$escape"
must git config color.perf true
check 'log runs on a terminal with color.perf beside color.ui' \
	exits 0 terminal 'git-perf log'
check 'color.perf goes before color.ui' mentions out "$escape\\["
check 'log runs without a terminal and with color.perf' exits 0 git-perf log
check 'colours are off without a terminal' not mentions out "$escape"
check 'log runs without a terminal with --color=always' \
	exits 0 git-perf --color=always log
check '--color=always colours a pipe' mentions out "$escape\\["

# Files below are offered at a terminal, one by one.
must mkdir -p below/deeper
echo 'main;one 1' >below/cpu1.folded
echo 'main;two 2' >below/deeper/cpu2.folded
echo 'no profile' >below/cpu.txt
answer()
{
	answers=$1
	shift
	printf "$answers" | typed "$*"
}
check 'a part of a name is looked for below the folder on a terminal' \
	exits 0 answer 'n\ny\n' \
	git-perf --no-pager export -t collapsed cpu
# the answers may be shown before, between or behind the questions
check 'each match below the folder is asked for' \
	is "$(grep -o "use '[^']*'" "$out")" \
	"use './below/cpu1.folded'
use './below/deeper/cpu2.folded'"
check 'the match that was agreed to is taken' mentions out 'main;two 2$'
check 'the answer q ends the search' \
	exits 128 answer 'q\n' git-perf --no-pager show cpu
check 'the ended search gives the usual message' \
	mentions out "fatal: no profile 'cpu'"
check 'a part of a name is not looked for without a terminal' \
	exits 128 git-perf show cpu
check 'the part of a name is refused without a terminal' \
	mentions err "^fatal: no profile 'cpu'"

printf 'main;f 1\n' >p.folded
terminal 'git-perf export --to=pprof ./p.folded' >"$scratch/out"
check 'a binary format is not written to a terminal' \
	mentions out '^fatal: need -o <file>'
terminal 'git-perf export --to=collapsed ./p.folded' >"$scratch/out"
check 'a text format is written to a terminal' says out 'main;f 1'

# What waits for somebody to type says so.
must printf '1 1.1 1.2 1.3\n\n5 5.1 5.2 5.3\n' >../pair
check 'detect reads a terminal' exits 0 typed 'git-perf detect pair' <../pair
check 'detect says that it reads the terminal' mentions out \
	'^reading numbers from the terminal, to the end \(Ctrl-D\)'
check 'detect judges what was typed' mentions out '^Degradation '
check 'detect reads a file' exits 0 git-perf detect pair <../pair
check 'detect says nothing of a file' silent err
