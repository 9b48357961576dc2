#!/bin/sh
# Remotes of an unusual configuration: several URLs to push to, a mirror.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
second=$scratch/second.git
must git init -q --bare "$second"

# Two URLs: what is in the way at the one that is not fetched from.
must git remote set-url --add --push origin "$server"
must git remote set-url --add --push origin "$second"
must add "$one" mine
check 'a push to two URLs' exits 0 git perf push
check 'a push to two URLs moves the notes of the first' \
	is "$(git -C "$server" rev-parse refs/notes/perf)" \
	"$(git rev-parse refs/notes/perf)"
check 'a push to two URLs moves the notes of the second' \
	is "$(git -C "$second" rev-parse refs/notes/perf)" \
	"$(git rev-parse refs/notes/perf)"
must git -C "$two" remote set-url origin "$second"
must git -C "$two" perf pull -q
must add "$two" other
must git -C "$two" perf push -q
check 'a push that only the second refuses fails' exits 128 git perf push
check 'what is in the way is told' mentions err \
	"^fatal: 'origin' has all profiles that are here where it is fetched from, but where it is pushed to others are in the way"
check 'the way out of it' exits 0 git perf pull -q origin
must git remote add second "$second"
check 'a pull of the second' exits 0 git perf pull second
check 'a push behind a pull from each goes' exits 0 git perf push origin
check 'both remotes have one tip' is "$(git -C "$server" rev-parse refs/notes/perf)" \
	"$(git -C "$second" rev-parse refs/notes/perf)"
check 'the clone has the profiles of both remotes' is "$(names "$one")" 'mine other '

# A mirror, of which git itself pushes everything or nothing.
must git init -q --bare "$scratch/mirror.git"
must git remote add --mirror=push copy "$scratch/mirror.git"
check 'a push to a mirror' exits 0 git perf push copy
check 'a mirror gets the notes and nothing else' is \
	"$(git -C "$scratch/mirror.git" for-each-ref --format='%(refname)')" \
	refs/notes/perf
check 'the mirror stays one' is "$(git config remote.copy.mirror)" true
must git config remote.a=b.url "$scratch/mirror.git"
check 'a remote with a name of an equals sign' exits 0 git perf push a=b

# The only remote is meant, however it is called and whatever the branch
# follows, as git fetch takes it; of several one has to be named.
must git clone -q -o team "$server" "$scratch/only"
cd "$scratch/only" || exit 1
must git checkout -q -b topic --no-track
check 'git fetch takes the only remote' exits 0 git fetch
check 'status knows the only remote' exits 0 git perf status
check 'status says how to get profiles from the only remote' mentions out '"git perf pull team"'
check 'a pull from the only remote' exits 0 git perf pull
check 'what the only remote has is here' is "$(names .)" 'mine other '
must add . topical
check 'a push to the only remote' exits 0 git perf push
check 'the only remote has it' is "$(git -C "$server" rev-parse refs/notes/perf)" \
	"$(git rev-parse refs/notes/perf)"
check 'the only remote beside what a filter made' exits 0 git perf pull --filter team
must git config remote.perf-team.url "$server"
check 'the one of a filter does not count' exits 0 git perf pull
must git remote add fork "$second"
check 'of two remotes none is meant' exits 128 git perf pull
check 'of two remotes one is to be named' mentions err \
	"^fatal: no remote to share profiles with: name one of 'git remote', "
check 'one of two that is named' exits 0 git perf pull team

# Who may push there may have pushed anything: what is here is still told.
must git config perf.remote team
must git push -q -f team "$(echo junk | git hash-object -w --stdin):refs/notes/perf"
check 'notes of a remote that are none are refused' exits 128 git perf pull
check 'status goes on beside them' exits 0 git perf status
check 'status has what is here' mentions out '0@i  topical '
check 'status says what it does not tell' mentions err \
	"^warning: what is not pushed is not told: .*/team/notes'.* is a blob"
