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
must strace -y -o ../trace \
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
check 'in this order' is "$(steps | tr '\n' ' ')" 'data name lock ref folder '
check 'each object is synced' is "$(grep -c 'rename(.*objects/' ../trace)" \
	"$(grep -c 'sync_file_range.*WAIT_AFTER' ../trace)"

# The first add of a repository lets git make the ref: objects are synced
# before.
must git update-ref -d refs/notes/perf
printf 'main;other 3\n' >b.folded
must strace -y -o ../trace -e trace=rename,fsync,sync_file_range \
	git-perf add b.folded
check 'at first by themselves' is "$(steps | tr '\n' ' ')" 'data name object '
