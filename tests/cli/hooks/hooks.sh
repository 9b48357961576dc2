#!/bin/sh
# git perf hooks: whose file is whose.
. "$(dirname "$0")/../lib.sh"
need jq
git config --global perf.hookMode queue
hooks=.git/hooks

# The kinds of the queue's lines, a word each.
queued()
{
	cut -d ' ' -f 3 "${1:-.git}/perf/queue" | tr '\n' ' '
}
# ---- whose file is whose

check 'hooks status exits with 1 without hooks' exits 1 git perf hooks status
check 'install works in a fresh repository' exits 0 git perf hooks install
for hook in post-commit post-merge post-rewrite; do
	check "install writes the $hook of the sources" same $hooks/$hook "$root/hooks/$hook"
	check "the hook $hook has fewer than 20 lines" \
		test "$(wc -l <$hooks/$hook)" -lt 20
	check "the hook $hook can be executed" test -x $hooks/$hook
done
check 'status works with hooks installed' exits 0 git perf hooks status --json
check 'status knows the state of each hook' \
	json '[.hooks[].state]' '["installed","installed","installed"]'
check 'status knows mode, queue and worker' \
	json '[.mode, .queued, .worker]' '["queue",0,false]'
check 'a second install works' exits 0 git perf hooks install
check 'a second install says that it changes nothing' mentions err 'are installed already'
check 'hooks are uninstalled' exits 0 git perf hooks uninstall
check 'uninstall leaves no file' is "$(ls $hooks | grep -v sample)" ''
check 'uninstall works without hooks' exits 0 git perf hooks uninstall
check 'install works after an uninstall' exits 0 git perf hooks install
check 'install says that pulled commits are built unattended' mentions err \
	'^and what a pull brings, too; '
check 'install says how to leave pulled commits out' \
	mentions err "'git config perf.hookMode own'"
must git perf hooks uninstall 2>"$err"
check 'init --hooks works' exits 0 git perf init --hooks
check 'init --hooks installs the hooks' exits 0 git perf hooks status
must git perf hooks uninstall 2>"$err"

cat >$hooks/post-commit <<-'END'
	#!/usr/bin/env bash
	set -eu
	echo "mine $#" >>"$PWD/log"
	exec sh -c 'exit 3'
END
printf '#!/bin/sh\ncat >>log' >$hooks/post-rewrite
printf '#!/bin/sh' >$hooks/post-merge
chmod 750 $hooks/post-commit
chmod 755 $hooks/post-rewrite $hooks/post-merge
cp -pR $hooks "$scratch/before"
check 'install works beside hooks of the user' exits 0 git perf hooks install
check 'a hook of the user keeps its mode' \
	is "$(stat -c %a $hooks/post-commit)" 750
check 'a hook of the user keeps its lines' \
	is "$(sed '/git-perf hooks: begin/,/git-perf hooks: end/d' \
	$hooks/post-commit)" "$(cat "$scratch/before/post-commit")"
commit one
check 'the lines of the user run in the hook' is "$(cat log)" 'mine 0'
check 'our lines queue beside those of the user' is "$(queued)" 'commit '
$hooks/post-commit >"$out" 2>"$err"
check 'a hook ends with the exit status of the user' is $? 3
check 'an amend works beside hooks of the user' exits 0 git commit -q --amend --allow-empty -m two
check "an amend gives the user's hook and ours the pairs" mentions repo/log "$(git rev-parse HEAD)\$"
check 'an amend is queued as commit and rewrite' \
	is "$(queued)" 'commit commit commit rewrite commit '
check 'uninstall works beside hooks of the user' exits 0 git perf hooks uninstall
check "uninstall brings every byte of the user's hooks back" diff -r "$scratch/before" $hooks
check 'uninstall brings back the mode of a hook' \
	is "$(stat -c %a $hooks/post-commit)" 750
rm -r .git/perf
rm -f log $hooks/post-*

printf '#!/usr/bin/env python3\nprint(1)\n' >$hooks/post-merge
chmod +x $hooks/post-merge
cp $hooks/post-merge "$scratch/python"
check 'a hook in Python' exits 128 git perf hooks install
check 'the refusal of a hook in Python names the language' \
	mentions err "no shell script but one of 'python3'"
check 'the refusal of a hook in Python says what to call' \
	mentions err "have it run 'git-perf hooks run post-merge'"
check 'a refused install adds no hook' \
	is "$(ls $hooks | grep -v sample)" post-merge
check 'a refused hook keeps its bytes' same $hooks/post-merge "$scratch/python"
printf '\177ELF\2\1\1\0\0' >$hooks/post-merge
check 'a binary hook ends install' exits 128 git perf hooks install
check 'a binary hook is refused' mentions err 'it is a binary'
printf '#!/bin/sh\n' >$hooks/post-merge
chmod -x $hooks/post-merge
check 'a hook that git passes over' exits 128 git perf hooks install
check 'a hook that is not executable is refused' \
	mentions err 'is not executable'
rm $hooks/post-merge
printf '#!/bin/sh\n# git-perf hooks: begin\necho mine\n' >$hooks/post-merge
chmod +x $hooks/post-merge
check 'a hook with half a block ends install' exits 128 git perf hooks install
check 'a hook with half a block is refused' \
	mentions err "the line '# git-perf hooks: end' is gone"
rm $hooks/post-merge
printf '#!/bin/sh\n# git-perf hooks: begin\nold\n# git-perf hooks: end\nexit 0\n' \
	>$hooks/post-merge
chmod +x $hooks/post-merge
check 'a block of another version' exits 1 git perf hooks status --json
check 'a block of another version is called outdated' \
	json '.hooks[1].state' '"outdated"'
check 'install works with a block of another version' \
	exits 0 git perf hooks install
check 'install renews a block of another version in its place' is "$(sed -n 1p $hooks/post-merge; sed -n '$p' $hooks/post-merge)" \
	"$(printf '#!/bin/sh\nexit 0')"
check 'a renewed block stands in the hook once' \
	is "$(grep -c 'hooks: begin' $hooks/post-merge)" 1
rm -rf $hooks
check 'install makes a missing folder of hooks' exits 0 git perf hooks install
check 'status works in a new folder of hooks' exits 0 git perf hooks status
rm -rf $hooks
touch $hooks
check 'a file in its place' exits 128 git perf hooks install
check 'a file in the place of the folder of hooks is named' \
	mentions err "cannot create folder '.*/hooks'"
rm $hooks
if [ "$(id -u)" -ne 0 ]; then
	mkdir -m 555 $hooks
	check 'a folder that cannot be written' exits 128 git perf hooks install
	check 'a folder of hooks without write access is named' \
		mentions err "cannot write '.*Permission denied"
	chmod 755 $hooks
	rmdir $hooks
fi
check '--local and --worktree together are a usage error' \
	exits 129 git perf hooks install --local --worktree

# ---- other people's folders

mkdir -p .husky/_ "$scratch/hooks"
must git config core.hooksPath .husky/_
check 'hooks in the work tree' exits 128 git perf hooks install
check 'hooks in the work tree are refused' \
	mentions err "the hooks in '.*/.husky/_' are part of a work tree"
check 'the refusal of hooks in the work tree has lines to paste' mentions err \
	'post-commit: command -v git-perf >/dev/null && git-perf hooks run post-commit "\$@"'
check 'refused hooks in the work tree stay alone' is "$(ls .husky/_)" ''
check 'a refused install keeps core.hooksPath' \
	is "$(git config core.hooksPath)" .husky/_
mkdir -p sub/dir
check 'hooks in the work tree are refused from a subfolder' \
	exits 128 git -C sub/dir perf hooks install
check 'the refusal from a subfolder names the folder of hooks' \
	mentions err "the hooks in '.*/repo/.husky/_'"
must git config --unset core.hooksPath
must git config --global core.hooksPath "$scratch/hooks"
check 'hooks of all repositories' exits 128 git perf hooks install
check 'hooks of all repositories are refused' \
	mentions err "core.hooksPath is '.*/hooks' for other repositories"
must git config --global --unset core.hooksPath
must git config core.hooksPath "$scratch/hooks"
check 'a folder of this repository elsewhere' exits 0 git perf hooks install
check 'a folder of hooks elsewhere gets the hooks' \
	test -x "$scratch/hooks/post-commit"
must git perf hooks uninstall 2>"$err"
check 'uninstall empties a folder of hooks elsewhere' \
	is "$(ls "$scratch/hooks")" ''
must git config --unset core.hooksPath
mkdir $hooks
ln -s ../../.husky/post-commit $hooks/post-commit
printf '#!/bin/sh\n' >.husky/post-commit
chmod +x .husky/post-commit
check 'a link to a hook in the work tree' exits 128 git perf hooks install
check 'a hook that is a link into the work tree is refused' \
	mentions err 'are part of a work tree'
rm -r $hooks .husky

# ---- where nobody commits

must git clone -q --bare . "$scratch/bare.git"
check 'install fails in a bare repository without worktree' exits 128 git -C "$scratch/bare.git" perf hooks install
check 'a bare repository without worktree is refused' \
	mentions err '^fatal: nobody commits in a bare repository'
check 'a refused bare repository gets no hook' \
	test ! -e "$scratch/bare.git/hooks/post-commit"
must git -C "$scratch/bare.git" worktree add -q "$scratch/linked"
check 'a bare repository with a worktree is accepted' \
	exits 0 git -C "$scratch/bare.git" perf hooks install
check 'a bare repository with a worktree gets hooks' \
	test -x "$scratch/bare.git/hooks/post-commit"

# Where several users share a repository the hooks are of all of them.
umask 077
must git init -q --shared=group --template= "$scratch/several"
cd "$scratch/several" || exit 1
check 'install where several users commit' exits 0 git perf hooks install
check 'each of them may run the hooks' is \
	"$(find .git/hooks ! -perm -g=rx | wc -l)" 0
umask 022
