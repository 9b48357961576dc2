#!/bin/sh
# The view `disasm` beside go tool pprof, of a program that is compiled here.
# Go disassembles by itself, in its own syntax: addresses and costs are
# compared with it, instructions with objdump.
. "$(dirname "$0")/../lib.sh"
need cc nm objdump python3
cat >hot.c <<'END'
static volatile unsigned long sum;
__attribute__((noinline)) static unsigned long mix(unsigned long a)
{
	return a * 2654435761u ^ a >> 7;
}
__attribute__((noinline)) void hot(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n; i++)
		sum += mix(i) % 7;
}
int main(void)
{
	hot(6);
	return sum > 7;
}
END
must cc -O1 -g -no-pie -Wl,--build-id=sha1 -o fixed hot.c
must cc -O1 -g -fPIE -pie -Wl,--build-id=sha1 -o moved hot.c
must cc -O0 -g -no-pie -Wl,--build-id=sha1 -o other hot.c

# profile BINARY START [ID]: samples at each instruction of mix and of hot, of
# 1, 2, 3 ... units, where they are mapped at START (0: where the file says).
cat >profile.py <<'END'
import re, subprocess, sys

binary, start, *given = sys.argv[1:]
run = lambda *argv: subprocess.run(argv, capture_output=True, text=True).stdout
found = re.search(r"Build ID: (\w+)", run("readelf", "-n", binary))
build_id = given[0] if given else found.group(1)
text = next(l.split() for l in run("readelf", "-lW", binary).splitlines()
            if l.split()[:1] == ["LOAD"] and "R E" in l)
offset, address, size = (int(text[i], 16) for i in (1, 2, 4))
bias = int(start, 0) - address if int(start, 0) else 0
places = {}
for line in run("objdump", "-d", "--no-show-raw-insn", binary).splitlines():
    head = re.match(r"[0-9a-f]+ <(\w+)>:$", line)
    if head:
        name = head.group(1)
    at = re.match(r" *([0-9a-f]+):\t", line)
    if at:
        places.setdefault(name, []).append(int(at.group(1), 16))

def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])
def number(field, n):
    return varint(field << 3) + varint(n)
def block(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data

strings = ["", "cpu", "count", "mix", "hot", "main", binary, build_id]
out = block(1, number(1, 1) + number(2, 2))
# not the last ones: Go's symbols end before the last byte, with its costs
locations = [(name, a) for name in ("mix", "hot") for a in places[name][:-1]]
locations.append(("main", places["main"][1]))
for i, (name, _) in enumerate(locations[:-1]):
    stack = [i + 1]
    if name == "mix":
        stack.append(len(places["mix"]) + 5)
    stack.append(len(locations))
    out += block(2, block(1, b"".join(map(varint, stack))) +
                 block(2, varint(i + 1)))
out += block(3, number(1, 1) + number(2, address + bias) +
             number(3, address + bias + size + 4095 & ~4095) +
             number(4, offset) + number(5, 6) + number(6, 7) + number(7, 1))
for i, (name, at) in enumerate(locations):
    out += block(4, number(1, i + 1) + number(2, 1) + number(3, at + bias) +
                 block(4, number(1, strings.index(name) - 2)))
for i in (1, 2, 3):
    out += block(5, number(1, i) + number(2, i + 2) + number(3, i + 2))
out += b"".join(block(6, s.encode()) for s in strings)
sys.stdout.buffer.write(out)
END
profile()
{
	name=$1
	shift
	python3 profile.py "$PWD/$name" "$@"
}
must profile fixed 0 >fixed.pb
must profile moved 0x555555555000 >moved.pb
must profile fixed 0 '' >nameless.pb

# costs FILE: flat, cum and address of each instruction.
costs()
{
	awk '$3 ~ /^[0-9a-f]+:$/ { print $1, $2, $3 }' "$1"
}
if command -v go >/dev/null && { go tool pprof -h >/dev/null 2>&1 || [ $? -ne 127 ]; }; then
	for options in '' --cum --focus=mix --divide-by=3 --sample-index=0; do
		for name in hot mix main .; do
			go tool pprof -symbolize=none "-disasm=$name" $(echo " $options" |
				sed 's/--/-/; s/\([a-z]\)-/\1_/') fixed.pb >expected 2>&1
			git perf show --view=disasm "--function=$name" $options fixed.pb >"$out"
			# Go leaves out a last instruction of one byte
			{
				costs expected
				grep -e '^ROUTINE' -e 'flat, cum' -e ^Total expected
			} | sort >a
			{
				costs "$out"
				grep -e '^ROUTINE' -e 'flat, cum' -e ^Total "$out"
			} | sort >b
			comm -13 a b | grep '^\. \. ' >extra
			sort a extra >expected
			check "$name costs what pprof shows${options:+ with $options}" same expected b
			check "$name has no other instructions with costs${options:+ with $options}" \
				test "$(wc -l <extra)" -le 3
			check "$name has instructions${options:+ with $options}" \
				test "$(grep -c : b)" -gt 3
		done
	done
fi

# The sum of all instructions is what the function cost; their text is objdump's.
git perf show --view=disasm --function='^hot$' moved.pb >"$out"
objdump -d --no-show-raw-insn moved | sed -n '/<hot>:/,/^$/s/^ *\([0-9a-f]*\):\t *\(.*[^ ]\) *$/\1: \2/p' >expected
sed -n 's/^ *[0-9.]* *[0-9.]* *\([0-9a-f]*: \)/\1/p' "$out" | sed 's/ *;hot hot.c:[0-9]*$//' >got
check 'instructions are those of objdump, wherever it was mapped' same expected got
check 'own costs add up to those of the function' is \
	"$(awk '$3 ~ /^[0-9a-f]+:$/ { n += $1 } END { print n }' "$out")" \
	"$(awk '/flat, cum/ { print $1 }' "$out")"
check 'lines of the source are told' mentions out ';hot hot.c:10$'
check 'an address means the function that it is in' exits 0 \
	git perf show --view=disasm --function="0x$(nm fixed | sed -n 's/ T hot$//p')" fixed.pb
check 'an address means one function' is "$(grep -c ^ROUTINE "$out")" 1
check 'the function at an address is hot' mentions out '^ROUTINE =+ hot$'
check 'JSON has the same' exits 0 git perf show --view=disasm --function=hot --json fixed.pb
if command -v jq >/dev/null; then
	check 'own costs of JSON add up' json '.rows[0] | ([.instructions[].self] | add) == .self' true
	check 'instructions of JSON have addresses' json '.rows[0].instructions[0].address' \
		"\"0x$(nm fixed | sed -n 's/^0*\([0-9a-f]*\) T hot$/\1/p')\""
fi

# What is missing is said.
must mkdir elsewhere
id=$(readelf -n fixed | sed -n 's/.*Build ID: //p')
must mv fixed elsewhere/fixed
check 'a binary that is gone is named' exits 128 git perf show --view=disasm --function=hot fixed.pb
check 'a binary that is gone is named with its build id' says err \
	"fatal: '$PWD/fixed' (build id $id) is not here; --binary-path says where"
must cp other fixed
check 'another build is not shown' exits 128 git perf show --view=disasm --function=hot fixed.pb
check 'another build is told as such' says err "fatal: '$PWD/fixed' has another build id than $id, which was measured"
check 'the right one may be anywhere' exits 0 \
	git perf show --view=disasm --function=hot --binary-path=elsewhere fixed.pb
check 'the right one may be named as a file' exits 0 \
	git perf show --view=disasm --function=hot --binary-path=elsewhere/fixed fixed.pb
check 'a wrong one is not taken' exits 128 \
	git perf show --view=disasm --function=hot --binary-path=other fixed.pb
must mkdir -p "ids/.build-id/$(echo "$id" | cut -c1-2)"
must cp elsewhere/fixed "ids/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
check 'a binary is found by its build id' exits 0 \
	git perf show --view=disasm --function=hot --binary-path=ids fixed.pb
check 'without a build id nothing is believed' exits 128 \
	git perf show --view=disasm --function=hot nameless.pb
check 'a profile without build ids is told as such' mentions err 'has no build id of .*--binary-path='
check 'a binary that is named is believed' exits 0 \
	git perf show --view=disasm --function=hot --binary-path=elsewhere/fixed nameless.pb
check 'what none matches is an error' exits 128 git perf show --view=disasm --function=nix moved.pb
check 'what none matches is told' says err "fatal: no function matches 'nix'"
check 'a profile without addresses' exits 128 \
	git perf show --view=disasm --function=. "$root/tests/data/collapsed/uftrace.folded"
check 'a profile without addresses is told as such' says err \
	'fatal: the profile does not say at which addresses of which files its costs are'
mkdir none
for program in git git-perf sh; do
	must ln -s "$(command -v $program)" "none/$program"
done
check 'disasm wants objdump' exits 128 env PATH="$PWD/none" \
	git-perf show --view=disasm --function=hot moved.pb
check 'the package of objdump is named' says err \
	'fatal: objdump, which disassembles, is not installed (package binutils)'
