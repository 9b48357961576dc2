"""Reads the canonical body, from the text of libperfnotes/storage/FORMAT.md
alone: bytes to columns, columns to a profile.
"""
import struct
from collections import Counter, namedtuple

from notes_reader import Refused, need

WORD = (1 << 64) - 1
RAW_MAX = 1 << 30
DEPTH_MAX = 16

(STRINGS, FUNCTIONS, LOCATIONS, LINES, PATHS, SETS, LABELS, ROWS, TYPES,
 MAPPINGS, NODES, EDGES, COSTS, METRICS, METRIC_VALUES, CURVES, POINTS,
 PARTS, EVENTS, THREADS, PROCESSES, FACTS, TICKS) = range(23)
TABLE_COLUMNS = {STRINGS: (2, 2), TYPES: (11, 14), MAPPINGS: (15, 20),
                 FUNCTIONS: (21, 25), LOCATIONS: (26, 30), LINES: (31, 33),
                 PATHS: (34, 35), SETS: (36, 36), LABELS: (37, 41),
                 ROWS: (42, 44), NODES: (45, 48), EDGES: (49, 54),
                 COSTS: (55, 59), METRICS: (60, 71), METRIC_VALUES: (72, 72),
                 CURVES: (79, 84), POINTS: (85, 87), PARTS: (88, 89),
                 EVENTS: (91, 95), THREADS: (96, 99), PROCESSES: (100, 101),
                 FACTS: (102, 105), TICKS: (106, 108)}
MATRIX_TABLES = (ROWS, NODES, NODES, EDGES, EDGES, COSTS)
LATER_COLUMNS = {77: EDGES, 78: EDGES}  # of tables that were there before
FREE_COLUMNS = (1, 3, 4, 5, 6, 7, 8, 9, 10, 73, 74, 75, 76, 90)
TEXT_TAG = 1152


# The bytes of a body

def varint(data, at):
    value = 0
    for n in range(10):
        need(at < len(data), "a number is cut")
        byte = data[at]
        at += 1
        value |= (byte & 127) << 7 * n
        if byte < 128:
            return value & WORD, at
    raise Refused("a number of more than ten bytes")


def unzigzag(word):
    return (word >> 1) ^ -(word & 1) & WORD


def coded(data, at, how, planes, n):
    if how == 0:
        word, at = varint(data, at)
        return [word] * n, at
    need(how < 3, "coding 3")
    if how == 1:
        need(1 <= planes <= 8 and at + n * planes <= len(data), "planes")
        words = [sum(data[at + p * n + i] << 8 * p for p in range(planes))
                 for i in range(n)]
        return words, at + n * planes
    words, at = list(data[at:at + n]), at + n
    need(at <= len(data), "a run is cut")
    for i in range(n):
        if words[i] == 255:
            more, at = varint(data, at)
            words[i] = 255 + more & WORD
    return words, at


def run(data, at, n):
    if not n:
        return [], at
    need(at < len(data), "a run is cut")
    head = data[at]
    view = head >> 2 & 3
    need(view < 3, "view 3")
    words, at = coded(data, at + 1, head & 3, head >> 4,
                      n - 1 if view == 2 else n)
    if view:
        words = [unzigzag(w) for w in words]
    if view == 2:
        first, at = varint(data, at)
        steps, words = words, [first]
        for step in steps:
            words.append(words[-1] + step & WORD)
    return words, at


def column(data, old):
    n, at = varint(data, 0)
    need(n <= RAW_MAX // 8, "too many words")
    words = old[:n]
    if words:
        count, at = varint(data, at)
        gaps, at = run(data, at, count)
        by, at = run(data, at, count)
        place = 0
        for gap, difference in zip(gaps, by):
            place += gap
            need(place < len(words), "a change behind the base's words")
            words[place] = words[place] + difference & WORD
            place += 1
    more, at = run(data, at, n - len(words))
    need(at == len(data), "bytes behind a column")
    return words + more


def mix(h, word):
    h = (h ^ word) * 0x9e3779b97f4a7c15 & WORD
    return h ^ h >> 32


def words_sum(words):
    lanes = [1, 2, 3, 4]
    for i, word in enumerate(words):
        lanes[i % 4] = mix(lanes[i % 4], word)
    total = len(words)
    for lane in lanes:
        total = mix(total, lane)
    return total


def text_sum(text):
    total, whole = len(text), len(text) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", text[:whole]):
        total = mix(total, word)
    for byte in text[whole:]:
        total = mix(total, byte)
    return total


def body_sum(body):
    total = text_sum(body.text) if body.text else 0
    for word in (body.raw, body.serial, body.depth):
        total = mix(total, word)
    for i in sorted(body.columns):
        if body.columns[i]:
            total = mix(mix(total, i), words_sum(body.columns[i]))
    return total


def table_of(i):
    if i >= 512:
        return ROWS
    if i >= 128:
        return MATRIX_TABLES[(i - 128) // 64]
    for table, (first, last) in TABLE_COLUMNS.items():
        if first <= i <= last:
            return table
    return LATER_COLUMNS.get(i)


class Body:
    """The columns of one body, its base's where it has no section."""

    def __init__(self, data, get):
        need(data[:4] == b"\xb1pnb" and len(data) > 14, "no body")
        need(data[4] == 1, "body of version %d" % data[4])
        need(data[5] < 3, "neither key nor delta")
        self.raw, at = varint(data, 6)
        self.serial = self.depth = 0
        self.base = self.base_name = None
        self.size = len(data)
        if data[5]:
            self.serial, at = varint(data, at)
            self.depth, at = varint(data, at)
            need(0 < self.depth <= DEPTH_MAX and 0 < self.serial < 256,
                 "a chain too long")
            end = at + (20, 32)[data[5] - 1]
            self.base_name, at = data[at:end].hex(), end
            self.base = get(self.base_name)
            need(self.base.depth + 1 == self.depth and
                 self.base.serial < self.serial, "no delta on this base")
        self.columns = dict(self.base.columns) if self.base else {}
        self.text = self.base.text if self.base else b""
        self.sections(data, at, len(data) - 8)
        need(body_sum(self) == struct.unpack("<Q", data[-8:])[0], "the sum")

    def sections(self, data, at, end):
        last = 0
        while at < end:
            tag, at = varint(data, at)
            size, at = varint(data, at)
            need(tag > last and at + size <= end, "a section is cut")
            part, last, at = data[at:at + size], tag, at + size
            if tag == TEXT_TAG:
                self.text += part
            elif tag % 2 == 0:
                i = tag // 2
                need(table_of(i) is not None or i in FREE_COLUMNS,
                     "section %d" % tag)
                self.columns[i] = column(part, self.old(i))

    def old(self, i):
        if not self.base:
            return []
        words = self.base.columns.get(i, [])
        if not words and table_of(i) is not None:
            return [0] * self.base.rows(table_of(i))
        return list(words)

    def rows(self, table):
        counts = self.columns.get(1, [])
        return counts[table] if table < len(counts) else 0

    def col(self, i):
        """The words of a table's column, zeros where it is left out."""
        words, n = self.columns.get(i, []), self.rows(table_of(i))
        need(len(words) in (0, n), "column %d does not fit its table" % i)
        return words or [0] * n

    def columns_raw(self):
        """Bytes of all columns, those left out counted, and of the text."""
        types = self.rows(TYPES)
        words = sum(len(self.columns.get(i, [])) for i in
                    (*FREE_COLUMNS, *LATER_COLUMNS))
        for table, (first, last) in TABLE_COLUMNS.items():
            words += (last - first + 1) * self.rows(table)
        words += types * sum(self.rows(t) for t in MATRIX_TABLES)
        words += types * self.rows(ROWS)
        return words * 8 + len(self.text)


# The profile that the columns stand for

Function = namedtuple("Function", "name system file line")
Location = namedtuple("Location", "address mapping folded lines")
Sample = namedtuple("Sample", "stack labels values")
Node = namedtuple("Node", "location calls primitive self total by_run")
Edge = namedtuple("Edge", "caller callee line calls primitive file address "
                          "self total")
Cost = namedtuple("Cost", "node file line address values")
META_STRINGS = ("kind", "cmd", "args", "workload", "name", "origin",
                "collector", "params", "default_type", "period_type",
                "period_unit", "drop", "keep", "doc", "source_root")
META_NUMBERS = ("exit", "dirty", "period_better", "period_number", "period",
                "time", "duration", "runs", "roles", "more_roles")
LISTS = {5: "posts", 6: "environment", 7: "labels", 8: "extras", 9: "models",
         10: "comments"}


def signed(word):
    return word - (1 << 64) if word >> 63 else word


def double(word):
    return struct.unpack("<d", struct.pack("<Q", word))[0]


class Profile:
    """header, types, mappings, functions, locations, samples, nodes, edges,
    costs, metrics; texts are bytes, absent values None."""

    def __init__(self):
        self.header = dict.fromkeys(META_STRINGS, b"")
        self.header.update(dict.fromkeys(META_NUMBERS, 0))
        for name in LISTS.values():
            self.header[name] = []
        self.types, self.mappings, self.samples = [], [], []
        self.functions, self.locations = [], []
        self.nodes, self.edges, self.costs, self.metrics = [], [], [], []
        self.curves, self.events = [], []
        self.threads, self.processes, self.facts = [], [], []
        self.ticks = []

    def content(self):
        """Comparable: what has an order as it is, the rest counted."""
        def of(node):
            return self.nodes[node].location
        return {"header": self.header, "types": self.types,
                "mappings": self.mappings, "metrics": self.metrics,
                "curves": self.curves, "events": self.events,
                "threads": self.threads, "processes": self.processes,
                "facts": self.facts, "ticks": Counter(self.ticks),
                "functions": Counter(self.functions),
                "locations": Counter(self.locations),
                "samples": Counter(s._replace(labels=tuple(sorted(s.labels)))
                                   for s in self.samples),
                "nodes": Counter(self.nodes),
                "edges": Counter(e._replace(caller=of(e.caller),
                                            callee=of(e.callee))
                                 for e in self.edges),
                "costs": Counter(c._replace(node=of(c.node))
                                 for c in self.costs)}


def starts(counts):
    out = [0]
    for n in counts:
        out.append(out[-1] + n)
    return out


def values(body, matrix):
    """Per row a tuple of values."""
    types, table = body.rows(TYPES), MATRIX_TABLES[matrix]
    how = [body.columns.get(i, []) for i in (73, 74, 75)]
    numbers = body.col(14)

    def view(which, t):
        at = matrix * types + t
        return how[which][at] if at < len(how[which]) else 0
    out = []
    for t in range(types):
        factor, source = view(1, t) + 1, t
        if view(2, t):
            factor, source = factor * (view(1, 0) + 1), 0
        words = [w * factor & WORD
                 for w in body.col(128 + 64 * matrix + source)]
        if not numbers[t]:
            out.append([signed(w) for w in words])
        elif view(0, t):
            out.append([signed(w) / 10.0 ** (view(0, t) - 1) for w in words])
        else:
            out.append([double(w) for w in words])
    return list(zip(*out)) if out else [()] * body.rows(table)


def profile(body):
    reader = Columns(body)
    p = Profile()
    reader.header(p)
    reader.code(p)
    reader.samples(p)
    reader.curves(p)
    reader.events(p)
    reader.graph(p)
    reader.metrics(p)
    reader.used(p)
    need(body.raw == body.columns_raw() + 4 * reader.frames, "raw")
    return p


class Columns:
    """Takes a body's tables into a profile."""

    def __init__(self, body):
        self.b = body
        at = starts(body.col(2))
        need(at[-1] == len(body.text), "lengths of the strings")
        self.strings = [body.text[a:b] for a, b in zip(at, at[1:])]
        self.frames = 0
        self.live_locations = set()

    def texts(self, i):
        return [self.strings[w] for w in self.b.col(i)]

    def header(self, p):
        free = self.b.columns
        for name, word in zip(META_STRINGS, free.get(3, [])):
            p.header[name] = self.strings[word]
        for name, word in zip(META_NUMBERS, free.get(4, [])):
            p.header[name] = signed(word)
        p.header["runs"] = max(p.header["runs"], 1)
        for i, name in LISTS.items():
            words = [self.strings[w] for w in free.get(i, [])]
            p.header[name] = (words if i > 8 else
                              list(zip(words[::2], words[1::2])))
        p.types = list(zip(self.texts(11), self.texts(12), self.b.col(13),
                           self.b.col(14)))
        p.mappings = [(s, s + n & WORD, o, f, i, h) for s, n, o, f, i, h in
                      zip(self.b.col(15), self.b.col(16), self.b.col(17),
                          self.texts(18), self.texts(19), self.b.col(20))]

    def code(self, p):
        c = self.b.col
        self.function = [
            Function(n, self.strings[s - 1] if s else n, f, signed(line))
            for n, s, f, line in zip(self.texts(21), c(22), self.texts(23),
                                     c(24))]
        lines = [(self.function[f], signed(x), signed(y))
                 for f, x, y in zip(c(31), c(32), c(33))]
        at = starts(c(29))
        self.lines_at = at
        need(at[-1] == len(lines), "lines of the locations")
        self.location = [
            Location(a + (p.mappings[m - 1][0] if m else 0) & WORD,
                     m - 1 if m else None, folded,
                     tuple(lines[at[i]:at[i + 1]]))
            for i, (a, m, folded) in enumerate(zip(c(26), c(27), c(28)))]

    def samples(self, p):
        c = self.b.col
        up, place = c(34), c(35)
        labels = [self.label(*row) for row in zip(*map(c, range(37, 42)))]
        at = starts(c(36))
        sets = [tuple(labels[a:b]) for a, b in zip(at, at[1:])]
        absent = [c(512 + t) for t in range(self.b.rows(TYPES))]
        ends = self.ends = {}
        for row, (path, of, gone, now) in enumerate(
                zip(c(42), c(43), c(44), values(self.b, 0))):
            if gone:
                continue
            if path not in ends:
                ends[path] = self.stack(path, up, place)
            now = tuple(None if absent[t][row] else v
                        for t, v in enumerate(now))
            p.samples.append(Sample(ends[path], sets[of - 1] if of else (),
                                    now))

    def curves(self, p):
        """Name, unit, unit of positions and points; of a point position,
        value and parts, each a stack and a value."""
        c = self.b.col

        def number(word, scale):
            return (signed(word) / 10.0 ** (scale - 1) if scale else
                    double(word))
        scale = (self.b.columns.get(90, []) or [0])[0]
        parts = []
        for path, value in zip(c(88), c(89)):
            parts.append((self.end(path), number(value, scale)))
        parts_at, points_at = starts(c(87)), starts(c(82))
        need(parts_at[-1] == len(parts), "parts of the points")
        need(points_at[-1] == len(c(85)), "points of the curves")
        for i, curve in enumerate(zip(self.texts(79), self.texts(80),
                                      self.texts(81))):
            p.curves.append(curve + (tuple(
                (number(c(85)[k], c(83)[i]), number(c(86)[k], c(84)[i]),
                 tuple(parts[parts_at[k]:parts_at[k + 1]]))
                for k in range(points_at[i], points_at[i + 1])),))

    def events(self, p):
        """Of an event time, duration, stack, thread and value type; of a
        tick stack, line and count."""
        c = self.b.col
        p.processes = list(zip(self.texts(100), self.texts(101)))
        p.threads = [(of - 1 if of else None, name, said, double(cost))
                     for of, name, said, cost in
                     zip(c(96), self.texts(97), self.texts(98), c(99))]
        p.facts = [(name, unit, signed(word) / 10.0 ** (scale - 1) if scale
                    else double(word)) for name, unit, scale, word in
                   zip(self.texts(102), self.texts(103), c(104), c(105))]
        p.events = [(signed(time), signed(lasts), self.end(path),
                     thread - 1 if thread else None, of)
                    for time, lasts, path, thread, of in
                    zip(c(91), c(92), c(93), c(94), c(95))]
        p.ticks = [(self.end(path), signed(line), signed(count))
                   for path, line, count in zip(c(106), c(107), c(108))]
        for _, line, count in p.ticks:
            need(line >= 0 and count > 0, "line or count of a tick")
        for event in p.events:
            need(event[4] < len(p.types), "type of an event")
            need(event[3] is None or event[3] < len(p.threads), "its thread")
        for thread in p.threads:
            need(thread[0] is None or thread[0] < len(p.processes),
                 "process of a thread")
        self.frames = sum(len(stack) for stack in self.ends.values())

    def end(self, path):
        if path not in self.ends:
            self.ends[path] = self.stack(path, self.b.col(34), self.b.col(35))
        return self.ends[path]

    def stack(self, path, up, place):
        out, at = [], path - 1
        while path:
            need(up[at] <= at, "a path that goes down")
            self.live_locations.add(place[at])
            out.append(self.location[place[at]])
            path, at = up[at], at - up[at]
        return tuple(out)

    def label(self, key, unit, kind, text, word):
        value = (self.strings[text] if kind in (0, 3) else
                 signed(word) if kind == 1 else double(word))
        return (self.strings[key], self.strings[unit], kind, value)

    def graph(self, p):
        c = self.b.col
        number = {}
        own, total = values(self.b, 1), values(self.b, 2)
        by_run = self.by_run(p.header["runs"])
        for i, (place, calls, once, gone) in enumerate(
                zip(c(45), c(46), c(47), c(48))):
            if gone:
                continue
            number[i] = len(p.nodes)
            if place:
                self.live_locations.add(place - 1)
            p.nodes.append(Node(self.location[place - 1] if place else None,
                                signed(calls), signed(once), own[i],
                                total[i], by_run[i]))
        own, total = values(self.b, 3), values(self.b, 4)
        for i, (a, b, line, calls, once, gone, file, address) in enumerate(
                zip(*map(c, range(49, 55)), self.texts(77), c(78))):
            if not gone:
                p.edges.append(Edge(number[a], number[b], signed(line),
                                    signed(calls), signed(once), file,
                                    address, own[i], total[i]))
        cost = values(self.b, 5)
        for i, (node, file, line, address, gone) in enumerate(
                zip(c(55), self.texts(56), c(57), c(58), c(59))):
            if not gone:
                p.costs.append(Cost(number[node], file, signed(line),
                                    address, cost[i]))

    def by_run(self, runs):
        """Per node the own cost of each run, as many values as types each;
        () where it is not told."""
        words, nodes = self.b.columns.get(76, []), self.b.rows(NODES)
        numbers = self.b.col(14)
        need(len(words) in (0, nodes * runs * len(numbers)), "column 76")
        if not words:
            return [()] * nodes
        read = [double if n else signed for n in numbers] * runs
        wide = len(read)
        return [tuple(of(w) for of, w in
                      zip(read, words[i * wide:(i + 1) * wide]))
                for i in range(nodes)]

    def metrics(self, p):
        c = self.b.col
        at = starts(c(64))
        numbers = [double(w) for w in c(72)]
        for i, (name, unit, better, n) in enumerate(
                zip(self.texts(60), self.texts(61), c(62), c(63))):
            now = numbers[at[i]:at[i + 1]]
            summary = None if now else tuple(double(c(k)[i])
                                             for k in range(65, 72))
            p.metrics.append((name, unit, better, n, tuple(now), summary))

    def used(self, p):
        """What is named or kept is in the profile, the rest is not."""
        functions = {i for i, kept in enumerate(self.b.col(25)) if kept}
        places = self.live_locations | {
            i for i, kept in enumerate(self.b.col(30)) if kept}
        of = self.b.col(31)
        for i in places:
            functions.update(of[self.lines_at[i]:self.lines_at[i + 1]])
        p.locations = [self.location[i] for i in sorted(places)]
        p.functions = [self.function[i] for i in sorted(functions)]


class Bodies:
    """Bodies by name, each decoded once."""

    def __init__(self, objects):
        self.objects, self.known = objects, {}

    def get(self, name):
        if name not in self.known:
            data = self.objects.blob(name)
            need(self.objects.blob_name(data) == name, "another's name")
            self.known[name] = Body(data, self.get)
        return self.known[name]
