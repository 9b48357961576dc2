#!/bin/sh
# Import of 100,000 records as one batch, beside fast-import of the notes. The
# profiles of the last rows differ from commit to commit, as they do in life,
# and are kept as they come, or encoded, decoded again and compared. The floor
# is what their files and notes take to read, hash and deflate when no profile
# is made of them.
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
awk '{ print $1 "\t../p.folded" }' ../revs >../same.tsv
mkdir ../in
awk '{
	file = sprintf("../in/%06d.folded", NR)
	for (i = 0; i < 30; i++)
		printf "main;function_number_%d;leaf_%d %d\n", i, (i * 7 + NR) % 100, (i * 7919 + NR * 104729) % 10007 >file
	close(file)
	print $1 "\t" file
}' ../revs >../differing.tsv
awk 'BEGIN { n = 0 } { n++; m = "perf1 line of a note of some 250 bytes "
	while (length(m) < 250) m = m "x"
	if (n == 1) print "commit refs/notes/peer\ncommitter B <b@x> 1 +0000\ndata 1\nx"
	printf "N inline %s\ndata %d\n%s\n", $1, length(m), m }' ../revs >../peer
# wall time, processor time and memory of a command
seconds()
{
	/usr/bin/time -f '%e %U %S %M' -o ../time "$@"
	awk 'END { print $1, $2 + $3, $4 }' ../time
}
set -- $(seconds git fast-import --quiet <../peer)
peer=$1
# each batch is the first one of its repository
batch()
{
	what=$1
	goal=$2
	list=$3
	shift 3
	git update-ref -d refs/notes/perf
	set -- $(seconds git-perf add --force --stdin "$@" <"../$list")
	row "$what" "$1 s" "$peer s" \
		"$(awk "BEGIN { printf \"%.2f\", $1 / $peer }")" \
		"$goal ($2 s of processors, $(($3 / 1024)) MB)"
}
batch '100,000 records, no bodies | fast-import' '<= 2 s' figures.tsv
batch '100,000 records, one body of 1 kB' '<= 4 s' same.tsv
batch 'as many bodies of 1 kB, verbatim' '<= 4 s' differing.tsv --verbatim
batch 'as many bodies of 1 kB, encoded' '<= 4 s, 250 MB' differing.tsv
floor=${PERF_BIN:-$root/build/bin}/../tests/bench_batch_floor
[ ! -x "$floor" ] || {
	set -- $(seconds "$floor" ../floor.out <../differing.tsv)
	row 'the same, floor' "$1 s" "$peer s" \
		"$(awk "BEGIN { printf \"%.2f\", $1 / $peer }")" \
		"($2 s of processors)"
}
