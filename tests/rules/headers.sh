#!/bin/sh
# Each header compiles alone, and the library's own declare only pn_ names.
. "$(dirname "$0")/lib.sh"

find libperfnotes cmd -name '*.h' | sort | while read -r header; do
	${CC:-cc} -std=c11 -Wall -Wextra -Werror -D_XOPEN_SOURCE=700 \
		-Ilibperfnotes -Icmd -fsyntax-only -include "$header" \
		-x c /dev/null 2>&1 | grep -m 1 error:
done | broken 'does not compile alone'

headers=$(find libperfnotes -name '*.h')
for header in $headers; do
	folder=$(basename "$(dirname "$header")" | tr a-z A-Z)
	name=$(basename "$header" .h | tr a-z- A-Z_)
	grep -q "^#ifndef PN_${folder}_${name}_H\$" "$header" ||
		echo "$header"
done | broken 'include guard is not PN_<FOLDER>_<FILE>_H'
grep -Hn '^#[ 	]*define ' $headers | grep -Ev '#[ 	]*define (PN|pn)_' |
	broken 'not a PN_ name'
grep -EHn '^(struct|enum|union) [a-zA-Z_0-9]+ \{' $headers |
	grep -Ev ':(struct|enum|union) pn_' | broken 'not a pn_ name'
grep -EHn '^typedef ' $headers | broken 'no typedef'
grep -EHn '^static inline ' $headers | grep -v ' \**pn_[a-z0-9_]*(' |
	broken 'not a pn_ name'

verdict
