#!/bin/sh
# What fetch says that waits, and how a remote's refusal is told.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

# A dry run is before the fetch, says the same and keeps no ref.
fetch()
{
	before=$(git for-each-ref)
	check "a dry run: $1" exits 0 git perf fetch -n
	cp "$err" "$scratch/of-dry-run"
	check "a dry run of pull: $1" exits 0 git perf pull -n --filter
	check "a dry run of pull says the same: $1" same "$err" "$scratch/of-dry-run"
	check "a dry run moves nothing: $1" is "$(git for-each-ref)" "$before"
	check "a dry run sets no filter: $1" \
		not git config --get-regexp '^remote\.perf-|filter'
	check "$1" exits 0 git perf fetch
	check "a dry run says the same: $1" same "$err" "$scratch/of-dry-run"
}

fetch 'fetch from a remote without profiles'
check 'fetch says that there are none' prints err <<'END'
'origin' has no profiles
END
check 'pull from a remote without profiles' exits 0 git perf pull
check 'pull says so, too' says err "'origin' has no profiles"
must add "$two" worker
must git -C "$two" perf push -q --inbox
fetch 'fetch of an inbox alone'
check 'fetch names the inbox' prints err <<'END'
1 inbox of 'origin' not taken in yet: 'git perf pull' does it
END
must add "$two" second 2
must git -C "$two" perf push -q --no-inbox
must add "$two" third 3
must git -C "$two" perf push -q --inbox
fetch 'fetch of both'
check 'fetch counts both' prints err <<'END'
2 records and 1 inbox of 'origin' not taken in yet: 'git perf pull' does it
END
must git perf pull -q
fetch 'fetch when all is taken in'
check 'inboxes that are taken in do not wait' prints err <<'END'
'origin' has no profiles that are not here
END
must git perf gc -q
fetch 'fetch behind a gc here'
check 'what gc left behind does not wait' prints err <<'END'
'origin' has no profiles that are not here
END
must git perf push -q

# A hook that only says no, and one that says why.
must add "$one" refused 4
printf '#!/bin/sh\nexit 1\n' >"$server/hooks/update"
chmod +x "$server/hooks/update"
check 'a hook declines' exits 128 git perf push
check 'a hook that declines is told once' prints err <<'END'
fatal: 'origin' refuses the push: hook declined
END
printf '#!/bin/sh\necho ask ops >&2\nexit 1\n' >"$server/hooks/update"
check 'a hook says why' exits 128 git perf push
check 'what the hook says is told' prints err <<'END'
fatal: 'origin' refuses the push: ask ops: hook declined
END
rm "$server/hooks/update"

# A remote that cannot store anything.
if strace -o ../trace true 2>"$err"; then
	cat >"$scratch/full" <<'END'
#!/bin/sh
exec strace -qq -o /dev/null -e trace=mkdir \
	-e inject=mkdir:error=EACCES git-receive-pack "$@"
END
	chmod +x "$scratch/full"
	must git config remote.origin.receivepack "$scratch/full"
	check 'a remote that may not write' exits 128 git perf push
	check 'a remote that may not write says so' mentions err \
		"^fatal: 'origin' refuses the push: remote unpack failed: .*unpacker error$"
	must git config --unset remote.origin.receivepack

	ref=$PWD/.git/refs/notes/perf
	check 'a ref that may not be read' exits 128 traced -qq -o ../trace \
		-P "$ref" -e inject=openat:error=EACCES git-perf log
	check 'a ref that may not be read is called nothing else' says err \
		"fatal: cannot read 'refs/notes/perf': failed open - '$ref': Permission denied"
fi

# An inbox of which the tracking ref cannot be read here for a moment is not at
# fault: nothing may say how to be rid of it.
if strace -o ../trace true 2>"$err"; then
	must add "$two" kept 5
	must git -C "$two" perf push -q --inbox
	must git perf fetch -q
	ref=$(git for-each-ref --format='%(refname)' refs/perf/remotes/origin/inbox)
	ref=$PWD/.git/$ref
	before=$(git rev-parse refs/notes/perf)
	n=0
	advised=
	false=
	while [ $n -lt 12 ]; do
		n=$((n + 1))
		status=0
		traced -qq -o ../trace -P "$ref" \
			-e inject=openat:error=EIO:when=$n \
			git-perf pull 2>"$err" || status=$?
		! grep -q 'it goes by' "$err" || advised="$advised $n"
		[ $status != 0 ] || names "$one" | grep -q kept ||
			false="$false $n"
		must git update-ref refs/notes/perf "$before"
		grep -q INJECTED ../trace || break
	done
	check 'opens of the tracking ref failed' test $n -gt 2
	check 'an error of the disk is no fault of an inbox' is "$advised" ''
	check 'no pull succeeded without the inbox' is "$false" ''

	# The folders that it lies in, whatever fails there. A remote that
	# cannot be looked at has told nothing; what is here stands for it.
	false=
	unsaid=
	failed=0
	for call in openat getdents64 newfstatat; do
		for folder in "${ref%/*}" "${ref%/inbox/*}" "$ref"; do
			n=0
			while [ $n -lt 40 ]; do
				n=$((n + 1))
				status=0
				traced -qq -o ../trace -P "$folder" \
					-e inject=$call:error=EIO:when=$n \
					git-perf pull 2>"$err" || status=$?
				grep -q INJECTED ../trace || break
				[ $status = 0 ] || failed=$((failed + 1))
				[ $status != 0 ] ||
					names "$one" | grep -q kept ||
					false="$false $call:$n"
				[ $status = 0 ] || grep -q ^fatal: "$err" ||
					unsaid="$unsaid $call:$n"
				must git update-ref refs/notes/perf "$before"
			done
		done
	done
	check 'reads of the folders failed' test $failed -gt 2
	check 'no pull succeeded without what it could not list' is "$false" ''
	check 'each that failed says so' is "$unsaid" ''
	must git perf pull -q
fi

# Neither is a disk on which it has no room, nor is a bundle's.
awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++)
	printf "main;f_%d;g_%d %d\n", i * 7919 % 100003, i, rand() * 1e9
}' >"$scratch/large.folded"
must git perf pull -q
must git perf push -q
must git -C "$two" perf pull -q
must git -C "$two" perf add -n large -m base "$scratch/large.folded" 2>"$err"
must git -C "$two" perf push -q --inbox
must git -C "$two" perf bundle create -q --all ../large.bundle
# small COMMAND...: no file becomes larger than 64 kB
small()
{
	(
		trap '' XFSZ
		ulimit -f 128
		exec "$@"
	)
}
check 'an inbox for which there is no room' exits 128 small git perf pull
check 'no room is told, and no way to be rid of the inbox' mentions err \
	"^fatal: cannot fetch from 'origin': .*File too large"
check 'no room is told in one line' is "$(grep -c . "$err")" 1
check 'a bundle for which there is no room' \
	exits 128 small git perf bundle apply ../large.bundle
check 'a bundle for which there is no room is not called damaged' \
	not mentions err damaged
check 'no room for a bundle is told' mentions err 'File too large'
check 'the inbox is taken in where there is room' exits 0 git perf pull
check 'the large one has come' is "$(names "$one" | grep -c large)" 1

# A command that the other side gives as advice, and what it says twice.
cat >"$scratch/advises" <<'END'
#!/bin/sh
echo 'fatal: not yours' >&2
echo 'fatal: not yours' >&2
printf '\tgit config --global it.is mine\n' >&2
exit 1
END
chmod +x "$scratch/advises"
must git config remote.origin.uploadpack "$scratch/advises"
check 'a remote gives advice' exits 128 git perf pull
check 'advice is told as it can be typed' prints err <<'END'
fatal: cannot fetch from 'origin': not yours: git config --global it.is mine: Could not read from remote repository.
END
must git config --unset remote.origin.uploadpack
check 'the push goes at last' exits 0 git perf push

# Notes that cannot be read do not go, and a dry run says so, too.
tip=$(git rev-parse refs/notes/perf)
for bad in 1234567890123456789012345678901234567890 \
	"$(echo words | git hash-object -w --stdin)" \
	"$(git commit-tree -m later "$(printf '100644 blob %s\tformat\n' \
		"$(echo 'perf-notes 9' | git hash-object -w --stdin)" |
		git mktree)")"; do
	echo "$bad" >.git/refs/notes/perf
	check "a push of $bad" exits 128 git perf push
	cp "$err" "$scratch/of-push"
	check "a dry run of $bad" exits 128 git perf push -n
	check "a dry run says of $bad what the push says" \
		same "$err" "$scratch/of-push"
done
echo "$tip" >.git/refs/notes/perf
