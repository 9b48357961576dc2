#!/bin/sh
# A remote that lets no inbox go: the profiles are sent all the same.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
notes()
{
	git -C "$server" for-each-ref --format='%(objectname)' refs/notes/perf
}
inboxes()
{
	git -C "$server" for-each-ref refs/perf/inbox | wc -l
}
# refused SENTENCE: a push that lets the inbox stay
refused()
{
	must add "$one" "$1"
	check "$1: the push works" exits 0 git perf push
	check "$1: the profiles are there" is "$(notes)" \
		"$(git rev-parse refs/notes/perf)"
	check "$1: the push says so" mentions err "^profiles pushed to 'origin'"
	check "$1: the inbox is told" mentions err \
		"^warning: inboxes of 'origin' that are taken in stay there: "
	check "$1: no inbox is said to be emptied" not mentions err emptied
	check "$1: the inbox is there" is "$(inboxes)" 1
}
must add "$two" theirs
must git -C "$two" perf push -q --inbox
must git perf pull -q
cat >"$server/hooks/update" <<'END'
#!/bin/sh
case $1,$3 in refs/perf/inbox/*,0000*) echo 'inboxes stay'; exit 1 ;; esac
END
chmod +x "$server/hooks/update"
refused 'a hook that refuses deletions'
check 'the reason of a hook is told' mentions err 'inboxes stay'
must git -C "$server" config receive.advertiseAtomic false
refused 'a hook without atomic pushes'
must git -C "$server" config --unset receive.advertiseAtomic
# What is refused as a whole is an error.
printf '#!/bin/sh\nexit 1\n' >"$server/hooks/update"
chmod +x "$server/hooks/update"
before=$(notes)
must add "$one" more
check 'a push that is refused as a whole fails' exits 128 git perf push
check 'a push that is refused as a whole is named' \
	mentions err "^fatal: 'origin' refuses the push: "
check 'a push that is refused as a whole changes nothing' is "$(notes)" "$before"
rm "$server/hooks/update"

check 'a push that may delete' exits 0 git perf push
check 'a push that may delete empties the inbox' \
	mentions err "^1 inbox of 'origin' emptied$"
check 'no inbox is left' is "$(inboxes)" 0

# A remote that is broken: its word for it is told.
must git init -q --bare "$scratch/broken.git"
must git remote add broken "$scratch/broken.git"
must touch "$scratch/broken.git/refs/perf"
check 'a remote whose refs are broken' exits 128 git perf push --inbox broken
check 'what the remote says of its refs is told' mentions err \
	"^fatal: 'broken' does not take 'refs/perf/inbox/[0-9a-f]{16}': .*refs/perf"
