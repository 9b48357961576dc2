#!/bin/sh
# Histories, pairs and functions of labelled data against the bar that they came
# with. `gate` reveals each history commit by commit, which takes minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=${PERF_BIN:-$here/../../build/bin}:$PATH
data=$here/../data/detect-bench
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
	echo 'SKIPPED: python3 (3.10) is not here'
	exit 77
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-perf-score.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export PYTHONDONTWRITEBYTECODE=1
score()
{
	python3 "$here/score.py" "$@"
}

if [ "${1:-}" = gate ]; then
	score gate "$data" | git-perf detect history --stdin-series --json >gate
	score gate "$data" gate
	exit 0
fi
score series "$data" | git-perf detect history --stdin-series --json >series
score series "$data" series
score pairs "$data" | git-perf detect pair --stdin-series >pairs
score pairs "$data" pairs
score functions "$data"
for file in f*.in; do
	git-perf detect functions <"$file" | sed "s/^/${file%.in}	/"
done >functions
score functions "$data" functions
