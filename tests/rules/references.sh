#!/bin/sh
# Files that papers and comments name are there: a name ends what the path of
# a file of the tree ends with.
. "$(dirname "$0")/lib.sh"

# Files of git, Linux, glibc, binutils, cJSON, Python, Perun, Google Benchmark
# and the Firefox profiler, what a build makes, and a user's own.
foreign='
refs.c tr2_sid.c refs/files-backend.c builtin/gc.c
fs/exec.c tools/perf/builtin-script.c arch/x86/include/uapi/asm/sigcontext.h
elf.h jmpbuf-offsets.h gmon_out.h cJSON.h
sysdeps/unix/sysv/linux/x86_64/pointer_guard.h
Python/marshal.c Lib/pstats.py
profile/factory.py profile/convert.py profile/query.py
docs/user_guide.md docs-developer/CHANGELOG-formats.md
perfnotes/perfnotes.h perfnotes/runtime/git-perf.h CPackSourceConfig.cmake
parser.py fib.c
'

names=$(mktemp) || exit 1
trap 'rm -f "$faults" "$names"' EXIT
find . -name .git -prune -o -name 'build*' -prune -o -type f -print |
	sed 's|^\./||' >"$names"
{
	find . -name .git -prune -o -name 'build*' -prune -o \
		-path ./tests/data -prune -o -name '*.md' -print
	echo tests/data/README.md
	find cmd libperfnotes hooks -name '*.[ch]' -o -name '*.adoc'
} | sed 's|^\./||' | sort | xargs awk -v foreign="$foreign" '
	BEGIN {
		n = split(foreign, word)
		for (i = 1; i <= n; i++)
			have[word[i]] = 1
	}
	FILENAME == ARGV[1] {
		n = split($0, part, "/")
		name = part[n]
		have[name] = 1
		for (i = n - 1; i > 0; i--)
			have[name = part[i] "/" name] = 1
		next
	}
	FILENAME ~ /\.[ch]$/ && /^[ \t]*#[ \t]*include/ { next }
	{
		rest = $0
		while (match(rest, /[A-Za-z0-9_.\/*<>-]*[A-Za-z0-9_]\.(c|h|md|sh|py|adoc|cmake)([^A-Za-z0-9_.(-]|\.?$|\. )/)) {
			file = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			sub(/[^a-z]+$/, "", file)
			sub(/^(\.\.?\/)+/, "", file)
			if (file !~ /[*<>]/ && !(file in have))
				print FILENAME ":" FNR ": " file
		}
	}' "$names" | broken 'names a file that is not there'

# The folders of the two tables of the house.
grep -hEo '^\| `[a-z/._]+/`' CONTRIBUTING.md README.md tests/README.md \
	contrib/README.md | sed 's/^| `//; s/`$//' | while read -r folder; do
	[ -d "$folder" ] || [ -d "libperfnotes/$folder" ] ||
		[ -d "tests/$folder" ] || [ -d "contrib/$folder" ] ||
		[ "$folder" = mutate/ ] || echo "$folder"
done | broken 'a table names a folder that is not there'

verdict
