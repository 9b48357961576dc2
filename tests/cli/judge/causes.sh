#!/bin/sh
# What check says of the functions behind a change, of profiles whose calls and
# costs are written here: what calls and costs do against each other, and who
# made the calls; in what CI shows, too.
. "$(dirname "$0")/../lib.sh"

# program MAIN LOADER EACH: parse is called so often by each of both, a call costs
# so much; both cost 50 themselves.
program()
{
	cat <<END
# callgrind format
version: 1
cmd: ./p
events: Ir

fl=p.c
fn=main
1 50
cfn=parse
calls=$1 3
1 $(($1 * $3))
cfn=loader
calls=1 2
1 $(($2 * $3 + 50))

fn=loader
2 50
cfn=parse
calls=$2 3
2 $(($2 * $3))

fn=parse
3 $((($1 + $2) * $3))
END
}
# measured MESSAGE MAIN LOADER EACH: a commit with this program's profile.
measured()
{
	commit "$1"
	shift
	program "$@" >"$scratch/p.callgrind"
	must git perf add -n p "$scratch/p.callgrind"
}

# 50 + 50 + 100 * 20000; then 210 * 10000 and 90 * 10000 in the place of that:
# 1,000,000 more, though main calls 2.1 times as often only, and each call costs half.
measured base 100 0 20000
measured same 100 0 20000
measured more 210 90 10000
check 'a check of calls and costs that go against each other' exits 1 git perf check HEAD~1 HEAD
check 'both are said, and how many calls are whose' says out \
	'  parse +1 M, called 3 x as often, 110 more from main, each call costs 50 % less'
check 'calls and costs that go against each other make all of it' says out '  100 % of it explained'
check 'the way back' exits 0 git perf check HEAD HEAD~1
check 'the way back says the opposite' says out \
	'  parse -1 M, called 66.7 % less often, 110 fewer from main, each call costs 2 x as much'
# 300 * 10000, all of them from main, then 450.
measured 'back in main' 300 0 10000
measured 'half as many again' 450 0 10000
check 'more calls of the only caller' exits 1 git perf check HEAD~1 HEAD
check 'more calls of the only caller are its own' says out '  parse +1.5 M, called 50 % more often from main'
# 450 calls move to loader, and 450 are new.
measured 'by the loader' 0 900 10000
check 'calls of another caller' exits 1 git perf check HEAD~1 HEAD
check 'calls of another caller are said to be from there' mentions out \
	'^  parse \+4\.5 M, called 2 x as often, from loader instead of main$'
for format in markdown github junit; do
	check "$format of the same" exits 1 git perf check --format=$format
	check "$format names the function, too" mentions out \
		'9 M, was 4\.5 M(;|&#59;) parse \+4\.5 M, called 2 x as often, from loader instead of main'
done
