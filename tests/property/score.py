"""What labelled data says of the detectors: prints what `git perf detect` is to
read, and scores what it printed, by the rules of ../peer/scores.py.

    score.py series|pairs|functions DIR            inputs
    score.py series|pairs|functions DIR ANSWERS    figures, held against the bar
    score.py gate DIR                              each history, commit by commit
    score.py gate DIR ANSWERS

DIR has series.json, pairs.json and functions.json.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peer"))
import scores

MOST = 1000  # commits of the histories that are revealed one by one
QUIET = 15  # commits behind a step without another one


def load(folder, name):
    with open(os.path.join(folder, name + ".json")) as file:
        return list(json.load(file).values())


def rows(folder, name):
    return next(x for x in load(folder, name) if isinstance(x, list))


def numbers(values):
    return " ".join(repr(v) for v in values)


def histories(folder):
    return [s for s in rows(folder, "series") if s["n"] <= MOST]


def show(kind, folder):
    if kind == "series":
        for s in rows(folder, "series"):
            print(numbers(s["values"]))
    elif kind == "gate":
        for s in histories(folder):
            for n in range(6, s["n"] + 1):
                print(numbers(s["values"][:n]))
    elif kind == "pairs":
        for p in rows(folder, "pairs"):
            print(numbers(p["baseline"]))
            print(numbers(p["target"]))
    else:
        # a file of its own for each pair of profiles
        for p in rows(folder, "functions"):
            with open(p["id"] + ".in", "w") as file:
                for f in p["functions"]:
                    file.write("%s\t%s\t%s\n" % (f["uid"], numbers(f["baseline"] or []),
                                                 numbers(f["target"] or [])))


def hold(what, value, least=None, most=None):
    bar = ">= %g" % least if least is not None else "<= %g" % most
    good = value >= least if least is not None else value <= most
    print("%s: %.4g (%s)%s" % (what, value, bar, "" if good else ", which does not hold"))
    return good


def score_series(folder, answers):
    series = rows(folder, "series")
    found = [json.loads(line)["points"] for line in answers]
    out = scores.score_series(
        series, {s["id"]: [p["index"] for p in f] for s, f in zip(series, found)})
    sure = right = 0
    for s, f in zip(series, found):
        true = [c["index"] for c in s["change_points"]]
        for p in f:
            if p["confidence"] >= .9:
                sure += 1
                right += any(abs(t - p["index"]) <= 2 for t in true)
    return [hold("F1 of histories", out["f1"], .88),
            hold("steps that can be told, found", out["recall_detectable"], .97),
            hold("false alarms of 1,000 points", out["false_alarms_per_1000"], most=.22),
            hold("right of reports with .9 and more", right / sure, .95)]


def score_pairs(folder, answers):
    pairs = rows(folder, "pairs")
    verdicts = {p["id"]: line.split()[0] for p, line in zip(pairs, answers)}
    sure = {k: "NoChange" if v.startswith("Maybe") else v for k, v in verdicts.items()}
    a, b = (scores.score_pairs(pairs, v) for v in (sure, verdicts))
    return [hold("false positives of pairs, confirmed", a["false_positive_rate"], most=.005),
            hold("power of pairs, confirmed", a["power_detectable"], .90),
            hold("false positives of pairs with Maybe", b["false_positive_rate"], most=.02),
            hold("power of pairs with Maybe", b["power_detectable"], .96)]


def score_functions(folder, answers):
    profiles = rows(folder, "functions")
    found = {p["id"]: {} for p in profiles}
    for line in answers:
        name, uid, verdict = line.rstrip("\n").split("\t")[:3]
        found[name][uid] = verdict
    out = scores.score_functions(profiles, found)
    return [hold("F1 of functions", out["f1"], .95),
            hold("false alarms of a pair of profiles", out["false_alarms_per_profile_pair"], most=.06),
            hold("new and gone functions that are right", out["new_removed_right"], 1)]


def is_sure(point, before):
    """As the check's rule: .95 at once, or .9 of it now and one commit ago."""
    return point["confidence"] >= .95 or point["confidence"] >= .9 and any(
        abs(o["index"] - point["index"]) <= 2 and o["confidence"] >= .9 for o in before)


def score_gate(folder, answers):
    told = found = false = commits = 0
    for s in histories(folder):
        true = [c["index"] for c in s["change_points"]]
        raised, before = {}, []
        for n in range(6, s["n"] + 1):
            points = json.loads(next(answers))["points"]
            for p in points:
                if is_sure(p, before):
                    raised.setdefault(p["index"], n)
            before = points
        commits += s["n"]
        for at in raised:
            false += not any(abs(t - at) <= 2 for t in true)
        for c in s["change_points"]:
            at = c["index"]
            if c["snr"] < scores.SNR or at + QUIET > s["n"] or \
                    any(at < t < at + QUIET for t in true):
                continue
            told += 1
            found += any(abs(i - at) <= 2 and n <= at + 3 for i, n in raised.items())
    print("%d steps in %d commits" % (told, commits))
    return [hold("steps found by three commits", found / told, .80),
            hold("false alarms of 1,000 commits", 1000 * false / commits, most=1.8)]


def main():
    kind, folder = sys.argv[1:3]
    if len(sys.argv) == 3:
        show(kind, folder)
        return 0
    score = {"series": score_series, "pairs": score_pairs,
             "functions": score_functions, "gate": score_gate}[kind]
    with open(sys.argv[3]) as answers:
        return 0 if all(score(folder, answers)) else 1


sys.exit(main())
