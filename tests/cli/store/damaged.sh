#!/bin/sh
# Objects that are in the database by name only: an add that needs one of them
# mends it, and whatever it says is stored can be read.
. "$(dirname "$0")/../lib.sh"
commit one
awk 'BEGIN { for (i = 0; i < 300; i++) printf "main;f%d;g%d %d\n", i, i * 7, i
	}' >p.folded
must git perf add p.folded
body=$(git notes --ref=perf show HEAD | cut -d ' ' -f 5)
tip=$(git rev-parse refs/notes/perf)
file=.git/objects/$(echo "$body" | cut -c 1-2)/$(echo "$body" | cut -c 3-)
loosen
must test -f "$file"
cp "$file" ../whole
printf 'main;other 1\n' >o.folded
other=$(git hash-object -w o.folded)

# What is left of the body is in ../left.
harm()
{
	rm -f "$file" .git/objects/pack/*
	cp ../left "$file"
	check "$1: a body that cannot be read" not git cat-file blob "$body"
	must git update-ref refs/notes/perf "$tip"
	must git reflog expire --expire=now --all
	check "$1: an add that needs it" exits 0 git perf add p.folded
	check "$1: the add mends the body" exits 0 git cat-file blob "$body"
	check "$1: the mended profile is shown" exits 0 git perf show 0@i
	check "$1: the profile from before is shown" exits 0 git perf show 1@i
	check "$1: nothing else is wrong" exits 0 git perf fsck
	check "$1: git fsck finds nothing wrong" exits 0 git fsck --strict
}
head -c 100 ../whole >../left
harm 'cut'
: >../left
harm 'empty'
head -c 3000 /dev/zero | tr '\0' x >../left
harm 'overwritten'
{
	head -c 60 ../whole
	printf 'XXXX'
	tail -c +65 ../whole
} >../left
harm 'four bytes'

# Another object's file under its name: git does not look at the name.
rm -f "$file" .git/objects/pack/*
cp ".git/objects/$(echo "$other" | cut -c 1-2)/$(echo "$other" | cut -c 3-)" \
	"$file"
must git update-ref refs/notes/perf "$tip"
must git reflog expire --expire=now --all
check 'an add of a profile whose body has other bytes works' \
	exits 0 git perf add p.folded
check 'git fsck finds nothing wrong after the bytes were replaced' \
	exits 0 git fsck --strict
check 'the replaced body has the bytes of the profile' \
	is "$(git cat-file blob "$body" |
	git hash-object --stdin)" "$body"

# A batch that is written as a pack does not rely on it either.
rm -f "$file" .git/objects/pack/*
head -c 100 ../whole >"$file"
must git update-ref refs/notes/perf "$tip"
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do
	printf 'main;n%d %d\n' $n $n >n$n.folded
done
check 'a batch with a damaged body works' exits 0 git perf add n*.folded p.folded
check 'a batch brings a damaged body back' exits 0 git perf show 0@i
check 'fsck finds nothing wrong after the batch' exits 0 git perf fsck

# What add only builds on and cannot read is left out or refused.
must git update-ref refs/notes/perf "$tip"
rm -f .git/objects/pack/* "$file"
head -c 100 ../whole >"$file"
commit two
sed 's/f7;/seven;/' p.folded >q.folded
check 'a base that cannot be read' exits 0 git perf add q.folded
check 'an add builds on no base that cannot be read' exits 0 git perf show 0@i
loosen
note=$(git rev-parse "refs/notes/perf:$(git rev-parse HEAD)")
rm -f ".git/objects/$(echo "$note" | cut -c 1-2)/$(echo "$note" | cut -c 3-)"
: >".git/objects/$(echo "$note" | cut -c 1-2)/$(echo "$note" | cut -c 3-)"
now=$(git rev-parse refs/notes/perf)
check 'a note that cannot be read' exits 128 git perf add q.folded
check 'a note that cannot be read is named' \
	mentions err "^fatal: cannot read the note of .*$note"
check 'a note that cannot be read gives one line' is "$(wc -l <"$err")" 1
check 'the ref is where it was' is "$(git rev-parse refs/notes/perf)" "$now"

# What is missing below the ref: one line that names it and the way out, and the
# way out works.
must git update-ref -d refs/notes/perf
must git -c core.logAllRefUpdates=always perf add o.folded
before=$(git rev-parse refs/notes/perf)
must git perf add n1.folded n2.folded
loosen
without()
{
	lost=.git/objects/$(echo "$2" | cut -c 1-2)/$(echo "$2" | cut -c 3-)
	must mv "$lost" ../lost
	shift 2
	"$@"
	must mv ../lost "$lost"
}
told()
{
	for command in 'log -n 1' 'status' 'add p.folded' 'rm 0@i' 'fsck'; do
		check "$command stops where the $1 of the notes is missing" \
			exits 128 git perf $command
		check "$command names the missing $1 of the notes" \
			mentions err "^fatal: .*$1 '$2' is missing"
		check "$command says in one line that the $1 is missing" \
			is "$(wc -l <"$err")" 1
	done
}
for what in '' '^{tree}'; do
	id=$(git rev-parse "refs/notes/perf$what")
	type=$(git cat-file -t "$id")
	without "$type" "$id" told "$type" "$id"
done
id=$(git rev-parse refs/notes/perf)
without commit "$id" exits 128 git perf status
check 'the way out is named' says err "fatal: cannot read 'refs/notes/perf': \
commit '$id' is missing: 'git fetch --refetch <remote> refs/notes/perf' gets it from a \
clone that has it, or take a state of before from 'git reflog refs/notes/perf'"
check 'the advised reflog shows the commit before' is \
	"$(git reflog --format=%H refs/notes/perf | sed -n 2p)" "$before"
id=$(git rev-parse refs/notes/perf:objects)
without tree "$id" exits 128 git perf fsck
check 'a missing folder of bodies is named' mentions err \
	"^fatal: cannot read 'refs/notes/perf': tree '$id' is missing: 'git fetch --refetch"
check 'fsck finds nothing wrong after the advised reset' exits 0 git perf fsck

# What is told to get back whatever is missing, of a clone that has it: a plain
# fetch takes all that is below our own tip for being here.
must git init -q --bare "$scratch/whole.git"
must git perf gc -q
must git push -q "$scratch/whole.git" refs/notes/perf
loosen
for what in '' '^{tree}' :format :objects \
	":$(git ls-tree -r --name-only refs/notes/perf | grep -v 'objects/\|format' | head -n 1)" \
	":$(git ls-tree -r --name-only refs/notes/perf | grep objects/ | head -n 1)"; do
	id=$(git rev-parse "refs/notes/perf$what")
	must rm ".git/objects/$(echo "$id" | sed 's#^..#&/#')"
	check "fsck without $what" not exits 0 git perf fsck
	command=$(cat "$out" "$err" | sed -n "s#.*\\(git fetch --refetch <remote> refs/notes/perf\\).*#\\1#p" |
		sed "s#<remote>#$scratch/whole.git#; q")
	check "there is a command that gets $what" test -n "$command"
	check "the command that gets $what" sh -c "$command"
	check "nothing is missing of $what" exits 0 git perf fsck
	loosen
done

# A power cut may leave a ref as a file without text.
must git init -q -b main "$scratch/cut"
cd "$scratch/cut" || exit 1
commit one
printf 'main;f 1\n' >p
must git perf add p 2>"$err"
tip=$(git rev-parse refs/notes/perf)
: >.git/refs/notes/perf
check 'an empty ref of the notes' exits 128 git perf log
check 'an empty notes ref is told with the commit that it had' mentions err \
	"^fatal: 'refs/notes/perf' is empty, as a power cut leaves it; what it \
was last: rm .* && git update-ref refs/notes/perf $tip\$"
printf '\0\0\0\0' >.git/refs/notes/perf
check 'a ref of the notes that is all zero bytes' exits 128 git perf add p
check 'another command tells of the empty notes ref, too' \
	mentions err "git update-ref refs/notes/perf $tip\$"
command=$(sed -n 's/.*was last: //p' "$err")
check 'the commands that were told' sh -c "$command"
check 'bring the notes back' is "$(git rev-parse refs/notes/perf)" "$tip"
mv .git/logs/refs/notes/perf "$scratch/log"
: >.git/refs/notes/perf
check 'an empty ref without a log' exits 128 git perf log
check 'an empty notes ref without a log is told how to be removed' \
	mentions err 'has no log; without it: rm '
printf 'junk\n' >.git/refs/notes/perf
check 'a ref that is no id' exits 128 git perf log
check 'a notes ref with other bytes is told' mentions err \
	"^fatal: cannot read 'refs/notes/perf': "
git update-ref -d refs/notes/perf 2>"$err" || rm .git/refs/notes/perf
head=$(git rev-parse HEAD)
: >.git/refs/heads/main
check 'log of a branch that is an empty file fails' exits 128 git perf log
check 'an empty branch is told with the commit that it had' mentions err \
	"git update-ref refs/heads/main $head\$"

# None of them keeps a work tree from coming back.
git update-ref refs/heads/main "$head" 2>"$err" || {
	rm .git/refs/heads/main
	must git update-ref refs/heads/main "$head"
}
echo two >a
must git add a
commit two
echo mine >a
check 'a run that is killed' exits 137 \
	env INPLACE_BUILD='kill -9 $PPID' inplace begin HEAD~1
for ref in .git/refs/perf/state/main/* .git/refs/notes/perf \
	.git/refs/heads/main .git/refs/stash; do
	: >"$ref"
done
check 'recover beside empty refs' exits 0 git perf recover
check 'recover beside empty refs brings the work tree back' is "$(cat a)" mine
check 'HEAD is where it was after recover beside empty refs' \
	is "$(cat .git/HEAD)" 'ref: refs/heads/main'
check 'recover beside empty refs removes the ref of its state' is "$(ls .git/refs/perf/state/main 2>/dev/null)" ''
