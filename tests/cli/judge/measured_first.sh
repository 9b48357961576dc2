#!/bin/sh
# git perf check --collect and --why: what is missing is measured first. Costs
# are counted, so that each verdict follows from numbers written here.
. "$(dirname "$0")/../lib.sh"
need jq cc valgrind

cat >count.c <<'END'
volatile int sum;
__attribute__((noinline)) void work(int n) { while (n--) sum += n; }
int main(void) { for (int i = 0; i < 1000; i++) work(LOOPS); return 0; }
END
cat >.gitperf <<'END'
[job "counted"]
	build = "cc -g -O1 -DLOOPS=$(cat loops) -o count count.c"
	cmd = ./count
	collector = callgrind
END
echo count >.gitignore
for loops in 1000 1000 2000; do
	echo $loops >loops
	must git add -A
	git commit -q --allow-empty -m "$loops"
done
check 'nothing that was measured is no verdict' exits 125 git perf check
check 'a job file that nobody trusts is not run for a check' exits 128 git perf check --collect
check 'the job file that is not trusted is named' mentions err "'.*\.gitperf' is not trusted"
must git perf trust >"$out" 2>&1
check 'a missing baseline is measured' exits 1 git perf check --collect --json
check 'the parent is the baseline' is "$(jq -r .base "$out")" "$(git rev-parse HEAD^)"
check 'what was measured is said' mentions err "^measured $(git rev-parse --short=10 HEAD^)$"
check 'the measured change is as large as it is' is \
	"$(jq '.verdicts[] | select(.metric == "Ir") | .ratio * 10 | round' "$out")" 20
check 'what is measured is not measured again' exits 1 git perf check --collect HEAD^ HEAD
check 'nothing is said where nothing is measured' not grep -q '^measured' "$err"
check 'a base that is named is measured' exits 0 git perf check --collect HEAD~2 HEAD^
check 'the base that was measured is said' mentions err "^measured $(git rev-parse --short=10 HEAD~2)$"
check 'a run in turns collects by itself' exits 129 git perf check --run --collect
check 'a first commit has nothing before it' exits 125 git perf check --collect HEAD~2

# Where only times are known, what tells functions is measured for the reason.
must git init -q -b main "$scratch/timed"
cd "$scratch/timed" || exit 1
must git config user.name a
cp "$OLDPWD/count.c" .
sed 's/counted/timed/; s/callgrind/time/; $a\	runs = 5' "$OLDPWD/.gitperf" >.gitperf
echo count >.gitignore
for loops in 1000 100000; do
	echo $loops >loops
	must git add -A
	git commit -q --allow-empty -m "$loops"
done
must git perf trust >"$out" 2>&1
check 'a check that has no reason to ask for runs nothing' exits 0 \
	git perf check --collect --why --allow-unknown HEAD HEAD
check 'callgrind was not asked' is "$(git perf log --json |
	jq '[.commits[].profiles[] | select(.collector == "callgrind")] | length')" 0
# A hundred times the work is told by a clock, unless the machine is very busy.
git perf check --collect --json HEAD^ HEAD >"$out" 2>"$err"
sure=$(jq '[.verdicts[] | select(.verdict | test("^[A-Z][a-z]*Degradation$") and (startswith("Maybe") | not))] | length' "$out")
git perf check --why HEAD^ HEAD >"$out" 2>"$err"
if [ "$sure" -gt 0 ]; then
	check 'a change of times is explained by callgrind' mentions out \
		'^ *work \+.*each call costs'
	check 'who asks why is told what was measured for it' mentions err \
		"^measured $(git rev-parse --short=10 HEAD)$"
else
	check 'nothing is measured for what did not change' is "$(cat "$err")" ''
fi
