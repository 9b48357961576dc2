#!/bin/sh
# Files fit the eye and hold nothing that is only for now.
. "$(dirname "$0")/lib.sh"

names=$(mktemp) || exit 1
trap 'rm -f "$faults" "$names"' EXIT
sources=$(find libperfnotes cmd tests -path tests/data -prune -o \
	-name '*.[ch]' -print)
scripts=$(find tests contrib .ci -path tests/data -prune -o -name '*.sh' -o -path '*/completion/*' \
	-type f -o -name run -type f -o -name quickstart | grep -vx tests/data | sort)

wc -l $sources | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines" }' |
	broken 'longer than 600 lines'
# width COLUMNS FILE...
width()
{
	columns=$1
	shift
	awk -v most="$columns" '
		length > most || /\t/ {
			line = ""
			n = split($0, part, "\t")
			for (i = 1; i < n; i++) {
				line = line part[i]
				line = line substr("        ", 1 + length(line) % 8)
			}
			if (length(line part[n]) > most)
				print FILENAME ":" FNR
		}' "$@" | broken "wider than $columns columns"
}
width 80 $sources
# A check has its sentence and its command on one line.
width 132 $scripts
grep -EHn '[ 	]+$' $sources $scripts | broken 'blanks at the end of a line'
grep -EHnw 'TODO|FIXME|XXX' $sources $scripts \
	$(find cmd/man -name '*.adoc') |
	grep -v '^tests/rules/text.sh' | broken 'unfinished'
awk 'FNR == 1 && !/^\/\*/ { print FILENAME }' $sources |
	broken 'does not say what it is for'
find libperfnotes cmd -name 'util*' | broken 'a noun, please'
# A list of tests names it alone, behind its room or in a function's call.
find tests -path tests/data -prune -o -name CMakeLists.txt -print0 |
	xargs -0 cat | sed 's/perf_[a-z_]*(/ /; s/[()]/ /g' | tr -s ' \t' '\n' |
	sed 's|.*/||; s/_test\.c$//' | sort -u >"$names"
find tests -path tests/data -prune -o -name '*_test.c' -print -o \
	-path 'tests/*/*.sh' ! -name lib.sh -print | awk '
	FNR == NR { have[$0] = 1; next }
	{
		name = $0
		sub(".*/", "", name)
		sub(/(_test\.c|\.sh)$/, "", name)
		if (!(name in have))
			print
	}' "$names" - | broken 'is in no CMakeLists.txt of the tests'

# A failure is read without its script: no sentence that goes on with another,
# none without what it is about, none of one word.
on='and|but|nor|or|as well|again|likewise|also|so|then|which|that|with|else|instead'
bare='is|are|was|were|has|have|does|they'
bare="$bare|it|its|them|saying|keeping|says|gets|brings|removes|queues|refuses|mends|takes|moves|leaves|knows"
grep -EHn "^[ 	]*check (['\"]($on|$bare)[ '\"]|'[a-z]+' |\"[a-z]+\" )" \
	$(find tests/cli -name '*.sh' ! -name lib.sh) |
	broken 'the sentence needs the one before it'
# What tests/run puts in jq's place knows no --sort-keys.
grep -EHn 'jq -[A-Za-z]*S|--sort-keys' \
	$(find tests -path tests/data -prune -o -name '*.sh' -print) |
	grep -v '^tests/rules/text.sh' | broken 'compare with == in jq'

verdict
