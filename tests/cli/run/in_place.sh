#!/bin/sh
# What a run in place must see before it touches anything, and what git does
# not keep: names like its own, folders that cannot be listed, extended
# attributes, groups.
# /dev/shm is the other file system.
case ${TMPDIR-} in /dev/shm/*) unset TMPDIR ;; esac
. "$(dirname "$0")/../lib.sh"

# Everything at the top that is not the repository's own folder.
listed()
{
	LC_ALL=C ls -A | grep -vx .git
}

echo one >a
echo tracked >.git-perf-config
mkdir .git-perf-tracked
echo tracked >.git-perf-tracked/f
must git add .
commit one
echo two >a
echo second >.git-perf-config
must git add .
commit two
echo edited >.git-perf-config
echo edited >.git-perf-tracked/f
echo new >.git-perf-notes
mkdir .git-perf-aside-0123456789abcdef.old
listed >../before
check 'files with names like our own come along' \
	exits 0 inplace begin HEAD~1 HEAD
listed >../after
check 'files with names like our own are all there after the run' \
	same ../before ../after
check 'a tracked one keeps its edit' is "$(cat .git-perf-config)" edited
check 'a file in a tracked folder like our own keeps its edit' \
	is "$(cat .git-perf-tracked/f)" edited
check 'an untracked one keeps its bytes' is "$(cat .git-perf-notes)" new
must git checkout -q -- .
must rm -r .git-perf-notes .git-perf-aside-0123456789abcdef.old

# Root may list any folder: somebody else has to try.
mkdir drop
echo one >drop/f
echo one >drop/g
must git add drop
commit three
echo edited >drop/g
chmod 0300 drop
if ls drop >/dev/null 2>&1; then
	as='setpriv --reuid 1234 --clear-groups'
	$as true 2>/dev/null && chown -R 1234 "$scratch" && chmod 755 "$scratch"
else
	as=env
fi
if ! $as ls drop >/dev/null 2>&1 && $as cat drop/g >/dev/null 2>&1; then
	check 'a folder that cannot be listed ends the run' \
		exits 128 $as inplace begin HEAD~1 HEAD
	check 'the folder that cannot be listed is named' \
		says err "fatal: cannot read folder '$PWD/drop': \
Permission denied"
	check 'a folder that cannot be listed ends the run before anything is touched' \
		is "$(cat drop/f drop/g)" 'one
edited'
	check 'a run that ends before it begins leaves no state' \
		is "$(ls .git/perf | grep state)" ''
fi
chmod 755 drop
[ "$as" = env ] || chown -R 0 "$scratch"
must git checkout -q -- .

# Of a file that both commits have, and of one that only one has.
set_mine()
{
	python3 -c 'import os, sys
os.setxattr(sys.argv[1], "user.mine", sys.argv[2].encode())' "$1" "$2"
}
mine()
{
	python3 -c 'import os, sys
print(os.getxattr(sys.argv[1], "user.mine").decode())' "$1"
}
if set_mine a x 2>/dev/null; then
	mkdir folder
	echo one >folder/f
	must git add .
	commit four
	set_mine folder/f y
	set_mine folder z
	check 'files with extended attributes' exits 0 inplace begin HEAD~3 HEAD
	check 'extended attributes stay when the bytes changed' \
		is "$(mine a)" x
	check 'extended attributes stay when a commit lacks the file' \
		is "$(mine folder/f)" y
	check 'extended attributes stay when a commit lacks the folder' \
		is "$(mine folder)" z
	check 'files with attributes have the bytes of the commit' is "$(git status --short)" ''
fi
if chgrp 1234 a 2>/dev/null; then
	check 'a file of another group' exits 0 inplace begin HEAD~2
	check 'the group of a file stays' is "$(stat -c %g a)" 1234
	chgrp "$(id -g)" a
fi

# What an editor saves while the run begins: a git in front of the real one
# plays it, when git-perf starts the git command that $when names.
must git checkout -q -- .
mkdir "$scratch/bin"
real=$(command -v git)
cat >"$scratch/bin/git" <<END
#!/bin/sh
case " \$* " in
*" \$when "*)
	if [ ! -e "$scratch/once" ]; then
		: >"$scratch/once"
		cd "$PWD" && eval "\$save"
	fi
	;;
esac
exec $real "\$@"
END
chmod +x "$scratch/bin/git"
for i in 1 2 3; do echo "$i" >"f$i"; done
must git add .
commit five
echo new >f1
must git add .
commit six
echo staged >c
must git add c
echo old >f3
save='echo saved >f2; echo saved >new; echo saved >f3'
export when save
saving()
{
	when=$1
	rm -f "$scratch/once"
	PATH=$scratch/bin:$PATH inplace begin HEAD~1 HEAD
}
# Where the text is: in the work tree, or kept beside it.
where()
{
	if grep -q "$2" "$1" 2>/dev/null; then
		echo tree
	elif grep -rqs "$2" .git/perf/leftovers; then
		echo leftovers
	else
		echo nowhere
	fi
}
for when in 'ls-files -o' 'read-tree' 'update-index'; do
	echo 2 >f2
	echo old >f3
	rm -rf new .git/perf/leftovers
	check "a save at git $when" exits 0 saving "$when"
	check "git $when: was made" test -e "$scratch/once"
	check "git $when: a changed file is as it was saved" \
		is "$(cat f2)" saved
	check "git $when: so is a new one" is "$(cat new)" saved
	check "git $when: so is one that was changed before" \
		is "$(cat f3)" saved
	check "git $when: the run tells of it" \
		mentions out "^'f2' was saved while the run began"
done

# What is deleted meanwhile stays deleted: it gets no bytes of another commit.
save='rm -f f2 new'
echo mine >f2
echo mine >new
check 'a run while whose beginning files are deleted' exits 0 \
	saving 'ls-files -o'
check 'the files were deleted while the run began' test -e "$scratch/once"
check 'a changed file that is deleted while the run begins is not there' \
	test ! -e f2
check 'a new file that is deleted while the run begins is not there' \
	test ! -e new
check 'the run does not call deleted files lost' \
	not mentions err 'is not there any more'

# What is saved into a folder that was set aside whole is kept beside it.
must git checkout -q HEAD -- f2
mkdir un
echo mine >un/mine
save='mkdir -p un; echo saved-late >un/late'
rm -rf .git/perf/leftovers
check 'a save into a folder that is set aside' exits 0 saving update-index
check 'the folder that was set aside is as it was' \
	is "$(ls un) $(cat un/mine)" 'mine mine'
check 'what was saved into the folder is kept' \
	is "$(where un/late saved-late)" leftovers
check 'the run tells where that is kept' mentions out \
	"^'un' was saved while the run began, when it was set aside already; \
that is kept in '.*/leftovers/"
rm -r un

# A run that cannot begin tells what it found, too.
echo old >f3
save='echo saved-f3 >f3; exit 3'
rm -rf .git/perf/leftovers
check 'a run that cannot begin' exits 128 saving read-tree
check 'a file is back when the run could not begin' is "$(cat f3)" old
check 'a save into its place is kept' is "$(where f3 saved-f3)" leftovers
check 'a run that could not begin tells where' mentions out \
	'^leftovers .*/perf/leftovers/'
rm -rf .git/perf/leftovers

# Who deletes the word on how far a run is does not lose what is set aside.
must git checkout -q HEAD -- f2
echo 'my edit' >f2
export INPLACE_BUILD='echo build >f2; kill -9 $PPID'
check 'a run is killed while it measures' exits 137 inplace begin HEAD~1
rm .git/perf/state/phase
check 'a run without its phase is recovered' exits 0 inplace recover
check 'a run without its phase is no run that had not begun' says out restored
check 'the edit is back without the phase' is "$(cat f2)" 'my edit'
check 'what the build wrote is not in the work tree' is "$(git status --short f2)" ' M f2'
unset INPLACE_BUILD

# Later nothing is set aside any more, but nothing is overwritten either.
save='echo saved-f1 >f1; echo saved-f2 >f2; echo saved-new >new'
save="$save; echo saved-f3 >f3"
for when in 'read-tree -i' 'diff-files' 'checkout-index'; do
	must git checkout -q HEAD -- f1 f2
	echo old >f3
	rm -rf new .git/perf/leftovers
	check "a save at git $when" exits 0 saving "$when"
	check "git $when: the save came in between" test -e "$scratch/once"
	for name in f1 f2 f3 new; do
		check "git $when: nothing is lost of $name" \
			not is "$(where $name saved-$name)" nowhere
	done
done
must git checkout -q HEAD -- f1
save='echo saved-f1 >f1'
check 'a save into the file that git is about to write' \
	exits 0 saving checkout-index
check 'a file saved during a checkout is told' \
	mentions out "^'f1' was changed while a commit was checked out"
check 'a file saved during a checkout is kept among the leftovers' \
	is "$(where f1 saved-f1)" leftovers
check 'a file saved during a checkout is as it was before the run' \
	is "$(cat f1)" new

# The index and HEAD are the user's as well, and what is in no file is only
# there: a `git add`, a new branch.
must git checkout -q HEAD -- f1
save="(unset GIT_INDEX_FILE GIT_DIR GIT_WORK_TREE; echo only >late
$real add late; rm late; $real checkout -q -B later)"
for when in 'ls-files -o' 'update-index' 'diff-files' 'checkout-index'; do
	must git checkout -q -f main
	must git reset -q
	check "a git add at git $when" exits 0 saving "$when"
	check "git $when: what was staged is staged" \
		is "$(git show :late 2>/dev/null)" only
	check "git $when: the new branch is checked out" \
		is "$(git symbolic-ref HEAD)" refs/heads/later
	check "git $when: the run tells of the index" mentions out \
		"^git has written 'index' while the run began"
	check "git $when: the run tells of HEAD" mentions out \
		"^git has written 'HEAD' while the run began"
done
check 'an index that nobody changes is not told of' \
	exits 0 inplace begin HEAD~1 HEAD
check 'a HEAD that nobody moves is not told of' not mentions out 'git has written'
must git reset -q
rm -f "$scratch/once"
save="$save; kill -9 \$PPID"
check 'a run is killed before it has replaced the index' \
	exits 137 saving diff-files
check 'the run is recovered' exits 0 inplace recover
check 'what was staged before the kill is staged' \
	is "$(git show :late 2>/dev/null)" only
export INPLACE_BUILD='rm .git/perf/state/replaced; kill -9 $PPID'
check 'a run is killed that does not say what it has replaced, as 0.1.0' \
	exits 137 inplace begin HEAD~1
check 'the run without such words is recovered' exits 0 inplace recover
check 'recover gives back the index of the first run' is "$(git show :late 2>/dev/null)" only
check 'recover gives back the HEAD of the first run' \
	is "$(git symbolic-ref HEAD)" refs/heads/later
unset INPLACE_BUILD

# With a git directory on another file system things lie aside in the work tree.
other=$(mktemp -d /dev/shm/git-perf-in-place.XXXXXX 2>/dev/null) || {
	echo 'SKIPPED the rest: /dev/shm cannot be used'
	exit 0
}
at_end='rm -rf "$other"'
[ "$(stat -c %d "$other")" != "$(stat -c %d .)" ] || {
	echo 'SKIPPED the rest: /dev/shm is no file system of its own'
	exit 0
}
# Renames do not go from one file system to the other.
must mv .git/perf "$other/perf"
ln -s "$other/perf" .git/perf
echo 'my edit' >f2
check 'a folder of ours on another file system is refused' \
	exits 128 inplace begin HEAD~1
check 'the folder on another file system is named' says err \
	"fatal: cannot run in place: '$PWD/.git/perf' is on another file \
system than '$PWD/.git'"
check 'nothing is touched without a place to set things aside' \
	is "$(cat f2)" 'my edit'
rm .git/perf
must git init -q --separate-git-dir="$other/git" ../far
cd ../far || exit 1
echo one >a
must git add a
commit far-one
echo two >a
must git add a
commit far-two
echo edited >a
far_ours()
{
	ls -A | grep '^\.git-perf-'
}
save='exit 3'
sed "s,cd \"[^\"]*\" &&,cd \"$PWD\" \\&\\&," "$scratch/bin/git" >../git.new
must cp ../git.new "$scratch/bin/git"
check 'a run whose beginning fails' exits 128 saving read-tree
check 'a run that fails at the beginning leaves no folder in the work tree' is "$(far_ours)" ''
check 'the edit is back after it failed' is "$(cat a)" edited
export INPLACE_BUILD='kill -9 $PPID'
check 'a run is killed with things aside in the work tree' \
	exits 137 inplace begin HEAD~1
unset INPLACE_BUILD
aside=$(far_ours)
must cp -r "$other/git/perf/state" ../state
check 'a killed run in another file system is recovered' exits 0 inplace recover
check 'recover removes the folder of a run in another file system' is "$(far_ours)" ''
must mv ../state "$other/git/perf/state.done"
must mkdir -p "$aside/aside"
check 'one that was killed while it cleaned up is recovered' \
	exits 0 inplace recover
check 'recover says that it removed what was left' says out cleaned
check 'the rest in the work tree is gone' is "$(far_ours)" ''
check 'the edit is there in the end' is "$(cat a)" edited
