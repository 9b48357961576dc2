#!/bin/sh
# Views beside adds, gc and repack, which move what is read to other files all
# the time: none of them fails, and nothing that was added is lost.
. "$(dirname "$0")/../lib.sh"
for n in 1 2 3 4; do
	commit "$n"
done
printf 'main;f 1\n' >first.folded
must git perf add first.folded 2>../said
# over NAME COMMAND...: once and again, until the adds are done
over()
{
	name=$1
	shift
	while :; do
		"$@" >"../$name.out" 2>"../$name.err" ||
			cp "../$name.err" "../$name.failed"
		[ ! -e ../done ] || break
	done
}

# adds SEED
adds()
{
	for n in $(seq 20); do
		printf 'main;f %d\nmain;g%d %d\n' "$n" "$1" "$n" \
			>"../$1.folded"
		git perf add --commit "HEAD~$((n % 4))" "../$1.folded" \
			2>"../add$1.err" || cat "../add$1.err" >>../adds.failed
	done
}
: >../adds.failed
over log git perf log &
over show git perf show HEAD:0@i &
over status git perf status &
over fsck git perf fsck &
over gc git gc -q --prune=now &
over repack git repack -adq &
adds 1 &
one=$!
adds 2 &
wait $one $!
: >../done
wait
for name in log show status fsck; do
	check "$name did not fail once" is \
		"$(cat "../$name.failed" 2>/dev/null)" ''
done
check 'no add failed' is "$(cat ../adds.failed)" ''
check 'all that was added is whole' exits 0 git perf fsck
check 'no added profile is lost' mentions out '4 commits, 41 profiles, 41 bodies: 0 problems'
check 'git finds all objects, too' exits 0 git fsck --strict
