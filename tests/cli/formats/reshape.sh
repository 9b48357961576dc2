#!/bin/sh
# What pprof's options make of a profile that export and merge write: the table
# of what is written is that of go tool pprof with its own options.
. "$(dirname "$0")/../lib.sh"
need go python3
go tool pprof -h >/dev/null 2>&1 || [ $? -ne 127 ] || skip 'no go tool pprof'

now=$measured/go/cpu2.pb.gz
was=$measured/go/cpu.pb.gz
# The table of a profile, without what names the file; $1 is the folder's name.
top()
{
	to=$1
	shift
	go tool pprof -symbolize=none -top "$@" 2>/dev/null |
		grep -vE '^(File|Time|Build ID|Duration|Active filters| +focus=)' >"$to"
}
# agrees PPROF'S-OPTIONS OURS [BOTH]: the table of our export is that of pprof's
# options; both tables with the options BOTH.
agrees()
{
	must git perf export $2 -o ours.pb.gz "$now" 2>"$err"
	top ours ${3:-} ours.pb.gz
	top peer ${3:-} $1 "$now"
	same peer ours
}

check 'a base is subtracted' agrees "-base=$was" "--base=$was"
must git perf export --diff-base="$was" -o ours.pb.gz "$now" 2>"$err"
must go tool pprof -symbolize=none -proto -output=peer.pb.gz -diff_base="$was" "$now" 2>"$err"
top ours ours.pb.gz
top peer peer.pb.gz
check 'a base that percentages are of is in the file' same peer ours
check 'the profile is brought to the sum of its base' agrees "-normalize -base=$was" \
	"--normalize --base=$was"
check 'inlined calls go to their caller' agrees -noinlines --noinlines
for by in functions filefunctions files lines addresses; do
	check "frames keep $by" agrees '' "--granularity=$by" "-$by"
done
must git perf export --granularity=functions -o ours.pb.gz "$now" 2>"$err"
check 'frames of functions have neither lines nor files' exits 0 sh -c \
	'go tool pprof -symbolize=none -raw ours.pb.gz | sed -n "/^Locations/,/^Mappings/p"'
check 'no location has an address or a line' not mentions out '0x[1-9a-f]|\.go:|:[1-9]'
check 'filters hold before the granularity' agrees '-focus=json -relative_percentages' \
	'--focus=json --granularity=lines' -lines
must git perf merge --base="$was" -o ours.pb.gz "$now" 2>"$err"
top ours ours.pb.gz
top peer -base="$was" "$now"
check 'merge has the same options' same peer ours
printf 'main;a 9\nmain;b 4\n' >nine.folded
check 'values are divided' exits 0 git perf export --divide-by=2 -t collapsed nine.folded
# 9 / 2 is 4.5, and a whole number: rounded to the one farther from 0.
check 'whole numbers are rounded' is "$(sort "$out" | tr '\n' ' ')" 'main;a 5 main;b 2 '
check 'a value type is chosen' exits 0 git perf export --sample-index=samples -t collapsed "$was"
first=$(awk '{ n += $NF } END { print n }' "$out")
# cpu.top.txt: 2.29 s in samples of 10 ms.
check 'formats of one value have that one' is "$first" 229
check 'two kinds of base are a usage error' exits 129 git perf export --base=a --diff-base=b c
check 'to normalize needs a base' exits 129 git perf merge --normalize -o x "$was"
check 'an unknown granularity is a usage error' exits 129 git perf export --granularity=x "$was"
check 'stored bytes stay as they are' exits 129 git perf export --raw --noinlines "$was"
check 'a call graph keeps its functions' exits 128 git perf export --granularity=lines \
	"$measured/callgrind/wordfreq.callgrind"
check 'an unknown value type is fatal' exits 128 git perf export --sample-index=x "$was"

# 600 samples of work and 400 of idle, each a sample of its own that counts 1.
must python3 -c '
def f(n, x):
	return bytes([n << 3 | 2, len(x)]) + x if isinstance(x, bytes) else bytes([n << 3, x])
def samples(work, idle):
	out = f(1, f(1, 1) + f(2, 2))
	for function, values in (2, work), (3, idle):
		for value in values:
			out += f(2, f(1, bytes([function, 1])) + f(2, bytes([value])))
	for i in 1, 2, 3:
		out += f(5, f(1, i) + f(2, 2 + i)) + f(4, f(1, i) + f(4, f(1, i)))
	for s in b"", b"samples", b"count", b"main", b"work", b"idle":
		out += f(6, s)
	return out
open("ones.pb", "wb").write(samples([1] * 600, [1] * 400))
open("even.pb", "wb").write(samples([100, 100, 100], [100, 100, 100]))'
check 'equal samples are divided' exits 0 git perf export --divide-by=3 -t collapsed ones.pb
check 'what is divided is their sum' prints out <<'EOF'
main;work 200
main;idle 133
EOF
# 600 by 1,000 of 600 and 400 is 360 and 240, less 300 each.
check 'equal samples are brought to the sum of a base' exits 0 \
	git perf show --base=even.pb --normalize ones.pb
check 'their sum is scaled up' mentions out '^ +60 50.00% +[0-9]+% +60 50.00%  work$'
check 'their sum is scaled down' mentions out '^ +-60 50.00% +[0-9.]+% +-60 50.00%  idle$'
top peer -normalize -base=even.pb ones.pb
grep -v '^Time' "$out" >ours
check 'pprof has the same of them' same peer ours

# main calls work, into which alloc is inlined, which calls leaf; and main calls
# other. The profile says to drop alloc, and with it what that calls.
must python3 -c '
def f(n, x):
	return bytes([n << 3 | 2, len(x)]) + x if isinstance(x, bytes) else bytes([n << 3, x])
out = f(1, f(1, 1) + f(2, 2))
out += f(2, f(1, bytes([3, 2, 1])) + f(2, bytes([10]))) + f(2, f(1, bytes([4, 1])) + f(2, bytes([20])))
for i, lines in (1, [1]), (2, [5, 2]), (3, [3]), (4, [4]):
	out += f(4, f(1, i) + b"".join(f(4, f(1, n) + f(2, n)) for n in lines))
for i in range(1, 6):
	out += f(5, f(1, i) + f(2, 2 + i) + f(4, 7 + i))
for s in "", "samples", "count", "main", "work", "leaf", "other", "alloc", "m.c", "w.c", "l.c", "o.c", "a.c":
	out += f(6, s.encode())
open("inlined.pb", "wb").write(out + f(7, 7))'
now=inlined.pb
check 'what is to be dropped is inlined: dropped before the inlined go' agrees -noinlines --noinlines
check 'what is to be dropped is, before its name goes' agrees -files --granularity=files -files
must go tool pprof -symbolize=none -topproto -output=peer.pb.gz "$now" 2>"$err"
must git perf export --top -o ours.pb.gz "$now" 2>"$err"
top ours ours.pb.gz
top peer peer.pb.gz
check 'what is to be dropped is in no table of functions' same peer ours
check 'names that stay are kept, as of each reader the dropping is its own' agrees '' ''
must git perf export -t collapsed -o ours.folded "$now"
check 'a format that does not say what to drop has all frames' is "$(sort ours.folded)" \
	"$(printf 'main;other 20\nmain;work;alloc;leaf 10')"
