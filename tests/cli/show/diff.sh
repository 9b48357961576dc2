#!/bin/sh
# git perf diff: two profiles side by side, of files and of stored ones.
. "$(dirname "$0")/../lib.sh"

printf 'main 1\nmain;f 10\nmain;gone 4\n' >a.folded
printf 'main 1\nmain;f 15\nmain;fresh 2\n' >b.folded
printf 'x\n' >file
must git add file
commit first

check 'a difference is no failure without --exit-code' \
	exits 0 git perf diff a.folded b.folded
check 'old, new and by how much' mentions out \
	'^ +10 +15 +\+5 +\+50\.00% +\+33\.33% +10 +15  f$'
check 'a function that is gone is listed with its loss' mentions out \
	'^ +4 +0 +-4 +-100\.00% +-26\.67% +4 +0  gone \(gone\)$'
check 'a new function is listed with its gain' mentions out \
	'^ +0 +2 +\+2 +\+13\.33% +0 +2  fresh \(new\)$'
check 'the totals of both sides are given' \
	says out 'Total: 15 old, 18 new, +3 (+20.00%)'
check 'a difference fails with --exit-code' \
	exits 1 git perf diff --exit-code a.folded b.folded
check '--exit-code succeeds where a profile is like itself' exits 0 \
	git perf diff --exit-code a.folded a.folded
check 'diff says that no function differs' says out 'No function differs'

check 'diff prints JSON' exits 0 git perf diff --json a.folded b.folded
check 'a JSON row has old, new, difference and share' \
	json '.rows[] | select(.name == "f") |
	[.old_self, .new_self, .old_total, .new_total, .delta, .relative,
	.state]' '[10,15,10,15,5,0.5,"changed"]'
check 'a new function has no relative change in JSON' json '.rows[] |
	select(.name == "fresh") | [.state, has("relative")]' '["new",false]'
check 'JSON has the totals of both sides' \
	json '[.command, .old_total, .new_total]' \
	'["diff",15,18]'

check 'diff takes the view traces' \
	exits 0 git perf diff --view=traces a.folded b.folded
check 'the view traces has stacks that are gone' mentions out '^ +-4 +gone$'
check 'the view traces leaves out equal stacks' not mentions out '^ +1 +main$'
check 'diff takes the view tree' \
	exits 0 git perf diff --view=tree a.folded b.folded
check '--exit-code fails with the view tree' exits 1 \
	git perf diff --view=tree --exit-code a.folded b.folded
check 'diff takes filters' \
	exits 0 git perf diff --json --focus=f --ignore=fresh \
	a.folded b.folded
check 'filters hold for both sides of a diff' \
	json '[.rows[].name]' '["f","main"]'

must git perf add a.folded
commit second
must git perf add b.folded
check 'diff takes profiles of two commits' exits 0 git perf diff HEAD^:0@i 0@i
check 'a diff of two commits has the function that differs' mentions out '  f$'

# main takes 10, and f 30 in two calls.
must cp "$root/tests/data/callgrind/two_functions.callgrind" one.callgrind
sed 's/30$/33/' one.callgrind >two.callgrind
check 'diff of two call graphs fails with --exit-code' exits 1 \
	git perf diff --exit-code --json one.callgrind two.callgrind
check 'a diff of call graphs has the calls of functions' \
	json '[.rows[] | [.name, .delta, .new_calls]]' \
	'[["f",3,2],["main",0,null]]'

sed 's/fn=f/fn=g/' one.callgrind >renamed.callgrind
check 'another name is no worse with --exit-code' exits 0 \
	git perf diff --exit-code --json one.callgrind renamed.callgrind
check 'a renamed function is one row with its old name' json \
	'[.rows[] | [.name, .old_name, .delta, .state]]' \
	'[["g","f",0,"renamed"]]'
check 'diff of a renamed function prints a table' exits 0 \
	git perf diff one.callgrind renamed.callgrind
check 'the table names the old name of a renamed function' \
	mentions out ' g \(renamed from f\)$'

# f by itself: 30 in one checkout, 90 in the other.
for tree in "here/src 30" "there/src 90"; do
	cost=${tree#* }
	sed "s:^events.*:&\nfl=/${tree% *}/one.c:; s/^5 30/5 $cost/
		s/^2 30/2 $cost/" one.callgrind >"${tree%%/*}.callgrind"
done
check 'diff takes profiles whose sources lie in different folders' exits 0 \
	git perf diff --json here.callgrind there.callgrind
check 'functions of sources that lie elsewhere are the same' json \
	'[.rows[] | [.name, .old_self, .new_self, .state]]' \
	'[["f",30,90,"changed"],["main",10,10,"changed"]]'
sed 's:^fl=.*:fl=/there/src/two.c:' there.callgrind >two_files.callgrind
check 'diff takes a function that went to another file' exits 0 \
	git perf diff here.callgrind two_files.callgrind
check 'the table says that a function went to another file' \
	mentions out '  f \(in another file\)$'
series=$measured/series
for kind in callgrind folded pprof; do
	check "commit 21 renames one function ($kind)" exits 0 \
		git perf diff --json "$series/$kind"/20-* \
		"$series/$kind"/21-*
	check "no other function of commit 21 is renamed ($kind)" json \
		'[.rows[] | select(.state == "renamed") |
			[.name, .old_name]]' \
		'[["table_lookup","table_get"]]'
done

# five runs of one sample, and of two: one tick of a clock, as check has it
must git init -q ticks
for n in 1 2; do
	must git -C ticks commit -q --allow-empty -m "$n"
	printf 'main;f %s\n' "$n" >few.folded
	for run in 1 2 3 4 5; do
		must git -C ticks perf add -n few ../few.folded 2>"$err"
	done
done
check 'a diff of few samples is answered' exits 0 \
	git -C ticks perf diff --json HEAD^ HEAD
check 'one sample more may be one tick more' json \
	'.rows[].metrics[] | [.old.median, .new.median, .old.n, .verdict, .low]' \
	'[1,2,5,"MaybeDegradation",null]'

must git perf collect --runs 3 -- true
check 'diff of metrics is answered' exits 0 \
	git perf diff --json 0@p 0@p
check 'a diff of metrics compares medians' \
	json '[.view, .rows[0].state, .rows[0].delta]' \
	'["metrics","same",0]'
check '--exit-code succeeds where metrics are equal' \
	exits 0 git perf diff --exit-code 0@p 0@p
check 'diff takes a side that has metrics only' \
	exits 0 git perf diff 0@p a.folded

check 'a value type that only one side has is fatal' exits 128 \
	git perf diff a.folded one.callgrind
check 'the error names the profile and the type that it lacks' mentions err \
	"^fatal: 'a.folded': no sample type 'Ir': the profile has 1: samples\$"
check 'one profile is too few for diff' exits 129 git perf diff a.folded
check '--base and --diff-base together are a usage error' exits 129 \
	git perf show --base=a.folded --diff-base=a.folded b.folded
check '--normalize without a base is a usage error' \
	exits 129 git perf show --normalize b.folded
check 'show takes --base without --normalize' \
	exits 0 git perf show --json --base=a.folded b.folded
check 'what is equal to the base is zero' json \
	'[.rows[] | select(.self != 0) | [.name, .self]]' \
	'[["f",5],["gone",-4],["fresh",2]]'
check 'standard input as both sides is a usage error' \
	exits 129 git perf diff - - </dev/null
check 'the error says that standard input is read once' \
	mentions err 'can be read only once'

# 2,000 brought to 1,000: work has 450 of 600, whatever is looked at besides.
printf 'main;work 600\nmain;idle 400\n' >thousand.folded
printf 'main;work 900\nmain;idle 1100\n' >two.folded
for options in '' --focus=work --ignore=idle '--focus=work --relative-percentages' \
	'--show=work --sample-index=0'; do
	check "profiles are compared as wholes $options" exits 0 git perf diff --json \
		--normalize $options thousand.folded two.folded
	check "what is shown of them is scaled by the wholes $options" json \
		'.rows[] | select(.name == "work") | [.old_self, .new_self]' '[600,450]'
done
check 'the views of a difference scale so, too' exits 0 git perf diff --json --view=tree \
	--normalize --focus=work thousand.folded two.folded
check 'the tree of a normalized difference has what is less' json \
	'.rows[] | select(.name == "work") | .self' -150
check 'a header tells both wholes' exits 0 git perf diff --normalize --focus=work \
	thousand.folded two.folded
check 'wholes that are one are equal' says out 'Total: 1000 old, 1000 new, 0 (0.00%)'

# run() is in another binary on either side: 4 and what it calls, 176, then 42
# and 224. As one function it costs 266 - 180.
calls()
{
	printf '%s\n' '# callgrind format' 'events: Ir' "ob=$1" fl=run.c fn=run \
		"1 $2" ob=/lib/b.so fl=b.c "cfn=$3" 'calls=1 1' "2 $4" '' \
		ob=/lib/b.so fl=b.c "fn=$3" "1 $4" >"$5"
}
calls /bin/old 4 first 176 was.callgrind
calls /bin/new 42 second 224 is.callgrind
check 'a function of two binaries is subtracted' exits 0 git perf show --json \
	--base=was.callgrind is.callgrind
check 'the total of a function of two binaries is the difference' json \
	'[.rows[] | select(.name == "run") | .self, .total]' '[38,86]'
