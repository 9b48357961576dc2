#!/bin/sh
# A figure of the hooks is the same as one by hand: priority, and how quiet the
# machine was.
. "$(dirname "$0")/../lib.sh"
need jq
unset CI
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
check 'it has the nice value of who commits' \
	is "$(awk 'NR == 1 { print $2 }' "$scratch/measured")" "$(nice)"
# by ten more than who commits, and no more than there is
polite=$(($(nice) + 10))
[ "$polite" -le 19 ] || polite=19
check 'what a hook builds gives way to other programs' \
	is "$(awk 'NR == 1 { print $2 }' "$scratch/built")" "$polite"
check 'what is built by hand does not' \
	is "$(awk 'NR == 1 { print $2 }' "$scratch/built.hand")" "$(nice)"
