#!/bin/sh
# What is mounted below a measuring worktree is not ours: nothing reaches
# through it. As root, in a mount namespace of its own.
if [ "${1:-}" != inside ]; then
	[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || {
		echo 'SKIPPED mounts: needs root and unshare'
		exit 77
	}
	exec unshare -m --propagation private sh "$0" inside
fi
. "$(dirname "$0")/../lib.sh"
need mount umount
echo 1 >file
echo '/kept' >.gitignore
must git add .
commit one
echo 2 >file
must git add .
commit two
mkdir "$scratch/mine"
echo precious >"$scratch/mine/file"
MINE=$scratch/mine
export MINE
below=$(pwd -P)/.git/perf/worktrees
run()
{
	printf '[job "j"]\n\tbuild = "%s"\n\tcmd = true\n\truns = 1\n' \
		"$1" >"$scratch/job"
	shift
	git perf run --again --config="$scratch/job" "$@"
}
unmount()
{
	umount "$1" || umount -l "$1"
}

check 'a build that leaves a bind mount' exits 128 \
	run 'mkdir -p kept && mount --bind $MINE kept' HEAD~1 HEAD
check 'a bind mount that a build left is named' says err \
	"fatal: '$below/perf-1/kept' is a mount point: unmount it first"
check 'what is behind a bind mount stays after the run' \
	is "$(cat "$MINE/file")" precious
check 'recover fails at a bind mount' exits 128 git perf recover
check 'recover refuses to remove a mount point' \
	mentions err 'perf-1/kept. is a mount point: unmount it first'
check 'what is behind a bind mount stays after recover' \
	is "$(cat "$MINE/file")" precious
check 'another run works beside the mount' exits 0 run 'pwd >kept' HEAD
check 'another run takes the next worktree' \
	says err 'added 1 profile to 1 commit'
unmount "$below/perf-1/kept"
check 'recover without the mount' exits 0 git perf recover
check 'recover removes the worktree of a former mount' not test -e "$below/perf-1"
check 'git does not know the removed worktree' \
	is "$(git worktree list | wc -l)" 1

check 'a build that leaves a file system at a name with a blank' exits 128 \
	run 'mkdir -p kept/a\\ b && mount -t tmpfs none kept/a\\ b && : >kept/a\\ b/x' HEAD
check 'a mount point with a blank in its name is named' \
	mentions err "kept/a b' is a mount point"
check 'what a mounted file system holds stays' \
	test -e "$below/perf-1/kept/a b/x"
unmount "$below/perf-1/kept/a b"
check 'recover works when nothing is mounted any more' exits 0 git perf recover

check 'a build that mounts over the worktree itself' exits 128 \
	run 'mount --bind $MINE $PWD' HEAD~1 HEAD
check 'what is mounted over the worktree is not cleaned' is "$(cat "$MINE/file")" precious
unmount "$below/perf-1"
check 'recover after it was unmounted' exits 0 git perf recover
check 'recover leaves nothing after the mount has gone' \
	is "$(ls "$below" | grep -v lock)" ''

mkdir "$below/perf-10"
must mount --bind "$MINE" "$below/perf-10"
check 'a mount at a number of which the first digit is equal' exits 0 run true HEAD
check 'a mount of another name is in no way' says err 'added 1 profile to 1 commit'
unmount "$below/perf-10"

# In place nothing can be renamed from one file system to another.
mkdir there with
echo tracked >there/file
must git add there
commit three
echo 'my edit' >file
echo mine >with/mine
mkdir "$scratch/other" with/in
echo elsewhere >"$scratch/other/file"
before="$(cat file with/mine)"
must mount --bind "$scratch/other" there
check 'a run in place with a mount point that commits have is refused' \
	exits 128 run true --in-place HEAD~1
check 'the mount point in the work tree is named' mentions err \
	"fatal: cannot run in place: '.*/there' is a mount point; unmount it"
check 'nothing is touched before a mount point is named' is \
	"$(cat file with/mine there/file; ls .git/perf | grep state)" \
	"$before
elsewhere"
unmount there
must mount --bind "$scratch/other" with
check 'a run in place with a mount point of the user is refused' \
	exits 128 run true --in-place HEAD~1
check 'the way to leave a mount point is named' mentions err \
	'perf.inPlaceKeep=with leaves it where it is'
must git config perf.inPlaceKeep with
check 'a mount point that is kept is in no way' \
	exits 0 run true --in-place HEAD~1
check 'a mount point that is kept stays mounted' \
	is "$(cat with/file)" elsewhere
unmount with
must git config --unset perf.inPlaceKeep
must mount --bind "$scratch/other" with/in
check 'a mount point deep in a folder of the user moves with it' \
	exits 0 run 'test ! -e with' --in-place HEAD~1
check 'a mount point that moved is where it was' \
	is "$(cat with/in/file with/mine)" 'elsewhere
mine'
unmount with/in
check 'all is as it was after runs beside mount points' \
	is "$(cat file with/mine there/file)" "$before
tracked"
