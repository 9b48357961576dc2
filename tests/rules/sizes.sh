#!/bin/sh
# What one can take in at once: a function of 60 lines, a file of 600, a folder
# with 40 files directly in it, a program that is thin.
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

grep -E '\.([chs]|sh|py|cmake|js|css)$|/CMakeLists\.txt$' "$sources" |
	tr '\n' '\0' | xargs -0 awk '
	FNR == 601 { print FILENAME }' | broken 'more than 600 lines'

# A command parses, calls and prints: more than a page or two needs a reason,
# which begins with "Long" in the comment that a file opens with.
grep '^cmd/.*\.c$' "$sources" | while read -r file; do
	[ "$(wc -l <"$file")" -le 150 ] ||
		sed '/\*\//q' "$file" | grep -q '\<Long\>' || echo "$file"
done | broken 'a command of more than 150 lines does not say why'
# Options belong to the structs that they fill, rows and sentences to the layers
# below.
lines=$(grep '^cmd/.*\.[ch]$' "$sources" | tr '\n' '\0' | xargs -0 cat | wc -l)
[ "$lines" -lt 7000 ] || echo "cmd: $lines" |
	broken '7000 lines or more: rows belong to analysis/, text to render/'

sed 's|/[^/]*$||' "$sources" | sort | uniq -c | awk '
	$1 > 40 { print $2 }' | broken 'more than 40 files in a folder'

verdict
