#!/bin/sh
# A figure of the hooks is the same as one by hand: priority, and how quiet the
# machine was.
. "$(dirname "$0")/../lib.sh"
need jq
git config --global perf.hookMode background
git config --global perf.hookDelay 0

# Until a worker in the background has done all.
settle()
{
	until git perf worker --status | grep -q '^0 commits queued, no'; do
		sleep 0.05
	done
}

# ---- priority

# Fields of /proc/<pid>/stat (proc(5)): 18 priority, 19 nice, 40 and 41 policy.
cat >facts <<END
awk '{ print \$18, \$19, \$40, \$41 }' /proc/\$\$/stat >>"$scratch/\$1"
cat /proc/\$\$/oom_score_adj >>"$scratch/\$1"
! command -v ionice >/dev/null || ionice -p \$\$ >>"$scratch/\$1"
END
cat >.gitperf <<'END'
[job "work"]
	build = sh facts built
	cmd = sh facts measured
	runs = 1
END
must git add .
commit first
must git perf trust >"$out" 2>"$err"
check 'by hand a job is measured' exits 0 git perf run
must mv "$scratch/built" "$scratch/built.hand"
must mv "$scratch/measured" "$scratch/measured.hand"
must git perf hooks install 2>"$err"
echo 'exit 0' >>facts
must git add -u
commit second
settle
check 'what a hook measures has the priority of what is measured by hand' \
	same "$scratch/measured" "$scratch/measured.hand"
check 'what a hook measures has the nice value of who commits' \
	is "$(awk 'NR == 1 { print $2 }' "$scratch/measured")" "$(nice)"
# by ten more than who commits, and no more than there is
polite=$(($(nice) + 10))
[ "$polite" -le 19 ] || polite=19
check 'what a hook builds gives way to other programs' \
	is "$(awk 'NR == 1 { print $2 }' "$scratch/built")" "$polite"
check 'what is built by hand does not' \
	is "$(awk 'NR == 1 { print $2 }' "$scratch/built.hand")" "$(nice)"

# ---- how quiet it was

# Whatever the machine does meanwhile: it is told, not looked at.
take()
{
	GIT_PERF_QUIET=$1 git perf collect --add -r 2 -- sh facts measured \
		>"$out" 2>"$err"
}
git config --global perf.hookMode queue
commit third
check 'a quiet record is added' take 'others:0.03,idle:0.5,steal:0'
check 'nothing is said of a quiet machine' not mentions err 'not quiet'
check 'a noisy record is added' take 'others:0.62,idle:0,steal:0,load:9.5'
check 'collect says that the machine was not quiet, and why' says err \
	"warning: 'sh facts measured': the machine was not quiet: other programs used 62 % of the machine"
must git perf log --json -n 1 >"$out"
check 'figures of how quiet it was are in the JSON of a log' \
	json '[.commits[0].profiles[].quiet | .others, .idle, .steal, .load]' \
	'[0.62,0,0,9.5,0.03,0.5,0,null]'
check 'the noisy one of two records is marked in JSON' \
	json '[.commits[0].profiles[].noisy]' '[true,null]'
must git perf log -v -n 1 >"$out"
check 'log -v marks the noisy record and says why' mentions out \
	'^ +0@i .*\(noisy: other programs used 62 % of the machine\)$'
check 'log -v marks the quiet record with nothing' not mentions out \
	'^ +1@i .*noisy:'
check 'values of the quiet record alone are pooled' \
	mentions out '^ +wall .*\(n 2\)'
check 'log says how many noisy records are left out of a figure' \
	mentions out '^    0@i  sh/time  wall .*  1 noisy record left out$'
must git perf status -v >"$out"
check 'status -v says which record is noisy' mentions out \
	'^ +0@i .*\(noisy: other programs used 62 % of the machine\)'
must git perf show 0@i >"$out"
check 'show says that the record is noisy' says out \
	'Noisy: other programs used 62 % of the machine'
must git perf show --json 0@i >"$out"
check 'the JSON of show says how noisy the record is' json '[.quiet.others, .noisy]' '[0.62,true]'
must git perf show 1@i >"$out"
check 'show says nothing of a quiet record' not mentions out Noisy
commit fourth
check 'two noisy records are added' eval "take nice:10 && take steal:0.2"
must git perf log -v -n 1 >"$out"
check 'where all records are noisy they are pooled and marked' mentions \
	out '^    0@i  sh/time  wall .*  noisy$'
check 'a nice value is a reason' mentions out \
	'^ +1@i .*\(noisy: it ran with nice value 10\)'
check 'what the host took is a reason' mentions out \
	'^ +0@i .*\(noisy: its host took 20 % of the machine\)'
(unset GIT_PERF_QUIET && git perf collect --json -r 1 -- true) \
	>"$out" 2>"$err"
check 'without being told the kernel'\''s counters are looked at' \
	json '.profiles[0].quiet | has("switches") or has("load")' true
check 'what counts the same on a busy machine is never noisy' \
	eval "! command -v valgrind >/dev/null ||
	GIT_PERF_QUIET=nice:10 git perf collect -c callgrind --json -- true |
	jq -e '.profiles[0] | has(\"quiet\") | not' >/dev/null"

# ---- waiting

# In a $TMPDIR of its own: who else collects is not for this test.
must mkdir "$scratch/tmp"
must mkfifo "$scratch/go"
TMPDIR=$scratch/tmp
export TMPDIR
commit fifth
git perf collect -r 1 --stdin "$scratch/go" -- cat >"$scratch/beside" 2>&1 &
beside=$!
until ls "$TMPDIR"/git-perf-*/collecting >"$out" 2>&1; do sleep 0.01; done
check 'a job beside another collection is measured at last' \
	eval 'unset GIT_PERF_QUIET; exits 0 git perf run --when-quiet=0.6'
check 'a run that waits for a quiet machine says so' \
	says err 'waiting for a quiet machine'

# Nobody waits for one that only waits: not for the ten minutes of this one.
(unset GIT_PERF_QUIET && exec git perf run --again --when-quiet=600) \
	>"$scratch/waits" 2>&1 &
waits=$!
until grep -q '^waiting for a quiet machine' "$scratch/waits"; do sleep 0.05; done
check 'a run goes before one that waits for a quiet machine' \
	eval 'GIT_PERF_QUIET= exits 0 timeout 300 git perf run --again'
check 'the one that waits goes on waiting' kill -TERM "$waits"
wait "$waits"

# The worker's waiting is told: of the third commit, the fourth, fifth and one more.
must git config perf.quietWait 3600
must git config perf.hookMode background
(unset GIT_PERF_QUIET && commit waited)
until git perf worker --status | grep -q 'waits'; do sleep 0.05; done
check 'worker --status works while the worker waits' exits 0 git perf worker --status
check 'worker --status says that the worker waits for a quiet machine' \
	says out '4 commits queued, a worker waits for a quiet machine'
check 'status works while the worker waits' exits 0 git perf status
check 'status says that the worker waits for a quiet machine' \
	says out '4 commits to be measured (a worker waits for a quiet machine)'
must git perf status --json >"$out"
check 'the JSON of status says that the worker waits' \
	json '[.queued, .worker, .waits]' '[4,true,true]'
check 'hooks status works while the worker waits' exits 0 git perf hooks status
check 'hooks status says that the worker waits for a quiet machine' \
	says out 'mode background, 4 commits queued, a worker waits for a quiet machine'
must git perf hooks status --json >"$out"
check 'the JSON of hooks status says that the worker waits' \
	json '[.queued, .worker, .waits]' '[4,true,true]'
must kill "$(cat .git/perf/worker.lock)"
until git perf worker --status | grep -q 'no worker runs$'; do sleep 0.05; done
must git perf status --json >"$out"
check 'a worker that has ended waits for nothing' \
	json '[.queued, .worker, .waits]' '[4,false,false]'
must git config perf.hookMode queue

check 'told how quiet it is, run waits for nothing' \
	eval 'GIT_PERF_QUIET= exits 0 git perf run --again --when-quiet=3600'
check 'nothing is said where nothing is waited for' \
	not mentions err 'waiting for a quiet'
: >"$scratch/go"
must wait "$beside"
check 'patience is a number of seconds' exits 129 git perf run --when-quiet=-1
must git config perf.quietWait long
commit sixth
check 'a patience that is no number ends the worker' \
	exits 128 git perf worker --once
check 'the worker names the key of a bad patience' says err \
	"fatal: bad perf.quietWait 'long', need seconds, at most 86400"
