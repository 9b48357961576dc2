#!/bin/sh
# A power cut in a run in place: the disk as it is at a random moment, mounted
# again; then git perf recover, and everything is as it was. PERF_CUTS says how
# often, PERF_SEED which moments, PERF_MKFS how the disk is made.
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount a disk'
need mkfs.ext4 e2fsck mount umount setsid
cuts=${PERF_CUTS:-10}
seed=${PERF_SEED:-$(date +%s)}
disk=$scratch/disk
at=$scratch/at
mkdir "$at"
dd if=/dev/zero of="$disk" bs=1M count=16 2>/dev/null
must ${PERF_MKFS:-mkfs.ext4} -q "$disk"
mount -o loop "$disk" "$at" 2>/dev/null || skip 'no loop device'
away()
{
	cd /
	umount "$at" 2>/dev/null || umount -l "$at" 2>/dev/null
}
at_end=away
GIT_CEILING_DIRECTORIES=$at
git config --global gc.auto 0

must git init -q -b main "$at/repo"
cd "$at/repo" || exit 1
mkdir d
for n in 1 2 3 4 5 6 7 8 9; do
	echo $n >d/$n
done
echo a >a
echo '*.o' >.gitignore
must git add .
commit one
echo a2 >a
echo x >d/1
must git rm -q d/9
echo new >new
must git add .
commit two
echo stashed >d/2
must git stash -q
echo edit >>a
echo staged >d/7
must git add d/7
echo more >>d/7
mkdir -p un/x
echo u >un/x/u
echo o >k.o
rm d/4
chmod 600 d/5
cat >"$scratch/jobs" <<'END'
[job "leave"]
	build = "echo b >out.o; echo c >>d/8"
	cmd = true
	runs = 1
END
look()
{
	git ls-files --stage
	git symbolic-ref HEAD
	find . -path ./.git -prune -o -printf '%y %m %p %l\n' | sort
	find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 cksum
	git status --porcelain --ignored
	git stash list
	git for-each-ref refs/heads refs/stash refs/perf
}
run()
{
	setsid git-perf run --again --in-place --config="$scratch/jobs" \
		HEAD~1 HEAD >/dev/null 2>"$err"
}
look >"$scratch/before"
sync -f .
cp "$disk" "$scratch/clean"
begin=$(date +%s%N)
check 'a run without a power cut' run
took=$((($(date +%s%N) - begin) / 1000000))
look >"$scratch/after"
check 'recover after a power cut leaves all as it was' \
	same "$scratch/before" "$scratch/after"
away

bad=0
n=0
while [ $((n += 1)) -le "$cuts" ]; do
	cp "$scratch/clean" "$disk"
	must mount -o loop "$disk" "$at"
	cd "$at/repo" || exit 1
	run &
	pid=$!
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	sleep "$(awk -v t="$took" -v n=$((seed / 65536 % 1000)) \
		'BEGIN { printf "%.3f", t * n / 1e6 }')"
	cp "$disk" "$scratch/cut"
	wait $pid
	away
	e2fsck -fy "$scratch/cut" >/dev/null 2>&1
	cp "$scratch/cut" "$disk"
	must mount -o loop "$disk" "$at"
	cd "$at/repo" || exit 1
	found="$(ls .git/perf | grep state) $(cat .git/perf/state/phase \
		2>/dev/null)"
	if ! git perf recover 2>"$err"; then
		bad=$((bad + 1))
		echo "# recover after cut $n: $(cat "$err")"
	fi
	look >"$scratch/after"
	if ! diff "$scratch/before" "$scratch/after" >"$out"; then
		bad=$((bad + 1))
		echo "# cut $n, found $found: $(head -n 1 "$err")"
		sed 's/^/# /' "$out"
	fi
	away
done
check "after $cuts power cuts recover brings all back" is $bad 0
