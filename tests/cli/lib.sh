# The whole framework of the command-line tests; source it first:
#
#	. "$(dirname "$0")/../lib.sh"
#
# The test then stands in a fresh repository (branch main, no commit yet) in a
# folder of its own, with a home, an identity and a clock that nobody else
# touches. git-perf is the one of PERF_BIN, else of build/bin.
#
#	check 'a bad line is named' exits 128 git perf add bad.folded
#	check 'the reason is told' says err "fatal: ..."
#
# check SENTENCE TEST...   one line of result; TEST is one of
#	exits CODE COMMAND...    run it; its output is kept for the tests below
#	says out|err LINE        one whole line is exactly this
#	mentions out|err REGEX   one line matches (grep -E)
#	prints out|err           all of it equals standard input
#	silent out|err           nothing was written
#	is GOT EXPECTED          two texts are equal
#	same FILE FILE           two files are equal
#	gone PID                 the process ends within a minute
#	json FILTER EXPECTED     jq -c FILTER on the output
#	not TEST...              the opposite
#	any command              exits with 0
# must COMMAND...          preparation: ends the test when it fails
# loosen                   each object of the repository is a file of its own
# commit [MESSAGE]         a commit, one minute after the last one
# wordfreq FOLDER         the 40 commits of tests/data's series in a clone, with
#                          what callgrind and hyperfine measured of each
# instructions COMMAND...  how many it takes, and its status; skip_sanitized before
# counting_upload          $scratch/upload counts connections, in the place of the
#                          other side's git, as lines of $scratch/connections
# lean_clone               of $server, without bodies, where one stands then; $absent
#                          of them, and $scratch/connections is empty
# need COMMAND...          skips when one of these programs is absent
# skip REASON              ends the test as skipped
#
# $root is the source tree, $measured its real profiles, $scratch the folder of
# the test; the files $out and
# $err hold what the last command of `exits` wrote. PERF_KEEP=1 keeps them.

test_name=$(basename "$0" .sh)
root=$(cd "$(dirname "$0")" && pwd)
until [ -e "$root/tests/cli/lib.sh" ]; do
	root=${root%/*}
	[ -n "$root" ] || exit 1
done
measured=$root/tests/data/measured
PATH=${PERF_BIN:-$root/build/bin}:$PATH

for variable in $(env | sed -n 's/^\(GIT_[A-Z_0-9]*\)=.*/\1/p'); do
	unset "$variable"
done
unset CI XDG_CONFIG_HOME NO_COLOR COLUMNS PAGER LESS MANPATH EDITOR CDPATH

scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-perf-$test_name.XXXXXX") || exit 1
HOME=$scratch/home
GIT_CONFIG_NOSYSTEM=1
GIT_CONFIG_GLOBAL=$HOME/.gitconfig
GIT_CEILING_DIRECTORIES=$scratch
GIT_AUTHOR_NAME='A U Thor'
GIT_AUTHOR_EMAIL=author@example.com
GIT_COMMITTER_NAME='C O Mitter'
GIT_COMMITTER_EMAIL=committer@example.com
LC_ALL=C
TZ=UTC
TERM=dumb
# What else the machine does is not recorded, and so not said.
GIT_PERF_QUIET=
export GIT_PERF_QUIET
export PATH HOME GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL GIT_CEILING_DIRECTORIES
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
export GIT_AUTHOR_DATE GIT_COMMITTER_DATE LC_ALL TZ TERM
umask 022
exec </dev/null

out=$scratch/out
err=$scratch/err
checks=0
failures=0
clock=1700000000
: >"$out"
: >"$err"

# What a test has to take back at its end, whichever that is.
at_end=

finish()
{
	code=$?
	trap - EXIT
	cd /
	eval "$at_end"
	if [ -n "${PERF_KEEP:-}" ]; then
		echo "kept $scratch"
	else
		chmod -R u+rwX "$scratch" 2>/dev/null
		rm -rf "$scratch"
	fi
	if [ $code -eq 77 ] && [ $failures -eq 0 ]; then
		exit 77
	elif [ $code -eq 77 ]; then
		# what failed before counts more than what is missing
		code=0
	fi
	if [ $code -ne 0 ]; then
		echo "$test_name: ended early with status $code"
		exit 1
	fi
	if [ $checks -eq 0 ]; then
		echo "$test_name: no check was made"
		exit 1
	fi
	echo "$test_name: $checks checks, $failures failed"
	# a bare exit in a trap ends with the status from before it
	[ $failures -eq 0 ] || exit 1
	exit 0
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

check()
{
	sentence=$1
	shift
	checks=$((checks + 1))
	if "$@" 2>"$scratch/why"; then
		echo "ok $checks - $sentence"
		return 0
	fi
	failures=$((failures + 1))
	echo "not ok $checks - $sentence"
	{
		echo "$*"
		cat "$scratch/why"
		echo "standard output was:"
		head -n 20 "$out"
		echo "standard error was:"
		head -n 20 "$err"
	} | sed 's/^/#   /'
	return 0
}

exits()
{
	wanted=$1
	shift
	got=0
	"$@" >"$out" 2>"$err" || got=$?
	[ "$got" -eq "$wanted" ] || {
		echo "exit status $got, expected $wanted" >&2
		return 1
	}
}

says()
{
	grep -Fxq -e "$2" "$scratch/$1"
}

mentions()
{
	grep -Eq -e "$2" "$scratch/$1"
}

prints()
{
	diff -u - "$scratch/$1" >&2
}

silent()
{
	[ ! -s "$scratch/$1" ]
}

is()
{
	[ "$1" = "$2" ] || {
		echo "got      '$1'" >&2
		echo "expected '$2'" >&2
		return 1
	}
}

# What was killed may wait for its parent, which is not ours, to look; and a
# kill takes a moment on a busy machine.
gone()
{
	waited=0
	while [ $waited -lt 600 ]; do
		process=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null)
		case $process in '' | Z* | X*) return 0 ;; esac
		waited=$((waited + 1))
		sleep 0.1
	done
	echo "process $1 is still there: $process" >&2
	return 1
}

same()
{
	cmp "$1" "$2" >&2
}

json()
{
	is "$(jq -c "$1" "$out")" "$2"
}

not()
{
	! "$@"
}

must()
{
	"$@" || {
		echo "$test_name: preparation failed: $*"
		exit 1
	}
}

skip()
{
	echo "SKIPPED $test_name: $*"
	exit 77
}

wordfreq()
{
	must git clone -q "$measured/series/wordfreq.bundle" -b main "$1" 2>"$err"
	tail -n +2 "$measured/series/series.tsv" | while IFS="$(printf '\t')" read -r n id rest; do
		name=$n-$(echo "$id" | cut -c 1-10)
		printf '%s\t%s\n' "$id" "$measured/series/callgrind/$name.callgrind"
		printf '%s\t%s\n' "$id" "$measured/series/hyperfine/$name.json"
	done >"$scratch/wordfreq.lines"
	must git -C "$1" perf add --stdin <"$scratch/wordfreq.lines" 2>"$err"
}

need()
{
	for program in "$@"; do
		command -v "$program" >/dev/null ||
			skip "$program is not installed"
	done
}

# A program, where the leak sanitizer is built in, without it: it traces, and
# waits for ever for what others continue or trace.
leaking()
{
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 "$@"
}

traced()
{
	leaking strace "$@"
}

commit()
{
	clock=$((clock + 60))
	GIT_AUTHOR_DATE="$clock +0000"
	GIT_COMMITTER_DATE="$clock +0000"
	must git commit -q --allow-empty -m "${1:-commit at $clock}"
}

loosen()
{
	must mkdir "$scratch/packs"
	mv .git/objects/pack/*.pack "$scratch/packs"
	rm -f .git/objects/pack/*
	for pack in "$scratch"/packs/*.pack; do
		must git unpack-objects -q <"$pack"
	done
	rm -rf "$scratch/packs"
}

skip_sanitized()
{
	! nm "$(command -v git-perf)" 2>/dev/null | grep -q __asan_init ||
		skip 'valgrind does not run what a sanitizer is built into'
}

instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"$@" >"$out" 2>"$err"
	instructions_status=$?
	awk '/Collected/ { print $NF }' "$err"
	return $instructions_status
}

lean_clone()
{
	cd "$scratch" || exit 1
	rm -rf lean
	must git clone -q "file://$server" lean
	cd lean || exit 1
	must git config remote.origin.uploadpack "$scratch/upload"
	must git perf pull -q --filter
	absent=$(git rev-list --objects --missing=print refs/notes/perf |
		grep -c '^?')
	: >"$scratch/connections"
}

counting_upload()
{
	cat >"$scratch/upload" <<-END
		#!/bin/sh
		echo >>"$scratch/connections"
		exec git-upload-pack "\$@"
	END
	must chmod +x "$scratch/upload"
}

must command -v git-perf >"$scratch/where"
mkdir "$HOME" "$scratch/repo"
must git init -q -b main "$scratch/repo"
cd "$scratch/repo" || exit 1
