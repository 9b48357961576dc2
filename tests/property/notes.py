#!/usr/bin/env python3
"""Random damage to the notes' trees, lines and bodies, and what git-perf does.

notes.py <first seed> <number of seeds> <rounds>

Whatever is in the tree: no command ends by a signal or a sanitizer, one that
fails says so in a line, what log lists before an add or a repair it lists
afterwards, and a repair leaves nothing that it says it would mend.
"""
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

MODES = ["100644", "100755", "100664", "40000", "120000", "160000", "1",
         "0100644", "7777777"]
NAMES = ["objects", "format", "..", ".git", "ab", "a/b", "README"]


def run(folder, *words, data=b"", codes=(0,)):
    p = subprocess.run(words, cwd=folder, input=data, capture_output=True,
                       check=False)
    if codes and p.returncode not in codes:
        raise AssertionError("%s: status %d\n%s" % (
            " ".join(words), p.returncode, p.stderr.decode(errors="replace")))
    return p


class Notes:
    def __init__(self, seed, folder):
        self.r, self.folder = random.Random(seed), folder
        self.git("init", "-q")
        # each round writes over the one before: that is none of the damage
        self.git("config", "core.logAllRefUpdates", "false")
        self.commits = []
        for n in range(4):
            self.git("commit", "-q", "--allow-empty", "-m", str(n))
            self.commits.append(self.text("rev-parse", "HEAD"))
        for n in range(6):
            rows = 60 if n % 2 else 3  # with and without deltas
            with open(self.file(n), "w", encoding="ascii") as f:
                for k in range(rows):
                    f.write("main;f%d;g%d %d\n" % (k % 5, k, k * 7 % 90 + n))
            self.perf("add", "-m", self.r.choice(self.commits), "-n",
                      "n%d" % (n % 2), self.file(n))
        self.tip = self.text("rev-parse", "refs/notes/perf")

    def file(self, n):
        return os.path.join(self.folder, "p%d.folded" % n)

    def git(self, *words, data=b"", codes=(0,)):
        return run(self.folder, "git", *words, data=data, codes=codes).stdout

    def text(self, *words, data=b""):
        return self.git(*words, data=data).decode().strip()

    def perf(self, *words):
        """A status of 0, 1 or 128 and, for 128, one line that says why."""
        p = run(self.folder, "git-perf", *words, codes=(0, 1, 128))
        said = p.stderr.decode(errors="replace")
        if "Sanitizer" in said or "runtime error" in said:
            raise AssertionError("%s\n%s" % (" ".join(words), said))
        if p.returncode == 128 and said.count("fatal: ") != 1:
            raise AssertionError("%s: %r" % (" ".join(words), said))
        return p

    # Objects.

    def blob(self, data):
        return self.text("hash-object", "-w", "--stdin", data=data)

    def read(self, blob):
        return self.git("cat-file", "blob", blob)

    def entries(self, tree):
        data, found = self.git("cat-file", "tree", tree), []
        while data:
            head, rest = data.split(b"\0", 1)
            mode, name = head.split(b" ", 1)
            found.append([mode.decode(), name, rest[:20].hex()])
            data = rest[20:]
        return found

    def tree(self, entries):
        data = b"".join(mode.encode() + b" " + name + b"\0" +
                        bytes.fromhex(o) for mode, name, o in entries)
        return self.text("hash-object", "-t", "tree", "-w", "--literally",
                         "--stdin", data=data)

    # Damage.

    def bytes_of(self, data):
        r, data = self.r, bytearray(data or b"x")
        for _ in range(r.randint(1, 3)):
            at = r.randrange(len(data) + 1)
            data[at:at + r.randint(0, 9)] = r.randbytes(r.randint(0, 9))
        return bytes(data)

    def line(self, line, sound):
        """One word of a line is changed; with `sound` its id fits again."""
        words = line.split(b" ")
        if len(words) < 9:
            return line
        at = self.r.randrange(3, len(words))
        if at == 4 and self.r.random() < .7:
            words[4] = self.blob(self.bytes_of(b"\xb1pnb\1")).encode()
        elif words[at].startswith(b"base="):
            words[at] = b"base=" + self.r.randbytes(20).hex().encode()
        else:
            words[at] = self.bytes_of(words[at]).translate(None, b" \n")
        if sound:
            rest = b" ".join(words[:2] + words[3:])
            words[2] = hashlib.sha256(rest).hexdigest()[:16].encode()
        return b" ".join(words)

    def note(self, blob):
        lines = self.read(blob).split(b"\n")
        for _ in range(self.r.randint(1, 3)):
            at = self.r.randrange(len(lines))
            kind = self.r.randrange(5)
            if kind < 2:
                lines[at] = self.line(lines[at], kind)
            elif kind == 2:
                lines.insert(at, lines[self.r.randrange(len(lines))])
            elif kind == 3:
                lines[at] = self.bytes_of(lines[at])
            else:
                lines += lines
        return self.blob(b"\n".join(lines))

    def inside(self, entry, depth):
        """What an entry stands for, changed."""
        mode, name, o = entry
        if mode == "40000" and depth < 4:
            entry[2] = self.changed(o, depth + 1)
        elif mode == "100644" and name != b"format":
            is_note = self.read(o).startswith(b"perf1 ")
            entry[2] = self.note(o) if is_note else \
                self.blob(self.bytes_of(self.read(o)))

    def beside(self, entries):
        """The list of a folder's entries, changed."""
        r = self.r
        if not entries:
            return
        entry, commit = r.choice(entries), r.choice(self.commits).encode()
        kind = r.randrange(8)
        if kind == 0:
            entry[0] = r.choice(MODES)
        elif kind == 1:
            entry[1] = self.bytes_of(entry[1]).replace(b"\0", b"") or b"x"
        elif kind == 2:
            entries.append(list(entry))
        elif kind == 3:
            r.shuffle(entries)
        elif kind == 4:
            entries.append(["100644", commit[r.choice([0, 2, 4]):], entry[2]])
        elif kind == 5:
            below = self.tree([["100644", commit[2:], entry[2]]])
            entries.append(["40000", commit[:2], below])
        elif kind == 6:
            entry[2] = r.randbytes(20).hex()
        else:
            entries.append([r.choice(MODES), r.choice(NAMES).encode(),
                            entry[2]])

    def changed(self, tree, depth=0):
        entries = self.entries(tree)
        for entry in entries:
            if self.r.random() < .4:
                try:
                    self.inside(entry, depth)
                except AssertionError:
                    pass  # one that git cannot read was made before
        for _ in range(self.r.choice([0, 0, 1, 1, 2])):
            self.beside(entries)
        return self.tree(entries)

    # One round.

    def listed(self):
        """Ids by commit, None where log cannot be printed."""
        p = self.perf("log", "--json")
        if p.returncode:
            return None
        return {(c["commit"], e["id"]) for c in json.loads(p.stdout)["commits"]
                for e in c["profiles"]}

    def keeps(self, before, *words):
        """The command, after which all is listed that was before."""
        if self.perf(*words).returncode == 128 or before is None:
            return
        after = self.listed()
        if after is None or not before <= after:
            raise AssertionError("%s lost %s" % (
                " ".join(words), before - (after or set())))

    def round(self):
        tree = self.changed(self.text("rev-parse", self.tip + "^{tree}"))
        who = "author A <a@example.com> 1 +0000\n"
        text = "tree %s\nparent %s\n%s%s\n%s\n" % (
            tree, self.tip, who, who.replace("author", "committer"),
            self.r.choice(["perf: x", "notes: x"]))
        commit = self.text("hash-object", "-t", "commit", "-w", "--literally",
                           "--stdin", data=text.encode())
        self.git("update-ref", "refs/notes/perf", commit)
        before = self.listed()
        for n in range(2):
            self.perf("show", self.r.choice(self.commits) + ":%d@i" % n)
        self.perf("status")
        self.keeps(before, "add", "-m", self.r.choice(self.commits), "-n",
                   "n1", self.file(self.r.randrange(6)))
        self.perf("rm", "-m", self.r.choice(self.commits), "0@i")
        self.keeps(self.listed(), "fsck", "--repair")
        p = self.perf("fsck", "--json")
        if p.returncode != 128:
            left = [q for q in json.loads(p.stdout)["problems"]
                    if q["repair"].startswith("git perf fsck --repair")]
            # a format or a name that nobody may write beside stays
            if left and self.perf("add", self.file(0)).returncode == 0:
                raise AssertionError("not mended: %r" % left)


def main():
    first, seeds, rounds = map(int, sys.argv[1:])
    for seed in range(first, first + seeds):
        with tempfile.TemporaryDirectory() as folder:
            notes = Notes(seed, folder)
            for n in range(rounds):
                try:
                    notes.round()
                except AssertionError as why:
                    tip = notes.text("rev-parse", "refs/notes/perf")
                    sys.exit("seed %d, round %d, tip %s: %s" % (
                        seed, n + 1, tip, why))
    print("%d rounds" % (seeds * rounds))


main()
