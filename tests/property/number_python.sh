#!/bin/sh
# Numbers are written as Python's repr writes them.
set -eu
if ! command -v python3 >/dev/null || ! python3 -c '' 2>/dev/null; then
	echo 'SKIPPED: python3 is not here'
	exit 77
fi
"$1" print | python3 -c '
import sys
bad = lines = 0
for line in sys.stdin:
    bits, text = line.split()
    lines += 1
    if repr(float.fromhex(bits)) != text:
        print(bits, text, repr(float.fromhex(bits)))
        bad += 1
print(lines, "numbers,", bad, "differ")
sys.exit(bad > 0 or lines != 100000)
'
