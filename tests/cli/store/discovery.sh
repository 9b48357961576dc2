#!/bin/sh
# Which repository a command works on, and which it does not touch: what git
# itself would refuse to take for one, and what a push has not stored yet.
. "$(dirname "$0")/../lib.sh"
commit one

# A clone that has a bare repository among its files, with a configuration that
# makes git run a command.
must mkdir -p hidden/objects hidden/refs/heads hidden/wt
must cp -r .git/objects hidden
git rev-parse HEAD >hidden/refs/heads/main
cp .git/HEAD hidden/HEAD
cat >hidden/config <<END
[core]
	repositoryformatversion = 0
	bare = false
	worktree = wt
	fsmonitor = "echo run >>$scratch/run; false"
END
git config --global safe.bareRepository explicit
cd hidden || exit 1
check 'git refuses a bare repository that it was not told of' \
	exits 128 git status
cp "$err" "$scratch/said"
for command in status log 'collect -r 1 true' run 'worker --once' recover \
	'add ../p' fsck; do
	check "git perf $command refuses what git refuses" exits 128 git perf $command
	check "git perf $command says what git says" \
		same "$err" "$scratch/said"
done
check 'a hook of it does nothing' git-perf hooks run post-commit
check 'a folder in a refused repository is refused' exits 128 git -C refs perf log
check 'the refusal has the words of git' same "$err" "$scratch/said"
check 'no configuration of a refused repository is run' \
	not test -e "$scratch/run"
check 'nothing is written to a refused repository' not test -e perf
cd ..
check 'the folder .git of a repository is none of its files' \
	exits 0 git-perf -C .git log
must git init -q --bare bare
check 'a bare one that is named' exits 0 git --git-dir=bare perf log
check 'a bare repository that is not named is refused' \
	exits 128 git -C bare perf log
git config --global safe.bareRepository all
check 'any bare one when the user wants that' exits 0 git -C bare perf log
must rm -r hidden

# What only looks like one on the way up.
must mkdir -p in/objects in/refs
echo junk >in/HEAD
check 'a folder with objects and refs, but no HEAD' exits 0 git -C in perf log
check 'a folder without a repository belongs to the one above' \
	mentions out "^$(git rev-parse --short=10 HEAD) one$"
must rm -r in
must mkdir in
echo 'gitdir: nowhere' >in/.git
check 'a gitfile that leads nowhere' exits 128 git -C in perf log
cd in || exit 1
check 'a broken gitfile does not make a hook take the repository above' \
	git-perf hooks run post-commit
cd ..
check 'nothing is queued in a refused repository' not test -e .git/perf
must rm -r in

# A push that is refused leaves nothing, not in the notes either.
printf 'main;f 1\n' >p
printf 'main;f 2\n' >q
must git clone -q --bare . "$scratch/server.git"
must git -C "$scratch/server.git" perf add -m main "$PWD/p" 2>"$err"
tip=$(git -C "$scratch/server.git" rev-parse refs/notes/perf)
cat >"$scratch/server.git/hooks/pre-receive" <<END
#!/bin/sh
read -r old new ref
git-perf add -m \$new '$PWD/q'
echo "code \$?"
git-perf add -m \$old '$PWD/q'
echo "code \$?"
exit 1
END
chmod +x "$scratch/server.git/hooks/pre-receive"
must git add p
commit pushed
check 'a push that is refused' exits 1 git push "$scratch/server.git" main
check 'a push whose hook adds a profile is refused that twice' \
	is "$(grep -c 'code 128' "$err")" 2
check 'the refusal inside of a push says why' mentions err \
	"cannot move 'refs/notes/perf' while a push is looked at"
check 'a push moves no notes' is \
	"$(git -C "$scratch/server.git" rev-parse refs/notes/perf)" "$tip"
check 'the notes of the server are whole' \
	exits 0 git -C "$scratch/server.git" perf fsck
mv "$scratch/server.git/hooks/pre-receive" \
	"$scratch/server.git/hooks/post-receive"
must git push -q "$scratch/server.git" main 2>"$err"
check 'a hook behind the push may add' is "$(grep -c 'code 0' "$err")" 2

# What configuration says by "gitdir:" goes by the name that a folder was
# entered by, too, where git takes it so.
must mkdir "$scratch/real"
must git clone -q -b main . "$scratch/real/r"
must git clone -q --bare . "$scratch/real/bare"
must mkdir "$scratch/real/r/sub"
must ln -s real "$scratch/link"
printf '[user]\n\tname = linked\n' >"$scratch/included"
git config --global user.name plain
git config --global user.email p@example.com
git config --global "includeIf.gitdir:$scratch/link/.path" "$scratch/included"
unset GIT_COMMITTER_NAME GIT_COMMITTER_DATE

# as_git FOLDER WHO: the note that is added there is WHO's, as git has it
as_git()
{
	cd "$scratch/$1" || return 1
	printf 'main;f %d\n' "$checks" >"$scratch/p"
	git perf add -m main "$scratch/p" >&2 &&
		is "$(git log -1 --format=%cn refs/notes/perf)" "$2" &&
		is "$(git var GIT_COMMITTER_IDENT | sed 's/ <.*//')" "$2"
}
for mail in p@example.com ''; do
	[ -n "$mail" ] || unset GIT_COMMITTER_EMAIL
	check "entered by a link${mail:+, $mail}" as_git link/r linked
	check "entered by its own name${mail:+, $mail}" as_git real/r plain
	check "a bare one by a link${mail:+, $mail}" as_git link/bare linked
	check "below what a link leads to${mail:+, $mail}" as_git link/r/sub plain
	GIT_DIR=$scratch/link/r/.git
	export GIT_DIR
	check "named by a link${mail:+, $mail}" as_git . linked
	GIT_DIR=link/r/.git
	check "named by a link from here${mail:+, $mail}" as_git . linked
	unset GIT_DIR
done

# What the disk does not tell is not taken for absent: the file and the reason.
cd "$scratch/repo" || exit 1
here=$(pwd -P)
preload=$(dirname "$(command -v git-perf)")/errorpoint.so
unseen()
{
	ERRORPOINT_UNSEEN=$1 LD_PRELOAD=$preload \
		ASAN_OPTIONS=verify_asan_link_order=0 git-perf log
}
unread()
{
	ERRORPOINT_UNREAD=$1 LD_PRELOAD=$preload \
		ASAN_OPTIONS=verify_asan_link_order=0 git-perf log
}
# git asks for the rights to a configuration before it reads it.
unasked()
{
	ERRORPOINT_UNASKED=.git/config LD_PRELOAD=$preload \
		ASAN_OPTIONS=verify_asan_link_order=0 git-perf "$@"
}
if [ -f "$preload" ]; then
	for name in .git .git/HEAD .git/objects .git/refs; do
		check "$name cannot be looked at" exits 128 unseen "/$name"
		check "$name is named with the reason" says err \
			"fatal: cannot tell whether '$(dirname "$here/$name")' is a repository: '$here/$name': Input/output error"
	done
	check 'a configuration that cannot be looked at' exits 128 unseen /.git/config
	check 'a configuration is named with the reason' \
		mentions err "'$here/.git/config': Input/output error\$"
	check 'a configuration that cannot be read' exits 128 unread /.git/config
	check 'a configuration that cannot be read is named with the reason' \
		says err "fatal: cannot read '$here/.git/config': Input/output error"
	must git remote add origin ../nowhere.git
	check 'fsck where git may not read the configuration' exits 128 unasked fsck
	check 'fsck says that it cannot read it, not that it changes something' says err \
		"fatal: cannot read the configuration: unable to access '$here/.git/config': Input/output error"
	check 'init there' exits 128 unasked init
	check 'init says what it could not do first' mentions err \
		"^fatal: cannot read the configuration: unable to access '.*/\.git/config': Input/output error\$"
fi
