#!/bin/sh
# pull --filter: indexes come, large bodies when they are needed, many in one
# connection, and nothing else in the clone is filtered. Bodies of random names
# have more than 64 kB however they are packed.
. "$(dirname "$0")/../lib.sh"
need jq
server=$scratch/server.git
n=5

# $1 a name, $2 a seed: 9,000 functions without a pattern in them.
profile()
{
	awk -v seed="$2" 'BEGIN {
		srand(seed)
		for (i = 0; i < 9000; i++) {
			name = ""
			for (k = 0; k < 4; k++)
				name = name sprintf("%05x", int(rand() * 1048576))
			print "main;" name, 1 + i % 7
		}
	}' >"$scratch/$1.folded"
	must git perf add -n "$1" "$scratch/$1.folded"
}
# Objects that are promised and not here.
absent()
{
	git rev-list --objects --missing=print --glob=refs/perf --glob=refs/notes |
		grep -c '^?'
}
connections()
{
	wc -l <"$scratch/connections"
}
once()
{
	: >"$scratch/connections"
	exits 0 "$@" && is "$(connections)" 1
}

must git init -q --bare -b main "$server"
must git -C "$server" config uploadpack.allowFilter true
must git remote add origin "file://$server"
for i in $(seq $n); do
	commit "$i"
	profile "p$i" "$i"
done
must git push -q origin main
must git perf push -q

counting_upload
writer=$PWD
must git clone -q "file://$server" "$scratch/tried"
cd "$scratch/tried" || exit 1
check 'a filtered fetch can be tried' exits 0 git perf fetch -n --filter
check 'a fetch that is tried sets no filter' exits 1 \
	git config remote.origin.perfFilter
must git clone -q "file://$server" "$scratch/fetched"
cd "$scratch/fetched" || exit 1
check 'a filtered fetch' exits 0 git perf fetch --filter
check 'a pull behind a filtered fetch' exits 0 git perf pull
check 'a filtered fetch leaves out each large body' is "$(absent)" $n
cd "$writer" || exit 1
must git clone -q "file://$server" "$scratch/lean"
cd "$scratch/lean" || exit 1
must git config remote.origin.uploadpack "$scratch/upload"

check 'a filtered pull is one connection' once git perf pull --filter
check 'a filtered pull leaves out each large body' is "$(absent)" $n
: >"$scratch/connections"
check 'log reads the indexes' is "$(git perf log --json |
	jq -r '.commits[].profiles[].name' | sort | tr '\n' ' ')" 'p1 p2 p3 p4 p5 '
check 'log asks nobody' is "$(connections)" 0
check 'the remote of the branches promises nothing' exits 1 git config remote.origin.promisor
check 'the remote of the branches has no filter' exits 1 git config remote.origin.partialclonefilter
check 'status works in a filtered clone' exits 0 git perf status
check 'git finds no fault in a filtered clone' exits 0 git fsck --strict

check 'show of one profile gets one body' once git perf show --json HEAD:p5
check 'what show got has the costs that were added' json .total \
	"$(awk '{ s += $2 } END { print s }' "$scratch/p5.folded")"
check 'the other bodies are still absent' is "$(absent)" $((n - 1))
check 'merge of three profiles asks once' once git perf merge -o "$scratch/m.pb.gz" \
	HEAD~4:p1 HEAD~3:p2 HEAD~2:p3
check 'one body is absent then' is "$(absent)" 1
must git gc -q --prune=now
check 'a gc leaves the clone whole' exits 0 git perf show HEAD:p5

# Branches come whole; other profiles do not; what is written here is sent.
cd "$writer" || exit 1
head -c 200000 /dev/urandom >big
must git add big
commit big
profile p6 6
must git push -q origin main
must git perf push -q
cd "$scratch/lean" || exit 1
must git pull -q
check 'a fetch of branches leaves nothing out' is "$(git cat-file -s HEAD:big)" 200000
check 'the next pull is filtered as well' once git perf pull
check 'a body that came later is absent, too' is "$(absent)" 2
profile p7 7
check 'a filtered clone pushes' exits 0 git perf push --no-inbox
check 'the server has all of it' exits 0 git -C "$server" fsck --strict
cd "$writer" || exit 1
must git perf pull -q
check 'others get what it pushed' exits 0 git perf show HEAD:p7
cd "$scratch/lean" || exit 1

# The other side moves.
mv "$server" "$server.moved"
must git remote set-url origin "file://$server.moved"
check 'a pull follows the remote to another URL' exits 0 git perf pull
check 'bodies are asked of the new one' is "$(git config remote.perf-origin.url)" \
	"file://$server.moved"
mv "$server.moved" "$server"
must git remote set-url origin "file://$server"
must git perf pull -q

# The other side moves where git has forgotten what it was called, or where it
# could not be asked for everything: what it once promised is asked of it yet.
at_another_name()
{
	must git clone -q "file://$server" "$scratch/$1"
	cd "$scratch/$1" || exit 1
	must git perf pull -q --filter
	mv "$server" "$server.moved"
	case $1 in
	renamed) must git remote rename origin up 2>"$scratch/said" ;;
	anew) must git remote remove origin ;;
	unasked) exits 128 git perf pull --all ;;
	esac
	case $1 in
	renamed) must git remote set-url up "file://$server.moved" ;;
	anew) must git remote add origin "file://$server.moved" ;;
	unasked) must git remote set-url origin "file://$server.moved" ;;
	esac
	check "a pull of a remote that moved, $1" exits 0 git perf pull
	check "a body that was left out comes from there, $1" exits 0 git perf show HEAD~1:p5
	check "all others come from there, $1" exits 0 git perf pull --all
	check "nothing is absent then, $1" is "$(absent)" 0
	mv "$server.moved" "$server"
}
at_another_name renamed
at_another_name anew
at_another_name unasked
must git clone -q "file://$server" "$scratch/other_name"
cd "$scratch/other_name" || exit 1
must git perf pull -q --filter
were=$(absent)
must git remote rename origin up 2>"$scratch/said"
cd "$writer" || exit 1
profile p7b 71
must git perf push -q
cd "$scratch/other_name" || exit 1
must git perf pull -q
check 'what comes later is left out by another name, too' is "$(absent)" $((were + 1))
cd "$scratch/lean" || exit 1
must git perf pull -q

# Nobody there.
mv "$server" "$server.away"
check 'an absent body is told' exits 128 git perf show HEAD~2:p4
check 'the error says that it could not be fetched' mentions err \
	'^fatal: .*is missing and could not be fetched'
check 'log needs nobody' exits 0 git perf log
mv "$server.away" "$server"

# Back to everything.
check 'pull --all gets what was left out' exits 0 git perf pull --all
check 'nothing is absent after it' is "$(absent)" 0
check 'fsck finds no fault afterwards' exits 0 git perf fsck
cd "$writer" || exit 1
profile p8 8
must git perf push -q
cd "$scratch/lean" || exit 1
must git perf pull -q
check 'a pull after it leaves nothing out' is "$(absent)" 0
check 'all and a filter at once are refused' exits 129 git perf pull --all --filter

# A clone that is partial already, of everything: only bodies stay away.
must git clone -q --filter=blob:none "file://$server" "$scratch/partial"
cd "$scratch/partial" || exit 1
must git perf pull -q
must git config remote.origin.uploadpack "$scratch/upload"
: >"$scratch/connections"
must git perf log
check 'log in a partial clone asks nobody' is "$(connections)" 0
check 'bodies are left out there by themselves' test "$(absent)" -ge 8
check 'a filter of its own is refused there' exits 128 git perf pull --filter
check 'what lacks bodies is not compacted' exits 128 git perf gc -n
check 'a way to all bodies is told' mentions err "'git perf pull --all' gets them"
check 'the way that is told works' exits 0 git perf pull --all
check 'no body is absent behind it' is "$(absent)" 0
check 'what has all bodies is compacted' exits 0 git perf gc -n

# A server that knows no filters.
must git -C "$server" config uploadpack.allowFilter false
must git clone -q "file://$server" "$scratch/plain"
cd "$scratch/plain" || exit 1
check 'a server without filters gives all' exits 0 git perf pull --filter
check 'nothing is absent from it' is "$(absent)" 0

# The server is compacted, and its git has taken away what was taken out: a
# clone that never had that body sends what it adds none the less.
must git -C "$server" config uploadpack.allowFilter true
must git clone -q --filter=blob:none "file://$server" "$scratch/promised"
must git -C "$scratch/promised" perf pull -q
must git clone -q "file://$server" "$scratch/filtered"
must git -C "$scratch/filtered" perf pull -q --filter
cd "$writer" || exit 1
must git perf pull -q
must git perf rm HEAD:p8 2>"$scratch/said"
must git perf gc -q
must git perf push -q
must git -C "$server" reflog expire --expire=now --all
must git -C "$server" gc -q --prune=now
for clone in promised filtered; do
	cd "$scratch/$clone" || exit 1
	check "a body that is gone is told, $clone" exits 128 git perf show HEAD:p8
	check "a body that is gone is told in one line with the way out, $clone" is \
		"$(grep -c "is missing, and its remote has it no more: 'git perf pull' " "$err")$(wc -l <"$err")" 11
	check "fsck tells it, $clone" exits 1 git perf fsck
	check "fsck tells the same way out, $clone" mentions out '^  to mend: git perf pull$'
	profile "of-$clone" 9
	check "a file with all of it cannot be made, $clone" exits 128 \
		git perf bundle create --all "$scratch/$clone.bundle"
	check "what helps is told, $clone" mentions err \
		"^fatal: .*: profiles that this partial clone lacks .* any more .'git perf pull' first;"
	check "nothing else is told, $clone" is "$(wc -l <"$err")" 1
	mv "$server" "$server.away"
	check "a file is not made where the remote is away, $clone" exits 128 \
		git perf bundle create --all "$scratch/$clone.bundle"
	check "a remote that is away is told as it is, $clone" not mentions err 'any more'
	mv "$server.away" "$server"
	check "an inbox takes in the compaction first, $clone" exits 0 git perf push --inbox
	check "push says what it took in, $clone" mentions err "^took in what 'origin' has of 1 commit$"
	check "a push goes on top of the compaction, $clone" exits 0 git perf push
	profile "more-$clone" 10
	check "a file behind it, $clone" exits 0 git perf bundle create "$scratch/$clone.bundle"
	check "the server is whole, $clone" exits 0 git -C "$server" fsck --strict
done
cd "$writer" || exit 1
must git perf pull -q
check 'what was sent is there' exits 0 git perf merge -o "$scratch/m.pb.gz" \
	HEAD:of-promised HEAD:of-filtered
check 'what was taken out is not' exits 128 git perf show HEAD:p8
for clone in promised filtered; do
	check "the file brings what came later, $clone" exits 0 \
		git perf bundle apply "$scratch/$clone.bundle"
	check "what the file brought is here, $clone" exits 0 git perf show "HEAD:more-$clone"
done
check 'fsck finds no fault with what partial clones sent' exits 0 git perf fsck

# git's gc in a clone that is filtered drops a note that was sent, as its remote
# has it; that is compacted, and has it no more.
server=$scratch/small.git
writer=$scratch/writer
must git init -q --bare -b main "$server"
must git -C "$server" config uploadpack.allowFilter true
must git init -q -b main "$writer"
must git -C "$writer" remote add origin "file://$server"
must git -C "$writer" commit -q --allow-empty -m 1
must git -C "$writer" commit -q --allow-empty -m 2
small()
{
	echo "main;$2 1" >"$scratch/small.folded"
	must git -C "$1" perf add -n "$2" -m "$3" "$scratch/small.folded" 2>"$scratch/said"
}
small "$writer" first HEAD
must git -C "$writer" push -q origin main
must git -C "$writer" perf push -q
must git clone -q "file://$server" "$scratch/dropped"
cd "$scratch/dropped" || exit 1
must git perf pull -q --filter
small . sent HEAD
must git perf push -q
must git -C "$writer" perf pull -q
small "$writer" other HEAD~1
must git -C "$writer" perf push -q
must git perf pull -q
must git reflog expire --expire=now --all
must git gc -q --prune=now
must git -C "$writer" perf rm HEAD:sent 2>"$scratch/said"
must git -C "$writer" perf gc -q
must git -C "$writer" perf push -q
must git -C "$server" gc -q --prune=now
for command in log status 'show HEAD'; do
	check "a note that git dropped is nowhere, $command" exits 128 git perf $command
	check "what is missing and the way out are told, $command" mentions err \
		"^fatal: .* note of .*: blob .* is missing, and its remote has it no more: 'git perf pull' "
	check "one line tells it, $command" is "$(wc -l <"$err")" 1
done
check 'fsck goes on behind a note that is gone' exits 1 git perf fsck
check 'fsck tells the note that is gone' mentions out \
	': the note is missing, and its remote has it no more$'
check 'fsck tells the way out' mentions out '^  to mend: git perf pull$'
check 'fsck has looked at the other note' mentions out '^2 commits, 1 profile, .*: 1 problem$'
small . unsent HEAD~1
check 'a pull stands on the compaction without that note' exits 0 git perf pull
check 'log works again' exits 0 git perf log
check 'what was not sent yet is sent' exits 0 git perf push
must git -C "$writer" perf pull -q
check 'the others have what was not sent then' exits 0 git -C "$writer" perf show HEAD~1:unsent
check 'what was taken out stays out' exits 128 git perf show HEAD:sent
check 'fsck finds no fault behind it' exits 0 git perf fsck

# Bodies come beside those that were left out, in the same folders of the tree:
# all of them at once, from the remote that promised the others or another one.
server=$scratch/beside.git
writer=$scratch/writes_beside
must git init -q --bare -b main "$server"
must git -C "$server" config uploadpack.allowFilter true
must git init -q -b main "$writer"
cd "$writer" || exit 1
must git remote add origin "file://$server"
must git remote add two "file://$scratch/two.git"
commit beside
profile q1 1
profile q2 2
must git push -q origin main
must git perf push -q
must cp -r "$server" "$scratch/two.git"
must git clone -q "file://$server" "$scratch/left_out"
must git -C "$scratch/left_out" perf pull -q --filter
must git -C "$scratch/left_out" remote add two "file://$scratch/two.git"
must cp -r "$scratch/left_out" "$scratch/two_remotes"
must cp -r "$scratch/left_out" "$scratch/by_bundle"
for i in $(seq 800); do
	echo "main;beside $i" >"$scratch/beside$i.folded"
	printf 'HEAD\t%s\n' "$scratch/beside$i.folded"
done >"$scratch/batch"
must git perf add --stdin <"$scratch/batch" 2>"$scratch/said"
must git perf bundle create -q "$scratch/beside.bundle"
must git perf push -q two
cd "$scratch/by_bundle" || exit 1
must mv "$server" "$server.away"
check 'a bundle of what comes beside what was left out, without the remote' exits 128 \
	git perf bundle apply "$scratch/beside.bundle"
check 'what helps against it is told' mentions err \
	"^fatal: .*beside.bundle' builds on .* partial clone lacks .'git perf pull --all' gets"
check 'one line tells it, bundle apply' is "$(wc -l <"$err")" 1
must mv "$server.away" "$server"
check 'what was left out is fetched for a bundle' exits 0 \
	git perf bundle apply "$scratch/beside.bundle"
check 'nothing is absent behind such a bundle' is "$(absent)" 0
check 'a body of the bundle is here' exits 0 git perf show HEAD:beside600.folded
cd "$scratch/two_remotes" || exit 1
check 'what came beside what was left out, from another remote' exits 0 git perf pull two
check 'such a body is here' exits 0 git perf show HEAD:beside600.folded
check 'what was left out is asked of the first remote yet' exits 0 git perf show HEAD:q1
must git -C "$writer" perf push -q
cd "$scratch/left_out" || exit 1
check 'pull --all gets what came beside what was left out' exits 0 git perf pull --all
check 'nothing is absent behind such a pull' is "$(absent)" 0
check 'fsck finds no fault behind such a pull' exits 0 git perf fsck

# A bundle of before a gc, whose history leads to a body that was never here: it
# is fetched by its id, and where nobody has it any more one line says so.
server=$scratch/old.git
must git init -q --bare -b main "$server"
must git -C "$server" config uploadpack.allowFilter true
must git -C "$server" config uploadpack.allowAnySHA1InWant true
must git init -q -b main "$scratch/writes_old"
cd "$scratch/writes_old" || exit 1
must git remote add origin "file://$server"
commit old
must git push -q origin main
profile o1 1
profile o2 2
must git perf push -q
must git clone -q --filter=blob:none "file://$server" "$scratch/has_old"
cd "$scratch/has_old" || exit 1
must git perf pull -q
echo 'main;mine 1' >"$scratch/mine"
must git perf add "$scratch/mine" 2>"$scratch/said"
must git perf bundle create -q "$scratch/old.bundle"
must git -C "$scratch/writes_old" perf gc -q
must git -C "$scratch/writes_old" perf push -q
must git perf pull -q
must cp -r "$scratch/has_old" "$scratch/has_gone"
check 'a bundle of before a gc leads to what was left out' exits 0 \
	git perf bundle apply "$scratch/old.bundle"
check 'such a bundle has nothing new' mentions err 'has no profiles that are not here'
check 'fsck finds no fault behind such a bundle' exits 0 git perf fsck
must git -C "$scratch/writes_old" perf rm HEAD:o1 2>"$scratch/said"
must git -C "$scratch/writes_old" perf gc -q
must git -C "$scratch/writes_old" perf push -q
must git -C "$server" gc -q --prune=now
cd "$scratch/has_gone" || exit 1
must git perf pull -q
check 'a bundle that leads to a body that nobody has' exits 128 \
	git perf bundle apply "$scratch/old.bundle"
check 'one line tells of a body that nobody has' is "$(wc -l <"$err")" 1
check 'the line of a body that nobody has says what would have been right' mentions err \
	"^fatal: cannot read '.*old.bundle': .* nor at its remotes .*'git perf bundle create --all'"
check 'fsck finds no fault behind a bundle that was refused' exits 0 git perf fsck
