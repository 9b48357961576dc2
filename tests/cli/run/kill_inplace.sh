#!/bin/sh
# The program itself: `git perf run --in-place` over a dirty tree, killed with
# all of its group, alone, or by one of its children, at a random moment; then
# git perf recover, and everything is as it was. PERF_KILLS says how often,
# PERF_SEED which moments.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || TMPDIR=/dev/shm
export TMPDIR
. "$(dirname "$0")/../lib.sh"
need bash setsid
# What the dead leave for others to sweep goes with this folder.
TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
states=$root/tests/data/dirty-states
kills=${PERF_KILLS:-5}
seed=${PERF_SEED:-$(date +%s)}
git config --global gc.auto 0
# The leak sanitizer looks from a child of its own and waits for it for ever
# when that is the one to be killed.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
cat >"$scratch/jobs" <<'END'
[job "leave"]
	build = "echo made >made.new; echo o >made.o; mkdir -p made.d; echo x >made.d/x"
	build = "echo more >>b; rm -f d/2 x.o; git status >/dev/null"
	cmd = "git log --oneline | sort >/dev/null; echo late >>late"
	shell = true
	runs = 2
END

names='staged_plus_unstaged untracked_and_ignored_in_dir conflict
	file_to_dir_staged'
[ "$kills" -lt 100 ] || names=$(sed -n 's/^\([a-z_0-9]*\)).*/\1/p' \
	"$states/cases.sh" | grep -vx unborn)

look()
{
	bash "$states/snapshot.sh" 2>&1
	git stash list
	git for-each-ref | grep -v refs/notes/perf
}

# A number from 0 to below $1; the next one of the seed.
random()
{
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	number=$((seed / 65536 % $1))
}

# The whole group, the program, or one of its children: *killed says whether
# there was something to kill.
kill_some()
{
	random 3
	killed=0
	case $number in
	0) kill -9 -"$pid" 2>/dev/null && killed=1 ;;
	1) kill -9 "$pid" 2>/dev/null && killed=1 ;;
	*)
		victim=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
		victim=${victim%% *}
		[ -z "$victim" ] || ! kill -9 "$victim" 2>/dev/null || killed=1
		;;
	esac
}

run_it()
{
	setsid git-perf run --in-place --again --config="$scratch/jobs" \
		HEAD~1 HEAD >/dev/null 2>"$err" &
	pid=$!
}

# A kill in the state that is here.
try_once()
{
	run_it
	random 1000
	late=1
	sleep "$(awk -v t="$took" -v n=$number \
		'BEGIN { printf "%.3f", t * n / 1e6 }')"
	! kill -0 "$pid" 2>/dev/null || late=0
	kill_some
	wait $pid 2>/dev/null
	# it took less than the one that was timed
	[ $late -eq 0 ] || took=$((took * 3 / 4))
	total=$((total + killed))
	if ! git perf recover 2>"$err"; then
		echo "$name: recover failed: $(cat "$err")"
	else
		look >../after
		diff ../before ../after ||
			echo "$name: not as it was, kill $total, seed $seed"
	fi
}

set_up()
{
	sub=
	autocrlf=
	case $name in
	sub*) sub=1 ;;
	crlf*) autocrlf=input ;;
	esac
	mkdir -p "$scratch/states/$name"
	cd "$scratch/states/$name" || return 1
	SUB=$sub AUTOCRLF=$autocrlf bash "$states/base.sh" "$PWD/repo" \
		>/dev/null 2>&1
	cd repo || return 1
	TMPDIR=.. bash "$states/cases.sh" "$name" >/dev/null 2>&1
}

each=$(((kills + $(echo $names | wc -w) - 1) / $(echo $names | wc -w)))
total=0
for name in $names; do
	set_up
	git status >/dev/null
	look >../before
	begin=$(date +%s%N)
	run_it
	check "$name: a run that nobody kills" wait $pid
	took=$((($(date +%s%N) - begin) / 1000000))
	look >../after
	check "$name: leaves all as it was" same ../before ../after
	of=$((total + each))
	tries=0
	while [ $total -lt $of ] && [ $((tries += 1)) -le $((each * 40)) ]; do
		try_once
	done >"$out"
	check "$name: nor do kills" is "$(cat "$out")" ''
done
echo "# $total kills"
check 'as many kills were made as asked for' test "$total" -ge "$kills"
