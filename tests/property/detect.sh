#!/bin/sh
# Changes of labelled histories are found, and hardly any that are none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=${PERF_BIN:-$here/../../build/bin}:$PATH
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
	echo 'SKIPPED: python3 (3.10) is not here'
	exit 77
fi
python3 "$here/detect.py" print 1 2 3 |
	git-perf detect history --stdin-series |
	python3 "$here/detect.py" score 1 2 3
