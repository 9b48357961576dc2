#!/bin/sh
# All C is as clang-format 14 leaves it.
. "$(dirname "$0")/lib.sh"

format=$(command -v clang-format-14 || command -v clang-format) ||
	skip 'clang-format is not installed'
"$format" --version | grep -q 'version 14\.' ||
	skip 'clang-format is not version 14'
find libperfnotes cmd tests -path tests/data -prune -o -name '*.[ch]' -print0 |
	xargs -0 "$format" --dry-run 2>&1 | grep 'warning:' |
	broken 'clang-format'

verdict
