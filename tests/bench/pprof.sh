#!/bin/sh
# Reading a large pprof profile beside `go tool pprof -top` and `gzip -dc`:
# seconds (median of three) and memory of each, and the ratios.
#
#	tests/bench/pprof.sh [<build folder>]
#
# and the memory of adding it, of adding one of its job that differs by a
# function and one that has little in common with it, and what all of them take
# in the repository (goal: 150 MB each).
#
# The profile is made by tests/data/measured/genbig.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

cp -r tests/data/measured/genbig "$work/genbig"
(cd "$work/genbig" && GOFLAGS=-mod=mod GOCACHE=$work/cache \
	go run . "$work/10m.pb.gz" 360000 20000 40 1)

# Median seconds and memory in MB of three runs of a command.
measure()
{
	for _ in 1 2 3; do
		/usr/bin/time -a -o "$work/times" -f '%e %M' "$@" >/dev/null \
			2>"$work/err" || cat "$work/err" >&2
	done
	sort -n "$work/times" | awk 'NR == 2 { print $1, $2 / 1024 }'
	rm "$work/times"
}

ours=$(measure "$build/tests/bench_read_profile" "$work/10m.pb.gz")
gzip=$(measure gzip -dc "$work/10m.pb.gz")
pprof=$(measure go tool pprof -symbolize=none -top "$work/10m.pb.gz")
echo "$ours $gzip $pprof" | awk '{
	printf "git-perf %.2f s %.0f MB\n", $1, $2
	printf "gzip -dc %.2f s, ratio %.2f\n", $3, $1 / $3
	printf "pprof    %.2f s %.0f MB, ratio %.3f, memory %.2f\n",
		$5, $6, $1 / $5, $2 / $6
}'

(cd "$work/genbig" && GOFLAGS=-mod=mod GOCACHE=$work/cache \
	go run . "$work/b.pb.gz" 360000 20000 40 2)
program=$(cd "$build" && pwd)/bin/git-perf
git init -q "$work/repo"
cd "$work/repo"
"$program" export --ignore='\.Method893$' --to=pprof -o "$work/near.pb.gz" \
	"$work/10m.pb.gz"
for profile in 10m near b; do
	git -c user.name=b -c user.email=b@x commit -q --allow-empty -m "$profile"
	/usr/bin/time -o "$work/times" -f '%M %U' \
		"$program" add "$work/$profile.pb.gz"
	awk -v name="$profile" '{
		printf "add of %s: %.0f MB, %.2f s\n", name, $1 / 1024, $2
	}' "$work/times"
done
du -sk .git/objects | awk '{ printf "stored: %d kB\n", $1 }'
