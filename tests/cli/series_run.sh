#!/bin/sh
# git perf run with callgrind over the history of shared/data/series, whose
# counts by callgrind are in KEYFIGURES.tsv (`wordfreq 200000 1`, as
# MANIFEST.md says; another build of libc, hence a little apart). Counts are the
# same in every pass, and log shows the known changes. PERF_SERIES=all takes
# the 40 commits, else a few are taken.
. "$(dirname "$0")/lib.sh"
need jq valgrind make "${CC:-cc}"
shared data/series/wordfreq.bundle
figures=$shared_data/data/series/KEYFIGURES.tsv
cd ..
must git clone -q "$path" clone -b main
cd clone || exit 1
cat >../jobs <<'END'
[job "words"]
	build = "make -s CC=\"${CC:-cc}\" wordfreq"
	cmd = ./wordfreq 200000 1
	collector = callgrind
	timeout = 100s
END
commits=$(awk -v all="${PERF_SERIES:-}" 'NR > 1 && (all ||
	$1 ~ /^(07|08|18|24|38)$/) { print $2 }' FS='\t' "$figures")
count=$(echo "$commits" | wc -l)

# "<commit> <instructions>" of each, in the order of the figures
counts()
{
	jq -r '.commits[] | .commit + " " + (.jobs[0].profile // .profiles[0] |
		.metrics[] | select(.name == "Ir").median | tostring)' "$out"
}

check "measures $count commits" exits 0 \
	git perf run --config=../jobs --json $commits
