#!/bin/sh
# What other programs may use: the names in perfnotes.sym are in order, are
# those that the public headers declare, and are those that the shared library
# exports. perfnotes.h names every header that it needs, each is C and C++, and
# includes nothing but the C library's.
# PERF_SHARED_LIBRARY is the shared library.
. "$(dirname "$0")/lib.sh"

[ -n "${PERF_SHARED_LIBRARY:-}" ] ||
	skip 'PERF_SHARED_LIBRARY names no library'
names=libperfnotes/perfnotes.sym
declared=$(mktemp)
trap 'rm -f "$faults" "$declared"' EXIT

LC_ALL=C sort -cu $names 2>&1 | broken 'not in order'

# The declarations in braces of nothing: a function's name stands before its
# parenthesis, a table's before its bracket.
${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -E -P -Ilibperfnotes -include \
	libperfnotes/perfnotes.h -x c /dev/null | awk '
	{
		n = split($0, letter, "")
		for (i = 1; i <= n; i++) {
			c = letter[i]
			if (c == "{")
				depth++
			else if (c == "}" && !--depth && text ~ /static inline/)
				text = ""
			else if (c == ";" && !depth) {
				tell(text)
				text = ""
			} else if (!depth)
				text = text c
		}
		text = text " "
	}
	function tell(text) {
		if (match(text, /pn_[a-z0-9_]+ *\(/) ||
		    (text ~ /extern/ && match(text, /pn_[a-z0-9_]+ *\[/))) {
			text = substr(text, RSTART, RLENGTH - 1)
			sub(/ *$/, "", text)
			print text
		}
	}' | sort -u >"$declared"
sort $names | comm -23 "$declared" - | broken "declared, not in $names"
sort $names | comm -13 "$declared" - | broken "in $names, not declared"
nm -D --defined-only "$PERF_SHARED_LIBRARY" |
	awk '$2 != "A" { sub("@.*", "", $3); print $3 }' | sort |
	comm -13 $names - | broken "exported, not in $names"
nm -D --defined-only "$PERF_SHARED_LIBRARY" |
	awk '$2 != "A" { sub("@.*", "", $3); print $3 }' | sort |
	comm -23 $names - | broken "in $names, not exported"

public=$(sed -n 's/^#include "\(.*\)"$/\1/p' libperfnotes/perfnotes.h)
for header in $public; do
	sed -n 's/^#include "\(.*\)"$/\1/p' "libperfnotes/$header"
done | sort -u | while read -r header; do
	echo "$public" | grep -Fxq "$header" || echo "$header"
done | broken 'included by a public header, not by perfnotes.h'
for header in $public; do
	grep -Hn '^#include <' "libperfnotes/$header"
done | grep -Ev '<(inttypes|stdarg|stdbool|stddef|stdint|stdio|string)\.h>' |
	broken 'in a public header, not included by perfnotes.h before the braces'

for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	$compiler -std=c++11 -Wall -Wextra -Wpedantic -Werror -Ilibperfnotes \
		-fsyntax-only -include libperfnotes/perfnotes.h \
		-x c++ /dev/null 2>&1 | grep error: | broken "no C++ for $compiler"
done

verdict
