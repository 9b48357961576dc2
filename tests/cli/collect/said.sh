#!/bin/sh
# What a command says on standard error is shown when it fails, and only then.
. "$(dirname "$0")/../lib.sh"

cat >fails <<'EOF'
#!/bin/sh
echo to standard output
echo "run $GIT_PERF_ITERATION: cannot open 'data'" >&2
[ "$GIT_PERF_ITERATION" != "${FAILS:-0}" ]
EOF
chmod +x fails
git add fails
commit first

check 'a command that fails is fatal' exits 128 git perf collect -r 2 ./fails
check 'collect shows what a failing command says on standard error, indented' \
	prints err <<'EOF'
fatal: './fails' exited with status 1
    run 0: cannot open 'data'
hint: --ignore-status measures it all the same, --stdout=inherit shows all that it says
EOF
FAILS=1
export FAILS
check 'a second run that fails is fatal' exits 128 \
	git perf collect -r 2 ./fails
check 'what only an earlier run said is not shown' prints err <<'EOF'
fatal: './fails' exited with status 1
    run 1: cannot open 'data'
hint: --ignore-status measures it all the same, --stdout=inherit shows all that it says
EOF
FAILS=never
check 'a command that only talks is measured' exits 0 \
	git perf collect -q -r 2 ./fails
check 'what a good command says is not shown' \
	not mentions err 'cannot open'
FAILS=0
check 'a failing command whose standard output goes to a file is fatal' \
	exits 128 git perf collect -r 2 --stdout=../said ./fails
check 'standard error of a failing command is shown when its output goes to a file' \
	says err "    run 0: cannot open 'data'"
check 'collect --stdout=inherit of a failing command is fatal' \
	exits 128 git perf collect -r 2 --stdout=inherit ./fails
check 'collect --stdout=inherit shows standard error once' \
	is "$(grep -c 'cannot open' "$err")" 1

# Several MB of a run are cut while it goes on, at most a minute from now.
cat >floods <<'EOF'
#!/bin/sh
head -c 20000000 /dev/zero >&2
n=0
while [ "$(stat -L -c %s /proc/self/fd/2)" -gt 4194304 ] && [ $n -lt 600 ]; do
	n=$((n + 1))
	sleep .1
done
stat -L -c %s /proc/self/fd/2 >../left
EOF
chmod +x floods
check 'a command that floods standard error is measured' exits 0 \
	git perf collect -q -r 1 ./floods
check 'what floods standard error is cut while it is measured' \
	[ "$(cat ../left)" -le 4194304 ]

# More than 64 kB of a run: the next ones write to nowhere.
cat >talks <<'EOF'
#!/bin/sh
yes "line of run $GIT_PERF_ITERATION" | head -n 10000 >&2
[ "$(readlink /proc/self/fd/2)" = /dev/null ] && echo null >>../null
[ "$GIT_PERF_ITERATION" != "$FAILS" ]
EOF
chmod +x talks
check 'a command that says a lot and fails is fatal' exits 128 \
	git perf collect -r 1 ./talks
check 'of a long text the last 20 lines are shown' \
	is "$(grep -c '^    line of run 0$' "$err")" 20
check 'nothing but fatal line, hint and the last 20 lines is shown' \
	is "$(wc -l <"$err" | tr -d ' ')" 22
FAILS=never
check 'a command that says a lot is measured' exits 0 \
	git perf collect -q -r 3 ./talks
check 'what later runs say goes to /dev/null' \
	is "$(wc -l <../null | tr -d ' ')" 2

# The same of jobs.
printf '[job "f"]\n\tcmd = ./fails\n\truns = 2\n' >.gitperf
must git perf trust >../trust 2>&1
FAILS=0
check 'a job that fails is no success' not exits 0 git perf run
check 'run shows what a failing job says on standard error' \
	says err "    run 0: cannot open 'data'"
# A tool that leaves nothing behind has said why.
check 'a collector whose tool leaves no profile is fatal' exits 128 \
	git perf collect -c command -O output=nothing -r 1 -- \
	sh -c 'echo no space left >&2'
check 'what was said by the tool that left no profile is shown' \
	says err '    no space left'
