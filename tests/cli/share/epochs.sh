#!/bin/sh
# Compaction between clones: what was taken out stays out, what a compaction did
# not see is written anew on top of it, whoever was first.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
need python3 jq
epoch()
{
	git -C "$1" show refs/notes/perf:format | sed -n 's/^epoch //p'
}
commits()
{
	git -C "$1" rev-list --count refs/notes/perf
}
# Make all tombstones of a clone so many days older, their ids anew (FORMAT.md).
age()
{
	git -C "$1" notes --ref=perf show base >"$scratch/note"
	python3 - "$scratch/note" "$2" >"$scratch/aged" <<'END'
import datetime, hashlib, sys
old = (datetime.datetime.utcnow() - datetime.timedelta(days=int(sys.argv[2]))) \
    .strftime('%Y-%m-%dT%H:%M:%S.000000000Z')
for line in open(sys.argv[1]):
    words = line.rstrip('\n').split(' ')
    if len(words) > 3 and words[3] == 'del':
        words[1] = old
        rest = ' '.join(words[:2] + words[3:])
        words[2] = hashlib.sha256(rest.encode()).hexdigest()[:16]
    print(' '.join(words))
END
	must git -C "$1" notes --ref=perf add -f -F "$scratch/aged" base \
		2>"$scratch/said"
}

# DESIGN: an orphan commit, an epoch, every live record.
for name in a b gone; do
	add "$one" $name
done
must git perf push -q
must git -C "$two" perf pull -q
must git clone -q "$server" "$scratch/stale"
must git -C "$scratch/stale" perf pull -q
must git clone -q "$server" "$scratch/worker"
must git -C "$scratch/worker" perf pull -q
must git perf rm -m base gone
before=$(git rev-parse refs/notes/perf)
check 'a dry run of gc works' exits 0 git perf gc --dry-run
check 'a dry run says what would go' mentions err \
	'^would leave behind the history before epoch 1, 1 line of what is out: about [0-9.]+ k?B$'
check 'a dry run moves nothing' is "$(git rev-parse refs/notes/perf)" "$before"
check 'gc works' exits 0 git perf gc
check 'gc leaves one commit' is "$(commits "$one")" 1
check 'gc begins an epoch' is "$(epoch "$one")" 1
check 'gc says from where' is "$(git show refs/notes/perf:format |
	sed -n 's/^compacted-from //p')" "$before"
check 'gc keeps what lives' is "$(names "$one")" 'a b '
check 'gc keeps the tombstone' is \
	"$(git notes --ref=perf show base | grep -c ' del ')" 1
check 'gc forgets the line that it takes out' is \
	"$(git notes --ref=perf show base | grep -c 'name=gone')" 0
check 'gc forgets the body' is \
	"$(git ls-tree -r refs/notes/perf | grep -c objects/)" 2
check 'nothing is wrong behind gc' sound "$one"
check 'status behind gc' exits 0 git perf status
check 'nothing of the remote is to come behind gc' not mentions out 'not united'

# The others have added meanwhile.
add "$two" of-two
add "$scratch/worker" of-worker
must git -C "$scratch/worker" perf push -q --inbox
add "$scratch/stale" of-stale
must git -C "$scratch/stale" perf bundle create -q "$scratch/stale.bundle"
check 'a push of a compaction' exits 0 git perf push
check 'the remote has it' is "$(epoch "$server")" 1
check 'a pull of a compaction' exits 0 git -C "$two" perf pull
check 'a pull of a compaction is in its epoch' is "$(epoch "$two")" 1
check 'a pull of a compaction has dropped the history' \
	is "$(git -C "$two" rev-list refs/notes/perf | grep -c "$before")" 0
check 'a pull takes in an inbox of the epoch before, too' \
	is "$(names "$two")" 'a b of-two of-worker '
check 'nothing is wrong in that clone' sound "$two"
check 'a push from that clone works' exits 0 git -C "$two" perf push
check 'a push from that clone takes the old inbox away' is \
	"$(git -C "$server" for-each-ref refs/perf/inbox)" ''
check 'a bundle of the epoch before' \
	exits 0 git perf bundle apply "$scratch/stale.bundle"
check 'a bundle of the epoch before brings its own, and nothing that is out' \
	is "$(names "$one")" 'a b of-stale '
must git perf pull -q
must git perf push -q
must git -C "$two" perf pull -q
check 'the clone behind a gc has all profiles' is "$(names "$two")" 'a b of-stale of-two of-worker '
check 'a clone that pushes without a pull' \
	exits 0 git -C "$scratch/stale" perf push
check 'a clone that was stale has all, once' is "$(names "$scratch/stale")" "$(names "$two")"
check 'three clones have one tree' is "$(tree "$one")$(tree "$scratch/stale")" \
	"$(tree "$two")$(tree "$two")"

# Two compactions of one epoch.
add "$one" one2
add "$two" two2
must git perf rm -m base a
must git -C "$two" perf rm -m base b
must git perf gc -q
must git -C "$two" perf gc -q
must git perf push -q
check 'the second push of one epoch' exits 0 git -C "$two" perf push
check 'the first clone pulls a second gc of one epoch' exits 0 git perf pull
check 'two compactions are united' is "$(names "$one")" \
	'of-stale of-two of-worker one2 two2 '
check 'both clones have one tree' is "$(tree "$one")" "$(tree "$two")"
check 'nothing is wrong behind two compactions' sound "$one"

# A record that is taken out on one side while the other compacts.
must git -C "$two" perf pull -q
must git -C "$two" perf rm -m base of-stale
must git perf gc -q
must git perf push -q
must git -C "$two" perf pull -q
must git -C "$two" perf push -q
must git perf pull -q
check 'a removal beside a compaction holds' is "$(names "$one")" \
	'of-two of-worker one2 two2 '
check 'a removal beside a compaction holds there' is "$(names "$two")" \
	"$(names "$one")"

# A tombstone stays, however old: a clone that slept for a hundred days, and one
# whose removal was written so long ago and pushed today, bring nothing back.
must git clone -q "$server" "$scratch/asleep"
must git -C "$scratch/asleep" perf pull -q
add "$scratch/asleep" own
one2=$(git perf log --json base |
	jq -r '.commits[].profiles[] | select(.name == "one2") | .id')
must git perf rm -m base one2 2>"$scratch/said"
age "$one" 100
# that was a plain git: the lines as they were are missed while the log has them
must rm .git/logs/refs/notes/perf
check 'fsck finds aged tombstones well made' exits 0 git perf fsck
must git perf gc -q
check 'gc keeps old tombstones' is \
	"$(git notes --ref=perf show base | grep -c " del $one2 ")" 1
must git perf push -q
check 'the one that slept pulls' exits 0 git -C "$scratch/asleep" perf pull
check 'what was taken out stays out' is "$(names "$scratch/asleep")" \
	'of-two of-worker own two2 '
check 'the one that slept pushes' exits 0 git -C "$scratch/asleep" perf push
must git perf pull -q
must git -C "$two" perf pull -q
check 'all have its own record' is "$(names "$one")$(names "$two")" \
	"$(names "$scratch/asleep")$(names "$scratch/asleep")"

# The one that slept compacts by itself before it pushes.
must git -C "$two" perf rm -m base own 2>"$scratch/said"
must git -C "$two" perf gc -q
must git -C "$two" perf push -q
must git -C "$scratch/asleep" perf gc -q
must git -C "$scratch/asleep" perf push -q
must git -C "$scratch/asleep" perf rm -m base two2 2>"$scratch/said"
must git -C "$scratch/asleep" perf push -q
must git perf pull -q
must git -C "$two" perf pull -q
check 'who compacts what was removed elsewhere brings nothing back' \
	is "$(names "$one")$(names "$two")" 'of-two of-worker of-two of-worker '

# A remote that was made anew, or forced back, loses nothing that is in a clone:
# what is absent there was not taken out.
add "$one" only-here
must git perf push -q
must git clone -q "$server" "$scratch/part"
must git -C "$scratch/part" perf pull -q
add "$one" later
must git perf push -q
must git -C "$server" update-ref -d refs/notes/perf
must git -C "$scratch/part" perf gc -q
must git -C "$scratch/part" perf push -q
check 'a pull from a remote that was made anew' exits 0 git perf pull
check 'what is absent there stays here' is "$(names "$one")" \
	'later of-two of-worker only-here '
must git perf push -q
must git -C "$two" perf pull -q
check 'what was absent there is back' is "$(names "$two")" "$(names "$one")"

# An inbox begins no epoch, whatever it says.
must git clone -q "$server" "$scratch/evil"
must git -C "$scratch/evil" perf pull -q
add "$scratch/evil" w1
format=$(printf 'perf-notes 1\nepoch 4294967296\n' |
	git -C "$scratch/evil" hash-object -w --stdin)
hostile=$(git -C "$scratch/evil" ls-tree refs/notes/perf | grep -v format |
	{
		cat
		printf '100644 blob %s\tformat\n' "$format"
	} | git -C "$scratch/evil" mktree)
must git -C "$scratch/evil" push -q origin \
	"$(git -C "$scratch/evil" commit-tree -m 'perf: x' "$hostile"):refs/perf/inbox/00aa"
was=$(epoch "$one")
check 'a pull of an inbox of the last epoch' exits 0 git perf pull
check 'an inbox begins no epoch' is "$(epoch "$one")" "$was"
check 'what an inbox of the last epoch has comes' mentions \
	"$(names "$one" >"$out" && echo out)" 'w1'
check 'a push behind it' exits 0 git perf push
check 'the inbox of the last epoch is taken away' is \
	"$(git -C "$server" for-each-ref refs/perf/inbox)" ''
must git perf rm -m base w1 2>"$scratch/said"
must git perf push -q

# Nor does a remote whose epoch nobody can have reached.
must git clone -q "$server" "$scratch/far"
must git -C "$server" update-ref refs/kept refs/notes/perf
must git -C "$scratch/evil" push -q -f origin \
	"$(git -C "$scratch/evil" commit-tree -m 'perf: x' "$hostile"):refs/notes/perf"
was=$(git rev-parse refs/notes/perf)
check 'a pull of the last epoch' exits 128 git perf pull
check 'a pull of the last epoch says why, and what mends it' mentions err \
	"says epoch 4294967296, here is epoch [0-9]: .*git push --force"
check 'a pull of the last epoch moves nothing' \
	is "$(git rev-parse refs/notes/perf)" "$was"
check 'a new clone of the last epoch' \
	exits 128 git -C "$scratch/far" perf pull
check 'a new clone does not begin with the last epoch' \
	exits 1 git -C "$scratch/far" rev-parse -q --verify refs/notes/perf
check 'gc works behind that' exits 0 git perf gc -n
must git push -q -f "$server" refs/notes/perf
check 'what was said mends it' exits 0 git -C "$scratch/far" perf pull
must git -C "$server" update-ref refs/notes/perf refs/kept
must git -C "$server" update-ref -d refs/kept
must git perf pull -q

# Two plain merges and a long history of others: bodies lie far behind the tip,
# where nobody looks, and gc anchors them by their names.
must git clone -q "$server" "$scratch/a"
must git clone -q "$server" "$scratch/b"
for name in a b; do
	must git -C "$scratch/$name" perf pull -q
	add "$scratch/$name" "of-$name"
done
must git -C "$scratch/a" fetch -q "$scratch/b" refs/notes/perf:refs/b/notes
must git -C "$scratch/a" notes --ref=perf merge -q -s cat_sort_uniq refs/b/notes
tip=$(git -C "$scratch/a" rev-parse refs/notes/perf)
{
	printf 'reset refs/notes/perf\nfrom %s\n\n' "$tip"
	i=0
	while [ $i -lt 1005 ]; do
		i=$((i + 1))
		printf 'commit refs/notes/perf\ncommitter a <a@b> %d +0000\n' \
			$((1790000000 + i))
		printf 'data 2\nx\n\n'
	done
} | must git -C "$scratch/a" fast-import --quiet --force
must git -C "$scratch/a" update-ref -d refs/b/notes
must git -C "$scratch/a" perf gc -q
must git -C "$scratch/a" reflog expire --expire=now --all
must git -C "$scratch/a" update-ref -d refs/perf/remotes/origin/notes
must git -C "$scratch/a" gc -q --prune=now
check 'gc anchors what lies behind a cut history' sound "$scratch/a"
check 'gc keeps the profile of both sides' is \
	"$(names "$scratch/a")" "later of-a of-b of-two of-worker only-here "
must git -C "$scratch/a" perf push -q

# The same on the side of who pulls: what is only in the history that a pull
# would leave behind keeps that history.
must git -C "$scratch/b" fetch -q "$one" refs/notes/perf:refs/b/notes
must git perf pull -q

# Plain git: the remote goes back to a state before the compaction.
old=$(git -C "$two" rev-parse refs/notes/perf)
must git perf gc -q
must git perf push -q
must git -C "$two" push -q --force origin "$old:refs/notes/perf"
add "$two" harm
must git -C "$two" push -q origin refs/notes/perf
check 'a pull of an older epoch' exits 0 git perf pull
check 'a pull of an older epoch takes in what is new' is "$(names "$one")" \
	'harm later of-a of-b of-two of-worker only-here '
check 'a push heals the remote' exits 0 git perf push
check 'the remote is compacted again' is "$(epoch "$server")" \
	"$(epoch "$one")"
must git -C "$two" perf pull -q
check 'the clone that did harm has all after a pull' is "$(tree "$two")" "$(tree "$one")"

# A remote that takes no rewind. That a hook declines proves nothing: nobody
# knows whether it minds the rewind.
cat >"$server/hooks/update" <<'END'
#!/bin/sh
case $2 in
*[1-9a-f]*) git merge-base --is-ancestor "$2" "$3" || exit 1 ;;
esac
END
chmod +x "$server/hooks/update"
must git perf pull -q
add "$one" declined
must git perf gc -q
tip=$(git rev-parse refs/notes/perf)
check 'a push of a compaction that a hook declines' exits 128 git perf push
check 'a push that a hook declines says what else there is' mentions err \
	"^fatal: .*git perf push --keep-history.*hook declined"
check 'a push that a hook declines changes nothing here' \
	is "$(git rev-parse refs/notes/perf)" "$tip"
check 'a push that keeps the history' exits 0 git perf push --keep-history
check 'the remote has the history and the epoch' is \
	"$(epoch "$server") $(test "$(commits "$server")" -gt 2 && echo long)" \
	"$(epoch "$one") long"
must git -C "$two" perf pull -q
check 'all is there behind that' is "$(tree "$two")" "$(tree "$one")"
check 'nothing is wrong at the end' sound "$two"
check 'git finds nothing wrong at the remote' \
	exits 0 git -C "$server" fsck --strict

# Who cannot tell does not.
must git clone -q --depth 1 "file://$server" "$scratch/shallow"
must git -C "$scratch/shallow" perf pull -q
check 'a shallow clone is refused' exits 128 git -C "$scratch/shallow" perf gc
check 'a shallow clone is told what to do' mentions err \
	'^fatal: this clone is shallow .*git fetch --unshallow'
check 'prune is refused there, too' \
	exits 128 git -C "$scratch/shallow" perf prune
must git init -q "$scratch/empty"
check 'gc of nothing' exits 0 git -C "$scratch/empty" perf gc
check 'gc of nothing says so' says err 'nothing to leave behind'

# A clone that has everything has nothing to push when another one compacts: the
# dead lines that went there, two here, are no records of its own.
rm -f "$server/hooks/"*
must git perf pull -q
for name in p q r; do
	add "$one" $name
done
must git perf push -q
must git -C "$two" perf pull -q
must git -C "$two" perf rm -m base p
must git -C "$two" perf rm -m base q
must git -C "$two" perf push -q
must git perf pull -q
must git -C "$two" perf gc
must git -C "$two" perf push -q
must git perf fetch -q
check 'the compaction has left dead lines out' is \
	"$(git notes --ref=refs/perf/remotes/origin show base 2>/dev/null | grep -c 'name=[pq] ')" 0
check 'status tells no dead line as not pushed' is "$(git perf status --json | jq -c .unpushed)" 0
add "$one" s
check 'status tells a record of its own as not pushed' \
	is "$(git perf status --json | jq -c .unpushed)" 1
