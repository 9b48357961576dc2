#!/bin/sh
# Several profiles on one command line are what go tool pprof makes of them: in
# their order, with the program and the frames to drop of the first.
. "$(dirname "$0")/../lib.sh"
need go python3
go tool pprof -h >/dev/null 2>&1 || [ $? -ne 127 ] || skip 'no go tool pprof'

# plain.pb has no mapping, two.pb and three.pb have programs of these names, of
# which the first says that calls above 'noise' do not matter.
must python3 -c '
def v(n):
	out = b""
	while n > 127:
		out, n = out + bytes([n & 127 | 128]), n >> 7
	return out + bytes([n])
def f(n, x):
	b = isinstance(x, bytes)
	return v(n << 3 | 2 * b) + v(len(x) if b else x) + (x if b else b"")
def write(name, value, mapped, drop):
	own, texts = name.encode(), [b"", b"cpu", b"ms", b"main", b"noise"]
	texts += [own, b"/bin/" + own, b"noise"]
	out = f(1, f(1, 1) + f(2, 2))
	out += f(2, f(1, v(3) + v(2) + v(1)) + f(2, v(value)))
	out += f(2, f(1, v(3) + v(1)) + f(2, v(2 * value)))
	if mapped:
		out += f(3, f(1, 1) + f(2, 4096) + f(3, 8192) + f(5, 6) + f(7, 1))
	for i in 1, 2, 3:
		out += f(4, f(1, i) + (f(2, 1) + f(3, 4096 + i) if mapped else b"") + f(4, f(1, i)))
		out += f(5, f(1, i) + f(2, 2 + i))
	if drop:
		out += f(7, 7)
	open(name + ".pb", "wb").write(out + b"".join(f(6, s) for s in texts))
write("plain", 7, False, False)
write("two", 20, True, True)
write("three", 300, True, False)'

for files in 'plain.pb two.pb three.pb' 'two.pb three.pb plain.pb' \
	'three.pb two.pb' 'three.pb plain.pb two.pb' 'plain.pb' 'two.pb'; do
	for view in top tree traces dot; do
		must go tool pprof -symbolize=none -$view $files 2>"$err" >peer
		check "$view of $files" exits 0 git perf show --view=$view $files
		check "$view of $files is that of pprof" same peer "$out"
	done
done
check 'the sum of three names no program where the first has none' \
	exits 0 git perf show plain.pb two.pb three.pb
check 'no file is named' not mentions out '^File:'
# 7 + 2 * 7 of plain, 20 + 2 * 20 of two, 300 + 2 * 300 of three
check 'the three are added up' mentions out '100% of 981ms total$'
