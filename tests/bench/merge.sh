#!/bin/sh
# Merging a hundred generated pprof profiles, beside go tool pprof.
. "$(dirname "$0")/lib.sh"
need go
cp -r "$measured/genbig" "$scratch/genbig"
chmod -R u+w "$scratch/genbig"
export GOCACHE="$scratch/gocache" GOPATH="$scratch/gopath" GOFLAGS=-mod=mod
(cd "$scratch/genbig" && go build -o ../gen .)
mkdir "$scratch/in"
cd "$scratch/in"
seed=0
while [ $seed -lt 100 ]; do
	seed=$((seed + 1))
	"$scratch/gen" $seed.pb.gz 1500 2000 40 $seed >/dev/null 2>&1
done
head_row
runs=${BENCH_RUNS:-5}
all=$(echo *.pb.gz)
same=$(yes 1.pb.gz | head -n 100 | tr '\n' ' ')
compare 'merge of 100 profiles | go tool pprof' '<= 250 ms, 0.15' \
	"git-perf merge -o ../ours.pb.gz $all" \
	"go tool pprof -symbolize=none -proto -output=../theirs.pb.gz $all"
memory 'merge of 100 profiles, memory' 'of the result' \
	git-perf merge -o ../ours.pb.gz $all
memory 'merge of 1 profile 100 times, memory' 'as of 1' \
	git-perf merge -o ../ours.pb.gz $same
memory 'merge of 1 profile, memory' '' \
	git-perf merge -o ../ours.pb.gz 1.pb.gz
memory 'go tool pprof, memory' '' \
	go tool pprof -symbolize=none -proto -output=../theirs.pb.gz $all
