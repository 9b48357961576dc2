"""Compares git perf's pictures of call graphs with go tool pprof's:
pprof_pictures.py SEED PROFILES SETS [FILE...]

PROFILES profiles are made up besides the files that are named; each is drawn
with SETS random sets of options. The time of a profile, which an older pprof
writes in another way, is left out.
"""
import random
import re
import subprocess
import sys


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


NAMES = ["main", "main.run", "github.com/a/b.C/v2.Do", "a.com/x/v3/y.(*T).Go",
         "java.util.HashMap.get(Object)", "org.Foo.<init>", "a.b.Klass.m$1",
         "std::vector<int>::push", "ns::Klass::method<int, A::B>(int)",
         "(anonymous namespace)::f", "ns::__Impl::~Impl", "a[...].b", "x/y/z",
         "a-b.c/d.e", "operator()", "f", "g", "h", "Zeta::eta::theta"]


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.strings = [""]
        self.types = rng.choice([("cpu", "nanoseconds"), ("space", "bytes"),
                                 ("things", "count"), ("delay", "us")])

    def string(self, text):
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def labels(self):
        out = b""
        for key in ["kind", "who"]:
            if self.labelled and self.rng.random() < .6:
                value = "v%d" % self.rng.randint(0, 5)
                out += message(3, number(1, self.string(key)) +
                               number(2, self.string(value)))
        if self.numbered and self.rng.random() < .7:
            value = self.rng.choice([1, 16, 1024, 5000, 1 << 20, 3 << 21,
                                     self.rng.randint(1, 1 << 30)])
            out += message(3, number(1, self.string("bytes")) +
                           number(3, value))
        return out

    def sample(self, locations):
        count = self.rng.randint(1, 12)
        stack = [self.rng.choice(locations) for _ in range(count)]
        if self.rng.random() < .7:
            stack[-1] = locations[0]
        value = self.rng.randint(1, 10 ** self.rng.randint(1, 9))
        out = b"".join(number(1, location) for location in stack)
        out += number(2, self.rng.randint(1, 9)) + number(2, value)
        return message(2, out + self.labels())

    def make(self):
        rng = self.rng
        self.labelled, self.numbered = rng.random() < .6, rng.random() < .4
        functions = rng.sample(NAMES, rng.randint(3, len(NAMES)))
        functions += ["f%d" % i for i in range(rng.choice([0, 0, 30, 120]))]
        out = b""
        for kind, unit in (("samples", "count"), self.types):
            out += message(1, number(1, self.string(kind)) +
                           number(2, self.string(unit)))
        places = []
        for i, name in enumerate(functions):
            lines = message(4, number(1, i + 1) +
                            number(2, rng.randint(1, 9)))
            if rng.random() < .2:
                caller = rng.randint(1, len(functions))
                lines += message(4, number(1, caller) + number(2, 77))
            places.append(number(1, i + 1) + number(2, 1) +
                          number(3, 0x1000 + 16 * i) + lines)
        ids = list(range(1, len(functions) + 1))
        for _ in range(rng.randint(1, 150)):
            out += self.sample(ids)
        out += message(3, number(1, 1) + number(2, 0x1000) +
                       number(3, 0x9000) +
                       number(5, self.string("/bin/prog")) + number(7, 1))
        for place in places:
            out += message(4, place)
        for i, name in enumerate(functions):
            file = rng.choice(["a.go", "/src/x/b.go", "c.cc", ""])
            out += message(5, number(1, i + 1) +
                           number(2, self.string(name)) +
                           number(4, self.string(file)))
        for text in self.strings:
            out += message(6, text.encode())
        return out


def options(rng):
    out = []

    def some(share, option):
        if rng.random() < share:
            out.append(option)

    some(.5, "nodecount=%d" % rng.choice([0, 1, 3, 5, 10, 20, 40]))
    some(.3, "nodefraction=%s" % rng.choice(["0", "0.01", "0.1", "0.3"]))
    some(.3, "edgefraction=%s" % rng.choice(["0", "0.01", "0.1", "0.3"]))
    some(.2, "focus=%s" % rng.choice(["main", "f", "Klass", "a"]))
    some(.2, "ignore=%s" % rng.choice(["g", "f1", "nothing"]))
    some(.2, "hide=%s" % rng.choice(["run", "f2", "x"]))
    some(.1, "show_from=%s" % rng.choice(["main", "f"]))
    some(.2, "tagfocus=%s" % rng.choice(["v1", "who=v2", "1kb:"]))
    some(.1, "relative_percentages")
    some(.1, "cum")
    some(.1, "mean")
    some(.1, "unit=%s" % rng.choice(["ms", "auto", "kb"]))
    some(.1, "sample_index=0")
    some(.1, "divide_by=3")
    some(.1, "noinlines")
    some(.25, rng.choice(["filefunctions", "files", "lines"]))
    return out


def of_pprof(name, chosen):
    command = ["go", "tool", "pprof", "-symbolize=none", "-dot"]
    return subprocess.run(command + ["-" + o for o in chosen] + [name],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def of_git(name, chosen):
    command = ["git-perf", "show", "--view=dot"]
    for option in chosen:
        if option in ("filefunctions", "files", "lines"):
            option = "granularity=" + option
        key, sep, value = option.partition("=")
        command.append("--" + key.replace("_", "-") + sep + value)
    return subprocess.run(command + [name], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def same(name, chosen):
    pprof, ours = [re.sub(rb"\\lTime: [^\\]*", b"", text) for text in
                   (of_pprof(name, chosen), of_git(name, chosen))]
    if pprof == ours:
        return True
    # shares of nothing have whatever colour a division by 0 gives
    if not pprof or b" of 0 total" in pprof:
        return None
    for a, b in zip(pprof.split(b"\n"), ours.split(b"\n")):
        if a != b:
            break
    # the second time tells whether pprof knows its own mind
    again = re.sub(rb"\\lTime: [^\\]*", b"", of_pprof(name, chosen))
    print("differs:" if again == pprof else "pprof differs from itself:",
          name, chosen)
    print("pprof:", a.decode()[:600], "\nours: ", b.decode()[:600])
    return None if again != pprof else False


def main():
    rng = random.Random(int(sys.argv[1]))
    names = sys.argv[4:]
    for i in range(int(sys.argv[2])):
        names.append("./made-%d.pb" % i)
        with open(names[-1], "wb") as f:
            f.write(Maker(rng).make())
    results = [same(name, options(rng)) for name in names
               for _ in range(int(sys.argv[3]))]
    print(results.count(True), "pictures are equal,", results.count(False),
          "differ,", results.count(None), "that pprof does not draw twice")
    sys.exit(False in results or results.count(True) < len(results) * .9)


main()
