#!/bin/sh
# Kinds of clones: partial, shallow, with alternates, with the git folder
# elsewhere. Each reads, adds and shares as any other.
. "$(dirname "$0")/../lib.sh"
need jq
for n in 1 2 3; do
	commit "version $n"
	awk -v n=$n 'BEGIN { for (i = 0; i < 200; i++)
		printf "main;f%d %d\n", i, i == n ? 1 : 2 }' >p.folded
	must git perf add p.folded
done
git config uploadpack.allowFilter true
git config uploadpack.allowAnySHA1InWant true
names()
{
	git perf log --json | jq -c '[.commits[].profiles[].name]'
}
sees()
{
	is "$(names)" "$1" && exits 0 git perf show 0@i && mentions out ' f199$'
}
all='["p.folded","p.folded","p.folded"]'
adds()
{
	exits 0 git perf add -m HEAD "$scratch/repo/p.folded" &&
		exits 0 git perf fsck && exits 0 git fsck --strict
}
fetch_notes()
{
	must git fetch -q origin refs/notes/perf:refs/notes/perf
}
# Objects that a clone without blobs does not have.
absent()
{
	git rev-list --objects --missing=print refs/notes/perf | grep -c '^?'
}

must git clone -q --filter=blob:none "file://$scratch/repo" ../partial
cd ../partial || exit 1
fetch_notes
before=$(absent)
check 'a partial clone has no bodies' test "$before" -ge 3
check 'log gets the notes only' is "$(names)" "$all"
check 'log in a partial clone fetches no body' test "$(absent)" -ge 3
# git, which fetches them, may ask for a password: Ctrl-C has to reach it.
mkdir ../path
# awk, because some shells unblock what they find blocked
cat >../path/git <<END
#!$(command -v awk) -f
BEGIN {
	while ((getline line <"/proc/self/status") > 0)
		if (line ~ /^SigBlk/)
			print line >>"$scratch/blocked"
	for (i = 1; i < ARGC; i++)
		words = words " " ARGV[i]
	exit system("$(command -v git)" words)
}
END
chmod +x ../path/git
check 'diff in a partial clone fetches both bodies' \
	exits 0 env PATH="$scratch/path:$PATH" \
	git-perf diff HEAD~2:0@i 0@i
check 'git fetches bodies with no signal blocked' is "$(sort -u ../blocked)" \
	"$(grep '^SigBlk' /proc/self/status)"
check 'show gets the bodies it needs' sees "$all"
check 'fewer objects are absent after show' test "$(absent)" -lt "$before"
check 'a partial clone adds a profile' adds
mv ../repo ../away
check 'log in a partial clone works without the other side' exits 0 git perf log
rm -rf ../partial2
must git clone -q --filter=blob:none "file://$scratch/away" ../partial2
cd ../partial2 || exit 1
git fetch -q origin refs/notes/perf:refs/notes/perf
must git perf log
mv ../away ../repo
check 'show of a body that cannot be fetched fails' exits 128 git perf show 0@i
check 'a body that cannot be fetched gives one line' is "$(grep -c . "$err")" 1
check 'the line about an unfetched body names it' \
	mentions err '^fatal: .*body [0-9a-f]{40}'

must git clone -q --no-checkout --filter=tree:0 "file://$scratch/repo" \
	../treeless
cd ../treeless || exit 1
fetch_notes
check 'a clone without trees fetches what show needs' sees "$all"
check 'fsck finds no fault in a clone without trees' exits 0 git perf fsck
must git clone -q --no-checkout --filter=blob:none "file://$scratch/repo" \
	../partial3
cd ../partial3 || exit 1
fetch_notes
mv ../repo ../away
check 'notes that cannot be fetched are no fault' exits 128 git perf fsck
mv ../away ../repo
check 'fsck advises nothing about notes that cannot be fetched' \
	is "$(cat "$out"; grep -c 'could not be fetched' "$err")" 1

must git clone -q --depth=1 "file://$scratch/repo" ../shallow
cd ../shallow || exit 1
fetch_notes
check 'a shallow clone reads what it has' sees '["p.folded"]'
check 'a shallow clone adds a profile' adds
check 'a shallow clone lists the old and the added profile' \
	is "$(names)" '["p.folded","p.folded"]'
must git push -q origin refs/notes/perf
check 'the other side sees what a shallow clone pushed' \
	is "$(git -C ../repo perf log \
	--json | jq '[.commits[].profiles | length] | add')" 4

must git clone -q --shared ../repo ../borrows
cd ../borrows || exit 1
fetch_notes
check 'alternates lend the bodies' test \
	"$(git count-objects -v | sed -n 's/^count: //p')" -eq 0
check 'bodies of alternates are read' exits 0 git perf show HEAD~2:0@i
check 'an add builds upon bodies of alternates' adds

must git clone -q --shared ../repo ../lent
must git -C ../lent fetch -q origin refs/notes/perf:refs/notes/perf
must mv ../repo ../moved
check 'a clone whose lender was moved' exits 128 git -C ../lent perf log
lender=$(cat ../lent/.git/objects/info/alternates)
check 'a lender that was moved is named, and where' mentions err \
	"^fatal: cannot read 'refs/notes/perf': .*: '$lender', which '.*/lent/.git/objects/info/alternates' names, is not there: "
must mv ../moved ../repo
check 'a clone whose lender is back' exits 0 git -C ../lent perf log

must git clone -q --separate-git-dir "$scratch/elsewhere.git" ../repo ../apart
cd ../apart || exit 1
fetch_notes
check 'the git folder may be elsewhere' exits 0 git perf show 0@i
check 'an add goes to the git folder that lies elsewhere' adds
check 'collect works with a git folder that lies elsewhere' \
	exits 0 git perf collect -r 1 true
check 'a pending profile goes to the git folder that lies elsewhere' \
	test -n "$(ls "$scratch/elsewhere.git/perf/jobs")"
