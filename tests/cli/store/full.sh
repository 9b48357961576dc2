#!/bin/sh
# A full disk, a limit of files and a repository that may not be written: one
# clear line, and all is as it was.
. "$(dirname "$0")/../lib.sh"
commit one
printf 'main;work 3\n' >small.folded
awk 'BEGIN { srand(2); for (i = 0; i < 90000; i++)
	printf "main;f%d;g%d;h%d %d\n", rand() * 9999, rand() * 9999,
		rand() * 9999, rand() * 99999 }' >large.folded

# The same of a file that may not get so large, in blocks of 512 bytes; what is
# added is added where it is the cache that has no room.
must git perf add small.folded
must truncate -s 4000 .git/perf/cache/recent
printf 'main;work 4\n' >other.folded
limited()
{
	(ulimit -f 8 && exec "$@")
}
check 'an add whose text the cache has no room for' \
	exits 0 limited git-perf add other.folded
check 'an add of more than a file may have fails' \
	exits 128 limited git-perf add large.folded
check 'the limit is named as the cause' mentions err '^fatal: .*File too large'
check 'no temporary file is left behind the limit' \
	is "$(find .git -name '*tmp*' -o -name '*.lock')" ''
check 'a program that is measured meets the limit as ever' exits 128 \
	limited git-perf collect -- sh -c 'head -c 9000 large.folded >part; exit $?'
check 'such a program wrote as far as the limit' is "$(wc -c <part)" 4096
must git update-ref -d refs/notes/perf

# A folder in which nobody can make a file: no other process is waited for.
must rm -rf .git/refs/notes
must ln -s /proc .git/refs/notes
check 'a first add whose ref cannot be locked' exits 128 git-perf add small.folded
check 'the reason that git gives is told' mentions err \
	"^fatal: cannot move 'refs/notes/perf': .*Unable to create '.*/refs/notes/perf.lock': "
check 'nothing is waited for' not mentions err 'waiting for|others lock it'
must rm .git/refs/notes

[ "$(id -u)" -eq 0 ] || skip 'only root can mount a small disk'
mkdir "$scratch/disk"
mount -t tmpfs -o size=600k tmpfs "$scratch/disk" 2>/dev/null ||
	skip 'no right to mount a tmpfs'
at_end='umount "$scratch/disk"'
must git clone -q . "$scratch/disk/repo"
must git -C "$scratch/disk/repo" perf add "$PWD/small.folded"
cd "$scratch/disk/repo" || exit 1
tip=$(git rev-parse refs/notes/perf)
check 'an add to a full disk fails' \
	exits 128 git perf add "$scratch/repo/large.folded"
check 'the full disk is named as the cause' \
	mentions err '^fatal: .*No space left on device'
check 'a full disk gives one line' is "$(wc -l <"$err")" 1
check 'the ref is where it was' is "$(git rev-parse refs/notes/perf)" "$tip"
check 'no temporary file is left on a full disk' \
	is "$(find .git -name '*tmp*' -o -name '*.lock')" ''
check 'the store has no fault' exits 0 git perf fsck
check 'a small profile still fits on a nearly full disk' \
	exits 0 git perf add "$scratch/repo/small.folded"
check 'an export to a full disk fails' exits 128 \
	git perf export --to=collapsed -o "$scratch/disk/out" \
	"$scratch/repo/large.folded"
check 'an export to a full disk leaves no half file' \
	not test -e "$scratch/disk/out"
cd "$scratch/repo" || exit 1

command -v setpriv >/dev/null || exit 0
cp "$(command -v git-perf)" "$scratch/git-perf"
must git perf add small.folded
cp -r . "$scratch/theirs"
cp -r . "$scratch/mine"
chown -R nobody "$scratch/mine"
chmod -R a-w "$scratch/mine"
chmod -R a+rX "$scratch"
as_nobody()
{
	setpriv --reuid=nobody --clear-groups "$scratch/git-perf" -C "$@"
}
check 'an add to a repository without write access fails' exits 128 \
	as_nobody "$scratch/mine" add small.folded
check 'missing write access is named as the cause' \
	mentions err '^fatal: .*Permission denied'
check 'missing write access gives one line' is "$(wc -l <"$err")" 1
rm -rf "$scratch/mine/.git/perf"
check 'the first add without write access fails' exits 128 \
	as_nobody "$scratch/mine" add small.folded
check 'the first add names the folder that it cannot create' mentions err \
	"^fatal: cannot create folder '.*/perf': Permission denied"
check 'a repository without write access can be read' \
	exits 0 as_nobody "$scratch/mine" show 0@i
check 'a repository of another user is refused' exits 128 \
	as_nobody "$scratch/theirs" status
check 'the refusal has the words of git about ownership' \
	mentions err '^fatal: .*dubious ownership'
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
export GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
check 'a repository of another user opens where git opens it' exits 0 \
	as_nobody "$scratch/theirs" status
unset GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
