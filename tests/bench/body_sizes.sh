#!/bin/sh
# What canonical bodies of a history take, loose and after gc, and how long
# they take to decode: five series, tree names with and without a suffix.
#
#	body_sizes.sh <bench_body_sizes> [<name of a series>...]
#
# Series: share0 share.1 share1 churn3 (genseries.py of tests/data/measured, 100
# versions) and wordfreq (its 40 commits).
set -eu
bench=$(realpath "$1")
shift
measured=$(realpath "$(dirname "$0")/../data/measured")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

synthesize() {
	python3 "$measured/genseries.py" "$work/in" 100 pprof "$@"
}

generate() {
	case $1 in
	share0) synthesize 0 ;;
	share.1) synthesize .1 ;;
	share1) synthesize 1 ;;
	churn3) synthesize .1 1 3 ;;
	wordfreq) cp -r "$measured/series/pprof" "$work/in" ;;
	*) echo "no such series '$1'" >&2 && exit 129 ;;
	esac
}

# Blobs, and the whole pack with its trees and commits, per profile.
packed() {
	rm -rf "$work/repo"
	git init -q --bare "$work/repo"
	git -C "$work/repo" fast-import --quiet <"$work/stream"
	git -C "$work/repo" repack -adfq
	git -C "$work/repo" cat-file --batch-all-objects \
		--batch-check='%(objecttype) %(objectsize:disk)' |
		awk -v how="$1" -v n="$2" '{ sum[$1] += $2 }
		END {
			all = sum["blob"] + sum["tree"] + sum["commit"]
			printf "packed_bytes %d, ", sum["blob"] / n
			printf "with trees and commits %d (%s)\n", all / n, how
		}'
}

[ $# -gt 0 ] || set -- share0 share.1 share1 churn3 wordfreq
for series; do
	rm -rf "$work/in"
	generate "$series"
	n=$(find "$work/in" -type f | wc -l)
	echo "== $series"
	"$bench" '' "$work/stream" "$work"/in/*
	packed 'plain names' "$n"
	"$bench" .perf-profile-body "$work/stream" "$work"/in/* >/dev/null
	packed 'names with a suffix' "$n"
done
