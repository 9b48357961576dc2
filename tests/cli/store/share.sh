#!/bin/sh
# Sharing as the README says: init, push, fetch, unite; what status tells.
. "$(dirname "$0")/../lib.sh"
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
check 'init sets up a repository with a remote' exits 0 git perf init
check 'init sets the merge strategy' is "$(git config notes.perf.mergeStrategy)" \
	cat_sort_uniq
check 'init says which refspec it adds' is \
	"$(git config --get-all remote.origin.fetch | tail -n 1)" \
	'+refs/notes/perf*:refs/perf/remotes/origin/notes*'
check 'a remote without profiles' exits 0 git fetch origin
check 'notes are fetched to a ref of their own' \
	is "$(git for-each-ref refs/perf)" ''
check 'init works a second time' exits 0 git perf init
check 'a second init has nothing to change' says err 'nothing to change'
check 'a second init leaves one refspec' is \
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
check 'init replaces the refspec of 0.1.0' exits 0 git perf init
check 'init says which refspec it takes out' \
	mentions err '^remote.origin.fetch -= .refs/notes/perf:refs/perf/'
check 'the replaced refspec is a pattern' \
	is "$(specs)" "$(cat "$scratch/specs")"
check 'git fetches with the pattern' exits 0 git fetch -q origin
must git config --add remote.origin.fetch "$old"
must git config --add remote.origin.fetch "$old-of-mine"
check 'init works beside a refspec of the user' exits 0 git perf init
check 'a refspec of ours goes and nothing else' is "$(specs)" \
	"$(cat "$scratch/specs")
$old-of-mine"
check 'init works once more' exits 0 git perf init
check 'init once more changes nothing' says err 'nothing to change'
must git config --unset --fixed-value remote.origin.fetch "$old-of-mine"
must add mine 1
check 'before the first push the number not pushed is unknown' is \
	"$(git perf status --json | jq .unpushed)" null
check 'a push of the notes works' exits 0 git push -q origin refs/notes/perf
check 'a push brings the number not pushed to 0' is "$(git perf status --json | jq .unpushed)" 0
must add more 2
check 'status --json counts what is not pushed' \
	is "$(git perf status --json | jq .unpushed)" 1
check 'status works with a record not pushed' exits 0 git perf status
check 'status names the command that pushes' mentions out \
	'^1 record not pushed \("git perf push origin"\)'

must git clone -q ../server.git ../other
cd ../other || exit 1
check 'status works in a fresh clone' exits 0 git perf status
check 'status says how to get the profiles of others' says out \
	'no profiles in this clone ("git perf pull origin" gets what others pushed)'
check 'JSON of a fresh clone has no advice' \
	is "$(git perf status --json | grep -c fetch)" 0
must git clone -q ../server.git ../third
check 'the advised pull works' exits 0 git -C ../third perf pull origin
check 'the advised pull gets the profiles' is \
	"$(git -C ../third perf status --json | jq '.profiles|length')" 1
check 'status advises nothing after the pull' is \
	"$(git -C ../third perf status | grep -c 'this clone')" 0
must git perf init
must git fetch -q origin
check 'status --json counts what was fetched' is \
	"$(git perf status --json | jq .fetched)" 1
check 'status works with fetched records' exits 0 git perf status
check 'status names the command that unites' mentions out \
	'^1 fetched record not united \("git perf pull origin"\)'
check 'status --short works with a fetched record' exits 0 git perf status -s
check 'status --short says that a record waits' \
	mentions out ', 1 fetched not united$'
must add theirs 3
check 'git notes merge with what was fetched works' exits 0 \
	git notes --ref=perf merge refs/perf/remotes/origin/notes
check 'uniting brings the profiles of both' is \
	"$(git perf log --json | jq '[.commits[].profiles[]]|length')" 2
check 'nothing waits after the merge' \
	is "$(git perf status --json | jq .fetched)" 0
check 'a push after uniting works' exits 0 git push -q origin refs/notes/perf
cd ../repo || exit 1
must git fetch -q origin
must git notes --ref=perf merge refs/perf/remotes/origin/notes
check 'the first clone has all three' is \
	"$(git perf log --json | jq '[.commits[].profiles[]]|length')" 3
check 'log --all shows refs of the project only' is \
	"$(git perf log --all --json | jq '.commits|length')" 1
check 'unless the notes are named' is "$(git perf log refs/notes/perf --json |
	jq '.commits|length > 1')" true
must add last 4
check 'fsck finds no fault after the next add' exits 0 git perf fsck

must git config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
check 'a refspec that destroys' exits 0 git perf init
check 'init warns of a refspec that overwrites profiles' \
	mentions err 'warning: .*overwrites profiles'
check 'the advised command works' exits 0 \
	sh -c "$(sed -n "s/.*take it out with '\(.*\)'$/\1/p" "$err")"
check 'init works after the dangerous refspec is out' exits 0 git perf init
check 'init warns no more' not mentions err warning
check 'init with an unknown remote is refused' exits 128 git perf init --remote=nosuch
check 'an unknown remote is named' mentions err "^fatal: no remote 'nosuch'"
check 'init with an empty remote is a usage error' exits 129 git perf init --remote=
check 'init says that the name is empty' says err 'error: the name is empty'
