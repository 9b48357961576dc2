#!/bin/sh
# OpenTelemetry's profiles beside protoc, by the definition of tests/peer.
. "$(dirname "$0")/../lib.sh"
need protoc gzip jq

definition=$root/tests/peer
message=opentelemetry.proto.profiles.v1development.ProfilesData

decode()
{
	gzip -dc "$1" | protoc -I"$definition" --decode=$message \
		"$definition/otlp.proto"
}

# The sum of the values of the first profile, or of another one.
sum()
{
	awk -v want="$2" '/^    profiles/ { n++ } n == want && $1 == "values:" {
			sum += $2
		}
		END { print sum + 0 }' "$1"
}

for name in two scopes; do
	protoc -I"$definition" --encode=$message "$definition/otlp.proto" \
		<"$root/tests/data/otlp/$name.txt" >$name.otlp
	check "what protoc encodes of $name is what lies in tests/data" \
		exits 0 cmp $name.otlp "$root/tests/data/otlp/$name.otlp"
done
check 'a file of OpenTelemetry is recognised' exits 0 git perf formats two.otlp
check 'a file of OpenTelemetry is told its format' says out 'two.otlp	otlp'
check 'a pprof profile is written' exits 0 git perf export --to=otlp \
	-o heap.otlp.gz "$measured/go/heap.pb.gz"
check 'protoc reads what is written' exits 0 decode heap.otlp.gz
decode heap.otlp.gz >heap.txt
if command -v go >/dev/null; then
	go tool pprof -symbolize=none -top -sample_index=inuse_space \
		-unit=bytes "$measured/go/heap.pb.gz" >top.txt 2>/dev/null
	check 'the default type comes first, with the total that pprof prints' \
		is "$(sum heap.txt 1)B" \
		"$(sed -n 's/.* of \([0-9]*B\) total.*/\1/p' top.txt)"
else
	echo 'SKIPPED: the total of pprof, go is not installed'
fi
check 'each type is a profile' is "$(grep -c '^    profiles' heap.txt)" 4
check 'a call graph is no such profile' exits 128 git perf export --to=otlp -o x \
	"$measured/callgrind/wordfreq.callgrind"
printf 'main;f 0.5\n' >half.folded
check 'half a sample is no such profile' exits 128 git perf export --to=otlp \
	-o x half.folded
check 'the error names the sample and its type' says err "fatal: cannot write \
'half.folded' as otlp: otlp has whole numbers only, sample 0 has another value of \
'samples'"

# A sample of 7 cycles at two times, and one of 5 in another thread.
cat >trace.txt <<-'EOF'
	w 12/13 1.5: 3 cycles:
		1 f (/b)

	v 12/14 1.75: 5 cycles:
		1 f (/b)

	w 12/13 2.25: 4 cycles:
		1 f (/b)

EOF
check 'samples with times are written' exits 0 git perf export --to=otlp \
	-o trace.otlp.gz trace.txt
check 'no times are said to be lost' not mentions err 'times of samples'
decode trace.otlp.gz | awk '/^    profiles/ { n++ } n < 2' >trace.pb
decode trace.otlp.gz >trace.all
check 'a sample has as many values as times, which add up' \
	is "$(grep -E '^ *(values|timestamps)' trace.pb | tr -s ' \n' ' ')" \
	"$(printf ' %s' 'values: 4' 'values: 3' \
		'timestamps_unix_nano: 1500000000' \
		'timestamps_unix_nano: 2250000000' \
		'values: 5' 'timestamps_unix_nano: 1750000000') "
check 'threads and processes are attributes' is \
	"$(grep -c -E 'thread.id|thread.name|process.pid' trace.all)" 3

# One stack in two threads, whose samples took 1 to 4 s: 1 + 3 + 2 of T0, 4 + 1
# of T1.
cat >two.json <<-'EOF'
	{"$schema": "https://www.speedscope.app/file-format-schema.json",
	 "shared": {"frames": [{"name": "A"}, {"name": "B"}]}, "profiles": [
	  {"type": "sampled", "name": "T0", "unit": "seconds", "startValue": 0,
	   "endValue": 6, "samples": [[0], [0], [1]], "weights": [1, 3, 2]},
	  {"type": "sampled", "name": "T1", "unit": "seconds", "startValue": 0,
	   "endValue": 5, "samples": [[0], [0]], "weights": [4, 1]}]}
EOF
must git perf export --to=otlp -o two.otlp.gz two.json
must git perf export --to=speedscope -o back.json two.otlp.gz
check 'each sample comes back in its thread, as long as it took' is \
	"$(jq -c '[.profiles[] | [.samples, .weights]]' back.json | tr -d ' ')" \
	'[[[[0],[0],[1]],[1,3,2]],[[[0],[0]],[4,1]]]'
