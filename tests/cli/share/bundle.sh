#!/bin/sh
# Profiles as a file: what is in it, who can take it, and what is refused.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
file=$scratch/profiles.bundle
TMPDIR=$scratch/tmp
export TMPDIR
mkdir "$TMPDIR"

check 'a bundle of nothing' exits 128 git perf bundle create "$file"
check 'a bundle of nothing says so' \
	says err "fatal: no profiles here: 'git perf add' stores some"
check 'a bundle of nothing is no file' not test -e "$file"
must add "$one" first
must git perf push -q
check 'a bundle of what the remote has' \
	exits 128 git perf bundle create "$file"
check 'a bundle of what the remote has says so' says err \
	"fatal: 'origin' has all profiles that are here (--all writes them anyway)"
must add "$one" second
mkdir sub
cd sub || exit 1
check 'a bundle is written where one stands' \
	exits 0 git perf bundle create ../new.bundle
cd .. || exit 1
mv new.bundle "$file"
check 'git knows the bundle' exits 0 git bundle verify -q "$file"
check 'the bundle has the notes and nothing else' is \
	"$(git bundle list-heads "$file")" \
	"$(git rev-parse refs/notes/perf) refs/notes/perf"
check 'the bundle has only what is new' is \
	"$(git bundle verify "$file" 2>&1 | grep -c 'requires')" 1

check 'a clone without the profiles before it' \
	exits 128 git -C "$two" perf bundle apply "$file"
check 'a clone without the profiles before it is told so in one line' \
	is "$(grep -cE '^fatal: .* prerequisite commits: [0-9a-f]{40} \(it builds' "$err")$(grep -c . "$err")" 11
check 'the same line says how a bundle builds on nothing' \
	mentions err "'git perf bundle create --all'"
must git -C "$two" perf pull -q
must add "$two" third
check 'a bundle is applied' exits 0 git -C "$two" perf bundle apply "$file"
check 'apply says what came' \
	says err "took in what '$file' has of 1 commit"
check 'apply takes all in' is "$(names "$two")" 'first second third '
check 'nothing is wrong behind apply' sound "$two"
before=$(git -C "$two" rev-parse refs/notes/perf)
check 'apply again works' exits 0 git -C "$two" perf bundle apply "$file"
check 'apply again changes nothing' \
	is "$(git -C "$two" rev-parse refs/notes/perf)" "$before"
check 'apply leaves no ref' is \
	"$(git -C "$two" for-each-ref refs/perf/bundle)" ''

# A worker that knows nobody: all of it.
must git clone -q "$server" "$scratch/worker"
must git -C "$scratch/worker" remote remove origin
must add "$scratch/worker" of-worker
check 'a worker without a remote writes all' exits 0 \
	git -C "$scratch/worker" perf bundle create "$scratch/all.bundle"
check 'such a bundle is taken' exits 0 git perf bundle apply "$scratch/all.bundle"
check 'such a bundle brings its profile' \
	is "$(names "$one")" 'first of-worker second '
check 'a bundle of all is made' exits 0 git perf bundle create --all "$scratch/whole.bundle"
must git clone -q "$server" "$scratch/fresh"
check 'a bundle of all is enough for a fresh clone' \
	exits 0 git -C "$scratch/fresh" perf bundle apply "$scratch/whole.bundle"
check 'a fresh clone has all of the bundle' \
	is "$(names "$scratch/fresh")" "$(names "$one")"
check 'nothing is wrong in the fresh clone' sound "$scratch/fresh"

# What is refused: one line, and nothing of it is here.
refused()
{
	before=$(git -C "$two" rev-parse refs/notes/perf)
	objects=$(git -C "$two" count-objects -v 2>&1 | grep -E '^(count|in-pack|packs):')
	check "$1 is refused" exits 128 git -C "$two" perf bundle apply "$2"
	check "$1: the error is one line" is "$(grep -c "^fatal: .*$3" "$err")$(grep -c . "$err")" 11
	check "$1: the notes do not move" \
		is "$(git -C "$two" rev-parse refs/notes/perf)" "$before"
	check "$1: no object comes" \
		is "$(git -C "$two" count-objects -v 2>&1 | grep -E '^(count|in-pack|packs):')" "$objects"
	check "$1: nothing is left" is "$(ls "$TMPDIR")" ''
}
must add "$one" more
must git perf bundle create -q "$scratch/more.bundle"
head -c $(($(wc -c <"$scratch/more.bundle") - 30)) "$scratch/more.bundle" \
	>"$scratch/cut.bundle"
refused 'a bundle that is cut' "$scratch/cut.bundle" 'cannot read'
cp "$scratch/more.bundle" "$scratch/flipped.bundle"
printf 'x' | dd of="$scratch/flipped.bundle" bs=1 conv=notrunc \
	seek=$(($(wc -c <"$scratch/more.bundle") - 100)) 2>/dev/null
refused 'a bundle with a wrong byte' "$scratch/flipped.bundle" 'cannot read'
truncate -s 1000000000 "$scratch/zeros.bundle"
refused 'a bundle of zeros' "$scratch/zeros.bundle" 'cannot read'
truncate -s 2000000000 "$scratch/zeros.bundle"
refused 'a bundle that is too large' "$scratch/zeros.bundle" \
	'a bundle at most 1073741824$'
refused 'a bundle that is not there' "$scratch/no.bundle" 'No such file'
refused 'a folder' "$scratch" 'is no regular file'
must git bundle create -q "$scratch/branch.bundle" main
refused 'a bundle of a branch' "$scratch/branch.bundle" 'refs/notes/perf'
# objects that git's own check refuses
must git init -q --bare "$scratch/bad.git"
note=$(echo text | git -C "$scratch/bad.git" hash-object -w --stdin)
id=$(
	python3 -c 'import sys
sys.stdout.buffer.write(b"100644 ..\0" + bytes.fromhex(sys.argv[1]))' "$note" |
	git -C "$scratch/bad.git" hash-object -t tree -w --stdin --literally)
must git -C "$scratch/bad.git" update-ref refs/notes/perf \
	"$(git -C "$scratch/bad.git" commit-tree -m x "$id")"
must git -C "$scratch/bad.git" bundle create -q "$scratch/bad.bundle" \
	refs/notes/perf
refused 'a bundle with a tree of ..' "$scratch/bad.bundle" 'hasDotdot'

check 'bundle without a word' exits 129 git perf bundle
check 'bundle without a file' exits 129 git perf bundle apply
check 'bundle with another word' exits 129 git perf bundle list "$file"
check 'a bundle that cannot be written' \
	exits 128 git perf bundle create --all "$scratch/none/x.bundle"
check 'a bundle that cannot be written says so in one line' \
	is "$(grep -c '^fatal: cannot write' "$err")$(grep -c . "$err")" 11

# What is there already: a regular file gives way, anything else stays.
mkfifo "$scratch/pipe"
check 'a pipe is no bundle' \
	exits 128 timeout 60 git perf bundle create --all "$scratch/pipe"
check 'a pipe is told, and what to do' says err "fatal: cannot write \
'$scratch/pipe': it is no regular file ('-' is standard output)"
check 'a pipe stays a pipe' test -p "$scratch/pipe"
check 'a folder is no bundle' exits 128 git perf bundle create --all "$scratch"
check 'a refused bundle leaves nothing' \
	is "$(find "$scratch" -maxdepth 1 -name 'pipe?*')" ''
check 'a bundle named - goes to standard output' exits 0 git perf bundle create --all -
check 'a bundle on standard output says nothing' silent err
cp "$out" "$scratch/stdout.bundle"
check 'git knows what standard output got' \
	exits 0 git bundle verify -q "$scratch/stdout.bundle"
check 'a bundle named - is no file' not test -e -
echo old >"$scratch/old.bundle"
chmod 600 "$scratch/old.bundle"
ln -s old.bundle "$scratch/link.bundle"
check 'a regular file gives way' \
	exits 0 git perf bundle create -q --all "$scratch/link.bundle"
check 'a link stays one' test -L "$scratch/link.bundle"
check 'git knows what took its place' \
	exits 0 git bundle verify -q "$scratch/old.bundle"
check 'what gives way hands on its mode' \
	is "$(stat -c %a "$scratch/old.bundle")" 600

# One that was killed left its ref: the next of these commands takes it out.
left()
{
	must git update-ref refs/perf/bundle/0123456789abcdef refs/notes/perf
	check "$1 behind one that was killed" exits 0 "$@"
	check "$1 takes its ref out" is "$(git for-each-ref refs/perf/bundle)" ''
}
left git perf bundle apply "$scratch/all.bundle"
left git perf pull
left git perf push
# Its lock as well, and that of packed-refs, which git needs to take it out.
must git update-ref refs/perf/bundle/0123456789abcdef refs/notes/perf
uname -n | tr -d '\n' >.git/perf/refs
must touch -d '21 seconds ago' .git/perf/refs
must touch .git/refs/perf/bundle/0123456789abcdef.lock .git/packed-refs.lock
must touch -d '20 seconds ago' .git/packed-refs.lock
check 'apply behind the locks of one that was killed' \
	exits 0 git perf bundle apply "$scratch/all.bundle"
check 'apply removes the locks of one that was killed' \
	is "$(find .git -name "*.lock" ! -path ".git/perf/*")" ''

# Ctrl-C while git writes: nothing is left beside the file.
real=$(command -v git)
mkdir "$scratch/slow"
mkfifo "$scratch/began"
cat >"$scratch/slow/git" <<EOF
#!/bin/sh
case "\$*" in
'bundle create'*)
	echo >"$scratch/began"
	exec sleep 600
	;;
esac
exec "$real" "\$@"
EOF
chmod +x "$scratch/slow/git"
PATH=$scratch/slow:$PATH git-perf bundle create -q --all "$scratch/stopped.bundle" \
	2>"$err" &
pid=$!
read -r _ <"$scratch/began"
# sh has Ctrl-C ignored for what it starts in the background
kill -TERM $pid
wait $pid
check 'a bundle that is stopped ends so' is $? 130
check 'a bundle that is stopped leaves nothing' \
	is "$(find "$scratch" -maxdepth 1 -name 'stopped*')" ''
