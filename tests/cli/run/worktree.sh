#!/bin/sh
# The measuring worktree: whatever builds do there, the user's own files stay
# as they are, and no failure of ours is taken for the commit's.
. "$(dirname "$0")/../lib.sh"
need jq
unset GIT_CEILING_DIRECTORIES

# A job with this build; what it prints goes to $LOG.
LOG=$scratch/log
export LOG
job()
{
	printf '[job "j"]\n\tbuild = "%s"\n\tcmd = true\n\truns = 1\n' \
		"$1" >"$scratch/job"
	: >"$LOG"
}
run()
{
	git perf run --config="$scratch/job" "$@"
}
state()
{
	git rev-parse HEAD
	git symbolic-ref HEAD
	git status --porcelain --ignored
	find . -path ./.git -prune -o -type f -print | sort | xargs cksum
}
# Two commits, and work that no commit has.
fill()
{
	echo 1 >a
	must git add a
	commit one
	echo 2 >a
	must git add a
	commit two
}
dirty()
{
	echo 'my edit' >a
	echo 'my file' >untracked
	mkdir -p folder
	echo 'mine, too' >folder/file
}

# What a build may do to the worktree, in four kinds of repositories.
must git init -q -b main "$scratch/plain"
cd "$scratch/plain" || exit 1
fill
must git init -q -b main "$scratch/configured"
cd "$scratch/configured" || exit 1
fill
must git config core.worktree "$scratch/configured"
must git init -q -b main "$scratch/one:two:three"
cd "$scratch/one:two:three" || exit 1
fill
must git config core.worktree "$scratch/one:two:three"
must git init -q -b main "$scratch/super"
cd "$scratch/super" || exit 1
must git -c protocol.file.allow=always submodule --quiet add ../plain sub
commit 'with sub'
for place in plain configured one:two:three super/sub; do
	cd "$scratch/$place" || exit 1
	must git switch -q -C main
	dirty
	state >"$scratch/before"
	for build in \
		'rm -f .git' \
		'rm -f .git && git init -q' \
		'rm -f .git && git reset -q --hard; git clean -q -ffdx; true' \
		'echo gitdir: $ELSEWHERE >.git' \
		'd=$PWD; cd .. && rm -rf $d && ln -s $ELSEWHERE $d' \
		'd=$PWD; cd .. && mv $d $d-moved && mkdir $d' \
		'rm -rf $(git rev-parse --git-dir)'; do
		job "$build"
		ELSEWHERE=$PWD
		export ELSEWHERE
		check "$place: a build that does '$build'" \
			exits 0 run --again HEAD~1 HEAD
		check 'the commit behind a lost .git is measured' \
			says err 'added 2 profiles to 2 commits'
		check 'the worktree is made anew with a warning' \
			mentions err '^warning: the worktree for measuring is made anew'
		state >"$scratch/after"
		check "files of the user are as they were after a lost .git" \
			same "$scratch/before" "$scratch/after"
		rm -rf "$(git rev-parse --git-dir)/perf/worktrees/perf-1-moved"
	done
done
cd "$scratch/plain" || exit 1
job 'git reset --hard; git clean -ffdx; rm -f .git; git rev-parse --git-dir >>$LOG 2>&1; true'
check 'a build that asks git where it is' exits 0 run --again HEAD
check 'a build without .git is told that it is nowhere' \
	mentions log 'not a git repository'
job 'true >$(git rev-parse --git-path index.lock)'
check 'a lock that a build left' exits 0 run --again HEAD~1 HEAD
check 'a lock that a build left does not end the run' says err 'added 2 profiles to 2 commits'
job 'git worktree list | wc -l >>$LOG; git status --porcelain --branch >>$LOG; git log -1 --format=%s >>$LOG'
check 'git in a build' exits 0 run --again HEAD~1
check 'sees a worktree at the commit' is "$(tr '\n' ' ' <"$LOG")" \
	'2 ## HEAD (no branch) one '

# What somebody else registers at the same moment.
mkdir .git/worktrees/perf-7 .git/worktrees/git-perf-1
echo 'not yet' >.git/worktrees/perf-7/HEAD
mkdir -p .git/perf/worktrees/perf-1
check 'a stale worktree of ours' exits 0 run --again HEAD
check 'a stale worktree goes without what git is making for a perf-7 elsewhere' \
	is "$(cat .git/worktrees/perf-7/HEAD)" 'not yet'
check 'a worktree whose name is only like ours stays' \
	test -d .git/worktrees/git-perf-1
check 'recover works beside worktrees of the user' exits 0 git perf recover
check 'recover leaves worktrees of the user' \
	is "$(ls .git/worktrees | tr '\n' ' ')" 'git-perf-1 perf-7 '
rm -rf .git/worktrees
mkdir -p .git/perf/worktrees/perf-3
must git worktree add -q --detach .git/perf/worktrees/perf-4 HEAD
check 'recover works with a worktree of git-perf 0.1' exits 0 git perf recover
check 'a worktree of git-perf 0.1 is found by its folder' \
	mentions err '^removed [0-9]* worktrees? of interrupted runs'
check 'git does not know the removed worktree of git-perf 0.1' \
	is "$(git worktree list | wc -l)" 1

# A sparse checkout is the user's alone.
must git init -q -b main "$scratch/sparse"
cd "$scratch/sparse" || exit 1
mkdir src docs
echo 1 >src/file
echo 1 >docs/file
must git add .
commit one
must git sparse-checkout set docs
check 'the work tree lacks a folder' not test -e src
job 'cat src/file >>$LOG; git status --porcelain >>$LOG; git ls-files -t | grep -c ^S >>$LOG; test -e src/file'
check 'a job of a sparse work tree' exits 0 run HEAD
check 'a worktree has all files of a sparse checkout' \
	is "$(tr '\n' ' ' <"$LOG")" '1 0 '
check 'a commit is measured beside a sparse checkout' \
	says err 'added 1 profile to 1 commit'
check 'the work tree is still sparse' not test -e src
must git sparse-checkout disable
must git config core.sparseCheckout true
must git config --worktree --unset-all core.sparseCheckout
echo /docs/ >.git/info/sparse-checkout
check 'run works beside sparse patterns of all worktrees' \
	exits 0 run --again HEAD
check 'a worktree has all files beside sparse patterns of all worktrees' \
	is "$(tr '\n' ' ' <"$LOG")" '1 0 1 0 '

# Failures that are not the commit's.
skips()
{
	git notes --ref=perf show "$1" 2>/dev/null | grep -c ' skip '
}
cd "$scratch/plain" || exit 1
for signal in KILL TERM; do
	job "kill -$signal \$\$"
	check "a build that SIG$signal ended" exits 125 run --again HEAD
	check 'a killed job is told with its signal' \
		mentions err 'was killed by signal'
	check 'a killed job is not remembered' is "$(skips HEAD)" 0
	check 'a killed job is not said to be remembered' \
		says err '1 job failed'
done
job 'exit 3'
check 'a build that failed by itself' exits 125 run --again HEAD
check 'a job that fails is remembered' is "$(skips HEAD)" 1
cd "$scratch/super" || exit 1
rm -rf .git/modules
job 'test -e sub/a'
check 'a commit whose submodule has no copy here' exits 125 run HEAD
check 'may build elsewhere, so that its failure is not remembered' \
	is "$(skips HEAD)" 0

# What a build in a container leaves is root's: it keeps no later run.
[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || exit 0
must git init -q -b main "$scratch/foreign"
cd "$scratch/foreign" || exit 1
must git commit -q --allow-empty -m one
must chmod 755 "$scratch" "$HOME"
must cp "$(command -v git-perf)" "$scratch/git-perf"
must chown -R nobody "$scratch/foreign"
as_nobody()
{
	setpriv --reuid=nobody --clear-groups "$scratch/git-perf" "$@"
}
below=.git/perf/worktrees
must mkdir -p "$below/perf-1/out"
must touch "$below/perf-1/out/o"
must chown nobody .git/perf "$below" "$below/perf-1"
job true
check "a worktree with another user's folder keeps no run" \
	exits 0 as_nobody run --config="$scratch/job" HEAD
check 'the run beside it stores its profile' \
	says err 'added 1 profile to 1 commit'
check "recover fails at another user's folder" exits 128 as_nobody recover
check "recover says what removes another user's folder" mentions err \
	"^fatal: cannot remove '.*'.*; sudo rm -r -- .*/$below/perf-1.gone removes it\$"
