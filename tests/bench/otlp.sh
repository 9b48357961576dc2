#!/bin/sh
# OpenTelemetry's profiles: reading one of about 50 MB beside protoc, which
# prints what it decodes.
. "$(dirname "$0")/lib.sh"
need go protoc
cp -r "$measured/genbig" "$scratch/genbig"
chmod -R u+w "$scratch/genbig"
export GOCACHE="$scratch/gocache" GOPATH="$scratch/gopath" GOFLAGS=-mod=mod
(cd "$scratch/genbig" && go build -o ../gen .)
"$scratch/gen" "$scratch/a.pb.gz" 600000 20000 40 1 >/dev/null 2>&1
head_row
runs=${BENCH_RUNS:-3}
cd "$scratch"
git-perf export --to=otlp -o a.otlp.gz a.pb.gz
gzip -dc a.otlp.gz >a.otlp
bytes=$(wc -c <a.otlp)
megabytes=$((bytes / 1000000))
cat >decode <<EOF
#!/bin/sh
exec protoc -I$root/tests/peer otlp.proto --decode=\
opentelemetry.proto.profiles.v1development.ProfilesData <a.otlp
EOF
chmod +x decode
throughput "OTLP of $megabytes MB | protoc" '> 60 MB/s' "$bytes" \
	'git-perf show --view=top a.otlp' './decode'
memory 'the same, memory' '' git-perf show --view=top a.otlp
