#!/bin/sh
# Ctrl-C during an add, at many moments: the old state or the new one.
. "$(dirname "$0")/../lib.sh"
need jq perl
commit one
awk 'BEGIN { for (i = 0; i < 3000; i++)
	printf "main;f%d;g%d %d\n", i, i % 7, i }' >p.folded
must git perf add p.folded
count()
{
	git perf log --json | jq '.commits[0].profiles | length'
}
have=$(count)
# The signal comes after 0, 0.4, 0.8 ... ms of the add's life.
try()
{
	perl -e '
		use Time::HiRes "usleep";
		$SIG{INT} = "DEFAULT";
		my $pid = fork();
		exec @ARGV[1 .. $#ARGV] unless $pid;
		usleep($ARGV[0]);
		kill "INT", $pid;
		waitpid $pid, 0;
		exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
	' "$@" 2>/dev/null
}
early=0 late=0
for step in $(awk 'BEGIN { for (i = 0; i < 30; i++) print i * 600 }'); do
	try "$step" git-perf add p.folded
	code=$?
	now=$(count)
	case $code,$((now - have)) in
	0,1) late=$((late + 1)) ;;
	*,0) [ $code -ne 0 ] && early=$((early + 1)) ;;
	*,1) ;; # done, but for telling
	esac
	check "after $step us: status $code, $((now - have)) more" \
		is "$([ $((now - have)) -eq 0 ] && [ $code -ne 0 ] ||
		[ $((now - have)) -eq 1 ] && echo whole)" whole
	have=$now
done
echo "# $early were early, $late late"
# One that waits for its input is always early: nobody writes to this pipe.
mkfifo pipe
exec 3<>pipe
try 20000 git-perf add pipe
check 'an add that reads is ended by a signal' is $? 130
check 'an add ended while reading adds nothing' is "$(count)" "$have"
exec 3>&-
check 'the next add works' exits 0 git perf add p.folded
check 'no lock file is left after the signals' \
	is "$(find .git -name '*.lock')" ''
check 'the store has no fault' exits 0 git perf fsck
check 'git fsck finds no fault after the signals' exits 0 git fsck --strict

command -v strace >/dev/null || exit 0
have=$(count)
traced -qq -o ../trace -P "$PWD/.git/refs/notes/perf.lock" \
	-e trace=openat -e inject=openat:signal=INT \
	env --default-signal=INT git-perf add p.folded >../said 2>&1
check 'a signal while the ref is locked ends the add' \
	is "$(grep -c 'killed by SIGINT' ../trace)" 1
check 'the signal waits until the ref has moved' is "$(count)" $((have + 1))
check 'no lock file is left behind the locked ref' \
	is "$(find .git -name '*.lock')" ''
