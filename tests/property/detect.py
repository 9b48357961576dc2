"""Labelled histories of seven kinds of noise: prints one a line, or scores what
a detector printed of them.

    detect.py print SEED...             the histories, as git perf detect reads them
    detect.py score SEED... < ANSWERS   places of changes, a line for each

A change counts as found within two commits. It can be told when its step is
five standard errors of the levels beside it (20 commits at most): of these
.94 have to be found, and of 1,000 commits at most .35 may be taken for a change
that are none.
"""
import math
import random
import sys

KINDS = ("normal", "lognormal", "outliers", "bimodal", "ar1", "quantized", "drift")
EACH = 12
FOUND, FALSE = 0.94, 0.35


def noise(rng, kind, n, sd):
    """Logarithms around 0, their long-run standard deviation."""
    if kind == "lognormal":
        skew = [math.exp(0.8 * rng.gauss(0, 1)) for _ in range(n)]
        scale = sd / math.sqrt((math.exp(0.64) - 1) * math.exp(0.64))
        return [scale * x for x in skew], sd
    if kind == "bimodal":
        gap = 4 * sd
        return [sd * rng.gauss(0, 1) + gap * (rng.random() < 0.4) for _ in range(n)], \
            math.hypot(sd, gap * math.sqrt(0.24))
    if kind == "ar1":
        rho, at, out = 0.4, 0.0, []
        for _ in range(n):
            at = rho * at + sd * rng.gauss(0, 1)
            out.append(at)
        return out, sd / (1 - rho)
    out = [sd * rng.gauss(0, 1) for _ in range(n)]
    if kind == "outliers":
        out = [x + (rng.uniform(0.1, 0.9) if rng.random() < 0.03 else 0) for x in out]
    if kind == "drift":
        rise = rng.uniform(0.02, 0.08)
        out = [x + rise * i / n for i, x in enumerate(out)]
    return out, sd


def history(rng, kind):
    """Values and changes: (place, whether it can be told)."""
    n = rng.choice((60, 100, 150, 200, 300))
    values, sd = noise(rng, kind, n, rng.uniform(0.003, 0.03))
    count = 0 if kind == "drift" else rng.choice((0, 1, 1, 2, 3))
    places, ends = [], [0]
    while len(places) < count:
        place = rng.randrange(8, n - 8)
        if all(abs(place - other) >= 10 for other in places):
            places.append(place)
    places.sort()
    ends += places + [n]
    changes = []
    for k, place in enumerate(places):
        step = rng.choice((1, 1, -1)) * math.exp(rng.uniform(math.log(0.01), math.log(0.2)))
        values = [x + (step if i >= place else 0) for i, x in enumerate(values)]
        a, b = (min(20, ends[k + 1] - ends[k]), min(20, ends[k + 2] - ends[k + 1]))
        changes.append((place, abs(step) / sd * math.sqrt(a * b / (a + b)) >= 5))
    level = rng.uniform(15, 120) if kind == "quantized" else 100
    values = [level * math.exp(x) for x in values]
    if kind == "quantized":
        values = [max(1, round(x)) for x in values]
    return values, changes


def histories(seeds):
    return [(seed, kind, *history(rng, kind))
            for seed, rng in ((seed, random.Random(seed)) for seed in seeds)
            for kind in KINDS for _ in range(EACH)]


def score(seeds, answers):
    tell = found = false = commits = 0
    for (seed, kind, values, changes), answer in zip(histories(seeds), answers, strict=True):
        left = [int(word) for word in answer.split()]
        commits += len(values)
        for place, can_be_told in changes:
            near = sorted((abs(x - place), x) for x in left if abs(x - place) <= 2)
            if near:
                left.remove(near[0][1])
            tell += can_be_told
            found += can_be_told and bool(near)
        if left:
            print("seed %d, %s: no change at %s" % (seed, kind, left))
        false += len(left)
    print("found %d of %d, %d false in %d commits" % (found, tell, false, commits))
    return found >= FOUND * tell and false * 1000 <= FALSE * commits


if __name__ == "__main__":
    if sys.argv[1] == "print":
        for _, _, values, _ in histories(map(int, sys.argv[2:])):
            print(" ".join(map(repr, values)))
    else:
        sys.exit(not score(map(int, sys.argv[2:]), sys.stdin.read().splitlines()))
