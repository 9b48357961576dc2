#!/bin/sh
# git locks packed-refs while it takes refs out, and is stopped by that lock
# from then on where it is killed meanwhile: one that a git of ours has left is
# removed by the next call, which waits for it.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
add "$one" first
must git perf push -q
must git -C "$two" perf pull -q
cd "$two" || exit 1

# A fetch takes out what is known of an inbox that is gone, for which git locks
# packed-refs: here it is killed then, with the pull.
must mkdir "$scratch/deadly"
cat >"$scratch/deadly/git" <<'END'
#!/bin/sh
case " $* " in
*" --prune "*|*" update-ref "*)
	touch "$GIT_DIR/packed-refs.lock" "$GIT_DIR/packed-refs.new"
	kill -9 $PPID
	exit 1
esac
PATH=${PATH#*:}
exec git "$@"
END
chmod +x "$scratch/deadly/git"
must git perf push -q
must git -C "$one" perf pull -q
add "$one" sixth
must git -C "$one" perf push -q --inbox
must git perf fetch -q
must git -C "$one" perf push -q
check 'a pull that is killed while it takes refs out' exits 137 \
	env PATH="$scratch/deadly:$PATH" git-perf pull -q
check 'git is stopped by its lock' exits 128 git pack-refs --all
check 'who has no time to wait is stopped by a dead lock of packed-refs' \
	exits 128 git -c perf.lockTimeout=4 perf pull -q
check 'a lock that nobody waited for stays' test -e .git/packed-refs.lock
# It is to be 15 s old: two wait for it, of which one takes it away.
must touch -d '10 seconds ago' .git/perf/refs
must touch -d '9 seconds ago' .git/packed-refs.lock .git/packed-refs.new
git perf fetch -q 2>"$scratch/beside" &
beside=$!
check 'a pull waits until the lock of packed-refs is dead' exits 0 git perf pull -q
wait $beside
check 'a fetch beside it goes on, too' is $? 0
cat "$err" "$scratch/beside" | sed -n '/^waiting/s/ [0-9]* s$/ N s/p' >"$scratch/waits"
check 'both say what they wait for' \
	is "$(sort -u "$scratch/waits") $(grep -c . "$scratch/waits")" \
	"waiting for '$PWD/.git/packed-refs.lock', which another process holds, at most N s 2"
check 'the lock of packed-refs is gone' test ! -e .git/packed-refs.lock
check 'what git had written is gone' test ! -e .git/packed-refs.new
check 'git packs refs again' exits 0 git pack-refs --all
check 'the pull has brought the sixth' is "$(names "$two")" \
	'first sixth '
# Its git was killed alone.
cat >"$scratch/deadly/git" <<'END'
#!/bin/sh
case " $* " in
*" --prune "*)
	touch "$GIT_DIR/packed-refs.lock"
	kill -9 $$
esac
PATH=${PATH#*:}
exec git "$@"
END
check 'a fetch whose git is killed' exits 128 \
	env PATH="$scratch/deadly:$PATH" git-perf fetch -q
must touch -d '21 seconds ago' .git/perf/refs
must touch -d '20 seconds ago' .git/packed-refs.lock
check 'a fetch goes on behind the lock of a git that was killed' \
	exits 0 git perf fetch -q
check 'the lock of a git that was killed is gone' test ! -e .git/packed-refs.lock
# Of a push: the next one has nothing to take out.
uname -n | tr -d '\n' >.git/perf/refs
must touch -d '21 seconds ago' .git/perf/refs
must touch .git/packed-refs.lock
must touch -d '20 seconds ago' .git/packed-refs.lock
check 'a push that takes nothing out finishes' exits 0 git perf push -q
check 'a push that takes nothing out removes the dead lock of packed-refs' \
	test ! -e .git/packed-refs.lock
# Its user has removed the lock, as git says, and not what git had written.
add "$one" eighth
must git -C "$one" perf pull -q
must git -C "$one" perf push -q --inbox
must git perf fetch -q
must git pack-refs --all
must git -C "$one" perf push -q
uname -n | tr -d '\n' >.git/perf/refs
must touch -d '21 seconds ago' .git/perf/refs
must touch -d '20 seconds ago' .git/packed-refs.new
check 'git is stopped by what a dead one had written' exits 128 git pack-refs --all
check 'a pull goes on behind what a dead one had written' exits 0 git perf pull -q
check 'what a dead one had written is gone' test ! -e .git/packed-refs.new

check 'nothing is wrong in the clone' sound "$two"
