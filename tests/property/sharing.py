#!/usr/bin/env python3
"""Random histories of five clones and a server: what must never be lost, what
must never return.

sharing.py <first seed> <number of seeds> [<steps>]

Real repositories and the real program. Clones add, remove, prune, compact,
push, leave inboxes, pull, pass bundles on; some at once, some in one clone, some
killed at a random call with or without what they had started. In half of the
histories a plain git does harm: it forces old states upon the server, takes its
ref away, unites without git-perf, prunes objects. In the others clones die
behind a push and are made anew.

At the end all pull and push, then pull again. Then, by a reader of notes of its own:

- a profile whose add said that it was stored, and that nobody tried to remove,
  is in every clone, and its body is whole unless somebody pruned bodies;
- a profile whose removal said that it was done is in none;
- all clones have the same profiles, and neither git-perf nor git finds a fault.

A seed gives the same choices each time, but not the same moments in which
processes meet.

With $ONE_PROCESS, the program one_process, a call of git-perf is a fork of it
and what git does for git-perf is done there, on the same files: ten times as
many histories in the same time. Plain git stays git. Without it each call is
the program itself, with git's own processes.
"""
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

CLONES = 5
COMMITS = 3
DAY = 86400
KILLPOINT_BYTES = 4 * 4 + 32 + 256 + 4 + 4 * 512  # killpoint.h


def live_lines(text):
    """FORMAT.md: records that no tombstone names, and those without bodies."""
    lines, dead, bare = {}, set(), set()
    for line in text.split("\n"):
        words = line.split(" ")
        if len(words) < 8 or words[0] != "perf1":
            continue
        fields = dict(w.split("=", 1) for w in words[8:] if "=" in w)
        if words[3] == "del":
            dead.add(words[4])
        elif words[3] == "figures":
            bare.add(fields.get("record"))
        elif words[3] == "profile":
            lines[words[2]] = fields["l.who"], words[4]
    return {key: (who, None if key in bare else body)
            for key, (who, body) in lines.items() if key not in dead}


def copy_folder(old, new):
    os.mkdir(new)
    with os.scandir(old) as entries:
        for entry in entries:
            to = os.path.join(new, entry.name)
            if entry.is_dir():
                copy_folder(entry.path, to)
            else:
                shutil.copyfile(entry.path, to)


class Failed(Exception):
    pass


class OneProcess:
    """one_process/serve.c says what it understands."""

    def __init__(self, program, top):
        env = dict(os.environ, LD_PRELOAD=os.environ["KILLPOINT_SO"])
        self.p = subprocess.Popen([program], cwd=top, env=env,
                                  stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, bufsize=0)

    def end(self):
        self.p.stdin.close()
        self.p.wait()

    def ask(self, *words):
        text = b"".join(w.encode() + b"\0" for w in words)
        self.p.stdin.write(struct.pack("=I", len(text)) + text)
        size, = struct.unpack("=I", self.read(4))
        return self.read(size).decode(errors="replace")

    def read(self, size):
        got = b""
        while len(got) < size:
            more = self.p.stdout.read(size - len(got))
            if not more:
                raise Failed("one_process is gone")
            got += more
        return got


class Call:
    """A fork of it, as much of a Popen as is needed."""

    def __init__(self, near, words, clone, out, date, kill_file):
        self.near, self.args, self.out = near, words, out
        self.pid = int(near.ask("start", clone, out, date, kill_file, *words))

    def communicate(self, timeout):
        self.returncode = int(self.near.ask("wait", str(self.pid)))
        if self.returncode == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(self.args, timeout)
        with open(self.out, "rb") as f:
            text = f.read()
        os.unlink(self.out)
        return text, None


class History:
    def __init__(self, seed, steps, folder, template, near=None):
        self.near, self.calls = near, 0
        self.r, self.seed = random.Random(seed), seed
        self.steps, self.folder, self.template = steps, folder, template
        self.harm = self.r.random() < .5
        self.next = 0
        self.stored, self.removed, self.maybe_removed = {}, set(), set()
        self.pruned = self.noted = False
        self.bundles, self.old = [], []
        self.log = []
        self.kill_file = os.path.join(folder, "killpoint")
        self.server = os.path.join(folder, "server")
        self.copy("server", "server")
        with open(os.path.join(template, "commits"), encoding="ascii") as f:
            self.commits = f.read().split()
        if self.r.random() < .2:
            self.git(self.server, "config", "receive.denyNonFastForwards",
                     "true")
        if self.r.random() < .2:
            self.git(self.server, "config", "receive.denyDeletes", "true")
        self.clones = [self.fresh(n) for n in range(CLONES)]

    def copy(self, what, name):
        copy_folder(os.path.join(self.template, what),
                    os.path.join(self.folder, name))

    def fresh(self, n):
        path = os.path.join(self.folder, "c%d" % n)
        shutil.rmtree(path, ignore_errors=True)
        self.copy("clone", "c%d" % n)
        config = os.path.join(path, ".git", "config")
        with open(config, encoding="utf-8") as f:
            text = f.read()
        with open(config, "w", encoding="utf-8") as f:
            f.write(text.replace(os.path.join(self.template, "server"),
                                 self.server))
        return path

    # -- running

    def start(self, clone, words, kill=False):
        env = dict(os.environ)
        date = env["GIT_COMMITTER_DATE"] = "%d +0000" % (
            1790000000 + self.r.randrange(-200 * DAY, 200 * DAY))
        if kill:
            with open(self.kill_file, "wb") as f:
                f.write(struct.pack("=III", 0, self.r.randrange(1, 90),
                                    self.r.randrange(3)))
                f.write(b"\0" * (KILLPOINT_BYTES - 12))
            env["KILLPOINT"] = self.kill_file
            env["LD_PRELOAD"] = os.environ["KILLPOINT_SO"]
        self.log.append("%s: %s%s" % (os.path.basename(clone), " ".join(words),
                                      " (to be killed)" if kill else ""))
        if self.near:
            self.calls += 1
            return Call(self.near, words, clone, os.path.join(
                self.folder, "out%d" % self.calls), date,
                self.kill_file if kill else "")
        return subprocess.Popen(words, cwd=clone, env=env,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT,
                                start_new_session=True)

    def finish(self, p, kill=False):
        try:
            out = p.communicate(timeout=120)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            raise Failed("a command does not end: " + " ".join(p.args))
        if kill:
            self.settle(p.pid)
        self.log.append("  %d %s" % (p.returncode, out.strip()[-300:]))
        return p.returncode, out

    def settle(self, group):
        """What was killed has left processes, and then locks, which stay
        until somebody looks."""
        for _ in range(600):
            try:
                os.killpg(group, 0)
            except (ProcessLookupError, PermissionError):
                break
            time.sleep(.02)
        self.drop_locks()

    def drop_locks(self):
        for top, _, files in os.walk(self.folder):
            for name in files:
                if name.endswith(".lock"):
                    os.unlink(os.path.join(top, name))

    def run(self, clone, *words):
        return self.finish(self.start(clone, words))

    def git(self, clone, *words):
        return self.run(clone, "git", *words)

    def text(self, clone, *words):
        return subprocess.run(("git",) + words, cwd=clone, check=True,
                              capture_output=True).stdout.decode().strip()

    def perf(self, *words):
        return ("git-perf",) + words

    # -- what clones do: words to run, and what to do with the answer

    def add(self, clone):
        who = "p%d" % self.next
        self.next += 1
        path = os.path.join(self.folder, who)
        rows = 90 if self.r.random() < .3 else 2  # with and without deltas
        with open(path, "w", encoding="ascii") as f:
            for k in range(rows):
                f.write("main;f%d;g%d %d\n" % (k % 5, k, k * 7 % 90 + 1))
            f.write("main;%s 1\n" % who)

        def done(code, out):
            os.unlink(path)
            if not code:
                self.stored[who] = True
        return self.perf("add", "--label", "who=" + who, "-n",
                         "s%d" % self.r.randrange(2), "-m",
                         self.r.choice(self.commits), path), done

    def listed(self, clone, commit):
        if self.near:
            return live_lines(self.near.ask("lines", clone, commit))
        p = subprocess.run(("git", "notes", "--ref=perf", "show", commit),
                           cwd=clone, capture_output=True, check=False)
        return live_lines(p.stdout.decode())

    def remove(self, clone):
        commit = self.r.choice(self.commits)
        live = self.listed(clone, commit)
        if not live:
            return self.add(clone)
        key = self.r.choice(sorted(live))
        who = live[key][0]
        self.maybe_removed.add(who)

        def done(code, out):
            if not code:
                self.removed.add(who)
        return self.perf("rm", "-m", commit, key), done

    def nothing(self, code, out):
        pass

    def prune(self, clone):
        self.pruned = True
        return self.perf("prune", "--offline", "--bodies=0"), self.nothing

    def gc(self, clone):
        return self.perf("gc"), self.nothing

    def push(self, clone):
        return self.perf("push"), self.nothing

    def inbox(self, clone):
        return self.perf("push", "--inbox"), self.nothing

    def pull(self, clone):
        return self.perf("pull"), self.nothing

    def fetch(self, clone):
        return self.perf("fetch"), self.nothing

    def bundle(self, clone):
        if self.bundles and self.r.random() < .6:
            return self.perf("bundle", "apply",
                             self.r.choice(self.bundles)), self.nothing
        path = os.path.join(self.folder, "b%d" % self.next)
        self.next += 1

        def done(code, out):
            if not code and os.path.exists(path):
                self.bundles.append(path)
        return self.perf("bundle", "create", "--all", path), done

    def remember(self, clone):
        """A state that a plain git may bring back."""
        if self.near:
            tip = self.near.ask("tip", clone)
            if tip:
                self.old.append((clone, tip))
            return
        p = subprocess.run(("git", "rev-parse", "-q", "--verify",
                            "refs/notes/perf"), cwd=clone,
                           capture_output=True, check=False)
        if not p.returncode:
            self.old.append((clone, p.stdout.decode().strip()))

    # -- what a plain git does

    def force(self, clone):
        if self.old and self.r.random() < .5:
            where, commit = self.r.choice(self.old)
            return ("git", "-C", where, "push", "-q", "--force", self.server,
                    commit + ":refs/notes/perf"), self.nothing
        return ("git", "push", "-q", "--force", "origin",
                "refs/notes/perf"), self.nothing

    def merge(self, clone):
        return ("git", "notes", "--ref=perf", "merge", "-s", self.r.choice(
            ["union", "cat_sort_uniq"]),
            "refs/perf/remotes/origin/notes"), self.nothing

    def server_ref(self, clone):
        return ("git", "-C", self.server, "update-ref", "-d",
                "refs/notes/perf"), self.nothing

    def server_gc(self, clone):
        return ("git", "-C", self.server, "gc", "-q",
                "--prune=now"), self.nothing

    def clone_gc(self, clone):
        return ("sh", "-c", "git reflog expire --expire=now --all && "
                "git gc -q --prune=now"), self.nothing

    def note(self, clone):
        self.noted = True
        return ("git", "notes", "--ref=perf", "append", "-m", "words of " +
                "somebody", self.r.choice(self.commits)), self.nothing

    def choose(self):
        kinds = [(self.add, 30), (self.remove, 10), (self.prune, 3),
                 (self.gc, 8), (self.push, 16), (self.inbox, 5),
                 (self.pull, 14), (self.fetch, 3), (self.bundle, 4),
                 (self.clone_gc, 1 if self.near else 2)]
        if self.harm:
            kinds += [(self.force, 4), (self.merge, 4), (self.server_ref, 1),
                      (self.note, 1), (self.server_gc, 1 if self.near else 2)]
        return self.r.choices([k for k, _ in kinds], [w for _, w in kinds])[0]

    @staticmethod
    def may_meet(words):
        """`git notes` moves its ref without a look at what it was, and `git gc
        --prune=now` of a server takes what comes just then."""
        return words[0] != "git" or words[1] != "notes" and words[3] != "gc"

    def reclone(self, n):
        """A clone dies behind a push that was acknowledged."""
        code, _ = self.run(self.clones[n], *self.perf("push"))
        if not code:
            self.log.append("c%d dies" % n)
            self.clones[n] = self.fresh(n)

    def step(self):
        n = self.r.randrange(CLONES)
        x = self.r.random()
        if not self.harm and x < .06:
            return self.reclone(n)
        clone = self.clones[n]
        if self.harm and self.r.random() < .3:
            self.remember(clone)
        if x < .25:
            words, done = self.choose()(clone)
            if words[0] != "git-perf":  # of git's own it is known
                return done(*self.run(clone, *words))
            return done(*self.finish(self.start(clone, words, True), True))
        several = []
        for _ in range(1 if x < .75 else self.r.randrange(2, 5)):
            clone = self.clones[self.r.choice([n, self.r.randrange(CLONES)])]
            words, done = self.choose()(clone)
            if several and not self.may_meet(words):
                continue
            several.append((self.start(clone, words), done))
            if not self.may_meet(words):
                break
        for p, done in several:
            done(*self.finish(p))
        return None

    # -- the end

    def read(self, clone):
        found = {}
        for commit in self.commits:
            for who, body in self.listed(clone, commit).values():
                if who in found:
                    raise Failed("%s twice in %s" % (who, clone))
                found[who] = body
        return found

    def check(self, clone, first):
        name = os.path.basename(clone)
        found = self.read(clone)
        for who in self.stored:
            if who not in found and who not in self.maybe_removed:
                raise Failed("%s is lost in %s" % (who, name))
        for who in self.removed & set(found):
            raise Failed("%s is back in %s" % (who, name))
        if first is not None and found != first:
            raise Failed("%s has other profiles than the first: %s" % (
                name, sorted(set(found.items()) ^ set(first.items()),
                             key=str)))
        if not self.pruned and None in found.values():
            raise Failed("a body went in %s" % name)
        code, out = self.run(clone, *self.perf("fsck"))
        if code and not self.noted:  # which names such lines
            raise Failed("fsck of %s: %s" % (name, out))
        return found

    def meet(self, *calls):
        for clone in self.clones:
            for what in calls:
                code, out = self.run(clone, *self.perf(what))
                if code:
                    raise Failed("%s does not %s: %s" % (
                        os.path.basename(clone), what, out))

    def play(self):
        for _ in range(self.steps):
            self.step()
        self.drop_locks()
        self.meet("pull", "push")
        self.meet("pull")
        first = None
        for clone in self.clones:
            found = self.check(clone, first)
            first = found if first is None else first
        words = ["fsck", "--strict", "--connectivity-only"]
        if self.near and self.seed % 10:  # which is one process, not three
            words = ["rev-list", "--objects", "--all", "--quiet"]
        code, out = self.git(self.server, *words)
        if code:
            raise Failed("git %s of the server: %s" % (words[0], out))


def make_template(folder):
    def git(*words):
        subprocess.run(("git",) + words, check=True, capture_output=True)
    server, clone = (os.path.join(folder, n) for n in ("server", "clone"))
    git("init", "-q", "--bare", "-b", "main", "--template=", server)
    git("clone", "-q", "--template=", server, clone)
    for n in range(COMMITS):
        git("-C", clone, "commit", "-q", "--allow-empty", "-m", str(n))
    git("-C", clone, "push", "-q", "origin", "HEAD:main")
    with open(os.path.join(folder, "commits"), "wb") as f:
        f.write(subprocess.run(("git", "-C", server, "rev-list", "main"),
                               check=True, capture_output=True).stdout)


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 14
    bad = 0
    with tempfile.TemporaryDirectory() as top:
        template = os.path.join(top, "template")
        os.mkdir(template)
        make_template(template)
        near = os.environ.get("ONE_PROCESS")
        near = OneProcess(near, top) if near else None
        for seed in range(first, first + count):
            folder = os.path.join(top, "history")
            os.mkdir(folder)
            history = History(seed, steps, folder, template, near)
            try:
                history.play()
            except Failed as why:
                bad += 1
                print("seed %d: %s" % (seed, why))
                for line in history.log:
                    print("    " + line.replace("\n", "\n    "))
                keep = os.environ.get("SHARING_KEEP")
                if keep:
                    shutil.copytree(folder, os.path.join(keep, str(seed)),
                                    symlinks=True)
            shutil.rmtree(folder, ignore_errors=True)
        if near:
            near.end()
    print("%d histories of %d steps from seed %d, %d bad" % (
        count, steps, first, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
