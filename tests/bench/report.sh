#!/bin/sh
# The report of 1,000 commits with five metrics of one job, and with profiles of
# 5,500 samples of which six are in it, beside git log with the notes.
. "$(dirname "$0")/lib.sh"
need python3
history "$scratch/r" 1000
mkdir "$scratch/in"
python3 "$measured/genseries.py" "$scratch/in" 60 pprof .1 >/dev/null
cd "$scratch/r"
python3 - "$scratch/in" <<'END' >"$scratch/batch"
import json, os, random, subprocess, sys
random.seed(1)
folder = sys.argv[1]
profiles = sorted(f for f in os.listdir(folder) if f.endswith('.pb.gz'))
commits = subprocess.run(['git', 'rev-list', '--reverse', 'main'], capture_output=True, text=True).stdout.split()
levels = [80e6, 70e6, 8e6, 4e6, 9e5]
for i, c in enumerate(commits):
    if i % 150 == 149:
        levels = [v * random.choice([.9, 1.08, 1.2]) for v in levels]
    at = '%s/%d' % (folder, i)
    os.mkdir(at)
    path = at + '/figures.json'
    json.dump([{'name': n, 'unit': 'ns', 'value': v * random.gauss(1, .01)}
               for n, v in zip(['wall', 'user', 'sys', 'load', 'parse'], levels)], open(path, 'w'))
    print('%s\t%s' % (c, path))
    os.symlink('../' + profiles[i % len(profiles)], at + '/cpu.pb.gz')
    print('%s\t%s/cpu.pb.gz' % (c, at))
END
git-perf add --stdin <"$scratch/batch" 2>/dev/null
git gc -q
head_row
compare 'report of 1,000 commits | git log --notes' '<= 1.5 s' \
	"git-perf report -o $scratch/report.html" 'git log --notes=perf'
memory 'report of 1,000 commits, memory' '' git-perf report -o "$scratch/report.html"
row 'its size' "$(($(wc -c <"$scratch/report.html") / 1000)) kB" - - '<= 1500 kB'
if command -v chromium >/dev/null && command -v node >/dev/null; then
	cat >"$scratch/paint.js" <<'END'
'use strict';
module.exports = async function (page, [file]) {
	await page.open(file);
	page.say('paint', await page.run(`Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime)`));
};
END
	row 'its first paint in Chromium' "$(node "$root/tests/tools/browser.js" "$scratch/paint.js" \
		"$scratch/report.html" | sed -n 's/^paint: //p') ms" - - '<= 300 ms'
fi
