#!/bin/sh
# The difference of two large generated pprof profiles, beside go tool pprof.
. "$(dirname "$0")/lib.sh"
need go
cp -r "$measured/genbig" "$scratch/genbig"
chmod -R u+w "$scratch/genbig"
export GOCACHE="$scratch/gocache" GOPATH="$scratch/gopath" GOFLAGS=-mod=mod
(cd "$scratch/genbig" && go build -o ../gen .)
"$scratch/gen" "$scratch/a.pb.gz" 360000 20000 40 1 >/dev/null 2>&1
"$scratch/gen" "$scratch/b.pb.gz" 360000 20000 40 2 >/dev/null 2>&1
head_row
runs=${BENCH_RUNS:-3}
cd "$scratch"
compare 'difference of two of 12.8 MB | go tool pprof' '<= 600 ms' \
	'git-perf diff a.pb.gz b.pb.gz' \
	'go tool pprof -symbolize=none -top -diff_base=a.pb.gz b.pb.gz'
memory 'the same, memory' '' git-perf diff a.pb.gz b.pb.gz
memory 'go tool pprof, memory' '' \
	go tool pprof -symbolize=none -top -diff_base=a.pb.gz b.pb.gz
