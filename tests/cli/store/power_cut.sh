#!/bin/sh
# A power cut right behind an add: what the loop device's file has then is what
# a disk would have. Root only, on file systems with and without a journal.
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root mounts'
need mkfs.ext4 e2fsck losetup
mounted=$scratch/mounted
after=$scratch/after
must mkdir "$mounted" "$after"
away()
{
	umount "$mounted" "$after" 2>/dev/null
}
at_end=away

# What fsck counts in the file system as the power cut left it.
counted()
{
	case $kind in
	*ext*) e2fsck -fy "$1" >../fsck.out 2>&1 ;;
	esac
	must mount -o loop "$1" "$after"
	git -C "$after/r" perf fsck 2>&1 | tail -n 1
	umount "$after"
}
# cut NAME: the disk as it is at this moment
cut()
{
	must cp --sparse=always "$scratch/disk" "$scratch/$1"
}
many()
{
	for n in $(seq 24); do
		printf 'main;m%d 1\n' "$n" >"$scratch/m$n"
		printf 'HEAD\t%s\n' "$scratch/m$n"
	done
}
# on SIZE MKFS...: adds on a new file system, and what is there behind each
on()
{
	truncate -s "$1" "$scratch/disk"
	shift
	kind="$*"
	must "$@" "$scratch/disk" >../mkfs.out 2>&1
	if ! mount -o loop "$scratch/disk" "$mounted" 2>/dev/null; then
		echo "SKIPPED $kind: it cannot be mounted"
		return
	fi
	must git init -q -b main "$mounted/r"
	cd "$mounted/r" || exit 1
	commit one
	printf 'main;f 1\n' >"$scratch/p"
	sync -f .
	check "$kind: the first add" exits 0 git perf add "$scratch/p"
	cut first
	check "$kind: the second add" exits 0 git perf add "$scratch/p"
	cut second
	must git pack-refs --all --prune
	sync -f .
	check "$kind: one behind pack-refs" exits 0 git perf add "$scratch/p"
	cut packed
	many >"$scratch/list"
	check "$kind: a batch" exits 0 git perf add --stdin <"$scratch/list"
	cut batch
	for n in 1 2 3 4 5 6 7 8 9; do
		printf 'main;own%d 1\n' "$n" >"$scratch/own"
		must git perf add "$scratch/own" 2>../said
	done
	cut joined
	cd "$scratch/repo" || exit 1
	must umount "$mounted"
	check "$kind: the first add is there" is "$(counted "$scratch/first")" \
		'1 commit, 1 profile, 1 body: 0 problems'
	check "$kind: the second" is "$(counted "$scratch/second")" \
		'1 commit, 2 profiles, 1 body: 0 problems'
	check "$kind: the one behind pack-refs" is \
		"$(counted "$scratch/packed")" \
		'1 commit, 3 profiles, 1 body: 0 problems'
	check "$kind: the batch" is "$(counted "$scratch/batch")" \
		'1 commit, 27 profiles, 25 bodies: 0 problems'
	check "$kind: packs that were taken in" is \
		"$(counted "$scratch/joined")" \
		'1 commit, 36 profiles, 34 bodies: 0 problems'
	rm -f "$scratch/disk" "$scratch/first" "$scratch/second" \
		"$scratch/packed" "$scratch/batch" "$scratch/joined"
}
on 32M mkfs.ext4 -q -F
on 32M mkfs.ext4 -q -F -O ^has_journal
on 32M mkfs.ext2 -q -F
command -v mkfs.xfs >../which && on 400M mkfs.xfs -q
command -v mkfs.btrfs >../which && on 400M mkfs.btrfs -q
exit 0
