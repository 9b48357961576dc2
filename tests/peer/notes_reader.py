"""Reads what git-perf keeps in a repository, from the text of
libperfnotes/storage/FORMAT.md alone: the notes tree and the index lines.
body_reader.py reads the bodies.

It knows nothing of the program, so that the two can be compared, and so that
the text is known to be enough. Only git's own objects are asked of git.
"""
import datetime
import hashlib
import re
import subprocess
from collections import namedtuple

WORD = (1 << 64) - 1
LINE_MAX = 16384
FIELDS_MAX = 512
VALUES_MAX = 4096
TIME = (r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
        r"[.][0-9]{9}Z")
NOTE_MAX = 16 << 20
PLAIN = (b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
         b"-._~/:+@,()[]{}*!'")


class Refused(Exception):
    """What is not as the text says."""


def need(condition, what):
    if not condition:
        raise Refused(what)


# Objects and the tree

class Objects:
    """The objects of a repository, by one `git cat-file --batch`."""

    def __init__(self, repository):
        self.repository = repository
        self.batch = subprocess.Popen(
            ["git", "-C", repository, "cat-file", "--batch"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        name = self.git("rev-parse", "--show-object-format").strip()
        self.hash_bytes = {"sha1": 20, "sha256": 32}[name]
        self.hash = name

    def git(self, *args):
        return subprocess.run(["git", "-C", self.repository] + list(args),
                              stdout=subprocess.PIPE, check=True,
                              universal_newlines=True).stdout

    def read(self, name):
        self.batch.stdin.write(name.encode() + b"\n")
        self.batch.stdin.flush()
        head = self.batch.stdout.readline().split()
        need(len(head) == 3, "no object %s" % name)
        data = self.batch.stdout.read(int(head[2]) + 1)[:-1]
        return head[1].decode(), data

    def blob(self, name):
        kind, data = self.read(name)
        need(kind == "blob", "%s is a %s" % (name, kind))
        return data

    def tree(self, name):
        data, at = self.read(name)[1], 0
        while at < len(data):
            space, end = data.index(b" ", at), data.index(b"\0", at)
            after = end + 1 + self.hash_bytes
            yield (data[at:space].decode(), data[space + 1:end],
                   data[end + 1:after].hex())
            at = after

    def blob_name(self, data):
        whole = b"blob %d\0" % len(data) + data
        return hashlib.new(self.hash, whole).hexdigest()


def named(objects, tree, suffixes, prefix=""):
    """(full hex name, blob) of a fan: any depth, mixed, one name twice."""
    digits = 2 * objects.hash_bytes
    for mode, name, oid in objects.tree(tree):
        text = name.decode("latin-1")
        rest = digits - len(prefix)
        hexed = re.fullmatch("[0-9a-f]*", text[:rest]) is not None
        if (mode.startswith("100") and hexed and len(text) >= rest and
                text[rest:] in suffixes):
            yield prefix + text[:rest], oid
        elif mode == "40000" and hexed and len(text) == 2 and rest > 2:
            yield from named(objects, oid, suffixes, prefix + text)


class Notes:
    """The tree of refs/notes/perf: texts by commit, bodies by name."""

    def __init__(self, objects, ref="refs/notes/perf"):
        tree = objects.git("rev-parse", ref + "^{tree}").strip()
        self.texts, self.bodies = {}, {}
        top = {name: (mode, oid) for mode, name, oid in objects.tree(tree)}
        if b"format" in top:
            check_format(objects.blob(top[b"format"][1]))
        for commit, blob in named(objects, tree, ("",)):
            self.texts.setdefault(commit, []).append(objects.blob(blob))
        for commit, parts in self.texts.items():
            self.texts[commit] = b"\n".join(parts)
            need(len(self.texts[commit]) <= NOTE_MAX, "a note too long")
        if top.get(b"objects", ("", ""))[0] == "40000":
            for name, blob in named(objects, top[b"objects"][1],
                                    ("", ".perf-profile-body")):
                self.bodies[name] = blob


def check_format(data):
    lines = data.decode().split("\n")
    need(lines[0] == "perf-notes 1", "format '%s'" % lines[0])


# Index lines

Line = namedtuple("Line", "time id kind body size commit tree fields metrics "
                          "target")
Metric = namedtuple("Metric", "name unit better n values summary")


def unescape(text):
    def byte(found):
        return bytes([int(found.group(1), 16)])
    need(not re.search(b"%(?![0-9A-Fa-f]{2})", text), "a bad escape")
    return re.sub(b"%([0-9A-Fa-f]{2})", byte, text).decode(
        "utf-8", "surrogateescape")


def escape(text):
    return b"".join(bytes([c]) if c in PLAIN else b"%%%02X" % c
                    for c in text.encode("utf-8", "surrogateescape"))


def number(text):
    if not text:
        return None
    need(re.fullmatch(rb"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?",
                      text), "no number")
    value = float(text)
    need(abs(value) != float("inf"), "too large a number")
    return value


def count(text):
    need(re.fullmatch(b"[0-9]+", text) and int(text) < 1 << 64, "no count")
    return int(text)


def read_metric(text):
    parts = text.split(b";")
    need(len(parts) == 5, "a metric of %d parts" % len(parts))
    n, numbers = count(parts[3]), parts[4].split(b",")
    values = summary = None
    if numbers[0] == b"s" and len(numbers) > 1:
        need(len(numbers) == 8, "a summary of other than seven figures")
        summary = [number(x) for x in numbers[1:]]
    else:
        need(len(numbers) == n and n <= VALUES_MAX, "other values than n")
        values = [number(x) for x in numbers]
        if None in values:
            values = None
    return Metric(unescape(parts[0]), unescape(parts[1]),
                  {b"less": 1, b"more": 2}.get(parts[2], 0), n, values,
                  summary)


def check_time(text):
    """A real date, in nanoseconds that 64 bits hold."""
    need(re.fullmatch(TIME, text), "no time")
    year = int(text[:4])
    # years that repeat after 400 are equal but for their number
    moment = datetime.datetime(year % 400 + 2000, int(text[5:7]),
                               int(text[8:10]), int(text[11:13]),
                               int(text[14:16]), int(text[17:19]),
                               tzinfo=datetime.timezone.utc)
    days = (year - (year % 400 + 2000)) // 400 * 146097
    ns = ((int(moment.timestamp()) + days * 86400) * 10 ** 9 +
          int(text[20:29]))
    need(-1 << 63 <= ns < 1 << 63, "a time beyond 64 bits")


def parse_line(line, digits):
    found = list(re.finditer(b"[^ ]+", line))
    words = [x.group() for x in found]
    need(len(words) >= 8 and words[0] == b"perf1", "not perf1")
    need(len(line) < LINE_MAX and len(words) - 8 <= FIELDS_MAX, "too long")
    check_time(words[1].decode("latin-1"))
    start = found[2].start()
    rest = line[:start] + line[start + 17:]
    need(hashlib.sha256(rest).hexdigest()[:16].encode() == words[2], "id")
    kind, fields, metrics = words[3].decode("latin-1"), [], []
    for word in words[8:]:
        key, is_pair, value = word.partition(b"=")
        need(is_pair, "no key=value")
        if key == b"m":
            metrics.append(read_metric(value))
        else:
            fields.append((unescape(key), unescape(value)))
    names = [words[i].decode("latin-1") for i in (4, 6, 7)]
    name = "[0-9a-fA-F]{%d}" % digits
    if kind == "del":
        need(re.fullmatch("[0-9a-f]{16}", names[0]), "a bad target")
    else:
        need(names[0] == "-" or re.fullmatch(name, names[0]), "a bad body")
    need(re.fullmatch(name, names[1]) and re.fullmatch(name, names[2]),
         "a bad commit or tree")
    size = 0 if words[5] == b"-" else count(words[5])
    has_body = kind != "del" and names[0] != "-"
    return Line(words[1].decode(), words[2].decode(), kind,
                names[0].lower() if has_body else None,
                size if has_body else 0,
                names[1].lower(), names[2].lower(), fields, metrics,
                names[0] if kind == "del" else None)


def read_line(line, digits=40):
    """A record, None for a line that is none."""
    try:
        return parse_line(line, digits)
    except (Refused, ValueError):
        return None


def live(text, digits=40):
    """The records of a note that no tombstone names, each once."""
    records = {}
    for line in text.split(b"\n"):
        record = read_line(line, digits)
        if record:
            records[record.id] = record
    dead = {r.target for r in records.values() if r.kind == "del"}
    return [r for r in records.values()
            if r.kind != "del" and r.id not in dead]


def field(record, key):
    return next((v for k, v in record.fields if k == key), "")
