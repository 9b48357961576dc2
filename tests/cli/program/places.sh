#!/bin/sh
# Bare repositories, linked worktrees, submodules, and git's own environment.
. "$(dirname "$0")/../lib.sh"
need jq
commit one
printf 'main;a 1\n' >"$scratch/a.folded"
a=$scratch/a.folded
count()
{
	git "$@" perf log --json --all | jq '[.commits[].profiles[]]|length'
}
# Every command that looks or writes, in every place: what add says is listed
# by status, log and show, and fsck finds no fault.
everywhere()
{
	place=$1
	shift
	check "$place: add works" exits 0 "$@" add "$a"
	id=$(sed -n 's/^added \([0-9a-f]*\) to .*/\1/p' "$err")
	check "$place: add says an id" is "${#id}" 16
	check "$place: status works" exits 0 "$@" status -v
	check "$place: status lists the profile" mentions out "^ +[0-9]+@i  $id  2"
	check "$place: log works" exits 0 "$@" log -v -n 1
	check "$place: log lists the profile" mentions out "^ +[0-9]+@i  $id  2"
	check "$place: show works" exits 0 "$@" show "$id"
	check "$place: show has the function" mentions out ' a$'
	check "$place: fsck works" exits 0 "$@" fsck
	check "$place: fsck finds no fault" mentions out ' 0 problems$'
}
must git worktree add -q --detach ../linked
check 'add works in a linked worktree' exits 0 git -C ../linked perf add "$a"
check 'the main worktree sees what a linked one added' is "$(count)" 1
must git clone -q --bare . ../bare.git
check 'add works in a bare repository' \
	exits 0 git -C ../bare.git perf add -m main "$a"
check 'the bare repository lists the profile' is "$(count -C ../bare.git)" 1
check 'status works in a bare repository' exits 0 git -C ../bare.git perf status
mkdir ../elsewhere
cd ../elsewhere || exit 1
check 'add works with GIT_DIR' \
	exits 0 env GIT_DIR="$scratch/repo/.git" git-perf add "$a"
check 'add works with --git-dir' \
	exits 0 git --git-dir="$scratch/repo/.git" perf add "$a"
check 'add works with GIT_DIR and GIT_WORK_TREE' \
	exits 0 env GIT_DIR="$scratch/repo/.git" \
	GIT_WORK_TREE="$scratch/elsewhere" git-perf add "$a"
check 'profiles of all these ways are in one list' \
	is "$(count -C "$scratch/repo")" 4
check '-C of git-perf finds the repository' \
	exits 0 git-perf -C "$scratch/repo" status
cd "$scratch/repo" || exit 1
git -c protocol.file.allow=always submodule add -q "$scratch/bare.git" sub 2>/dev/null
must git -C sub checkout -q main
check 'add works in a submodule' exits 0 git -C sub perf add "$a"
check 'the submodule has its own list' is "$(count -C sub)" 1
check 'git -c reaches us' exits 128 git -c perf.maxBodySize=1 perf add "$a"
check 'git -c changes the configuration of git perf' mentions err "'.*a.folded'"
unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
must git -c user.name=Me -c user.email=me@example.com perf add "$a"
check 'git -c user.name is the author' \
	is "$(git log -1 --format=%an refs/notes/perf)" Me
GIT_AUTHOR_NAME=You GIT_AUTHOR_EMAIL=you@example.com
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
must git perf add "$a"
GIT_COMMITTER_NAME=We GIT_COMMITTER_EMAIL=we@example.com
export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
check 'GIT_AUTHOR_NAME is the author of the notes' \
	is "$(git log -1 --format=%an refs/notes/perf)" You
must git checkout -q --detach
check 'status works on a detached HEAD' exits 0 git perf status
must git init -q -b main ../fresh
check 'status without commits' exits 0 git -C ../fresh perf status
check 'status without commits says so' mentions out 'no commits yet'
check 'log works without commits' exits 0 git -C ../fresh perf log
check 'log without commits prints nothing' silent out
check 'log without commits says why it is empty' \
	says err "no commits yet on branch 'main'"
check 'log --json works without commits' exits 0 git -C ../fresh perf log --json
check 'log --json without commits has an empty list' json '.commits' '[]'
git checkout -q main
git checkout -q -b side
echo a >f && git add f && commit side
git checkout -q main
echo b >f && git add f && commit main
git rebase -q side >/dev/null 2>&1
check 'in the middle of a rebase: status' exits 0 git perf status
check 'in the middle of a rebase: log' exits 0 git perf log -n 1
check 'in the middle of a rebase: add' exits 0 git perf add "$a"
everywhere 'in the middle of a rebase' git perf
git rebase --abort

everywhere 'linked worktree' git -C ../linked perf
must mv ../linked ../moved
everywhere 'linked worktree moved by mv' git -C ../moved perf
check 'linked worktree moved by mv: collect works' \
	exits 0 git -C ../moved perf collect -r 1 true
must git clone -q . ../linked
printf '[job "moved"]\n\tcmd = true\n' >../moved/.gitperf
check 'a clone where it was is not taken for it' \
	exits 0 git -C ../moved perf run --list
check 'the jobs of the worktree are listed' mentions out ' moved '
must rm -rf ../linked
must mkdir ../linked
must mv ../moved ../linked/below
check 'a worktree moved below its old place is in its new one' \
	exits 0 git -C ../linked/below perf run --list
check 'the jobs of the worktree below its old place are listed' mentions out ' moved '
must mv ../linked/below ../moved
must rmdir ../linked
must rm ../moved/.gitperf
must mv ../moved ../linked
everywhere 'bare repository' git -C ../bare.git perf
everywhere 'submodule' git -C sub perf
everywhere 'subfolder of a submodule' git -C "$(mkdir -p sub/x && echo sub/x)" perf
everywhere 'git -c' git -c user.name=Me -c core.filesRefLockTimeout=1000 perf
cd ../elsewhere || exit 1
everywhere 'GIT_DIR' env GIT_DIR="$scratch/repo/.git" git-perf
everywhere 'GIT_DIR of a linked worktree' \
	env GIT_DIR="$scratch/repo/.git/worktrees/linked" git-perf
everywhere 'GIT_WORK_TREE' env GIT_DIR="$scratch/repo/.git" \
	GIT_WORK_TREE="$scratch/elsewhere" git-perf
everywhere 'GIT_COMMON_DIR' env GIT_DIR="$scratch/repo/.git/worktrees/linked" \
	GIT_COMMON_DIR="$scratch/repo/.git" git-perf
cd ../fresh || exit 1
check 'unborn: fsck works' exits 0 git perf fsck
check 'unborn: show of a file' exits 0 git perf show "$a"
check 'unborn: show of nothing' exits 128 git perf show 0@i
check 'unborn: the error of show is one line' is "$(wc -l <"$err")" 1
check 'unborn: add is refused' exits 128 git perf add "$a"
check 'unborn: says what to do' mentions err 'commit first, or name one with -m$'
check 'unborn: nothing is made' is "$(git for-each-ref)$(git count-objects)" \
	'0 objects, 0 kilobytes'

must git init -q --shared=group ../group
cd ../group || exit 1
commit one
umask 077
check 'collect works in a shared repository' exits 0 git perf collect -r 1 true
check 'add works in a shared repository' exits 0 git perf add "$a"
umask 022
check 'the group may read and write all that it has to' \
	is "$(find .git/perf -type f ! -perm -060; find .git/perf -type d \
		! -perm -2070; find .git/objects .git/refs/notes \
		-name '[0-9a-f][0-9a-f]' ! -perm -2070)" ''

must git init -q ../extended
cd ../extended || exit 1
commit one
must git config core.repositoryformatversion 1
must git config extensions.partialClone origin
must git config extensions.preciousObjects true
must git config extensions.objectFormat sha1
everywhere 'extensions that change nothing' git perf
