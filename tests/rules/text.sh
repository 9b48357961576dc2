#!/bin/sh
# Files fit the eye and hold nothing that is only for now.
. "$(dirname "$0")/lib.sh"

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
	for file; do
		expand "$file" | awk -v file="$file" -v most="$columns" '
			length > most { print file ":" NR }'
	done | broken "wider than $columns columns"
}
width 80 $sources
# A check has its sentence and its command on one line.
width 132 $scripts
grep -EHn '[ 	]+$' $sources $scripts | broken 'blanks at the end of a line'
grep -EHnw 'TODO|FIXME|XXX' $sources $scripts cmd/man/*.adoc |
	grep -v '^tests/rules/text.sh' | broken 'unfinished'
for file in $sources; do
	sed 1q "$file" | grep -q '^/\*' || echo "$file"
done | broken 'does not say what it is for'
find libperfnotes cmd -name 'util*' | broken 'a noun, please'
registers=$(find tests -path tests/data -prune -o -name CMakeLists.txt -print)
for file in $(find tests -path tests/data -prune -o -name '*_test.c' -print -o \
	-path 'tests/*/*.sh' ! -name lib.sh -print); do
	name=$(basename "$file" .sh)
	grep -Eq "^[ 	]*(perf_[a-z_]+\\()?${name%_test.c}([ )]|\$)|/$name( |\$)" \
		$registers ||
		echo "$file"
done | broken 'is in no CMakeLists.txt of the tests'

# A failure is read without its script: no sentence that goes on with another,
# none without what it is about, none of one word.
on='and|but|nor|or|as well|again|likewise|also|so|then|which|that|with|else|instead'
bare='is|are|was|were|has|have|does|they'
bare="$bare|it|its|them|saying|keeping|says|gets|brings|removes|queues|refuses|mends|takes|moves|leaves|knows"
grep -EHn "^[ 	]*check (['\"]($on|$bare)[ '\"]|'[a-z]+' |\"[a-z]+\" )" \
	$(find tests/cli -name '*.sh' ! -name lib.sh) |
	broken 'the sentence needs the one before it'

verdict
