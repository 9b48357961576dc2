#!/bin/sh
# git perf show: views of files, options, messages and exit codes.
. "$(dirname "$0")/../lib.sh"
need jq

# g takes 5 of 8, h 2 below f, f itself 1.
cat >small.folded <<END
main;f;g 5
main;f;h 2
main;f 1
END

check 'show prints a file' exits 0 git perf show small.folded
check 'top has the layout of pprof' prints out <<END
Type: samples
Showing nodes accounting for 8, 100% of 8 total
      flat  flat%   sum%        cum   cum%
         5 62.50% 62.50%          5 62.50%  g
         2 25.00% 87.50%          2 25.00%  h
         1 12.50%   100%          8   100%  f
         0     0%   100%          8   100%  main
END
check 'show of a file writes nothing to standard error' silent err

check 'JSON has the figures as numbers' exits 0 \
	git perf show --json ./small.folded
check 'JSON has version, command and view' json \
	'[.version, .command, .view, .unit, .total]' \
	'[1,"show","top","count",8]'
check 'JSON has a row for each function' \
	json '[.rows[] | [.name, .self, .total]]' \
	'[["g",5,5],["h",2,2],["f",1,8],["main",0,8]]'

check '--view chooses a view by name' exits 0 \
	git perf show --view=tree --json small.folded
check 'tree has callers and callees' json \
	'.rows[2] | [[.callers[].name], [.callees[].name]]' \
	'[["main"],["g","h"]]'
check 'peek without a function is a usage error' \
	exits 129 git perf show --view=peek small.folded
check 'peek takes a function' exits 0 \
	git perf show --view=peek --function='^[gh]$' --json small.folded
check 'peek shows the functions that match only' \
	json '[.rows[].name]' '["g","h"]'
check 'peek without a match is fatal' exits 128 \
	git perf show --view=peek --function=zz small.folded
check 'the error names the pattern that nothing matches' \
	says err "fatal: no function matches 'zz'"
check 'tree without a match among its functions is fatal' exits 128 \
	git perf show --view=tree --nodecount=2 --function=main small.folded
check 'the error says how many functions were left to match' says err \
	"fatal: none of the 2 functions that are left matches 'main'"
check 'traces lists the samples' exits 0 \
	git perf show --view=traces --json small.folded
check 'frames of a trace begin with the leaf' \
	json '.rows[0] | [.value, [.frames[].name]]' \
	'[5,["g","f","main"]]'
check 'raw lists the tables' exits 0 \
	git perf show --view=raw --json small.folded
check 'raw has samples and locations' json \
	'[(.samples | length), (.locations | length), .samples[0].values]' \
	'[3,4,[5]]'
check 'an unknown view is a usage error' exits 129 \
	git perf show --view=pie small.folded
check 'the error about a view lists the views' \
	mentions err "no view 'pie': there are top, "
check 'a view that is nearly one is refused' exits 129 git perf show --view=flamegrap small.folded
check 'the view that is near is suggested' \
	mentions err "^error: no view 'flamegrap': .*; did you mean 'flamegraph'[?]\$"

printf '%s\n' 'version: 1' 'creator: callgrind-3.19.0' \
	'cmd: /opt/bin/prog -n /etc/x' 'desc: I1 cache: ' 'desc: Trigger: end' \
	'positions: line' 'events: Ir' 'ob=/lib64/ld-linux-x86-64.so.2' \
	'fn=start' '1 2' 'ob=/opt/bin/prog' 'fn=main' '1 3' >callgrind.out
check 'show prints the header of a callgrind profile' exits 0 \
	git perf show callgrind.out
check 'the header names the program and not the loader' says out 'File: prog'
check 'the header has descriptions that say something' \
	says out 'desc: Trigger: end'
check 'the header leaves out descriptions that say nothing' \
	not mentions out '^desc: I1'
check '--focus is accepted' exits 0 \
	git perf show --focus=g --json small.folded
check '--focus keeps the total of the whole profile' \
	json '[.total, [.rows[].name]]' '[8,["g","f","main"]]'
check '--relative-percentages is accepted' exits 0 \
	git perf show --focus=g --relative-percentages --json small.folded
check '--relative-percentages takes the total of what is left' json .total 5
check 'a filter without a match is no error' exits 0 \
	git perf show --ignore=zz small.folded
check 'a filter without a match is named in a warning' \
	says err 'warning: ignore matched no samples'
check 'a bad regular expression is fatal' exits 128 \
	git perf show --hide='a(' small.folded
check 'the bad regular expression is named with its filter' \
	mentions err "^fatal: hide: bad regular expression 'a\\('"
check 'a bad regular expression prints nothing' silent out
check '--nodecount is accepted' \
	exits 0 git perf show --nodecount=1 --json small.folded
check '--nodecount limits the rows' json '[.rows[].name]' '["g"]'
check 'rows can be ordered by cum' exits 0 \
	git perf show --cum --json small.folded
check '--cum sorts by total and then by name' json '.rows[0].name' '"f"'
check 'values can be divided' exits 0 git perf show --divide-by=2 small.folded
check '--divide-by divides to whole numbers' \
	mentions out '^ +2 62.50% 62.50% +2 62.50%  g$'
check '--divide-by=0 is a usage error' \
	exits 129 git perf show --divide-by=0 small.folded
check '--nodefraction above 1 is a usage error' exits 129 \
	git perf show --nodefraction=2 small.folded
# lines of a report of gprof's: fold_case was called and took no time
cat >flat.gprof.txt <<END
Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  ns/call  ns/call  name
 89.00      0.08     0.08  3312250    24.18    24.18  table_lookup
  0.00      0.08     0.00  3312250     0.00     0.00  fold_case
END
check '--nodefraction=0 is accepted' exits 0 \
	git perf show --nodefraction=0 --json flat.gprof.txt
check '--nodefraction=0 keeps functions that were called without cost' \
	json '.rows[1] | [.name, .self, .total, .calls]' \
	'["fold_case",0,0,3312250]'
check 'a profile with functions without cost is shown' \
	exits 0 git perf show --json flat.gprof.txt
check 'functions without cost are left out by default' \
	json '[.rows[].name]' '["table_lookup"]'
check 'an unknown granularity is a usage error' exits 129 \
	git perf show --granularity=words small.folded
check 'an unknown value type is fatal' exits 128 \
	git perf show --sample-index=x small.folded
check 'the error lists the value types' says err \
	"fatal: no sample type 'x': the profile has 1: samples"

check 'show without anything measured is refused' \
	exits 128 git perf show
check 'several profiles are added up' \
	exits 0 git perf show --json small.folded small.folded small.folded
check 'each with all that it has' json .total \
	"$(awk '{ sum += 3 * $NF } END { print sum }' small.folded)"
check 'an absent profile is fatal' exits 128 git perf show absent
check 'the absent profile is named' mentions err "^fatal: no profile 'absent'"
check 'a folder is no profile' exits 128 git perf show .
check 'show reads standard input' exits 0 sh -c 'git perf show - <small.folded'
check 'standard input is shown as a file is' mentions out '62.50%  g$'
check '-o is accepted' exits 0 git perf show -o result small.folded
check '-o leaves standard output empty' silent out
check 'the file of -o has what standard output would have' \
	is "$(git perf show small.folded)" "$(cat result)"
check 'a failure with -o is fatal' exits 128 \
	git perf show --view=peek --function=zz -o other small.folded
check 'a failure leaves no file of -o' not test -e other

printf 'main;a\033[31m\342\200\256b;c 1\n' >hostile
check 'show prints a profile with hostile names' exits 0 \
	git perf show --format=collapsed hostile
check 'hostile names are printed escaped' \
	mentions out 'a\\x1b\[31m\\u\{202[eE]\}b$'

mkdir "$scratch/elsewhere"
cp small.folded "$scratch/elsewhere"
check 'show of a file works outside of a repository' exits 0 \
	git-perf -C "$scratch/elsewhere" show small.folded

# a became 3 less, b 3 more, c is new
printf 'a 5\nb 1\n' >"$scratch/was.folded"
printf 'a 2\nb 4\nc 1\n' >"$scratch/is.folded"
git perf show --json --drop-negative --base="$scratch/was.folded" \
	"$scratch/is.folded" >less.json
check '--drop-negative leaves out what became less' is \
	"$(jq -c '[.rows[] | [.name, .self]]' less.json)" '[["b",3],["c",1]]'

# 2000 ms with the weight 5 and 2000 us with the weight 7, of one label: pprof
# takes both for seconds.
{
	printf '\012\004\010\001\020\002\022\015\010\001\020\005\032\007'
	printf '\010\003\030\320\017\040\004\022\015\010\001\020\007\032'
	printf '\007\010\003\030\320\017\040\005"\006\010\001"\002\010\001'
	printf '*\004\010\001\020\006\062\000\062\001s\062\005count\062'
	printf '\003lat\062\002ms\062\002us\062\001fp\000'
} >units.pb
check 'tags of a label of several units are shown' \
	exits 0 git perf show --view=tags units.pb
check 'each value keeps its unit' is "$(grep -c -E '(5 .*: 2s|7 .*: 2ms)$' "$out")" 2
check 'the units of the label are told' says err \
	"warning: label 'lat' has several units ('ms', 'us'): each value is taken in its own"
check 'ranges of a label of several units' \
	exits 0 git perf show --json --tagfocus=lat=1s: units.pb
check 'a range is of the same time whatever the unit' json '.rows[0].self' 5

# Text under the name of a picture that nothing draws.
for name in y.png y.JPG y.pdf y.xlsx y.svgz y.ps y.EPS; do
	check "a view is not written as $name" exits 128 git perf show -o $name units.pb
	check "what is written instead of $name is named" \
		says err "fatal: '$name': nothing is written as ${name#*.}, but .svg, .html, .csv, .dot and text"
	check "nothing is left as $name" not test -e $name
done
check 'a format that is not written is named before a profile is missed' \
	exits 129 git perf export --to=openmetric
check 'the format that is not there is named' mentions err "^error: no such format 'openmetric'"
