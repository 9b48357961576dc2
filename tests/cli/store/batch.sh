#!/bin/sh
# Many records in one batch: files are read ahead in threads, which must not
# show: order, errors and objects are as if each was read in its turn.
. "$(dirname "$0")/../lib.sh"
need jq mkfifo gzip taskset
commit one
commit two

# 400 profiles, some larger than what is read ahead, some compressed
mkdir in
awk 'BEGIN {
	for (f = 1; f <= 400; f++) {
		name = sprintf("in/%03d.folded", f)
		rows = f % 97 ? 3 + f % 60 : 9000
		for (i = 0; i < rows; i++)
			printf "main;step_%d;leaf_%d_of_a_long_name %d\n",
				i % 7, i, f * 1000 + i >name
		close(name)
	}
}'
gzip in/005.folded
mv in/005.folded.gz in/005.folded
mkfifo in/pipe
cat in/007.folded >in/pipe &
for number in $(seq 400); do
	[ "$number" = 200 ] && printf 'HEAD~1\tin/pipe\n'
	printf 'HEAD\tin/%03d.folded\n' "$number"
done >list
git perf add --keep in/003.folded 2>/dev/null
git update-ref -d refs/notes/perf

check 'add --stdin takes a batch of 401 lines' \
	exits 0 git perf add --stdin <list
wait
check 'add --stdin says how many profiles it added' \
	says err 'added 401 profiles'
check 'a batch is one commit of the notes' \
	is "$(git rev-list --count refs/notes/perf)" 1
git perf log --json >log.json
check 'log lists every profile of a batch' is \
	"$(jq '[.commits[].profiles[]]|length' log.json)" 401
check 'a batch reads the pipe that a line names' is \
	"$(git notes --ref=perf show HEAD~1 | grep -c ' name=pipe ')" 1
check 'lines are in the order of the list' is \
	"$(git notes --ref=perf show HEAD | sort |
		sed 's/.* name=\([0-9]*\).*/\1/' | tr '\n' ' ')" \
	"$(seq -f %03g 400 | tr '\n' ' ')"
check 'fsck finds nothing wrong' exits 0 git perf fsck
check 'git fsck finds nothing wrong after a batch' exits 0 git fsck --strict

# what came out is what went in
body_of()
{
	git notes --ref=perf show HEAD | sed -n "s/^perf1 [^ ]* \([0-9a-f]*\) .* name=$1.folded .*/\1/p"
}
for number in 001 005 096 097 399; do
	git perf export --to=collapsed "$(body_of $number)" -o back
	{ gzip -dcf in/$number.folded; } | sort >want
	sort back >got
	check "$number comes back" same got want
done

# which thread does what does not show
bodies()
{
	git ls-tree -r refs/notes/perf objects/ | awk '{ print $3 }' | sort
}
bodies >many
git update-ref -d refs/notes/perf
grep -v pipe list >plain
processor=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
check 'a batch is added on one processor only' exits 0 \
	taskset -c "$processor" git perf add --stdin <plain
bodies >one
check 'one processor stores the same bodies as several' same many one

# bytes that are kept as they are, in a pack or loose
kept()
{
	git perf export --raw "$(body_of $1)" | cmp - in/$1.folded
}
for lines in 2 40; do
	git update-ref -d refs/notes/perf
	sed -n "1,${lines}p" plain | sed /005.folded/d >some
	check "a batch of $lines files is added verbatim" exits 0 \
		sh -c 'git perf add --stdin --verbatim <some'
	check 'the first verbatim profile comes back' exits 0 kept 001
	check 'the second verbatim profile comes back' exits 0 kept 002
	check 'git fsck finds nothing wrong after verbatim profiles' \
		exits 0 git fsck --strict
	check 'git perf fsck finds nothing wrong after verbatim profiles' \
		exits 0 git perf fsck
done

tip=$(git rev-parse refs/notes/perf)
listed()
{
	git perf add --stdin <"$1"
}
{
	sed -n 1,120p plain
	printf 'HEAD\tin/absent\n'
	printf 'HEAD in/001.folded\n'
} >bad
check 'a batch that names a missing file fails' exits 128 listed bad
check 'a missing file is named by its line, whatever comes behind' \
	mentions err \
	"^fatal: standard input, line 121: cannot read 'in/absent'"
{
	sed -n 1,40p plain
	printf '\nHEAD\tin\n'
} >bad
check 'a batch that names a folder fails' exits 128 listed bad
check 'a folder is named by its line, and empty lines count' mentions err \
	"^fatal: standard input, line 42: cannot read 'in': it is a directory"
head -c 40 in/005.folded >in/broken
{
	sed -n 1,20p plain
	printf 'HEAD\tin/broken\n'
} >bad
check 'a batch that names a cut file fails' exits 128 listed bad
check 'a cut file is named by its line' mentions err \
	"^fatal: standard input, line 21: cannot read 'in/broken': gzip"
printf 'HEAD\tin/001.folded\nnope\tin/002.folded\n' >bad
check 'a batch that names an unknown commit fails' exits 128 listed bad
check 'an unknown commit is named by its line' mentions err \
	"^fatal: standard input, line 2: no such commit 'nope'"
check 'a batch that fails stores nothing' \
	is "$(git rev-parse refs/notes/perf)" "$tip"

# pending ones go once they are stored, by their own or another's name of them
git perf collect -r 3 --ignore-status -- true 2>/dev/null
git perf collect -r 3 --ignore-status -- false 2>/dev/null
ls .git/perf/jobs/* | sed 's/^/HEAD	/' >jobs
check 'a batch takes pending profiles' exits 0 git perf add --stdin --keep <jobs
check '--keep leaves the pending profiles of a batch' \
	is "$(ls .git/perf/jobs | wc -l)" 2
sed 's/^HEAD/HEAD~1/' jobs >other
check 'a pending profile of another commit fails the batch' \
	exits 128 listed other
check 'the refusal says where the profile was measured' \
	mentions err '^fatal: standard input, line 1: .*was measured'
check 'a batch takes pending profiles of the right commit' exits 0 listed jobs
check 'a batch removes the pending profiles that it stored' \
	is "$(ls .git/perf/jobs | wc -l)" 0
