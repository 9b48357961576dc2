#!/bin/sh
# git perf diff: two profiles side by side, of files and of stored ones.
. "$(dirname "$0")/lib.sh"

printf 'main 1\nmain;f 10\nmain;gone 4\n' >a.folded
printf 'main 1\nmain;f 15\nmain;fresh 2\n' >b.folded
printf 'x\n' >file
must git add file
commit first

check 'a difference is no failure' exits 0 git perf diff a.folded b.folded
check 'old, new and by how much' mentions out \
	'^ +10 +15 +\+5 +\+50\.00% +\+33\.33% +10 +15  f$'
check 'what is gone' mentions out \
	'^ +4 +0 +-4 +-100\.00% +-26\.67% +4 +0  gone \(gone\)$'
check 'what is new' mentions out \
	'^ +0 +2 +\+2 +\+13\.33% +0 +2  fresh \(new\)$'
check 'and all of it' says out 'Total: 15 old, 18 new, +3 (+20.00%)'
check 'unless it is asked' exits 1 git perf diff --exit-code a.folded b.folded
check 'a profile is like itself' exits 0 \
	git perf diff --exit-code a.folded a.folded
check 'which is said' says out 'No function differs'

check 'JSON' exits 0 git perf diff --json a.folded b.folded
check 'has a row of shares' json '.rows[] | select(.name == "f") |
	[.old_self, .new_self, .old_total, .new_total, .delta, .relative,
	.state]' '[10,15,10,15,5,0.5,"changed"]'
check 'a new one has no relative change' json '.rows[] |
	select(.name == "fresh") | [.state, has("relative")]' '["new",false]'
check 'and the totals' json '[.command, .old_total, .new_total]' \
	'["diff",15,18]'

check 'the view traces' exits 0 git perf diff --view=traces a.folded b.folded
check 'has what is gone' mentions out '^ +-4 +gone$'
check 'but not what is equal' not mentions out '^ +1 +main$'
check 'the view tree' exits 0 git perf diff --view=tree a.folded b.folded
check 'is answered, too' exits 1 \
	git perf diff --view=tree --exit-code a.folded b.folded
check 'filters' exits 0 git perf diff --json --focus=f --ignore=fresh \
	a.folded b.folded
check 'hold for both' json '[.rows[].name]' '["f","main"]'

must git perf add a.folded
commit second
must git perf add b.folded
check 'profiles of two commits' exits 0 git perf diff HEAD^:0@i 0@i
check 'the same' mentions out '  f$'

cat >one.callgrind <<-END
	# callgrind format
	events: Ir
	fn=main
	1 10
	cfn=f
	calls=2 5
	2 30
	fn=f
	5 30
END
sed 's/30$/33/' one.callgrind >two.callgrind
check 'call graphs' exits 1 \
	git perf diff --exit-code --json one.callgrind two.callgrind
check 'by function' json '[.rows[] | [.name, .delta, .new_calls]]' \
	'[["f",3,2],["main",0,null]]'

sed 's/fn=f/fn=g/' one.callgrind >renamed.callgrind
check 'a function with another name' exits 1 \
	git perf diff --exit-code --json one.callgrind renamed.callgrind
check 'is one function' json \
	'[.rows[] | [.name, .old_name, .delta, .state]]' \
	'[["g","f",0,"renamed"]]'
check 'in the table, too' exits 0 \
	git perf diff one.callgrind renamed.callgrind
check 'with its old name' mentions out ' g \(renamed from f\)$'

# f by itself: 30 in one checkout, 90 in the other.
for tree in "here/src 30" "there/src 90"; do
	cost=${tree#* }
	sed "s:^events.*:&\nfl=/${tree% *}/one.c:; s/^5 30/5 $cost/
		s/^2 30/2 $cost/" one.callgrind >"${tree%%/*}.callgrind"
done
check 'sources that lie elsewhere' exits 0 \
	git perf diff --json here.callgrind there.callgrind
check 'have the same functions' json \
	'[.rows[] | [.name, .old_self, .new_self, .state]]' \
	'[["f",30,90,"changed"],["main",10,10,"changed"]]'
sed 's:^fl=.*:fl=/there/src/two.c:' there.callgrind >two_files.callgrind
check 'one that went to another file' exits 0 \
	git perf diff here.callgrind two_files.callgrind
check 'is said to have' mentions out '  f \(in another file\)$'
if [ -d "$shared_data/data/series" ]; then
	series=$shared_data/data/series
	for kind in callgrind folded pprof; do
		check "commit 21 renames one function ($kind)" exits 0 \
			git perf diff --json "$series/$kind"/20-* \
			"$series/$kind"/21-*
		check 'and no other' json \
			'[.rows[] | select(.state == "renamed") |
				[.name, .old_name]]' \
			'[["table_lookup","table_get"]]'
	done
else
	echo '# SKIPPED: no shared data'
fi

must git perf collect --runs 3 -- true
check 'metrics have a table of their own' exits 0 \
	git perf diff --json 0@p 0@p
check 'of medians' json '[.view, .rows[0].state, .rows[0].delta]' \
	'["metrics","same",0]'
check 'with the answer' exits 0 git perf diff --exit-code 0@p 0@p
check 'even where one has no samples' exits 0 git perf diff 0@p a.folded

check 'a type that only one has' exits 128 \
	git perf diff a.folded one.callgrind
check 'is named, and the other' mentions err \
	"^fatal: 'a.folded': no sample type 'Ir': the profile has 1: samples\$"
check 'one is too few' exits 129 git perf diff a.folded
check 'base and diff base' exits 129 \
	git perf show --base=a.folded --diff-base=a.folded b.folded
check 'normalize needs one' exits 129 git perf show --normalize b.folded
check 'without the base' exits 0 git perf show --json --base=a.folded b.folded
check 'what is equal is gone' json \
	'[.rows[] | select(.self != 0) | [.name, .self]]' \
	'[["f",5],["gone",-4],["fresh",2]]'
check 'standard input twice' exits 129 git perf diff - - </dev/null
check 'is refused' mentions err 'can be read only once'
