#!/bin/sh
# clang-tidy finds nothing; see .clang-tidy. PERF_BUILD is a build folder.
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
find libperfnotes cmd -name '*.c' -print0 | sort -z |
	xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" \
		"$tidy" -p "$database" --quiet 2>/dev/null |
	grep -E ': (warning|error): ' | sort -u | broken 'clang-tidy'

verdict
