"""Compares what git perf prints of Python's dumps with what Python's pstats
prints of them: pstats_reports.py DATA SEED PROFILES SETS [NAME DUMP]...

DATA has marshal_subset.py, which reads the dumps of Python 2, too. Python gets
DUMP, git perf NAME: the same file or what it was written from. PROFILES dumps
are made up besides; each is shown with SETS random sets of options.
"""
import io
import marshal
import os
import pstats
import random
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import marshal_subset  # noqa: E402


class Stats(pstats.Stats):
    """Two callers of one function that become equal without their folders
    overwrite each other in Python; they are to add up."""

    def strip_dirs(self):
        for func, (cc, nc, tt, ct, callers) in list(self.stats.items()):
            added = {}
            for caller, value in callers.items():
                key = pstats.func_strip_path(caller)
                added = pstats.add_callers(added, {key: value})
            self.stats[func] = (cc, nc, tt, ct, added)
        return super().strip_dirs()


class Loaded:
    def __init__(self, stats):
        self.stats = stats

    def create_stats(self):
        pass


def load(name, dump):
    with open(dump, "rb") as f:
        stats = Stats(Loaded(marshal_subset.R(f.read()).obj()))
    stats.files = [time.ctime(os.stat(name).st_mtime) + "    " + name]
    return stats


FOLDERS = ["", "", "lib/", "/usr/lib/", "a/b/", "./"]
FILES = ["x.py", "y.py", "<string>", "été.py"]
NAMES = ["f", "g", "__init__", "<lambda>", "<module>", "naïve", "run"]


def make_function(rng):
    if rng.random() < .15:
        return "~", 0, rng.choice(["<built-in len>", "<a>", "plain", "<", ">"])
    return (rng.choice(FOLDERS) + rng.choice(FILES), rng.randint(0, 12),
            rng.choice(NAMES))


def make_counts(rng):
    primitive = rng.choice([0, 1, 1, 2, 7, 1000])
    return primitive, primitive + rng.choice([0, 0, 0, 3, 123456])


def make_time(rng):
    return rng.choice([0.0, .0005, .0015, 1e-9, 12345.6789,
                       rng.random(), rng.random() / 100])


def make_profile(rng, timed):
    functions = [make_function(rng) for _ in range(rng.randint(1, 40))]
    stats = {}
    for function in functions:
        if rng.random() < .1:
            continue
        primitive, calls = make_counts(rng)
        callers = {}
        for caller in rng.sample(functions, min(len(functions),
                                                rng.randint(0, 4))):
            counts = make_counts(rng)
            callers[caller] = (counts[1], counts[0], make_time(rng),
                               make_time(rng)) if timed else counts[1]
        stats[function] = (primitive, calls, make_time(rng), make_time(rng),
                           callers)
    if not timed:
        # pstats looks the time of a caller up
        for entry in stats.values():
            for caller in list(entry[4]):
                if caller not in stats:
                    del entry[4][caller]
    if rng.random() < .3 and stats and timed:
        first = next(iter(stats))
        stats[first][4]["jprofile", 0, "profiler"] = (1, 1, 0.0, 0.0)
    return stats or {("a", 1, "b"): (1, 1, 0.0, 0.0, {})}


def abbreviations():
    return sorted(pstats.Stats(Loaded({("a", 1, "b"): (1, 1, 0, 0, {})}))
                  .get_sort_arg_defs())


def make_restriction(rng):
    return rng.choice([0, 1, 2, 5, 17, 1000, .5, .1, .33, 1.0, 1.5, -1, "init",
                       "y", "[a-z]+:1", r"\(f\)$", "é", "(", "{", "it's",
                       "a\"b'c", "nothing at all"])


def make_options(rng, keys):
    chosen = []
    if rng.random() < .15:
        chosen = [rng.choice([-1, 0, 1, 2])]
    elif rng.random() < .8:
        chosen = [rng.choice(keys) for _ in range(rng.randint(1, 3))]
    restrictions = [make_restriction(rng)
                    for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))]
    return (rng.choice(["stats", "callers", "callees"]), chosen,
            restrictions, rng.random() < .3, rng.random() < .4)


def of_python(files, view, keys, restrictions, reverse, strip):
    out = io.StringIO()
    stats = load(*files[0])
    stats.stream = out
    stats.add(*[load(*names) for names in files[1:]])
    if strip:
        stats.strip_dirs()
    # a set has no order: as they are in the dump
    stats.top_level = [f for f in stats.stats if f in stats.top_level]
    if keys:
        stats.sort_stats(*keys)
    if reverse:
        stats.reverse_order()
    getattr(stats, "print_" + view)(*restrictions)
    return out.getvalue().encode("utf-8", "surrogateescape")


def of_git(files, view, keys, restrictions, reverse, strip):
    command = ["git-perf", "show", "--view=" + view]
    command += ["--sort=" + str(key) for key in keys]
    command += ["--restrict=" + str(r) for r in restrictions]
    command += ["--reverse"] * reverse + ["--strip-dirs"] * strip
    command += [name for name, dump in files]
    return subprocess.run(command, check=True,
                          stdout=subprocess.PIPE).stdout


def differs(files, options):
    python, ours = of_python(files, *options), of_git(files, *options)
    if python == ours:
        return False
    print("differs:", files, options)
    for a, b in zip(python.decode().split("\n"), ours.decode().split("\n")):
        if a != b:
            print("python:", repr(a), "\nours:  ", repr(b))
            break
    else:
        print(len(python), "and", len(ours), "bytes")
    return True


def main():
    rng = random.Random(int(sys.argv[2]))
    profiles, sets = int(sys.argv[3]), int(sys.argv[4])
    groups = [[names] for names in zip(sys.argv[5::2], sys.argv[6::2])]
    for i in range(profiles):
        group, timed = [], rng.random() < .8
        for k in range(rng.choice([1, 1, 2, 3])):
            name = "./made-%d-%d.prof" % (i, k)
            group.append((name, name))
            with open(name, "wb") as f:
                marshal.dump(make_profile(rng, timed), f)
        groups.append(group)
    keys = abbreviations()
    wrong = compared = 0
    for group in groups:
        for _ in range(sets):
            compared += 1
            wrong += differs(group, make_options(rng, keys))
    print(compared, "reports,", wrong, "differ")
    sys.exit(wrong > 0 or not compared)


main()
