#!/bin/sh
# Locks of a git that is alive stay, also where a call of ours was killed before;
# and those of the configuration.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
add "$one" first
must git perf push -q
must git -C "$two" perf pull -q
cd "$two" || exit 1
must mkdir "$scratch/deadly"

# Nobody of ours was at it.
must git -C "$one" perf pull -q
add "$one" seventh
must git -C "$one" perf push -q --inbox
must git perf fetch -q
must git -C "$one" perf push -q
must touch .git/packed-refs.lock
check 'a lock that others may have stops a pull' exits 128 git perf pull -q
check 'a lock that others may have stays' test -e .git/packed-refs.lock
uname -n | tr -d '\n' >.git/perf/refs
must touch -d '3 minutes ago' .git/perf/refs
must touch -d '2 minutes ago' .git/packed-refs.lock
while echo >>.git/packed-refs.new; do
	sleep .5
done 2>/dev/null &
packer=$!
check 'somebody who packs refs stops a pull' exits 128 git perf pull -q
check 'the lock of who packs refs stays' test -e .git/packed-refs.lock
kill $packer
wait $packer 2>/dev/null
must rm .git/packed-refs.new
uname -n | tr -d '\n' >.git/perf/refs
must touch -d '1 hour ago' .git/perf/refs
check 'a lock of long after the dead one stops a pull' exits 128 git perf pull -q
check 'a lock of long after the dead one stays' test -e .git/packed-refs.lock
must rm .git/packed-refs.lock
check 'a pull without a lock goes on' exits 0 git perf pull -q

# A git of the user is slow, and one of ours was killed before: a hook keeps the
# lock that it has taken.
must mkdir -p .git/hooks
cat >.git/hooks/reference-transaction <<'END'
#!/bin/sh
[ "$1" = prepared ] && [ "$SLOW" ] && mkdir "$SLOW.once" 2>&- && touch "$SLOW" &&
	while test -e "$SLOW"; do sleep .05; done
exit 0
END
must chmod +x .git/hooks/reference-transaction
must git update-ref refs/heads/gone HEAD
must git pack-refs --all
uname -n | tr -d '\n' >.git/perf/refs
SLOW=$scratch/slow git update-ref -d refs/heads/gone &
until test -e "$scratch/slow"; do sleep .05; done
must touch -d '40 seconds ago' .git/perf/refs
must touch -d '30 seconds ago' .git/packed-refs.lock
git -c perf.lockTimeout=10 perf fetch -q 2>"$scratch/said"
check 'the lock of a git that is alive stays' test -e .git/packed-refs.lock
must rm "$scratch/slow"
wait
check 'the git that is alive has done what it was to do' exits 1 \
	git show-ref --verify -q refs/heads/gone

# Two at once, and the hook keeps the lock of what the first one fetches.
add "$one" slow
must git -C "$one" perf pull -q
must git -C "$one" perf push -q
rmdir "$scratch/slow.once"
SLOW=$scratch/slow git-perf pull -q 2>"$scratch/said" &
first=$!
until test -e "$scratch/slow"; do sleep .05; done
(sleep 4 && rm "$scratch/slow") &
check 'a pull waits for the git of another one' exits 0 git perf pull -q
wait $first
check 'the other pull keeps its lock' is "$?$(cat "$scratch/said")" 0
rmdir "$scratch/slow.once"

# One that the user started, of which nothing is said; who has no time to wait
# leaves the lock.
add "$one" slower
must git -C "$one" perf push -q
SLOW=$scratch/slow git fetch -q origin \
	'+refs/notes/perf*:refs/perf/remotes/origin/notes*' 2>"$scratch/said" &
first=$!
until test -e "$scratch/slow"; do sleep .05; done
(sleep 5 && rm "$scratch/slow") &
check 'who has no time to wait is stopped by the lock of the git of the user' \
	exits 128 git -c perf.lockTimeout=2.5 perf fetch -q
check 'the lock of the git of the user stays' \
	test -e .git/refs/perf/remotes/origin/notes.lock
check 'a pull waits for the git of the user' exits 0 git perf pull -q
wait $first
check 'the git of the user keeps its lock' is "$?$(cat "$scratch/said")" 0
rmdir "$scratch/slow.once"

# Ours was killed alone: the git that it had started is at it for minutes.
cat >"$scratch/deadly/git" <<'END'
#!/bin/sh
case " $* " in
*" --prune "*)
	trap '' TERM
	touch -d '3 minutes ago' "$GIT_DIR/perf/refs"
	touch -d '2 minutes ago' "$GIT_DIR/packed-refs.lock"
	touch "$SLOW"
	kill -9 $PPID
	while test -e "$SLOW"; do sleep .05; done
	rm "$GIT_DIR/packed-refs.lock"
	exit 1
esac
PATH=${PATH#*:}
exec git "$@"
END
chmod +x "$scratch/deadly/git"
check 'a fetch is killed alone' exits 137 \
	env SLOW="$scratch/slow" PATH="$scratch/deadly:$PATH" git-perf fetch -q
git -c perf.lockTimeout=1 perf fetch -q 2>"$scratch/said"
check 'the lock of its git, which is alive, stays' test -e .git/packed-refs.lock
must rm "$scratch/slow"
while test -e .git/packed-refs.lock; do sleep .05; done

# A daemon that git leaves behind, as git credential-cache does, is no git that
# is at work.
must rm .git/hooks/reference-transaction
cat >"$scratch/deadly/git" <<'END'
#!/bin/sh
case " $* " in
*" --prune "*)
	[ "$KILLED" ] && touch "$GIT_DIR/packed-refs.lock" && kill -9 $$
	sleep 60 </dev/null >/dev/null 2>&1 &
	echo $! >"$DAEMON"
esac
PATH=${PATH#*:}
exec git "$@"
END
check 'a fetch whose git leaves a daemon' exits 0 \
	env KILLED= DAEMON="$scratch/daemon" PATH="$scratch/deadly:$PATH" git-perf fetch -q
check 'a fetch beside the daemon, whose git is killed' exits 128 \
	env KILLED=1 PATH="$scratch/deadly:$PATH" git-perf fetch -q
must touch -d '21 seconds ago' .git/perf/refs
must touch -d '20 seconds ago' .git/packed-refs.lock
check 'a fetch beside the daemon finishes' exits 0 git perf fetch -q
check 'a fetch beside the daemon removes the dead lock' test ! -e .git/packed-refs.lock
kill "$(cat "$scratch/daemon")"

# The configuration, which a filter is written to.
must git -C "$server" config uploadpack.allowFilter true
must touch .git/config.lock
check 'a lock of the configuration that others may have stops a pull with a filter' \
	exits 128 git perf pull -q --filter
check 'a lock of the configuration that others may have stays' test -e .git/config.lock
uname -n | tr -d '\n' >.git/perf/config
must touch -d '9 seconds ago' .git/perf/config
must touch -d '8 seconds ago' .git/config.lock
check 'a pull with a filter goes on behind the lock of a dead one' \
	exits 0 git perf pull -q --filter
check 'the lock of the configuration is gone' test ! -e .git/config.lock

check 'nothing is wrong in the clone' sound "$two"
