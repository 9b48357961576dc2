#!/bin/sh
# git perf worker: what hooks queue, in which place, and when it is measured.
. "$(dirname "$0")/../lib.sh"
need jq
git config --global perf.hookMode queue
hooks=.git/hooks

# The kinds of the queue's lines, a word each.
queued()
{
	cut -d ' ' -f 3 "${1:-.git}/perf/queue" | tr '\n' ' '
}
# How many commits the last `worker` began to measure.
builds()
{
	grep -c ' measuring ' "$err"
}
check 'a worker without a queue ends at once' exits 0 git perf worker
check 'a worker without a queue says so' mentions err ' the queue is empty$'
drain()
{
	git perf worker --once >"$out" 2>"$err"
}
# Until a worker in the background has done all.
settle()
{
	until git perf worker --status | grep -q '^0 commits queued, no'; do
		sleep 0.05
	done
}
# Until a worker that was told to end has done so.
settle_worker()
{
	until git perf worker --status | grep -q 'no worker'; do
		sleep 0.05
	done
}
# A fresh repository with hooks and a commit.
fresh()
{
	cd "$scratch" || exit 1
	rm -rf fresh
	must git init -q -b main fresh
	cd fresh || exit 1
	must git perf hooks install 2>"$err"
	commit base
	drain
}

must git perf hooks install 2>"$err"
commit first
drain

# ---- linked worktrees

must git worktree add -q --detach ../linked
check 'hooks of a linked worktree' exits 0 git -C ../linked perf hooks install
check 'hooks of a linked worktree are those of the repository' \
	test -x $hooks/post-commit
check 'a linked worktree has no hooks of its own to install' \
	exits 128 git -C ../linked perf hooks install --worktree
check 'the refusal says that the worktree has no hooks of its own' \
	mentions err 'this worktree has no hooks of its own'
must git config extensions.worktreeConfig true
own=$(git -C ../linked rev-parse --absolute-git-dir)/hooks
must git -C ../linked config --worktree core.hooksPath "$own"
check 'install works for a worktree with hooks of its own' exits 0 git -C ../linked perf hooks install --worktree
check 'a worktree with its own hooks path gets hooks' test -x "$own/post-commit"
check 'install --local works from a worktree with hooks of its own' exits 0 git -C ../linked perf hooks install --local
check 'install from a linked worktree names the hooks that are there' \
	mentions err 'repo/.git/hooks. are installed already'
must git -C ../linked config --worktree --unset core.hooksPath
must git config --unset extensions.worktreeConfig
(cd ../linked && commit leak)
check 'a commit in a linked worktree' is "$(queued)" 'commit '
check 'a commit of a linked worktree is queued with its name' \
	is "$(cut -d ' ' -f 4- .git/perf/queue)" \
	"$(git -C ../linked rev-parse HEAD) - linked"
check 'the queue is in the common folder only' \
	not test -e "$(git -C ../linked rev-parse \
	--absolute-git-dir)/perf"
(cd ../linked && must git switch -q -c side && commit side)
commit main
check 'commits of two branches are drained' drain
check 'one commit of each branch is measured' \
	is "$(grep measuring "$err" | cut -d ' ' -f 3 | sort)" \
	"$(git log --no-walk --format=%h --abbrev=10 main side | sort)"
check 'nothing is queued after both branches' is "$(queued)" ''
for w in ../repo ../linked; do
	(cd $w && for i in 1 2 3 4 5 6 7 8 9 10; do commit $i; done) &
done
wait
check 'the queue of simultaneous commits is read' \
	exits 0 git perf worker --status
check 'all simultaneous commits are queued' \
	says out '20 commits queued, no worker runs'
must git worktree remove --force ../linked

# ---- what is measured

fresh
awk 'BEGIN { for (i = 1; i <= 101; i++) {
	printf "commit refs/heads/main\ncommitter C <c@x> %d +0000\n", 1700000000 + i
	printf "data 1\nx\n%sM 100644 inline f%d\ndata 1\nx\n",
		i == 1 ? "from refs/heads/main^0\n" : "", i } }' |
	must git fast-import --quiet
must git reset -q --hard
must git switch -q -c topic HEAD~100
echo other >other
must git add other
commit other
drain
must git switch -q main
check 'a rebase of 100' exits 0 git rebase -q -X ours topic
check 'a rebase of 100 commits is queued' \
	is "$(queued | tr ' ' '\n' | sort | uniq -c | tr -s ' \n' ' ')" \
	' 101 commit 100 rewrite '
check 'a rebase of 100 commits is drained' drain
check 'a rebase of 100 commits is measured once' is "$(builds)" 1
check 'a rebase of 100 commits is measured at its tip' \
	mentions err "measuring $(git rev-parse --short=10 main)"
echo mine >f99
must git commit -q -am 'in the way'
drain
check 'a rebase that stops' exits 0 env GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' \
	git rebase -q -i HEAD~2
must git commit -q --amend -m 'in the middle'
check 'a worker waits while a rebase is in progress' \
	exits 125 git perf worker --once
check 'the worker says that a rebase keeps it waiting' \
	mentions err '1 commit waits for the rebase to end'
check 'nothing is measured while a rebase is in progress' is "$(builds)" 0
must git rebase --abort
check 'a rebase that is given up' drain
check 'a commit inside of a rebase is not measured' is "$(builds)" 0

fresh
must git switch -q -c picks
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	echo $i >f$i
	must git add f$i
	commit $i
done
drain
must git switch -q main
commit elsewhere
drain
check 'a cherry-pick of 20' exits 0 git cherry-pick main..picks
check 'twenty commits are queued' is "$(queued | wc -w)" 20
check 'twenty commits are drained' drain
check 'twenty picked commits are measured once' is "$(builds)" 1
check 'a merge works with hooks' exits 0 git merge -q --no-edit picks
check 'a commit of a fresh worktree is queued with its branch' \
	mentions fresh/.git/perf/queue "$(git rev-parse HEAD) refs/heads/main"
drain
must git switch -q -c squash main~3
check 'a squash works with hooks' exits 0 git merge -q --squash main
check 'a step of a bisect is not queued' is "$(queued)" ''
must git reset -q --hard
must git bisect start HEAD HEAD~2 >"$out"
commit 'while bisecting'
check 'a bisect is waited for' exits 125 git perf worker --once
check 'the worker names the bisect that keeps it waiting' \
	mentions err '1 commit waits for the bisect to end'
must git bisect reset 2>"$err"
check 'a commit that no branch has' drain
check 'a commit that no branch has is left out' \
	mentions err 'left out .*: no branch has it any more'

fresh
for i in 1 2 3 4 5 6 7 8 9; do
	must git switch -q -c branch$i
	commit $i
done
check 'commits of nine branches are drained' drain
check 'the worker measures at most eight branches' is "$(builds)" 8
check 'the oldest of nine branches is left out' mentions err \
	"left out $(git rev-parse --short=10 branch1): too many branches at once"
must git checkout -q --detach
commit loose
must git switch -q -c kept
check 'a commit that got a branch afterwards' drain
check 'a commit of a detached HEAD is measured' is "$(builds)" 1
commit 'on a branch'
must git checkout -q --detach
must git branch -q -D kept
must git branch renamed
check 'a commit whose branch has another name' drain
check 'a commit queued before is measured' is "$(builds)" 1
commit deadly
for i in 1 2; do
	echo "1 $i try $(git rev-parse HEAD)" >>.git/perf/queue
done
check 'a commit that killed two workers is drained' drain
check 'a commit that killed two workers is given up' \
	mentions err 'left out .*: workers that measured it were killed'
check 'a commit that was given up leaves the queue' is "$(queued)" ''

# A commit that was queued while the clock was ahead.
git config --global perf.hookDelay 0.05
commit later
sed "s/^1 [0-9]*/1 $(date -d '+1 day' +%s)000000000/" .git/perf/queue >queue
mv queue .git/perf/queue
commit latest
check 'a commit of tomorrow does not keep the worker waiting' \
	exits 0 timeout 300 git perf worker
check 'the worker turns to the newest commit' \
	mentions err "measuring $(git rev-parse --short=10 HEAD)"
git config --global --unset perf.hookDelay

# ---- profiles go along

fresh
printf 'main;a 1\n' >../a.folded
echo 1 >file
must git add file
commit one
must git perf add ../a.folded 2>"$err"
old=$(git perf log --json -1 | jq -r '.commits[0].profiles[0].id')
must git commit -q --amend -m 'better words'
check 'an amended message is drained' drain
check 'an amended message takes the profile along' mentions err '1 profile went along'
check 'log reads the profile that went along' exits 0 git perf log --json -1
check 'the profile that went along has its figures' \
	json '.commits[0].profiles[0].metrics[0].values' '[1]'
check 'the profile that went along says where it is from' \
	is "$(git notes --ref=perf show | grep -o 'from=[^ ]*')" "from=$old"
check 'the profile that went along is shown' exits 0 git perf show 0@i
check 'the profile that went along has its functions' \
	mentions out '^ *1 +100%.* a$'
new=$(git perf log --json -1 | jq -r '.commits[0].profiles[0].id')
must git perf rm 0@i 2>"$err"
printf '%s %s\n' "$(git rev-parse 'HEAD@{1}')" "$(git rev-parse HEAD)" |
	must git perf hooks run post-rewrite amend
check 'a removed profile is drained' drain
check 'log works after a removed profile was drained' exits 0 git perf log --json -1
check 'a removed profile does not come back' json '.commits[0].profiles' '[]'
echo 2 >file
must git commit -q -a --amend -m 'other content'
drain
check 'log reads a commit with another tree' exits 0 git perf log --json -1
check 'a commit with another tree takes nothing along' \
	json '.commits[0].profiles' '[]'
must git perf add ../a.folded 2>"$err"
for i in 1 2 3; do
	echo $i >f$i
	must git add f$i
	commit $i
	must git perf add ../a.folded 2>"$err"
done
drain
check 'a rebase that only rewords' exits 0 env GIT_SEQUENCE_EDITOR='sed -i s/^pick/reword/' \
	GIT_EDITOR='sed -i 1s/^/reworded/' git rebase -q -i HEAD~3
check 'several profiles go along' drain
check 'three profiles go along with three reworded commits' mentions err '3 profiles went along'
check 'log reads several profiles that went along' \
	exits 0 git perf log --json -3
check 'each reworded commit has its profile' json '[.commits[].profiles | length]' '[1,1,1]'
check 'the store is in order' exits 0 git perf fsck

# ---- modes

git config --global perf.hookMode background
git config --global perf.hookDelay 3600
check 'a commit in mode background does not wait' \
	exits 0 timeout 600 sh -c 'git commit --allow-empty -m bg 9>&1 | cat'
until git perf worker --status | grep -q 'a worker runs'; do sleep 0.01; done
check 'hooks status works while a worker runs' exits 0 git perf hooks status --json
check 'a worker runs for the commit in the background' \
	json '[.queued, .worker]' '[1,true]'
check 'status works while a worker runs' exits 0 git perf status
check 'status tells of queue and worker' \
	mentions out '^1 commit to be measured \(a worker runs\)'
pid=$(cat .git/perf/worker.lock)
check 'the worker has the priority of who commits' \
	is "$(ps -o nice= -p "$pid" | tr -d ' ')" "$(nice)"
check 'the worker has no terminal' is "$(ps -o tty= -p "$pid" | tr -d ' ')" '?'
check 'a second worker ends well' exits 0 git perf worker
check 'a second worker says that one runs' says err 'another worker runs'
commit again
check 'a hook starts no second worker' is "$(cat .git/perf/worker.lock)" "$pid"
kill -9 "$pid"
must gone "$pid"
check 'the queue is read after a killed worker' exits 0 git perf worker --status
check 'all is queued after a killed worker' \
	says out '2 commits queued, no worker runs'
git config --global perf.hookDelay 0
head -c 300000 /dev/zero | tr '\0' x >.git/perf/worker.log
commit third
settle
check 'a long log is put aside' test "$(wc -c <.git/perf/worker.log.1)" -ge 300000
check 'a worker behind a long log begins a new log' is "$(grep -c ' measuring ' .git/perf/worker.log)" 1
check 'the next worker measures the newest commit' \
	mentions fresh/.git/perf/worker.log \
	"measuring $(git rev-parse --short=10 HEAD)"
git config --global perf.hookMode foreground
check 'a commit in mode foreground works' \
	exits 0 git commit -q --allow-empty -m fg
check 'a commit in mode foreground is measured' \
	mentions err "measuring $(git rev-parse --short=10 HEAD)"
check 'nothing is queued after mode foreground' is "$(queued)" ''
git config --global perf.hookMode own
git config --global perf.hookDelay 3600
commit 'an own commit'
check 'in mode own a commit made here is queued' \
	is "$(queued)" 'commit '
must git switch -q -c theirs HEAD~2
echo theirs >theirs
must git add theirs
env GIT_PERF_RUNNING=1 git commit -q -m theirs
must git switch -q main
check 'a merge works in mode own' exits 0 git merge -q --no-edit theirs
check 'in mode own a merge queues one commit, its own' is "$(queued)" 'commit '
must git reset -q --hard HEAD^1
must git switch -q -c ahead
env GIT_PERF_RUNNING=1 git commit -q --allow-empty -m ahead
must git switch -q main
check 'a pull that is a fast-forward' exits 0 git pull -q --ff-only . ahead
check 'in mode own a pull with a merge queues nothing of others' \
	is "$(queued)" 'commit '
must git reset -q --hard HEAD^1
must git merge -q --no-commit --no-ff theirs
check 'a merge that is committed by hand' exits 0 git commit -q -m 'by hand'
check 'in mode own a fast-forward is not queued' is "$(queued)" 'commit '
must git reset -q --hard HEAD^1
check 'a rebase works in mode own' exits 0 git rebase -q theirs
check 'in mode own a rebase queues that profiles go along, and no commit' \
	is "$(queued | tr ' ' '\n' | sort | uniq -c | tr -s ' \n' ' ')" \
	' 1 commit 2 rewrite '
check 'an amend is an own commit' exits 0 \
	git commit -q --amend --allow-empty -m 'other words'
check 'all three own commits are queued' \
	is "$(queued | tr ' ' '\n' | grep -c commit)" 3
kill "$(cat .git/perf/worker.lock)"
settle_worker
check 'status names the mode' exits 0 git perf hooks status
check 'status shows mode own' mentions out '^mode own, '
git config --global perf.hookDelay 0
drain
git config --global perf.hookMode queue
for wish in GIT_PERF_RUNNING=1 CI=true; do
	check "a commit works with $wish" exits 0 env $wish git commit -q --allow-empty -m quiet
	check "a commit with $wish queues nothing" is "$(queued)" ''
done
check 'a commit works with a wrong mode' exits 0 git -c perf.hookMode=never commit -q --allow-empty -m m
check 'a bad perf.hookMode is told' \
	mentions err "warning: bad perf.hookMode 'never'"
settle
check 'hooks run of an unknown hook ends well' exits 0 git perf hooks run pre-receive
check 'an unknown hook is told and no failure' \
	mentions err "'pre-receive' is no hook of git perf"
check 'outside of a repository' exits 0 git -C "$scratch" perf hooks run post-commit
check 'a hook outside of a repository is told' \
	mentions err 'did not queue this commit: not a git repository'

# ---- odd places

without=$(dirname "$(command -v git)"):/bin:/usr/bin
check 'a commit works without git-perf on PATH' \
	exits 0 env PATH="$without" sh -c \
	'command -v git-perf >/dev/null || git commit -q --allow-empty -m alone'
check 'the hook says that nothing is measured' prints err <<'END'
warning: git-perf is not on PATH, nothing is measured
END
drain
printf 'junk\n1 x commit y\n1 5 commit %s refs/heads/../../x -\n1 5 try\n\n1' \
	"$(git rev-parse HEAD)" >.git/perf/queue
commit 'behind junk'
check 'a queue full of junk' exits 0 git perf worker --status
check 'the queue has the one commit' says out '1 commit queued, no worker runs'
check 'the one commit is drained' drain
check 'the one commit is measured' is "$(builds)" 1
head -c 9000000 /dev/zero >.git/perf/queue
must git commit -q --allow-empty -m 'behind zeros'
check 'a queue with an endless line is drained' drain
check 'an endless line of the queue is gone after the worker' is "$(wc -c <.git/perf/queue)" 0
rm .git/perf/queue
mkdir .git/perf/queue
check 'a queue that is none' exits 0 git commit -q --allow-empty -m x
check 'a queue that cannot be written is told' \
	mentions err 'did not queue this commit: cannot write'
rmdir .git/perf/queue

must git init -q --shared=group ../shared
cd ../shared || exit 1
must git perf hooks install 2>"$err"
commit first
drain
check 'queue and lock can be written in a shared repository' \
	is "$(stat -c %A .git/perf .git/perf/queue .git/perf/worker.lock)" \
	"$(printf '%s\n' drwxrwsr-x -rw-rw-r-- -rw-rw-r--)"
cd ../fresh || exit 1
must git init -q --bare ../bare.git
must git push -q ../bare.git main
must git -C ../bare.git worktree add -q ../tree main
check 'install works in a bare repository with worktrees' exits 0 git -C ../bare.git perf hooks install
check 'a bare repository has hooks' test -x ../bare.git/hooks/post-commit
(cd ../tree && commit there)
check 'the bare repository queues a commit of its worktree' \
	is "$(queued ../bare.git)" 'commit '
check 'the worker runs in a bare repository' \
	exits 0 git -C ../bare.git perf worker --once
check 'the worker measures a commit of a bare repository' is "$(builds)" 1

must git init -q -b main ../super
must git -C ../super -c protocol.file.allow=always submodule --quiet add ../fresh lib
cd ../super/lib || exit 1
check 'install works in a submodule' exits 0 git perf hooks install
commit inside
check 'a submodule queues below its own folder' is "$(queued ../.git/modules/lib)" 'commit '
check 'nothing is written above the bare repository' not test -e ../.git/perf
check 'the queue of a submodule is drained' drain
check 'a commit of a submodule is measured' is "$(builds)" 1

# ---- what got worse is said by the next hook, where somebody asked for it

fresh
cat >.gitperf <<'END'
[job "cost"]
	cmd = "sh cost.sh {output}"
	collector = command
	option = format=customSmallerIsBetter
END
cat >cost.sh <<'END'
echo "[{\"name\": \"allocations\", \"unit\": \"count\", \"value\": $(cat cost)}]" >"$1"
END
cost()
{
	echo "$1" >cost
	must git add -A
	git commit -q -m "cost $1" 2>"$err"
}
cost 1000
must git perf trust >"$out"
for cost in 1001 1000 1001; do
	cost $cost
	drain
done
cost 1300
drain
check 'nothing is noted unless that is asked for' test ! -e .git/perf/slower
must git config perf.hookNote true
# The level of 1001, 1000, 1001 and 1300 is within these: +592 to +800 %. As it
# varies so much, less is not said to be worse.
cost 9000
drain
check 'the worker says what got worse' mentions err \
	"^$(git rev-parse --short=10 HEAD) (may have )?got worse: cost/command allocations \+(59[2-9]|[67][0-9]{2})\.[0-9] %"
worse=$(git rev-parse --short=10 HEAD)
cost 1702
check 'the next hook says what got worse' mentions err \
	"^ *$worse (may have )?got worse: cost/command allocations \+(59[2-9]|[67][0-9]{2})\.[0-9] %"
cost 1703
check 'what the hook said is said once' is "$(cat "$err")" ''
git config perf.hookNote maybe
drain
cost 2500
drain
check 'perf.hookNote that is no yes is no' not grep -q worse "$err"
# nothing measured the commit before: either of the two may have done it
git config perf.hookNote true
for cost in 1000 1001 1000 1001 1000 1001 1000 1001 1000 1001; do
	cost $cost
	drain
done
echo 1700 >cost
must git -c core.hooksPath=/dev/null commit -q -a -m 'cost 1700'
git commit -q --allow-empty -m more 2>"$err"
drain
check 'the note names the commits that may have done it' mentions err \
	"^one of 2 commits up to $(git rev-parse --short=10 HEAD) (may have )?got worse: cost/command allocations \+[67][0-9]\."
