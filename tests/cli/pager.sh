#!/bin/sh
# Pager and colours are git's own choice; script(1) provides the terminal.
. "$(dirname "$0")/lib.sh"
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

check 'on a terminal' exits 0 terminal \
	"GIT_PAGER='sed s/^/paged:/' git-perf log"
check 'a long result goes through the pager' mentions out '^paged:'
check 'with --no-pager' exits 0 terminal \
	"GIT_PAGER='sed s/^/paged:/' git-perf --no-pager log"
check 'it does not' not mentions out '^paged:'
check 'with git --no-pager' exits 0 terminal 'git --no-pager perf log'
check 'neither' not mentions out '^paged:'
must git config core.pager 'sed s/^/configured:/'
check 'core.pager is heeded' exits 0 terminal 'git-perf log'
check 'as git does' mentions out '^configured:'
check 'through git, too' exits 0 terminal 'git perf log'
check 'in the same way' mentions out '^configured:'
check 'GIT_PAGER wins' exits 0 terminal "GIT_PAGER='sed s/^/env:/' git-perf log"
check 'over core.pager' mentions out '^env:'
must git config pager.perf false
check 'pager.perf turns it off' exits 0 terminal 'git perf log'
check 'under git' not mentions out '^configured:'
must git config pager.perf true
check 'pager.perf turns it on' exits 0 terminal 'git perf log'
check 'once' not mentions out '^configured:configured:'
must git config --unset pager.perf
check 'without a terminal' exits 0 git-perf log
check 'there is no pager' not mentions out '^configured:'
check 'LESS is set for less' exits 0 terminal \
	"GIT_PAGER='cat >/dev/null; echo \$LESS' git-perf log"
check "to git's own value" says out FRX
check 'and left alone when set' exits 0 terminal \
	"LESS=X GIT_PAGER='cat >/dev/null; echo \$LESS' git-perf log"
check 'by somebody' says out X

escape=$(printf '\033')
must git config core.pager cat
check 'a terminal has colours' exits 0 terminal 'git-perf log'
check 'by default' mentions out "$escape\\["
check '--color=never' exits 0 terminal 'git-perf --color=never log'
check 'turns them off' not mentions out "$escape"
check 'NO_COLOR' exits 0 terminal 'NO_COLOR=1 git-perf log'
check 'does, too' not mentions out "$escape"
check 'TERM=dumb' exits 0 terminal 'TERM=dumb git-perf log'
check 'as well' not mentions out "$escape"
must git config color.ui false
check 'color.ui=false' exits 0 terminal 'git-perf log'
check 'is heeded' not mentions out "$escape"
must git config color.perf true
check 'color.perf' exits 0 terminal 'git-perf log'
check 'wins over it' mentions out "$escape\\["
check 'without a terminal' exits 0 git-perf log
check 'there are none' not mentions out "$escape"
check '--color=always' exits 0 git-perf --color=always log
check 'colours a pipe, too' mentions out "$escape\\["

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
check 'a part of a name' exits 0 answer 'n\ny\n' \
	git-perf --no-pager export -t collapsed cpu
# the answers may be shown before, between or behind the questions
check 'asks for each' is "$(grep -o "use '[^']*'" "$out")" \
	"use './below/cpu1.folded'
use './below/deeper/cpu2.folded'"
check 'and takes the one' mentions out 'main;two 2$'
check 'q ends it' exits 128 answer 'q\n' git-perf --no-pager show cpu
check 'with the usual message' mentions out "fatal: no profile 'cpu'"
check 'elsewhere nothing is asked' exits 128 git-perf show cpu
check 'but refused' mentions err "^fatal: no profile 'cpu'"

printf 'main;f 1\n' >p.folded
terminal 'git-perf export --to=pprof ./p.folded' >"$scratch/out"
check 'a binary format spares a terminal' mentions out '^fatal: need -o <file>'
terminal 'git-perf export --to=collapsed ./p.folded' >"$scratch/out"
check 'one of text is shown' says out 'main;f 1'
