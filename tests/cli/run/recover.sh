#!/bin/sh
# Runs that were interrupted: what refuses to begin, what recover finishes,
# what status tells of it.
. "$(dirname "$0")/../lib.sh"
echo one >a
echo o >kept.o
echo '*.o' >.gitignore
must git add a .gitignore
commit one
echo two >a
must git add a
commit two
must rm -f kept.o

check 'recover without an interrupted run works' exits 0 git perf recover
check 'recover says that there is nothing to do' says err 'nothing to recover'
check 'recover takes no argument' exits 129 git perf recover now

# A run that ends in its build, by the build's own hand.
killed()
{
	INPLACE_BUILD="$1; kill -9 \$PPID" inplace begin HEAD~1 2>"$err"
	[ $? -eq 137 ]
}
echo mine >a
echo new >b
echo staged >c
must git add c
check 'a run that is killed' killed 'echo left >out.txt; echo o >new.o'
check 'a killed run leaves another commit checked out' is "$(cat a)" one
check 'status works after a killed run' exits 0 git perf status
check 'status tells of an interrupted run' \
	mentions out '^a run in this work tree was interrupted'
check 'status --short works after an interrupted run' \
	exits 0 git perf status --short
check 'status --short tells of an interrupted run' \
	mentions out 'a run was interrupted$'
check 'status --json works after an interrupted run' \
	exits 0 git perf status --json
check 'status --json tells of an interrupted run' json .interrupted true
check 'another run in place is refused' exits 128 inplace begin HEAD
check 'the refusal names git perf recover' \
	says err "fatal: a run in place was interrupted; \
run 'git perf recover' first"
check 'a copy has a ref' is \
	"$(git for-each-ref refs/perf/state | wc -l)" 1
check 'the safety copy is one that git stash applies' is \
	"$(git show "$(git for-each-ref --format='%(refname)' \
		refs/perf/state)^3:b")" new
check 'the stash of all worktrees is not touched' is \
	"$(git stash list | wc -l)" 0
check 'recover works after a killed run' exits 0 git perf recover
check 'recover says that all is back' \
	says err 'the work tree is as it was before the run'
check 'recover says where leftovers are' mentions err 'perf/leftovers/'
check 'changed files are back' is "$(cat a b c)" 'mine
new
staged'
check 'the index is back' is "$(git diff --cached --name-only)" c
check 'the branch is back' is "$(git symbolic-ref HEAD)" refs/heads/main
check 'the stash is as before' is "$(git stash list | wc -l)" 0
check 'recover leaves no ref' is "$(git for-each-ref refs/perf | wc -l)" 0
check 'a file that the build left is kept' \
	is "$(cat .git/perf/leftovers/*/*/out.txt)" left
check 'an ignored file that the build left is kept' \
	is "$(cat .git/perf/leftovers/*/*/new.o)" o
check 'a file that the build left is gone from the tree' test ! -e new.o
check 'recover works a second time' exits 0 git perf recover
check 'the second recover has nothing to do' says err 'nothing to recover'

# What the user does between the crash and the recovery is not lost.
check 'a run after a recovered one is killed' killed 'echo mine >a'
echo later >later
echo edited >a
check 'recover after edits' exits 0 git perf recover
check 'recover after edits puts the old file back' is "$(cat a)" mine
check 'an edited file is kept among the leftovers' \
	is "$(find .git/perf/leftovers -name a -exec cat {} + | sort -u)" edited
check 'a new file is kept among the leftovers' \
	is "$(cat .git/perf/leftovers/*/*/later)" later

# Files that were set aside and are gone (a power cut, a build): they are told,
# and the copy is kept.
must rm -rf .git/perf/leftovers
check 'a run that is killed with a file aside' killed true
must rm .git/perf/state/aside/a .git/perf/state/aside/b
check 'recover ends though files aside are gone' exits 0 git perf recover
check 'recover does not say that all is as before' \
	not mentions err 'as it was before the run'
check 'recover names a changed file that is gone' \
	mentions err "'a' was set aside and is not there any more"
check 'recover names a new file that is gone' \
	mentions err "'b' was set aside and is not there any more"
check 'a file whose change is gone has the bytes of HEAD' \
	is "$(cat a)" two
copy=$(git for-each-ref --format='%(refname)' refs/perf/state)
check 'the copy has the changed file' is "$(git show "$copy:a")" mine
check 'the copy has the new file' is "$(git show "$copy^3:b")" new
check 'recover names the copy' mentions err "git update-ref -d $copy"
check 'the copy is no unfinished run' exits 0 git perf recover
must git update-ref -d "$copy"
echo mine >a
echo new >b

# Files of the state that were cut (a power cut, a full disk).
check 'a run that is killed with its index aside' killed true
must cp .git/perf/state/index "$scratch/index"
: >.git/perf/state/index
check 'recover refuses an index that was cut' exits 128 git perf recover
check 'recover says what brings the index' mentions err "\\^4:index"
check 'the repository still has an index' exits 0 git ls-files
must cp "$scratch/index" .git/perf/state/index
must cp .git/perf/state/HEAD "$scratch/HEAD"
: >.git/perf/state/HEAD
check 'recover refuses a HEAD that was cut' exits 128 git perf recover
check 'the repository still has a HEAD' exits 0 git rev-parse HEAD
must cp "$scratch/HEAD" .git/perf/state/HEAD
: >.git/perf/state/before
must mkdir -p .git/perf/state/taken/0
echo taken >.git/perf/state/taken/0/a
check 'recover needs no index of the run' exits 0 git perf recover
check 'what no index knows is kept' \
	is "$(find .git/perf/leftovers -name a -exec cat {} +)" taken
check 'all is back after the files were mended' is "$(cat a b c)" 'mine
new
staged'

# One that died while it changed refs, and a git of the user that has the lock
# of packed-refs for a second.
check 'a run that is killed beside a git' killed true
must touch .git/perf/state/touching
must git update-ref refs/heads/gone HEAD
must git pack-refs --all
cat >.git/hooks/reference-transaction <<END
#!/bin/sh
[ "\$1" = prepared ] && [ "\$SLOW" ] || exit 0
>"$scratch/up"
sleep 1
test -e .git/packed-refs.lock && echo kept >>"$scratch/locked"
END
must chmod +x .git/hooks/reference-transaction
SLOW=1 git update-ref -d refs/heads/gone &
until [ -e "$scratch/up" ]; do sleep .05; done
check 'recover beside a git that has packed-refs' exits 0 git perf recover
wait $!
check 'the git beside recover ends well' is $? 0
check 'recover leaves the lock of packed-refs to a git that is alive' \
	is "$(sort -u "$scratch/locked")" kept
must rm .git/hooks/reference-transaction

# A file that the user wants to stay.
echo data >big.o
must git config perf.inPlaceKeep big.o
INPLACE_BUILD='[ -e big.o ] && echo seen >seen.txt'
export INPLACE_BUILD
check 'a path that is kept' exits 0 inplace begin HEAD~1
check 'a kept folder is there for builds' \
	is "$(cat .git/perf/leftovers/*/*/seen.txt)" seen
check 'a kept file is there after the run' is "$(cat big.o)" data
unset INPLACE_BUILD
must git config perf.inPlaceKeep ../x
check 'a path outside of the tree in perf.inPlaceKeep ends a run' exits 128 inplace begin HEAD
check 'a path outside of the tree is refused in perf.inPlaceKeep' \
	mentions err "'../x' in perf.inPlaceKeep is no path"
must git config --unset perf.inPlaceKeep
check 'recover works after a refused run' exits 0 git perf recover
check 'a refused run leaves nothing to recover' says err 'nothing to recover'

# What must not be touched.
must git stash -q -u
must git checkout -q -b side HEAD~1
echo three >a
must git commit -q -a -m side
check 'a rebase that stops' exits 1 git rebase -q main
check 'refused in a rebase' exits 128 inplace begin main
check 'the refusal in a rebase names the rebase' mentions err 'a rebase is in progress'
must git rebase --abort
check 'a cherry-pick that stops' exits 1 git cherry-pick main
check 'refused in a cherry-pick' exits 128 inplace begin main
check 'a cherry-pick in progress is refused with its name' \
	mentions err 'a cherry-pick is in progress'
must git cherry-pick --abort
must git bisect start >"$out"
check 'refused in a bisection' exits 128 inplace begin main
check 'the refusal in a bisection names the bisection' mentions err 'a bisection is in progress'
must git bisect reset >"$out" 2>&1
: >.git/index.lock
check 'refused beside a git' exits 128 inplace begin main
check 'the refusal beside a git names its lock' mentions err 'index.lock'
must rm .git/index.lock
must git clone -q --bare . "$scratch/bare.git"
cd "$scratch/bare.git" || exit 1
check 'refused without a work tree' exits 128 inplace begin main
check 'a bare repository is refused with its name' \
	mentions err 'bare repository'
check 'recover of a bare one' exits 0 git perf recover

# A linked worktree; two at once.
cd "$scratch/repo" || exit 1
must git worktree add -q "$scratch/linked" main
cd "$scratch/linked" || exit 1
echo linked >a
check 'a run in place works in a linked worktree' exits 0 inplace begin HEAD~1
check 'a linked worktree is as before the run' \
	is "$(cat a) $(git symbolic-ref HEAD)" 'linked refs/heads/main'
mkfifo "$scratch/go" "$scratch/ready"
INPLACE_BUILD="echo >$scratch/ready; read x <$scratch/go" \
	inplace begin HEAD~1 >"$scratch/first" 2>&1 &
read -r line <"$scratch/ready"
check 'a second run in place at once is refused' exits 128 inplace begin HEAD
check 'recover beside a live run is refused with its process' \
	mentions err 'in process [0-9]'
check 'recover during a run is refused' exits 128 git perf recover
check 'another run beside a live one is refused with its process' \
	mentions err 'in process [0-9]'
check 'status works during a run' exits 0 git perf status
check 'status tells of the process that measures' \
	mentions out '^process [0-9]* measures'
check 'recover in another worktree is not refused' exits 0 git -C "$scratch/repo" perf recover
echo >"$scratch/go"
wait
check 'the run in place that others were refused beside ends well' is "$(cat "$scratch/first")" restored
check 'a linked worktree is as it was after recover' is "$(cat a)" linked

# The stash is one list for all worktrees: what is popped in one while a run is
# under way in another is what was pushed there.
cd "$scratch/repo" || exit 1
echo 'put away' >a
must git stash -q
(
	cd "$scratch/linked" || exit 1
	INPLACE_BUILD="echo >$scratch/ready; read x <$scratch/go" \
		inplace begin HEAD~1 >"$scratch/first" 2>&1
) &
read -r line <"$scratch/ready"
check 'git stash pop beside a run' exits 0 git stash pop -q
echo >"$scratch/go"
wait
check 'a stash during a run can be taken' is "$(cat a)" 'put away'
check 'a run ends well beside a stash' is "$(cat "$scratch/first")" restored
check 'a linked worktree keeps its own changes' \
	is "$(cat "$scratch/linked/a")" linked
check 'the entry below the stash that was taken is still there' is \
	"$(git stash list | wc -l)" 1
must git checkout -q a

# While its run has not ended, a linked worktree stays: to git it looks clean.
must git worktree add -q "$scratch/kept" -b kept
cd "$scratch/kept" || exit 1
echo kept >a
echo kept >untracked
check 'a run in a linked worktree that is killed' killed true
check 'a linked worktree of a killed run cannot be removed' exits 128 git worktree remove "$scratch/kept"
check 'a linked worktree is locked with the way out' \
	mentions err "git perf recover"
check 'recover works in a linked worktree' exits 0 git perf recover
check 'recover brings the changes of a linked worktree back' is "$(cat a untracked)" 'kept
kept'
check 'recover unlocks a linked worktree' \
	not test -e "$(git rev-parse --git-dir)/locked"
must git worktree lock --reason 'on a stick' "$scratch/kept"
check 'a run in a worktree that the user has locked' exits 0 inplace begin HEAD~1
check 'a lock of the user stays during a run' is \
	"$(cat "$(git rev-parse --git-dir)/locked")" 'on a stick'
check 'a killed run in a worktree that the user has locked' killed true
check 'recover in a worktree that the user has locked' exits 0 git perf recover
check 'a lock of the user stays after recover' is \
	"$(cat "$(git rev-parse --git-dir)/locked")" 'on a stick'

# A sparse checkout with a file outside of its patterns that is there.
must git clone -q "$scratch/repo" "$scratch/sparse" -b main
cd "$scratch/sparse" || exit 1
mkdir in out
echo 1 >in/f
echo 1 >out/f
echo 1 >out/g
must git add .
commit folders
echo 2 >in/f
must git commit -q -a -m two
must git sparse-checkout set in
must mkdir out
echo 1 >out/f
echo 3 >in/f
git status >"$out"
check 'a run begins in a sparse checkout' exits 0 inplace begin HEAD~1
check 'files outside of the repository stay' is "$(cat in/f out/*)" '3
1'

# The git directory on another file system.
if [ -w /dev/shm ] && [ "$(stat -c %d /dev/shm)" != "$(stat -c %d .)" ]; then
	far=$(mktemp -d /dev/shm/git-perf-far.XXXXXX)
	must git clone -q --separate-git-dir="$far/git" "$scratch/repo" \
		-b main "$scratch/far"
	cd "$scratch/far" || exit 1
	echo far >a
	echo new >n
	INPLACE_BUILD='git clean -q -fdx; echo x >left' \
		check 'a run works from another file system' \
			exits 0 inplace begin HEAD~1
	check 'changes are back after a run from another file system' is "$(cat a n)" 'far
new'
	check 'leftovers of a run from another file system are kept' is "$(cat .git-perf-leftovers-*/*/left)" x
	check 'a run from another file system makes one folder of ours' \
		is "$(ls -d .git-perf-* | wc -l)" 1
	rm -rf "$far"
fi
