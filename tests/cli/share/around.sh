#!/bin/sh
# What fsck says of what is around the notes: refspecs, locks, other refs,
# epochs. Nothing of it is taken away.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

add "$one" a
must git perf push -q
check 'fsck of a sound clone' exits 0 git perf fsck
check 'fsck of a sound clone tells no epoch' says out \
	'1 commit, 1 profile, 1 body: 0 problems'

must git config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
check 'fsck beside a dangerous refspec' exits 1 git perf fsck
check 'a dangerous refspec is named' mentions out \
	"^remote.origin.fetch is '\+refs/notes/\*:refs/notes/\*': each 'git fetch' overwrites"
check 'a repair leaves a refspec' exits 1 git perf fsck --repair
mend=$(sed -n 's/^  to mend: \(.*\), then .*/\1/p' "$out")
check 'what fsck says of a refspec can be typed' exits 0 sh -c "$mend"
check 'fsck without the refspec' exits 0 git perf fsck

# A branch of the remote that would be written over the notes: what is said keeps
# it from that, whether there is a pattern or the branch alone is named.
must git push -q origin HEAD:refs/heads/perf
was=$(git rev-parse refs/notes/perf)
fetches=$(git config --get-all remote.origin.fetch)
for refspec in '+refs/heads/*:refs/notes/*' '+refs/heads/perf:refs/notes/perf'; do
	must git config --add remote.origin.fetch "$refspec"
	check "fsck beside $refspec" exits 1 git perf fsck
	mend=$(sed -n 's/^  to mend: //p' "$out" | sed 's/, then .*//')
	check "init beside $refspec" exits 0 git perf init
	told=$(sed -n "s/^warning: .* with '\(.*\)'\$/\1/p" "$err" | tr \" "'" |
		sed 's/--unset --fixed-value/--fixed-value --unset/')
	check "init and fsck say the same of $refspec" is "$told" "$mend"
	check "what fsck says of $refspec can be typed" exits 0 sh -c "$mend"
	check "no fault is left of $refspec" exits 0 git perf fsck
	must git fetch -q
	check "a fetch by $refspec keeps the notes then" is "$(git rev-parse refs/notes/perf)" "$was"
	must git config --unset-all remote.origin.fetch
	echo "$fetches" | while read -r fetch; do
		must git config --add remote.origin.fetch "$fetch"
	done
done
must git push -q origin :refs/heads/perf

# What is known of a remote is below its name: others may not be called so.
must git init -q --bare "$scratch/other.git"
must git remote add origin/notes "$scratch/other.git"
for verb in push pull fetch 'init --remote'; do
	check "$verb of a remote inside of another one's place" exits 128 git perf $verb origin/notes
	check "$verb tells both remotes" says err "fatal: what is known of the remote 'origin/notes' would be \
where that of 'origin' is: 'git remote rename origin/notes <name>' gives it another name"
	check "$verb of the other one" exits 0 git perf $verb origin
done
must git remote rename origin/notes origin/noteless 2>"$err"
check 'a remote by another name' exits 0 git perf push origin/noteless
check 'the other remote by its own' exits 0 git perf pull origin
must git remote remove origin/noteless
# Any remote that is fetched from does it: a fork beside the one of the team.
must git remote add fork "$server"
must git config --add remote.fork.fetch '+refs/notes/p*:refs/notes/p*'
must cp -a "$one" "$scratch/fetching"
add "$scratch/fetching" unpushed
must git -C "$scratch/fetching" fetch -q fork
check 'a fetch from another remote overwrites what was not pushed' \
	is "$(names "$scratch/fetching")" 'a '
check 'fsck beside the refspec of another remote' exits 1 git perf fsck
check 'the refspec of another remote is named' mentions out \
	"^remote.fork.fetch is '\+refs/notes/p\*:refs/notes/p\*': each 'git fetch' overwrites"
mend=$(sed -n 's/^  to mend: //p' "$out")
check 'init beside the refspec of another remote' exits 0 git perf init
check 'init names the refspec of another remote' mentions err \
	"^warning: remote.fork.fetch has '\+refs/notes/p\*:refs/notes/p\*': each fetch overwrites"
must git config --add remote.origin.fetch '^refs/notes/perf'
check 'what one remote leaves out another one does not' exits 1 git perf fsck
check 'what fsck says of another remote can be typed' exits 0 sh -c "$mend"
check 'fsck without the refspec of another remote' exits 0 git perf fsck

# One that is not forced deletes where fetches prune, before the first push.
must git init -q --bare "$scratch/empty.git"
must git remote set-url fork "$scratch/empty.git"
must git config --add remote.fork.fetch 'refs/notes/*:refs/notes/*'
check 'a refspec that forces nothing' exits 0 git perf fsck
must git config fetch.prune true
rm -rf "$scratch/fetching"
must cp -a "$one" "$scratch/fetching"
must git -C "$scratch/fetching" fetch -q fork 2>"$err"
check 'a fetch that prunes deletes the profiles' exits 1 \
	git -C "$scratch/fetching" rev-parse -q --verify refs/notes/perf
check 'a refspec that forces nothing, where fetches prune' exits 1 git perf fsck
check 'such a refspec is named' mentions out \
	"^remote.fork.fetch is 'refs/notes/\*:refs/notes/\*': each 'git fetch' deletes profiles that are not pushed while"
check 'init beside such a refspec' exits 0 git perf init
check 'init names such a refspec' mentions err \
	"^warning: remote.fork.fetch has 'refs/notes/\*:refs/notes/\*': each fetch deletes"
must git config remote.fork.prune false
check 'such a refspec of a remote that is not pruned' exits 0 git perf fsck
must git config --unset remote.fork.prune
# git's own words for yes and no
must git config --unset fetch.prune
for word in False NO off '' 0x0; do
	must git config fetch.prune "$word"
	check "such a refspec where fetch.prune is '$word'" exits 0 git perf fsck
done
must git config --unset fetch.prune
for word in True ON 0x1; do
	must git config fetch.prune "$word"
	check "such a refspec where fetch.prune is '$word'" exits 1 git perf fsck
done
must git config --unset fetch.prune
printf '[fetch]\n\tprune\n' >>.git/config
check 'such a refspec where fetch.prune has no value' exits 1 git perf fsck
# without a star: git does not fetch at all what its remote lacks
must git config --fixed-value --replace-all remote.fork.fetch \
	'refs/notes/perf:refs/notes/perf' 'refs/notes/*:refs/notes/*'
rm -rf "$scratch/fetching"
must cp -a "$one" "$scratch/fetching"
check 'a fetch of what the remote lacks' exits 128 git -C "$scratch/fetching" fetch -q fork
check 'a fetch of what the remote lacks deletes nothing' \
	exits 0 git -C "$scratch/fetching" rev-parse -q --verify refs/notes/perf
check 'a refspec of what the remote lacks' exits 0 git perf fsck
must git config --unset fetch.prune
must git remote remove fork
must git config --unset --fixed-value remote.origin.fetch '^refs/notes/perf'

# A mirror writes over everything, and deletes with --prune what its remote has
# not; what is said there leaves the notes alone and the mirror a mirror.
must git clone -q --mirror "$server" "$scratch/mirror"
must git -C "$scratch/mirror" perf pull -q
check 'init in a mirror' exits 0 git -C "$scratch/mirror" perf init
check 'init warns of the refspec of a mirror' \
	mentions err "warning: remote.origin.fetch has '\+refs/\*:refs/\*': .*overwrites"
said=$(sed -n "s/.*leave them out with '\(.*\)'$/\1/p" "$err")
check 'fsck in a mirror' exits 1 git -C "$scratch/mirror" perf fsck
check 'the refspec of a mirror is named' mentions out \
	"^remote.origin.fetch is '\+refs/\*:refs/\*': each 'git fetch' overwrites"
mend=$(sed -n 's/^  to mend: //p' "$out")
cd "$scratch/mirror" || exit 1
check 'what init says in a mirror is what fsck says' \
	is "$(echo "$said" | tr \" "'")" "$mend"
check 'what fsck says in a mirror can be typed' exits 0 sh -c "$mend"
check 'fsck in a mirror that leaves notes out' exits 0 git perf fsck
check 'init in a mirror that leaves notes out' exits 0 git perf init
check 'init warns of no mirror that leaves notes out' not mentions err warning
echo 'main;unpushed 1' >"$scratch/unpushed"
must git perf add -m main "$scratch/unpushed" 2>"$err"
must git fetch -q --prune
check 'a fetch of such a mirror keeps what was not pushed' \
	exits 0 sh -c 'git perf log --json main | grep -q unpushed'
cd "$one" || exit 1

: >.git/refs/notes/perf.lock
check 'a lock of this moment is no fault' exits 0 git perf fsck
must touch -d '2 hours ago' .git/refs/notes/perf.lock
check 'fsck beside an old lock' exits 1 git perf fsck
check 'an old lock is named with its age' mentions out \
	"refs/notes/perf.lock' is 1[12][0-9] minutes old and stops all writers$"
check 'a repair leaves a lock' exits 1 git perf fsck --repair
check 'the lock is there' test -e .git/refs/notes/perf.lock
rm .git/refs/notes/perf.lock

# A plain merge behind a compaction, in a clone that had not heard of it.
must git -C "$two" perf pull -q
add "$one" b
must git perf gc -q
must git perf push -q
check 'fsck tells the epoch' exits 0 git perf fsck
check 'the epoch is told' says out '1 commit, 2 profiles, 2 bodies, epoch 1: 0 problems'
add "$two" c
must git -C "$two" perf fetch -q
check 'a later epoch that was fetched is no fault' \
	exits 0 git -C "$two" perf fsck
must git -C "$two" notes --ref=perf merge -q -s cat_sort_uniq \
	refs/perf/remotes/origin/notes
check 'fsck behind a plain merge of a compaction' \
	exits 1 git -C "$two" perf fsck --json
check 'a plain merge of a compaction is named' json \
	'[.problems[] | select(.repair == "git perf pull")] | length' 1
check 'a pull mends it' exits 0 git -C "$two" perf pull
check 'all profiles are there' is "$(names "$two")" 'a b c '
check 'the clone is sound then' sound "$two"
check 'the clone is in the epoch' is \
	"$(git -C "$two" show refs/notes/perf:format | sed -n 's/^epoch //p')" 1

# Something that was fetched and cannot be read.
must git -C "$server" update-ref refs/perf/inbox/00ff "$(git rev-parse base)"
must git perf fetch -q
bad=$(printf 'perf-notes 9\n' | git hash-object -w --stdin)
tree=$(printf '100644 blob %s\tformat\n' "$bad" | git mktree)
must git update-ref refs/perf/remotes/origin/inbox/00fe \
	"$(git commit-tree -m x "$tree")"
check 'fsck beside an inbox of a later format' exits 1 git perf fsck
check 'an inbox of a later format is named' mentions out \
	'^what was fetched cannot be read: .*has format 9'
check 'a repair leaves an inbox' exits 1 git perf fsck --repair
check 'the inbox is there' exits 0 \
	git rev-parse -q --verify refs/perf/remotes/origin/inbox/00fe
