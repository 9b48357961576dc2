#!/bin/sh
# Indexes of packs that were damaged: libgit2 1.5.1 dies of most of them. Each
# command names the file and what makes it anew, and that does.
. "$(dirname "$0")/../lib.sh"
for n in 1 2 3; do
	echo $n >f
	must git add f
	commit "c$n"
	printf 'main;a %s\n' $n >../p.folded
	must git perf add ../p.folded 2>"$err"
done
must git repack -q -a -d
rm -rf .git/perf/cache
index=$(echo .git/objects/pack/*.idx)
pack=$PWD/${index%.idx}
rows=$(git show-index <"$index" | wc -l)
size=$(stat -c %s "$index")
must test "$rows" -gt 10
must chmod u+w "$index"
cp "$index" ../whole.idx
cp "$pack.pack" ../whole.pack
check 'the log before' exits 0 git perf log
cp "$out" ../log

# write OFFSET BYTES: over the index, as printf takes them
write()
{
	printf "$2" | dd of="$index" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
# 8 and 256 * 4 bytes, then names of 20 and a CRC of 4 each, then the offsets
offsets=$((1032 + 24 * rows))
all_offsets()
{
	for row in $(seq 0 $((rows - 1))); do
		write $((offsets + 4 * row)) "$1"
	done
}

# told REASON: by each command that reads objects; then the advice is followed
told()
{
	for words in log show 'add ../p.folded' 'annotate HEAD'; do
		rm -rf .git/perf/cache
		check "$1: git perf $words" exits 128 git perf $words
		check "$1: one line of $words tells it" is "$(wc -l <"$err")" 1
		check "$1: $words tells the file and the fault" mentions err \
			"damaged pack index '$pack.idx': $1; what makes it anew: mv "
	done
	advice=$(sed -n 's/.*what makes it anew: //p' "$err")
	check "$1: the advice works" exits 0 sh -c "$advice"
	check "$1: the index is as it was" same "$index" ../whole.idx
	check "$1: the log is as before" exits 0 git perf log
	check "$1: all of it" same "$out" ../log
	rm -f "$index.damaged"
	chmod u+w "$index"
}

: >"$index"
told 'it is too short'
truncate -s 1071 "$index"
told 'it is too short'
truncate -s $((size - 1)) "$index"
told 'it is too short'
truncate -s 100000 "$index"
told 'it is too long'
# the count of names up to 0x64: the next one is less
write $((8 + 4 * 100)) '\000\000\377\377'
told 'its counts shrink'
# of all names: more than there are
write $((8 + 4 * 255)) '\000\000\377\377'
told 'it is too short'
write 0 '\000'
told 'its counts shrink'
write 7 '\003'
told 'its version is neither 1 nor 2'
all_offsets '\177\377\377\360'
told 'an offset leads out of its pack'
# row 4 of offsets of 64 bits, of which there are none
all_offsets '\200\000\000\004'
told 'an offset leads out of its pack'
write $((size - 30)) '\125\125\125'
told 'it is not of the pack beside it, or one of both was cut'

# A pack that was cut is no fault of its index, and nothing is lost.
chmod u+w "$pack.pack"
truncate -s -100 "$pack.pack"
check 'a pack that was cut' exits 128 git perf log
check 'the cut pack and its index are told' mentions err 'one of both was cut'
check 'git index-pack does not take it' not sh -c "$(sed -n 's/.*anew: //p' "$err")"
check 'the index is still there' same "$index.damaged" ../whole.idx
mv "$index.damaged" "$index"
cp ../whole.pack "$pack.pack"

# What libgit2 does not look at, or reads as well.
must git index-pack --index-version=1 -o ../old.idx "$pack.pack" >"$out"
cp -f ../old.idx "$index"
check 'an index of version 1' exits 0 git perf log
check 'by version 1 the log is the same' same "$out" ../log
must git index-pack --index-version=2,0x40 -o ../long.idx "$pack.pack" >"$out"
cp -f ../long.idx "$index"
check 'an index of offsets of 64 bits' exits 0 git perf log
check 'by 64 bits the log is the same' same "$out" ../log
cp -f ../whole.idx "$index"
: >.git/objects/pack/pack-0123456789012345678901234567890123456789.idx
check 'an index without a pack is passed over' exits 0 git perf log

# A folder that is borrowed from.
must git clone -q -s "$PWD" ../borrows
must git -C ../borrows fetch -q origin refs/notes/perf:refs/notes/perf
write $((8 + 4 * 100)) '\000\000\377\377'
check 'an index of a folder that is borrowed from' exits 128 git -C ../borrows perf log
check 'the index of that folder is named' mentions err "damaged pack index '$pack.idx': its counts shrink"
