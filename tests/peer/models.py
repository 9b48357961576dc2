#!/usr/bin/env python3
"""models.py: series of points and the models of them, as JSON.

What `git perf model` has to find, by numpy, scipy and pandas, and for least
squares by exact arithmetic on fractions. "profile" is a Perun profile of the
series, "cases" say for each postprocessor with its options what every uid gets.
Exits with 77 where one of the libraries is absent.
"""
import json
import math
import sys
from fractions import Fraction

try:
    import numpy as np
    import pandas as pd
    from scipy import stats
except ImportError as reason:
    sys.stderr.write("models.py: %s\n" % reason)
    sys.exit(77)


def noise(n, seed):
    """n numbers in -1 ... 1: a generator of Lehmer's (minimal standard)."""
    out = []
    for _ in range(n):
        seed = seed * 48271 % 2147483647
        out.append(seed / 1073741823.5 - 1)
    return out


def all_series():
    e = noise(60, 7)
    steps = [float(1 + i // 3) for i in range(36)]
    gap = [float(i) for i in list(range(1, 15)) + list(range(60, 81))]
    return {
        "line": ([float(i) for i in range(1, 31)],
                 [3 + 2 * i + 2 * e[i] for i in range(1, 31)]),
        "steps": (steps, [2 + x * math.log(x + 1) + e[i]
                          for i, x in enumerate(steps)]),
        "gap": (gap, [50 + math.sqrt(x) * (3 + e[i])
                      for i, x in enumerate(gap)]),
        "big": ([1e6 + 13 * i for i in range(30)],
                [1e9 + 37.5 * i * i + 1000 * e[i] for i in range(30)]),
    }


def least_squares(u, v, degree):
    """Coefficients and r² of a polynomial, exactly."""
    u, v = [Fraction(a) for a in u], [Fraction(b) for b in v]
    size = degree + 1
    rows = [[sum(a ** (i + j) for a in u) for j in range(size)] +
            [sum(b * a ** i for a, b in zip(u, v))] for i in range(size)]
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [c / pivot for c in rows[i]]
        for k in range(size):
            if k != i:
                rows[k] = [c - rows[k][i] * d
                           for c, d in zip(rows[k], rows[i])]
    b = [row[-1] for row in rows]
    mean = sum(v) / len(v)
    rest = sum((y - sum(c * x ** i for i, c in enumerate(b))) ** 2
               for x, y in zip(u, v))
    return [float(c) for c in b], float(1 - rest / sum((y - mean) ** 2
                                                       for y in v))


def regression(x, y):
    lx, ly = [math.log(a) for a in x], [math.log(b) for b in y]
    out = {}
    out["linear"] = least_squares(x, y, 1)
    out["quadratic"] = least_squares(x, y, 2)
    out["logarithmic"] = least_squares(lx, y, 1)
    b, r = least_squares(lx, ly, 1)
    out["power"] = [math.exp(b[0]), b[1]], r
    b, r = least_squares(x, ly, 1)
    out["exponential"] = [math.exp(b[0]), math.exp(b[1])], r
    mean = float(sum(Fraction(b) for b in y) / len(y))
    out["constant"] = [mean, 0], 1 - out["linear"][1]
    return [{"model": name, "coeffs": b, "r_square": r}
            for name, (b, r) in sorted(out.items())]


def curve(y, fitted, values=None, **more):
    y, fitted = np.array(y), np.array(fitted)
    r = 1 - ((y - fitted) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    values = fitted if values is None else values
    return [dict(more, r_square=float(r),
                 bucket_stats=[float(v) for v in values])]


def rolling(kind, window, least, center):
    def fit(x, y):
        windows = pd.Series(y).rolling(window, min_periods=least,
                                       center=center)
        fitted = getattr(windows, kind)()
        some = fitted.notna().to_numpy()
        return curve(np.array(y)[some], fitted[some])
    return fit


def weighted(**decay):
    return lambda x, y: curve(y, pd.Series(y).ewm(**decay).mean())


def bins(how, statistic):
    def fit(x, y):
        count = how
        if isinstance(how, str):
            count = len(np.histogram_bin_edges(x, bins=how)) - 1
        values, edges, place = stats.binned_statistic(x, y, statistic,
                                                      bins=count)
        fitted = values[place - 1]
        for i in range(1, count):
            if math.isnan(values[i]):
                values[i] = values[i - 1]
        return curve(y, fitted, values)
    return fit


def kernel(shape, degree, width):
    def weights(u):
        if shape == "gaussian":
            return stats.norm.pdf(u)
        if shape == "epanechnikov":
            return np.maximum(0, 1 - u ** 2 / 5)
        return np.maximum(0, 1 - np.abs(u / math.sqrt(243 / 35)) ** 3) ** 3

    def fit(x, y):
        x, y = np.array(x), np.array(y)
        h = width
        if isinstance(width, str):
            h = stats.gaussian_kde(x, width).factor * x.std(ddof=1)
        out = []
        for at in x:
            w = weights((x - at) / h)
            u = (x - at)[w > 0]
            if degree and len(set(u)) > 1:
                a = np.vander(u, 2) * np.sqrt(w[w > 0])[:, None]
                b = np.linalg.lstsq(a, y[w > 0] * np.sqrt(w[w > 0]),
                                    rcond=None)[0]
                out.append(b[1])
            else:
                out.append((w * y).sum() / w.sum())
        return curve(y, out, bandwidth=float(h))
    return fit


CASES = {
    "regression-analysis": regression,
    "moving-average window=5": rolling("mean", 5, 1, True),
    "moving-average window=4": rolling("mean", 4, 1, True),
    "moving-average window=7 min-periods=6": rolling("mean", 7, 6, True),
    "moving-average window=50": rolling("mean", 50, 1, True),
    "moving-average window=6 center=no": rolling("mean", 6, 1, False),
    "moving-average method=smm window=5": rolling("median", 5, 1, True),
    "moving-average method=smm window=4 center=no min-periods=4":
        rolling("median", 4, 4, False),
    "moving-average method=ema com=2.5": weighted(com=2.5),
    "moving-average method=ema span=9": weighted(span=9),
    "moving-average method=ema halflife=3": weighted(halflife=3),
    "moving-average method=ema alpha=0.2": weighted(alpha=0.2),
    "regressogram bins=5": bins(5, "mean"),
    "regressogram bins=7 statistic=median": bins(7, "median"),
    "regressogram": bins("doane", "mean"),
    "regressogram bins=auto": bins("auto", "mean"),
    "regressogram bins=fd": bins("fd", "mean"),
    "regressogram bins=rice": bins("rice", "mean"),
    "regressogram bins=scott": bins("scott", "mean"),
    "regressogram bins=sqrt statistic=median": bins("sqrt", "median"),
    "regressogram bins=sturges": bins("sturges", "mean"),
    "kernel-regression": kernel("gaussian", 0, "scott"),
    "kernel-regression bandwidth=silverman":
        kernel("gaussian", 0, "silverman"),
    "kernel-regression bandwidth=2.5 kernel=epanechnikov":
        kernel("epanechnikov", 0, 2.5),
    "kernel-regression kernel=tricube": kernel("tricube", 0, "scott"),
    "kernel-regression method=local-linear": kernel("gaussian", 1, "scott"),
    "kernel-regression method=local-linear kernel=tricube":
        kernel("tricube", 1, "scott"),
}


def main():
    series = all_series()
    profile = {
        "header": {"type": "mixed", "cmd": "sort", "workload": "numbers",
                   "units": {"mixed": "us"}},
        "collector_info": {"name": "trace", "params": {}},
        "postprocessors": [],
        "resources": {uid + "#0": {"amount": y, "structure-unit-size": x}
                      for uid, (x, y) in series.items()},
        "resource_type_map": {uid + "#0": {"uid": uid, "type": "mixed",
                                           "subtype": "time delta"}
                              for uid in series},
        "models": [],
    }
    cases = [{"post": post,
              "models": {uid: fit(x, y) for uid, (x, y) in series.items()}}
             for post, fit in CASES.items()]
    json.dump({"profile": profile, "cases": cases}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
