#!/bin/sh
# Damaged files of perf, through perf itself: each is shown, or refused in one
# line, whatever perf says of it, and when it breaks.
. "$(dirname "$0")/../lib.sh"
need perf python3

must git init -q repo
cd repo
must cp "$root/tests/data/perf-data/one.perf.data" .
# Of a clock that counts nanoseconds, of which the sample stands for 250,000.
check 'a whole file of perf is shown' exits 0 git perf show one.perf.data
check 'a whole file has its one sample' mentions out '^ +250us +100% +100% +250us +100% +\[unknown\]$'

cat >damage.py <<'END'
import collections, random, resource, subprocess

whole = open('one.perf.data', 'rb').read()

def damaged(number):
    some, b = random.Random(number), bytearray(whole)
    for _ in range(some.randint(1, 3)):
        at = some.randrange(8, len(b))  # what is no magic is no perf.data
        how = some.randrange(5)
        if how == 0:
            b[at] ^= 1 << some.randrange(8)
        elif how == 1:
            b[at] = some.randrange(256)
        elif how == 2:
            b[at:at + 8] = bytes([some.choice([0, 255])]) * 8
        elif how == 3:
            b[at:at] = b[some.randrange(len(b)):]
        else:
            del b[max(at, 9):]
    return b

# Of some files perf does not come to an end: ten minutes of the processor's
# time are given to it, or less where a user says so.
def bound():
    resource.setrlimit(resource.RLIMIT_CPU, (2, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

ends = collections.Counter()
for number in range(60):
    open('damaged.perf.data', 'wb').write(damaged(number))
    ran = subprocess.run(['git-perf', 'show', 'damaged.perf.data'], capture_output=True, preexec_fn=bound)
    said = ran.stderr.decode('utf-8', 'surrogateescape').splitlines()
    fatal = [s for s in said if s.startswith('fatal: cannot read')]
    if ran.returncode == 0 and ran.stdout and not said:
        ends['shown'] += 1
    elif ran.returncode == 128 and len(said) == len(fatal) == 1:
        ends['refused'] += 1
    else:
        print('number %d: status %d:' % (number, ran.returncode), *said)
print(*sorted(ends), sum(ends.values()))
END
check 'damaged files of perf are shown or refused in one line' exits 0 python3 damage.py
check 'some of the damaged files are shown, some refused, all end' says out 'refused shown 60'

# One that never ends, whatever perf is installed.
must mkdir endless
printf '#!/bin/sh\nwhile :; do :; done\n' >endless/perf
chmod +x endless/perf
check 'a perf that does not end is ended' exits 128 \
	env PATH="$PWD/endless:$PATH" sh -c 'ulimit -S -t 1; git perf show one.perf.data'
check 'a perf that was ended is told from one that fails' prints err <<END
fatal: cannot read 'one.perf.data', which needs perf: perf script took 1 s of processor time and was ended; is the file damaged?
END
