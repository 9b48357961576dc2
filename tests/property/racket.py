"""Random stacks: git perf show --view=graph beside Racket's own profiler.

racket.py <first seed> <cases> <racket_graph.rkt>

Both print the same text, but for the lines that tell how many samples and
threads there were, which the stacks do not have.
"""
import json
import random
import re
import subprocess
import sys

ORDERS = ["topological", "self", "total"]
HIDING = [(.01, .02), (0, 0), (.1, .3)]


def stacks_of(r):
    names = ["f%d" % i for i in range(r.randint(1, 9))]
    return names, [(r.randint(1, 997),
                    [r.choice(names) for _ in range(r.randint(1, 7))])
                   for _ in range(r.randint(1, 12))]


def speedscope(names, stacks):
    return {"$schema": "https://www.speedscope.app/file-format-schema.json",
            "shared": {"frames": [{"name": n, "file": "f.rkt", "line": 1,
                                   "col": 1} for n in names]},
            "profiles": [{
                "type": "sampled", "name": "t", "unit": "milliseconds",
                "startValue": 0, "endValue": 1000000,
                "samples": [[names.index(n) for n in reversed(s)]
                            for _, s in stacks],
                "weights": [2 * time for time, _ in stacks]}]}


def lines(text):
    return [line for line in text.splitlines()
            if not re.match("  (Total|Number|Threads) ", line)]


def main(first, count, peer):
    cases, given = [], []
    for seed in range(first, first + count):
        r = random.Random(seed)
        names, stacks = stacks_of(r)
        order, (hide_self, hide_subs) = r.choice(ORDERS), r.choice(HIDING)
        cases.append((seed, names, stacks, order, hide_self, hide_subs))
        given.append("(%s %g %g (%s))" % (
            order, hide_self, hide_subs, " ".join(
                '(%d %s)' % (time, " ".join('"%s"' % n for n in stack))
                for time, stack in stacks)))
    said = subprocess.run(["racket", peer], input="\n".join(given),
                          capture_output=True, text=True, check=True).stdout
    failed = 0
    for case, want in zip(cases, said.split("case\n")[1:], strict=True):
        seed, names, stacks, order, hide_self, hide_subs = case
        with open("%d.json" % seed, "w") as out:
            json.dump(speedscope(names, stacks), out)
        command = ["git-perf", "show", "--view=graph", "--order=" + order,
                   "--hide-self=%g" % hide_self, "--hide-subs=%g" % hide_subs,
                   "%d.json" % seed]
        got = subprocess.run(command, capture_output=True, text=True).stdout
        if lines(got) != lines(want):
            failed += 1
            print("differs:", *command)
            print(*(pair for pair in zip(lines(want), lines(got))
                    if pair[0] != pair[1]), sep="\n")
    sys.exit(failed != 0)


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
