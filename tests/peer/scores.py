"""Scores of detectors on labelled histories, pairs and functions.

A step is found where a report is at most two commits from it; a step and a
report are matched once, the nearest two first. A step that can be told has a
signal of SNR times its noise.
"""
SNR = 5.0
SNR_PAIR = 4.0
NEAR = 2


def ratio(part, all_of_it):
    return part / all_of_it if all_of_it else 1.0


def f1(right, false, missed):
    precision = ratio(right, right + false)
    recall = ratio(right, right + missed)
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def matched(true, found):
    """The steps that have a report of their own."""
    near = sorted((abs(t - p), t, p) for t in true for p in found
                  if abs(t - p) <= NEAR)
    steps, reports = set(), set()
    for _, t, p in near:
        if t not in steps and p not in reports:
            steps.add(t)
            reports.add(p)
    return steps


def score_series(series, found):
    right = false = missed = points = told = told_right = 0
    for s in series:
        true = [c["index"] for c in s["change_points"]]
        reports = set(found.get(s["id"], []))
        steps = matched(true, reports)
        right += len(steps)
        false += len(reports) - len(steps)
        missed += len(true) - len(steps)
        points += s["n"]
        for c in s["change_points"]:
            if c["snr"] >= SNR:
                told += 1
                told_right += c["index"] in steps
    return {"f1": f1(right, false, missed),
            "recall_detectable": ratio(told_right, told),
            "false_alarms_per_1000": 1000 * false / points}


def sign(verdict):
    if "Degradation" in verdict:
        return 1
    return -1 if "Optimization" in verdict else 0


def score_pairs(pairs, verdicts):
    equal = false = told = told_right = 0
    for p in pairs:
        said, true = sign(verdicts[p["id"]]), sign(p["truth"])
        if true == 0:
            equal += 1
            false += said != 0
        elif p["snr"] >= SNR_PAIR:
            told += 1
            told_right += said == true
    return {"false_positive_rate": false / equal,
            "power_detectable": told_right / told}


def score_functions(profiles, verdicts):
    right = false = missed = moved = moved_right = 0
    for profile in profiles:
        said_of = verdicts[profile["id"]]
        for f in profile["functions"]:
            verdict = said_of.get(f["uid"], "NoChange")
            if f["truth"] in ("NotInBaseline", "NotInTarget"):
                moved += 1
                moved_right += verdict == f["truth"]
                continue
            said, true = sign(verdict), sign(f["truth"])
            right += true != 0 and said == true
            missed += true != 0 and said != true
            # a report of the other direction is false and misses the change
            false += said != 0 and said != true
    return {"f1": f1(right, false, missed),
            "false_alarms_per_profile_pair": false / len(profiles),
            "new_removed_right": ratio(moved_right, moved)}
