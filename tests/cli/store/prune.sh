#!/bin/sh
# Taking out what nobody needs: commits that vanished, policies, old bodies.
. "$(dirname "$0")/../lib.sh"
need jq

add()
{
	printf 'main;%s %s\nmain 3\n' "$1" "${3:-5}" >"$scratch/p.folded"
	must git perf add -n "$1" -m "$2" "$scratch/p.folded" 2>"$scratch/said"
}
# The names of all profiles that the notes list, and a letter of each kind.
left()
{
	git notes --ref=perf list | cut -d ' ' -f 2 | while read -r commit; do
		git perf log --json -n 1 "$commit"
	done | jq -r '.commits[].profiles[].name' | sort | tr '\n' ' '
}
bodies()
{
	git ls-tree -r refs/notes/perf | grep -c objects/
}
restore()
{
	must git update-ref refs/notes/perf "$1"
}
DAY=86400
second=0
# at DAY-OF-1970 SUBJECT: a commit of that day's noon (UTC)
at()
{
	second=$((second + 1))
	GIT_COMMITTER_DATE="$(($1 * DAY + 43200 + second)) +0000"
	GIT_AUTHOR_DATE=$GIT_COMMITTER_DATE
	export GIT_COMMITTER_DATE GIT_AUTHOR_DATE
	echo "$2" >file
	must git add file
	must git commit -q -m "$2"
	eval "id_$2=\$(git rev-parse HEAD)"
}

check 'prune of nothing' exits 0 git perf prune
check 'prune of nothing says so' says err 'pruned nothing'

# 2023-10-29 was a Sunday, day 19659 of 1970: o and p are of one week and of
# October, q and r of the next week and of October, s of November.
at 19658 o
at 19659 p
at 19660 q
at 19660 r
must git tag v1 HEAD^
at 19663 s
for name in o p q r s; do
	eval "add $name \$id_$name"
done
all=$(git rev-parse refs/notes/perf)
kept()
{
	stays=$1
	shift
	restore "$all"
	check "prune $*" exits 0 git perf prune "$@"
	check "prune $* keeps $stays" is "$(left)" "$stays"
	check "prune $* keeps no other body" is "$(bodies)" \
		"$(echo "$stays" | wc -w)"
	check "prune $* leaves nothing wrong" exits 0 git perf fsck
}
kept 'o p q r s ' --expire=0
kept 's ' --keep=last:1
kept 'r s ' --keep=last:2
kept 'q ' --keep=tagged
kept 'q s ' --keep=tagged --keep=last:1
# Several policies add up: the larger count holds, in any order.
kept 'q r s ' --keep=last:3 --keep=last:1
kept 'q r s ' --keep=last:1 --keep=last:3
kept 'o p r s ' --keep=daily
kept 'p s ' --keep=weekly
kept 'r s ' --keep=monthly
restore "$all"
must git perf accept "$id_p" -m wanted 2>"$scratch/said"
all=$(git rev-parse refs/notes/perf)
restore "$all"
check 'prune beside an acceptance' exits 0 git perf prune --keep=last:1
check 'what an acceptance names stays' is "$(left)" 'p s '
restore "$all"
check 'a dry run works' exits 0 git perf prune --keep=last:1 -n
check 'a dry run says what would go' mentions err \
	'^would prune 3 records \(3 commits that no policy keeps\): 3 bodies, [0-9]+ B$'
check 'a dry run moves nothing' is "$(git rev-parse refs/notes/perf)" "$all"

# Bodies go, figures stay.
check 'bodies of no day' exits 0 git perf prune --bodies=0
check 'all records are there, without bodies' is "$(left)" 'o p q r s '
check 'a body that an acceptance names stays' is "$(bodies)" 1
check 'figures are as before' is "$(git perf log --json -n 1 "$id_q" |
	jq -c '.commits[0].profiles[0].metrics[0].median')" 8
check 'fsck finds nothing wrong without bodies' exits 0 git perf fsck
check 'once more takes nothing out' exits 0 git perf prune --bodies=0
check 'once more says so' mentions err '^pruned nothing'
check 'a profile of figures alone is shown' exits 0 git perf show "$id_q:0@i"
check 'a profile of figures alone is shown with its figures' \
	mentions out '8'
check 'a record keeps its id' is "$(git notes --ref=perf show "$id_q" |
	sed -n 's/.* record=\([0-9a-f]*\)$/\1/p')" \
	"$(git perf log --json -n 1 "$id_q" | jq -r '.commits[0].profiles[0].id')"
check 'a dry run of records of figures' exits 0 git perf prune -n --keep=last:1
check 'a record of figures is one record' says err \
	'would prune 3 records (3 commits that no policy keeps)'
check 'a record of figures is taken out' exits 0 git perf rm -m "$id_q" 0@i
check 'a record of figures that was taken out is gone' is "$(left)" 'o p r s '
check 'fsck finds nothing wrong behind that' exits 0 git perf fsck
restore "$all"
check 'bodies of this month stay' exits 0 git perf prune --bodies=30
check 'a policy of 30 days takes no body of today' is "$(bodies)" 5

# What another worktree bisects, or keeps by a ref of its own, is reached.
restore "$all"
must git worktree add -q --detach "$scratch/linked" HEAD
at 19664 bisected
add of-bisect HEAD
at 19664 held
add of-worktree HEAD
must git -C "$scratch/linked" update-ref refs/bisect/bad "$id_bisected"
must git -C "$scratch/linked" update-ref refs/worktree/mine "$id_held"
must git reset -q --hard HEAD^^
must git reflog expire --expire=now --all
rm -f .git/ORIG_HEAD
check 'prune beside the refs of another worktree' \
	exits 0 git perf prune --expire=0
check 'what refs of another worktree lead to stays' is "$(left)" \
	'o of-bisect of-worktree p q r s '
rm -r "$scratch/linked"
check 'prune where the folder of that worktree is gone' \
	exits 0 git perf prune --expire=0
check 'a worktree keeps what it leads to as long as git knows it' is "$(left)" \
	'o of-bisect of-worktree p q r s '
must git worktree prune
check 'prune behind the worktree' exits 0 git perf prune --expire=0
check 'what only that worktree led to goes' is "$(left)" 'o p q r s '

# Commits that vanish: a reflog keeps one, then only its age, then nothing.
restore "$all"
at 19664 vanishes
add lost HEAD
lost=$(git rev-parse HEAD)
must git reset -q --hard HEAD^
check 'prune beside a reflog' exits 0 git perf prune --expire=0
check 'what a reflog has stays' is "$(left)" 'lost o p q r s '
must git reflog expire --expire=now --all
check 'prune of what is young' exits 0 git perf prune
check 'what is young stays' is "$(left)" 'lost o p q r s '
check 'prune of what vanished' exits 0 git perf prune --expire=0
check 'prune tells of what vanished' mentions err \
	'^pruned 1 record \(1 vanished commit\): 1 body, [0-9]+ B$'
check 'what vanished is out' is "$(left)" 'o p q r s '
check 'nothing is wrong without it' exits 0 git perf fsck

# One that was rewritten: another commit has its tree.
at 19664 old
add rewritten HEAD
must git commit -q --amend -m new
must git reflog expire --expire=now --all
check 'prune of a rewritten commit' exits 0 git perf prune --expire=0
check 'a rewritten commit stays for its tree' mentions err \
	'; 1 rewritten commit stays for what became of it$'
check 'the record of a rewritten commit stays' is "$(git notes --ref=perf show "$id_old" |
	grep -c 'name=rewritten')" 1

# One that was rebased: another tree, the same change. One whose change is
# nowhere goes.
echo base >other
must git add other
at 19665 below
must git checkout -q -b topic HEAD^
echo topic >topic
must git add topic
GIT_AUTHOR_DATE='1700000001 +0000' GIT_COMMITTER_DATE='1700000001 +0000' \
	git commit -q -m topic || exit 1
add rebased HEAD
rebased=$(git rev-parse HEAD)
must git rebase -q main
must git reflog expire --expire=now --all
rm -f .git/ORIG_HEAD
check 'prune of a rebased commit' exits 0 git perf prune --expire=0
check 'a rebased commit stays for its change' mentions err \
	'; 2 rewritten commits stay for what became of them$'
check 'the record of a rebased commit stays' is "$(git notes --ref=perf show "$rebased" |
	grep -c ' del ')" 0
must git checkout -q main
must git branch -q -D topic
must git reflog expire --expire=now --all
rm -f .git/ORIG_HEAD
check 'prune of a change that is nowhere' exits 0 git perf prune --expire=0
check 'the record of a change that is nowhere goes' is "$(git notes --ref=perf show "$rebased" |
	grep -c ' del ')" 1

# What only the remote has was not lost.
must git init -q --bare -b main "$scratch/server.git"
must git remote add origin "$scratch/server.git"
must git push -q origin main
must git clone -q "$scratch/server.git" "$scratch/other"
must git -C "$scratch/other" commit -q --allow-empty -m theirs
must git -C "$scratch/other" push -q origin HEAD:refs/heads/theirs
theirs=$(git -C "$scratch/other" rev-parse HEAD)
check 'a branch that is not here' exits 128 git perf prune
check 'a branch that is not here is named' mentions err \
	"^fatal: 'origin' has 'refs/heads/theirs', which is not here: 'git fetch --tags origin' first"
check 'offline it does not matter' exits 0 git perf prune --offline -n
must git fetch -q origin
must git update-ref -d refs/remotes/origin/theirs
must git perf add -n theirs -m "$theirs" "$scratch/p.folded" 2>"$scratch/said"
check 'prune asks the remote' exits 0 git perf prune --expire=0
check 'what the remote has stays' exits 0 \
	git notes --ref=perf show "$theirs"
check 'a remote that is away' git config remote.origin.url "$scratch/none"
check 'a remote that is away is no licence' exits 128 git perf prune

check 'a wrong policy' exits 129 git perf prune --keep=hourly --offline
check 'a wrong policy is told' says err \
	"error: no policy 'hourly': need last:<n>, tagged, daily, weekly or monthly"
check 'a policy that keeps none is refused' exits 129 git perf prune --keep=last:0 --offline
check 'prune takes no word' exits 129 git perf prune word


# Days are bounded: they are counted in nanoseconds.
restore "$all"
for days in 36501 106752 213504 9223372036854775807; do
	check "$days days of bodies" exits 128 git perf prune --offline --bodies=$days
	check "$days days of bodies are told" says err \
		"fatal: --bodies=$days: at most 36500 days can be asked for"
	check "$days days of expiry" exits 128 git perf prune --offline --expire=$days
done
check 'a hundred years of bodies' exits 0 git perf prune --offline --bodies=36500
check 'days change nothing' is "$(git rev-parse refs/notes/perf)" "$all"

# Only commits with a live profile count.
must git init -q "$scratch/counts"
cd "$scratch/counts" || exit 1
at 19658 c1
at 19659 c2
at 19660 c3
at 19661 unmeasured
add c1 "$id_c1"
add c2 "$id_c2"
add c3 "$id_c3"
must git perf accept HEAD~1..HEAD -m wanted 2>"$scratch/said"
must git perf rm -m "$id_c3" c3
check 'what has no profile does not count' exits 0 git perf prune --keep=last:1
check 'the last measured commit is the last with a profile' is "$(left)" 'c2 '
check 'an acceptance stays' mentions "$(git notes --ref=perf show HEAD >"$out"
	echo out)" ' accept '

# Replacements are no history.
old=$(git commit-tree -m unrelated 'HEAD^{tree}')
add replaced HEAD^
must git replace HEAD "$old"
check 'prune beside a replacement' exits 0 git perf prune --expire=0
check 'what a replacement hides stays' is "$(left)" 'c2 replaced '
must git replace -d "$(git --no-replace-objects rev-parse HEAD)" >"$scratch/said"

# A rebase gives all commits one second: the newest are those nearest to HEAD,
# whose own is the newest whatever its clock says.
must git init -q "$scratch/second"
cd "$scratch/second" || exit 1
GIT_COMMITTER_DATE="$((19700 * DAY)) +0000"
for name in t1 t2 t3 t4 t5 t6 t7 t8; do
	must git commit -q --allow-empty -m $name
	add $name HEAD
done
all=$(git rev-parse refs/notes/perf)
kept 't7 t8 ' --keep=last:2
kept 't8 ' --keep=daily
kept 't8 ' --keep=weekly
kept 't8 ' --keep=monthly
restore "$all"
GIT_COMMITTER_DATE="$((19600 * DAY)) +0000"
must git commit -q --allow-empty -m slow
add slow HEAD
GIT_COMMITTER_DATE="$((19600 * DAY + 1)) +0000"
must git commit -q --allow-empty -m unmeasured
add other HEAD
must git perf rm -m HEAD other
all=$(git rev-parse refs/notes/perf)
kept 'slow t8 ' --keep=last:2
kept 'slow t8 ' --keep=monthly
cd "$scratch/counts" || exit 1

# What other branches alone lead to is not thinned: their change points are not
# looked at.
must git checkout -q -b side "$id_c1"
at 19662 side
add side HEAD
must git checkout -q -
check 'prune of one past' exits 0 git perf prune --keep=last:1
check 'the other branch stays' is "$(left)" 'replaced side '

# What vanished and is accepted stays.
must git checkout -q --detach "$id_c3"
at 19663 gone
add gone HEAD
must git perf accept HEAD -m wanted 2>"$scratch/said"
must git checkout -q side
must git reflog expire --expire=now --all
rm -f .git/ORIG_HEAD
check 'prune of an accepted commit that vanished' \
	exits 0 git perf prune --expire=0
check 'what vanished and is accepted stays' exits 0 git notes --ref=perf show "$id_gone"
check 'the profile of an accepted commit that vanished lives' is "$(git notes --ref=perf show "$id_gone" |
	grep -c ' del ')" 0

# What stays for a change point is written down: the next prune knows it, in
# any clone, when what was around it is gone. Figures: 12 of 1000, 13 of 2000,
# 15 of 500, and nothing between.
must git init -q "$scratch/marks"
cd "$scratch/marks" || exit 1
n=0
while [ $n -lt 40 ]; do
	n=$((n + 1))
	cost=$((1000 + n % 3))
	[ $n -le 12 ] || cost=$((2000 + n % 3))
	[ $n -le 25 ] || cost=$((500 + n % 3))
	at $((19700 + n)) "m$n"
	printf 'main;f %s\nm%s 1\n' $cost $n >"$scratch/p.folded"
	must git perf add -n series "$scratch/p.folded" 2>"$scratch/said"
done
measured()
{
	git perf log --json -n 60 | jq -r '.commits[] |
		select(.profiles | length > 0) | .subject' | sort | tr '\n' ' '
}
check 'prune beside change points' exits 0 git perf prune --keep=last:2
first=$(measured)
for mark in m12 m13 m25 m26; do
	case $first in
	*"$mark "*) ;;
	*) echo "$mark is not in $first" >>"$scratch/lacks" ;;
	esac
done
check 'both sides of each change stay' test ! -s "$scratch/lacks"
check 'most records between changes go' test "$(echo "$first" | wc -w)" -lt 16
for round in 2 3; do
	check "prune once more ($round)" exits 0 git perf prune --keep=last:2
	check "the same stays ($round)" is "$(measured)" "$first"
done
check 'prune of bodies beside change points' exits 0 git perf prune --bodies=0
check 'all that stays for a change has its body' is "$(bodies)" \
	"$(git notes --ref=perf list | cut -d ' ' -f 2 | while read -r c; do
		git notes --ref=perf show "$c" | grep -q ' keep ' && echo "$c"
	done | wc -l)"

# A body that goes takes those along that it alone was built on. They are
# counted, and weighed as git weighs them, before and when they go.
must git init -q "$scratch/chains"
cd "$scratch/chains" || exit 1
n=0
while [ $n -lt 8 ]; do
	n=$((n + 1))
	at $((19700 + n)) "b$n"
	awk -v n=$n 'BEGIN { for (i = 0; i < 900; i++)
		printf "main;f%d;g%d %d\n", i * 7919 % 1009, i * 31 % 97,
			1 + (i * i * 37 + (i % 50 == n) * 5) % 10007 }' \
		>"$scratch/p.folded"
	must git perf add -n series "$scratch/p.folded" 2>"$scratch/said"
done
check 'prune of what others build on' exits 0 git perf prune --keep=last:1
check 'more bodies stay than records' test "$(bodies)" -gt 2
goes="$(bodies) bodies, $(git ls-tree -r refs/notes/perf |
	sed -n 's/^.* \([0-9a-f]\{40\}\)\tobjects.*/\1/p' |
	git cat-file --batch-check='%(objectsize:disk)' |
	awk '{ sum += $1 } END { printf "%.4g kB", sum / 1024 }')"
check 'a dry run of the last body' exits 0 git perf prune -n --bodies=0
check 'a dry run counts and weighs all that goes' says err \
	"would prune 1 body of which figures stay: $goes"
check 'the last body goes' exits 0 git perf prune --bodies=0
check 'prune counts and weighs all that goes' says err \
	"pruned 1 body of which figures stay: $goes"
check 'all that was counted is gone' is "$(bodies)" 0

# Who cannot tell does not.
must git clone -q --depth 1 "file://$scratch/marks" "$scratch/shallow"
must git -C "$scratch/shallow" fetch -q origin refs/notes/perf:refs/notes/perf
check 'a shallow clone is refused' exits 128 git -C "$scratch/shallow" perf prune
check 'a shallow clone is told what to do' mentions err \
	'^fatal: this clone is shallow .*git fetch --unshallow'
must git -C "$scratch/shallow" worktree add -q ../beside
check 'a worktree of a shallow clone is refused' \
	exits 128 git -C "$scratch/beside" perf prune
check 'gc is refused in a worktree of a shallow clone' \
	exits 128 git -C "$scratch/beside" perf gc
