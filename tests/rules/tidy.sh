#!/bin/sh
# clang-tidy finds nothing; see .clang-tidy. PERF_BUILD is a build folder.
# With PERF_TIDY_QUICK the analyzer, which takes nearly all of the time, is left
# out. With PERF_TIDY_SINCE only files that differ from that commit are looked
# at, with PERF_TIDY_MOST at most so many: each commit chooses others.
. "$(dirname "$0")/lib.sh"

tidy=$(command -v clang-tidy-14 || command -v clang-tidy) ||
	skip 'clang-tidy is not installed'
build=${PERF_BUILD:-$root/build}
[ -f "$build/compile_commands.json" ] || skip "no compile_commands.json"

# gcc's own options and a cache before it mean nothing to clang-tidy.
database=$(mktemp -d)
trap 'rm -rf "$faults" "$database"' EXIT
sed -e 's/\("command": "\)[^ ]*ccache /\1/' -e 's/ -f\(no-\)\{0,1\}fat-lto-objects//g' -e 's/ -flto=auto//g' \
	-e 's/ -Wno-maybe-uninitialized//g' -e 's/ -Wno-format-truncation//g' \
	"$build/compile_commands.json" >"$database/compile_commands.json"

if [ -n "${PERF_TIDY_SINCE:-}" ]; then
	git diff --name-only --diff-filter=d "$PERF_TIDY_SINCE" -- \
		'libperfnotes/*.c' 'cmd/*.c' >"$database/files" ||
		echo "$PERF_TIDY_SINCE" | broken 'cannot be compared with'
else
	find libperfnotes cmd -name '*.c' >"$database/files"
fi
all=$(wc -l <"$database/files")
if [ "$all" -gt "${PERF_TIDY_MOST:-$all}" ]; then
	at=$(git rev-parse -q --verify HEAD)
	while read -r file; do
		echo "$(echo "$at $file" | cksum | cut -d ' ' -f 1) $file"
	done <"$database/files" | sort -n | head -n "$PERF_TIDY_MOST" |
		cut -d ' ' -f 2 >"$database/chosen"
	mv "$database/chosen" "$database/files"
fi
echo "clang-tidy on $(wc -l <"$database/files") of $all files"

# One file a run: clang-tidy 14 loses track of va_list in the second.
sort "$database/files" | tr '\n' '\0' |
	xargs -0 -r -n 1 -P "$(getconf _NPROCESSORS_ONLN)" \
		"$tidy" -p "$database" --quiet \
		${PERF_TIDY_QUICK:+"--checks=-clang-analyzer-*"} 2>/dev/null |
	grep -E ': (warning|error): ' | sort -u | broken 'clang-tidy'

verdict
