#!/bin/sh
# What a batch holds in memory does not grow with it, nor with the notes that
# it adds to. PERF_COMMITS=1000000 adds a figure to so many commits.
. "$(dirname "$0")/../lib.sh"
case ${ASAN_OPTIONS:-} in
?*) skip 'the address sanitizer needs all addresses' ;;
esac

history()
{
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++) {
			print "commit refs/heads/main"
			printf "committer A U Thor <author@example.com> %d +0000\n",
				1500000000 + 60 * i
			printf "data 2\nc\nM 100644 inline f\ndata %d\n%d\n",
				length(i), i
		}
	}' | git fast-import --quiet
}

# So many kilobytes to write to; a thread's stack counts whole.
limited()
{
	kilobytes=$1
	shift
	(
		ulimit -s 1024
		ulimit -S -d "$kilobytes"
		exec "$@"
	)
}

if [ -n "${PERF_COMMITS:-}" ]; then
	history "$PERF_COMMITS"
	printf 'main;a 1\n' >a.folded
	git rev-list main | sed 's/$/	a.folded/' >"$scratch/lines"
	check "a batch of $PERF_COMMITS lines takes 128 MB" \
		exits 0 limited 131072 git-perf add --stdin <"$scratch/lines"
	check 'each commit has a note' is \
		"$(git notes --ref=perf list | wc -l)" "$PERF_COMMITS"
	check 'the batch is one commit' is \
		"$(git rev-list --count refs/notes/perf)" 1
	check 'git finds no fault' exits 0 git fsck --strict
	# git's own walk of so many commits has what it needs
	must mkdir "$scratch/bin"
	printf '#!/bin/sh\nulimit -S -d unlimited\nexec %s "$@"\n' \
		"$(command -v git)" >"$scratch/bin/git"
	chmod +x "$scratch/bin/git"
	PATH=$scratch/bin:$PATH
	check "prune -n of $PERF_COMMITS records takes 128 MB" \
		exits 0 limited 131072 git-perf prune -n
	exit
fi

# 117 MB of notes, to each of which a short line is added
history 8000
printf 'main;a 1\n' >a.folded
value=$(awk 'BEGIN { for (i = 0; i < 14600; i++) printf "v" }')
git rev-list main | sed 's/$/	a.folded/' >"$scratch/lines"
check 'a batch of 117 MB of lines takes 112 MB' \
	exits 0 limited 114688 git-perf add --stdin --label="long=$value" \
	<"$scratch/lines"
check 'a batch that adds to 117 MB of notes takes 112 MB' \
	exits 0 limited 114688 git-perf add --stdin <"$scratch/lines"
check 'log --json of 117 MB of notes, held back as a whole, takes 112 MB' \
	exits 0 limited 114688 git-perf log --json
git-perf log --json | cksum >"$scratch/whole"
# the signal of a file that is too long, ignored, leaves an error of write(2)
(
	trap '' XFSZ
	ulimit -f 40000
	git-perf log --json | cksum
) >"$scratch/short"
check 'what no file has room for stays in memory' same "$scratch/short" "$scratch/whole"
check 'log --json has all commits' is \
	"$(tr '{' '\n' <"$out" | grep -c '^"commit":"')" 8000
check 'each note has two lines' is \
	"$(git notes --ref=perf list | cut -d' ' -f1 |
		git cat-file --batch | grep -c '^perf1 ')" 16000
check 'git finds no fault' exits 0 git fsck --strict
check 'prune -n of all but one of 234 MB of notes takes 112 MB' \
	exits 0 limited 114688 git-perf prune -n --keep=last:1
check 'prune -n of long notes says what would go' says err \
	'would prune 15998 records (7999 commits that no policy keeps)'
check 'prune of as much takes 112 MB' \
	exits 0 limited 114688 git-perf prune --keep=last:1
check 'what went is out' is "$(git-perf log --json |
	tr '{' '\n' | grep -c '^"id":"')" 2
check 'git finds no fault behind prune' exits 0 git fsck --strict
