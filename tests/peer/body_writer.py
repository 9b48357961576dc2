"""Writes a key body from a profile of body_reader.py, from the text of
libperfnotes/storage/FORMAT.md alone and in the plainest way it allows:
byte planes for each column, nothing left out but what is empty.
"""
import struct

from body_reader import (LISTS, META_NUMBERS, META_STRINGS, WORD, Body,
                         body_sum)


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def column(words):
    out = varint(len(words))
    if not words:
        return out
    planes = max(1, (max(words).bit_length() + 7) // 8)
    out += bytes([1 | planes << 4])
    for plane in range(planes):
        out += bytes(w >> 8 * plane & 255 for w in words)
    return out


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


class Numbers(dict):
    """A place for each different thing, in the order in which they come."""

    def of(self, thing):
        return self.setdefault(thing, len(self))


def repeated(numbers, things):
    """Those that are in the profile more than once: rows that nothing names
    and that are kept."""
    again = []
    for thing in things:
        known = len(numbers)
        if numbers.of(thing) < known:
            again.append(thing)
    return again


class Draft(Body):
    """Columns of a profile."""

    def __init__(self, p):
        self.columns, self.p = {}, p
        self.strings, self.functions = Numbers(), Numbers()
        self.locations, self.lines = Numbers(), []
        self.paths, self.path_rows = Numbers(), []
        self.sets, self.labels = Numbers(), []
        self.strings.of(b"")
        self.header()
        self.twice = [repeated(self.functions, p.functions),
                      repeated(self.locations, p.locations)]
        self.samples()
        self.curves()
        self.events()
        self.graph()
        self.metrics()
        self.code()
        self.ends()

    def put(self, i, words):
        self.columns[i] = [w & WORD for w in words]

    def texts(self, i, texts):
        self.put(i, [self.strings.of(t) for t in texts])

    def header(self):
        p = self.p
        texts = [p.header[k] for k in META_STRINGS]
        self.texts(3, texts if texts[-1] else texts[:-1])
        numbers = [p.header[k] for k in META_NUMBERS]
        if numbers[7] == 1:
            numbers[7] = 0
        while len(numbers) > 7 and not numbers[-1]:
            numbers.pop()
        self.put(4, numbers)
        for i, name in LISTS.items():
            flat = p.header[name]
            self.texts(i, flat if i > 8 else [t for two in flat for t in two])
        for i, part in enumerate(zip(*p.types)):
            (self.texts if i < 2 else self.put)(11 + i, part)
        self.put(15, [m[0] for m in p.mappings])
        self.put(16, [m[1] - m[0] for m in p.mappings])
        self.put(17, [m[2] for m in p.mappings])
        self.texts(18, [m[3] for m in p.mappings])
        self.texts(19, [m[4] for m in p.mappings])
        self.put(20, [m[5] for m in p.mappings])

    def samples(self):
        rows = self.p.samples
        self.put(42, [self.path(s.stack) for s in rows])
        self.put(43, [self.sets.of(s.labels) + 1 if s.labels else 0
                      for s in rows])
        self.values(0, [[v or 0 for v in s.values] for s in rows])
        for t in range(len(self.p.types)):
            self.put(512 + t, [s.values[t] is None for s in rows])
        for of in self.sets:
            self.labels += of
        self.put(36, [len(of) for of in self.sets])
        self.texts(37, [label[0] for label in self.labels])
        self.texts(38, [label[1] for label in self.labels])
        self.put(39, [label[2] for label in self.labels])
        self.texts(40, [label[3] if label[2] in (0, 3) else b""
                        for label in self.labels])
        self.put(41, [label[3] if label[2] == 1 else
                      bits(label[3]) if label[2] == 2 else 0
                      for label in self.labels])

    def path(self, stack):
        """One more than the row of the leaf; callers stand before."""
        row = None
        for place in reversed(stack):
            number, known = self.locations.of(place), len(self.paths)
            now = self.paths.of((row, number))
            if now == known:
                self.path_rows.append((0 if row is None else now - row,
                                       number))
            row = now
        return 0 if row is None else row + 1

    def curves(self):
        curves = self.p.curves
        points = [point for curve in curves for point in curve[3]]
        parts = [part for point in points for part in point[2]]
        for i in range(3):
            self.texts(79 + i, [curve[i] for curve in curves])
        self.put(82, [len(curve[3]) for curve in curves])
        self.put(85, [bits(point[0]) for point in points])
        self.put(86, [bits(point[1]) for point in points])
        self.put(87, [len(point[2]) for point in points])
        self.put(88, [self.path(stack) for stack, _ in parts])
        self.put(89, [bits(value) for _, value in parts])

    def events(self):
        p = self.p

        def up(index):
            return 0 if index is None else index + 1
        self.put(91, [event[0] for event in p.events])
        self.put(92, [event[1] for event in p.events])
        self.put(93, [self.path(event[2]) for event in p.events])
        self.put(94, [up(event[3]) for event in p.events])
        self.put(95, [event[4] for event in p.events])
        self.put(96, [up(thread[0]) for thread in p.threads])
        self.texts(97, [thread[1] for thread in p.threads])
        self.texts(98, [thread[2] for thread in p.threads])
        self.put(99, [bits(thread[3]) for thread in p.threads])
        self.texts(100, [process[0] for process in p.processes])
        self.texts(101, [process[1] for process in p.processes])
        self.texts(102, [fact[0] for fact in p.facts])
        self.texts(103, [fact[1] for fact in p.facts])
        self.put(105, [bits(fact[2]) for fact in p.facts])
        self.put(106, [self.path(tick[0]) for tick in p.ticks])
        self.put(107, [tick[1] for tick in p.ticks])
        self.put(108, [tick[2] for tick in p.ticks])

    def values(self, matrix, rows):
        for t, kind in enumerate(self.p.types):
            self.put(128 + 64 * matrix + t,
                     [bits(row[t]) if kind[3] else row[t] for row in rows])

    def graph(self):
        p = self.p
        self.put(45, [0 if n.location is None else
                      self.locations.of(n.location) + 1 for n in p.nodes])
        self.put(46, [n.calls for n in p.nodes])
        self.put(47, [n.primitive for n in p.nodes])
        kinds = [kind[3] for kind in p.types]
        self.put(76, [bits(v) if kinds[i % len(kinds)] else v
                      for n in p.nodes for i, v in enumerate(n.by_run)])
        for i, name in enumerate(("caller", "callee", "line", "calls",
                                  "primitive")):
            self.put(49 + i, [getattr(e, name) for e in p.edges])
        if any(e.file or e.address for e in p.edges):
            self.texts(77, [e.file for e in p.edges])
            self.put(78, [e.address for e in p.edges])
        self.put(55, [c.node for c in p.costs])
        self.texts(56, [c.file for c in p.costs])
        self.put(57, [c.line for c in p.costs])
        self.put(58, [c.address for c in p.costs])
        for matrix, rows in ((1, [n.self for n in p.nodes]),
                             (2, [n.total for n in p.nodes]),
                             (3, [e.self for e in p.edges]),
                             (4, [e.total for e in p.edges]),
                             (5, [c.values for c in p.costs])):
            self.values(matrix, rows)

    def metrics(self):
        all_of = self.p.metrics
        self.texts(60, [m[0] for m in all_of])
        self.texts(61, [m[1] for m in all_of])
        self.put(62, [m[2] for m in all_of])
        self.put(63, [m[3] for m in all_of])
        self.put(64, [len(m[4]) for m in all_of])
        for k in range(7):
            self.put(65 + k, [bits(m[5][k]) if m[5] else 0 for m in all_of])
        self.put(72, [bits(v) for m in all_of for v in m[4]])

    def code(self):
        places = list(self.locations) + self.twice[1]
        lines = [line for place in places for line in place.lines]
        starts = [m[0] for m in self.p.mappings]
        self.put(31, [self.functions.of(line[0]) for line in lines])
        self.put(32, [line[1] for line in lines])
        self.put(33, [line[2] for line in lines])
        self.put(26, [x.address - (0 if x.mapping is None else
                                   starts[x.mapping]) for x in places])
        self.put(27, [0 if x.mapping is None else x.mapping + 1
                      for x in places])
        self.put(28, [x.folded for x in places])
        self.put(29, [len(x.lines) for x in places])
        self.put(30, [1 for x in places])
        functions = list(self.functions) + self.twice[0]
        self.texts(21, [f.name for f in functions])
        self.put(22, [0 if f.system == f.name else
                      self.strings.of(f.system) + 1 for f in functions])
        self.texts(23, [f.file for f in functions])
        self.put(24, [f.line for f in functions])
        self.put(25, [1 for f in functions])
        self.put(34, [row[0] for row in self.path_rows])
        self.put(35, [row[1] for row in self.path_rows])

    def ends(self):
        p, c = self.p, self.columns
        self.text = b"".join(self.strings)
        self.put(2, [len(t) for t in self.strings])
        self.put(1, [len(self.strings), len(c[21]), len(c[26]), len(c[31]), len(self.paths),
                     len(self.sets), len(self.labels), len(p.samples),
                     len(p.types), len(p.mappings), len(p.nodes),
                     len(p.edges), len(p.costs), len(p.metrics), len(c[72]),
                     len(c[79]), len(c[85]), len(c[88]),
                     len(c[91]), len(c[96]), len(c[100]),
                     len(c[102]), len(c[106])])
        stacks = {s.stack for s in p.samples}
        stacks.update(stack for curve in p.curves for point in curve[3]
                      for stack, _ in point[2])
        stacks.update(event[2] for event in p.events)
        stacks.update(tick[0] for tick in p.ticks)
        self.serial = self.depth = 0
        self.raw = self.columns_raw() + 4 * sum(map(len, stacks))

    def parts(self):
        out = b""
        for i in sorted(self.columns):
            part = column(self.columns[i])
            if self.columns[i]:
                out += varint(2 * i) + varint(len(part)) + part
        if self.text:
            out += varint(1152) + varint(len(self.text)) + self.text
        return out


def write(p):
    draft = Draft(p)
    out = b"\xb1pnb\x01\x00" + varint(draft.raw) + draft.parts()
    limit = 1024 * (len(out) + 8) + 65536
    if draft.raw > limit:
        zeros = bytes((draft.raw - limit) // 1024 + 1)
        out += varint(1153) + varint(len(zeros)) + zeros
    return out + struct.pack("<Q", body_sum(draft))
