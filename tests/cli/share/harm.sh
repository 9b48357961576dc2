#!/bin/sh
# Plain git does harm to notes: one `git perf pull` in a clone that has the data
# brings all of it back, and a push from there heals the remote.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

# All that was ever added, in both clones, each from its own body.
must add "$one" a 1
must add "$one" b 2
must git perf push -q
must git -C "$two" perf pull -q

whole()
{
	is "$(names "$1")" "$expected" && sound "$1" &&
		for name in $expected; do
			exits 0 git -C "$1" perf show -m base "$name" || return 1
		done
}
expected='a b '
check 'both clones have all bodies at first' whole "$two"

# The clone `one` has the data; `two` does the harm and pushes it.
heals()
{
	check "$1: pull" exits 0 git perf pull
	check "$1: nothing is missing" whole "$one"
	check "$1: push" exits 0 git perf push
	check "$1: the other pulls" exits 0 git -C "$two" perf pull
	check "$1: nothing is missing there" whole "$two"
	check "$1: both have the same" is "$(tree "$one")" "$(tree "$two")"
}

n=0
for strategy in union cat_sort_uniq ours theirs; do
	n=$((n + 1))
	must add "$one" "one$n" "1$n"
	must add "$two" "two$n" "2$n"
	expected=$(echo "$expected one$n two$n" | tr ' ' '\n' | grep . | sort |
		tr '\n' ' ')
	must git perf push -q
	must git -C "$two" perf fetch -q
	before=$(git -C "$two" rev-parse refs/notes/perf)
	must git -C "$two" notes --ref=perf merge -q -s $strategy \
		refs/perf/remotes/origin/notes
	must git -C "$two" push -q origin refs/notes/perf
	case $strategy in
	theirs)
		# its own line is nowhere else: a clone that has the data
		must git -C "$two" update-ref refs/notes/perf "$before"
		;;
	esac
	must git -C "$two" perf pull -q
	must git -C "$two" perf push -q
	heals "git notes merge -s $strategy"
done

must git -C "$two" notes --ref=perf remove base
must git -C "$two" push -q origin refs/notes/perf
heals 'git notes remove'

must git commit -q --allow-empty -m lost
must add "$one" of-lost 7 HEAD
must git perf push -q
lost=$(git rev-parse HEAD)
must git -C "$two" perf pull -q
must git -C "$two" notes --ref=perf prune
must git -C "$two" push -q origin refs/notes/perf
check 'a prune took the note of a commit that was never pushed' \
	exits 1 git -C "$server" notes --ref=perf list "$lost"
heals 'git notes prune'
check 'the pruned note is back at the remote' \
	exits 0 git -C "$server" notes --ref=perf list "$lost"

# USERS, and STORAGE section 1: a push by force from an old clone.
must git clone -q "$server" "$scratch/old"
must git -C "$scratch/old" fetch -q origin refs/notes/perf:refs/notes/perf
must git -C "$scratch/old" update-ref refs/notes/perf refs/notes/perf~3
must add "$scratch/old" of-old 8
must git -C "$scratch/old" push -q --force origin refs/notes/perf
expected=$(echo "$expected of-old" | tr ' ' '\n' | grep . | sort | tr '\n' ' ')
heals 'a push by force'

# A refspec that overwrites: what was not pushed is gone from the ref, fsck of
# that clone names it by the reflog; who has the data brings it back.
must git -C "$two" config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
must add "$one" before-wildcard 9
must git perf push -q
expected=$(echo "$expected before-wildcard" | tr ' ' '\n' | grep . | sort |
	tr '\n' ' ')
must add "$two" unpushed 10
before=$(git -C "$two" rev-parse refs/notes/perf)
must git -C "$two" fetch -q origin
check 'a wildcard overwrites what was not pushed' is "$(names "$two")" \
	"$expected"
check 'what a wildcard overwrote is a fault' exits 1 git -C "$two" perf fsck
check 'what a wildcard overwrote is named' mentions out \
	': profile [0-9a-f]{16} was here, until a plain git wrote '
check 'init names the refspec' exits 0 git -C "$two" perf init
check 'init says what it does' mentions err "warning: .*'\+refs/notes/\*:refs/notes/\*': each fetch overwrites profiles"
must git -C "$two" config --unset --fixed-value remote.origin.fetch \
	'+refs/notes/*:refs/notes/*'
# the reflog that git keeps of notes has it
must git -C "$two" update-ref refs/notes/perf "$before"
must git -C "$two" perf pull -q
expected=$(echo "$expected unpushed" | tr ' ' '\n' | grep . | sort |
	tr '\n' ' ')
must git -C "$two" perf push -q
heals 'a wildcard refspec'

# gc beside it. At the remote without --prune=now: between receiving and moving
# the ref that takes what was received of any push, as git-gc(1) warns; then
# `git fsck` of the remote names it, and no push can know.
touch "$scratch/run"
(
	while [ -e "$scratch/run" ]; do
		git -C "$one" gc --prune=now --quiet
		git -C "$server" gc --quiet
	done
) 2>"$scratch/gc" &
gc=$!
# That gc takes the packs that git receives, on either side: git says so, and
# the next push does it.
pushes()
{
	tries=0
	until git -C "$1" perf push -q 2>>"$scratch/gc"; do
		tries=$((tries + 1))
		[ $tries -lt 50 ] || {
			tail -n 3 "$scratch/gc"
			return 1
		}
	done
}
for i in 1 2 3 4 5 6; do
	must add "$two" "gc-two$i" "3$i"
	must pushes "$two"
	must add "$one" "gc-one$i" "4$i"
	must pushes "$one"
	expected=$(echo "$expected gc-one$i gc-two$i" | tr ' ' '\n' | grep . |
		sort | tr '\n' ' ')
done
rm "$scratch/run"
wait $gc
heals 'git gc --prune=now beside it'
