#!/bin/sh
# Python's dumps of 2.7 to 3.13 come back as pstats itself loads them; the
# reader of marshal beside the data is the one that can read them all.
. "$(dirname "$0")/../lib.sh"
need python3
data=$measured/python

for dump in "$data"/*.prof; do
	name=$(basename "$dump")
	check "$name is written" exits 0 git perf export --to=pstats -o x.prof "$dump"
	check "$name is equal" exits 0 python3 - "$data" "$dump" x.prof <<-'END'
	import marshal, pstats, sys
	sys.path.insert(0, sys.argv[1])
	sys.dont_write_bytecode = True
	import marshal_subset
	was = marshal_subset.R(open(sys.argv[2], 'rb').read()).obj()
	pstats.Stats(sys.argv[3])
	sys.exit(was != marshal.load(open(sys.argv[3], 'rb')))
	END
	# "  9614 function calls (3959 primitive calls) in 0.010 seconds"
	seconds=$(sed -n 's/.* in \([0-9.]*\) seconds$/\1/p' "$dump.pstats-time.txt")
	git perf show --json "$dump" >top.json
	check "$name takes $seconds s" exits 0 jq -e \
		".unit == \"seconds\" and (.total * 1000 + .5 | floor) == ($seconds * 1000 + .5 | floor)" top.json
done

# What Python loads, too: a key that comes twice, of which the last value
# counts at the place of the first, lists for tuples, counts as floats. What it
# loads is what comes back.
python3 - <<'END'
import struct

def text(t): return b'z' + bytes([len(t)]) + t.encode()
def whole(n): return b'i' + struct.pack('<i', n)
def real(x): return b'g' + struct.pack('<d', x)
def tuple_(*a): return b')' + bytes([len(a)]) + b''.join(a)
def list_(*a): return b'[' + struct.pack('<I', len(a)) + b''.join(a)
def dict_(*a): return b'{' + b''.join(k + v for k, v in a) + b'0'
def name(line): return tuple_(text('a.py'), whole(line), text('f%d' % line))
def four(n, of=tuple_, count=whole):
    return of(count(n), count(n), real(n / 2), real(n))
def five(n, *callers, of=tuple_, count=whole):
    return of(count(n), count(n), real(n / 2), real(n), dict_(*callers))

a, b, c = name(1), name(2), name(3)
dumps = {
    'function': dict_((a, five(7, (c, four(7)))), (b, five(1)), (c, five(3)),
                      (a, five(2, (b, four(1)), (c, four(1)))), (c, five(4))),
    'caller': dict_((b, five(1)), (c, five(1)),
                    (a, five(3, (b, four(9)), (c, four(1)), (b, four(2))))),
    'gone': dict_((a, five(7, (c, four(7)))), (b, five(1)), (a, five(2))),
    'list': dict_((b, five(1)), (a, five(2, (b, four(2, of=list_)), of=list_))),
    'float': dict_((b, five(1)), (a, five(2, (b, four(2, count=real)), count=real))),
    'old': dict_((b, five(1)), (a, five(2, (b, real(2))))),
}
for name, dump in dumps.items():
    open(name + '.odd', 'wb').write(dump)
END
cat >same.py <<'END'
import marshal, pstats, sys
def plain(v):
    if isinstance(v, dict):
        return [(k, plain(v[k])) for k in sorted(v)]
    return [plain(x) for x in v] if isinstance(v, (list, tuple)) else v
was, now = (pstats.Stats(f).stats for f in sys.argv[1:])
sys.exit(list(was) != list(now) or plain(was) != plain(now))
END
for dump in *.odd; do
	check "$dump is written" exits 0 git perf export --to=pstats -o x.prof "$dump"
	check "$dump is what Python loads" exits 0 python3 same.py "$dump" x.prof
done
