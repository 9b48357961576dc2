#!/bin/sh
# The order in which an add reaches the disk, seen by strace: every object's
# data, then their names, then a sync of the ref's lock file, which commits
# these, too; only then the ref has its new value, and its name is synced.
. "$(dirname "$0")/lib.sh"
need strace
strace -o "$scratch/probe" true 2>/dev/null || skip 'strace may not trace here'
commit one
printf 'main;work 3\n' >a.folded
must git perf add a.folded
must traced -y -o ../trace \
	-e trace=rename,fsync,sync_file_range,write,link,unlink \
	git-perf add a.folded
steps()
{
	sed -n \
		-e 's/.*sync_file_range.*WAIT_AFTER.*/data/p' \
		-e 's/^rename(.*objects.*/name/p' \
		-e 's/^rename(.*perf\.lock.*/ref/p' \
		-e 's/^fsync(.*perf\.lock>).*/lock/p' \
		-e 's/^fsync(.*refs\/notes>).*/folder/p' \
		-e 's/^fsync(.*objects.*/object/p' ../trace | uniq
}
grep -q sync_file_range ../trace || skip 'built without sync_file_range'
case $(stat -f -c %T .) in
ext2/ext3 | xfs) ;;
*) skip 'the folder for temporary files has no journal of ext4 or XFS' ;;
esac
check 'in this order' is "$(steps | tr '\n' ' ')" 'data name lock ref folder '
check 'each object is synced' is "$(grep -c 'rename(.*objects/' ../trace)" \
	"$(grep -c 'sync_file_range.*WAIT_AFTER' ../trace)"

# The first add of a repository lets git make the ref: objects are synced
# before.
must git update-ref -d refs/notes/perf
printf 'main;other 3\n' >b.folded
must traced -y -o ../trace -e trace=rename,fsync,sync_file_range \
	git-perf add b.folded
check 'at first by themselves' is "$(steps | tr '\n' ' ')" 'data name object '

# What the disk could not take is said, though fsync(2) would say no more of it.
tip=$(git rev-parse refs/notes/perf)
printf 'main;third 3\n' >c.folded
check 'a disk that fails' exits 128 traced -o ../trace \
	-e inject=sync_file_range:error=EIO:when=2+ git-perf add c.folded
check 'is named' mentions err '^fatal: cannot write .*Input/output error'
check 'moves no ref' is "$(git rev-parse refs/notes/perf)" "$tip"
check 'and leaves nothing behind' is "$(find .git -name 'tmp_obj*')" ''

# Where one sync does not stand for what came before it, each thing has its own:
# on a file system without a journal, and where the refs are on another one.
other=$(mktemp -d /dev/shm/git-perf-synced.XXXXXX 2>/dev/null) || {
	echo 'SKIPPED the rest: /dev/shm cannot be used'
	exit 0
}
trap 'rm -rf "$other"; finish' EXIT
[ "$(stat -c %d "$other")" != "$(stat -c %d .)" ] || {
	echo 'SKIPPED the rest: /dev/shm is no file system of its own'
	exit 0
}
must mv .git/objects "$other/objects"
must ln -s "$other/objects" .git/objects
must traced -y -o ../trace -e trace=rename,fsync,sync_file_range \
	git-perf add c.folded
check 'by itself elsewhere' is "$(steps | tr '\n' ' ')" \
	'object name object lock ref folder '
check 'with each name' is \
	"$(grep -c '^fsync(.*objects' ../trace)" \
	"$(($(grep -c '^rename(.*objects/' ../trace) * 2 + 1))"
