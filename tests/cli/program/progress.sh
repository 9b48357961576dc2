#!/bin/sh
# status says what git is in the middle of, as git status does.
. "$(dirname "$0")/../lib.sh"
need jq

says_progress()
{
	exits 0 git perf status && says out "$1 in progress" &&
		exits 0 git perf status -s && mentions out ", $1 in progress\$" &&
		exits 0 git perf status --json &&
		json .in_progress "$2"
}
idle()
{
	exits 0 git perf status && not mentions out 'in progress' &&
		exits 0 git perf status --json && json .in_progress null
}

# Two branches that both change one file; main has three commits.
for n in 1 2 3; do
	echo $n >f && git add f && commit "main $n"
done
must git checkout -q -b side HEAD~2
echo side >f && git add f && commit side

check 'status tells of nothing in a quiet repository' idle
git merge -q main >/dev/null 2>&1
check 'status tells of a merge' says_progress merge '["merge"]'
must git merge --abort
git rebase -q main >/dev/null 2>&1
check 'status tells of a rebase' says_progress rebase '["rebase"]'
must git rebase --abort
git rebase -q --apply main >/dev/null 2>&1
check 'status tells of a rebase that applies patches' \
	says_progress rebase '["rebase"]'
must git rebase --abort
git cherry-pick main >/dev/null 2>&1
check 'status tells of a cherry-pick' \
	says_progress cherry-pick '["cherry-pick"]'
must git cherry-pick --abort
git cherry-pick main~1 main >/dev/null 2>&1
must git reset -q --hard
check 'status tells of a cherry-pick between two commits' \
	says_progress cherry-pick '["cherry-pick"]'
must git cherry-pick --abort
git revert --no-edit main~1 >/dev/null 2>&1
check 'status tells of a revert' says_progress revert '["revert"]'
must git revert --abort
git format-patch -q -1 --stdout main >../patch
git am -q ../patch >/dev/null 2>&1
check 'status tells of patches from mails' says_progress am '["am"]'
must git am --abort
check 'status tells of nothing after all of them ended' idle
must git checkout -q main
must git bisect start -q HEAD HEAD~2 >"$out"
check 'status tells of a bisect' says_progress bisect '["bisect"]'
git merge -q side >/dev/null 2>&1
check 'status tells of a merge during a bisect' \
	says_progress 'merge and bisect' '["merge","bisect"]'
must git merge --abort
must git worktree add -q ../other side
check 'another worktree can be entered' cd ../other
check 'status of another worktree tells of nothing' idle
