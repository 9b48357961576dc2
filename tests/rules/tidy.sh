#!/bin/sh
# clang-tidy finds nothing; see .clang-tidy. PERF_BUILD is a build folder;
# PERF_TIDY_SINCE limits it to the files that a commit's successors changed.
. "$(dirname "$0")/lib.sh"

tidy=$(command -v clang-tidy-14 || command -v clang-tidy) ||
	skip 'clang-tidy is not installed'
build=${PERF_BUILD:-$root/build}
[ -f "$build/compile_commands.json" ] || skip "no compile_commands.json"

# gcc's own options mean nothing to clang-tidy.
database=$(mktemp -d)
trap 'rm -rf "$faults" "$database"' EXIT
sed -e 's/ -f\(no-\)\{0,1\}fat-lto-objects//g' -e 's/ -flto=auto//g' \
	-e 's/ -Wno-maybe-uninitialized//g' -e 's/ -Wno-format-truncation//g' \
	"$build/compile_commands.json" >"$database/compile_commands.json"

# One file a run: clang-tidy 14 loses track of va_list in the second.
{
	if [ -n "${PERF_TIDY_SINCE:-}" ]; then
		git diff --name-only --diff-filter=d -z "$PERF_TIDY_SINCE" -- \
			'libperfnotes/*.c' 'cmd/*.c'
	else
		find libperfnotes cmd -name '*.c' -print0
	fi
} | sort -z |
	xargs -0 -r -n 1 -P "$(getconf _NPROCESSORS_ONLN)" \
		"$tidy" -p "$database" --quiet 2>/dev/null |
	grep -E ': (warning|error): ' | sort -u | broken 'clang-tidy'

verdict
