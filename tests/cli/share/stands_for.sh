#!/bin/sh
# What was measured of commits that were amended, rebased, squashed or
# cherry-picked is shown, and judged where the tree is the same.
. "$(dirname "$0")/../lib.sh"
need jq

time=1700000000
# write FILE TEXT: a commit of its own second
write()
{
	time=$((time + 60))
	echo "$2" >"$1"
	must git add "$1"
	GIT_AUTHOR_DATE="$time +0000" GIT_COMMITTER_DATE="$time +0000" \
		must git commit -q -m "$2"
}
add()
{
	printf 'main;f %s\n' "$1" >"$scratch/p.folded"
	must git perf add -n p -m "${2-HEAD}" "$scratch/p.folded" \
		2>"$scratch/said"
}
short()
{
	git rev-parse "$1" | cut -c 1-10
}
# The figure of each commit from the newest on, and of those without one -.
figures()
{
	git perf log --json "$@" |
		jq -r '.commits[] | .series[0].metrics[0].median // "-"' |
		tr '\n' ' '
}

write base base
add 100
must git checkout -q -b topic
write one one
add 110
one=$(git rev-parse HEAD)
write two two
add 120
two=$(git rev-parse HEAD)
must git checkout -q main
write other other
add 105

# An amended message: the tree is the same.
must git checkout -q topic
must git commit -q --amend -m 'two, in other words'
check 'an amended commit has the figures of its tree' is "$(figures)" \
	'120 110 100 '
check 'log of an amended commit' exits 0 git perf log -n 1
check 'log says where an amended commit was measured' mentions out \
	" measured at $(short "$two")\$"
check 'log tells no tag that leads nowhere' not mentions out '0@i'
check 'JSON of log has no tag that leads nowhere' is \
	"$(git perf log --json -n 1 | jq -c '.commits[].series[0].tag')" null
check 'the profile goes by the commit that was measured' exits 0 \
	git perf show "$(short "$two"):p"
check 'check of an amended commit' exits 125 git perf check
check 'check says what it was rewritten from' mentions out \
	"^1 commit by what was measured of the same tree before it was rewritten: $(short "$two")\$"
check 'JSON of check counts commits that were rewritten' is "$(git perf check --json | jq .rewritten)" 1
check 'report of an amended commit' exits 0 git perf report -o "$scratch/r.html"
check 'report says where it was measured' is \
	"$(grep -c "(measured at $(short "$two")) two, in other words" \
		"$scratch/r.html" | sed 's/^[1-9].*/some/')" some

# Names of such a commit, and what gathers figures by itself.
check 'show of an amended commit' exits 0 git perf show HEAD
check 'show of an amended commit has its figure' mentions out ' 120 '
check 'show says where an amended commit was measured' mentions err \
	"$(short HEAD) was rewritten: .* at $(short "$two") with the same tree"
check 'show without a name is of the amended commit' is \
	"$(git perf show --json 2>"$scratch/said" | jq -r .commit)" \
	"$(git rev-parse HEAD)"
check 'a tag in the list of an amended commit' is \
	"$(git perf show --json 0@i 2>"$scratch/said")" \
	"$(git perf show --json "$two:0@i")"
check 'diff of an amended commit with its parent' is \
	"$(git perf diff --json 2>"$scratch/said" |
		jq -c '[.rows[].metrics[] | .old.median, .new.median]')" \
	'[110,120]'
check 'diff of an amended commit by its name is the same' is \
	"$(git perf diff --json HEAD~1 HEAD 2>"$scratch/said" |
		jq -c '[.rows[].metrics[] | .old.median, .new.median]')" \
	'[110,120]'
check 'export of an amended commit' is \
	"$(git perf export -t collapsed HEAD 2>"$scratch/said")" 'main;f 120'
check 'merge of an amended commit and its parent' is \
	"$(git perf merge -t collapsed HEAD HEAD~1 2>"$scratch/said" | cat)" \
	'main;f 230'
check 'openmetrics tells the figure of the amended commit' is \
	"$(git perf export --to=openmetrics | sed -n 's/^git_perf_samples{.*} //p')" \
	120
check 'log --function has the amended commit' is \
	"$(git perf log --function=f --json |
		jq -c '[.series[].functions[].points[].self]')" '[120,110,100]'
check 'nothing is removed by the name of an amended commit' exits 128 \
	git perf rm 0@i
check 'removal says that the amended commit has none' mentions err \
	"no profile '0@i': the commit has none"
check 'show of the commit that was measured' exits 0 git perf show "$two"
check 'nothing is said of who names what was measured' not mentions err rewritten

# It is an ancestor like any other.
must git checkout -q --detach
write three three
check 'show behind an amended commit is of that one' is \
	"$(git perf show --json 2>"$scratch/said" |
		jq -c '[.commit, .rows[0].metrics[0].median]')" \
	"[\"$(git rev-parse HEAD~1)\",120]"
check 'show says that the ancestor was amended' is \
	"$(grep -c "^$(short HEAD~1) was rewritten: .* at $(short "$two") " "$scratch/said")" 1
check 'a commit without profiles is told of the amended one' exits 128 git perf show HEAD
check 'the amended one is the nearest' mentions err \
	"its nearest measured ancestor is $(short HEAD~1)\$"
add 130
check 'diff is with the amended commit' is \
	"$(git perf diff --json 2>"$scratch/said" |
		jq -c '[.rows[].metrics[] | .old.median, .new.median]')" '[120,130]'
check 'diff of a series is with the amended commit' is \
	"$(git perf diff --json HEAD:p 2>"$scratch/said" | jq -c '[.old_total, .new_total]')" \
	'[120,130]'
must git checkout -q topic

# Of two series of an amended commit the one with lines of a file is found.
must git init -q -b main "$scratch/source"
cd "$scratch/source" || exit 1
write f.c one
for file in e.c f.c; do
	printf 'events: Ir\nfl=%s\nfn=main\n1 %s\n' $file 7 >"$scratch/callgrind.out.1"
	must git perf add -n "of $file" "$scratch/callgrind.out.1" 2>"$scratch/said"
done
must git commit -q --amend -m 'one, in other words'
check 'annotate of an amended commit' exits 0 git perf annotate f.c
check 'annotate has the costs that were measured before' mentions out '^ *7 .* 1 one$'
cd "$scratch/repo" || exit 1

# Squashed: the tree is that of the last one.
must git checkout -q -b squashed main~1
must git merge -q --squash "$two" >"$scratch/said" 2>&1
must git commit -q -m 'one and two'
check 'a squashed commit has the figures of its tree' is "$(figures)" \
	'120 100 '

# Rebased: the change is the same, the tree is not.
must git checkout -q topic
must git rebase -q main
check 'rebased commits have no figures of their own' is "$(figures)" \
	'- - 105 100 '
check 'log of rebased commits' exits 0 git perf log --oneline
check 'log says where the last one was measured' mentions out \
	" measured at $(short "$two"), another tree\$"
check 'log says where the first one was measured' mentions out \
	" measured at $(short "$one"), another tree\$"
check 'check of a rebased commit' exits 125 git perf check
check 'check names the one that was measured' mentions err \
	"$(short "$two"), which changes the same upon another commit, was measured"
check 'report with rebased commits' exits 0 git perf report -o "$scratch/page"
check 'report says that what was measured is of another tree' is \
	"$(grep -c "(measured at $(short "$two"), another tree) two, in other words" \
	"$scratch/page")" "$(grep -c 'two, in other words' "$scratch/page")"
check 'report of rebased commits alone' exits 128 \
	git perf report -o "$scratch/page" main..topic
check 'report names what was measured' mentions err \
	"none of 2 commits .* has figures, 2 were measured upon another tree: \"git perf report $(short "$two")\"\$"
check 'a figure of its own counts alone' is "$(add 130 && figures)" \
	'130 - 105 100 '
must git perf rm p 2>"$scratch/said"

# Picked from another branch, which goes on.
must git checkout -q -b release main~1
must git cherry-pick "$one" >"$scratch/said"
check 'a picked commit with the same tree has its figures' is "$(figures)" \
	'110 100 '
must git checkout -q -b later main
must git cherry-pick "$one" >"$scratch/said"
check 'log of a picked commit' exits 0 git perf log -n 1
check 'log says where it was picked from' mentions out \
	" measured at $(short "$one"), another tree\$"

# Ancestors are no rewritten commits: an empty commit and a revert are not
# measured, nor is what came before the same tree.
must git checkout -q main
must git commit -q --allow-empty -m empty
write other changed
write other other
check 'what has the tree of its ancestor is not measured' is "$(figures)" \
	'- - - 105 100 '
must git checkout -q -b plain main~4
write new new
must git commit -q --allow-empty -m measured
add 50
check 'what has the tree of its descendant is not measured' is \
	"$(figures HEAD~1)" '- 100 '

# What was measured once stands for one commit: not for those upon it that
# change nothing, nor for one that comes back to its tree.
must git init -q -b main "$scratch/once"
cd "$scratch/once" || exit 1
write base base
write f old
add 70
must git commit -q --amend -m reworded
for i in 1 2 3; do
	time=$((time + 60))
	GIT_AUTHOR_DATE="$time +0000" GIT_COMMITTER_DATE="$time +0000" \
		must git commit -q --allow-empty -m "empty $i"
done
check 'an empty commit takes nothing by its tree' is "$(figures)" \
	'- - - 70 - '
write f new
write f old
check 'a revert takes nothing that stands for another one' is "$(figures)" \
	'- - - - - 70 - '
check 'check of two that are not measured' exits 125 git perf check HEAD~3 HEAD
must git reset -q --hard HEAD~2
write g g
add 77
check 'check upon empty commits' exits 125 git perf check
check 'the past is the one commit that was measured' mentions out \
	'^1 commit by what was measured of the same tree'
cd "$scratch/repo" || exit 1

# Amended, another one upon it, which is amended, too: what that one was made
# from has the first as it became in its past, and stands for it no less.
must git init -q -b main "$scratch/twice"
cd "$scratch/twice" || exit 1
for i in 1 2 3; do
	write f $i
	add $((10 * i))
done
must git commit -q --amend -m '3, reworded'
check 'an amended commit has its figures' is "$(figures)" '30 20 10 '
write f 4
add 40
must git commit -q --amend -m '4, reworded'
check 'an amended commit has its figures when the next is amended, too' is "$(figures)" \
	'40 30 20 10 '
write f 5
add 50
must git commit -q --amend -m '5, reworded'
check 'each of three amended commits in a row has its figures' is "$(figures)" '50 40 30 20 10 '
GIT_SEQUENCE_EDITOR='sed -i s/^pick/reword/' GIT_EDITOR='echo >>' \
	must git rebase -q -i HEAD~3
write f 6
add 60
must git commit -q --amend -m '6, reworded'
check 'rebased commits have their figures when the last is amended' is \
	"$(figures)" '60 50 40 30 20 10 '
cd "$scratch/repo" || exit 1

# The same where git has taken away the commit that was measured.
must git clone -q . "$scratch/pruned"
must git -C "$scratch/pruned" fetch -q origin refs/notes/perf:refs/notes/perf
cd "$scratch/pruned" || exit 1
write n 1
add 10
write n 2
add 20
gone=$(git rev-parse HEAD)
must git commit -q --amend -m 'another word'
must git reflog expire --expire=now --all
must git gc -q --prune=now
check 'the commit that was measured is not here' exits 1 git cat-file -e "$gone"
check 'show by its records' is \
	"$(git perf show --json 2>"$scratch/said" |
		jq -c '[.commit, .rows[0].metrics[0].median]')" \
	"[\"$(git rev-parse HEAD)\",20]"
check 'show of its functions' is \
	"$(git perf export -t collapsed HEAD 2>"$scratch/said")" 'main;f 20'
check 'diff by its records' is \
	"$(git perf diff --json 2>"$scratch/said" |
		jq -c '[.rows[].metrics[] | .old.median, .new.median]')" '[10,20]'
check 'diff of its functions' exits 0 git perf diff --view=top HEAD~1 HEAD
check 'log --function by its records' is \
	"$(git perf log --function=f -n 2 --json |
		jq -c '[.series[].functions[].points[].self]')" '[20,10]'
check 'blame by its records' exits 0 git perf blame f
cd "$scratch/repo" || exit 1

# Where the commits that were measured are not here their lines tell the trees.
must git clone -q --no-local --single-branch -b squashed . "$scratch/clone"
must git -C "$scratch/clone" fetch -q origin refs/notes/perf:refs/notes/perf
cd "$scratch/clone" || exit 1
check 'a clone without that commit has its figures, too' is "$(figures)" \
	'120 100 '
check 'a clone without that commit has the same figures a second time' is "$(figures)" '120 100 '

# A commit that comes later than the notes is known by its change from then on.
must git -C "$scratch/repo" branch was "$two"
must git clone -q --no-local --single-branch -b topic "$scratch/repo" \
	"$scratch/late"
must git -C "$scratch/late" fetch -q origin refs/notes/perf:refs/notes/perf
cd "$scratch/late" || exit 1
check 'log where the measured commit is not here' exits 0 git perf log -n 1
check 'nothing stands for a commit of another tree there' is \
	"$(grep -c ' measured at ' "$out")" 0
must git fetch -q origin was
check 'log where the measured commit came' exits 0 git perf log -n 1
check 'the measured commit stands for the other once it is here' mentions out \
	" measured at $(short "$two"), another tree\$"

# All branches: a commit that was measured stands for one of another branch,
# the oldest, and is shown itself where a branch has it.
cd "$scratch/repo" || exit 1
must git checkout -q -b several main
write apart apart
add 201
apart=$(git rev-parse HEAD)
must git commit -q --amend -m 'apart, again'
must git branch again
must git commit -q --amend -m 'apart, once more'
check 'one of two rewritten tips has the figure' is "$(figures -n 1)" '201 '
check 'the other tip has it, too' is "$(figures -n 1 again)" '201 '
check 'log --all over several tips' exits 0 git perf log --all --oneline
check 'log --all lists each commit of each branch once' is \
	"$(git perf log --all --json | jq -r '.commits[].commit' | sort)" \
	"$(git rev-list --branches | sort)"
check 'of one measured commit one figure is shown' is \
	"$(git perf log --all --json | jq -c \
		'[.commits[] | .series[0].metrics[0].median // empty] |
		map(select(. == 201)) | length')" 1
must git branch measured "$apart"
check 'a measured commit that is shown has its own figure' is \
	"$(git perf log --all --json | jq -r --arg id "$apart" \
		'.commits[] | select(.commit == $id).series[0].metrics[0].median')" \
	201
check 'one other says where it was measured' exits 0 git perf log --all
check 'one line says where it was measured' \
	is "$(grep -c " measured at $(short "$apart")\$" "$out")" 1

# Only figures of its own stand before those that it had: not what was accepted
# or did not build there, nor what was taken out.
must git init -q "$scratch/lines"
cd "$scratch/lines" || exit 1
for n in 1 2 3 4 5 6; do
	write f "n$n"
	add 100
done
write f faster
add 50
must git commit -q --amend -m 'faster, in other words'
has_figure()
{
	check "log has the figure, $1" is "$(figures -n 1)" '50 '
	check "show has the profile, $1" exits 0 git perf show HEAD:p
	check "diff has both sides, $1" exits 0 git perf diff HEAD~1 HEAD
	check "check judges the figure, $1" says_json "$1"
	check "openmetrics have the figure, $1" \
		is "$(git perf export --to=openmetrics | grep -c ' 50$')" 1
}
says_json()
{
	git perf check --json >"$out" 2>"$err" || :
	is "$(jq -c '[.verdicts[].after]' "$out")" '[50]'
}
has_figure 'as it was amended'
check 'a rewritten commit that is judged can be accepted' exits 0 git perf accept -m wanted HEAD
has_figure 'with an acceptance'
check 'log shows what was accepted beside the figure' exits 0 git perf log -n 1
check 'log names who accepted it' mentions out 'accepted by .*: wanted$'
must git perf accept --revoke HEAD 2>"$scratch/said"
has_figure 'with an acceptance that was taken back'
must git perf accept -m 'the old one' 'HEAD@{1}' 2>"$scratch/said"
must git perf accept -m 'the new one' HEAD 2>"$scratch/said"
check 'what is accepted of a rewritten commit is taken back by its name' \
	exits 0 git perf accept --revoke HEAD
check 'what was accepted before it was rewritten, too' \
	says err "revoked 2 at $(short HEAD)"
must git perf accept -m 'the old one' 'HEAD@{1}' 2>"$scratch/said"
check 'what was accepted before alone is taken back' exits 0 git perf accept --revoke HEAD
check 'the commit at which it was accepted is named' \
	says err "revoked 1 at $(short 'HEAD@{1}')"
check 'nothing is left of it' exits 128 git perf accept --revoke HEAD
check 'check says that nothing is accepted' is \
	"$(git perf check --json 2>/dev/null | grep -c 'the old one')" 0
printf 'main;other 7\n' >"$scratch/other.folded"
must git perf add -n other "$scratch/other.folded" 2>"$scratch/said"
check 'figures of its own stand alone' is "$(figures -n 1)" '7 '
must git perf rm HEAD:other 2>"$scratch/said"
has_figure 'with a profile that was taken out'
cat >.gitperf <<'END'
[job "bad"]
	build = false
	cmd = true
	collector = time
END
must git perf trust 2>"$scratch/said"
check 'a job of it does not build' exits 125 git perf run --job=bad HEAD
has_figure 'with a failed build'
check 'log shows the failed build beside the figure' exits 0 git perf log -n 1
check 'log names the failed build' mentions out '^ +bad +build failed'
check 'log shows the figure beside the failed build' mentions out ' measured at '
