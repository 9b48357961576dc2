#!/bin/sh
# What one can take in at once: a function of 60 lines, a file of 600, a folder
# with 40 files directly in it.
. "$(dirname "$0")/lib.sh"

# Data is looked up by name, not read.
sources=$(mktemp) || exit 1
trap 'rm -f "$faults" "$sources"' EXIT
find cmd libperfnotes tests contrib hooks -path tests/data -prune -o \
	-type f -name '[!.]*' -print >"$sources"

grep '\.[ch]$' "$sources" | tr '\n' '\0' | xargs -0 awk '
	FNR == 1 { begin = 0 }
	/^\{/ { begin = FNR }
	/^\}/ {
		if (begin && FNR - begin - 1 > 60)
			print FILENAME ":" begin ": " FNR - begin - 1
		begin = 0
	}' | broken 'more than 60 lines in a function'

grep -E '\.([chs]|sh|py|cmake)$|/CMakeLists\.txt$' "$sources" |
	tr '\n' '\0' | xargs -0 awk '
	FNR == 601 { print FILENAME }' | broken 'more than 600 lines'

sed 's|/[^/]*$||' "$sources" | sort | uniq -c | awk '
	$1 > 40 { print $2 }' | broken 'more than 40 files in a folder'

verdict
