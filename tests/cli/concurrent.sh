#!/bin/sh
# Many writers at once, in linked worktrees too: what was acknowledged is there.
# PERF_ADDS, PERF_WRITERS and PERF_EACH set the size: two writers of so many
# adds, then so many writers of so many each.
. "$(dirname "$0")/lib.sh"
need jq
commit one
commit two
must git worktree add -q --detach ../linked HEAD~1

# writer <folder> <name> <count>
writer()
{
	cd "$1" || exit 1
	i=0
	while [ $i -lt "$3" ]; do
		i=$((i + 1))
		printf 'main;%s %d\n' "$2" $i >"$scratch/$2-$i.folded"
		git perf add "$scratch/$2-$i.folded" 2>>"$scratch/errors" &&
			echo "$2-$i.folded" >>"$scratch/done-$2"
	done
}
ids()
{
	git perf log --json --all |
		jq -r '.commits[].profiles[].name' | sort
}

(writer "$scratch/repo" left "${PERF_ADDS:-50}") &
(writer "$scratch/linked" right "${PERF_ADDS:-50}") &
wait
w=0
while [ $w -lt "${PERF_WRITERS:-20}" ]; do
	w=$((w + 1))
	(writer "$scratch/repo" "w$w" "${PERF_EACH:-3}") &
done
wait
sort "$scratch"/done-* >"$scratch/acknowledged"
ids >"$scratch/stored"
check 'every add was acknowledged' \
	is "$(wc -l <"$scratch/acknowledged")" \
	$((2 * ${PERF_ADDS:-50} + ${PERF_EACH:-3} * ${PERF_WRITERS:-20}))
check 'and every acknowledged one is stored' \
	same "$scratch/acknowledged" "$scratch/stored"
check 'nothing is wrong with the store' exits 0 git perf fsck
check 'git is content' exits 0 git fsck --strict

# A gc that takes young objects looked at the refs before one moves, and is
# slow: what was acknowledged meanwhile is there when it has ended. This one
# does both at the worst moments.
command -v perl >/dev/null || exit 0
cat >"$scratch/gc" <<'E2'
use File::Find;
my ($host) = (POSIX::uname())[1];
my $ref = ".git/refs/notes/perf";
sub tip { open my $f, "<", $ref or return ""; return scalar <$f> }
my %kept;
my $loose = sub { $kept{$_}++ if /^[0-9a-f]{38}$/ };
find($loose, ".git/objects");
my $old = tip();
open my $pid, ">", ".git/gc.pid" or die;
print $pid "$$ $host";
close $pid;
open my $ready, ">", "$ARGV[1]" or die;
close $ready;
for (1 .. 1000) { last if tip() ne $old; select undef, undef, undef, .01 }
select undef, undef, undef, .2;
find(sub { unlink if /^[0-9a-f]{38}$/ && !$kept{$_} }, ".git/objects");
unlink ".git/gc.pid";
E2
mkfifo "$scratch/ready"
perl -MPOSIX "$scratch/gc" --prune=now "$scratch/ready" &
cat "$scratch/ready"
check 'an add beside a gc that prunes all' exits 0 \
	git perf add "$scratch/w1-1.folded"
wait
check 'is there behind it' exits 0 git perf fsck
check 'with all its objects' exits 0 git fsck --strict
