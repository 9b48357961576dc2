#!/bin/sh
# What is remembered of a history (.git/perf/cache): check, status and log say
# the same with it as without, whatever happened to the notes or to the file;
# with it a new commit has its own note read and no other.
# PERF_SEED chooses the history.
. "$(dirname "$0")/../lib.sh"
need jq
seed=${PERF_SEED:-$(date +%N | sed 's/^0*//')}
echo "PERF_SEED=${seed:=1}"
file=.git/perf/cache/history
draw()
{
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	drawn=$((seed / 65536 % $1))
}
# Values of two metrics of program $1 at HEAD, or at $3, around $2.
add()
{
	draw 20
	printf '[{"name": "time", "unit": "ms", "value": %s}, {"name": "allocs", "unit": "count", "value": 7}]' \
		$(($2 + drawn)) >"$scratch/v.json"
	must git perf add --format=customSmallerIsBetter --name="$1" \
		${3:+"--commit=$3"} "$scratch/v.json" 2>"$err"
}
# What a reader says, its status and its complaints.
views()
{
	{
		git perf check --json
		echo $?
		git perf status
		git perf log --json --changes
		git perf log --oneline
		git perf diff HEAD~1 HEAD
		git perf diff
		echo $?
	} >"$1" 2>&1
}
# Twice with what is there, then without, and with what that made.
agree()
{
	views ../first
	views ../second
	rm -rf ../kept
	[ ! -e .git/perf/cache ] || mv .git/perf/cache ../kept
	views ../without
	rm -rf .git/perf/cache
	[ ! -e ../kept ] || mv ../kept .git/perf/cache
	cmp ../first ../without >&2 && cmp ../second ../without >&2
}

# 1. A history that grows and changes.
n=0
while [ $n -lt 24 ]; do
	n=$((n + 1))
	commit $n
	draw 4
	level=$((n < 14 ? 1000 : 1500))
	[ $drawn -eq 0 ] || add one $level
	[ $drawn -eq 3 ] || add two 800
done
check 'a history that nobody looked at' agree
check 'what was read is kept, what was judged, and which notes are good' is \
	"$(ls .git/perf/cache | tr '\n' ' ')" 'good history judged recent '
commit 'one more'
add one 1500
check 'a check after one more commit agrees with one without a cache' agree
add one 1400 HEAD~3
check 'another record of an old commit' agree
must git perf rm -m "$(git perf log --measured --json HEAD~1 | jq -r '.commits[0].commit')" 0@i 2>"$err"
check 'a record that was removed is not remembered' agree
must git perf accept -m 'it is wanted' HEAD~11 2>"$err"
check 'an acceptance changes what is remembered' agree
must git perf accept --revoke HEAD~11 2>"$err"
check 'an acceptance that was taken back' agree
printf '[metric "time"]\n\tbetter = more\n' >.gitperf
check 'another rule of the project' agree
rm .gitperf
must git clone -q . ../other 2>"$err"
must git -C ../other perf pull -q 2>"$err"
(
	cd ../other || exit 1
	add two 1900 HEAD~2
	must git perf push -q 2>"$err"
)
check 'what somebody else has pushed' agree
must git notes --ref=perf append -m 'no line of ours' HEAD~2 2>"$err"
check 'a line of another tool' agree
must git notes --ref=perf remove HEAD~4 2>"$err"
check 'a note that is gone' agree
must git checkout -q -b side HEAD~6
commit side
add two 850
check 'a branch that was never judged is judged anew' agree
must git checkout -q main
check 'the first branch again' agree
must git clone -q --depth 5 "file://$PWD" ../shallow 2>"$err"
(
	cd ../shallow || exit 1
	must git perf pull -q 2>"$err"
	check 'a check in a shallow clone agrees with one without a cache' agree
	must git fetch -q --unshallow 2>"$err"
	check 'a clone that is no longer shallow' agree
	must git fetch -q --depth 3 2>"$err"
	must git reflog expire --expire=now --all
	must git gc -q --prune=now 2>"$err"
	check 'a clone that is shallow again' agree
	exit $failures
)
failures=$((failures + $?))
checks=$((checks + 3))
must git clone -q . ../rewritten 2>"$err"
(
	cd ../rewritten || exit 1
	commit empty
	add one 1500
	GIT_AUTHOR_DATE=
	must git commit -q --amend --allow-empty -m 'empty, amended'
	exits 0 git perf log --oneline
	check 'an empty commit has what was measured before it was amended' \
		mentions out 'empty, amended .*one'
	must git reflog expire --expire=now --all
	must git gc -q --prune=now 2>"$err"
	check 'a commit is not remembered that git took away' agree
	exit $failures
)
failures=$((failures + $?))
checks=$((checks + 2))
must git worktree add -q ../linked HEAD~2 2>"$err"
exits 0 git -C ../linked perf status
check 'a linked worktree has no file of its own' not test -e .git/worktrees/linked/perf

# 2. A new commit: the notes of the others are not there any more, and it is
# judged beside them.
must git init -q ../few
cd ../few || exit 1
n=0
while [ $n -lt 12 ]; do
	n=$((n + 1))
	commit $n
	add one 1000
done
must git perf check >"$out" 2>"$err"
commit new
add one 1000
must git perf check --json >../whole 2>"$err"
must cp -r . ../blind
must rm -rf .git/perf/cache
must git reset -q --hard HEAD~1
must git perf check >"$out" 2>"$err"
must git reset -q --hard ORIG_HEAD
loosen
git notes --ref=perf list | while read -r note commit; do
	[ "$commit" = "$(git rev-parse HEAD)" ] ||
		rm -f ".git/objects/$(echo "$note" | sed 's,^..,&/,')"
done
check 'a new commit is judged, but for itself, by what is remembered' exits 0 git perf check --json
check 'what is remembered gives what all notes give' same "$out" ../whole
must cp $file ../good
must rm -rf .git/perf/cache
exits 128 git perf check --json
check 'without it the notes are missed' mentions err 'is missing'

# 3. Files that are not what they should be.
cd ../blind || exit 1
views ../right
must git perf check >"$out" 2>"$err"
must cp $file ../good
# broken SENTENCE COMMAND...: the file as the command leaves it
broken()
{
	sentence=$1
	shift
	rm -rf .git/perf/cache
	mkdir .git/perf/cache
	cp ../good $file
	"$@"
	views ../got
	check "$sentence" same ../got ../right
}
size=$(wc -c <../good)
broken 'an empty file' truncate -s 0 $file
broken 'a file that was cut' truncate -s $((size / 2)) $file
broken 'a file that is a byte short' truncate -s $((size - 1)) $file
broken 'a file that grew' truncate -s $((size + 4096)) $file
broken 'a file of a terabyte' truncate -s 1T $file
broken 'noise' sh -c "head -c $size /dev/urandom >$file"
broken 'a folder in its place' sh -c "rm $file; mkdir $file"
broken 'a pipe in its place' sh -c "rm $file; mkfifo $file"
broken 'a device in its place' sh -c "rm $file; ln -s /dev/zero $file"
broken 'a link to somebody'\''s file' sh -c "rm $file; echo keep >../theirs; ln -s ../../../../theirs $file"
check 'the file that the link led to stays' is "$(cat ../theirs)" keep
broken 'a file in place of the folder' sh -c 'rm -r .git/perf/cache; echo >.git/perf/cache'
rm -rf .git/perf/cache
n=0
: >../differ
while [ $n -lt 40 ]; do
	n=$((n + 1))
	rm -rf .git/perf/cache
	mkdir .git/perf/cache
	cp ../good $file
	# rows more often than values: there are more of the latter
	draw $((n % 2 ? size : 1000))
	printf '\377' | dd of=$file bs=1 seek=$drawn conv=notrunc 2>/dev/null
	git perf check --json >../got 2>&1
	cmp ../got ../whole >>../differ 2>&1 || echo "byte $drawn" >>../differ
done
check 'any byte that another one took the place of' same ../differ /dev/null

# 4. Beside each other, killed, and where nothing can be written.
rm -rf .git/perf/cache
n=0
while [ $n -lt 8 ]; do
	n=$((n + 1))
	git-perf check --json >"../beside.$n" 2>&1 &
done
wait
check 'eight at once all say one thing' is "$(cat ../beside.* | sort | uniq -c | awk '$1 % 8' | wc -l)" 0
check 'eight at once say what one alone says' same ../beside.8 ../whole
n=0
while [ $n -lt 15 ]; do
	n=$((n + 1))
	rm -f $file
	git-perf check >/dev/null 2>&1 &
	pid=$!
	k=0
	while [ $k -lt $((n * 97 % 1500)) ]; do k=$((k + 1)); done
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	git perf check --json >../got 2>&1
	cmp ../got ../whole >>../differ 2>&1 || echo "kill $n" >>../differ
done
check 'each that was killed leaves what is right' same ../differ /dev/null
touch "$file.tmp-0123456789abcdef" # and what those left
touch -d '2 hours ago' "$file".tmp-*
rm -f $file
exits 0 git perf check
check 'what a killed one left is swept' is "$(find .git/perf/cache -name '*.tmp*')" ""
exits 0 git perf status
must touch -d '2 hours ago' .git/perf/cache/history .git/perf/cache/judged
exits 0 git perf check
exits 0 git perf status
check 'what has nothing new is not written again' is \
	"$(find .git/perf/cache -mmin -60 -type f)" ""
bin=$(dirname "$(command -v git-perf)")
if [ -f "$bin/errorpoint.so" ]; then
	for mode in eio enospc short; do
		for at in 1 2 3 4 5 6; do
			rm -f $file
			ERRORPOINT=$at:$mode ERRORPOINT_SAW=/dev/null \
				LD_PRELOAD=$bin/errorpoint.so \
				ASAN_OPTIONS=verify_asan_link_order=0 \
				git-perf check --json -o ../got
			git-perf check --json >../got 2>&1
			cmp ../got ../whole >>../differ 2>&1 ||
				echo "$mode $at" >>../differ
		done
	done 2>/dev/null
	check 'a full disk and a broken one leave what is right' same ../differ /dev/null
fi
