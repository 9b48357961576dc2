#!/bin/sh
# What a history takes in a clone: profiles that are added one at a time are
# told by each other when git packs them, as if git had packed all at once.
. "$(dirname "$0")/../lib.sh"

# stacks <n>: 150 stacks; from one commit to the next 15 of them change
stacks()
{
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < 150; i++)
			printf "main;handle_%d;parse_%d;read_value_%d %d\n",
				i % 7, i % 31, i,
				100 + i * 37 % 1000 + (i % 10 == n % 10 ? n : 0)
	}'
}

# of all packs; what is in no pack is not counted, and there is none
packed()
{
	cat .git/objects/pack/*.pack | wc -c
}

# measured <from> <to>: a commit and what was measured of it, so many times
measured()
{
	n=$1
	while [ "$n" -le "$2" ]; do
		commit "$n"
		stacks "$n" >"$scratch/stacks.folded"
		must git perf add "$scratch/stacks.folded" 2>"$scratch/said"
		n=$((n + 1))
	done
}

measured 1 25
check "small packs become few" [ "$(ls .git/objects/pack/*.pack | wc -l)" -lt 12 ]
check "git finds no fault in them" exits 0 git fsck --full --strict
must git gc -q --prune=now
as_added=$(packed)
must git repack -adFq
anew=$(packed)
echo "# $as_added bytes after gc, $anew packed anew"
check "packed as they came they take little more than packed anew" \
	[ $((as_added * 100)) -le $((anew * 120)) ]

# Where git writes what is not read here, packs are joined as they are.
must git config pack.indexVersion 1
measured 26 37
check "packs become few without git's deltas, too" \
	[ "$(ls .git/objects/pack/*.pack | wc -l)" -lt 12 ]
check "git finds no fault in those" exits 0 git fsck --full --strict
check "nothing of the packing is left" \
	[ -z "$(ls .git/objects | grep tmp_objdir)" ]
check "what was packed is read" exits 0 git perf show HEAD~12:stacks.folded
total=$(stacks 25 | awk '{ n += $2 } END { print n }')
check "joined packs hold all that was counted" mentions out " of $total total"

# Profiles of many commits that are one body leave objects/ as it was.
must git init -q "$scratch/same"
cd "$scratch/same" || exit 1
printf 'main;a 1\nmain;b 2\n' >"$scratch/same.folded"
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	commit "$n"
	must git perf add "$scratch/same.folded" 2>"$scratch/said"
done
check "packs of records with one body become few, too" \
	[ "$(ls .git/objects/pack/*.pack | wc -l)" -lt 12 ]
check "no object is in two of them" is "$(for index in .git/objects/pack/*.idx; do
	git show-index <"$index" | cut -d ' ' -f 2
done | sort | uniq -d | wc -l)" 0
check "git finds no fault in them, either" exits 0 git fsck --full --strict
cd "$scratch/repo" || exit 1

# A git that is cut off where it packs; git-perf finds it in its path.
mkdir "$scratch/bin"
real=$(command -v git)
cat >"$scratch/bin/git" <<EOF
#!/bin/sh
case " \$* " in
*' pack-objects '*)
	case \$(cat "$scratch/how") in
	full)
		trap '' XFSZ
		ulimit -f 0
		: >"$scratch/reached"
		;;
	killed)
		exec </dev/null
		: >"$scratch/reached"
		kill -KILL \$PPID
		exit 1
		;;
	esac
	;;
esac
exec "$real" "\$@"
EOF
must chmod +x "$scratch/bin/git"

# cut_off full|killed: adds until git has packed
cut_off()
{
	echo "$1" >"$scratch/how"
	rm -f "$scratch/reached"
	for n in 41 42 43 44 45 46 47 48 49; do
		[ ! -e "$scratch/reached" ] || break
		commit "$1 $n"
		stacks "$n" >"$scratch/stacks.folded"
		PATH=$scratch/bin:$PATH git-perf add "$scratch/stacks.folded" \
			>/dev/null 2>"$scratch/said"
		added=$?
	done
	check "git packs ($1)" [ -e "$scratch/reached" ]
}

must git config --unset pack.indexVersion
cut_off full
check "a profile is added where git has no room to pack" [ "$added" -eq 0 ]
check "git without room leaves nothing" is "$(find .git -name '*tmp*')" ''

cut_off killed
check "whoever is killed while git packs adds nothing" [ "$added" -ne 0 ]
check "whoever is killed while git packs leaves a folder" \
	[ "$(ls .git/objects | grep -c tmp_objdir-perf)" -eq 1 ]
mkdir .git/objects/tmp_objdir-perf-living
: >.git/objects/tmp_objdir-perf-living/ids
must flock -o .git/objects/tmp_objdir-perf-living/ids \
	git perf add "$scratch/stacks.folded" 2>"$scratch/said"
check "an add removes the folder of the dead, not of the living" \
	is "$(ls .git/objects | grep tmp_)" tmp_objdir-perf-living
must git perf add "$scratch/stacks.folded" 2>"$scratch/said"
check "an add removes a folder when its owner has ended" is "$(ls .git/objects | grep tmp_)" ''

# Packs that have more than one may have that is joined.
git init -q ../large
cd ../large || exit 1
measured 1 4
for n in 1 2 3 4 5; do
	head -c 2250000 /dev/urandom | base64 | tr -d '\n' | fold -w 100 |
		awk '{ print "main;" $0 " " NR }' >"$scratch/large.folded"
	commit "large $n"
	must git perf add "$scratch/large.folded" 2>"$scratch/said"
done
check "large packs are joined" [ "$(ls .git/objects/pack/*.pack | wc -l)" -eq 1 ]
check "git's deltas are in a large pack" [ "$(git verify-pack -v \
	.git/objects/pack/*.idx | grep -c '^chain length')" -gt 0 ]
check "git finds no fault in a large pack" exits 0 git fsck --full --strict

# A path that git would take for two.
git init -q '../a:b"c'
cd '../a:b"c' || exit 1
measured 1 9
check "packs are joined by git below any path" [ "$(git verify-pack -v \
	.git/objects/pack/*.idx | grep -c '^chain length')" -gt 0 ]

# What a clone that shares objects adds is joined there.
git clone -q --shared ../large ../shared
cd ../shared || exit 1
measured 1 9
check "packs are joined by git beside those of another repository" \
	[ "$(git verify-pack -v .git/objects/pack/*.idx |
		grep -c '^chain length')" -gt 0 ]
check "git finds no fault beside another repository" \
	exits 0 git fsck --full --strict
