#!/bin/sh
# What was fetched is a copy: where some of it is gone (a `git gc --prune=now`
# beside a fetch, or a broken disk), the next fetch, pull or push gets it anew.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

tracked=refs/perf/remotes/origin/notes

# Loose objects, so that one of them can go.
loose()
{
	rm -rf "$scratch/packs"
	mkdir "$scratch/packs"
	for pack in "$1"/.git/objects/pack/*.pack; do
		[ -e "$pack" ] || return 0
		mv "$pack" "$scratch/packs/"
		rm -f "${pack%.pack}".*
	done
	for pack in "$scratch"/packs/*.pack; do
		git -C "$1" unpack-objects -q <"$pack" || return 1
	done
}

# The file of an object that only what was fetched leads to.
lose()
{
	id=$(git -C "$1" rev-parse "$2") &&
		rm -f "$1/.git/objects/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-)"
}

must add "$one" first 1
must git perf push -q
must git -C "$two" perf pull -q
expected='first '
whole()
{
	# shellcheck disable=SC2086
	is "$(names "$1")" "$(printf '%s\n' $expected | sort | tr '\n' ' ')" &&
		sound "$1"
}
check 'the second clone has the first profile' whole "$two"

n=0
# $1: what is lost, $2: its name from the tracking ref, $3: what mends it
case_of()
{
	n=$((n + 1))
	must add "$one" "more$n" "$n"
	must git perf push -q
	expected="$expected"more$n' '
	must git -C "$two" perf fetch -q
	must loose "$two"
	must lose "$two" "$tracked$2"
	must not git -C "$two" rev-list --objects --quiet "$tracked" \
		--not refs/notes/perf
	check "$1 is gone: git perf status goes on" exits 0 \
		git -C "$two" perf status
	# shellcheck disable=SC2086
	check "$1 is gone: git perf $3 mends it" exits 0 \
		git -C "$two" perf $3 -q
	must git -C "$two" perf pull -q
	check "$1 is gone: nothing is missing after git perf $3" whole "$two"
}

noted=$(git rev-parse base)
for call in fetch pull push; do
	case_of 'the fetched commit' '' "$call"
	case_of 'the fetched tree' '^{tree}' "$call"
	case_of "a fetched commit's note" ":$noted" "$call"
done
must add "$two" own 77
expected="${expected}own "
case_of 'the fetched commit beside a profile of ours' '' push
must git perf pull -q
check 'the remote has both' whole "$one"

# An inbox is not the remote's fault either: nobody is told to take it away.
must add "$one" in-inbox 5
must git perf push -q --inbox
expected="${expected}in-inbox "
must git -C "$two" perf fetch -q
must loose "$two"
inbox=$(git -C "$two" for-each-ref --format='%(refname)' \
	refs/perf/remotes/origin/inbox/)
must lose "$two" "$inbox^{tree}"
check 'an inbox of which some is gone: pull' exits 0 git -C "$two" perf pull
check 'an inbox of which some is gone: nothing is set aside' \
	not mentions err 'passed over'
check 'an inbox of which some is gone: its profile is here' whole "$two"

# What comes is in a pack, which git keeps from a gc until the refs are moved.
must add "$one" last 9
must git perf pull -q
must git perf push -q
before=$(find "$two/.git/objects/pack" -name '*.pack' | wc -l)
must git -C "$two" perf fetch -q
check 'what comes is kept in a pack' \
	[ "$(find "$two/.git/objects/pack" -name '*.pack' | wc -l)" -gt "$before" ]

# What is whole stays, and what cannot be had again, too.
copies()
{
	git -C "$two" for-each-ref --format='%(refname) %(objectname)' \
		refs/perf/remotes/
}
# CASE WHAT: each call fails, and the copies are those of $before.
all_stays()
{
	for call in fetch pull push; do
		check "$1: git perf $call" \
			exits 128 git -C "$two" perf $call -q
		check "$1: $2 stays behind git perf $call" \
			is "$(copies)" "$before"
	done
}
must git -C "$two" perf pull -q
must add "$one" newer 3
must git perf push -q
must git perf push -q --inbox
must add "$one" newest 4
must git perf push -q --inbox
must git -C "$two" perf fetch -q
must git -C "$two" update-ref refs/perf/remotes/origin/x/notes \
	"$(git -C "$two" rev-parse "$tracked")"
must loose "$two"
before=$(copies)
must mv "$server" "$scratch/away"
all_stays 'the remote is away' 'all that was fetched'
must git -C "$two" update-ref -d refs/perf/remotes/origin/x/notes
before=$(copies)
must lose "$two" "$tracked^{tree}"
all_stays 'the remote is away, and some is gone' 'all else'
must mv "$scratch/away" "$server"
check 'the remote is back: pull' exits 0 git -C "$two" perf pull -q
check 'the remote is back: nothing is missing' exits 0 \
	git -C "$two" rev-list --objects --quiet "$tracked"

# Our own notes are broken: what was fetched is what they can be had from.
must add "$two" broken 6
must loose "$two"
before=$(copies)
must lose "$two" refs/notes/perf
all_stays 'our notes are broken' 'what was fetched'

# A connection that fails is no bad inbox, and is not tried again.
cat >"$scratch/ssh" <<'END'
#!/bin/sh
echo >>"$0.calls"
[ "$(wc -l <"$0.calls")" -eq 1 ] && exit 255
shift $(($# - 1))
exec sh -c "$1"
END
chmod +x "$scratch/ssh"
must git clone -q "$server" "$scratch/three"
must git -C "$scratch/three" remote set-url origin "ssh://host$server"
check 'the first connection fails' exits 128 env GIT_SSH_VARIANT=simple \
	GIT_SSH_COMMAND="$scratch/ssh" git -C "$scratch/three" perf fetch
check 'a connection that fails is not tried again' \
	is "$(wc -l <"$scratch/ssh.calls" | tr -d ' ')" 1
