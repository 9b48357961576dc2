#!/bin/sh
# git perf annotate and the view `list`: source beside what its lines cost, as
# the commit has it. Costs are those of the callgrind files below, by line.
. "$(dirname "$0")/../lib.sh"
need jq

# work of a.c: line 2 costs 10, line 3 costs 20; main: line 7 costs 1 and calls
# work (30), so 31 in all. profile FOLDER >FILE: with names from there.
profile()
{
	printf '%s\n' '# callgrind format' 'events: Ir' "fl=$1a.c" fn=work \
		'2 10' '3 20' fn=main '7 1' cfn=work 'calls=1 1' '7 30' \
		"fl=$1lib/b.c" fn=other '1 4' 'fl=/usr/include/a.c' fn=far '3 99'
}
mkdir lib
printf '%s\n' 'int work(void)' '{	/* 2 */' '	return 3;' '}' '' \
	'int main(void)' '{	return work(); }' >a.c
echo 'int other;' >lib/b.c
must git add .
commit one
profile "$PWD/" >../here.callgrind
profile /somewhere/else/ >../elsewhere.callgrind
profile '' >../relative.callgrind
profile ../src/../ >../built.callgrind

rows='2	10	10
3	20	20
7	1	31'
# lines FILE: what a line costs itself and with its calls.
lines()
{
	git perf annotate --porcelain "$@" >"$out" 2>"$err" || return 1
	sed '1,/^$/d' "$out"
}
for kind in here elsewhere relative built; do
	must git perf add --name=$kind ../$kind.callgrind 2>"$err"
	check "names that are $kind are those of the commit's files" \
		is "$(lines --profile=$kind a.c)" "$rows"
	check "names in folders that are $kind are found, too" \
		is "$(lines --profile=$kind lib/b.c)" '1	4	4'
done
# A call of itself: outer line 2 costs 1, inner ones 5; outer line 3 costs 2 and
# calls the inner ones, 20, of which 15 are line 3 itself. So line 3 with all
# that it calls is 2 + 20, and line 2 1 + 5, as it calls nothing.
printf '%s\n' '# callgrind format' 'events: Ir' fl=a.c fn=main '7 1' \
	cfn=work 'calls=1 1' '7 23' fn=work '2 1' '3 2' "cfn=work'2" \
	'calls=2 1' '3 20' "fn=work'2" '2 5' '3 15' "cfn=work'2" 'calls=4 1' \
	'3 18' >../recursive.callgrind
must git perf add --name=recursive ../recursive.callgrind 2>"$err"
check 'inner calls are not added to the outer one' \
	is "$(lines --profile=recursive a.c)" '2	6	6
3	17	22
7	1	24'
check 'list of inner calls' exits 0 git perf show --json --view=list \
	--function='^work' HEAD:recursive
check 'inner calls together cost what the outer one calls' json \
	'[.rows[] | [.function // .name, .self, .total]]' \
	'[["work",3,23],["work'"'"'2",20,20]]'
must git perf rm recursive 2>"$err"
check 'what is needed is one file' exits 129 git perf annotate
must mkdir -p deep
cd deep || exit 1
check 'a file is named from the current folder' is "$(lines --profile=here ../a.c)" "$rows"
cd .. || exit 1
check 'a file is named from the root' is "$(lines --profile=here "$PWD/a.c")" "$rows"
check 'several series are told apart by name' exits 128 git perf annotate a.c
check 'what to type is listed' says err "fatal: 'HEAD' has 4 series with costs of 'a.c', type one of: \
--profile=built, --profile=elsewhere, --profile=here, --profile=relative"
check 'a file that is nowhere is named before all series' exits 128 git perf annotate nothing.c
check 'a file that is nowhere is said' mentions err "^fatal: 'nothing.c' is no file of commit "
echo no cost >plain.txt
must git add plain.txt
must git commit -qm plain
for name in here relative; do
	must git perf add --name=$name ../$name.callgrind 2>"$err"
done
check 'a file without costs in several series' exits 128 git perf annotate plain.txt
check 'a file without costs in several series is named' says err \
	"fatal: none of the 2 series of 'HEAD' with functions has costs of lines of 'plain.txt'"
printf '%s\n' '# callgrind format' 'events: Ir' fl=plain.txt fn=p '1 8' >../plain.callgrind
must git perf add --name=plain ../plain.callgrind 2>"$err"
check 'of several series the one with costs of the file is taken' is "$(lines plain.txt)" '1	8	8'
check 'the one with costs of the file is taken of a revision' is "$(lines --rev=HEAD plain.txt)" '1	8	8'
check 'totals need another side' exits 129 git perf annotate --cum plain.txt
check 'what totals need is said' mentions err 'cum needs --against'
for option in --rev --against; do
	check "no commit: $option" exits 128 git perf annotate $option=nope --profile=here a.c
	check "no commit: $option is said" says err "fatal: no such commit 'nope'"
done
check 'a value that a file has not' exits 128 git perf annotate --profile=../here.callgrind --sample-index=zz a.c
check 'the value is told, not the file' mentions err "'zz'"
check 'an unknown revision without a profile' exits 128 git perf annotate --rev=nope a.c
check 'an unknown revision is named without a profile' says err "fatal: no such commit 'nope'"
check 'the old side is of the series that is named' is \
	"$(lines --profile=HEAD:here --against=HEAD~1 a.c)" "$(lines --profile=here --against=HEAD~1 a.c)"
check 'the old side has costs' mentions out '^2	2	10	10	10	10$'
# A series, which is no profile's name: line 1 costs 6, then 9.
must git rm -q --cached plain.txt
series()
{
	printf '%s\n' '# callgrind format' 'events: Ir' fl=q.txt fn=q "1 $1" >../q.callgrind
	echo "$1" >q.txt && must git add q.txt && must git commit -qm "$1"
	must git perf collect -q --add -c command -O format=callgrind -l job=fib \
		-- cp ../q.callgrind '{output}'
}
series 6
series 9
both='0	1	0	0	6	6
1	0	9	9	0	0'
for profile in fib/command HEAD:fib/command; do
	check "a series of two commits by $profile" \
		is "$(lines --profile=$profile --against=HEAD~1 q.txt)" "$both"
done
must git perf add --name=here ../here.callgrind 2>"$err"
check 'the old side is of the series that the new one has' \
	is "$(lines --against=HEAD~1 q.txt)" "$both"
must git reset -q --hard HEAD~3

# The text: eight columns a tab.
check 'a file with its costs' exits 0 git perf annotate --profile=relative a.c
check 'the file is said to be of the commit' mentions out "^a.c at $(git rev-parse HEAD | cut -c1-10), .*: 31 of 134 Ir$"
sed 1d "$out" >text
check 'the file has each line' is "$(cat text)" '     self     total  line
        .         .     1 int work(void)
       10        10     2 {       /* 2 */
       20        20     3         return 3;
        .         .     4 }
        .         .     5
        .         .     6 int main(void)
        1        31     7 {       return work(); }'
printf 'main;work 3\n' >../stacks.folded
must git perf add --name=stacks ../stacks.folded 2>"$err"
check 'a profile without source files' exits 0 git perf annotate --profile=stacks a.c
check 'costs of functions alone are told' says err \
	"warning: stacks has no cost in 'a.c': it has no source files, and what it tells are costs of functions"
check 'lines are cut where the terminal ends' exits 0 env COLUMNS=40 git perf annotate --profile=relative a.c
check 'JSON has the lines that cost' exits 0 git perf annotate --json --profile=relative a.c
check 'a line has its own and its total cost' json '[.rows[] | [.line, .self, .total]], .new.file, .new.total, .new.path' \
	'[[2,10,10],[3,20,20],[7,1,31]]
31
134
"a.c"'
check 'a filter leaves the rest' is "$(lines --profile=relative --focus=other lib/b.c)" '1	4	4'

# What is not there.
check 'a file that no commit has' exits 128 git perf annotate --profile=here nothing.c
check 'a file that no commit has is said' mentions err "^fatal: 'nothing.c' is no file of commit "
check 'a folder is no file' exits 128 git perf annotate --profile=here lib
check 'a file outside ends in an error' exits 128 git perf annotate --profile=here ../a.c
check 'a file outside is refused' says err "fatal: '../a.c' lies outside of the repository"
check 'a file of the system is refused' exits 128 git perf annotate --profile=here /usr/include/a.c
echo >none.c
must git add none.c
commit two
check 'a file without costs is shown' exits 0 git perf annotate --rev=HEAD~ --profile=here a.c
check 'of a commit without profiles the nearest one is meant' exits 128 git perf annotate --profile=nothing a.c

# Two commits: a line changed, one went, the file has another name. New costs
# are by hand: 2 costs 10, 3 costs 25, 8 costs 2 and calls 35.
must git mv a.c c.c
printf '%s\n' 'int work(void)' '{	/* 2 */' '	return 2 + 1;' '}' '' \
	'/* new */' 'int main(void)' '{	return work(); }' >c.c
must git add .
commit three
printf '%s\n' 'events: Ir' fl=c.c fn=work '2 10' '3 25' fn=main '8 2' \
	cfn=work 'calls=1 1' '8 35' | { echo '# callgrind format'; cat; } >../new.callgrind
must git perf add --name=relative ../new.callgrind 2>"$err"
check 'annotate against another commit' exits 0 git perf annotate --against=HEAD~2 --profile=relative c.c
check 'the old side has the name that the file had' mentions out '^a.c at '
sed 1,2d "$out" >text
check 'two commits have lines matched by a diff' is "$(cat text)" '      old       new    change   line
        .         .         .      1 int work(void)
       10        10         .      2 {       /* 2 */
       20                 -20 -    3         return 3;
                 25        25 +    3         return 2 + 1;
        .         .         .      4 }
        .         .         .      5
                  .         . +    6 /* new */
        .         .         .      7 int main(void)
        1         2         1      8 {       return work(); }'
check 'totals of two commits' exits 0 git perf annotate --cum --against=HEAD~2 --profile=relative c.c
check 'totals of both commits' mentions out '^       31        37         6      8 '
check 'the porcelain has the totals of both commits' is "$(lines --against=HEAD~2 --profile=relative c.c)" \
	'2	2	10	10	10	10
0	3	0	0	20	20
3	0	25	25	0	0
8	7	2	37	1	31'

# What an editor has: a line before all, the third one changed.
(echo first && sed 's/2 + 1/4/' c.c) >../edited.c
check 'costs stand beside the lines of a file that is edited' \
	is "$(lines --contents=../edited.c c.c)" '3	10	10
9	2	37'
check 'what lines cost that are gone is said' mentions out '^elsewhere 25$'
check 'the text of an editor may be standard input' is "$(lines --contents=- c.c <../edited.c)" '3	10	10
9	2	37'

# The view list: pprof's layout; of the commit, or below a folder.
check 'functions are listed with their source' exits 0 git perf show --view=list --function=work HEAD
check 'functions are listed as pprof does' is "$(cat "$out")" "Total: 37
ROUTINE ======================== work in c.c
        35         35 (flat, cum) 94.59% of Total
         .          .      1:int work(void)
        10         10      2:{	/* 2 */
        25         25      3:	return 2 + 1;
         .          .      4:}
         .          .      5:
         .          .      6:/* new */
         .          .      7:int main(void)
         .          .      8:{	return work(); }"
rm c.c
check 'lines as JSON are of the commit, not of the disk' exits 0 git perf show --json --view=list --function=work HEAD
check 'the list in JSON has its lines' json '[.rows[] | .name, .file, .self, .total, [.lines[] | [.line, .self, .text]]]' \
	'["work","c.c",35,35,[[2,10,"{\t/* 2 */"],[3,25,"\treturn 2 + 1;"]]]'
check 'a file that is not there' exits 0 git perf show --view=list --function=far HEAD~2:here
check 'a file that is not there is said to be missing' \
	says out " Error: the file is not in commit $(git rev-parse HEAD~2 | cut -c1-10)"
check 'a function must be named' exits 129 git perf show --view=list HEAD
check 'the function must exist' exits 128 git perf show --view=list --function=zzz HEAD

# Hostile: names that leave the repository, links, and texts with escapes.
mkdir ../outside && cd ../outside || exit 1
echo secret >../secret.c
must ln -s ../secret.c link.c
must mkfifo pipe.c
printf 'a\033[31mb\n' >red.c
for name in ../secret.c link.c pipe.c "$scratch/secret.c" red.c; do
	printf '%s\n' '# callgrind format' 'events: Ir' "fl=$name" fn=work \
		'1 1' >evil.callgrind
	check "outside of a repository $(basename "$name") ends well" \
		exits 0 git perf show --view=list --function=. ./evil.callgrind
	check "no secret is told by $(basename "$name")" not mentions out secret$
done
check 'escapes are escaped' mentions out 'a\\x1b\[31mb'

# Ticks of V8: four samples in 40 ms of a function that begins in line 10, one of
# them in line 11 and three in line 12.
must git init -q -b main "$scratch/ticks"
cd "$scratch/ticks" || exit 1
seq 14 >a.js
must git add a.js
commit ticks
cat >"$scratch/ticks.cpuprofile" <<'JSON'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"",
"lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
{"id":2,"callFrame":{"functionName":"a","scriptId":"1","url":"file:///x/a.js",
"lineNumber":9,"columnNumber":3},"hitCount":4,
"positionTicks":[{"line":11,"ticks":1},{"line":12,"ticks":3}]}],
"startTime":0,"endTime":40000,"samples":[2,2,2,2],"timeDeltas":[0,10000,10000,20000]}
JSON
must git perf add -n ticks "$scratch/ticks.cpuprofile"
check 'annotate has the lines of ticks' exits 0 git perf annotate a.js
check 'a quarter of the ticks is one line' mentions out '^ *10(\.00)?ms +10(\.00)?ms +11 '
check 'three quarters of the ticks are the next line' mentions out '^ *30(\.00)?ms +30(\.00)?ms +12 '
check 'list has them, too' exits 0 git perf show --view=list --function='^a$' HEAD:ticks
check 'list of ticks has the same quarter' mentions out '^ *10(\.00)?ms +10(\.00)?ms +11:'
