#!/bin/sh
# What a build leaves behind that cannot be moved, or takes away that is needed:
# a run in place brings everything else back, and tells how the rest comes.
. "$(dirname "$0")/../lib.sh"
copy=$scratch/bin
mkdir "$copy"
# What root may do to anybody's files is done as nobody here.
if [ "$(id -u)" -eq 0 ]; then
	need setpriv
	cp "$(command -v inplace)" "$(command -v git-perf)" "$copy"
	PATH=$copy:$PATH
	user=$(id -u nobody)
	chmod 755 "$scratch"
	git config --global safe.directory '*'
	user()
	{
		setpriv --reuid="$user" --clear-groups "$@"
	}
else
	user=$(id -u)
	user()
	{
		"$@"
	}
fi
own()
{
	[ "$(id -u)" -ne 0 ] || chown -hR "$user" "$scratch"
}

# A commit before and one to come back to, and changes of each kind.
mkdir d
echo one >d/f
echo one >a
must git add .
commit one
echo two >d/f
echo two >a
must git add .
commit two
echo mine >a
echo new >new
begin()
{
	own
	INPLACE_BUILD=$1
	export INPLACE_BUILD
	user inplace begin HEAD~1
}
is_back()
{
	cat a new d/f
	git symbolic-ref HEAD
	git status --porcelain
	ls .git/perf 2>/dev/null | grep state
}
is_back >"$scratch/before"
# A sentence on what the build did.
check_back()
{
	is_back >"$scratch/after"
	check "$1: all of the user's is back" \
		same "$scratch/before" "$scratch/after"
}

check 'a build that leaves a folder without write permission' exits 0 \
	begin 'mkdir -p ro/x; echo 1 >ro/x/f; chmod 555 ro/x ro'
check_back 'a closed folder'
check 'the closed folder is among the leftovers' is \
	"$(cat .git/perf/leftovers/*/*/ro/x/f)" 1
check 'a build that closes a folder of the commit' exits 0 \
	begin 'mkdir d/deep; echo 1 >d/deep/f; chmod 000 d'
check_back 'a closed folder of the commit'
check 'a folder that a build closed has its mode again' is "$(stat -c %a d)" 755
check 'what was in a closed folder is among the leftovers' is \
	"$(cat .git/perf/leftovers/*/*/d/deep/f)" 1
must chmod 555 d
check "a folder that the user closed" exits 128 begin true
check 'a closed folder of the user keeps its mode' is "$(stat -c %a d)" 555
must chmod 755 d
check_back 'a folder that the user closed'
check 'a build that leaves a path beyond PATH_MAX' exits 0 begin '
	mkdir long && cd long
	i=0
	while [ $((i += 1)) -le 300 ]; do
		mkdir abcdefghijklmnopqrst && cd abcdefghijklmnopqrst || exit
	done'
check_back 'a path beyond PATH_MAX'
check 'the long path is among the leftovers' test -d \
	.git/perf/leftovers/*/*/long/abcdefghijklmnopqrst

# The commit's file needs a blob that is gone meanwhile.
blob=$(git rev-parse HEAD:d/f)
file=.git/objects/$(echo "$blob" | sed 's/../&\//')
check 'a build that takes an object away' exits 128 \
	begin "mv $file $scratch/object"
check 'recover says that a part is not back' \
	mentions err 'all but a part is back'
check 'the part that is not back is listed with its path' \
	mentions out "d/f|$blob"
check 'changed files are back without the object' is "$(cat a new)" 'mine
new'
check 'HEAD is back without the object' is "$(git symbolic-ref HEAD)" \
	refs/heads/main
echo staged >staged
must git add staged
check 'recover without the object' exits 128 user git perf recover
check 'recover names the object that it lacks' mentions err "$blob"
must mv "$scratch/object" "$file"
own
check 'recover with the object' exits 0 user git perf recover
check 'recover keeps what was staged since' \
	is "$(git diff --cached --name-only)" staged
must git rm -qf staged
check_back 'an absent object'

# A required filter that cannot make the file any more.
mkdir "$scratch/store"
cat >"$scratch/clean" <<'END'
#!/bin/sh
cat >"$0.tmp"
sum=$(cksum <"$0.tmp" | tr ' ' -)
cp "$0.tmp" "$(dirname "$0")/store/$sum"
echo "$sum"
END
cat >"$scratch/smudge" <<'END'
#!/bin/sh
read -r sum
cat "$(dirname "$0")/store/$sum"
END
must chmod +x "$scratch/clean" "$scratch/smudge"
must git config filter.big.clean "$scratch/clean"
must git config filter.big.smudge "$scratch/smudge"
must git config filter.big.required true
echo '*.bin filter=big' >.gitattributes
echo v1 >x.bin
must git add .gitattributes x.bin
must git commit -q -m filtered -- .gitattributes x.bin
echo v2 >x.bin
must git commit -q -m filtered -- x.bin
must git status >"$out"
is_back >"$scratch/before"
rm "$scratch/store/$(echo v2 | cksum | tr ' ' -)"
check 'a filter that has lost what it makes of a file' exits 0 begin true
check_back 'a filter'
check 'the filtered file is as it was' is "$(cat x.bin)" v2
check 'no filter is left undone' is "$(git status --porcelain x.bin)" ''
must git config --remove-section filter.big
must git rm -qf x.bin .gitattributes
must git commit -q -m unfiltered -- x.bin .gitattributes

# A folder of another user, as builds in containers leave it.
[ "$(id -u)" -eq 0 ] || exit 0
mkfifo "$scratch/ready" "$scratch/go"
# As root, with the work tree at the build's commit.
foreign()
{
	read -r line <"$scratch/ready"
	mkdir out
	echo object >out/o
	chown -R 0 out
	echo >"$scratch/go"
}
wait_for_root="echo >$scratch/ready; read x <$scratch/go"
is_back >"$scratch/before"
foreign &
check "a build that leaves another user's folder" exits 0 \
	begin "$wait_for_root"
wait
check 'a file that cannot be moved is told with the command that removes it' mentions out \
	"cannot move .*/out': .*; sudo rm -r -- .*/out removes it"
must rm -r out
check_back "another user's folder"
mkdir out
echo own >out/own
is_back >"$scratch/before"
foreign &
check "a folder of another user lies where the user had one" exits 0 \
	begin "$wait_for_root"
wait
check 'a folder of root that is in the way gets another name' mentions out 'sudo rm -r -- .*/out\.left-'
check "the user's own folder is back" is "$(cat out/own)" own
must rm -r out.left-*
check_back "another user's folder in the way"
