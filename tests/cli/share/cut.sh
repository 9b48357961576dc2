#!/bin/sh
# Pushes and pulls that end in the middle: killed, the connection cut, the disk
# full, a call of the system that fails. Nothing is lost, and the next one
# finishes. PERF_KILLS is how many are killed, PERF_STEP > 1 leaves out calls
# that could fail.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
bin=$(dirname "$(command -v git-perf)")
kills=${PERF_KILLS:-10}
cost=1

must add "$one" first
must git perf push -q
must git -C "$two" perf pull -q
expected='first '

# A profile on each side, so that a push has to fetch, unite and fold.
diverge()
{
	cost=$((cost + 2))
	must add "$one" "one$1" $cost
	must add "$two" "two$1" $((cost + 1))
	must env CI=1 git -C "$two" perf push -q
	must git -C "$two" perf push -q --no-inbox
	expected=$(echo "$expected one$1 two$1" | tr ' ' '\n' | grep . | sort |
		tr '\n' ' ')
}
# what SENTENCE: what holds when the next call has been made
finishes()
{
	check "$1: the next push finishes" exits 0 git perf push
	check "$1: all profiles are here" is "$(names "$one")" "$expected"
	must git -C "$two" perf pull -q
	check "$1: all profiles are there" is "$(names "$two")" "$expected"
	check "$1: nothing is wrong here" sound "$one"
	check "$1: nothing is wrong at the remote" \
		exits 0 git -C "$server" fsck --strict --no-dangling
	# later cuts take their locks from here
	check "$1: no lock is left" is "$(find "$one/.git" "$server" \
		-name '*.lock' -path '*refs*' | grep -c .)" 0
}

# kill -9, of git-perf and all that it has started, at another moment each time
# of a push that unites.
killed=0
n=0
while [ $n -lt "$kills" ]; do
	n=$((n + 1))
	diverge "k$n"
	setsid git-perf push -q 2>"$scratch/said" &
	pid=$!
	sleep "0.$(printf %03d $((n * 11 % 150)))"
	/bin/kill -s KILL -- -$pid 2>/dev/null && killed=$((killed + 1))
	wait $pid 2>/dev/null
	# git's own locks at the remote are git's: it says to remove them
	find "$server" "$one/.git/refs/perf" -name '*.lock' -exec rm {} +
done
check 'pushes were killed' test $killed -ge $((kills / 4))
finishes 'killed'

# A connection that dies behind so many bytes, in both directions.
cat >"$scratch/dies" <<'END'
#!/usr/bin/env python3
# dies <bytes> <program> <folder>: the program, whose output ends there
import subprocess, sys
p = subprocess.Popen(sys.argv[2:], stdin=sys.stdin, stdout=subprocess.PIPE)
left = int(sys.argv[1])
while left > 0:
	data = p.stdout.read1(min(left, 4096))
	if not data:
		break
	sys.stdout.buffer.write(data)
	sys.stdout.buffer.flush()
	left -= len(data)
p.kill()
sys.exit(1 if left <= 0 else p.wait())
END
chmod +x "$scratch/dies"
cuts=0
for bytes in 1 100 300 500 700 1000 1500 2000; do
	diverge "c$bytes"
	before=$(git rev-parse refs/notes/perf)
	git config remote.origin.uploadpack "$scratch/dies $bytes git-upload-pack"
	git perf pull 2>"$err" || cuts=$((cuts + 1))
	[ "$(grep -c . "$err")" -eq 1 ] || echo "# $bytes: $(cat "$err")"
	git config --unset remote.origin.uploadpack
	git config remote.origin.receivepack \
		"$scratch/dies $bytes git-receive-pack"
	git perf push 2>"$err" || cuts=$((cuts + 1))
	git config --unset remote.origin.receivepack
done
check 'connections were cut' test $cuts -ge 8
finishes 'a connection that is cut'

# A remote that refuses, at first.
diverge refused
printf '#!/bin/sh\nexit 1\n' >"$server/hooks/update"
chmod +x "$server/hooks/update"
check 'a push that the remote refuses' exits 128 git perf push
check 'a push that the remote refuses says so' mentions err \
	"^fatal: 'origin' refuses the push: .*hook declined"
check 'a push into an inbox is refused, too' exits 128 git perf push --inbox
rm "$server/hooks/update"
finishes 'a remote that refuses'

# Each call that puts something on the disk fails once, in git-perf and in all
# that it starts, on both sides.
if [ -f "$bin/errorpoint.so" ]; then
	faults=0
	for mode in eio enospc; do
		at=1
		while :; do
			rm -f "$scratch/saw"
			[ $((at % 8)) -ne 1 ] || diverge "e$mode$at"
			ERRORPOINT=$at:$mode ERRORPOINT_SAW=$scratch/saw \
				LD_PRELOAD=$bin/errorpoint.so \
				ASAN_OPTIONS=verify_asan_link_order=0 \
				git-perf push 2>"$err" >/dev/null
			status=$?
			[ -s "$scratch/saw" ] || break
			faults=$((faults + 1))
			[ $status -eq 0 ] || grep -q '^fatal: ' "$err" ||
				echo "# $mode $at: no reason: $(cat "$err")"
			at=$((at + ${PERF_STEP:-18}))
		done
	done
	check 'at least four calls failed' test $faults -ge 4
	finishes 'calls that fail'
fi

# A full disk on this side and on the other.
if [ "$(id -u)" -eq 0 ] && mkdir "$scratch/disk" &&
	mount -t tmpfs -o size=$((40 + $(du -sm "$server" | cut -f 1) * 3))m \
		tmpfs "$scratch/disk" 2>/dev/null; then
	at_end='umount "$scratch/disk"'
	must git clone -q "$server" "$scratch/disk/small"
	must git clone -q --bare "$server" "$scratch/disk/server.git"
	must git -C "$scratch/disk/small" perf pull -q
	head -c 1000000 /dev/urandom >"$scratch/disk/fill" 2>/dev/null
	dd if=/dev/zero of="$scratch/disk/rest" bs=4k 2>/dev/null
	diverge full
	must git perf push -q
	check 'a pull to a full disk fails' \
		exits 128 git -C "$scratch/disk/small" perf pull
	check 'a pull to a full disk says why in one line' \
		is "$(grep -c 'No space left' "$err")$(grep -c . "$err")" 11
	must git remote add full "$scratch/disk/server.git"
	check 'a push to a full disk fails' exits 128 git perf push full
	check 'a push to a full disk says why' mentions err 'No space left'
	rm "$scratch/disk/fill" "$scratch/disk/rest"
	check 'a pull finishes where there is room again' \
		exits 0 git -C "$scratch/disk/small" perf pull
	check 'the pull has all' is "$(names "$scratch/disk/small")" "$expected"
	check 'a push finishes where there is room again' \
		exits 0 git perf push full
	check 'nothing is wrong where the disk was full' \
		sound "$scratch/disk/small"
else
	echo 'SKIPPED: a full disk, only root can mount one'
fi
