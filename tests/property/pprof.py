"""Random profiles and random options: git perf show beside go tool pprof.

pprof.py <first seed> <profiles> <option sets>

Each report of top, tree, traces, tags and list must be the same text, but for the
line with the time and for the tags' sums, which newer versions of pprof
write in another way than that of Go 1.19. One key of a label has one unit:
with several pprof takes the first for all. What differs is printed with the
command that shows it.
"""
import gzip
import os
import random
import re
import subprocess
import sys

FRAMES = ["main", "parse", "read_loop", "hash", "runtime.mallocgc", "alloc",
          "std::sort<int>", "Vec::push", "(*T).Run", "lib.init", "copy", "x"]
FILES = ["/src/a.c", "/src/b.c", "/src/dir/../b.c", "", "lib/x.go", "y.c"]
BINARIES = ["/usr/bin/prog", "/lib/libc.so.6", "[vdso]"]
KEYS = ["worker", "kind", "bytes", "request", "lat"]
UNITS = {"bytes": "", "request": "", "lat": "ms"}
TYPES = [("samples", "count"), ("cpu", "nanoseconds"), ("space", "bytes"),
         ("items", "widgets")]


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append(n & 127 | (128 if n > 127 else 0))
        n >>= 7
        if not n:
            return bytes(out)


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value) if value else b""


def packed(number, values):
    return field(number, b"".join(varint(v) for v in values))


class Profile:
    def __init__(self, r):
        self.r = r
        self.strings = [""]
        self.types = r.sample(TYPES, r.randint(1, 3))
        out = b"".join(field(1, self.value_type(t)) for t in self.types)
        out += self.locations() + self.samples()
        out += field(9, 1500000000000000000) + field(10, r.choice(
            [0, 1000000, 3500000000, 7200000000000]))
        out += field(11, self.value_type(("cpu", "nanoseconds")))
        out += field(12, r.choice([0, 1, 10000000]))
        if r.random() < .3:
            out += packed(13, [self.text("a comment")])
        self.bytes = out + b"".join(
            field(6, s.encode()) if s else varint(6 << 3 | 2) + b"\0"
            for s in self.strings)

    def text(self, s):
        if s not in self.strings:
            self.strings.append(s)
        return self.strings.index(s)

    def value_type(self, pair):
        return field(1, self.text(pair[0])) + field(2, self.text(pair[1]))

    def locations(self):
        r, out = self.r, b""
        names = r.sample(FRAMES, r.randint(2, len(FRAMES)))
        for i, name in enumerate(names, 1):
            out += field(5, field(1, i) + field(2, self.text(name)) +
                         field(3, self.text(name)) +
                         field(4, self.text(r.choice(FILES))))
        binaries = r.randint(0, len(BINARIES))
        for i in range(1, binaries + 1):
            out += field(3, field(1, i) + field(2, i << 20) +
                         field(3, (i << 20) + 0x80000) +
                         field(5, self.text(BINARIES[i - 1])) +
                         field(6, self.text("id%d" % i)) + field(7, 1))
        self.count = r.randint(2, 30)
        for i in range(1, self.count + 1):
            binary = r.randint(0, binaries)
            lines = r.choice([0, 1, 1, 1, 2, 3]) if binary else r.randint(1, 2)
            out += field(4, field(1, i) + field(2, binary) +
                         field(3, (binary << 20) + i * 16) +
                         b"".join(field(4, field(1, r.randint(1, len(names))) +
                                        field(2, r.randint(0, 40)))
                                  for _ in range(lines)))
        return out

    def label(self, key):
        if key in UNITS:
            return field(3, field(1, self.text(key)) +
                         field(3, self.r.choice([1, 16, 300, 4096, 70000])) +
                         field(4, self.text(UNITS[key])))
        return field(3, field(1, self.text(key)) + field(2, self.text(
            self.r.choice(["a", "b", "json", "a b"]))))

    def samples(self):
        r, out = self.r, b""
        for _ in range(r.randint(1, 60)):
            stack = [r.randint(1, self.count)
                     for _ in range(r.randint(1, 9))]
            values = [r.choice([0, 1, 2, 10, 999, 12345, 10000000])
                      for _ in self.types]
            keys = r.sample(KEYS, r.choice([0, 0, 1, 2]))
            out += field(2, packed(1, stack) + packed(2, values) +
                         b"".join(self.label(k) for k in keys))
        return out


def regex(r):
    return r.choice(["main", "a", "^x$", "pa.se|hash", "Run", "runtime",
                     "libc", "b\\.c", "nothing"])


def names(r):
    """Of a binary that matches, pprof's show drops what has no function."""
    return regex(r).replace("libc", "copy")


def options(r, types):
    pool = [
        lambda: "-focus=" + regex(r), lambda: "-ignore=" + regex(r),
        lambda: "-hide=" + regex(r), lambda: "-show=" + names(r),
        lambda: "-show_from=" + regex(r), lambda: "-prune_from=" + regex(r),
        lambda: "-tagfocus=" + r.choice(
            ["kind=json", "a", "bytes=16b:1kb", ":2kb", "lat=:1s"]),
        lambda: "-tagignore=" + r.choice(["worker=a,b", "request=4kb:", "json"]),
        lambda: "-tagshow=" + r.choice(["kind", "b", "none"]),
        lambda: "-taghide=" + r.choice(["kind", "lat"]),
        lambda: "-tagroot=" + r.choice(["kind", "worker,kind", "bytes"]),
        lambda: "-tagleaf=" + r.choice(["kind", "bytes", "lat"]),
        lambda: r.choice(["-files", "-filefunctions", "-addresses"]),
        lambda: "-noinlines", lambda: "-cum", lambda: "-mean",
        lambda: "-relative_percentages", lambda: "-drop_negative",
        lambda: "-trim=false",
        lambda: "-nodecount=%d" % r.randint(1, 12),
        lambda: "-nodefraction=%g" % r.choice([0, .01, .1, .3]),
        lambda: "-edgefraction=%g" % r.choice([0, .01, .1]),
        lambda: "-sample_index=%d" % r.randrange(len(types)),
        lambda: "-divide_by=%d" % r.choice([2, 7]),
        lambda: "-unit=" + r.choice(["ms", "s", "kb", "auto"]),
    ]
    return [pick() for pick in r.sample(pool, r.randint(0, 4))]


def ours(option):
    name, _, value = option[1:].partition("=")
    if name in ("files", "filefunctions", "addresses"):
        return "--granularity=" + name
    if option == "-trim=false":
        return "--no-trim"
    name = "--" + name.replace("_", "-")
    return name + "=" + value if value else name


def run(argv):
    done = subprocess.run(argv, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines()
             if not line.startswith("Time: ")]
    return done.returncode, lines


def number(share):
    return float(share.rstrip("%"))


def weight(text):
    """Of a label; None where it has a unit, and digits are cut."""
    return float(text) if re.match(r"-?[0-9.]+$", text) else None


def tags(lines):
    """Keys of labels, with the text of each value in order, its share of the
    key, and how far that may be off. Newer versions tell a share of the whole
    with two digits, of which both the key's and the value's are rounded."""
    out, whole, total = [], 100, None
    for line in lines:
        key = re.match(r" *(\S.*?): Total (\S+)(?: of \S+ \( *(\S+)\))?$",
                       line)
        value = re.match(r" *(\S+)(?: \( *([0-9.e-]+%)\))?: (.*)$", line)
        if key:
            total = weight(key.group(2))
            whole = number(key.group(3) or "100%")
            out.append((key.group(1), 100, 0))
        elif value:
            own = weight(value.group(1))
            if own is not None and total:
                # both may be rounded to whole numbers
                out.append((value.group(3), own * 100 / total,
                            100 / abs(total)))
                continue
            share = number(value.group(2) or "0%") * 100 / (whole or 100)
            out.append((value.group(3), share, .02 + .1 * abs(share)))
    return out


def same(view, a, b):
    if view != "tags" or not a or not b:
        return a == b
    return a[0] == b[0] and abs(a[1] - b[1]) <= max(a[2], b[2]) + .002


def sources():
    """Of two of the files, one without a last line feed, with CR and TAB."""
    os.makedirs("lib", exist_ok=True)
    for name, lines, end in ("lib/x.go", 60, "\n"), ("y.c", 25, "\r\n"):
        with open(name, "w", newline="") as out:
            out.write(end.join("\tline %d" % n for n in range(1, lines)))


def arguments(view, peer):
    if view != "list":
        return ["-" + view] if peer else ["--view=" + view]
    return ["-list=."] if peer else ["--view=list", "--function=."]


def plain(view, lines):
    """Why a file cannot be read is told in other words."""
    if view == "tags":
        return tags(lines)
    return [re.sub("^ Error: .*", " Error", line) for line in lines]


def main(first, profiles, sets):
    failed = 0
    sources()
    for seed in range(first, first + profiles):
        r = random.Random(seed)
        profile = Profile(r)
        name = "%d.pb.gz" % seed
        with open(name, "wb") as out:
            out.write(gzip.compress(profile.bytes, mtime=0))
        for _ in range(sets):
            picked = options(r, profile.types)
            for view in ("top", "tree", "traces", "tags", "list"):
                if view in ("tree", "tags") and "-mean" in picked:
                    continue  # pprof divides no calls, and no labels
                peer = ["go", "tool", "pprof", "-symbolize=none",
                        *arguments(view, True), *picked, name]
                mine = ["git-perf", "show", *arguments(view, False),
                        *map(ours, picked), name]
                code, want = run(peer)
                got_code, got = run(mine)
                want, got = plain(view, want), plain(view, got)
                pairs = zip(want + [None], got + [None])
                wrong = [pair for pair in pairs if not same(view, *pair)]
                if (code != 0) == (got_code != 0) and not wrong:
                    continue
                failed += 1
                print("differs:", *mine)
                print("   from:", *peer)
                for pair in wrong[:1]:
                    print("   %r, pprof has %r" % (pair[1], pair[0]))
    sys.exit(failed != 0)


main(*map(int, sys.argv[1:]))
