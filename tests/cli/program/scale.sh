#!/bin/sh
# What commands cost at four times as many measured commits, in instructions:
# of what looks at a few commits about as much, of what looks at all of them
# four times as much. The history has noise and steps: what is done for each
# change, or for each value of a series, is in it.
. "$(dirname "$0")/../lib.sh"
need valgrind
skip_sanitized

i=0
while [ $i -lt 60 ]; do
	echo "main;a $((100000 + i * 7919 % 1777 + i / 30 * 5000))" \
		>"$scratch/$i.folded"
	i=$((i + 1))
done

# history FOLDER COMMITS: a step each 100 commits, up or down
history()
{
	must git init -q -b main "$scratch/$1"
	cd "$scratch/$1" || exit 1
	awk -v n="$2" 'BEGIN {
		for (i = 1; i <= n; i++) {
			print "commit refs/heads/main"
			print "committer C <c@example.com> " 1500000000 + 60 * i " +0000"
			print "data 2\nc"
			print "M 100644 inline f\ndata <<E\n" i "\nE\n"
		}
	}' | must git fast-import --quiet
	git rev-list --reverse main |
		awk -v at="$scratch/" 'BEGIN { srand(3) } {
			i = int(NR / 100) % 2 * 30 + int(rand() * 30)
			printf "%s\t%s%d.folded\n", $1, at, i
		}' >"$scratch/lines"
	must git perf add --stdin -n a.folded <"$scratch/lines" 2>"$err"
	must git gc -q
	must git read-tree HEAD
}
history few 1000
history many 4000

# cost FOLDER COMMAND...: instructions, of what is in no cache yet
cost()
{
	cd "$scratch/$1" || exit 1
	shift
	rm -rf .git/perf/cache
	instructions git-perf "$@"
}

# grows PERCENT COMMAND...
grows()
{
	percent=$1
	shift
	few=$(cost few "$@") && many=$(cost many "$@") || return 1
	echo "$few and $many instructions"
	test $((many * 100)) -le $((few * percent))
}

while read -r percent command; do
	# shellcheck disable=SC2086
	check "$command costs at most $percent % at four times as many commits" \
		grows "$percent" $command
done <<-'END'
	130 status
	130 show
	130 diff HEAD~1 HEAD
	130 check
	150 blame
	150 impact HEAD
	150 log -n 50
	150 log --function=a -n 100
	150 report -o ../report.html
	450 log
	450 log --json
	450 log --changes
	450 report -n 5000 -o ../report.html
	450 log --graph
	450 log --reverse
	450 log --function=a
	450 size
	450 fsck
	450 gc --dry-run
	450 prune --dry-run --keep=monthly
	450 prune --dry-run --keep=last:100
	450 export --to=openmetrics
END
