#!/bin/sh
# Where a ref, a HEAD or a reflog cannot be read, git passes over it, and what
# it leads to seems to be gone: prune refuses, as git gc does, and names it.
. "$(dirname "$0")/../lib.sh"

add()
{
	printf 'main;%s 5\nmain 3\n' "$1" >"$scratch/p.folded"
	must git perf add -n "$1" -m "$2" "$scratch/p.folded" 2>"$scratch/said"
}
# apart NAME: a commit with a profile that only $id leads to
apart()
{
	echo "$1" >file
	must git add file
	commit "$1"
	add "$1" HEAD
	id=$(git rev-parse HEAD)
	must git reset -q --hard main^0
}
commit one
add one HEAD
must git checkout -q --detach
apart branch
branch=$id
apart linked
must git worktree add -q --detach ../linked "$id"
apart logged
must git reflog expire --expire=now --all
must git update-ref --create-reflog -m by-hand refs/heads/logged "$id"
must git update-ref -m by-hand refs/heads/logged main
must git update-ref refs/heads/topic/branch "$branch"
must git checkout -q main
before=$(git rev-parse refs/notes/perf)

check 'nothing is gone' exits 0 git perf prune --expire=0 --offline
check 'nothing is pruned' is "$(git rev-parse refs/notes/perf)" "$before"
# refuses CASE NAME: what is named, and nothing went
refuses()
{
	check "$1: prune refuses" exits 128 git perf prune --expire=0 --offline
	check "$1: it is named" mentions err \
		"^fatal: cannot tell which commits are needed: '.*$2': "
	check "$1: one line says so" is "$(grep -c . "$err")" 1
	check "$1: nothing went" \
		is "$(git rev-parse refs/notes/perf)" "$before"
}

# A power cut leaves files without their bytes.
: >.git/refs/heads/topic/branch
refuses 'an empty ref' refs/heads/topic/branch
echo 'not an id' >.git/refs/heads/topic/branch
refuses 'a damaged ref' refs/heads/topic/branch
echo 1234567890123456789012345678901234567890 >.git/refs/heads/topic/branch
refuses 'a ref whose commit is not here' refs/heads/topic/branch
echo "$branch" >.git/refs/heads/topic/branch
cp .git/worktrees/linked/HEAD ../HEAD
: >.git/worktrees/linked/HEAD
refuses 'an empty HEAD of a linked worktree' worktrees/linked/HEAD
cp ../HEAD .git/worktrees/linked/HEAD

# What cannot be opened, whoever asks.
unreadable()
{
	must mv "$1" ../aside
	must ln -s "$(basename "$1")" "$1"
	refuses "$1 cannot be read" "$1"
	rm "$1"
	must mv ../aside "$1"
}
unreadable .git/refs/heads/topic/branch
unreadable .git/refs/heads/topic
unreadable .git/logs/refs/heads/logged
unreadable .git/logs
unreadable .git/worktrees
unreadable .git/worktrees/linked/logs
unreadable .git/worktrees/linked/HEAD

# What git says while it passes something over, and why it ends.
real=$(command -v git)
mkdir ../wrap
for word in 'error: bad ref for logs/HEAD' 'fatal: loose object 12 is corrupt'; do
	cat >../wrap/git <<END
#!/bin/sh
case " \$* " in
*' rev-list '*)
	echo '$word' >&2
	case '$word' in fatal*) exit 128 ;; esac ;;
esac
exec "$real" "\$@"
END
	chmod +x ../wrap/git
	check "git says '$word'" exits 128 \
		env PATH="$scratch/wrap:$PATH" git-perf prune --expire=0 --offline
	check "'${word#* }' is told in one line" \
		is "$(grep -c "^fatal: .*: ${word#* }$" "$err")$(grep -c . "$err")" 11
done

# Each read that fails, of files and of what git says: there is no other end.
if strace -o ../trace true 2>"$err"; then
	must traced -o ../trace -e trace=read,pread64 \
		git-perf prune --expire=0 --offline 2>"$err"
	for call in read pread64; do
		n=$(grep -c "^$call(" ../trace)
		while [ "$n" -gt 0 ]; do
			traced -qq -o ../injected -e trace=$call \
				-e inject=$call:error=EIO:when="$n" \
				git-perf prune --expire=0 --offline 2>"$err"
			[ "$(git rev-parse refs/notes/perf)" = "$before" ] || {
				echo "$call $n: $(cat "$err")"
				git update-ref refs/notes/perf "$before"
			}
			n=$((n - 1))
		done
	done >"$scratch/lost"
	check 'a read that fails takes nothing out' \
		is "$(cat "$scratch/lost")" ''
fi

# What leads nowhere is no damage.
must git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/gone
check 'a symbolic ref to a branch that went is none' \
	exits 0 git perf prune --expire=0 --offline
: >.git/refs/heads/other.lock
check 'neither is a lock' exits 0 git perf prune --expire=0 --offline
rm .git/refs/heads/other.lock
must git pack-refs --all
check 'packed refs are read' exits 0 git perf prune --expire=0 --offline
check 'nothing went in all this' \
	is "$(git rev-parse refs/notes/perf)" "$before"
must git update-ref -d refs/heads/topic/branch
# Each process that cannot be started, each pipe that cannot be made.
if strace -o ../trace true 2>"$err"; then
	must traced -o ../trace git-perf prune --expire=0 --offline 2>"$err"
	git update-ref refs/notes/perf "$before"
	for call in clone vfork clone3 pipe2; do
		n=$(grep -c "^$call(" ../trace)
		while [ "$n" -gt 0 ]; do
			traced -qq -o ../injected -e trace=$call \
				-e inject=$call:error=EMFILE:when="$n" \
				git-perf prune --expire=0 --offline 2>"$err" ||
				[ "$(git rev-parse refs/notes/perf)" = \
					"$before" ] ||
				echo "$call $n: $(cat "$err")"
			git update-ref refs/notes/perf "$before"
			n=$((n - 1))
		done
	done >"$scratch/moved"
	check 'a prune that fails took nothing out' \
		is "$(cat "$scratch/moved")" ''
fi
check 'a branch that went is no hindrance' \
	exits 0 git perf prune --expire=0 --offline
check 'what only it led to goes' mentions err \
	'^pruned 1 record \(1 vanished commit\)'
