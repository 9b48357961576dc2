#!/bin/sh
# init --push: git push sends the profiles with the branch, quietly, and never
# fails by it.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
mkdir -p .git/hooks
cat >.git/hooks/pre-push <<END
#!/bin/sh
cat >"$scratch/fed"
exit \$(cat "$scratch/status")
END
chmod +x .git/hooks/pre-push
cp .git/hooks/pre-push "$scratch/own"
echo 0 >"$scratch/status"

check 'init --push works' exits 0 git perf init --push
check 'init --push says what it does' mentions err "'git push' sends profiles, too"
check 'init --push again changes nothing' exits 0 git perf init --push
check 'init --push again says so' mentions err "pre-push' sends profiles already"
notes()
{
	git -C "$server" rev-parse -q --verify refs/notes/perf
}
push()
{
	commit
	exits "$1" git push -q origin HEAD:main
}
check 'a push without profiles' push 0
check 'a push without profiles says nothing' silent err
must add "$one" first
check 'a push with profiles' push 0
check 'a push with profiles says nothing' silent err
check 'the profiles went with the branch' is "$(notes)" \
	"$(git rev-parse refs/notes/perf)"
check 'the branch went, too' is "$(git -C "$server" rev-parse main)" \
	"$(git rev-parse HEAD)"
check 'the own hook got what git feeds it' is "$(cut -d ' ' -f 3 "$scratch/fed")" \
	refs/heads/main
check 'a push of nothing new' exits 0 git push -q origin HEAD:main
check 'the own hook got nothing where git feeds nothing' is "$(wc -c <"$scratch/fed")" 0

# Another push stands: this one does not wait for it.
must add "$one" stands
(exec 9>.git/perf/push; flock 9; exec sleep 60) &
holder=$!
while flock -n .git/perf/push true; do :; done
commit
check 'a push beside one that stands' exits 0 timeout 20 git push -q origin HEAD:main
check 'a push beside one that stands says what was not sent' mentions err 'profiles were not pushed: '
kill $holder
wait $holder 2>/dev/null

# Others were first.
must git -C "$two" perf pull -q
must add "$two" theirs
must git -C "$two" perf push -q
must add "$one" second
check 'a push behind the profiles of others' push 0
check 'a push behind the profiles of others says nothing' silent err
check 'the remote has the profiles of both clones' is \
	"$(git -C "$two" perf pull -q; names "$two")" 'first second stands theirs '

# The own hook still decides, a remote without a name and CI get nothing.
must add "$one" third
before=$(notes)
echo 1 >"$scratch/status"
check 'a push that the own hook refuses' push 1
echo 0 >"$scratch/status"
must add "$one" fourth
before=$(notes)
check 'a push to a URL' exits 0 git push -q "$server" HEAD:main
check 'a push to a URL sends no profiles' is "$(notes)" "$before"
CI=true
export CI
check 'a push of a CI job' push 0
check 'a push of a CI job sends no profiles' is "$(notes)" "$before"
unset CI
check 'a push of the notes themselves' \
	exits 0 git push -q origin refs/notes/perf
check 'a push of the notes themselves sends them' \
	is "$(notes)" "$(git rev-parse refs/notes/perf)"

# A remote that does not want them.
cat >"$server/hooks/update" <<'END'
#!/bin/sh
case $1 in refs/heads/*) exit 0 ;; esac
exit 1
END
chmod +x "$server/hooks/update"
must add "$one" fifth
check 'a push whose profiles are refused' push 0
check 'a push whose profiles are refused says so in one line' is \
	"$(grep -c '^warning: profiles were not pushed: ' "$err")$(grep -c . "$err")" 11
check 'the branch goes where the profiles are refused' \
	is "$(git -C "$server" rev-parse main)" "$(git rev-parse HEAD)"
rm "$server/hooks/update"

check 'hooks uninstall works' exits 0 git perf hooks uninstall
check 'hooks uninstall leaves the own hook as it was' \
	same .git/hooks/pre-push "$scratch/own"
before=$(notes)
check 'a push without the hook' push 0
check 'a push without the hook sends no profiles' is "$(notes)" "$before"
rm .git/hooks/pre-push
must git perf init --push 2>"$err"
check 'init --push writes the hook of the sources' \
	same .git/hooks/pre-push "$root/hooks/pre-push"
must git perf hooks uninstall 2>"$err"
check 'a hook that was ours alone goes' not test -e .git/hooks/pre-push

# What somebody has beside the hooks.
echo draft >.git/hooks/pre-push.new
must git perf init --push 2>"$err"
check 'init --push leaves a file of the user alone' \
	is "$(cat .git/hooks/pre-push.new)" draft
must git perf hooks uninstall 2>"$err"
must rm -f .git/hooks/pre-push.new

# Killed behind each of its last calls that change files: the next one finishes.
if [ -z "${ASAN_OPTIONS:-}" ]; then
	killed_at()
	{
		: >"$scratch/point"
		truncate -s 4096 "$scratch/point"
		printf "\\0\\0\\0\\0\\$(printf %03o "$1")" |
			dd of="$scratch/point" conv=notrunc 2>"$scratch/ignored"
		KILLPOINT=$scratch/point LD_PRELOAD=${PERF_BIN:-$root/build/bin}/killpoint.so \
			git-perf init --push >"$scratch/ignored" 2>&1
	}
	killed_at 0
	calls=$(od -An -tu4 -N4 "$scratch/point")
	must git perf hooks uninstall 2>"$err"
	failed=
	for back in 0 1 2 3 4 5 6 7; do
		killed_at $((calls - back)) 2>"$scratch/ignored"
		git perf init --push 2>"$err" || failed="$failed $((calls - back))"
		[ -x .git/hooks/pre-push ] || failed="$failed x$((calls - back))"
		rm -f .git/hooks/pre-push
	done
	check 'init --push goes on behind each of its kills' is "$failed" ''
	check 'a killed init --push leaves nothing beside the hook' \
		is "$(find .git/hooks -name '*push*' ! -name '*.sample')" ''
fi
