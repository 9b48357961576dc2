#!/bin/sh
# The scenarios of another program that keeps figures in notes, kaihowl/git-perf
# (its folder test/), restated for ours; each under its name there. Those about
# judging are in judge/scenarios_judged.sh, those about use in
# program/scenarios_used.sh. Those that are tests of their own: pushpull, pushpull_conflict and conflict_init in exchange.sh,
# testslow_concurrency_push_add in crowd.sh.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

# ---- tmp_refs_cleaned_up: what sharing makes goes again
refs()
{
	git for-each-ref --format='%(refname)' | grep perf | tr '\n' ' '
}
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	add "$one" "r$i"
done
check 'twenty adds leave the one ref' is "$(refs)" 'refs/notes/perf '
check 'a report works' exits 0 git perf report -o "$scratch/r.html"
check 'a report leaves the one ref' is "$(refs)" 'refs/notes/perf '
check 'a push works' exits 0 git perf push
check 'a push leaves what is known of the remote' is "$(refs)" \
	'refs/notes/perf refs/perf/remotes/origin/notes '
check 'the server has one ref' is "$(git -C "$server" for-each-ref \
	--format='%(refname)' | grep perf)" refs/notes/perf

# ---- prune: refuses a shallow clone, needs a repository, waits for git to forget
must git clone -q --depth 1 "file://$server" "$scratch/shallow"
must git -C "$scratch/shallow" perf pull -q
check 'prune in a shallow clone' exits 128 git -C "$scratch/shallow" perf prune
mkdir "$scratch/nowhere"
check 'prune outside of a repository' exits 128 \
	git -C "$scratch/nowhere" perf prune
echo lost >file
must git add file
commit lost
add "$one" lost 1 HEAD
lost=$(git rev-parse HEAD)
must git reset -q --hard HEAD^
lost_is()
{
	git perf log --json -n 1 "$lost" | jq -r '.commits[].profiles[].name'
}
must git perf prune -q --offline --expire=0
check 'a commit that a reflog has keeps its record' is "$(lost_is)" lost
must git reflog expire --expire=now --all
rm -f .git/ORIG_HEAD
must git perf prune -q --offline --expire=0
check 'a commit that nothing leads to loses it' is "$(lost_is)" ''

# ---- remove: no object in the repository still has the removed value
secret=$((7 * 1009 * 10007))
printf 'main;secret_function %s\n' $secret >"$scratch/secret.folded"
must git perf add -n secret -m base "$scratch/secret.folded" 2>"$scratch/said"
must git perf push -q
id=$(git perf log --json base |
	jq -r '.commits[].profiles[] | select(.name == "secret") | .id')
holds()
{
	git -C "$1" cat-file --batch-check --batch-all-objects \
		--unordered | awk '$2 == "blob" { print $1 }' |
		git -C "$1" cat-file --batch |
		grep -a -c -e "$secret" -e secret_function
}
check 'both sides have the value' test "$(holds "$one")$(holds "$server")" != 00
check 'a value is removed' exits 0 git perf rm -m base "$id"
check 'what is not pushed stays untouched' is "$(names "$one" | wc -w)" 20
must git perf gc -q
must git perf push -q
for side in "$one" "$server"; do
	must git -C "$side" reflog expire --expire=now --all
	must git -C "$side" gc -q --prune=now
done
check 'no object here has the removed value' is "$(holds "$one")" 0
check 'no object at the server has the removed value' is "$(holds "$server")" 0
check 'the clone has all values but the removed one' is "$(names "$one" | wc -w)" 20

# ---- reset, status: what is not pushed
add "$one" unpushed
check 'status counts what is not pushed' exits 0 git perf status
check 'status says that one is not pushed' mentions out '1 .*not pushed|not.*pushed.*1'
must git perf push -n -q
check 'a dry run keeps it so' exits 0 git perf status
check 'status says so behind a dry run' mentions out '1 .*not pushed|not.*pushed.*1'
must git perf push -q
check 'status behind a push' exits 0 git perf status
check 'status behind a push has nothing to send' not mentions out 'not.*pushed.*1'

# ---- notes_attached_to_correct_commit, committish_add, committish_errors
commit second
must git tag -a -m x annotated
for rev in HEAD annotated 'HEAD^{commit}' "$(git rev-parse --short HEAD)" \
	"$(git symbolic-ref --short HEAD)"; do
	check "a profile is added to $rev" exits 0 git perf add -n "of-$rev" \
		-m "$rev" "$scratch/secret.folded"
done
check 'all are in the note of that commit' is "$(git notes --ref=perf show HEAD |
	grep -c ' profile ')" 5
for rev in no-such HEAD:file "$(git hash-object -w --stdin </dev/null)"; do
	check "$rev is refused" exits 128 git perf add -m "$rev" \
		"$scratch/secret.folded"
	check "$rev is named" mentions err "^fatal: .*$(echo "$rev" | cut -c 1-8)"
done

# ---- invalid_measurements: others' lines are passed over, good ones stay
must git notes --ref=perf append -m 'no record' HEAD
check 'log works beside a line of others' exits 0 git perf log --json -n 1
check 'log keeps the good ones' json '.commits[0].profiles | length' 5

# ---- empty_repos, pull_messages: each state has words of its own
must git init -q "$scratch/empty"
cd "$scratch/empty" || exit 1
for command in log 'prune --offline' status size fsck push pull gc; do
	got=0
	# shellcheck disable=SC2086
	git perf $command >"$out" 2>"$err" || got=$?
	check "$command in an empty repository does not crash" \
		test $got -le 128
	check "$command in an empty repository says something" \
		test -s "$out" -o -s "$err"
done
check 'a pull without a remote' exits 128 git perf pull
check 'a pull without a remote says how to make one' mentions err \
	"^fatal: no remote to share profiles with: name one of 'git remote', 'git remote add "
must git remote add origin "$scratch/no-such-server"
check 'a pull from nowhere' exits 128 git perf pull
check 'a pull from nowhere names the remote' mentions err "'origin'"
