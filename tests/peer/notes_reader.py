"""Reads what git-perf keeps in a repository, from the text of
libperfnotes/storage/FORMAT.md alone: the notes tree and the index lines.
body_reader.py reads the bodies.

It knows nothing of the program, so that the two can be compared, and so that
the text is known to be enough. Only git's own objects are asked of git.
"""
import hashlib
import re
import subprocess
from collections import namedtuple

WORD = (1 << 64) - 1
LINE_MAX = 16384
FIELDS_MAX = 512
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
        if (mode == "100644" and hexed and len(text) >= rest and
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
    return float(text) if text else None


def read_metric(text):
    parts = text.split(b";")
    need(len(parts) == 5, "a metric of %d parts" % len(parts))
    n, numbers = int(parts[3]), parts[4].split(b",")
    values = summary = None
    if numbers[0] == b"s":
        need(len(numbers) == 8, "a summary of other than seven figures")
        summary = [number(x) for x in numbers[1:]]
    else:
        need(len(numbers) == n and n <= 4096, "other values than n")
        values = [number(x) for x in numbers]
    return Metric(unescape(parts[0]), unescape(parts[1]),
                  {b"less": 1, b"more": 2}.get(parts[2], 0), n, values,
                  summary)


def read_line(line, digits=40):
    """A record, None for a line that is none."""
    words = line.split(b" ")
    if len(words) < 8 or words[0] != b"perf1" or len(line) >= LINE_MAX:
        return None
    rest = words[:2] + words[3:]
    if (hashlib.sha256(b" ".join(rest)).hexdigest()[:16].encode() != words[2]
            or len(words) - 8 > FIELDS_MAX):
        return None
    kind, fields, metrics = words[3].decode(), [], []
    for word in words[8:]:
        key, is_pair, value = word.partition(b"=")
        if not is_pair:
            return None
        if key == b"m":
            metrics.append(read_metric(value))
        else:
            fields.append((unescape(key), unescape(value)))
    is_del = kind == "del"
    body = None if is_del or words[4] == b"-" else words[4].decode()
    for oid in [body or "0" * digits, words[6].decode(), words[7].decode()]:
        need(re.fullmatch("[0-9a-f]{%d}" % digits, oid), "a bad name")
    return Line(words[1].decode(), words[2].decode(), kind, body,
                0 if words[5] == b"-" else int(words[5]),
                words[6].decode(), words[7].decode(), fields, metrics,
                words[4].decode() if is_del else None)


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
