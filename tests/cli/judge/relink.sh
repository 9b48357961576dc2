#!/bin/sh
# `git perf check --run --relink`: what a run costs is what its commit says for
# the layout that it was built with, so that each verdict follows from numbers
# written here.
. "$(dirname "$0")/../lib.sh"
need jq awk

log=$scratch/log
builds=$scratch/builds
export log builds
cat >run.sh <<'END'
echo "$(cat side)" >>"$log"
n=$(($(cat count 2>/dev/null || echo 0) + 1))
echo $n >count
cost=$(sed -n "${n}p" built)
[ -n "$cost" ] || cost=$(tail -n 1 built)
echo "main $cost" >"$1"
END
# Costs of odd and of even layouts, and of a program that is linked as it comes.
cat >build.sh <<'END'
[ ! -e built ] || echo stale >>"$builds"
echo "$(cat side) ${GIT_PERF_LAYOUT_SEED:-none}" >>"$builds"
case ${GIT_PERF_LAYOUT_SEED:-none} in
none) cp costs built ;;
*[13579]) cp costs.odd built ;;
*) cp costs.even built ;;
esac
END
cat >.gitperf <<'END'
[job "fake"]
	build = "sh build.sh"
	cmd = "sh run.sh {output}"
	collector = command
	option = format=collapsed
END
printf '%s\n' built count >.gitignore

# side NAME AS_IT_COMES ODD EVEN: a commit with such costs, a line a run; the
# first one warms up.
side()
{
	echo "$1" >side
	printf '%b\n' "$2" >costs
	printf '%b\n' "$3" >costs.odd
	printf '%b\n' "$4" >costs.even
	must git add -A
	commit "$1"
	must git tag "$1"
}
side base 1000 1000 1000
side laid 1050 1050 952
must git checkout -q base
side slow 1050 1050 1050
must git checkout -q base
side both 1000 '1\n1210\n1000' '1\n1000\n1210'
must git perf trust

check 'as it is linked the second commit is slower' exits 1 git perf check --run base laid
check 'a second commit as it is linked is so by 5 %' says out '  more by 5.0 % [+5.0, +5.0]'
stored=$(git rev-parse refs/notes/perf)
: >"$log" >"$builds"
# Logarithms of .0488 and -.0492 in turn. At six layouts the interval is
# .0537 / sqrt(6) times 5.2 (t of .003 with five degrees): 11.5 %. At eight it is
# .0524 / sqrt(8) times 4.4: 8.1 %, below ln 1.1 = 9.5 %.
check 'over all layouts it is not' exits 0 git perf check --run --relink=12 --tolerance=10% base laid
check 'what all layouts have in common is no change' mentions out '^  no change larger than 10 % '
check 'layouts and their runs are told' mentions out '^  by samples, 32 runs, 8 layouts, [0-9.]+ s$'
check 'each side was built for each layout, anew' is "$(sort -k 2n -k 1 "$builds" | tr '\n' ';')" \
	"$(for i in 1 2 3 4 5 6 7 8; do printf 'base %s;laid %s;' $i $i; done)"
check 'each layout warms both sides up and runs a quad' is "$(wc -l <"$log")" 48
check 'a quad is ABBA or BAAB' is "$(awk '(NR - 1) % 6 > 1' "$log" | paste -d ' ' - - - - |
	grep -vxc -e 'base laid laid base' -e 'laid base base laid')" 0
check 'nothing is stored of programs that are not those of the commits' is \
	"$(git rev-parse refs/notes/perf)" "$stored"
check 'no worktree is left' is "$(git worktree list | wc -l)" 1
check 'no folder of a worktree is left' is "$(ls .git/perf/worktrees | grep -v lock)" ''

check 'what no layout tells is not told' exits 125 git perf check --run --relink=6 --tolerance=2% base laid

# As of pairs: 2 * 2^-12 * 11 is .0054, below .01.
check 'what all layouts have in common is a change' exits 1 git perf check --run --relink=12 --json base slow
check 'JSON has the layouts, each of which is a pair' is \
	"$(jq -c '.verdicts[0] | [.decision, .layouts, .n, .rule.max_pairs]' "$out")" '["slower",12,[12,12],12]'
check 'the pairs say the same to detect' is \
	"$(jq -r '.verdicts[0].pairs[] | "\(.[0]) \(.[1])"' "$out" | git perf detect duel | cut -f 1)" slower

# 1210 and 1000 are as far off as 1100 and 1100.
check 'a pair is the mean of four runs' exits 1 git perf check --run --relink=12 --json base both
check 'a mean is that of the logarithms' is \
	"$(jq -c '[.verdicts[0].pairs[] | [.[0], .[1]] | map(. * 1000 | round / 1000)] | unique' "$out")" '[[1000,1100]]'

check 'five layouts are too few' exits 129 git perf check --run --relink=5
check '201 layouts are too many' exits 128 git perf check --run --relink=201 base laid
check 'the error names the limit of layouts' says err 'fatal: --relink is 6 to 200 layouts'
check '--relink is for --run' exits 129 git perf check --relink=12
check '--relink says how many runs there are' exits 128 git perf check --run --relink=12 --max-runs=40 base laid
check '--selfcheck has one build' exits 128 git perf check --selfcheck --relink=12

# A layout that cannot be built is told as any other build.
cat >build.sh <<'END'
cp costs built
[ "${GIT_PERF_LAYOUT_SEED:-0}" -lt 3 ] || { echo 'no such layout'; exit 1; }
END
must git add -A
commit 'fails from the third layout on'
check 'a layout that does not build is no verdict' exits 125 git perf check --run --relink=12 HEAD~1 HEAD
check 'what did not build is told' mentions err 'head is not built|no such layout'

# A link step that does not heed the number makes the same program each time.
if command -v cc >"$out" 2>&1; then
	mkdir "$scratch/c" && cd "$scratch/c" || exit 1
	must git init -q .
	echo 'int main(void) { return 0; }' >p.c
	printf '%s\n' '[job "p"]' 'build = cc -o p p.c' 'cmd = ./p' 'collector = time' >.gitperf
	echo p >.gitignore
	must git add -A
	commit one
	must git perf trust
	git perf check --run --relink=6 --time=1 HEAD HEAD >"$out" 2>"$err"
	check 'layouts that are none are told' mentions out 'two layouts have the same program: GIT_PERF_LAYOUT_SEED'
fi
