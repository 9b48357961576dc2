#!/bin/sh
# Each header compiles alone, and the library's own declare only pn_ names.
. "$(dirname "$0")/lib.sh"

# Each by itself, as many at a time as there are processors.
find libperfnotes cmd -name '*.h' -print0 | sort -z |
	xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" \
		${CC:-cc} -std=c11 -Wall -Wextra -Werror -D_XOPEN_SOURCE=700 \
		-Ilibperfnotes -Icmd -fsyntax-only -x c /dev/null -include 2>&1 |
	grep error: | broken 'does not compile alone'

headers=$(find libperfnotes -name '*.h')
awk '
	FNR == 1 {
		n = split(FILENAME, part, "/")
		name = toupper(part[n - 1] "_" part[n])
		gsub(/[-.]/, "_", name)
		guard = "#ifndef PN_" name
		wanting[FILENAME] = 1
	}
	$0 == guard { delete wanting[FILENAME] }
	END {
		for (file in wanting)
			print file
	}' $headers | broken 'include guard is not PN_<FOLDER>_<FILE>_H'
grep -h '^#ifndef PN_' $headers | sort | uniq -d |
	broken 'two headers have one include guard'
grep -Hn '^#[ 	]*define ' $headers | grep -Ev '#[ 	]*define (PN|pn)_' |
	broken 'not a PN_ name'
grep -EHn '^(struct|enum|union) [a-zA-Z_0-9]+ \{' $headers |
	grep -Ev ':(struct|enum|union) pn_' | broken 'not a pn_ name'
grep -EHn '^typedef ' $headers | broken 'no typedef'
# The name may stand on the next line.
sed -n '/^static inline /{/(/!N;s/\n/ /;p}' $headers |
	grep -v ' \**pn_[a-z0-9_]*(' | broken 'not a pn_ name'

verdict
