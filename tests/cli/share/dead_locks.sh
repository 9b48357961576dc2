#!/bin/sh
# git leaves "<ref>.lock" where it is killed while it moves a ref, and is stopped
# by it from then on. For what is known of a remote that must not be the end.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
known=.git/refs/perf/remotes/origin

add "$one" first
must git perf push -q
must git -C "$two" perf pull -q
cd "$two" || exit 1

# The other clone is ahead, so that a fetch moves the ref.
ahead()
{
	add "$one" "$1"
	must git -C "$one" perf push -q
}

ahead second
must touch "$known/notes.lock"
check 'git itself is stopped by the lock of a dead fetch' exits 1 \
	git fetch -q origin '+refs/notes/perf:refs/perf/remotes/origin/notes'
check 'a dry run moves no ref, so that it needs no lock' exits 0 \
	git perf fetch -n -q
check 'the lock is there after a dry run' test -e "$known/notes.lock"
check 'a pull goes on behind the lock of a dead fetch' exits 0 git perf pull -q
check 'the lock is gone after the pull' test ! -e "$known/notes.lock"
check 'the pull has brought what the other clone has' \
	is "$(names "$two")" 'first second '

add "$two" third
must touch "$known/notes.lock"
check 'a push goes on behind a dead lock' exits 0 git perf push -q
check 'the push has moved what is known of the remote' \
	is "$(git rev-parse refs/perf/remotes/origin/notes)" \
	"$(git -C "$server" rev-parse refs/notes/perf)"

add "$one" fourth
must git -C "$one" perf push -q --inbox
inbox=$(git -C "$server" for-each-ref --format='%(refname)' refs/perf/inbox)
must mkdir -p "$known/inbox"
must touch "$known/inbox/${inbox##*/}.lock"
check 'a pull goes on behind the dead lock of an inbox' exits 0 git perf pull -q
check 'the profile of the inbox is here' is "$(names "$two")" \
	'first fourth second third '

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
	'first fourth second sixth third '
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
check 'without it the pull goes on' exits 0 git perf pull -q

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
check 'a fetch is killed alone' exits 137 \
	env SLOW="$scratch/slow" PATH="$scratch/deadly:$PATH" git-perf fetch -q
git -c perf.lockTimeout=1 perf fetch -q 2>"$scratch/said"
check 'the lock of its git, which is alive, stays' test -e .git/packed-refs.lock
must rm "$scratch/slow"
while test -e .git/packed-refs.lock; do sleep .05; done

# Its git was killed alone.
must rm .git/hooks/reference-transaction
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
must mkdir -p "$known"

# Alive: it has the lock for longer than git waits (0.1 s), and ends as git does.
must git perf push -q
must git -C "$one" perf pull -q
ahead fifth
git rev-parse refs/perf/remotes/origin/notes >"$scratch/id"
must cp "$scratch/id" "$known/notes.lock"
(sleep 1 && mv "$known/notes.lock" "$known/notes") &
check 'a pull waits for who is alive' exits 0 git perf pull -q
wait
check 'what came after the wait is here' is "$(names "$two")" \
	'fifth first fourth second seventh sixth third '
check 'nothing is wrong in the clone' sound "$two"
