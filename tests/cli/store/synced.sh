#!/bin/sh
# The order in which an add reaches the disk, seen by strace. With a journal:
# the data of pack and index, then their names, then a sync of the ref's lock
# file, which commits these, too; only then the ref has its new value, and its
# name is synced. Without one each file and each folder is synced.
# /dev/shm is the other file system.
case ${TMPDIR-} in /dev/shm/*) unset TMPDIR ;; esac
. "$(dirname "$0")/../lib.sh"
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
	sed -e 's/^[0-9]* *//' ../trace | sed -n \
		-e 's/.*sync_file_range.*WAIT_AFTER.*/data/p' \
		-e 's/^rename(.*objects.*/name/p' \
		-e 's/^rename(.*perf\.lock.*/ref/p' \
		-e 's/^fsync(.*perf\.lock>).*/lock/p' \
		-e 's/^fsync(.*refs\/notes>).*/folder/p' \
		-e 's/^fsync(.*objects.*/object/p' | uniq
}
grep -q sync_file_range ../trace || skip 'built without sync_file_range'
# as Linux itself says of the file system that we stand in
journalled()
{
	device=$(basename "$(readlink "/sys/dev/block/$(
		stat -c %Hd:%Ld "$1")" 2>/dev/null)" 2>/dev/null)
	case $(stat -f -c %T "$1") in
	ext2/ext3) grep -q '^[1-9]' "/sys/fs/ext4/$device/journal_task" \
		2>/dev/null ;;
	xfs) true ;;
	*) false ;;
	esac
}
if journalled .; then
	all='data name lock ref folder '
	first='data name object '
	fails=sync_file_range:error=EIO:when=3+
else
	all='object name object lock ref folder '
	first='object name object '
	fails=fsync:error=EIO:when=1+
fi
check 'files and ref are synced in this order' \
	is "$(steps | tr '\n' ' ')" "$all"
check 'files have their bytes before their names' is "$(
	grep -cE 'fsync\(.*/tmp_(pack|idx)_|WAIT_AFTER' ../trace)" 2

# git makes the ref of the first add: objects are synced before, and the ref and
# the folders that it may have made behind that.
must git update-ref -d refs/notes/perf
rm -rf .git/refs/notes
printf 'main;other 3\n' >b.folded
must traced -y -f -o ../trace -e trace=rename,fsync,sync_file_range \
	git-perf add b.folded
check 'the first add syncs each file by itself' is \
	"$(steps | grep -v -e folder -e lock -e ref | tr '\n' ' ')" "$first"
for name in refs/notes/perf refs/notes refs; do
	check "$name is synced as the last" \
		is "$(sed -n '/perf\.lock", /,$p' ../trace |
			grep -c "fsync(.*\.git/$name>)")" 1
done

# What the disk could not take is said, though fsync(2) would say no more of it.
tip=$(git rev-parse refs/notes/perf)
printf 'main;third 3\n' >c.folded
check 'a disk that fails' exits 128 traced -o ../trace \
	-e inject=$fails git-perf add c.folded
check 'a sync that fails is named' \
	mentions err '^fatal: cannot write .*Input/output error'
check 'a sync that fails moves no ref' is "$(git rev-parse refs/notes/perf)" "$tip"
check 'a sync that fails leaves nothing behind' \
	is "$(find .git -name 'tmp_*' -o -name '*.keep')" ''

# Where one sync does not stand for what came before it, each thing has its own:
# on a file system without a journal, and where the refs are on another one.
other=$(mktemp -d /dev/shm/git-perf-synced.XXXXXX 2>/dev/null) || {
	echo 'SKIPPED the rest: /dev/shm cannot be used'
	exit 0
}
at_end='rm -rf "$other"'
[ "$(stat -c %d "$other")" != "$(stat -c %d .)" ] || {
	echo 'SKIPPED the rest: /dev/shm is no file system of its own'
	exit 0
}
must mv .git/objects "$other/objects"
must ln -s "$other/objects" .git/objects
must traced -y -o ../trace -e trace=rename,fsync,sync_file_range \
	git-perf add c.folded
check 'each file is synced by itself where no journal is known' \
	is "$(steps | tr '\n' ' ')" \
	'object name object lock ref folder '
check 'pack, index and folder are synced where no journal is known' is \
	"$(grep -c '^fsync(.*objects' ../trace)" \
	3
