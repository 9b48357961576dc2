# What tests of sharing have in common; source it behind ../lib.sh. Afterwards
# one stands in a clone `one` of the bare repository $server, with the commit of
# the tag `base`, and there is a clone `two`.
#
# add CLONE NAME [COST [REV]]   a profile into the notes of a clone
# names CLONE                   the names of all profiles of its history, sorted
# sound CLONE                   git and git-perf find no fault in it
# tree CLONE                    the tree of its notes

need jq
server=$scratch/server.git
one=$scratch/one
two=$scratch/two

add()
{
	printf 'main;%s %s\nmain %s\n' "$2" "${3:-1}" "${3:-1}" \
		>"$scratch/profile.folded"
	git -C "$1" perf add -n "$2" -m "${4:-base}" "$scratch/profile.folded" \
		2>"$scratch/added"
}

names()
{
	git -C "$1" perf log --json base |
		jq -r '.commits[].profiles[].name' | sort | tr '\n' ' '
}

sound()
{
	exits 0 git -C "$1" perf fsck && exits 0 git -C "$1" fsck --strict
}

tree()
{
	git -C "$1" rev-parse 'refs/notes/perf^{tree}'
}

commit base
must git tag base
must git init -q --bare -b main "$server"
must git push -q "$server" main base
must git clone -q "$server" "$one"
must git clone -q "$server" "$two"
cd "$one" || exit 1
