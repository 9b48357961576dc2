#!/bin/sh
# push, fetch and pull between clones, and what they say.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

# USERS A6, pushpull: push, second push is a no-op, pull in the other clone.
check 'a push of nothing' exits 0 git perf push
check 'a push of nothing says how to get something' \
	says err "no profiles here to push: 'git perf add' stores some"
check 'a pull from a remote without profiles' exits 0 git perf pull
check 'such a pull says so' \
	says err "'origin' has no profiles"
must add "$one" first
check 'the first push' exits 0 git perf push
check 'the first push says where it went' says err "profiles pushed to 'origin'"
check 'the remote has what was pushed' is \
	"$(git -C "$server" rev-parse refs/notes/perf)" \
	"$(git rev-parse refs/notes/perf)"
check 'status knows that all is pushed' is \
	"$(git perf status --json | jq .unpushed)" 0
check 'a second push' exits 0 git perf push
check 'a second push has nothing to do' \
	says err "'origin' has all profiles that are here"
check 'log in a fresh clone' exits 0 git -C "$two" perf log
check 'log in a fresh clone names the one thing to type' says err \
	'no profiles in this clone ("git perf pull origin" gets what others pushed)'
check 'show in a fresh clone fails' exits 128 git -C "$two" perf show 0@i
check 'show in a fresh clone names it, too' \
	mentions err '"git perf pull origin" gets'
check 'show of a commit names it, too' eval \
	'git -C "$two" perf show base 2>&1 | grep -q "git perf pull origin"'
check 'status in a fresh clone names it, too' eval \
	'git -C "$two" perf status | grep -q "git perf pull origin"'
check 'a pull in a fresh clone' exits 0 git -C "$two" perf pull
check 'such a pull says what came' \
	says err "took in what 'origin' has of 1 commit"
check 'the profile is there' is "$(names "$two")" 'first '
check 'a pull of all that is there makes no commit' is \
	"$(git -C "$two" rev-parse refs/notes/perf)" \
	"$(git rev-parse refs/notes/perf)"

# USERS A6, pushpull_conflict: two clones add to one commit.
must add "$one" second
must add "$two" third
must git perf push -q
check 'who is second fetches and unites by itself' \
	exits 0 git -C "$two" perf push
check 'a push tells what came in meanwhile' says err "took in what 'origin' has of 1 commit"
check 'all profiles are in the second clone' \
	is "$(names "$two")" 'first second third '
check 'a quiet pull' exits 0 git perf pull -q
check 'a quiet pull is quiet' silent err
check 'all profiles are in the first clone' \
	is "$(names "$one")" 'first second third '
check 'both clones have one tip' is "$(git rev-parse refs/notes/perf)" \
	"$(git -C "$two" rev-parse refs/notes/perf)"
check 'the first parent of a union is what the remote had' is \
	"$(git log --first-parent --format=%s refs/notes/perf | head -n 2 |
		tr '\n' ,)" 'perf: unite,perf: add 1,'
check 'the remote moved forward only' is \
	"$(git -C "$server" rev-list --count refs/notes/perf)" 4
check 'nothing is wrong after a union' sound "$one"

# On different commits.
must git commit -q --allow-empty -m later
must git tag later
must add "$one" fourth 4 later
must add "$two" fifth
must git perf push -q
check 'a pull that brings another commit' exits 0 git -C "$two" perf pull
check 'a union of other commits is pushed' exits 0 git -C "$two" perf push
must git perf pull -q
check 'a note is taken as it is' is \
	"$(git notes --ref=perf list later)" \
	"$(git -C "$two" notes --ref=perf list \
		"$(git rev-parse later)")"

# What is taken out on one side stays out, with its body.
must git perf rm -m base second 2>"$err"
must add "$two" sixth
must git -C "$two" perf push -q
bodies()
{
	git -C "$1" ls-tree -r --name-only refs/notes/perf objects/ | wc -l
}
check 'a pull beside a removal' exits 0 git perf pull
check 'what was removed stays so' \
	is "$(names "$one")" 'fifth first sixth third '
before=$(git rev-parse refs/notes/perf)
must git perf pull -q
check 'a pull with nothing new moves nothing' \
	is "$(git rev-parse refs/notes/perf)" "$before"
check 'the body of what was removed went' is "$(bodies "$one")" 5
must git perf push -q
check 'a pull of a removal' exits 0 git -C "$two" perf pull
check 'the other clone has it removed' \
	is "$(names "$two")" 'fifth first sixth third '
check 'the other clone has the same tree' is "$(tree "$one")" "$(tree "$two")"
check 'nothing is wrong after a removal' sound "$two"

# USERS A6, conflict_init: both begin without knowing of each other.
must git init -q --bare "$scratch/new.git"
for clone in x y; do
	must git clone -q "$server" "$scratch/$clone"
	must git -C "$scratch/$clone" remote set-url origin "$scratch/new.git"
	must add "$scratch/$clone" "of-$clone"
	check "a clone of its own beginning pushes ($clone)" \
		exits 0 git -C "$scratch/$clone" perf push
done
check 'the profiles of two beginnings are united' is "$(names "$scratch/y")" 'of-x of-y '
check 'a history of two beginnings is sound' sound "$scratch/y"

# fetch, and what waits.
must add "$one" seventh
must git perf push -q
check 'a fetch works' exits 0 git -C "$two" perf fetch
check 'fetch says what waits' says err \
	"1 record of 'origin' not taken in yet: 'git perf pull' does it"
check 'fetch takes nothing in' is "$(names "$two")" \
	'fifth first sixth third '
check 'fetch leaves FETCH_HEAD alone' not test -e "$two/.git/FETCH_HEAD"
must git -C "$two" perf pull -q
check 'a fetch of nothing new works' exits 0 git -C "$two" perf fetch
check 'fetch says that nothing waits' says err \
	"'origin' has no profiles that are not here"

# --dry-run
must add "$two" eighth
before=$(git -C "$server" rev-parse refs/notes/perf)
check 'a dry run' exits 0 git -C "$two" perf push --dry-run
check 'a dry run says what would be' \
	says err "profiles would be pushed to 'origin'"
check 'a dry run sends nothing' \
	is "$(git -C "$server" rev-parse refs/notes/perf)" "$before"
must git -C "$two" perf push -q
must add "$one" ninth
check 'a dry run behind another push' exits 128 git perf push -n
check 'a dry run behind another push says why' \
	mentions err 'has profiles that are not here'

# One connection.
count_git()
{
	rm -f "$scratch/trace"
	GIT_TRACE2_EVENT=$scratch/trace git -C "$1" perf "$2" 2>"$err"
	grep -c '"event":"child_start".*'"git-$3\\|\"event\":\"child_start\".*$3 " \
		"$scratch/trace"
}
must git perf pull -q
must git perf push -q
check 'a push with nothing to do is one connection' \
	is "$(count_git "$one" push receive-pack)" 1
check 'such a push does not fetch' \
	is "$(grep -c upload-pack "$scratch/trace")" 0
must git -C "$two" perf pull -q
check 'a pull is one connection' is "$(count_git "$two" pull upload-pack)" 1

# Wrong calls.
check 'a push to two remotes is refused' exits 129 git perf push origin main
check 'two remotes are told apart from git push' mentions err 'takes one remote'
check 'a remote that is not there' exits 128 git perf pull nosuch
check 'an unknown remote is named' says err \
	"fatal: no remote 'nosuch': 'git remote add nosuch <url>' makes one"
check 'a remote that perf.remote names and that is not there' \
	exits 128 git -c perf.remote=renamed perf pull
check 'where the name comes from is told' says err \
	"fatal: no remote 'renamed', as perf.remote calls it: 'git perf init --remote=<name>' takes another"
check 'a URL is no remote' exits 128 git perf pull "file://$server"
check 'an option is no remote' exits 128 git perf pull -- --upload-pack=x
must git config remote.gone.url "$scratch/gone.git"
check 'a remote that has gone' exits 128 git perf pull gone
check 'a pull from a remote that has gone prints one line' is "$(grep -c . "$err")" 1
check 'a remote that has gone is told with the words of git' \
	mentions err \
	"^fatal: cannot fetch from 'gone': .*does not appear to be a git repository"
check 'a push to a remote that has gone' exits 128 git perf push gone
check 'a failed push is told with the words of git' \
	mentions err "^fatal: cannot push to 'gone': .*not appear to be"
must git init -q ../none
check 'no remote at all' exits 128 git -C ../none perf pull
check 'the way to one is told' mentions err "'git remote add <name> <url>'"
cat >"$server/hooks/pre-receive" <<'END'
#!/bin/sh
echo "no $(printf '\033')]0;profiles here" >&2
exit 1
END
chmod +x "$server/hooks/pre-receive"
must add "$one" tenth
check 'a remote that refuses' exits 128 git perf push
check 'the reason of a refusal is told, and harmless' is "$(cat "$err")" \
	"fatal: 'origin' refuses the push: no \\x1b]0;profiles here: pre-receive hook declined"
rm "$server/hooks/pre-receive"
check 'what was refused is pushed later' exits 0 git perf push

# With nothing to do one git is asked, for the push itself.
must git perf push -q
check 'a push with nothing to do' \
	exits 0 env GIT_TRACE="$scratch/trace" git perf push
check 'a push with nothing to do asks nothing of git first' \
	is "$(grep -c 'built-in: git merge-base' "$scratch/trace")" 0
