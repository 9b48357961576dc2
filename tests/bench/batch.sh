#!/bin/sh
# Import of 100,000 records as one batch, beside fast-import of the notes.
. "$(dirname "$0")/lib.sh"
runs=1
head_row
history "$scratch/r" 100000
cd "$scratch/r"
git rev-list main >../revs
# figures only: what the time collector leaves
git-perf collect -r 3 --ignore-status -- true >/dev/null 2>&1
cp .git/perf/jobs/*.perf ../figures.perf
awk '{ print $1 "\t../figures.perf" }' ../revs >../figures.tsv
awk 'BEGIN { for (i = 0; i < 30; i++) printf "main;function_number_%d;leaf_%d %d\n", i, i, i }' >../p.folded
awk '{ print $1 "\t../p.folded" }' ../revs >../bodies.tsv
awk 'BEGIN { n = 0 } { n++; m = "perf1 line of a note of some 250 bytes "
	while (length(m) < 250) m = m "x"
	if (n == 1) print "commit refs/notes/peer\ncommitter B <b@x> 1 +0000\ndata 1\nx"
	printf "N inline %s\ndata %d\n%s\n", $1, length(m), m }' ../revs >../peer
seconds()
{
	/usr/bin/time -f '%e %M' -o ../time "$@"
	tail -n 1 ../time
}
peer=$(seconds git fast-import --quiet <../peer | awk '{ print $1 }')
set -- $(seconds git-perf add --force --stdin <../figures.tsv)
row '100,000 records, no bodies | fast-import' "$1 s" "$peer s" \
	"$(awk "BEGIN { printf \"%.2f\", $1 / $peer }")" '<= 2 s'
# each batch is the first one of its repository
git update-ref -d refs/notes/perf
set -- $(seconds git-perf add --stdin <../bodies.tsv)
row '100,000 records, bodies of 1 kB' "$1 s" "$peer s" \
	"$(awk "BEGIN { printf \"%.2f\", $1 / $peer }")" "<= 4 s ($2 kB)"
