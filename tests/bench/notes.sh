#!/bin/sh
# The notes tree beside git's own: a batch beside `git fast-import`, lookups
# beside `git notes list <object>` (a process each), a walk beside
# `git notes list`, one commit beside `git notes add` (which does not sync).
#
#	tests/bench/notes.sh [<notes> [<build folder>]]
#
# <notes> is 100000 unless given; with a million it takes about a minute.
set -eu
cd "$(dirname "$0")/../.."
notes=${1:-100000}
bench=$(cd "${2:-build}" && pwd)/tests/bench_notes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
now() { date +%s%N; }

# Seconds of a command, best of $1 runs.
best()
{
	runs=$1
	shift
	for _ in $(seq "$runs"); do
		start=$(now)
		"$@" >/dev/null
		echo $(($(now) - start))
	done | sort -n | awk 'NR == 1 { printf "%.6f", $1 / 1e9 }'
}

line()
{
	echo "$2 $3" | awk -v what="$1" -v unit="$4" -v by="$5" '{
		printf "%-24s %10.3f %s, git %10.3f %s, ratio %.3f\n",
			what, $1 * by, unit, $2 * by, unit, $1 / $2 }'
}

git init -q "$work/own"
git init -q "$work/git"
cd "$work/own"
set -- $("$bench" fill 0 "$notes" 0)
batch=$1
git notes --ref=perf list >"$work/list"
{
	printf 'commit refs/notes/perf\ncommitter A <a@b> 1 +0000\ndata 0\n'
	cut -d' ' -f1 "$work/list" | git cat-file --batch |
		paste -d' ' - - - | awk '{ print $4 }' >"$work/texts"
	cut -d' ' -f2 "$work/list" | paste -d' ' - "$work/texts" | awk '{
		h = $1
		printf "M 100644 inline %s/%s/%s\ndata %d\n%s\n\n",
			substr(h, 1, 2), substr(h, 3, 2), substr(h, 5),
			length($2) + 1, $2 }'
} >"$work/stream"
cd "$work/git"
start=$(now)
git fast-import --quiet <"$work/stream"
import=$(echo $(($(now) - start)) | awk '{ print $1 / 1e9 }')
line "batch of $notes" "$batch" "$import" s 1

cd "$work/own"
one=$(sed -n "$((notes / 2))p" "$work/list" | cut -d' ' -f2)
read=$("$bench" read "$notes" | cut -d' ' -f1)
git_read=$(best 9 git notes --ref=perf list "$one")
line 'one lookup' "$(echo "$read" | awk '{ print $1 / 1e6 }')" "$git_read" \
	us 1e6
line 'walk over all' "$(best 3 "$bench" walk 2>/dev/null)" \
	"$(best 3 git notes --ref=perf list)" s 1
echo text >"$work/text"
line 'one commit, 20 kB body' "$(best 9 "$bench" add 1 20000)" \
	"$(best 9 git notes --ref=perf add -f -F "$work/text" "$one")" ms 1e3
