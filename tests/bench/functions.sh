#!/bin/sh
# Functions in the past: log --function of 1,000 commits with a profile of
# 5,500 stacks each, blame of 200, impact of what was changed last. Processor
# time (ours, with the children's), beside git log -p of as many commits.
. "$(dirname "$0")/lib.sh"
need python3
mkdir "$scratch/in"
python3 "$measured/genseries.py" "$scratch/in" 1 pprof .1 >/dev/null
git init -q "$scratch/r"
cd "$scratch/r"
# a file of 300 functions, of which each commit changes one
python3 - <<'END' | git fast-import --quiet
text = [['int function_name_%d(int n)' % i, '{', '\treturn n * %d;' % i, '}', ''] for i in range(300)]
for n in range(1000):
    text[n % 300][2] = '\treturn n * %d;' % (n + 1)
    data = '\n'.join(line for f in text for line in f)
    print('commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000' % (1700000000 + 60 * n))
    print('data 7\ncommit\n\nM 100644 inline code.c\ndata %d\n%s' % (len(data), data))
END
git checkout -qf main
git rev-list --reverse main >"$scratch/commits"
# As genseries goes on: from one to the next a tenth of the counts changes by
# up to 3 %. Written a hundred at a time.
cat >"$scratch/vary.py" <<'END'
import glob, gzip, random, subprocess, sys
folder = sys.argv[1]
data = gzip.decompress(open(glob.glob(folder + '/in/*.pb.gz')[0], 'rb').read())

def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])
def read(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return n, at
stacks, counts, others, at = [], [], b'', 0
while at < len(data):
    begin = at
    key, at = read(data, at)
    n, at = read(data, at)
    if key & 7 == 2:
        at += n
    if key != 2 << 3 | 2:
        others += data[begin:at]
        continue
    sample, i = data[at - n:at], 0
    while sample[i] >> 3 == 1:   # its stack stays
        size, k = read(sample, i + 1)
        i = k + size if sample[i] & 7 == 2 else k
    stacks.append(sample[:i])
    size, k = read(sample, i + 1)
    counts.append(read(sample, k)[0] if sample[i] & 7 == 2 else size)
commits = open(folder + '/commits').read().split()
random.seed(2)
for first in range(0, len(commits), 100):
    lines = []
    for n, commit in enumerate(commits[first:first + 100]):
        for _ in range(len(counts) // 10):
            i = random.randrange(len(counts))
            counts[i] = max(1, round(counts[i] * random.uniform(.97, 1.03)))
        out = [others]
        for stack, count in zip(stacks, counts):
            values = b''.join(varint(count * 10000000 if t else count) for t in (0, 1))
            sample = stack + b'\x12' + varint(len(values)) + values
            out.append(b'\x12' + varint(len(sample)) + sample)
        path = '%s/in/%d.pb' % (folder, n)
        open(path, 'wb').write(b''.join(out))
        lines.append('%s\t%s\n' % (commit, path))
    subprocess.run(['git-perf', 'add', '--name=cpu', '--stdin'], input=''.join(lines), text=True, check=True,
                   stderr=subprocess.DEVNULL)
END
python3 "$scratch/vary.py" "$scratch"
git gc -q
head_row
spends 'log --function of 1,000 commits' '<= 800 ms' \
	'git-perf log --function=function_name_7$' 'git log -p -n 1000'
spends 'blame of 200 commits' '<= 500 ms' 'git-perf blame -n 200' 'git log -p -n 200'
spends 'impact of a commit' '<= 100 ms' 'git-perf impact HEAD~..HEAD' 'git show HEAD'
