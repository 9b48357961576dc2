#!/bin/sh
# log over 10,000 commits with a profile each, beside git log with the notes;
# BENCH_OWN=1: the same where each came from an add of its own, first and again.
# BENCH_MILLION=1: 50 commits of a repository with 1,000,000 noted ones.
. "$(dirname "$0")/lib.sh"
head_row
printf 'main;a 1\nmain;b 2\n' >"$scratch/p.folded"
noted()
{
	history "$1" "$2"
	cd "$1"
	git rev-list main | awk -v p="$scratch/p.folded" \
		'{ print $1 "\t" p }' >"$scratch/batch"
	/usr/bin/time -f '%e %M' -o "$scratch/time" git-perf add --stdin \
		<"$scratch/batch" 2>/dev/null
	read -r seconds kilobytes <"$scratch/time"
	row "a batch of $2" "$seconds s" - - ''
	row "a batch of $2, memory" "$((kilobytes / 1024)) MB" - - ''
	git gc -q
}
noted "$scratch/r" 10000
compare 'log of 10,000 commits | git log --notes' '<= 1.0x' \
	'git-perf log' 'git log --notes=perf'
compare 'log --json of 10,000 | git log --notes' '' \
	'git-perf log --json' 'git log --notes=perf'
compare 'log -n 50 of 10,000 | git log -n 50' '' \
	'git-perf log -n 50' 'git log --notes=perf -n 50'
if [ -n "${BENCH_OWN:-}" ]; then
	history "$scratch/o" 10000
	cd "$scratch/o"
	git rev-list --reverse main | while read -r commit; do
		git-perf add -m "$commit" "$scratch/p.folded" 2>/dev/null
	done
	git repack -adq
	compare 'first log of 10,000 adds | git log --notes' '<= .75x' \
		"sh -c 'rm -f .git/perf/cache/history && exec git-perf log'" \
		'git log --notes=perf'
	compare 'log of them, nothing cached | git log --notes' '<= .75x' \
		"sh -c 'rm -rf .git/perf/cache && exec git-perf log'" \
		'git log --notes=perf'
	compare 'log of them again | git log --notes' '<= .75x' \
		'git-perf log' 'git log --notes=perf'
fi
[ -n "${BENCH_MILLION:-}" ] || exit 0
noted "$scratch/m" 1000000
compare 'log -n 50 of 1,000,000 | git log -n 50' '<= 60 ms' \
	'git-perf log -n 50' 'git log --notes=perf -n 50'
memory 'log -n 50 of 1,000,000, memory' '' git-perf log -n 50
compare 'add at 1,000,000 | git notes add' '' \
	"git-perf add $scratch/p.folded" \
	'git notes --ref=perf add -f -m line HEAD~3'
