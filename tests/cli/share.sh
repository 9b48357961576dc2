#!/bin/sh
# Sharing as the README says: init, push, fetch, unite; what status tells.
. "$(dirname "$0")/lib.sh"
need jq
add()
{
	printf 'main;%s %s\n' "$1" "$2" >"$1.folded"
	git perf add "$1.folded"
}
commit one
must git init -q --bare -b main ../server.git
must git remote add origin ../server.git
must git push -q origin main
check 'init sets up' exits 0 git perf init
check 'the merge strategy' is "$(git config notes.perf.mergeStrategy)" \
	cat_sort_uniq
check 'and the refspec' is \
	"$(git config --get-all remote.origin.fetch | tail -n 1)" \
	'+refs/notes/perf*:refs/perf/remotes/origin/notes*'
check 'a remote without profiles' exits 0 git fetch origin
check 'is fetched from' is "$(git for-each-ref refs/perf)" ''
check 'a second time' exits 0 git perf init
check 'there is nothing to do' says err 'nothing to change'
check 'and one refspec' is \
	"$(git config --get-all remote.origin.fetch | grep -c perf)" 1

# What earlier versions set up.
old='+refs/notes/perf:refs/perf/remotes/origin/notes'
specs()
{
	git config --get-all remote.origin.fetch
}
specs >"$scratch/specs"
must git config --unset --fixed-value remote.origin.fetch \
	'+refs/notes/perf*:refs/perf/remotes/origin/notes*'
must git config --add remote.origin.fetch "$old"
check 'the refspec of an earlier version' not git fetch -q origin
check 'is replaced' exits 0 git perf init
check 'which is said' mentions err '^remote.origin.fetch -= .refs/notes/perf:refs/perf/'
check 'by the pattern' is "$(specs)" "$(cat "$scratch/specs")"
check 'so that git fetches' exits 0 git fetch -q origin
must git config --add remote.origin.fetch "$old"
must git config --add remote.origin.fetch "$old-of-mine"
check 'beside the pattern' exits 0 git perf init
check 'it goes, too, and nothing else' is "$(specs)" \
	"$(cat "$scratch/specs")
$old-of-mine"
check 'once more' exits 0 git perf init
check 'nothing changes' says err 'nothing to change'
must git config --unset --fixed-value remote.origin.fetch "$old-of-mine"
must add mine 1
check 'before the first push nothing is known' is \
	"$(git perf status --json | jq .unpushed)" null
check 'push' exits 0 git push -q origin refs/notes/perf
check 'brings the count to 0' is "$(git perf status --json | jq .unpushed)" 0
must add more 2
check 'one is not pushed' is "$(git perf status --json | jq .unpushed)" 1
check 'and that is said' exits 0 git perf status
check 'with the command' mentions out \
	'^1 record not pushed \("git push origin refs/notes/perf"\)'

must git clone -q ../server.git ../other
cd ../other || exit 1
check 'in a fresh clone' exits 0 git perf status
check 'status says how to get them' says out \
	'no profiles in this clone ("git fetch origin refs/notes/perf:refs/notes/perf" gets those of others, if any were pushed)'
check 'but not in JSON' is "$(git perf status --json | grep -c fetch)" 0
must git clone -q . ../third
check 'that' exits 0 \
	git -C ../third fetch -q ../server.git refs/notes/perf:refs/notes/perf
check 'gets them' is \
	"$(git -C ../third perf status --json | jq '.profiles|length')" 1
check 'and is told no more' is \
	"$(git -C ../third perf status | grep -c 'this clone')" 0
must git perf init
must git fetch -q origin
check 'in another clone one waits' is \
	"$(git perf status --json | jq .fetched)" 1
check 'status says how' exits 0 git perf status
check 'to unite it' mentions out \
	'git notes --ref=perf merge refs/perf/remotes/origin/notes'
check 'status --short as well' exits 0 git perf status -s
check 'says that it waits' mentions out ', 1 fetched not united$'
must add theirs 3
check 'uniting' exits 0 \
	git notes --ref=perf merge refs/perf/remotes/origin/notes
check 'brings both' is \
	"$(git perf log --json | jq '[.commits[].profiles[]]|length')" 2
check 'nothing waits' is "$(git perf status --json | jq .fetched)" 0
check 'push back' exits 0 git push -q origin refs/notes/perf
cd ../repo || exit 1
must git fetch -q origin
must git notes --ref=perf merge refs/perf/remotes/origin/notes
check 'the first clone has all three' is \
	"$(git perf log --json | jq '[.commits[].profiles[]]|length')" 3
check 'all refs are those of the project' is \
	"$(git perf log --all --json | jq '.commits|length')" 1
check 'unless the notes are named' is "$(git perf log refs/notes/perf --json |
	jq '.commits|length > 1')" true
must add last 4
check 'and no fault after its next add' exits 0 git perf fsck

must git config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
check 'a refspec that destroys' exits 0 git perf init
check 'is reported' mentions err 'warning: .*overwrites profiles'
check 'with a command' exits 0 \
	sh -c "$(sed -n "s/.*take it out with '\(.*\)'$/\1/p" "$err")"
check 'that takes it out' exits 0 git perf init
check 'for good' not mentions err warning
check 'an unknown remote' exits 128 git perf init --remote=nosuch
check 'is named' mentions err "^fatal: no remote 'nosuch'"
