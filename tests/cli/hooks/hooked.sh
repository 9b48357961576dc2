#!/bin/sh
# Commits measured as they are made: hooks, worker, run and log together.
. "$(dirname "$0")/../lib.sh"
need jq
git config --global perf.hookMode queue
git config --global perf.hookDelay 0

# How many profiles HEAD has.
profiles()
{
	git perf log --json -n 1 | jq '.commits[0].profiles | length'
}
# Commit what is changed.
save()
{
	must git add -u
	commit
}
drain()
{
	git perf worker --once >"$out" 2>"$err"
}

cat >.gitperf <<'END'
[job "work"]
	build = cp source built
	cmd = sh ./built
	runs = 2
END
echo 'exit 0' >source
must git add .
commit first
git perf run -h | grep -q '<rev' || skip 'git perf run takes no commit'
must git perf trust >"$out" 2>"$err"
must git perf hooks install 2>"$err"
check 'a commit before the hooks is not measured by them' drain
check 'nothing is queued of a commit before the hooks' \
	is "$(git perf worker --status)" '0 commits queued, no worker runs'

echo '# faster' >>source
save
echo 'of mine' >>source
echo untracked >new
before=$(git status --porcelain; cat source; ls)
check 'a commit is measured' drain
check 'a commit of a trusted job file has its profile' is "$(profiles)" 1
check 'log reads the measured commit' exits 0 git perf log --json -n 1
check 'the profile says that the tree was clean' \
	json '[.commits[0].profiles[0] | .cmd, .dirty]' '["sh",null]'
check 'my own tree is as it was' is "$(git status --porcelain; cat source; ls)" "$before"
check 'no worktree is left after measuring' is "$(git worktree list | wc -l)" 1
must git checkout -q source
must git commit -q --amend -m 'in better words'
check 'an amend of the message' drain
check 'an amended message does not measure again' not mentions err '^added'
check 'a commit with an amended message has its profile' is "$(profiles)" 1
check 'the profile of an amended message went along' \
	mentions err '1 profile went along'

# Each amend is told, and in the end the rebase tells of the first and the last.
must env GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' \
	git rebase -q -i HEAD~1 >"$out" 2>&1
must git commit -q --amend -m 'in other words'
must git commit -q --amend -m 'in the best words'
must git rebase --continue >"$out" 2>&1
check 'two amends in a rebase' drain
check 'two amends in a rebase leave one profile' is "$(profiles)" 1

i=0
while [ $i -lt 5 ]; do
	i=$((i + 1))
	echo "# $i" >>source
	save
done
check 'five commits at once are drained' drain
check 'the last one is measured' is "$(git perf log --json -n 6 |
	jq -c '[.commits[].profiles | length]')" '[1,0,0,0,0,1]'

must git worktree add -q -b side ../linked
(cd ../linked && git perf trust >"$out" 2>"$err" && echo '# side' >>source && save)
check 'a commit of a linked worktree' drain
check 'a commit of a linked worktree is measured' \
	is "$(git perf log --json -n 1 side | jq '.commits[0].profiles | length')" 1

must git rm -q source
commit 'without what the build needs'
check 'a commit that cannot be built' drain
check 'a commit that cannot be built is told' mentions err 'could not measure'
check 'a commit that cannot be built leaves the queue' \
	is "$(git perf worker --status)" '0 commits queued, no worker runs'
check 'a commit that cannot be built has no profile' is "$(profiles)" 0
echo 'exit 0' >source
sed -i 's/runs = 2/runs = 1/' .gitperf
must git add .
commit 'with other jobs'
check 'commits beside a changed .gitperf are drained' drain
check 'the worker says that a changed .gitperf is not trusted' mentions err 'has changed|is not trusted'
check 'a changed job file measures nothing' is "$(profiles)" 0
must git perf trust >"$out" 2>"$err"
git config --global perf.hookMode foreground
echo '# fore' >>source
check 'a commit in mode foreground works' \
	exits 0 git commit -q -a -m 'wait for it'
check 'the commit ends with its figures' is "$(profiles)" 1
