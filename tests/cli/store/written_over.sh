#!/bin/sh
# git's own commands read the notes, and move the ref wherever it is by then:
# what was stored in between is in no list any more. fsck names it by the ref's
# reflog, and a repair brings it back, but for what was taken out.
. "$(dirname "$0")/../lib.sh"
need jq
commit one
commit two
one=$(git rev-parse HEAD~1 | cut -c 1-10)

add()
{
	printf 'main;%s %d\n' "$1" 3 >"../$1"
	must git perf add -n "$1" -m "$2" "../$1" 2>"$scratch/said"
	id=$(sed -n 's/^added \([0-9a-f]*\) .*/\1/p' "$scratch/said")
}
names()
{
	git perf log --json --all | jq -r '.commits[].profiles[].name' | sort |
		tr '\n' ' '
}
# Behind TREE comes the commit by which git would have written it over the tip,
# on PARENT.
write_over()
{
	git update-ref -m "notes: Notes added by 'git notes append'" \
		refs/notes/perf "$(git commit-tree -p "$2" -m 'Notes added' "$1")"
}
whole()
{
	check "$1: a repair brings it back" exits 0 git perf fsck --repair
	check "$1: the repair says so" says err 'brought back 1 line'
	check "$1: everything is there" is "$(names)" "$2"
	check "$1: no fault is left" exits 0 git perf fsck
}

# git itself, with an editor that is open while a profile is added.
add first HEAD
editor='printf "main;meanwhile 4\n" >../meanwhile
	git perf add -n meanwhile -m HEAD~1 ../meanwhile 2>../said
	echo "a line by hand" >>"$1"'
must env GIT_EDITOR="sh -c '$editor' -" git notes --ref=perf edit HEAD 2>"$err"
id=$(sed -n 's/^added \([0-9a-f]*\) .*/\1/p' "$scratch/said")
check 'git wrote over what was added meanwhile' is "$(names)" 'first '
check 'what an editor wrote over is a fault' exits 1 git perf fsck
check 'what an editor wrote over is named' mentions out \
	"^commit $one: profile $id was here, until a plain git wrote [0-9a-f]{10} over it\$"
check 'what brings it back is said' mentions out \
	'^  to mend: git perf fsck --repair brings it back'
check 'without --repair nothing moves' is "$(names)" 'first '
git perf fsck --repair >"$out" 2>"$err"
check 'a repair brings back what was added meanwhile' is "$(names)" 'first meanwhile '
check 'what a repair brought back can be shown' exits 0 git perf show -m HEAD~1 0@i
check 'a line by hand stays where a repair brings lines back' \
	is "$(git notes --ref=perf show HEAD | grep -c '^a line by hand$')" 1
check 'a line by hand is told as ever, and nothing else' is \
	"$(git perf fsck | grep -c '^  to mend: ')" 1
git notes --ref=perf show HEAD | grep -v '^a line by hand$' >../text
must git notes --ref=perf add -f -F ../text HEAD 2>"$err"
check 'a note that was edited is no fault' exits 0 git perf fsck

# The same by hand: the commit is on the tip that git read, or on the later one.
for on in read later; do
	tree=$(git rev-parse 'refs/notes/perf^{tree}')
	was=$(git rev-parse refs/notes/perf)
	add "$on" HEAD
	line=$(git notes --ref=perf show HEAD | grep " $id ")
	[ $on = read ] || was=$(git rev-parse refs/notes/perf)
	write_over "$tree" "$was"
	check "$on: it is named" exits 1 git perf fsck
	check "$on: with its id" mentions out ": profile $id was here, "
	whole "$on" "$(if [ $on = read ]; then
		echo 'first meanwhile read '
	else
		echo 'first later meanwhile read '
	fi)"
	check "$on: its line is the same" is \
		"$(git notes --ref=perf show HEAD | grep " $id ")" "$line"
	check "$on: it can be shown" exits 0 git perf show -m HEAD "$id"
done
check 'git fsck is content' exits 0 git fsck --strict

# What was taken out stays out, though the log has it; a tombstone comes back.
tree=$(git rev-parse 'refs/notes/perf^{tree}')
must git perf rm -m HEAD read
write_over "$tree" refs/notes/perf
check 'a removal that was written over is a fault' exits 1 git perf fsck
check 'a removal that was written over is named' mentions out \
	': profile [0-9a-f]{16} was taken out, until a plain git wrote '
whole 'a removal' 'first later meanwhile '
must git perf rm -m HEAD later
check 'what rm takes out is not missed' exits 0 git perf fsck

# Behind a gc nothing of the history comes back.
tree=$(git rev-parse 'refs/notes/perf^{tree}')
add beside HEAD~1
write_over "$tree" refs/notes/perf
must git perf gc -q
check 'gc does not bring it back' is "$(names)" 'first meanwhile '
check 'behind a gc it is named' exits 1 git perf fsck
whole 'behind a gc' 'beside first meanwhile '
check 'the history stays behind' is "$(git rev-list --count refs/notes/perf)" 2

# A whole note that goes by git's own command, and a ref that is taken back.
must git notes --ref=perf remove HEAD 2>"$err"
check 'git notes remove is no fault' exits 0 git perf fsck
must git update-ref refs/notes/perf refs/notes/perf~1
check 'what is back is no fault' exits 0 git perf fsck

# Several notes at once: meant where git has seen what was added before; where
# that went, too, git may have read the notes before it.
must git init -q -b main ../several
here=$PWD
cd ../several || exit 1
for n in one two three; do
	commit $n
	add $n HEAD
done
must git notes --ref=perf remove HEAD~2 HEAD~1 2>"$err"
check 'git notes remove of two is no fault' exits 0 git perf fsck
check 'what git notes remove took out of two does not come back' exits 0 git perf fsck --repair
check 'one of three is left' is "$(names)" 'three '
commit four
add four HEAD
must git update-ref refs/notes/early refs/notes/perf
commit five
add late HEAD
must git notes --ref=early remove HEAD~1 2>"$err"
must git update-ref -m "notes: Notes removed by 'git notes remove'" refs/notes/perf \
	"$(git commit-tree -p refs/notes/perf -m 'Notes removed' 'refs/notes/early^{tree}')"
must git update-ref -d refs/notes/early
check 'git notes remove by notes as they were read before' exits 1 git perf fsck
check 'what was added meanwhile is told' mentions out ": profile $id was here, "
must git perf fsck --repair >"$out" 2>"$err"
check 'a repair brings back what was added beside git notes remove' is "$(names)" 'four late three '
# Of the first notes that there were git cannot have missed any; it can where
# their history was cut.
must git init -q -b main ../begin
cd ../begin || exit 1
for n in one two three; do
	commit $n
done
echo 'main;a 1' >../first.folded
git rev-list HEAD | awk '{ print $1 "\t../first.folded" }' >../batch
must git perf add --stdin <../batch 2>"$err"
must git notes --ref=perf remove HEAD~2 HEAD~1 2>"$err"
check 'git notes remove of two of the first notes is no fault' exits 0 git perf fsck
check 'what it took out of the first notes does not come back' exits 0 git perf fsck --repair
check 'one of the first three is left' is "$(git notes --ref=perf list | wc -l)" 1
commit four
add four HEAD
must git update-ref refs/notes/early refs/notes/perf
commit five
add late HEAD
must git perf gc -q
check 'the history is cut' is "$(git rev-list --count refs/notes/perf)" 1
must git notes --ref=early remove HEAD~1 HEAD~2 2>"$err"
must git update-ref -m "notes: Notes removed by 'git notes remove'" refs/notes/perf \
	"$(git commit-tree -p refs/notes/perf -m 'Notes removed' 'refs/notes/early^{tree}')"
must git update-ref -d refs/notes/early
check 'git notes remove by notes as they were before a cut' exits 1 git perf fsck
check 'what was added before the cut is told' mentions out ": profile $id was here, "
cd ../several || exit 1
# A log of more than 256 MB, of which the end is read: blanks take no room.
log=.git/logs/refs/notes/perf
must cp $log ../short
must truncate -s 0 $log
must truncate -s 257M $log
{ echo && cat ../short; } >>$log
add again HEAD
write_over 'refs/notes/perf~1^{tree}' refs/notes/perf
check 'a log that is too long is read from behind' exits 1 git perf fsck
check 'what was written over last is told' mentions out ": profile $id was here, "
must cp ../short $log
# Behind another removal: that one still stands, unless git has read the notes
# before it.
must git init -q -b main ../twice
cd ../twice || exit 1
for n in one two three four five six; do
	commit $n
	add $n HEAD
done
must git notes --ref=perf remove HEAD~5 2>"$err"
must git notes --ref=perf remove HEAD~4 HEAD~3 2>"$err"
check 'git notes remove of two behind another one is no fault' exits 0 git perf fsck
must git update-ref refs/notes/early refs/notes/perf
add late HEAD
must git notes --ref=perf remove HEAD~2 2>"$err"
must git notes --ref=early remove HEAD~1 2>"$err"
must git update-ref -m "notes: Notes removed by 'git notes remove'" refs/notes/perf \
	"$(git commit-tree -p refs/notes/perf -m 'Notes removed' 'refs/notes/early^{tree}')"
check 'notes as they were read before another removal are a fault' exits 1 git perf fsck
check 'what was added before a removal that is undone is told' mentions out \
	": profile $id was here, "
cd "$here" || exit 1
was=$(git rev-parse refs/notes/perf)
add undone HEAD
must git update-ref refs/notes/perf "$was"
check 'a step back by hand is no fault' exits 0 git perf fsck

# What the log has no more, and what it leads to no more, is not known.
add unknown HEAD
write_over "$(git rev-parse "$was^{tree}")" "$was"
check 'what the log has of a profile is a fault' exits 1 git perf fsck
must cp .git/logs/refs/notes/perf "$scratch/log"
must git reflog expire --expire=now refs/notes/perf
must git gc -q --prune=now
check 'what no log has is no fault' exits 0 git perf fsck
must cp "$scratch/log" .git/logs/refs/notes/perf
check 'objects that are gone are passed over' exits 0 git perf fsck

# git's own commands take notes out: in an editor, those of commits that are
# gone, or in another clone, from which a plain fetch brings it.
must git init -q -b main ../own
cd ../own || exit 1
for n in one two three four; do
	commit $n
	add $n HEAD
done
printf 'main;theirs 4\n' >../theirs
must env GIT_EDITOR='sh -c ": >\$1" -' git notes --ref=perf edit HEAD~2 2>"$err"
check 'a note that was edited to nothing is no fault' exits 0 git perf fsck
must git reset -q --hard HEAD~2
must git reflog expire --expire=now HEAD main
must git update-ref -d ORIG_HEAD
must git gc -q --prune=now
must git notes --ref=perf prune
check 'git notes prune took out two notes' is "$(git notes --ref=perf list | wc -l)" 1
check 'git notes prune is no fault' exits 0 git perf fsck
must git clone -q . ../theirs.clone
must git -C ../theirs.clone fetch -q origin refs/notes/perf:refs/notes/perf
must git -C ../theirs.clone notes --ref=perf remove HEAD~1 2>"$err"
must git -C ../theirs.clone perf add -m HEAD ../theirs 2>"$err"
must git fetch -q ../theirs.clone refs/notes/perf:refs/notes/perf
check 'what others took out is no fault behind a fetch' exits 0 git perf fsck
must git -C ../theirs.clone update-ref refs/notes/perf refs/notes/perf~1
add here HEAD
must git fetch -q ../theirs.clone +refs/notes/perf:refs/notes/perf
check 'a fetch by force is a fault' exits 1 git perf fsck
check 'a fetch by force is named' mentions out ": profile $id was here, "
must git perf fsck --repair >"$out" 2>"$err"

# A copied note is a fault; that it is gone is none, and it does not come back.
add last HEAD~1
git notes --ref=perf show HEAD >../keep
{ cat ../keep && git notes --ref=perf show HEAD~1; } >../both
must git notes --ref=perf add -f -F ../both HEAD 2>"$err"
check 'a copied line is a fault' exits 1 git perf fsck
must git notes --ref=perf add -f -F ../keep HEAD 2>"$err"
check 'a copied line that is gone is no fault' exits 0 git perf fsck

# A long reflog over a long history.
from=$(git rev-parse refs/notes/perf)
i=0
while [ $i -lt 2000 ]; do
	printf 'commit refs/notes/perf\ncommitter a <a@b> %d +0000\ndata 8\nperf: x\n' \
		$((1800000000 + i))
	[ $i -gt 0 ] || printf 'from %s\n' "$from"
	i=$((i + 1))
done | must git fast-import --quiet
yes "$(git rev-parse refs/notes/perf) $from a <a@b> 1800000000 +0000" |
	head -n 10000 >.git/logs/refs/notes/perf
check 'a long reflog takes no walk for each move' exits 0 timeout 20 git perf fsck
cd ../repo || exit 1

# A partial clone has folders of before, but not their notes: nobody is asked
# for them, neither for those of the clone that a plain fetch moves each time.
must git init -q --bare -b main "$scratch/server"
must git -C "$scratch/server" config uploadpack.allowFilter true
must git remote add origin "file://$scratch/server"
must git push -q origin main
must git perf push -q
cat >"$scratch/upload" <<END
#!/bin/sh
echo >>"$scratch/connections"
exec git-upload-pack "\$@"
END
must chmod +x "$scratch/upload"
connections()
{
	: >"$scratch/connections"
	must git -C "$1" perf fsck >"$scratch/said"
	wc -l <"$scratch/connections"
}
for filter in blob:none tree:0; do
	partial=$scratch/partial-$filter
	must git clone -q --filter=$filter "file://$scratch/server" "$partial"
	for n in 1 2 3; do
		add "$filter-$n" HEAD
		must git perf push -q
		must git -C "$partial" fetch -q origin \
			'+refs/notes/perf:refs/notes/perf'
	done
	must git -C "$partial" config remote.origin.uploadpack "$scratch/upload"
	must cp -r "$partial" "$partial.unlogged"
	must rm "$partial.unlogged/.git/logs/refs/notes/perf"
	check "fsck of a clone with $filter asks for no note of before" \
		is "$(connections "$partial")" "$(connections "$partial.unlogged")"
done
