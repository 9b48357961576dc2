#!/bin/sh
# A body that builds on others comes with them, in one connection. Of seven
# commits the bodies are numbers 0 to 6 of a chain, each of more than 64 kB:
# number 6 builds on 5, that on 4, and that on 0 (FORMAT.md).
. "$(dirname "$0")/../lib.sh"
server=$scratch/server.git

# SEED: other costs of the same 24,000 functions
profile()
{
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		for (i = 0; i < 24000; i++)
			printf "main;step%d;leaf%d %d\n", i % 20, i, rand() * 100000
	}'
}

must git init -q --bare -b main "$server"
must git -C "$server" config uploadpack.allowFilter true
must git remote add origin "file://$server"
for i in 0 1 2 3 4 5 6; do
	commit "$i"
	profile $((i + 1)) >"$scratch/a.folded"
	must git perf add "$scratch/a.folded" 2>"$err"
done
must git push -q origin main
must git perf push -q
must git perf show --view=raw HEAD:a.folded >"$scratch/expected"

counting_upload

# ARGUMENT...: what this needs comes at once.
asks_once()
{
	lean_clone
	check "$1: bodies are absent" is "$absent" 7
	check "git perf $*" exits 0 git perf "$@"
	check "$1 asks once" is "$(wc -l <"$scratch/connections")" 1
}

asks_once show --view=raw HEAD:a.folded
check 'the profile is what it was' cmp -s "$out" "$scratch/expected"
check 'bodies that show does not need did not come' is "$(git rev-list --objects \
	--missing=print refs/notes/perf | grep -c '^?')" 3
asks_once diff HEAD~1:a.folded HEAD:a.folded
asks_once show --base=HEAD~2:a.folded HEAD:a.folded
asks_once export --to=collapsed HEAD:a.folded
asks_once merge -o "$scratch/merged" HEAD~3:a.folded HEAD:a.folded
asks_once blame main
asks_once fsck
commit=$(git rev-parse HEAD)
# what add is to build on is seen to build on others when it is here
lean_clone
check 'add in a clone without bodies' exits 0 git perf add -m "$commit" -n again "$scratch/a.folded"
check 'add asks twice at most' test "$(wc -l <"$scratch/connections")" -le 2

# A line that says another base than the body does is not believed, nor does
# what nobody has stop the rest: number 5's is. The third word of a line is the
# begin of the SHA-256 of the others (FORMAT.md).
id_of()
{
	printf %s "$(echo "$1" | cut -d ' ' -f 1,2,4-)" | sha256sum | cut -c 1-16
}
lean_clone
nobody=1234567890123456789012345678901234567890
line=$(git notes --ref=perf show HEAD~1)
check 'the id of the line is computed as it was' \
	is "$(id_of "$line")" "$(echo "$line" | cut -d ' ' -f 3)"
false=$(echo "$line" | sed "s/ base=[0-9a-f]*/ base=$nobody/")
false=$(echo "$false" | sed "s/[0-9a-f]\{16\}/$(id_of "$false")/")
must git notes --ref=perf add -f -m "$false" HEAD~1 2>"$err"
check 'a false line stops nothing' \
	exits 0 env GIT_TRACE="$scratch/trace" git perf show --view=raw HEAD:a.folded
check 'beside a false line the profile is what it was' cmp -s "$out" "$scratch/expected"
check 'what the false line says was asked for' \
	test "$(grep -c "git fetch.* $nobody" "$scratch/trace")" -eq 1
check 'steps of the chain are asked for one by one' \
	test "$(wc -l <"$scratch/connections")" -le 5
