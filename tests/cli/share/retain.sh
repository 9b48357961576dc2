#!/bin/sh
# What is pruned in one clone while others go on: no record that nobody took out
# is lost, and none that was taken out comes back.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
bodies()
{
	git -C "$1" ls-tree -r refs/notes/perf | grep -c objects/
}
meet()
{
	must git perf push -q
	must git -C "$two" perf push -q
	must git perf pull -q
}

# A record is removed on one side while the other drops its body: it is gone.
add "$one" a
add "$one" R
must git perf push -q
must git -C "$two" perf pull -q
must git -C "$two" perf prune -q --bodies=0
must git perf rm -m base R 2>"$scratch/said"
meet
check 'a removal beside a prune of bodies wins' is "$(names "$one")" 'a '
check 'a removal beside a prune of bodies wins there' is "$(names "$two")" 'a '
check 'no body of the two is left' is "$(bodies "$one")$(bodies "$two")" 00
check 'nothing is wrong behind that' sound "$one"

# The other way round: removed and pushed, then the bodies of an old clone.
add "$one" b
add "$one" S
must git perf push -q
must git -C "$two" perf pull -q
must git perf rm -m base S 2>"$scratch/said"
must git perf push -q
must git -C "$two" perf prune -q --bodies=0
must git -C "$two" perf push -q
must git perf pull -q
check 'a prune of bodies behind a removal brings nothing back' \
	is "$(names "$one")$(names "$two")" 'a b a b '

# Both prune at once: one line of each, nothing twice.
add "$one" c
must git perf push -q
must git -C "$two" perf pull -q
must git perf prune -q --bodies=0
must git -C "$two" perf prune -q --bodies=0
meet
check 'two prunes of bodies write one line' is "$(git notes --ref=perf show base |
	grep ' figures ' | sort | uniq | wc -l)" \
	"$(git notes --ref=perf show base | grep -c ' figures ')"
check 'both clones have one tree' is "$(tree "$one")" "$(tree "$two")"

# A profile that was added meanwhile builds on a body that is pruned.
i=0
while [ $i -lt 400 ]; do
	i=$((i + 1))
	echo "main;f$i;g$((i * 7 % 31)) $((i * 13))"
done >"$scratch/long.folded"
must git perf add -n long -m base "$scratch/long.folded" 2>"$scratch/said"
must git perf push -q
must git -C "$two" perf pull -q
sed 's/13$/14/' "$scratch/long.folded" >"$scratch/next.folded"
must git -C "$two" perf add -n long -m base "$scratch/next.folded" \
	2>"$scratch/said"
check 'the new profile builds on the old one' test -n \
	"$(git -C "$two" notes --ref=perf show base | grep -o ' base=[0-9a-f]*')"
must git perf prune -q --bodies=0
meet
must git -C "$two" perf pull -q
check 'what another profile builds on stays' sound "$one"
check 'what another profile builds on stays there' sound "$two"
check 'the new profile is whole' exits 0 git perf show base:0@i

# A clone that has the bodies still does not bring them back.
must git clone -q "$server" "$scratch/late"
must git -C "$scratch/late" perf pull -q
must git perf prune -q --bodies=0
must git perf push -q
add "$scratch/late" late
must git -C "$scratch/late" perf push -q
must git perf pull -q
check 'a clone with the bodies brings none back' is "$(bodies "$one")" 1
check 'the profile that it added has its own' exits 0 git perf show base:late
check 'all clones agree' is "$(tree "$one")" "$(tree "$scratch/late")"

# An inbox and a bundle of before.
must git clone -q "$server" "$scratch/worker"
must git -C "$scratch/worker" perf pull -q
add "$scratch/worker" w
must git -C "$scratch/worker" perf push -q --inbox
must git -C "$scratch/worker" perf bundle create -q --all "$scratch/old.bundle"
must git perf rm -m base late 2>"$scratch/said"
must git perf pull -q
check 'an inbox of before a removal' is "$(names "$one")" 'a b c long long w '
check 'a bundle of before a removal' \
	exits 0 git perf bundle apply "$scratch/old.bundle"
check 'a bundle brings nothing back' is "$(names "$one")" 'a b c long long w '

# A copy that was removed is not made again.
must git commit -q --allow-empty -m old
old=$(git rev-parse HEAD)
must git perf add -n x "$scratch/profile.folded" 2>"$scratch/said"
must git commit -q --amend --allow-empty -m new
echo "$old $(git rev-parse HEAD)" |
	must git -c perf.hookMode=queue perf hooks run post-rewrite amend 2>"$scratch/said"
must git -c perf.hookMode=queue perf worker --once 2>"$scratch/said"
check 'who amends has a copy' is "$(git notes --ref=perf show | grep -c from=)" 1
must git perf rm x 2>"$scratch/said"
check 'the tombstone of a copy says of what' is "$(git notes --ref=perf show |
	grep -c ' del .* from=')" 1

# A partial clone is refused while bodies lack, not afterwards.
seq 8000 | awk '{ print "main;some_function_" $1 * 7919 % 65536, $1 }' \
	>"$scratch/large.folded"
must git perf add -n large -m base "$scratch/large.folded" 2>"$scratch/said"
must git perf push -q
must git -C "$server" config uploadpack.allowFilter true
must git clone -q "file://$server" "$scratch/lean"
must git -C "$scratch/lean" perf pull -q --filter
check 'a clone without bodies is refused' \
	exits 128 git -C "$scratch/lean" perf prune --bodies=0
check 'a clone without bodies is told what to do' mentions err \
	"^fatal: this clone is partial and lacks bodies: 'git perf pull --all'"
check 'gc is refused there, too' exits 128 git -C "$scratch/lean" perf gc
must git -C "$scratch/lean" perf pull -q --all
check 'a clone that got all bodies is not' \
	exits 0 git -C "$scratch/lean" perf prune --bodies=0

# Whoever moves the notes all the time does not have git walk their history
# again each time: here the walk itself moves them, so that none is the last.
cd "$one" || exit 1
must mkdir "$scratch/bin"
cat >"$scratch/bin/git" <<END
#!/bin/sh
PATH=$PATH
case "\$*" in *--disk-usage*)
	echo >>"$scratch/walks"
	[ \$(wc -l <"$scratch/walks") -gt 20 ] ||
		git notes --ref=perf append -m moved base
	;;
esac
exec git "\$@"
END
must chmod +x "$scratch/bin/git"
check 'gc beside a writer who moves the notes' exits 0 \
	env PATH="$scratch/bin:$PATH" git-perf gc
check 'gc weighs the history once' test "$(wc -l <"$scratch/walks")" -le 3
check 'what was written meanwhile is there' is \
	"$(git notes --ref=perf show base | grep -c '^moved$')" 1
