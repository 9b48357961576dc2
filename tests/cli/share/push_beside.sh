#!/bin/sh
# A pull beside a push takes an inbox in when the push has chosen already what
# it sends: the inbox stays at the remote until a push brings what it has.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

# git, which runs $scratch/beside once before the push asks it about history
real=$(command -v git)
perf=$(command -v git-perf)
mkdir "$scratch/wrap"
cat >"$scratch/wrap/git" <<END
#!/bin/sh
case " \$* " in
*' merge-base '*)
	if mv "$scratch/beside" "$scratch/began" 2>"$scratch/told"; then
		sh "$scratch/began"
	fi ;;
esac
exec "$real" "\$@"
END
chmod +x "$scratch/wrap/git"
printf 'cd "%s" && "%s" pull -q && : >"%s"\n' "$one" "$perf" "$scratch/pulled" \
	>"$scratch/pull"

inboxes()
{
	git -C "$server" for-each-ref refs/perf/inbox | wc -l
}
# beside CASE: `one` pushes `two`, a pull beside it takes `worker` in
beside()
{
	add "$two" "worker$1"
	must git -C "$two" perf push -q --inbox
	must git fetch -q origin 'refs/perf/inbox/*:refs/perf/remotes/origin/inbox/*'
	add "$one" "mine$1"
	rm -f "$scratch/pulled"
	cp "$scratch/pull" "$scratch/beside"
	check "$1: a push beside a pull" exits 0 \
		env PATH="$scratch/wrap:$PATH" git-perf push
	check "$1: the pull was beside it" test -e "$scratch/pulled"
	rm -rf "$scratch/fresh"
	must git clone -q "$server" "$scratch/fresh"
	must git -C "$scratch/fresh" perf pull -q
	check "$1: the remote has all" is "$(names "$scratch/fresh")" "$2"
	check "$1: the next push" exits 0 git perf push
	check "$1: the next push clears the inbox" is "$(inboxes)" 0
	rm -rf "$scratch/fresh"
	must git clone -q "$server" "$scratch/fresh"
	must git -C "$scratch/fresh" perf pull -q
	check "$1: nothing went with it" is "$(names "$scratch/fresh")" "$2"
}

add "$one" first
must git perf push -q
must git -C "$two" perf pull -q
beside 1 'first mine1 worker1 '

# The worker's inbox is of the epoch before: its lines come, not its history.
must git perf gc -q
must git perf push -q
beside 2 'first mine1 mine2 worker1 worker2 '

# Others push before each try, and there is nothing here that they lack.
cat >"$scratch/wrap/git" <<END
#!/bin/sh
case " \$* " in
*' push '*)
	n=\$(cat "$scratch/n")
	echo \$((n + 1)) >"$scratch/n"
	echo "main;other\$n 1" >"$scratch/other.folded"
	(
		unset \$("$real" rev-parse --local-env-vars)
		PATH=\${PATH#*:}
		cd "$two" || exit 1
		"$perf" add -m base -n "other\$n" "$scratch/other.folded"
		"$perf" push -q --no-inbox
	) >>"$scratch/others" 2>&1 ;;
esac
exec "$real" "\$@"
END
must git perf pull -q
must git perf push -q
must git -C "$two" perf pull -q
echo 0 >"$scratch/n"
check 'a push of nothing where others are first each time' exits 0 \
	env PATH="$scratch/wrap:$PATH" git-perf push
check 'others were first each time' test "$(cat "$scratch/n")" -ge 4
check 'a push of nothing says that nothing was to be sent' mentions err \
	"^'origin' has all profiles that are here"

# Another fetch in this clone moves what is known of the remote, while the pack
# of this one comes.
tracking=refs/perf/remotes/origin/notes
must git perf pull -q
cat >"$scratch/pack" <<END
#!/bin/sh
if mkdir "$scratch/once" 2>/dev/null; then
	(
		unset \$(git rev-parse --local-env-vars)
		git -C "$one" update-ref $tracking $tracking~1
	)
fi
exec "\$@"
END
chmod +x "$scratch/pack"
git config --global uploadpack.packObjectsHook "$scratch/pack"
for command in fetch pull push; do
	must add "$two" "before_$command"
	must git -C "$two" perf push -q --no-inbox
	rm -rf "$scratch/once"
	check "$command beside another fetch" exits 0 git perf $command
	check "there was another fetch, $command" test -d "$scratch/once"
	check "$command has what the remote has" is "$(git rev-parse $tracking)" \
		"$(git -C "$server" rev-parse refs/notes/perf)"
done
git config --global --unset uploadpack.packObjectsHook
