# Framework of the benchmarks; source it first. A benchmark measures git-perf
# and its peer in one run and prints a line for each pair:
#
#	<what>  <ours>  <peer>  <ratio ours/peer>  <goal>
#
# compare WHAT GOAL OURS PEER   medians of two commands, interleaved by
#                               hyperfine's own rounds
# throughput WHAT GOAL BYTES OURS PEER
#                               the same by processor time, which a busy
#                               machine leaves alone, and our bytes a second
# spends WHAT GOAL OURS PEER    mean processor time of two commands
# alone WHAT GOAL COMMAND       median of one command
# memory WHAT GOAL COMMAND      peak resident memory of one command
# BENCH_RUNS sets the number of runs (20).

set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
measured=$root/tests/data/measured
PATH=${PERF_BIN:-$root/build/bin}:$PATH
for variable in $(env | sed -n 's/^\(GIT_[A-Z_0-9]*\)=.*/\1/p'); do
	unset "$variable"
done
scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-perf-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# No GIT_CONFIG_* here: with one of them git has to be asked for the
# configuration, which is not what a user pays.
HOME=$scratch
LC_ALL=C
export PATH HOME LC_ALL
git config --global user.name Bench
git config --global user.email bench@example.com
git config --global init.defaultBranch main
git config --global gc.auto 0
runs=${BENCH_RUNS:-20}

need()
{
	for program in "$@"; do
		command -v "$program" >/dev/null || {
			echo "SKIPPED: $program is not installed"
			exit 77
		}
	done
}
need hyperfine jq

row()
{
	printf '%-44s %12s %12s %8s   %s\n' "$@"
}

# median KEY of result N, in milliseconds
median()
{
	jq -r ".results[$1].median * 1000 * 100 | round / 100" "$scratch/h.json"
}

compare()
{
	hyperfine -N -w 3 -r "$runs" -i --output null --style none \
		--export-json "$scratch/h.json" "$3" "$4" >/dev/null 2>&1
	a=$(median 0)
	b=$(median 1)
	row "$1" "$a ms" "$b ms" \
		"$(awk "BEGIN { printf \"%.2f\", $a / $b }")" "$2"
}

# User and system time of result N, in milliseconds.
spent()
{
	jq -r ".results[$1] | (.user + .system) * 1000 * 100 | round / 100" \
		"$scratch/h.json"
}

throughput()
{
	hyperfine -N -w 1 -r "$runs" -i --output null --style none \
		--export-json "$scratch/h.json" "$4" "$5" >/dev/null 2>&1
	a=$(spent 0)
	b=$(spent 1)
	row "$1" "$a ms" "$b ms" \
		"$(awk "BEGIN { printf \"%.2f\", $a / $b }")" \
		"$2 (is $(awk "BEGIN { printf \"%.0f\", $3 / $a / 1000 }"))"
}

spends()
{
	hyperfine -N -w 2 -r "$runs" -i --output null --style none \
		--export-json "$scratch/h.json" "$3" "$4" >/dev/null 2>&1
	a=$(spent 0)
	b=$(spent 1)
	row "$1" "$a ms" "$b ms" \
		"$(awk "BEGIN { printf \"%.2f\", $a / $b }")" "$2"
}

alone()
{
	hyperfine -N -w 3 -r "$runs" -i --output null --style none \
		--export-json "$scratch/h.json" "$3" >/dev/null 2>&1
	row "$1" "$(median 0) ms" - - "$2"
}

memory()
{
	what=$1
	goal=$2
	shift 2
	/usr/bin/time -f %M -o "$scratch/rss" "$@" >/dev/null 2>&1 || true
	row "$what" "$(($(tail -n 1 "$scratch/rss") / 1024)) MB" - - "$goal"
}

head_row()
{
	row what git-perf peer ratio goal
}

# history DIR N: a repository with N commits, made by fast-import
history()
{
	git init -q "$1"
	awk -v n="$2" 'BEGIN {
		for (i = 1; i <= n; i++) {
			printf "commit refs/heads/main\nmark :%d\n", i
			printf "committer B <b@x> %d +0000\n", 1500000000 + 60 * i
			m = "commit " i
			printf "data %d\n%s\n", length(m), m
			if (i > 1) printf "from :%d\n", i - 1
			printf "M 100644 inline f\ndata %d\n%d\n", length(i) + 1, i
		}
	}' | git -C "$1" fast-import --quiet
	git -C "$1" symbolic-ref HEAD refs/heads/main
}
