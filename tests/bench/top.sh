#!/bin/sh
# top of the large generated pprof profiles, beside go tool pprof.
. "$(dirname "$0")/lib.sh"
need go
cp -r "$measured/genbig" "$scratch/genbig"
chmod -R u+w "$scratch/genbig"
export GOCACHE="$scratch/gocache" GOPATH="$scratch/gopath" GOFLAGS=-mod=mod
(cd "$scratch/genbig" && go build -o ../gen .)
"$scratch/gen" "$scratch/1m.pb.gz" 33000 5000 40 1
"$scratch/gen" "$scratch/10m.pb.gz" 360000 20000 40 1
head_row
runs=${BENCH_RUNS:-5}
cd "$scratch"
for size in 1m 10m; do
	compare "pprof top, $size | go tool pprof" '10m: <= 300 ms' \
		"git-perf show $size.pb.gz" \
		"go tool pprof -symbolize=none -top $size.pb.gz"
	memory "pprof top, $size, memory" '10m: <= 100 MB' \
		git-perf show $size.pb.gz
done
compare 'inflate alone: gzip -dc' '' "git-perf formats 10m.pb.gz" 'gzip -dc 10m.pb.gz'
