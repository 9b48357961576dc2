#!/usr/bin/env python3
"""Random operations on clones beside a model of what these have to hold.

history.py <first seed> <number of seeds> <steps>

The model is a list of records, which know their commit and their stacks, and a
set of removed ids. After each step status, log and a body are compared with it.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

SUFFIX = {"collapsed": ".folded", "pprof": ".pb.gz", "perun": ".perf",
          "git-perf": ".perf", "speedscope": ".speedscope.json"}
LABELLED = ("git-perf", "perun")
WEIGHTS = {"commit": 3, "checkout": 3, "add": 9, "batch": 2, "pending": 3,
           "take_pending": 4, "rm": 7, "again": 3, "unite": 3, "gc": 1}


def equal(what, got, expected):
    if got != expected:
        raise AssertionError("%s\n%r is not\n%r" % (what, got, expected))


class Record:
    id, number = None, 0

    def __init__(self, commit, name, stacks, labels):
        self.commit, self.name = commit, name
        self.stacks, self.labels = stacks, labels


class Clone:
    def __init__(self, path):
        self.path, self.records, self.removed = path, [], set()
        self.pending = []  # (file, stacks), newest first

    def live(self, commit=None):
        return [r for r in reversed(self.records) if r.id not in self.removed
                and commit in (None, r.commit)]


class History:
    def __init__(self, seed, folder):
        self.r = random.Random(seed)
        self.folder, self.clock = folder, 1700000000
        self.count = self.registrations = 0
        self.commands, self.commits, self.clones = [], [], []
        # above and below the size from which bodies are deltas
        self.jobs = [self.stacks(n) for n in (3, 60, 120)]

    def git(self, c, *words, code=0, data="", program="git"):
        env = dict(os.environ, GIT_COMMITTER_DATE="%d +0000" % self.clock)
        self.commands.append((os.path.basename(c.path), program, *words))
        p = subprocess.run((program, *words), cwd=c.path, env=env, input=data,
                           capture_output=True, check=False, text=True)
        equal(p.stderr, p.returncode, code)
        return p.stdout.strip()

    def perf(self, c, *words, **options):
        return self.git(c, *words, program="git-perf", **options)

    def json(self, c, *words):
        return json.loads(self.perf(c, *words, "--json"))

    def stacks(self, count):
        found = {}
        while len(found) < count:
            frames = self.r.choices(range(60), k=self.r.randint(1, 6))
            stack = ";".join(["main"] + ["f%d" % f for f in frames])
            found[stack] = self.r.choice((1, 1000, 2**40)) + len(found)
        return found

    def file(self, c, folder=None):
        """A profile of a random format: its path and stacks."""
        self.count += 1
        job = self.r.choice(self.jobs)
        for stack in self.r.sample(sorted(job), len(job) // 10 + 1):
            job[stack] += self.r.randint(0, 9)
        if self.r.random() < .3:
            job.update(self.stacks(2))
        lines = ["%s %d\n" % item for item in job.items()]
        self.r.shuffle(lines)
        form = self.r.choice(sorted(SUFFIX))
        path = os.path.join(folder or self.folder,
                            "p%d%s" % (self.count, SUFFIX[form]))
        self.perf(c, "export", "--format=collapsed", "--to=" + form,
                  "-o", path, "-", data="".join(lines))
        return path, dict(job)

    def head(self, c):
        return self.git(c, "rev-parse", "HEAD")

    def registered(self, c, records):
        """The ids of new ones are those that log has and the model has not."""
        known = {r.id for r in c.records}
        commits = sorted({r.commit for r in records})
        for commit in self.json(c, "log", "--no-walk", *commits)["commits"]:
            ids = [p["id"] for p in commit["profiles"]
                   if p["id"] not in known and "origin" not in p]
            for r in records:
                if r.commit == commit["commit"]:
                    r.id = ids.pop() if ids else None
            equal("more than was added", ids, [])
        for r in records:
            self.registrations += 1
            r.number = self.registrations
        c.records += records

    def do_commit(self, c):
        self.clock += 60
        amend = self.r.choice(([], [], ["--amend"] if self.commits else []))
        self.git(c, "commit", "-q", "--allow-empty", "-m", "x", *amend)
        self.commits.append(self.head(c))
        for other in self.clones:
            self.git(other, "fetch", "-q", c.path,
                     "HEAD:refs/all/%d" % self.clock)

    def do_checkout(self, c):
        self.git(c, "checkout", "-q", "--detach", self.r.choice(self.commits))

    def do_add(self, c):
        commit, labels = self.r.choice(self.commits), {}
        name = self.r.choice((None, None, "a name", "n%d" % self.count))
        options = ["-n", name] if name else []
        if self.r.random() < .3:
            labels = {"k": str(self.count)}
            options += ["-l", "k=%d" % self.count]
        if self.r.random() < .2:
            options += ["--verbatim"]
        files = [self.file(c) for _ in range(self.r.choice((1, 1, 2, 4)))]
        self.perf(c, "add", "-m", commit, *options, *[f[0] for f in files])
        self.registered(c, [
            Record(commit, name or os.path.basename(path), stacks, labels)
            for path, stacks in files])

    def do_batch(self, c):
        records, lines = [], ""
        for _ in range(self.r.randint(1, 6)):
            commit = self.r.choice(self.commits)
            path, stacks = self.file(c)
            lines += "%s\t%s\n" % (commit, path)
            records.append(Record(commit, os.path.basename(path), stacks, {}))
        self.perf(c, "add", "--stdin", data=lines)
        self.registered(c, records)

    def do_pending(self, c):
        path, stacks = self.file(c, c.path + "/.git/perf/jobs")
        os.utime(path, (self.clock, self.clock + self.count))
        c.pending.insert(0, (path, stacks))

    def do_take_pending(self, c):
        if not c.pending:
            return
        first = self.r.randrange(len(c.pending))
        last = min(first + self.r.choice((0, 0, 2)), len(c.pending) - 1)
        taken, head = c.pending[first:last + 1], self.head(c)
        how = self.r.choice((("add",), ("add", "--keep"), ("rm",)))
        name = "%d@p-%d@p" % (first, last)
        if first == last and how[0] == "add":  # rm has the commit's list first
            name = os.path.basename(taken[0][0])
        self.perf(c, *how, name)
        if how[0] == "add":
            self.registered(c, [Record(head, os.path.basename(p), stacks, {})
                                for p, stacks in reversed(taken)])
        if how[-1] != "--keep":
            del c.pending[first:last + 1]

    def do_rm(self, c):
        if not c.live():
            return
        commit = self.r.choice(c.live()).commit
        live = c.live(commit)
        if self.r.random() < .5:
            first, last = sorted(self.r.choices(range(len(live)), k=2))
            gone, words = live[first:last + 1], ["%d@i-%d@i" % (first, last)]
        else:
            gone = self.r.sample(live, self.r.randint(1, min(3, len(live))))
            names = [r.name for r in live]
            words = [self.r.choice((r.id, "%d@i" % live.index(r), r.name))
                     for r in gone]
            if any(names.count(w) > 1 for w in words):
                self.perf(c, "rm", "-m", commit, *words, code=128)
                return  # none of them is removed
        self.perf(c, "rm", "-m", commit, *words)
        c.removed |= {r.id for r in gone}

    def do_again(self, c):
        if not c.live():
            return
        r, form = self.r.choice(c.live()), self.r.choice(sorted(SUFFIX))
        path, head = self.folder + "/again" + SUFFIX[form], self.head(c)
        self.perf(c, "export", "--to=" + form, "-o", path,
                  r.commit + ":" + r.id)
        self.perf(c, "add", "-f", "-n", "again", path)
        self.registered(c, [Record(head, "again", r.stacks,
                                   r.labels if form in LABELLED else {})])

    def do_unite(self, c):
        other = self.r.choice([o for o in self.clones if o is not c])
        if not c.records or not other.records:
            return
        self.git(c, "fetch", "-q", other.path, "+refs/notes/perf:refs/notes/o")
        how = self.r.choice(("union", "cat_sort_uniq"))
        self.git(c, "notes", "--ref=perf", "merge", "-q", "-s", how, "notes/o")
        c.removed |= other.removed
        own = {r.id for r in c.records}
        c.records += [r for r in other.records if r.id not in own]
        c.records.sort(key=lambda r: r.number)
        self.perf(c, "fsck", "--repair")

    def do_gc(self, c):
        self.git(c, "reflog", "expire", "--expire=now", "--all")
        self.git(c, "gc", "-q", "--prune=now")

    def export(self, c, name, *options):
        stacks = Counter()
        text = self.perf(c, "export", "--to=collapsed", *options, name)
        for line in text.splitlines():
            stack, value = line.rsplit(" ", 1)
            stacks[stack] += int(value)
        return dict(stacks)

    def compare(self, c, everything):
        def listed(profiles, commit):
            equal("profiles of " + commit,
                  [(p["id"], p["name"], p["labels"]) for p in profiles
                   if "origin" not in p],  # of what was amended
                  [(r.id, r.name, r.labels) for r in c.live(commit)])

        status, live = self.json(c, "status"), c.live()
        listed(status["profiles"], self.head(c))
        equal("pending", [p["path"] for p in status["pending"]],
              [path for path, _ in c.pending])
        for at in self.json(c, "log", "--no-walk", *self.commits)["commits"]:
            listed(at["profiles"], at["commit"])
        if c.pending:
            equal("0@p", self.export(c, "0@p"), c.pending[0][1])
        for r in live if everything else live[:1]:
            tag = "%d@i" % c.live(r.commit).index(r)
            equal("body of " + r.id, self.export(
                c, self.r.choice((tag, r.id)), "-m", r.commit), r.stacks)
        if everything:
            equal("fsck", self.json(c, "fsck")["profiles"], len(live))
            self.git(c, "fsck", "--strict")

    def go(self, steps):
        for name in "ab":
            c = Clone(os.path.join(self.folder, name))
            os.mkdir(c.path)
            self.git(c, "init", "-q")
            os.makedirs(c.path + "/.git/perf/jobs")
            self.clones.append(c)
        self.do_commit(self.clones[0])
        self.git(self.clones[1], "checkout", "-q", self.commits[0])
        for step in range(steps):
            c = self.r.choice(self.clones)
            what, = self.r.choices(list(WEIGHTS), list(WEIGHTS.values()))
            self.commands.append(("step", str(step), what))
            getattr(self, "do_" + what)(c)
            self.compare(c, step % 20 == 19)
        for c in self.clones:
            self.compare(c, True)


def main():
    first, seeds, steps = map(int, sys.argv[1:])
    for seed in range(first, first + seeds):
        with tempfile.TemporaryDirectory(prefix="git-perf-history.") as place:
            history = History(seed, place)
            try:
                history.go(steps)
            except AssertionError as reason:
                for words in history.commands[-30:]:
                    print(*words)
                sys.exit("seed %d: %s" % (seed, reason))
        print("seed %d: %d profiles" % (seed, history.registrations))


main()
