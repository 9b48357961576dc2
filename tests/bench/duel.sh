#!/bin/sh
# `git perf check --run` on this machine, with whatever else it does: a program
# against itself, rebuilt in another folder, and against programs that do 1, 2
# and 5 % more work. Beside it what others would say of the very runs that it
# made: benchstat's rule (Mann & Whitney at .05, ten runs a side) and
# hyperfine's (the difference of the means is beyond the two deviations), and of
# as many runs as the duel needed. Then the power that the rule has for each size
# at the noise of this machine, by the real runs of the program against itself,
# with the tolerance as it is and with one of .5 %.
#
#	BENCH_DUELS   duels of the program against itself (20; the claim: 200)
#	BENCH_CHANGED duels of each changed program (5; the claim: 50)
#	BENCH_EXACT   duels by callgrind of the changed programs each (2)
#	BENCH_EXACT_NULLS  the same of the program against itself (2; 200)
#	BENCH_TIME    seconds that a duel may take (60, as the program has it)
#	BENCH_DRAWS   duels that tell the power that is promised (100)
#	BENCH_LOOP    1: a loop of compilations beside all of them
#	BENCH_KEEP    folder for what the duels say, a line of JSON each: what is
#		      there counts, so that a long run can be made in pieces;
#		      with all numbers 0 the table of what is there is printed
. "$(dirname "$0")/lib.sh"
need python3 cc
nulls=${BENCH_DUELS:-20}
changed=${BENCH_CHANGED:-5}
exact=${BENCH_EXACT:-2}
exact_nulls=${BENCH_EXACT_NULLS:-2}
kept=${BENCH_KEEP:-$scratch/kept}
mkdir -p "$kept"

git init -q "$scratch/repo"
cd "$scratch/repo"
cat >work.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int order(const void *a, const void *b)
{
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

int main(void)
{
	static uint32_t values[1 << ITEMS];
	uint64_t x = 88172645463325252u, sum = 0;
	long round, i;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < 1 << ITEMS; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			values[i] = (uint32_t)x;
		}
		qsort(values, 1 << ITEMS, sizeof(*values), order);
		sum += values[x % (1 << ITEMS)];
	}
	printf("%lu\n", (unsigned long)sum);
	return 0;
}
END
cat >.gitperf <<'END'
[job "work"]
	build = cc -O1 -DITEMS=10 -DROUNDS=$(cat rounds) -o work work.c
	cmd = ./work
	collector = time
[job "short"]
	build = cc -O1 -DITEMS=8 -DROUNDS=$(cat rounds) -o short work.c
	cmd = ./short
	collector = callgrind
END
printf '%s\n' work short >.gitignore
for rounds in 400 404 408 420; do
	echo $rounds >rounds
	git add .
	git commit -q -m $rounds
	git tag r$rounds
done
git-perf trust >/dev/null

if [ "${BENCH_LOOP:-0}" = 1 ]; then
	(while cc -O2 -DITEMS=8 -DROUNDS=1 -o "$scratch/beside" work.c; do :; done) &
	beside=$!
	trap 'kill $beside 2>/dev/null; rm -rf "$scratch"' EXIT
fi

# duels N COLLECTOR ROUNDS: until there are so many, a line of JSON each
duels()
{
	kept_here=$kept/$2-$3
	touch "$kept_here"
	while [ "$(wc -l <"$kept_here")" -lt "$1" ]; do
		git-perf check --run --json --collector="$2" \
			--time="${BENCH_TIME:-60}" r400 "r$3" >"$scratch/said" ||
			[ $? -ne 128 ]
		[ "$(wc -l <"$scratch/said")" -eq 1 ]
		cat "$scratch/said" >>"$kept_here"
	done
}
# A tenth of all at a time, so that what was stopped has some of each.
for part in 1 2 3 4 5 6 7 8 9 10; do
	for rounds in 420 408 404; do
		duels $((changed * part / 10)) time $rounds
		duels $((exact * part / 10)) callgrind $rounds
	done
	duels $((nulls * part / 10)) time 400
	duels $((exact_nulls * part / 10)) callgrind 400
done

cat >"$scratch/table.py" <<'END'
import json, math, os, random, subprocess, sys

DRAWS = int(os.environ.get("BENCH_DRAWS", 100))

def mann_whitney(a, b):
    """p of both sides, normal with ties and continuity (benchstat's is exact
    below 50 values without ties; at 10 and 10 they differ by little)."""
    both = sorted((v, s) for s, side in ((0, a), (1, b)) for v in side)
    n, m, i, ranks, ties = len(a), len(b), 0, 0.0, 0.0
    while i < n + m:
        j = i
        while j < n + m and both[j][0] == both[i][0]:
            j += 1
        ranks += sum(1 for k in range(i, j) if both[k][1] == 0) * (i + j + 1) / 2
        ties += (j - i) ** 3 - (j - i)
        i = j
    u = ranks - n * (n + 1) / 2
    var = n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1)))
    if var <= 0:
        return 1.0
    z = max(0.0, abs(u - n * m / 2) - .5) / math.sqrt(var)
    return math.erfc(z / math.sqrt(2))

def hyperfine(a, b):
    mean = [sum(v) / len(v) for v in (a, b)]
    sd = [math.sqrt(sum((x - m) ** 2 for x in v) / max(1, len(v) - 1))
          for v, m in zip((a, b), mean)]
    return abs(mean[1] - mean[0]) > sd[0] + sd[1]

def replay(pairs, rule):
    """What the duel's rule says of these pairs."""
    said = subprocess.run(
        ["git-perf", "detect", "duel", "--tolerance=%g" % rule["tolerance"],
         "--margin=%g" % rule["margin"], "--max-pairs=%d" % rule["max_pairs"]],
        input="".join("%.17g %.17g\n" % tuple(p) for p in pairs),
        capture_output=True, text=True, check=True).stdout
    return said.split("\t")[0]

def draw(nulls, effect, count):
    """Pairs of a program that is slower by so much, of the real runs of duels
    of one with itself: stretches of four quads, each one way or the other."""
    pairs = []
    while len(pairs) < count:
        duel = random.choice(nulls)
        at = 2 * random.randrange(max(1, (len(duel) - 8) // 2 + 1))
        turned = random.random() < .5
        pairs += [(p[turned], p[not turned] * (1 + effect))
                  for p in duel[at:at + 8]]
    return pairs[:count]

def promised(nulls, effect, rule):
    """Share of duels that the rule decides at this noise."""
    random.seed(1)
    said = [replay(draw(nulls, effect, rule["max_pairs"]), rule)
            for _ in range(DRAWS)]
    return sum(s in ("slower", "faster") for s in said) / DRAWS

def floor(nulls):
    """Standard deviation of a run, from the differences in pairs."""
    away = sorted(abs(math.log(b / a)) for duel in nulls for a, b in duel)
    return 1.4826 * away[len(away) // 2] / math.sqrt(2)

def read(path):
    found = {}
    if not os.path.exists(path):
        return found
    for line in open(path):
        for v in json.loads(line)["verdicts"]:
            found.setdefault(v["metric"], []).append(v)
    return found

def percent(share):
    return "%.0f%%" % (100 * share)

def power(collector):
    """What the rule promises at the noise of this machine, and what was found:
    of the duels as they were, and of the same runs with another tolerance."""
    nulls = {m: [v["pairs"] for v in rows if len(v["pairs"]) >= 8]
             for m, rows in read(collector + "-400").items()}
    print()
    print("%-10s %-14s %9s %9s %9s" % ("collector", "metric, effect",
                                      "tolerance", "promised", "found"))
    for rounds in (404, 408, 420):
        for metric, rows in read("%s-%d" % (collector, rounds)).items():
            rule = rows[0]["rule"]
            if rule["counts"] or not nulls.get(metric):
                continue
            finer = dict(rule, tolerance=.005, margin=.0025)
            for r, said in ((rule, [v["decision"] for v in rows]),
                            (finer, [replay(v["pairs"], finer)
                                     for v in rows])):
                print("%-10s %-14s %9s %9s %9s" % (
                    collector, "%s %+.0f %%" % (metric, rounds / 4 - 100),
                    "%g%%" % (100 * r["tolerance"]),
                    percent(promised(nulls[metric], rounds / 400 - 1, r)),
                    "%d of %d" % (sum(s in ("slower", "faster")
                                      for s in said), len(said))))
    for metric, duels in nulls.items():
        if duels and max(b / a for d in duels for a, b in d) > 1:
            print("%s: a run of %s has a standard deviation of %.1f %%; a "
                  "tolerance below that is not promised to be told in 100 "
                  "pairs" % (collector, metric, 100 * floor(duels)))

print("%-10s %-14s %5s %7s %7s %7s %6s %9s %9s %9s" % (
    "collector", "metric, effect", "duels", "changed", "no ch.", "cannot",
    "runs", "benchstat", "same runs", "hyperfine"))
for path in sys.argv[1:]:
    collector, rounds = path.split("-")
    for metric, rows in read(path).items():
        a = [[p[0] for p in v["pairs"]] for v in rows]
        b = [[p[1] for p in v["pairs"]] for v in rows]
        said = [v["decision"] for v in rows]
        print("%-10s %-14s %5d %7d %7d %7d %6.0f %9d %9d %9d" % (
            collector, "%s %+.0f %%" % (metric, int(rounds) / 4 - 100),
            len(rows), sum(s in ("slower", "faster") for s in said),
            said.count("no change"), said.count("undecided"),
            2 * sum(v["n"][0] for v in rows) / len(rows),
            sum(mann_whitney(x[:10], y[:10]) < .05 for x, y in zip(a, b)),
            sum(mann_whitney(x, y) < .05 for x, y in zip(a, b)),
            sum(hyperfine(x, y) for x, y in zip(a, b))))
        wrong = [v for v in rows if v["decision"] in ("slower", "faster")]
        if rounds == "400" and wrong:
            print("%-10s false: %s" % ("", " ".join(
                "%+.1f%%" % (100 * v["ratio"] - 100) for v in wrong)))
power("time")
END
echo "load at the end: $(cut -d ' ' -f 1-3 /proc/loadavg), $(nproc) processors"
cd "$kept"
python3 "$scratch/table.py" time-400 time-404 time-408 time-420 \
	callgrind-400 callgrind-404 callgrind-408 callgrind-420
