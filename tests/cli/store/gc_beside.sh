#!/bin/sh
# A gc, prune or repack that has looked at the refs already, and deletes when an
# add has said that it is done: what was added is there behind it.
. "$(dirname "$0")/../lib.sh"
bin=$(dirname "$(command -v git-perf)")
[ -f "$bin/pause.so" ] || skip 'pause.so is not built'
commit one
awk 'BEGIN { for (i = 0; i < 400; i++) printf "main;f%d;g%d %d\n", i % 7, i, i
	}' >p.folded
printf 'main;other 1\n' >o.folded
must git config gc.writeCommitGraph false # it would name what is gone
must mkfifo "$scratch/say" "$scratch/go"
exec 3<>"$scratch/say" 4<>"$scratch/go" # so that nobody waits to open them

# beside WHERE COMMAND...: an add while the command waits in `git WHERE`
beside()
{
	where=$1
	shift
	name="$*"
	must git update-ref -d refs/notes/perf
	must git gc -q --prune=now
	must git perf add o.folded 2>../said
	# the body is there, of no ref, as of a file that was staged once
	body=$(git hash-object -w p.folded)
	if [ "$where" = repack ]; then
		echo "$body" | git pack-objects -q .git/objects/pack/pack \
			>../said
		must git prune-packed
	else
		touch -d '3 weeks ago' ".git/objects/$(
			echo "$body" | sed 's,..,&/,')"
		# the first one of all that a prune takes
		echo 'garbage 673' | git hash-object -w --stdin >../said
		touch -d '3 weeks ago' .git/objects/00/*
	fi
	(
		PAUSE_IN=$where PAUSE_SAY=$scratch/say PAUSE_GO=$scratch/go \
			LD_PRELOAD=$bin/pause.so "$@" >../gc.out 2>&1
		echo ended >&3
	) &
	read -r word <&3
	check "$name: it is about to delete" is "$word" waits
	check "$name: an add beside it" \
		exits 0 git perf add --verbatim p.folded
	echo >&4
	wait
	read -r word <&3
	check "$name: what was added beside it is there" exits 0 git perf fsck
	check "$name: the profile from before is there" \
		mentions out '1 commit, 2 profiles, 2 bodies: 0 problems'
	check "$name: with all its objects" exits 0 git fsck --strict
	check "$name: nothing stays in the way" is "$(find .git \
		-name '*.keep' -o -name 'tmp_*' -o -name '*.lock')" ''
}
beside prune git gc -q
beside prune git -c gc.pruneExpire=now gc -q
beside prune git gc -q --prune=now
beside prune git prune
beside prune git prune --expire=now
beside repack git repack -adq
beside repack git -c gc.pruneExpire=now gc -q

# An add takes small packs into its own from 8 on. Beside a gc, which would
# fail where a pack that it reads is gone, they stay until the next add.
packs()
{
	find .git/objects/pack -name '*.pack' | wc -l
}
add_some()
{
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf 'a;b%s%s 1\n' "$1" "$i" >small.folded
		must git perf add small.folded
	done
}
git init -q "$scratch/joined"
cd "$scratch/joined" || exit 1
git commit -q --allow-empty -m first
git config gc.auto 0
echo 4711 host >.git/gc.pid
add_some one
check 'an add beside a gc leaves all packs alone' is "$(packs)" 12
touch -d '13 hours ago' .git/gc.pid
printf 'a;c 1\n' >small.folded
must git perf add small.folded
check 'the pid of a gc that was killed long ago keeps nothing' \
	test "$(packs)" -lt 8
rm .git/gc.pid
check 'nothing is lost with the packs' exits 0 git perf fsck
check 'git reads all that is left' exits 0 git fsck --strict
