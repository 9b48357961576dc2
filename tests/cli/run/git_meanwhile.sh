#!/bin/sh
# What git does in another terminal while a run has index and HEAD: `git add`,
# rm, mv, commit, stash, checkout, a conflict; at each phase of a run in place.
# The user's index and HEAD come back as they were, nothing is lost of what was
# done meanwhile, and it is told.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || TMPDIR=/dev/shm
export TMPDIR
. "$(dirname "$0")/../lib.sh"

real=$(command -v git)
echo one >a
echo one >b
mkdir d
echo one >d/c
must git add .
commit one
first=$(git rev-parse HEAD)
echo two >a
echo two >new
must git add .
commit two
second=$(git rev-parse HEAD)
git branch side "$first"
# of the user, before the run
echo staged >b
must git add b
echo edited >b
echo untracked >mine
must git rm -q --cached d/c

look()
{
	git ls-files --stage
	git symbolic-ref HEAD
	git rev-parse HEAD
	git status --porcelain
	cat a b d/c mine new
}
look >"$scratch/before"

# The user's other terminal, in a work tree that is at $1.
user()
{
	(
		unset GIT_INDEX_FILE GIT_DIR GIT_WORK_TREE
		cd "$scratch/repo" || exit 1
		case $action in
		add) echo "only $action" >a && $real add a ;;
		add_new) echo "only $action" >fresh && $real add fresh ;;
		rm) $real rm -q a ;;
		mv) $real mv a moved ;;
		commit) echo "only $action" >a && $real commit -qam "$action" ;;
		commit_add) echo more >a && $real commit -qam "$action" &&
			echo "only $action" >a && $real add a ;;
		stash) echo "only $action" >a && $real add a && $real stash -q ;;
		branch) $real checkout -q -b topic && echo "only $action" >a &&
			$real commit -qam "$action" ;;
		main) $real checkout -q -f main && echo "only $action" >a &&
			$real commit -qam "$action" ;;
		conflict)
			blob=$(echo "only $action" | $real hash-object -w --stdin)
			printf '0 %040d\ta\n100644 %s 1\ta\n100644 %s 2\ta\n' \
				0 "$blob" "$blob" |
				$real update-index --index-info
			;;
		esac
	)
}

# A git in front of the real one: the user is faster than the command of
# git-perf that $when names, the $nth time that it is run.
mkdir "$scratch/bin"
cat >"$scratch/bin/git" <<END2
#!/bin/sh
case " \$* " in
*" \$when "*)
	echo >>"$scratch/times"
	[ "\$(wc -l <"$scratch/times")" != "\$nth" ] ||
		sh "$scratch/user" >"$scratch/said" 2>&1
	;;
esac
exec $real "\$@"
END2
chmod +x "$scratch/bin/git"

# run PHASE: with the user's action at that phase
run()
{
	when=none
	nth=1
	INPLACE_BUILD=true
	case $1 in
	first) INPLACE_BUILD="[ \$(git rev-parse HEAD) != $first ] || sh $scratch/user" ;;
	last) INPLACE_BUILD="[ \$(git rev-parse HEAD) != $second ] || sh $scratch/user" ;;
	checkout)
		when='read-tree -i'
		nth=2
		;;
	restore)
		when=diff-files
		nth=$before_restore
		;;
	killed | gap) INPLACE_BUILD="[ \$(git rev-parse HEAD) != $first ] || kill -9 \$PPID" ;;
	esac
	[ "$1" != killed ] || INPLACE_BUILD="sh $scratch/user; kill -9 \$PPID"
	export when nth INPLACE_BUILD
	rm -f "$scratch/times"
	(PATH=$scratch/bin:$PATH inplace begin "$first" "$second") >"$out" 2>&1
	case $1 in
	killed | gap)
		[ "$1" = killed ] || user
		inplace recover >"$out" 2>&1
		;;
	esac
}
{
	echo "real=$real action=\$action scratch=$scratch"
	sed -n '/^user()/,/^}/p' "$root/tests/cli/run/git_meanwhile.sh"
	echo user
} >"$scratch/user"

# Where a text or a deletion is now: every commit that a ref leads to, the
# stash, index files that were kept.
texts()
{
	for commit in $(git for-each-ref --format='%(objectname)' \
		refs/perf/kept refs/heads refs/stash); do
		git grep -h "only $action" "$commit" -- a fresh
	done
	for index in .git/perf/leftovers/*/index-*; do
		[ ! -e "$index" ] || GIT_INDEX_FILE=$index git ls-files -s |
			cut -d ' ' -f 2 | sort -u | while read -r blob; do
			git cat-file blob "$blob" | grep "only $action"
		done
	done
}
kept_changes()
{
	for ref in $(git for-each-ref --format='%(refname)' refs/perf/kept); do
		git diff-tree -r -M --name-status "$ref^" "$ref" | tr '\t' ' '
	done
}

action=add
export action
# how often the end of a run comes by the command
when=diff-files
nth=0
export when nth
INPLACE_BUILD="wc -l <$scratch/times >$scratch/so_far" PATH=$scratch/bin:$PATH \
	inplace begin "$first" "$second" >"$out" 2>&1
before_restore=$(($(cat "$scratch/so_far") + 1))
check 'a run beside which nothing is done leaves all as it was' \
	is "$(look)" "$(cat "$scratch/before")"
check 'a run beside which nothing is done keeps nothing' \
	is "$(git for-each-ref refs/perf)$(grep -c . "$out")" 1

# PERF_PAIRS=all does each at each time, else each of both meets three of the
# others, or two.
pair=0
for phase in first last checkout restore killed gap; do
	for action in add add_new rm mv commit commit_add stash conflict branch; do
		pair=$((pair + 1))
		[ $(((pair + (pair - 1) / 9) % 3)) -eq 0 ] ||
			[ "${PERF_PAIRS:-}" = all ] || continue
		rm -rf .git/perf/leftovers
		run "$phase"
		check "$action, $phase: all is as it was" \
			is "$(look)" "$(cat "$scratch/before")"
		case $action in
		rm)
			check "$action, $phase: the removal is kept" \
				is "$(kept_changes | sort -u)" 'D a'
			;;
		mv)
			check "$action, $phase: the renaming is kept" \
				is "$(kept_changes | sort -u)" 'R100 a moved'
			;;
		*)
			check "$action, $phase: what was done is kept" \
				is "$(texts | sort -u)" "only $action"
			;;
		esac
		case $action in
		add | add_new | rm | mv | commit_add)
			check "$action, $phase: what was staged is told once" is \
				"$(grep -c '^what was staged while .* is kept' "$out")" 1
			;;
		conflict)
			check "$action, $phase: the index is told of" is \
				"$(grep -c '^the index that was written while' "$out")" 1
			;;
		stash)
			check "$action, $phase: a stash is where git has put it" is \
				"$(git stash list | wc -l)" 1
			;;
		esac
		case $action in
		commit | commit_add)
			check "$action, $phase: the commit is kept and told" mentions out \
				"^HEAD was moved to '.*' during the run \(kept as '"
			;;
		branch)
			check "$action, $phase: the branch is told" mentions out \
				"^HEAD was moved to 'ref: refs/heads/topic' during the run;"
			;;
		esac
		git stash clear
		git branch -q -D topic 2>/dev/null
		for ref in $(git for-each-ref --format='%(refname)' refs/perf); do
			git update-ref -d "$ref"
		done
	done
done

# The commands that the report names.
action=add
run first
command=$(sed -n "s/.*is kept: '\(git cherry-pick -n [^']*\)'.*/\1/p" "$out")
undo=$(sed -n "s/.*brings it, '\(git update-ref -d [^']*\)'.*/\1/p" "$out")
git worktree add -q --detach ../other "$first"
cd ../other || exit 1
check 'the command that brings what was staged works' exits 0 $command
check 'the command for cherry-picking brings what was staged' is "$(cat a)" 'only add'
cd ../repo || exit 1
check 'the command that removes what was kept works' exits 0 $undo
check 'nothing is kept behind that command' is "$(git for-each-ref refs/perf)" ''

# A branch that moves while HEAD is the run's.
action=main
run last
check 'a commit to the branch itself is on the branch' \
	is "$(git show main:a)" 'only main'
check 'a branch that was moved is told' mentions out \
	"^main was at $(echo $second | cut -c 1-10) when the run began and is at \
$(git rev-parse main | cut -c 1-10) now$"
check 'the index is that of before' is "$(git ls-files --stage)" \
	"$(sed '/^refs/,$d' "$scratch/before")"
must git update-ref refs/heads/main "$second"
INPLACE_BUILD='git branch -q -D main 2>/dev/null || git update-ref -d refs/heads/main'
when=none
inplace begin "$first" >"$out" 2>&1
check 'a commit whose branch is deleted is kept' mentions out \
	"^main was at .* and is gone now; the former is kept as 'refs/perf/kept/"
check 'the kept commit is the one the branch had' is \
	"$(git for-each-ref --format='%(objectname)' refs/perf/kept)" "$second"
must git update-ref refs/heads/main "$second"

# A merge that is begun meanwhile.
INPLACE_BUILD="git merge -q --no-commit --no-ff $second"
inplace begin "$first" >"$out" 2>&1
check 'a merge that waits is told' mentions out \
	'^a merge that was begun during the run waits'
must git merge --quit

# A lock file of the user's git is waited for, which is said, until a signal.
INPLACE_BUILD=
export INPLACE_BUILD
cat >"$scratch/jobs" <<'END'
[job "lock"]
	build = ": >.git/index.lock"
	cmd = true
	runs = 1
END
git perf run --in-place --config="$scratch/jobs" --machine=m "$first" \
	2>"$scratch/waits" >/dev/null &
process=$!
while ! grep -q '^waiting for' "$scratch/waits"; do
	kill -0 "$process" 2>/dev/null || break
done
kill -TERM "$process"
wait "$process"
ended=$?
must cp "$scratch/waits" "$err"
check 'waiting for index.lock is said' says err \
	"waiting for '$PWD/.git/index.lock', which another process holds, at \
most 10 s"
check 'a signal ends waiting for index.lock' not is "$ended" 0
check 'a wait that was ended says how to go on' mentions err \
	"stopped while waiting for '.*index.lock'"
check 'a run whose end was stopped is not restored yet' mentions err \
	"run 'git perf recover'"
rm .git/index.lock
check 'without the lock recover brings all back' exits 0 git perf recover
check 'all is as it was behind a lock' \
	is "$(look)" "$(cat "$scratch/before")"
