#!/bin/sh
# git perf run with callgrind over the history of data/measured/series, whose
# counts by callgrind are in KEYFIGURES.tsv (`wordfreq 200000 1`, as
# MANIFEST.md says; another build of libc, hence a little apart). Counts are the
# same in every pass, and log shows the known changes. PERF_SERIES=all takes
# the 40 commits, else a few are taken.
. "$(dirname "$0")/../lib.sh"
# The peer's counts are those of programs that gcc made.
need jq valgrind make gcc
path=$measured/series/wordfreq.bundle
figures=$measured/series/KEYFIGURES.tsv
cd ..
must git clone -q "$path" clone -b main
cd clone || exit 1
cat >../jobs <<'END'
[job "words"]
	build = "make -s CC=gcc wordfreq"
	cmd = ./wordfreq 200000 1
	collector = callgrind
	timeout = 1000s
END
commits=$(awk -v all="${PERF_SERIES:-}" 'NR > 1 && (all ||
	$1 ~ /^(07|08|18|24|38)$/) { print $2 }' FS='\t' "$figures")
count=$(echo "$commits" | wc -l)

# "<commit> <instructions>" of each
counts()
{
	jq -r '.commits[] | .commit + " " + (.profiles[0].metrics[] |
		select(.name == "Ir").median | tostring)' "$out" | sort
}
# those of a file which are more than 1 % off the peer's
wrong()
{
	awk 'NR == FNR { want[$2] = $5; next }
		!(r = $2 / want[$1]) || r < .99 || r > 1.01 { print $1, r }' \
		FS='\t' "$figures" FS=' ' "$1"
}

check "$count commits are measured" exits 0 \
	git perf run --config=../jobs --json $commits
counts >../first
check 'all commits are measured' is "$(wc -l <../first)" "$count"
check "instruction counts are those of the peer" is "$(wrong ../first)" ''
again=$commits
[ "${PERF_SERIES:-}" ] || again=$(echo "$commits" | head -n 2)
check 'commits are measured a second time' \
	exits 0 git perf run --config=../jobs --json --again $again
counts >../second
check 'instruction counts repeat' is "$(grep -vxFf ../first ../second)" ''
check 'each commit was measured a second time' \
	is "$(wc -l <../second)" "$(echo "$again" | wc -l)"
check 'log reads all measured commits' exits 0 git perf log --json --all
check 'log shows all measured commits' \
	is "$(jq '[.commits[] | select(.profiles | length > 0)] |
	length' "$out")" "$count"
# 1 to 7, 8, 18, 24, 38: from the subjects in KEYFIGURES.tsv
known()
{
	jq -r '.commits[] | select(.profiles | length > 0) | .subject as $s |
		.profiles[0].metrics[] | select(.name == "Ir") |
		"\($s)\t\(.median)"' "$out" |
		awk 'NR == FNR { n[$1] = $2; next }
			{ printf "%s %+.0f %%\n", $2, 100 * (n[$2] / n[$1] - 1) }' \
			FS='\t' - ../pairs
}
printf '%s\t%s\n' 'Note the licence' 'Simplify the hash function' \
	'Note the licence' 'Sort with an insertion sort, to need no libc' \
	'Note the licence' 'Classify characters with a table' >../pairs
check 'the changes between commits are the known ones' is "$(known)" \
	'Simplify the hash function +21 %
Sort with an insertion sort, to need no libc +41 %
Classify characters with a table -12 %'
