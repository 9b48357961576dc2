# Trees of notes that git-perf would not write; source it behind ../lib.sh.
#
# line REV        the profile's line in the note of a commit
# place BODY      where a body is in the tree of $tip
# change          standard input, lines for git-update-index(1), is done to that
#                 tree, and the result becomes the notes

line()
{
	git notes --ref=perf show "$1" | grep ' profile '
}
place()
{
	echo "objects/$(echo "$1" | cut -c 1-2)/$(echo "$1" | cut -c 3-)"
}
change()
{
	GIT_INDEX_FILE=$scratch/index
	export GIT_INDEX_FILE
	must git read-tree "$tip"
	must git update-index --index-info
	must git update-ref refs/notes/perf \
		"$(git commit-tree -m odd -p "$tip" "$(git write-tree)")"
	unset GIT_INDEX_FILE
}

# N: a large profile at a commit of its own; it differs from the others by one
# value, so that it builds on the one before.
add_version()
{
	awk -v n="$1" 'BEGIN { for (i = 0; i < 300; i++)
		printf "main;function_%d;leaf_%d %d\n", i, i * 7, i == n ? 5 : 9
	}' >p.folded
	commit "version $1"
	must git perf add p.folded
}
